// Scan of one tile of a row:  y[row, c] = before[row, tile] * x[row, first] * ... * x[row, c], where * is combine; without
// x[row, c] if exclusive. x: [n_rows, n_cols] as elements x(i), already reversed for a backward scan, whose results are stored
// from the end. Element c of row (o, i) of the result is at (o * n_cols + c) * n_inner + i.
// One workgroup per (row, tile of 2048 columns): neighbors load neighbors, each invocation scans 8 columns in workgroup memory,
// the 256 totals are scanned by doubling distances, and neighbors store neighbors.
// params: n_rows, n_cols, n_inner, n_tiles
// needs: x(i), y(i, result), before(unit), Acc, combine(a, b), identity(), IS_EXCLUSIVE, IS_BACKWARD (generated)
const PER_LANE: u32 = 8u;
const TILE: u32 = 2048u;
var<workgroup> sums: array<Acc, 2048>;
var<workgroup> totals: array<Acc, 256>;

// Everything in the tile up to and with column `at`.
fn within(at: u32) -> Acc {
    let owner = at / PER_LANE;
    if owner == 0u {
        return sums[at];
    }
    return combine(totals[owner - 1u], sums[at]);
}

@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let unit = group.x + group.y * groups.x;
    // Surplus workgroups of the folded grid scan nothing and store nothing; they still meet at the barriers.
    let is_real = unit < params.n_rows * params.n_tiles;
    let row = unit / params.n_tiles;
    let first = (unit % params.n_tiles) * TILE;
    let end = select(0u, params.n_cols, is_real);

    for (var at = lane; at < TILE; at += 256u) {
        sums[at] = identity();
        if first + at < end {
            sums[at] = x(row * params.n_cols + first + at);
        }
    }
    workgroupBarrier();
    var sum = sums[lane * PER_LANE];
    for (var at = lane * PER_LANE + 1u; at < (lane + 1u) * PER_LANE; at++) {
        sum = combine(sum, sums[at]);
        sums[at] = sum;
    }
    totals[lane] = sum;
    workgroupBarrier();
    for (var distance = 1u; distance < 256u; distance <<= 1u) {
        if lane >= distance {
            sum = combine(totals[lane - distance], sum);
        }
        workgroupBarrier();
        totals[lane] = sum;
        workgroupBarrier();
    }
    for (var at = lane; at < TILE; at += 256u) {
        let col = first + at;
        if col < end {
            var result = before(unit);
            if !IS_EXCLUSIVE {
                result = combine(result, within(at));
            } else if at > 0u {
                result = combine(result, within(at - 1u));
            }
            let place = select(col, params.n_cols - 1u - col, IS_BACKWARD);
            y(((row / params.n_inner) * params.n_cols + place) * params.n_inner + row % params.n_inner, result);
        }
    }
}
