//! Conway's game of life on a board without edges.
//!
//! Run with `cargo run --release -p tilework --example life`.

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

mod draw;

use tilework::{Array, DType, Device, Result};

fn main() -> Result<()> {
    pollster::block_on(async { run(&Device::auto().await).await.map(drop) })
}

/// The board at the beginning, and after each of four generations.
pub(crate) async fn run(device: &Device) -> Result<Vec<Array>> {
    // A glider: it comes back every four generations, one field further down and to the right.
    let (rows, columns) = (device.array(vec![0, 1, 2, 2, 2], 5), device.array(vec![1, 2, 0, 1, 2], 5));
    let mut boards = vec![device.full_of([8, 8], 0.0, DType::I32).set((&rows, &columns), 1)];
    for generation in 0..=4 {
        let board = &boards[generation];
        println!("generation {generation}\n{}\n", draw::picture(&board.to_f32()).await?);
        let next = next(board);
        boards.push(next);
    }
    boards.truncate(5);
    Ok(boards)
}

/// The next generation of a board of zeros and ones.
pub(crate) fn next(board: &Array) -> Array {
    let column = board.roll([1], [0]) + board + board.roll([-1], [0]);
    let around = column.roll([1], [1]) + &column + column.roll([-1], [1]) - board;
    // Born with three neighbors, alive for another generation with two or three.
    around.eq(3).or(board.eq(1).and(around.eq(2))).cast(DType::I32)
}
