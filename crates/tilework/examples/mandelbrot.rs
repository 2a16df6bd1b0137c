//! The Mandelbrot set as text, with complex numbers.
//!
//! Run with `cargo run --release -p tilework --example mandelbrot`.

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

mod draw;

use tilework::{Array, DType, Device, Result};

fn main() -> Result<()> {
    pollster::block_on(async { run(&Device::auto().await).await.map(drop) })
}

const N_STEPS: usize = 60;

/// How many steps each of 41 × 80 points stays within a distance of 2: `N_STEPS` for those of the set.
pub(crate) async fn run(device: &Device) -> Result<Array> {
    let (x, y) = (device.linspace(-2.1, 0.7, 80), (20 - device.arange(41)).to_f32().expand_dims(1) * 0.06);
    let c = device.complex(&(x + &y * 0.0), &(y + device.zeros(80)));
    let mut z = &c * 0.0;
    let mut n_steps = device.full_of([41, 80], 0.0, DType::I32);
    for step in 1..=N_STEPS {
        z = &z * &z + &c;
        // Points that are gone become infinite or NaN, which is not within any distance.
        n_steps = n_steps + z.abs().le(2.0).cast(DType::I32);
        if step % 20 == 0 {
            device.eval(&[&z, &n_steps]).await?;
        }
    }
    println!("{}", draw::picture(&(n_steps.to_f32() / N_STEPS as f64).sqrt()).await?);
    Ok(n_steps)
}
