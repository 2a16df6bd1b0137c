// Where results of a convolution go. A column is a position in one of the images, all images in sequence.
// params: m, n_positions, positions_x, y_start, y_image, y_row, y_y, y_x
// needs: nothing

// First row of the column.
fn y_column(column: u32) -> u32 {
    let position = column % params.n_positions;
    let place = (position / params.positions_x) * params.y_y + (position % params.positions_x) * params.y_x;
    return params.y_start + (column / params.n_positions) * params.y_image + place;
}
