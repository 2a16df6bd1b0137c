// Leaky ReLU: y[i] = x[i] where positive, else slope * x[i]; one thread per element.
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> slope: f32;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if i < arrayLength(&y) {
        // No branch: every thread computes both, and takes one.
        y[i] = select(slope * x[i], x[i], x[i] > 0.0);
    }
}
