// Stable scatter by one digit:  put(row, start[row, digit, tile] + rank within the tile, key, index) for all pairs
// The pairs are [n_rows, n_cols]; a digit is 8 bits from `shift` on, and `start` counts the keys of the row with a smaller digit
// and those with the same digit in earlier tiles. One workgroup per (row, tile of 1024 columns): the tile is sorted by the digit
// in workgroup memory, two bits at a time, so that the rank is the distance from the first place with the digit.
// params: n_rows, n_cols, n_inner, n_kept, n_tiles, shift
// needs: key_at(i), index_at(i), start_at(i), put(row, position, key, index), split(lane, shift) (generated)
var<workgroup> first_place: array<u32, 256>;

@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let unit = group.x + group.y * groups.x;
    // Surplus workgroups of the folded grid move nothing; they still meet at the barriers.
    let is_real = unit < params.n_rows * params.n_tiles;
    let row = unit / params.n_tiles;
    let tile = unit % params.n_tiles;
    let first = tile * TILE;
    let n_pairs = select(0u, min(TILE, params.n_cols - min(first, params.n_cols)), is_real);
    for (var at = lane; at < TILE; at += 256u) {
        // Places past the row hold the largest digit and, being last, stay last.
        keys[at] = 0xffffffffu;
        indices[at] = 0u;
        if at < n_pairs {
            keys[at] = key_at(row * params.n_cols + first + at);
            indices[at] = index_at(row * params.n_cols + first + at);
        }
    }
    workgroupBarrier();
    for (var shift = params.shift; shift < params.shift + 8u; shift += 2u) {
        split(lane, shift);
    }
    for (var place = lane; place < TILE; place += 256u) {
        let digit = (keys[place] >> params.shift) & 255u;
        if place == 0u || digit != ((keys[max(place, 1u) - 1u] >> params.shift) & 255u) {
            first_place[digit] = place;
        }
    }
    workgroupBarrier();
    for (var place = lane; place < n_pairs; place += 256u) {
        let key = keys[place];
        let digit = (key >> params.shift) & 255u;
        let start = start_at((row * 256u + digit) * params.n_tiles + tile);
        put(row, start + place - first_place[digit], key, indices[place]);
    }
}
