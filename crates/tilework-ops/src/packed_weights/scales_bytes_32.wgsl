// Of 256 weights a 16-bit float d and 8 signed bytes s, one for each group:  d * s * code
// params: scales_at
// needs: w(i)
fn scales(row: u32, group: u32) -> vec4<f32> {
    let at = row + params.scales_at + group / 8u * 3u;
    let s = extractBits(bitcast<i32>(w(at + 1u + (group & 4u) / 4u)), (group & 3u) * 8u, 8u);
    let scale = unpack2x16float(w(at)).x * f32(s);
    return vec4<f32>(scale, 0.0, scale, 0.0);
}
