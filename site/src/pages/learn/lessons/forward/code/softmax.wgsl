// Softmax of rows of ten, in place. So short a row is no work for a tree: one thread per row.
const N: u32 = 10u;
@group(0) @binding(0) var<storage, read_write> x: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let first = id.x * N;
    if first >= arrayLength(&x) {
        return;
    }
    var highest = x[first];
    for (var i = 1u; i < N; i++) {
        highest = max(highest, x[first + i]);
    }
    var sum = 0.0;
    for (var i = 0u; i < N; i++) {
        sum += exp(x[first + i] - highest);
    }
    for (var i = 0u; i < N; i++) {
        x[first + i] = exp(x[first + i] - highest) / sum;
    }
}
