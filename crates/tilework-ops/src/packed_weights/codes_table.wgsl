// Codes of 4 bits that are indices into a table of 16 signed bytes: a group is 16 bytes, low halves first
// row: where the row begins, in words; group: which 32 weights; part: 0 to 3, which four of the first 16.
// needs: w(i), TABLE (generated), Pair (weights.wgsl)
fn codes(row: u32, group: u32, part: u32) -> Pair {
    let word = w(row + group * 4u + part);
    return Pair(looked_up(word & 0x0f0f0f0fu), looked_up((word >> 4u) & 0x0f0f0f0fu));
}

fn looked_up(word: u32) -> vec4<f32> {
    return vec4<f32>(
        value_of(word & 15u),
        value_of((word >> 8u) & 15u),
        value_of((word >> 16u) & 15u),
        value_of(word >> 24u),
    );
}

// The table is four words of constants, so that it lies in registers and not in memory.
fn value_of(code: u32) -> f32 {
    let low = select(TABLE.x, TABLE.y, (code & 4u) != 0u);
    let high = select(TABLE.z, TABLE.w, (code & 4u) != 0u);
    let word = bitcast<i32>(select(low, high, (code & 8u) != 0u));
    return f32(extractBits(word, (code & 3u) * 8u, 8u));
}
