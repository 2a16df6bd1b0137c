// Codes of 2 bits: a group is 8 bytes with two bits of every eighth weight
// needs: w(i), bytes, Pair (weights.wgsl)
fn codes(row: u32, group: u32, part: u32) -> Pair {
    let word = w(row + group * 2u + (part & 1u)) >> (part & 2u);
    return Pair(bytes(word & 0x03030303u), bytes((word >> 4u) & 0x03030303u));
}
