//! k-means: points find their groups.
//!
//! Run with `cargo run --release -p tilework --example kmeans`.

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use tilework::{Array, DType, Device, Result};

fn main() -> Result<()> {
    pollster::block_on(async { run(&Device::auto().await).await.map(drop) })
}

/// Around these the points lie.
pub(crate) const CENTERS: [[f32; 2]; 3] = [[0.0, 0.0], [4.0, 1.0], [1.0, 5.0]];
const N_POINTS: usize = 100;

/// The centers that are found, `[3, 2]`.
pub(crate) async fn run(device: &Device) -> Result<Array> {
    let truth = device.array(CENTERS.concat(), [3, 1, 2]);
    let points = (truth + device.random(1).normal([3, N_POINTS, 2], 0.0, 0.5)).reshape([3 * N_POINTS, 2]);

    // To begin with: the first point, and twice the point that is farthest from all centers so far.
    let mut centers = points.slice(0, ..1);
    while centers.shape()[0] < 3 {
        let farthest = distances(&points, &centers).min([1]).argmax(0);
        centers = device.concat(&[&centers, &points.take(&farthest, 0).expand_dims(0)], 0);
    }
    for step in 1..=10 {
        let group = distances(&points, &centers).argmin(1);
        // One row of 0 and 1 per group; its product with the points adds up the group's points.
        let members = group.eq(device.arange(3).expand_dims(1)).cast(DType::F32);
        let moved = members.matmul(&points) / members.sum_keep([1]);
        let largest_move = (&moved - &centers).abs().max([]);
        centers = moved;
        let largest_move = largest_move.item().await?;
        println!("step {step}: centers moved by at most {largest_move:.4}");
        if largest_move == 0.0 {
            break;
        }
    }
    println!("centers found:\n{}", centers.show().await?);
    Ok(centers)
}

/// Squared distances `[points, centers]`.
fn distances(points: &Array, centers: &Array) -> Array {
    (points.expand_dims(1) - centers.expand_dims(0)).square().sum([2])
}
