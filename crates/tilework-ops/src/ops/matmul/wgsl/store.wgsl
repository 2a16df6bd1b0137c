// Storing blocks of the result. A block at an edge is moved inwards until it fits and overlaps its neighbour: it stores
// only the rows and columns from where it was meant to begin, so that no element is stored twice.
// params: n
// needs: Block, y(i, result) (generated)
struct Corner {
    // Where the result's matrix begins in y.
    start: u32,
    // First row and column meant.
    row: u32,
    col: u32,
}

fn store_row(corner: Corner, row: u32, col: u32, sums: vec4<f32>) {
    if row >= corner.row && corner.col < params.n {
        let at = corner.start + row * params.n + col;
        if col >= corner.col {
            y(at, sums.x);
        }
        if col + 1u >= corner.col {
            y(at + 1u, sums.y);
        }
        if col + 2u >= corner.col {
            y(at + 2u, sums.z);
        }
        if col + 3u >= corner.col {
            y(at + 3u, sums.w);
        }
    }
}

// Stores a block whose first element is (row, col); corner.col says which of its columns are its own.
fn store_block(corner: Corner, row: u32, col: u32, sums: Block) {
    store_row(corner, row, col, sums.x);
    store_row(corner, row + 1u, col, sums.y);
    store_row(corner, row + 2u, col, sums.z);
    store_row(corner, row + 3u, col, sums.w);
}
