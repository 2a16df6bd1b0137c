//! A regression by gradient descent, compared with the exact solution of least squares.
//!
//! Run with `cargo run --release -p tilework --example regression`.

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use tilework::{Array, Device, Result, linalg};

fn main() -> Result<()> {
    pollster::block_on(async { run(&Device::auto().await).await.map(drop) })
}

/// The coefficients found by descent, and the exact ones.
pub(crate) async fn run(device: &Device) -> Result<[Vec<f32>; 2]> {
    // y = 2x₁ − 3x₂ + 0.5, measured with some noise.
    let mut random = device.random(4);
    let inputs = random.normal([200, 2], 0.0, 1.0);
    let features = device.hstack(&[&inputs, &device.ones([200, 1])]);
    let truth = device.array(vec![2.0f32, -3.0, 0.5], 3);
    let y = features.matmul(&truth) + random.normal(200, 0.0, 0.1);

    let loss = |w: &Array| (features.matmul(w) - &y).square().mean([]);
    let mut w = device.zeros(3);
    for step in 0..50 {
        if step % 10 == 0 {
            println!("step {step:2}: loss {:.5}", loss(&w).item().await?);
        }
        w = &w - device.grad(loss, &w)? * 0.3;
        w.eval().await?;
    }
    let exact = linalg::lstsq(&features, &y, None).x;
    println!("by descent {}\nexactly    {}", w.show().await?, exact.show().await?);
    Ok([w.to_vec().await?, exact.to_vec().await?])
}
