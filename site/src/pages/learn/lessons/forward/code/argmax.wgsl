// digits[row] = position of the largest of ten; one thread per row. Of equals the first wins.
const N: u32 = 10u;
@group(0) @binding(0) var<storage, read> x: array<f32>;
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
    digits[row] = best;
}
