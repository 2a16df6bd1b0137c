// Storing blocks of results of a convolution, whose columns are positions in images. A block at an edge is moved inwards until
// it fits and overlaps its neighbour: it stores only the rows and columns from where it was meant to begin.
// params: m, n, y_row
// needs: Block, y_column(column), y(i, result) (generated)
struct Corner {
    // Number of elements in the groups before this one.
    start: u32,
    // First row and column meant.
    row: u32,
    col: u32,
}

fn store_row(corner: Corner, row: u32, col: u32, columns: vec4<u32>, sums: vec4<f32>) {
    if row >= corner.row && corner.col < params.n {
        let at = columns + (corner.start / params.n + row) * params.y_row;
        if col >= corner.col {
            y(at.x, sums.x);
        }
        if col + 1u >= corner.col {
            y(at.y, sums.y);
        }
        if col + 2u >= corner.col {
            y(at.z, sums.z);
        }
        if col + 3u >= corner.col {
            y(at.w, sums.w);
        }
    }
}

// Stores a block whose first element is (row, col); corner.col says which of its columns are its own.
fn store_block(corner: Corner, row: u32, col: u32, sums: Block) {
    let columns = vec4(y_column(col), y_column(col + 1u), y_column(col + 2u), y_column(col + 3u));
    store_row(corner, row, col, columns, sums.x);
    store_row(corner, row + 1u, col, columns, sums.y);
    store_row(corner, row + 2u, col, columns, sums.z);
    store_row(corner, row + 3u, col, columns, sums.w);
}
