// Codes of 8 bits, signed: a group is 32 bytes
// row: where the row begins, in words; group: which 32 weights; part: 0 to 3, which four of the first 16.
// needs: w(i), Pair (weights.wgsl)
fn codes(row: u32, group: u32, part: u32) -> Pair {
    let at = row + group * 8u + part;
    return Pair(signed_bytes(w(at)), signed_bytes(w(at + 4u)));
}

fn signed_bytes(word: u32) -> vec4<f32> {
    let signed = bitcast<i32>(word);
    return vec4<f32>(
        f32(extractBits(signed, 0u, 8u)),
        f32(extractBits(signed, 8u, 8u)),
        f32(extractBits(signed, 16u, 8u)),
        f32(signed >> 24u),
    );
}
