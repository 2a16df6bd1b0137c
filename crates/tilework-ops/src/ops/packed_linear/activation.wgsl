// What the first of a pair of rows becomes: x * sigmoid(x) (GATE = 1), or the Gaussian unit by a hyperbolic tangent (GATE = 2)
// Hendrycks, Gimpel, "Gaussian Error Linear Units" (2016), whose approximation by a hyperbolic tangent is meant.
// needs: GATE (generated); num_exp, num_tanh (number module)
fn activation(x: f32) -> f32 {
    if GATE == 1u {
        return x / (1.0 + num_exp(-x));
    }
    let inner = 0.7978845608028654 * (x + 0.044715 * x * x * x);
    return 0.5 * x * (1.0 + num_tanh(inner));
}
