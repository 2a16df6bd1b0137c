//! Edges of a picture by convolutions.
//!
//! Run with `cargo run --release -p tilework --example edges`.

#![allow(clippy::print_stdout, reason = "an example shows what it does")]
#![allow(clippy::reversed_empty_ranges, reason = "negative bounds count from the end")]

mod draw;

use tilework::{Array, ConvOptions, Device, Result};

fn main() -> Result<()> {
    pollster::block_on(async { run(&Device::auto().await).await.map(drop) })
}

const N: usize = 33;
/// Of the disc that is in the picture.
pub(crate) const RADIUS: f64 = 10.0;

/// The mean distance of the edges from the middle, each weighted by its strength.
pub(crate) async fn run(device: &Device) -> Result<f64> {
    let at = device.arange(N).to_f32() - (N / 2) as f64;
    let distance = at.expand_dims(1).hypot(&at);
    let disc = distance.le(RADIUS).to_f32();

    // Sobel's kernels: the slope to the right, and turned the slope downwards, as two channels of one convolution.
    let right = device.array(vec![-1.0f32, 0.0, 1.0, -2.0, 0.0, 2.0, -1.0, 0.0, 1.0], [3, 3]);
    let kernels = device.stack(&[&right, &right.t()], 0).expand_dims(1);
    let slopes = disc.reshape([1, 1, N, N]).conv2d(&kernels, None, &ConvOptions::default());
    let strength: Array = slopes.square().sum([0, 1]).sqrt();

    println!("{}\n", draw::picture(&disc).await?);
    println!("{}", draw::picture(&(&strength / strength.max([]))).await?);
    let inside = distance.get((1..-1, 1..-1));
    let radius = ((inside * &strength).sum([]) / strength.sum([])).item().await?;
    println!("edges are {radius:.2} from the middle");
    Ok(radius)
}
