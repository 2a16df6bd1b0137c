// Of 256 weights two 16-bit floats d and m, 8 bytes s and 8 bytes t, one for each group:  d * s * code - m * t
// params: scales_at
// needs: w(i)
fn scales(row: u32, group: u32) -> vec4<f32> {
    let at = row + params.scales_at + group / 8u * 5u;
    let both = unpack2x16float(w(at));
    let word = (group & 4u) / 4u;
    let shift = (group & 3u) * 8u;
    let scale = both.x * f32((w(at + 1u + word) >> shift) & 0xffu);
    let least = -both.y * f32((w(at + 3u + word) >> shift) & 0xffu);
    return vec4<f32>(scale, least, scale, least);
}
