// Reads the right operand of a convolution as a product: k is a channel and a tap, a column is a position in one of the
// images, and the element is gathered from the image; outside of it, and past the end of k, there are zeros.
// What depends on the column is computed once for each of the four columns of a block, what depends on the tap once per k:
// an element costs two additions and comparisons beyond its load.
// params: k, n_channels, n_positions, positions_x, origin_y, origin_x, per_position_y, per_position_x, per_tap_y, per_tap_x,
//   size_y, size_x, x_start, x_image, x_channel, x_y, x_x
// needs: Block, x_element(i), n_taps(), n_taps_x() (generated)
struct Column {
    // Address of the first tap in the first channel, and its place in the image; places before it wrap around.
    at: u32,
    y: u32,
    x: u32,
}

struct Columns {
    first: Column,
    second: Column,
    third: Column,
    fourth: Column,
}

fn b_column(group: u32, column: u32) -> Column {
    let position = column % params.n_positions;
    let y = params.origin_y + (position / params.positions_x) * params.per_position_y;
    let x = params.origin_x + (position % params.positions_x) * params.per_position_x;
    let image = params.x_start + (column / params.n_positions) * params.x_image;
    let plane = image + group * params.n_channels * params.x_channel;
    return Column(plane + y * params.x_y + x * params.x_x, y, x);
}

fn b_place(group: u32, column: u32) -> Columns {
    return Columns(
        b_column(group, column),
        b_column(group, column + 1u),
        b_column(group, column + 2u),
        b_column(group, column + 3u),
    );
}

struct Tap {
    at: u32,
    y: u32,
    x: u32,
}

fn b_tap(k: u32) -> Tap {
    let channel = k / n_taps();
    let tap = k % n_taps();
    let y = (tap / n_taps_x()) * params.per_tap_y;
    let x = (tap % n_taps_x()) * params.per_tap_x;
    // No image has a place half of the range away.
    let outside = select(0x80000000u, 0u, k < params.k);
    return Tap(channel * params.x_channel + y * params.x_y + x * params.x_x, y + outside, x);
}

fn b_element(column: Column, tap: Tap) -> f32 {
    // Without a branch: both comparisons are cheaper than a jump.
    let is_inside = (column.y + tap.y < params.size_y) & (column.x + tap.x < params.size_x);
    let element = x_element(select(0u, column.at + tap.at, is_inside));
    return select(0.0, element, is_inside);
}

fn b_quad(columns: Columns, tap: Tap) -> vec4<f32> {
    return vec4(
        b_element(columns.first, tap),
        b_element(columns.second, tap),
        b_element(columns.third, tap),
        b_element(columns.fourth, tap),
    );
}

// k = 4 block and its three successors, against the four columns of `place`.
fn b_block(place: Columns, block: u32) -> Block {
    let k = 4u * block;
    return Block(
        b_quad(place, b_tap(k)),
        b_quad(place, b_tap(k + 1u)),
        b_quad(place, b_tap(k + 2u)),
        b_quad(place, b_tap(k + 3u)),
    );
}
