//! Polynomials, windows, waves and complex numbers.

use crate::Exercise;
use crate::expect::{floats, ints, is, near, now};
use std::f64::consts::PI;
use tilework::{Complex, ConvolveMode, DType, Norm};

pub(crate) const EXERCISES: &[Exercise] = &[
    (81, "Where x² − 3x + 2 is zero.", |d| {
        let roots = now(floats(d, [1.0, -3.0, 2.0]).roots());
        near(&roots.real(), [2], [1, 2], 1e-5);
        near(&roots.imag(), [2], [0, 0], 1e-5);
    }),
    (82, "The parabola through five points of one.", |d| {
        let x = d.linspace(-1.0, 1.0, 5);
        let y = floats(d, [2.0, -1.0, 0.5]).polyval(&x);
        near(&x.polyfit(&y, 2, None), [3], [2.0, -1.0, 0.5], 1e-5);
    }),
    (83, "(x + 1)(x − 1), its slope, and both back.", |d| {
        let product = ints(d, [1, 1]).polymul(&ints(d, [1, -1]));
        is(&product, [3], [1, 0, -1]);
        is(&product.polyder(1), [2], [2, 0]);
        let back = product.to_f32().polydiv(&floats(d, [1.0, 1.0])).unwrap();
        is(&back.quotient, [2], [1, -1]);
        is(&back.remainder, [1], [0]);
    }),
    (84, "A window that fades in and out.", |d| {
        near(&d.hanning(5), [5], [0.0, 0.5, 1.0, 0.5, 0.0], 1e-6);
    }),
    (85, "The pitch of a tone: five waves in a second of 32 samples.", |d| {
        let t = d.arange(32).to_f32() / 32.0;
        let spectrum = (t * (2.0 * PI * 5.0)).sin().rfft(0, Norm::Backward);
        let strongest = spectrum.abs().argmax(0);
        is(&d.rfftfreq(32, 1.0 / 32.0).take(&strongest, 0), [], [5]);
    }),
    (86, "A signal around a circle mixed with its echo, by spectra.", |d| {
        let (x, echo) = (floats(d, [1.0, 2.0, 3.0, 4.0]), floats(d, [1.0, 0.5, 0.0, 0.0]));
        let product = x.fft(0, Norm::Backward) * echo.fft(0, Norm::Backward);
        near(&product.ifft(0, Norm::Backward).real(), [4], [3.0, 2.5, 4.0, 5.5], 1e-5);
    }),
    (87, "Where a motif fits a melody best.", |d| {
        let melody = ints(d, [0, 1, 0, 3, 2, 0]);
        is(&melody.correlate(&ints(d, [3, 2]), ConvolveMode::Valid).argmax(0), [], [3]);
    }),
    (88, "A point turned by a quarter around the origin, by i.", |d| {
        let turned = d.complex(&d.scalar(3.0), &d.scalar(4.0)) * d.array(vec![Complex::new(0.0f32, 1.0)], ());
        assert_eq!(turned.dtype(), DType::C64);
        is(&turned.real(), [], [-4]);
        is(&turned.imag(), [], [3]);
        is(&turned.abs(), [], [5]);
    }),
    (89, "The third roots of 1 add up to 0.", |d| {
        let angle = d.arange(3).to_f32() * (2.0 * PI / 3.0);
        let sum = d.complex(&angle.cos(), &angle.sin()).sum([]);
        near(&sum.abs(), [], [0], 1e-6);
    }),
];
