// Codes of 3 bits: 8 bytes with two bits of every eighth weight, then a word with the third bits
// row: where the row begins, in words; group: which 32 weights; part: 0 to 3, which four of the first 16.
// params: high_at
// needs: w(i), bytes, Pair (weights.wgsl)
fn codes(row: u32, group: u32, part: u32) -> Pair {
    let word = w(row + group * 2u + (part & 1u)) >> (part & 2u);
    let high = w(row + params.high_at + group) >> part;
    let low_codes = (word & 0x03030303u) | ((high & 0x01010101u) << 2u);
    let high_codes = ((word >> 4u) & 0x03030303u) | ((high & 0x10101010u) >> 2u);
    return Pair(bytes(low_codes), bytes(high_codes));
}
