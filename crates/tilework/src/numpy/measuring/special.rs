//! Functions by series: Bessel's and the sine over its argument.

use super::float;
use crate::array::Array;
use std::f64::consts::PI;

impl Array {
    /// `sin(πx)/(πx)`, 1 at 0.
    pub fn sinc(&self) -> Array {
        let angle = float(self) * PI;
        let is_zero = angle.eq(0.0);
        let angle = is_zero.either(1.0, &angle);
        is_zero.either(1.0, angle.sin() / &angle)
    }

    /// Modified Bessel function of the first kind of order 0.
    pub fn i0(&self) -> Array {
        let size = float(self).abs();
        let near = size.minimum(8.0);
        let far = size.maximum(8.0);
        // Both series are of e^−x·I₀(x), which neither grows nor vanishes.
        let small = chebyshev(&(&near / 4.0 - 1.0), &NEAR) * near.exp();
        let large = chebyshev(&(16.0 / &far - 1.0), &FAR) * far.rsqrt() * far.exp();
        let is_inf = size.is_inf();
        size.le(8.0).either(&small, is_inf.either(&size, &large))
    }
}

/// Half of the first coefficient plus the sum of the others times the Chebyshev polynomials, by Clenshaw's recurrence.
fn chebyshev(x: &Array, coefficients: &[f64]) -> Array {
    let twice = x * 2.0;
    let (mut here, mut before) = (x.full_like(0.0), x.full_like(0.0));
    let n = if x.dtype() == tilework_core::dtype::DType::F64 {
        coefficients.len()
    } else {
        coefficients.len().min(N_SINGLE)
    };
    for &coefficient in coefficients[1..n].iter().rev() {
        (here, before) = (&twice * &here - &before + coefficient, here);
    }
    x * here - before + coefficients[0] * 0.5
}

/// As many coefficients decide about a 32-bit float.
const N_SINGLE: usize = 18;

// Coefficients of the interpolation at the zeros of a Chebyshev polynomial of high degree, computed with 40 digits.
/// Of `e^−x·I₀(x)` for x from 0 to 8, by x/4 − 1.
const NEAR: [f64; 29] = [
    0.6767952744094761,
    -0.3046826723431984,
    0.17162090152220877,
    -0.09490109704804764,
    0.049305284239670705,
    -0.02373741480589947,
    0.010546460394594998,
    -0.004324309995050576,
    0.0016394756169413357,
    -0.0005763755745385824,
    0.00018850288509584165,
    -5.754195010082104e-5,
    1.6448448070728896e-5,
    -4.4167383584587505e-6,
    1.1173875391201037e-6,
    -2.670793853940612e-7,
    6.046995022541919e-8,
    -1.300025009986248e-8,
    2.6598237246823866e-9,
    -5.189795601635263e-10,
    9.675809035373237e-11,
    -1.7268262914415555e-11,
    2.95505266312964e-12,
    -4.85644678311193e-13,
    7.676185498604936e-14,
    -1.1685332877993451e-14,
    1.715391285555133e-15,
    -2.431279846547955e-16,
    3.3307945188222384e-17,
];
/// Of `√x·e^−x·I₀(x)` for x from 8 on, by 16/x − 1.
const FAR: [f64; 23] = [
    0.8044904110141088,
    0.0033691164782556943,
    6.889758346916825e-5,
    2.8913705208347567e-6,
    2.0489185894690636e-7,
    2.266668990498178e-8,
    3.396232025708386e-9,
    4.94060238822497e-10,
    1.1889147107846437e-11,
    -3.1499165279632416e-11,
    -1.3215811840447713e-11,
    -1.7941785315068062e-12,
    7.180124451383666e-13,
    3.8527783827421426e-13,
    1.54008621752141e-14,
    -4.150569347287222e-14,
    -9.554846698828307e-15,
    3.8116806693526224e-15,
    1.7725601330565263e-15,
    -3.425485619677219e-16,
    -2.8276239805165836e-16,
    3.461222867697461e-17,
    4.46562142029676e-17,
];
