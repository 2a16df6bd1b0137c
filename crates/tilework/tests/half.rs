//! Arrays stored as 16-bit floats, on the CPU and on a GPU.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]

mod common;

use common::{assert_close, devices};
use pollster::block_on;
use tilework::layers::core::half;
use tilework::{Array, DType, Device, Half};

fn bits(array: &Array) -> Vec<u16> {
    block_on(array.to_vec::<Half>()).unwrap().into_iter().map(|half| half.0).collect()
}

fn halves(d: &Device, values: &[f32]) -> Array {
    let values: Vec<Half> = values.iter().map(|&value| Half::from_f32(value)).collect();
    let n = values.len();
    d.array(values, [n])
}

fn floats(array: &Array) -> Vec<f32> {
    block_on(array.to_f32().to_vec::<f32>()).unwrap()
}

#[test]
fn every_half_widens_exactly() {
    let all: Vec<u16> = (0..=u16::MAX).collect();
    for d in devices() {
        let x = d.array(all.iter().map(|&bits| Half(bits)).collect::<Vec<_>>(), [all.len()]);
        for (&bits, got) in all.iter().zip(floats(&x)) {
            let want = half::widen(bits);
            assert!(got.to_bits() == want.to_bits() || (got.is_nan() && want.is_nan()), "{bits:#x}: {got} for {want}");
        }
        // Through memory and back, as a copy that is stored anew.
        let copied = bits(&x.slice(0, ..).select_from(&x));
        for (&want, got) in all.iter().zip(copied) {
            assert!(got == want || half::widen(want).is_nan() && half::widen(got).is_nan(), "{got:#x} for {want:#x}");
        }
    }
}

/// A copy of an array as the branch of a selection, so that something is computed.
trait SelectFrom {
    fn select_from(&self, other: &Array) -> Array;
}

impl SelectFrom for Array {
    fn select_from(&self, other: &Array) -> Array {
        self.eq(self).select(self, other)
    }
}

/// Floats of every size, and those in the middle between neighboring halves with their own neighbors.
fn sample() -> Vec<f32> {
    let sweep = (0..1u32 << 16).map(|i| f32::from_bits(i << 16 | i.wrapping_mul(2_654_435_761) >> 16));
    let ties = (0..0x7c00u16).step_by(7).flat_map(|low| {
        let high = if low == 0x7bff { 65536.0 } else { half::widen(low + 1) };
        let middle = 0.5 * (half::widen(low) + high);
        [middle, middle.next_up(), -middle.next_down()]
    });
    sweep.chain(ties).chain([65504.0, 65519.99, 65520.0, f32::INFINITY, f32::NAN]).collect()
}

#[test]
fn conversion_rounds_to_nearest_even_everywhere() {
    let values = sample();
    for d in devices() {
        let x = d.array(values.clone(), [values.len()]);
        for (value, got) in values.iter().zip(bits(&x.cast(DType::F16))) {
            let want = half::narrow(*value);
            assert!(got == want || value.is_nan() && half::widen(got).is_nan(), "{value:e}: {got:#x} for {want:#x}");
        }
        // The same without storing: a conversion that was asked for rounds inside a kernel too.
        for (value, got) in values.iter().zip(floats(&x.cast(DType::F16))) {
            let want = half::round(*value);
            assert!(got == want || got.is_nan() && want.is_nan(), "{value:e}: {got} for {want}");
        }
    }
}

#[test]
fn types_promote_as_in_numpy() {
    let d = Device::cpu();
    let x = halves(&d, &[1.5, -2.0, 3.0]);
    assert_eq!((&x + &x).dtype(), DType::F16);
    assert_eq!((&x * 2.5).dtype(), DType::F16);
    assert_eq!(x.sin().dtype(), DType::F16);
    assert_eq!(x.relu().dtype(), DType::F16);
    assert_eq!((&x + &d.ones([3])).dtype(), DType::F32);
    assert_eq!((&x + &d.arange(3)).dtype(), DType::F32);
    assert_eq!((&x + &x.gt(0)).dtype(), DType::F16);
    assert_eq!((&x + &x.cast(DType::F64)).dtype(), DType::F64);
    assert_eq!(x.gt(0).dtype(), DType::Bool);
    assert_eq!(x.sum([]).dtype(), DType::F16);
    assert_eq!(x.mean([]).dtype(), DType::F16);
    assert_eq!(x.softmax(0).dtype(), DType::F16);
    assert_eq!(x.argmax(0).dtype(), DType::I32);
    assert_eq!(x.reshape([1, 3]).matmul(&x.reshape([3, 1])).dtype(), DType::F16);
    assert_eq!(x.reshape([1, 3]).matmul(&d.ones([3, 1])).dtype(), DType::F32);
    assert_eq!(DType::parse("float16"), Some(DType::F16));
}

#[test]
fn views_from_odd_elements_on() {
    for d in devices() {
        let values: Vec<f32> = (0..35).map(|i| i as f32 * 0.25 - 3.0).collect();
        let x = halves(&d, &values).reshape([5, 7]);
        let inner = x.slice(0, 1..).slice(1, 1..6);
        let want: Vec<f32> = (0..20).map(|i| values[(1 + i / 5) * 7 + 1 + i % 5]).collect();
        assert_eq!(floats(&inner), want);
        assert_eq!(floats(&(&inner + 0.5)), want.iter().map(|x| x + 0.5).collect::<Vec<_>>());
        let flipped = bits(&(inner.permute([1, 0]) * 1.0 + 0.0));
        let wanted: Vec<u16> = (0..20).map(|i| half::narrow(want[i % 4 * 5 + i / 4])).collect();
        assert_eq!(flipped, wanted);
        let joined = d.concat(&[&inner.flatten().slice(0, ..3), &x.flatten().slice(0, 9..12)], 0);
        assert_eq!(joined.dtype(), DType::F16);
        assert_eq!(floats(&joined), [want[0], want[1], want[2], values[9], values[10], values[11]]);
    }
}

#[test]
fn results_are_rounded_once_and_sums_do_not_overflow() {
    for d in devices() {
        let x = halves(&d, &[60000.0; 33]);
        // The sum is infinite as a half; the mean, computed from it in one expression, is not.
        assert_eq!(floats(&x.mean([])), [60000.0]);
        assert_eq!(block_on(x.sum([]).item()).unwrap(), f64::INFINITY);
        let tenth = halves(&d, &[0.1, 0.2, 0.3]);
        let scaled = bits(&(&tenth * 3.0));
        let want: Vec<u16> = [0.1f32, 0.2, 0.3].map(|x| half::narrow(half::round(x) * 3.0)).to_vec();
        assert_eq!(scaled, want);
        let exact = d.array(vec![1.0 + 2f64.powi(-11) + 2f64.powi(-40)], [1]);
        if exact.dtype() == DType::F64 && d.open_gpu().is_none() {
            assert_eq!(bits(&exact.cast(DType::F16)), [0x3c01], "rounded from 64 bits at once");
        }
    }
}

#[test]
fn gradients_pass_through_halves() {
    for d in devices() {
        let (x, w) = (halves(&d, &[1.0, 2.0, -3.0, 0.5]), halves(&d, &[0.5, 0.25, 1.0, 2.0]));
        let loss = |inputs: &[Array]| (inputs[0].reshape([2, 2]).matmul(&inputs[1].reshape([2, 2]))).square().sum([]);
        let (value, gradients) = d.value_and_grad(loss, &[&x, &w]).unwrap();
        assert_eq!((value.dtype(), gradients[0].dtype()), (DType::F16, DType::F16));
        let (single_value, single) = d.value_and_grad(loss, &[&x.to_f32(), &w.to_f32()]).unwrap();
        assert_close(&floats(&value), &floats(&single_value), 1e-3);
        for (got, want) in gradients.iter().zip(&single) {
            assert_close(&floats(got), &floats(want), 1e-3);
        }
    }
}

#[test]
fn reductions_and_printing() {
    for d in devices() {
        let x = halves(&d, &[0.1, 65504.0, -1.5, 1e-7]);
        assert_eq!(block_on(x.max([]).item()).unwrap(), 65504.0);
        assert_eq!(floats(&x.reshape([2, 2]).min([1])), [half::round(0.1), -1.5]);
        assert_eq!(block_on(halves(&d, &[0.1, 2.5, -3.0]).show()).unwrap(), "[ 0.1  2.5 -3. ]");
    }
}
