//! Measuring an adapter once, and remembering it.

use crate::array::Array;
use crate::cache;
use crate::device::Device;
use crate::placement::{Costs, Rates};
use tilework_core::Result;
use tilework_gpu::Gpu;

/// Elements of the measured element-wise work.
const N_ELEMENTS: usize = 1 << 18;
/// Size of the measured product.
const N_MATRIX: usize = 192;
/// Operations in the measured chain.
const N_CHAIN: usize = 16;

/// Measures both sides with the same work: nothing, a chain of operations, a copy and a product.
pub(crate) async fn measure(gpu: &Gpu) -> Result<Costs> {
    #[cfg(target_arch = "wasm32")]
    if !crate::clock::is_set() {
        return Err(tilework_core::Error::argument("auto", "there is no clock to measure with"));
    }
    let on_gpu = Device::over(gpu.clone());
    let cpu = rates(&Device::cpu()).await?;
    let gpu_rates = rates(&on_gpu).await?;
    let bytes = vec![0u8; 4 * N_ELEMENTS];
    let upload_s = fastest(async || gpu.upload(&bytes).map(drop)).await?;
    let buffer = gpu.upload(&bytes)?;
    let small_s = fastest(async || gpu.read(&buffer, 0, 4).await.map(drop)).await?;
    let large_s = fastest(async || gpu.read(&buffer, 0, bytes.len() as u64).await.map(drop)).await?;
    let n_bytes = bytes.len() as f64;
    Ok(Costs {
        cpu,
        gpu: gpu_rates,
        upload_bytes_per_s: n_bytes / upload_s.max(1e-9),
        download_bytes_per_s: n_bytes / (large_s - small_s).max(1e-7),
        download_s: small_s,
    })
}

async fn rates(device: &Device) -> Result<Rates> {
    let tiny = device.full([1], 1.5);
    let large = device.arange(N_ELEMENTS).to_f32();
    let matrix = device.arange(N_MATRIX * N_MATRIX).to_f32().reshape([N_MATRIX, N_MATRIX]);
    device.eval(&[&tiny, &large, &matrix]).await?;
    let time = async |array: &dyn Fn() -> Array| {
        fastest(async || {
            let array = array();
            device.eval(&[&array]).await?;
            device.finish().await
        })
        .await
    };
    let nothing_s = time(&|| &tiny + 1.0).await?;
    let two_s = time(&|| (&tiny + 1.0).sum([]).exp()).await?;
    let copy_s = time(&|| -&large).await?;
    let chain_s = time(&|| (0..N_CHAIN).fold(large.clone(), |sum, _| &sum * &large + 1.0)).await?;
    let product_s = time(&|| matrix.matmul(&matrix)).await?;
    let after = |total_s: f64| (total_s - nothing_s).max(1e-7);
    Ok(Rates {
        overhead_s: nothing_s,
        step_s: (two_s - nothing_s).max(0.0),
        element_ops_per_s: (2 * N_CHAIN * N_ELEMENTS) as f64 / after(chain_s),
        dense_flops_per_s: 2.0 * (N_MATRIX as f64).powi(3) / after(product_s),
        bytes_per_s: (8 * N_ELEMENTS) as f64 / after(copy_s),
    })
}

/// Seconds of the fastest of a few runs, after one to warm up. A slow adapter is measured fewer times.
async fn fastest(work: impl AsyncFn() -> Result<()>) -> Result<f64> {
    work().await?;
    let mut best = f64::INFINITY;
    let begin = now_s();
    for _ in 0..5 {
        let start = now_s();
        work().await?;
        best = best.min(now_s() - start);
        if now_s() - begin > 0.05 {
            break;
        }
    }
    Ok(best)
}

/// Seconds since some moment.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn now_s() -> f64 {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// Seconds since some moment; the surrounding JavaScript module keeps the clock.
#[cfg(target_arch = "wasm32")]
pub(crate) fn now_s() -> f64 {
    crate::clock::now_ms() / 1e3
}

/// A measurement made before, if there is one.
pub(crate) fn load(gpu: &Gpu) -> Option<Costs> {
    parse(&cache::read(gpu, "costs")?)
}

/// Keeps a measurement; failing to is harmless.
pub(crate) fn save(gpu: &Gpu, costs: &Costs) {
    cache::write(gpu, "costs", || format(costs));
}

fn numbers(costs: &Costs) -> [f64; 13] {
    let side = |r: &Rates| [r.overhead_s, r.step_s, r.element_ops_per_s, r.dense_flops_per_s, r.bytes_per_s];
    let (cpu, gpu) = (side(&costs.cpu), side(&costs.gpu));
    let way = [costs.upload_bytes_per_s, costs.download_bytes_per_s, costs.download_s];
    let mut all = [0.0; 13];
    cpu.iter().chain(&gpu).chain(&way).zip(&mut all).for_each(|(&from, to)| *to = from);
    all
}

fn format(costs: &Costs) -> String {
    numbers(costs).map(|number| format!("{number:e}")).join("\n")
}

fn parse(text: &str) -> Option<Costs> {
    let numbers: Vec<f64> = text.lines().map(|line| line.trim().parse().ok()).collect::<Option<_>>()?;
    let [c0, c1, c2, c3, c4, g0, g1, g2, g3, g4, up, down, wait] = numbers[..] else { return None };
    let is_sane = numbers.iter().all(|number| number.is_finite() && *number >= 0.0) && up > 0.0 && down > 0.0;
    let side = |[a, b, c, d, e]: [f64; 5]| Rates {
        overhead_s: a,
        step_s: b,
        element_ops_per_s: c,
        dense_flops_per_s: d,
        bytes_per_s: e,
    };
    is_sane.then(|| Costs {
        cpu: side([c0, c1, c2, c3, c4]),
        gpu: side([g0, g1, g2, g3, g4]),
        upload_bytes_per_s: up,
        download_bytes_per_s: down,
        download_s: wait,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_measurement_survives_the_file() {
        let rates =
            Rates { overhead_s: 1e-5, step_s: 2e-6, element_ops_per_s: 3e9, dense_flops_per_s: 4e10, bytes_per_s: 5e9 };
        let costs =
            Costs { cpu: rates, gpu: rates, upload_bytes_per_s: 6e9, download_bytes_per_s: 7e9, download_s: 8e-4 };
        assert_eq!(parse(&format(&costs)), Some(costs));
        assert_eq!(parse("1\n2\nthree"), None);
        assert_eq!(parse(""), None);
    }
}
