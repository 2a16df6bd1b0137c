//! Fourier transforms as a user meets them, on the CPU and on a GPU.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]

mod common;

use common::devices;
use pollster::block_on;
use tilework::layers::ops::{Attr, Attrs};
use tilework::{Array, DType, Device, ErrorKind, Input, Norm};

/// Elements, complex ones as pairs.
fn read(array: &Array) -> Vec<f32> {
    let pairs = if array.is_complex() { array.as_pairs() } else { array.clone() };
    block_on(pairs.to_vec::<f32>()).unwrap()
}

fn spread(n: usize) -> Vec<f64> {
    (0..n).map(|i| ((i as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as f64 / 8_388_608.0 - 1.0).collect()
}

/// Root of the mean square of the difference, over that of `want`.
fn relative_error(got: &[f64], want: &[f64]) -> f64 {
    let norm = |values: &mut dyn Iterator<Item = f64>| values.map(|x| x * x).sum::<f64>().sqrt();
    norm(&mut got.iter().zip(want).map(|(a, b)| a - b)) / norm(&mut want.iter().copied())
}

#[test]
fn there_and_back_for_every_norm_and_form() {
    for d in devices() {
        let values: Vec<f32> = spread(2 * 3 * 20).iter().map(|&x| x as f32).collect();
        let z = d.array(values.clone(), [3, 20, 2]).as_complex();
        let x = d.array(values, [6, 20]);
        for norm in [Norm::Backward, Norm::Ortho, Norm::Forward] {
            let ways = [
                (z.fft(-1, norm).ifft(-1, norm), &z),
                (z.fftn([], norm).ifftn([], norm), &z),
                (x.rfft(0, norm).irfft(6, 0, norm), &x),
                (x.rfftn([], norm).irfftn(20, [], norm), &x),
            ];
            for (back, start) in ways {
                assert_eq!(back.shape(), start.shape());
                let worst = read(&(back - start).abs().max([]))[0];
                assert!(worst < 2e-6, "{worst} for {norm:?}");
            }
        }
    }
}

#[test]
fn a_wave_is_one_point() {
    for d in devices() {
        let n = 24;
        let wave = (d.arange(n).to_f32() * (std::f64::consts::TAU * 5.0 / n as f64)).cos();
        let points = wave.rfft(0, Norm::Forward);
        assert_eq!((points.shape(), points.dtype()), (&[13][..], DType::C64));
        for (i, x) in read(&points).into_iter().enumerate() {
            let want = if i == 10 { 0.5 } else { 0.0 };
            assert!((x - want).abs() < 1e-6, "{i}: {x}");
        }
    }
}

/// Lengths beyond the cases, where threads share one line and a GPU takes three passes: the energy stays, and single agrees with
/// double precision.
#[test]
fn long_lines() {
    for d in devices() {
        for n in [40_000, 65_536, 65_537, 98_304, 300_000] {
            let values = spread(2 * n);
            let exact = Device::cpu().array(values.clone(), [n, 2]).as_complex().fft(0, Norm::Ortho);
            let want: Vec<f64> = block_on(exact.as_pairs().to_vec()).unwrap();
            let energy = |values: &[f64]| values.iter().map(|x| x * x).sum::<f64>();
            assert!((energy(&want) / energy(&values) - 1.0).abs() < 1e-12, "energy of {n}");
            let single: Vec<f32> = values.iter().map(|&x| x as f32).collect();
            let points = d.array(single, [n, 2]).as_complex().fft(0, Norm::Ortho);
            let got: Vec<f64> = read(&points).into_iter().map(f64::from).collect();
            let error = relative_error(&got, &want);
            assert!(error < 1e-6 * (n as f64).log2(), "{n}: {error:.1e}");
            let back: Vec<f64> = read(&points.ifft(0, Norm::Ortho)).into_iter().map(f64::from).collect();
            assert!(relative_error(&back, &values) < 2e-6 * (n as f64).log2(), "{n} and back");
        }
    }
}

#[test]
fn frequencies_and_shifts() {
    let d = Device::cpu();
    assert_eq!(read(&d.fftfreq(5, 0.5)), [0.0, 0.4, 0.8, -0.8, -0.4]);
    assert_eq!(read(&d.fftfreq(4, 1.0)), [0.0, 0.25, -0.5, -0.25]);
    assert_eq!(read(&d.rfftfreq(5, 1.0)), [0.0, 0.2, 0.4]);
    for n in [0, 1, 4, 5] {
        let x = d.arange(n).to_f32();
        let shifted = x.fftshift([0]);
        let want: Vec<f32> = (0..n).map(|i| ((i + n - n / 2) % n) as f32).collect();
        assert_eq!(read(&shifted), want);
        assert_eq!(read(&shifted.ifftshift([])), read(&x));
    }
}

#[test]
fn what_does_not_fit_is_an_error() {
    let d = Device::cpu();
    let kind = |array: Array| array.check().unwrap_err().kind();
    assert_eq!(kind(d.zeros([4, 3]).as_complex()), ErrorKind::Shape);
    assert_eq!(kind(d.zeros([4, 2]).fft(2, Norm::Backward)), ErrorKind::Shape);
    assert_eq!(kind(d.zeros([0, 2]).fft(0, Norm::Backward)), ErrorKind::Shape);
    assert_eq!(kind(d.zeros([0]).rfft(0, Norm::Backward)), ErrorKind::Shape);
    assert_eq!(kind(d.zeros(()).rfft(0, Norm::Backward)), ErrorKind::Shape);
    assert_eq!(kind(d.zeros([4]).irfft(0, 0, Norm::Backward)), ErrorKind::Shape);
    assert_eq!(kind(d.zeros(()).fftn([], Norm::Backward)), ErrorKind::Shape);
    assert_eq!(kind(d.zeros(()).rfftn([], Norm::Backward)), ErrorKind::Shape);
    assert_eq!(kind(d.zeros([3]).to_complex().rfft(0, Norm::Backward)), ErrorKind::DType);
}

#[test]
fn by_name() {
    let d = Device::cpu();
    let x = d.arange(12).to_f32().reshape([6, 2]);
    let axis = Attrs::default().with("axis", Attr::Integer(0));
    let by_name = d.call("fft", &[Input::Array(x.clone())], &axis.with("norm", Attr::Text("ortho".into())));
    assert_eq!(read(&by_name), read(&x.fft(0, Norm::Ortho)));
    let n = Attrs::default().with("n", Attr::Integer(4));
    assert_eq!(read(&d.call("fftfreq", &[], &n)), read(&d.fftfreq(4, 1.0)));
    let all = d.call("rfftn", &[Input::Array(x.clone())], &Attrs::default());
    assert_eq!(read(&all), read(&x.rfftn([], Norm::Backward)));
}
