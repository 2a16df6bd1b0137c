// From ten scores to ten probabilities, in place, and the most likely digit; one thread per image.
const N: u32 = 10u;
@group(0) @binding(0) var<storage, read_write> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> digits: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.x;
    if row >= arrayLength(&digits) {
        return;
    }
    var best = 0u;
    for (var i = 1u; i < N; i++) {
        if x[row * N + i] > x[row * N + best] {
            best = i;
        }
    }
    let highest = x[row * N + best];
    var sum = 0.0;
    for (var i = 0u; i < N; i++) {
        sum += exp(x[row * N + i] - highest);
    }
    for (var i = 0u; i < N; i++) {
        x[row * N + i] = exp(x[row * N + i] - highest) / sum;
    }
    digits[row] = best;
}
