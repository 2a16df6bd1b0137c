// number = number + 1, by one thread.
@group(0) @binding(0) var<storage, read_write> number: array<u32>;

@compute @workgroup_size(1)
fn main() {
    number[0] = number[0] + 1u;
}
