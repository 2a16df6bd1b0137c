// Codes of 4 bits: a group is 16 bytes, low halves first
// row: where the row begins, in words; group: which 32 weights; part: 0 to 3, which four of the first 16.
// needs: w(i), bytes, Pair (weights.wgsl)
fn codes(row: u32, group: u32, part: u32) -> Pair {
    let word = w(row + group * 4u + part);
    return Pair(bytes(word & 0x0f0f0f0fu), bytes((word >> 4u) & 0x0f0f0f0fu));
}
