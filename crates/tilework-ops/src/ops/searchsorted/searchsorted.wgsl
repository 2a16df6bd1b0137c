// Position where each query belongs:  y[i] = number of sorted elements before query[i] (left), or not after it (right)
// sorted: [n_sorted], ascending; query and y: [n_elements], y of i32. One invocation per query halves the range it can be in.
// Comparing keys instead of elements puts NaN last and makes 0 and -0 equal.
// params: n_elements, n_sorted
// needs: sorted(i), query(i), y(i, result), key_of(x), IS_RIGHT (generated)
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let at = id.x + id.y * groups.x * 256u;
    if at < params.n_elements {
        let key = key_of(query(at));
        var low = 0u;
        var high = params.n_sorted;
        while low < high {
            let middle = low + (high - low) / 2u;
            let other = key_of(sorted(middle));
            if other < key || (IS_RIGHT && other == key) {
                low = middle + 1u;
            } else {
                high = middle;
            }
        }
        y(at, i32(low));
    }
}
