// A scale per group, as a 32-bit float
// params: scales_at
// needs: w(i)
fn scales(row: u32, group: u32) -> vec4<f32> {
    let d = bitcast<f32>(w(row + params.scales_at + group));
    return vec4<f32>(d, 0.0, d, 0.0);
}
