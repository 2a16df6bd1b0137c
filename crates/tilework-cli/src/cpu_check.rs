//! Proof that the CPU computes: small things whose results are known without it.

use tilework::{Array, Device};

use crate::failure::Outcome;

/// A name and the largest difference from the known result, relative to the largest value.
pub(crate) type Check = (&'static str, f64);

/// As in the library's own self-check.
pub(crate) const TOLERANCE: f64 = 1e-4;

type Work = fn(&Device) -> (Array, Vec<f64>);

const WORKS: [(&str, Work); 4] = [
    ("sine", |d| (d.linspace(-3.0, 3.0, 601).sin(), points(601).map(f64::sin).collect())),
    ("sum of 1 to 1000", |d| ((d.arange(1000).to_f32() + 1.0).sum([]), vec![500_500.0])),
    // Each row of a product with a matrix of ones is the sum of that row.
    ("matmul with ones", |d| {
        let rows = d.arange(40 * 30).to_f32().reshape([40, 30]);
        (rows.matmul(&d.ones([30, 1])), (0..40).map(|row| (900 * row + 435) as f64).collect())
    }),
    ("softmax sums to 1", |d| (d.linspace(-4.0, 4.0, 6 * 300).reshape([6, 300]).softmax(-1).sum([-1]), vec![1.0; 6])),
];

/// Evenly spread from −3 to 3.
fn points(n: usize) -> impl Iterator<Item = f64> {
    (0..n).map(move |i| -3.0 + 6.0 * i as f64 / (n - 1) as f64)
}

pub(crate) async fn run() -> Outcome<Vec<Check>> {
    let device = Device::cpu();
    let mut checks = Vec::new();
    for (name, work) in WORKS {
        let (array, want) = work(&device);
        let got: Vec<f32> = array.to_vec().await?;
        checks.push((name, max_error(got.iter().map(|&x| f64::from(x)), &want)));
    }
    Ok(checks)
}

/// Largest difference relative to the largest wanted value; infinite if a value is missing or not a number.
pub(crate) fn max_error(got: impl ExactSizeIterator<Item = f64>, want: &[f64]) -> f64 {
    if got.len() != want.len() {
        return f64::INFINITY;
    }
    let scale = want.iter().fold(f64::MIN_POSITIVE, |max, x| max.max(x.abs()));
    let worse = |max: f64, error: f64| if error.is_nan() { f64::INFINITY } else { max.max(error) };
    got.zip(want).map(|(got, want)| (got - want).abs() / scale).fold(0.0, worse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpu_passes() {
        for (name, error) in pollster::block_on(run()).unwrap() {
            assert!(error < TOLERANCE, "{name}: {error}");
        }
    }

    #[test]
    fn missing_and_undefined_values_are_infinitely_wrong() {
        assert_eq!(max_error([1.0, 2.0].into_iter(), &[1.0, 4.0]), 0.5);
        assert_eq!(max_error([1.0].into_iter(), &[1.0, 4.0]), f64::INFINITY);
        assert_eq!(max_error([f64::NAN, 4.0].into_iter(), &[1.0, 4.0]), f64::INFINITY);
    }
}
