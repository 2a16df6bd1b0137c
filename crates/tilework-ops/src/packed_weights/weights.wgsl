// Weights of packed rows:  weight = scale * value(code) + least, for four weights of a group of 32 and the four 16 further on
// row: where the row begins, in words; group: which 32 weights; part: 0 to 3, which four of the first 16.
// needs: codes(row, group, part), scales(row, group) (one file each, by format)
struct Pair {
    low: vec4<f32>,
    high: vec4<f32>,
}

fn weights(row: u32, group: u32, part: u32) -> Pair {
    let values = codes(row, group, part);
    let factors = scales(row, group);
    return Pair(values.low * factors.x + factors.y, values.high * factors.z + factors.w);
}

// Four unsigned bytes.
fn bytes(word: u32) -> vec4<f32> {
    return vec4<f32>(
        f32(word & 0xffu),
        f32((word >> 8u) & 0xffu),
        f32((word >> 16u) & 0xffu),
        f32(word >> 24u),
    );
}
