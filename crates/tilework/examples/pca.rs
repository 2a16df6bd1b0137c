//! Principal components: the direction in which a cloud of points is longest, by singular values.
//!
//! Run with `cargo run --release -p tilework --example pca`.

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use tilework::linalg::{self, Vectors};
use tilework::{Array, Device, Result};

fn main() -> Result<()> {
    pollster::block_on(async { run(&Device::auto().await).await.map(drop) })
}

/// The cloud is long in this direction, of length 1.
pub(crate) const DIRECTION: [f32; 3] = [2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0];

/// The directions as rows, the longest first, and the share of each in the variance.
pub(crate) async fn run(device: &Device) -> Result<[Array; 2]> {
    let mut random = device.random(2);
    let along = random.normal([500, 1], 0.0, 3.0) * device.array(DIRECTION.to_vec(), [1, 3]);
    let points = along + random.normal([500, 3], 0.0, 0.3) + 10.0;

    // Around their mean, the points are U·diag(s)·Vᵀ: the rows of Vᵀ are the axes, s² the squared lengths along them.
    let centered = &points - points.mean([0]);
    let svd = linalg::svd(&centered, Vectors::Reduced);
    let variances = svd.s.square();
    let (axes, shares) = (svd.vh, &variances / variances.sum([]));
    device.eval(&[&axes, &shares]).await?;

    println!("axes, longest first:\n{}", axes.show().await?);
    println!("their share in the variance: {}", shares.show().await?);
    let flat = centered.matmul(&axes.slice(0, ..2).t());
    println!(
        "the first three of 500 points, in two dimensions instead of three:\n{}",
        flat.slice(0, ..3).show().await?
    );
    Ok([axes, shares])
}
