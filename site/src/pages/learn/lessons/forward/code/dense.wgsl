// y[row, out] = bias[out] + sum over i of x[row, i] * weight[out, i]; one thread per number of y.
// Weights are [n_out, n_in], as PyTorch keeps them.
struct Size { n_rows: u32, n_in: u32, n_out: u32 }

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> weight: array<f32>;
@group(0) @binding(2) var<storage, read> bias: array<f32>;
@group(0) @binding(3) var<storage, read_write> y: array<f32>;
@group(0) @binding(4) var<uniform> size: Size;

@compute @workgroup_size(16, 4)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let out = id.x;
    let row = id.y;
    if out >= size.n_out || row >= size.n_rows {
        return;
    }
    var sum = bias[out];
    for (var i = 0u; i < size.n_in; i++) {
        sum += x[row * size.n_in + i] * weight[out * size.n_in + i];
    }
    y[row * size.n_out + out] = sum;
}
