//! A filter by Fourier transforms: noise is spread over all frequencies, a signal is not.
//!
//! Run with `cargo run --release -p tilework --example fft_filter`.

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::f64::consts::TAU;
use tilework::{Array, Device, Norm, Result};

fn main() -> Result<()> {
    pollster::block_on(async { run(&Device::auto().await).await.map(drop) })
}

/// Samples of one second.
const N: usize = 1024;

/// The frequencies that were kept, in Hz, and how far the noisy and the filtered signal are from the clean one: roots of mean squares.
pub(crate) async fn run(device: &Device) -> Result<(Vec<f32>, [f64; 2])> {
    let t = device.arange(N).to_f32() / N as f64;
    let clean = (&t * (TAU * 12.0)).sin() + (&t * (TAU * 50.0)).cos() * 0.5;
    let noisy = &clean + device.random(3).normal(N, 0.0, 0.5);

    // A wave of amplitude a is a·N/2 in the spectrum, noise about √N times its deviation everywhere.
    let spectrum = noisy.rfft(0, Norm::Backward);
    let is_strong = spectrum.abs().gt(0.125 * N as f64);
    let filtered = is_strong.select(&spectrum, &spectrum * 0.0).irfft(N, 0, Norm::Backward);

    let kept_hz = device.rfftfreq(N, 1.0 / N as f64).masked(&is_strong).await?.to_vec().await?;
    let distance = |x: &Array| (x - &clean).square().mean([]).sqrt();
    let errors = [distance(&noisy).item().await?, distance(&filtered).item().await?];
    println!("kept: {kept_hz:?} Hz");
    println!("error before {:.3}, after {:.3}", errors[0], errors[1]);
    Ok((kept_hz, errors))
}
