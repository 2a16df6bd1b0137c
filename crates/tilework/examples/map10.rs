//! scratch
use std::time::Instant;
use tilework::{Device, Result};
fn main() -> Result<()> {
    pollster::block_on(async {
        let d = Device::cpu();
        let n = 1 << 22;
        let x = d.array((0..n).map(|i| (i as f32 * 1e-3).sin()).collect::<Vec<_>>(), [n]);
        for (name, f) in [("map10", (|x| ((x * 2.0 + 1.0).sin() * x - 0.5).tanh().mul(x).add(0.25).abs().sqrt()) as fn(&tilework::Array) -> tilework::Array),
            ("add", |x| x + 1.5), ("sin", |x| x.sin()), ("tanh", |x| x.tanh()), ("exp", |x| x.exp()), ("mul3", |x| (x * x + x) * x - 0.3), ("sum", |x| x.sum([])), ("std", |x| x.std([]))] {
            let mut best = f64::INFINITY;
            for _ in 0..7 {
                let t = Instant::now();
                f(&x).eval().await?;
                best = best.min(t.elapsed().as_secs_f64() * 1e3);
            }
            println!("{name} {best:.2} ms");
        }
        Ok(())
    })
}
