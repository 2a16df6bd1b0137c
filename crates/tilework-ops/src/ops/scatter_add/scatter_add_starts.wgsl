// Where the rows of each place begin in sorted order:  y[p] = number of sorted places below p, for p = 0 ... n_places
// place: [n_indices], ascending. One invocation per place and one more for the end; each searches by halving.
// params: n_starts, n_indices
// needs: place_at(i), y(i, result) (generated)
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let place = id.x + id.y * groups.x * 256u;
    if place < params.n_starts {
        var low = 0u;
        var high = params.n_indices;
        while low < high {
            let middle = low + (high - low) / 2u;
            if place_at(middle) < place {
                low = middle + 1u;
            } else {
                high = middle;
            }
        }
        y(place, low);
    }
}
