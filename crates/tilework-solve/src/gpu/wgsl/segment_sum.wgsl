// sums[s] = Σ term(entry, a, b) over the entries of segment s, one after the other: the same bits on every run.
// segments: [n_segments] of (first entry, number of entries, a, b); sums: [n_segments].
// A segment belongs to one direction (or pair of directions) of one block, and a block that thousands of instances read has many.
// One invocation per segment.
// params: n_segments
// needs: segments(s), sums(s, sum), term(entry, a, b), is_idle()
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let s = id.x + id.y * groups.x * 64u;
    if s >= params.n_segments || is_idle() {
        return;
    }
    let segment = segments(s);
    var sum = num_of(0.0f);
    for (var k = 0u; k < segment.y; k++) {
        sum = num_add(sum, term(segment.x + k, segment.z, segment.w));
    }
    sums(s, sum);
}
