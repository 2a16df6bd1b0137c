// A scale per group, as 16-bit floats in pairs:  d * (code - OFFSET)
// params: scales_at
// needs: w(i), OFFSET (generated)
fn scales(row: u32, group: u32) -> vec4<f32> {
    let both = unpack2x16float(w(row + params.scales_at + group / 2u));
    let d = select(both.x, both.y, (group & 1u) != 0u);
    return vec4<f32>(d, -OFFSET * d, d, -OFFSET * d);
}
