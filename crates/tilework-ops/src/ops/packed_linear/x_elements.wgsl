// Four elements of a vector times those of the norm, one at a time; 0 past the end
// params: n_cols
// needs: x(i), norm(i) (generated)
fn x_quad(vector: u32, col: u32) -> vec4<f32> {
    var quad = vec4<f32>(0.0);
    for (var j = 0u; j < 4u; j++) {
        if col + j < params.n_cols {
            quad[j] = x(vector * params.n_cols + col + j) * norm(col + j);
        }
    }
    return quad;
}

// The sum of squares of four elements.
fn x_squares(vector: u32, col: u32) -> f32 {
    var sum = 0.0;
    for (var j = 0u; j < 4u; j++) {
        if col + j < params.n_cols {
            let element = x(vector * params.n_cols + col + j);
            sum += element * element;
        }
    }
    return sum;
}
