// Of 256 weights a 16-bit float d and 16 signed bytes s, one for each half of a group:  d * s * (code - OFFSET)
// params: scales_at
// needs: w(i), OFFSET (generated)
fn scales(row: u32, group: u32) -> vec4<f32> {
    let at = row + params.scales_at + group / 8u * 5u;
    let d = unpack2x16float(w(at)).x;
    let word = bitcast<i32>(w(at + 1u + (group & 7u) / 2u));
    let shift = (group & 1u) * 16u;
    let low = d * f32(extractBits(word, shift, 8u));
    let high = d * f32(extractBits(word, shift + 8u, 8u));
    return vec4<f32>(low, -OFFSET * low, high, -OFFSET * high);
}
