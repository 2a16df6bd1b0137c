// How often each digit occurs in each tile:  y[row, digit, tile] = number of keys of the tile with this digit
// The keys are [n_rows, n_cols]; a digit is 8 bits from `shift` on. One workgroup per (row, tile of 1024 columns); the counts
// are integers, so that the order of the atomic additions does not matter.
// params: n_rows, n_cols, n_tiles, shift
// needs: key_at(i), y(i, result) (generated)
var<workgroup> counts: array<atomic<u32>, 256>;

@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let unit = group.x + group.y * groups.x;
    let is_real = unit < params.n_rows * params.n_tiles;
    let row = unit / params.n_tiles;
    let tile = unit % params.n_tiles;
    let end = select(0u, min((tile + 1u) * 1024u, params.n_cols), is_real);
    atomicStore(&counts[lane], 0u);
    workgroupBarrier();
    for (var col = tile * 1024u + lane; col < end; col += 256u) {
        atomicAdd(&counts[(key_at(row * params.n_cols + col) >> params.shift) & 255u], 1u);
    }
    workgroupBarrier();
    if is_real {
        y((row * 256u + lane) * params.n_tiles + tile, atomicLoad(&counts[lane]));
    }
}
