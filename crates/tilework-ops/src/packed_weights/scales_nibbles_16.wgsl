// Of 256 weights two 16-bit floats d and m and 16 bytes, one for each half of a group: low half s, high half t:  d * s * code - m * t
// params: scales_at
// needs: w(i)
fn scales(row: u32, group: u32) -> vec4<f32> {
    let at = row + params.scales_at + group / 8u * 5u;
    let both = unpack2x16float(w(at));
    let word = w(at + 1u + (group & 7u) / 2u) >> ((group & 1u) * 16u);
    return vec4<f32>(
        both.x * f32(word & 15u),
        -both.y * f32((word >> 4u) & 15u),
        both.x * f32((word >> 8u) & 15u),
        -both.y * f32((word >> 12u) & 15u),
    );
}
