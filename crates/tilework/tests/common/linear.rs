//! What tests of linear algebra share.

use pollster::block_on;
use tilework::{Array, DType, Device};

/// The types of floats.
pub(crate) const BOTH: [DType; 2] = [DType::F32, DType::F64];

pub(crate) fn read(array: &Array) -> Vec<f64> {
    let host = block_on(array.flatten().to_host()).unwrap();
    (0..host.len()).map(|i| host.f64_at(i)).collect()
}

#[track_caller]
pub(crate) fn assert_near(got: &[f64], want: &[f64], tolerance: f64) {
    assert_eq!(got.len(), want.len());
    let scale = want.iter().fold(1.0f64, |scale, x| scale.max(x.abs()));
    for (i, (g, w)) in got.iter().zip(want).enumerate() {
        let is_same = g == w || (g.is_nan() && w.is_nan()) || (g - w).abs() <= tolerance * scale;
        assert!(is_same, "element {i}: {g} for {w}, tolerance {tolerance}");
    }
}

/// Reproducible numbers between −1 and 1 without any pattern (the finalizer of splitmix64).
pub(crate) fn noise(device: &Device, shape: &[usize], dtype: DType) -> Array {
    let n: usize = shape.iter().product();
    let number = |i: usize| {
        let mut word = (i as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((word ^ (word >> 31)) >> 40) as f64 / f64::from(1 << 23) - 1.0
    };
    match dtype {
        DType::F64 => device.array((0..n).map(number).collect::<Vec<f64>>(), shape.to_vec()),
        _ => device.array((0..n).map(|i| number(i) as f32).collect::<Vec<f32>>(), shape.to_vec()),
    }
}

pub(crate) fn transposed(a: &Array) -> Array {
    a.swap_axes(-1, -2)
}

/// The largest element of the difference to the identity.
#[track_caller]
pub(crate) fn assert_identity(product: &Array, tolerance: f64) {
    let n = product.shape()[product.ndim() - 1];
    let eye = product.device().eye(n).cast(product.dtype());
    let off = (product - eye).abs();
    assert!(read(&off).into_iter().all(|x| x <= tolerance), "{:?}", read(&off.max([])));
}

#[track_caller]
pub(crate) fn assert_same(got: &Array, want: &Array, tolerance: f64) {
    assert_eq!(got.shape(), want.shape(), "{:?}", got.check());
    assert_near(&read(got), &read(want), tolerance);
}
