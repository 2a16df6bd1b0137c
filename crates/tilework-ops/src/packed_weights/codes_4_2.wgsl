// Codes of 6 bits: 16 bytes with four bits each, low halves first, then 8 bytes with two bits of every eighth weight
// row: where the row begins, in words; group: which 32 weights; part: 0 to 3, which four of the first 16.
// params: high_at
// needs: w(i), bytes, Pair (weights.wgsl)
fn codes(row: u32, group: u32, part: u32) -> Pair {
    let word = w(row + group * 4u + part);
    let high = w(row + params.high_at + group * 2u + (part & 1u)) >> (part & 2u);
    let low_codes = (word & 0x0f0f0f0fu) | ((high & 0x03030303u) << 4u);
    let high_codes = ((word >> 4u) & 0x0f0f0f0fu) | (high & 0x30303030u);
    return Pair(bytes(low_codes), bytes(high_codes));
}
