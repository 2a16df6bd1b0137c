// x[i] = max(x[i], 0), in place; one thread per element.
@group(0) @binding(0) var<storage, read_write> x: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&x) {
        x[id.x] = max(x[id.x], 0.0);
    }
}
