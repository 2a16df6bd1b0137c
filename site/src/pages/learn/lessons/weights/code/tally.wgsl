// tally[d] = how many images of digit d were read right; one thread per image.
@group(0) @binding(0) var<storage, read> digits: array<u32>;
@group(0) @binding(1) var<storage, read> labels: array<u32>;
@group(0) @binding(2) var<storage, read_write> tally: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if i < arrayLength(&digits) {
        if digits[i] == labels[i] {
            tally[labels[i]] = tally[labels[i]] + 1u;
        }
    }
}
