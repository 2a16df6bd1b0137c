// Scale and least weight per group, as a pair of 16-bit floats:  d * code + m
// params: scales_at
// needs: w(i)
fn scales(row: u32, group: u32) -> vec4<f32> {
    return unpack2x16float(w(row + params.scales_at + group)).xyxy;
}
