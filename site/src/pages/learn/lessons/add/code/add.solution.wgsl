// c[i] = a[i] + b[i], one thread per element.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    // The last workgroup may have more threads than there are elements left.
    if i < arrayLength(&c) {
        c[i] = a[i] + b[i];
    }
}
