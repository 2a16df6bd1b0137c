// Codes of 4 bits that are indices into a table of 16 numbers: a group is 16 bytes, low halves first
// row: where the row begins, in words; group: which 32 weights; part: 0 to 3, which four of the first 16.
// needs: w(i), VALUES (generated), Pair (weights.wgsl)
var<workgroup> table: array<f32, 16>;

// What a workgroup does before it reads weights.
fn prepare(lane: u32) {
    if lane < 16u {
        var values = VALUES;
        table[lane] = values[lane];
    }
    workgroupBarrier();
}

fn codes(row: u32, group: u32, part: u32) -> Pair {
    let word = w(row + group * 4u + part);
    return Pair(looked_up(word), looked_up(word >> 4u));
}

fn looked_up(word: u32) -> vec4<f32> {
    return vec4<f32>(
        table[word & 15u],
        table[(word >> 8u) & 15u],
        table[(word >> 16u) & 15u],
        table[(word >> 24u) & 15u],
    );
}
