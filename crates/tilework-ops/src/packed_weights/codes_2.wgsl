// Codes of 2 bits: a group is 8 bytes with two bits of every eighth weight
// row: where the row begins, in words; group: which 32 weights; part: 0 to 3, which four of the first 16.
// needs: w(i), bytes, Pair (weights.wgsl)
fn codes(row: u32, group: u32, part: u32) -> Pair {
    let word = w(row + group * 2u + (part & 1u)) >> (part & 2u);
    return Pair(bytes(word & 0x03030303u), bytes((word >> 4u) & 0x03030303u));
}
