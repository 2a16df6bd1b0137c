// number = number * number, by one thread. Whole numbers of 32 bits wrap around: 65536 * 65536 is 0.
@group(0) @binding(0) var<storage, read_write> number: array<u32>;

@compute @workgroup_size(1)
fn main() {
    number[0] = number[0] * number[0];
}
