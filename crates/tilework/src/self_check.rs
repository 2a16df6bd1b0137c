//! A quick proof that the GPU computes what the CPU does, made at start-up and shown to the user.

use crate::array::Array;
use crate::device::Device;
use tilework_core::Result;

/// What the self-check found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SelfCheck {
    /// What was computed, with the largest difference relative to the largest value.
    pub checks: Vec<(&'static str, f64)>,
    /// Milliseconds it took.
    pub elapsed_ms: f64,
}

impl SelfCheck {
    /// The largest difference found.
    pub fn worst(&self) -> f64 {
        self.checks.iter().map(|&(_, error)| error).fold(0.0, |a, b| if b.is_nan() { f64::INFINITY } else { a.max(b) })
    }

    /// Whether the device can be trusted: f32 results agree to the precision its arithmetic allows.
    pub fn passed(&self) -> bool {
        self.worst() < 1e-4
    }
}

/// Computes a handful of small things on `device` and on the CPU and compares every element.
pub async fn self_check(device: &Device) -> Result<SelfCheck> {
    let start = crate::calibrate::now_s();
    let cpu = Device::cpu();
    let mut checks = Vec::new();
    type Work = fn(&Device) -> Array;
    let works: [(&'static str, Work); 5] = [
        ("fused expression", |d| (d.linspace(-3.0, 3.0, 1000).sin() * 2.0).exp() + d.linspace(0.0, 9.0, 1000).sqrt()),
        ("broadcast and transpose", |d| d.arange(35).to_f32().reshape([5, 7]).t() / (d.arange(5).to_f32() + 1.0)),
        ("matmul with bias and relu", |d| {
            let a = d.linspace(-1.0, 1.0, 40 * 50).reshape([40, 50]);
            let b = d.linspace(1.0, -2.0, 50 * 36).reshape([50, 36]);
            (a.matmul(&b) + d.linspace(-1.0, 1.0, 36)).relu()
        }),
        ("sum of 100 000", |d| (d.arange(100_000).to_f32() * 1e-3).sin().sum([])),
        ("softmax", |d| d.linspace(-4.0, 4.0, 6 * 300).reshape([6, 300]).softmax(-1)),
    ];
    for (name, work) in works {
        let got: Vec<f32> = work(device).to_vec().await?;
        let want: Vec<f32> = work(&cpu).to_vec().await?;
        let scale = want.iter().fold(1e-30f64, |max, &x| max.max(f64::from(x).abs()));
        let error =
            got.iter().zip(&want).map(|(&a, &b)| (f64::from(a) - f64::from(b)).abs() / scale).fold(0.0, f64::max);
        let is_complete = got.len() == want.len() && got.iter().all(|x| x.is_finite());
        checks.push((name, if is_complete { error } else { f64::INFINITY }));
    }
    Ok(SelfCheck { checks, elapsed_ms: (crate::calibrate::now_s() - start) * 1e3 })
}
