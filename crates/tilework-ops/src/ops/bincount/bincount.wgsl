// How often each integer occurs in each part:  y[part, bin] = number of i in the part with x[i] = bin
// x: [n_elements] of i32 or u32, y: [n_parts, n_bins] of i32. One workgroup per (part, tile of 2048 bins) counts in workgroup
// memory; the counts are integers, so that the order of the atomic additions does not matter. Other values are not counted.
// params: n_elements, n_bins, n_parts, n_tiles, part_len
// needs: x(i), y(i, result) (generated)
const TILE_BINS: u32 = 2048u;
var<workgroup> counts: array<atomic<i32>, 2048>;

@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let unit = group.x + group.y * groups.x;
    // Surplus workgroups of the folded grid count nothing and store nothing; they still meet at the barriers.
    let is_real = unit < params.n_parts * params.n_tiles;
    let part = unit / params.n_tiles;
    let first = (unit % params.n_tiles) * TILE_BINS;
    let end = select(0u, min((part + 1u) * params.part_len, params.n_elements), is_real);
    for (var bin = lane; bin < TILE_BINS; bin += 256u) {
        atomicStore(&counts[bin], 0);
    }
    workgroupBarrier();
    for (var i = part * params.part_len + lane; i < end; i += 256u) {
        // A negative number is a large one without its sign; one below the tile wraps around to a large one.
        let bin = u32(x(i)) - first;
        if bin < TILE_BINS {
            atomicAdd(&counts[bin], 1);
        }
    }
    workgroupBarrier();
    for (var bin = lane; bin < TILE_BINS; bin += 256u) {
        if is_real && first + bin < params.n_bins {
            y(part * params.n_bins + first + bin, atomicLoad(&counts[bin]));
        }
    }
}
