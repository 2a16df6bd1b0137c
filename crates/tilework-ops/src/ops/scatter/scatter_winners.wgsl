// The last row for each place:  winner[p] = 1 + largest j with index[j] = p; 0, from before, where there is none
// index: [n_indices] of i32, winner: [n_axis]. One invocation per index; the largest of integers does not depend on their order.
// A negative index counts from the end; one out of range is moved to the nearest end.
// params: n_indices, n_axis
// needs: index_at(i), raise(i, value) (generated)
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let j = id.x + id.y * groups.x * 256u;
    if j < params.n_indices {
        let index = index_at(j);
        let from_start = select(index, index + i32(params.n_axis), index < 0);
        raise(u32(clamp(from_start, 0, i32(params.n_axis) - 1)), j + 1u);
    }
}
