//! Functions of the library where a tolerance would hide a mistake, or the data would be too long for a file.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]

mod common;

use tilework::{Array, Bins, ConvolveMode, DType, Device, HistogramOptions, QuantileOptions};

fn devices() -> Vec<Device> {
    [Some(Device::cpu()), common::gpu()].into_iter().flatten().collect()
}

fn floats(x: &Array) -> Vec<f32> {
    pollster::block_on(x.to_vec()).unwrap()
}

/// Numbers of all sizes, both signs, with powers of two and their neighbors.
fn samples() -> Vec<f32> {
    let powers = (-120..127).step_by(7).map(|e| 2f32.powi(e));
    let around = powers.flat_map(|p| [p.next_down(), p, p.next_up(), p * 1.37, -p, -p * 1.9]);
    around.chain([f32::MAX, -f32::MAX, 1.0, -1.0, 3.0]).collect()
}

#[test]
fn neighbors_of_floats_are_exact() {
    let x = samples();
    for device in devices() {
        let array = device.array(x.clone(), [x.len()]);
        let up = floats(&array.nextafter(f64::INFINITY));
        let down = floats(&array.nextafter(f64::NEG_INFINITY));
        for (i, &value) in x.iter().enumerate() {
            assert_eq!(up[i], value.next_up(), "above {value:e}");
            assert_eq!(down[i], value.next_down(), "below {value:e}");
        }
        let inner: Vec<f32> = x.iter().copied().filter(|x| x.abs() < 1e30 && x.abs() > 1e-30).collect();
        let gaps = floats(&device.array(inner.clone(), [inner.len()]).spacing());
        for (value, gap) in inner.iter().zip(gaps) {
            let away = if *value > 0.0 { value.next_up() } else { value.next_down() };
            assert_eq!(gap, away - value, "at {value:e}");
        }
    }
}

#[test]
fn mantissa_and_exponent_make_the_number() {
    let x = samples();
    for device in devices() {
        let [mantissa, exponent] = device.array(x.clone(), [x.len()]).frexp();
        assert!(floats(&mantissa).iter().all(|m| (0.5..1.0).contains(&m.abs())));
        assert_eq!(floats(&mantissa.ldexp(&exponent)), x);
    }
}

#[test]
fn long_convolutions_are_what_short_ones_sum_to() {
    for device in devices() {
        let (n, m) = (3000, 1500);
        let a = (device.arange(n) * 37 % 101).to_f32() / 101.0;
        let v = (device.arange(m) * 53 % 89).to_f32() / 89.0;
        let whole = floats(&a.convolve(&v, ConvolveMode::Full));
        let parts = [0, 500, 1000].map(|start: isize| a.convolve(&v.slice(0, start..start + 500), ConvolveMode::Full));
        let moved = parts.iter().enumerate().map(|(k, part)| {
            let zeros = |n: usize| device.zeros([n]);
            device.concat(&[&zeros(k * 500), part, &zeros((2 - k) * 500)], 0)
        });
        let sum = moved.reduce(|a, b| a + b).unwrap();
        let (sum, largest) = (floats(&sum), floats(&sum.max([]))[0]);
        assert!(whole.iter().zip(&sum).all(|(a, b)| (a - b).abs() <= 1e-5 * largest));
        let integers = (device.arange(n) % 7).convolve(&(device.arange(9) - 4), ConvolveMode::Same);
        assert_eq!((integers.dtype(), integers.shape()), (DType::I32, &[n][..]));
    }
}

#[test]
fn quantiles_of_long_rows_are_elements_by_rank() {
    for device in devices() {
        let n = 100_001;
        let x = (device.arange(n) * 7919 % n as i32).to_f32();
        assert_eq!(floats(&x.median([])), [50_000.0]);
        assert_eq!(floats(&x.quantile(0.25, [], &QuantileOptions::default())), [25_000.0]);
        assert_eq!(floats(&x.percentile(99.0, [0], &QuantileOptions::default())), [99_000.0]);
        let counts = x.histogram_of(&Bins::Count(10), &HistogramOptions::default()).counts;
        assert_eq!(
            pollster::block_on(counts.to_vec::<i32>()).unwrap(),
            [10_000, 10_000, 10_000, 10_000, 10_000, 10_000, 10_000, 10_000, 10_000, 10_001]
        );
    }
}

#[test]
fn halves_stay_halves() {
    let device = Device::cpu();
    let x = device.linspace(-1.0, 2.0, 6).cast(DType::F16);
    let results = [
        x.median([]),
        x.nanmedian([], tilework::KeepAxes::No),
        x.nanmean([0], tilework::KeepAxes::No),
        x.nan_to_num(0.0, None, None),
        x.sinc(),
        x.interp(&x, &x, &tilework::InterpOptions::default()),
    ];
    assert!(results.iter().all(|result| result.dtype() == DType::F16), "{:?}", results.map(|result| result.dtype()));
}
