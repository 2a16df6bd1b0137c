//! What evaluating the same graph again costs besides the work itself: the time of ten fused operations on one element.
//!
//! Run with `cargo run --release -p tilework --example planning`.

#![allow(clippy::print_stdout, reason = "printing the figure is the point")]

use std::time::Instant;
use tilework::{Device, Result};

fn main() -> Result<()> {
    pollster::block_on(async {
        let device = Device::cpu();
        let x = device.array(vec![0.3f32], [1]);
        let build = || ((&x * 2.0 + 1.0).sin() * &x - 0.5).tanh().exp().abs().sqrt() / 3.0;
        let (mut building_us, mut evaluating_us) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..2000 {
            let start = Instant::now();
            let y = build();
            let built = start.elapsed().as_secs_f64() * 1e6;
            y.eval().await?;
            building_us = building_us.min(built);
            evaluating_us = evaluating_us.min(start.elapsed().as_secs_f64() * 1e6 - built);
        }
        println!("building the graph {building_us:.1} µs, planning and running it {evaluating_us:.1} µs");
        Ok(())
    })
}
