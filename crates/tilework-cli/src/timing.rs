//! Taking times.

use std::time::{Duration, Instant};

use crate::failure::Outcome;

/// Fewest samples a median is taken of.
const MIN_SAMPLES: usize = 5;
const MAX_SAMPLES: usize = 2000;
/// After this, [`MIN_SAMPLES`] are enough.
const BUDGET: Duration = Duration::from_millis(800);

/// Milliseconds that `work` takes, and its result.
pub(crate) async fn once<T>(work: impl AsyncFnOnce() -> Outcome<T>) -> Outcome<(f64, T)> {
    let start = Instant::now();
    let result = work().await?;
    Ok((ms(start.elapsed()), result))
}

/// Median milliseconds of `work`. The first run, which plans and compiles, does not count.
pub(crate) async fn median(work: impl AsyncFn() -> Outcome<()>) -> Outcome<f64> {
    work().await?;
    let start = Instant::now();
    let mut samples = Vec::new();
    while samples.len() < MIN_SAMPLES || (start.elapsed() < BUDGET && samples.len() < MAX_SAMPLES) {
        samples.push(once(&work).await?.0);
    }
    samples.sort_by(f64::total_cmp);
    Ok(samples[samples.len() / 2])
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Milliseconds with as many digits as are worth reading.
pub(crate) fn format_ms(ms: f64) -> String {
    match ms {
        ms if ms < 1.0 => format!("{ms:.3} ms"),
        ms if ms < 100.0 => format!("{ms:.2} ms"),
        ms => format!("{ms:.0} ms"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_runs_a_warm_up_and_enough_samples() {
        let n_runs = std::cell::Cell::new(0);
        let work = async || {
            n_runs.set(n_runs.get() + 1);
            std::thread::sleep(Duration::from_millis(if n_runs.get() == 1 { 300 } else { 2 }));
            Ok(())
        };
        let ms = pollster::block_on(median(work)).unwrap();
        assert!((2.0..200.0).contains(&ms), "{ms}");
        assert!(n_runs.get() > MIN_SAMPLES);
    }

    #[test]
    fn digits_follow_the_size() {
        assert_eq!([format_ms(0.01234), format_ms(12.3456), format_ms(1234.5)], ["0.012 ms", "12.35 ms", "1234 ms"]);
    }
}
