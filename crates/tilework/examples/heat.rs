//! The heat equation: a plate with one hot edge warms up until nothing changes any more.
//!
//! Run with `cargo run --release -p tilework --example heat`.

#![allow(clippy::print_stdout, reason = "an example shows what it does")]
#![allow(clippy::reversed_empty_ranges, reason = "negative bounds count from the end")]

mod draw;

use tilework::{Device, Result};

fn main() -> Result<()> {
    pollster::block_on(async { run(&Device::auto().await).await.map(drop) })
}

/// Points on an edge of the plate: odd, so that one is in the middle.
const N: usize = 17;

/// The temperature in the middle at the end. Turned plates with one hot edge each add up to one that is hot all around, so it is a
/// quarter of the hot edge's.
pub(crate) async fn run(device: &Device) -> Result<f64> {
    let mut heat = device.zeros([N, N]).set((0,), 100.0);
    for step in 0..=800 {
        if step % 400 == 0 {
            println!("after {step} steps:\n{}", draw::picture(&(&heat / 100.0)).await?);
        }
        // Inside, a point becomes the mean of its four neighbors; the edges stay.
        let (up, down) = (heat.get((..-2, 1..-1)), heat.get((2.., 1..-1)));
        let (left, right) = (heat.get((1..-1, ..-2)), heat.get((1..-1, 2..)));
        heat = heat.set((1..-1, 1..-1), (up + down + left + right) / 4.0);
        if step % 50 == 0 {
            heat.eval().await?; // A graph of hundreds of steps would be planned as one.
        }
    }
    let middle = (N / 2) as isize;
    let temperature = heat.get((middle, middle)).item().await?;
    println!("{temperature:.3} degrees in the middle");
    Ok(temperature)
}
