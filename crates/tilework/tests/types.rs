//! Element types: NumPy's tables (testdata/numpy/promotion.txt), values that only wide types hold, and what a fused chain may not forget.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]

mod common;

use common::devices;
use pollster::block_on;
use proptest::prelude::*;
use tilework::{Bfloat, Complex, DType, DTypeKind, Device, ErrorKind};

const TABLES: &str = include_str!("../../../testdata/numpy/promotion.txt");

fn dtype(name: &str) -> DType {
    DType::parse(name).unwrap()
}

/// Where Tilework departs from NumPy: an integer that meets a float of 16 or 32 bits does not make it one of 64.
fn ours(a: DType, b: DType, numpy: DType) -> DType {
    let is_narrow_float = |x: DType| x.is_float() && x != DType::F64;
    let is_mixed = |x: DType, y: DType| x.is_integer() && is_narrow_float(y);
    let is_mixed_complex = |x: DType, y: DType| x.is_integer() && y == DType::C64;
    match numpy {
        DType::F64 if is_mixed(a, b) || is_mixed(b, a) => DType::F32,
        DType::C128 if is_mixed_complex(a, b) || is_mixed_complex(b, a) => DType::C64,
        other => other,
    }
}

#[test]
fn types_meet_as_in_numpy() {
    let mut n = 0;
    for line in TABLES.lines().filter(|line| line.split(' ').count() == 4) {
        let [a, b, common, safe] = line.split(' ').collect::<Vec<_>>()[..] else { continue };
        let (a, b, common) = (dtype(a), dtype(b), dtype(common));
        assert_eq!(a.promote(b), ours(a, b, common), "{a} and {b}");
        assert_eq!(a.can_cast(b), safe == "yes", "{a} as {b}");
        n += 1;
    }
    assert_eq!(n, 14 * 14);
    // NumPy has no bfloat16: it widens exactly, and meets a half in single precision.
    assert_eq!(DType::BF16.promote(DType::F16), DType::F32);
    assert!(DType::BF16.can_cast(DType::F32) && !DType::BF16.can_cast(DType::F16) && !DType::F32.can_cast(DType::BF16));
}

#[test]
fn types_hold_what_numpy_says() {
    for line in TABLES.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |k: usize| words[k].parse::<f64>().unwrap();
        match words[0] {
            "finfo" => {
                let info = dtype(words[1]).float_info().unwrap();
                let got = [info.bits as f64, info.eps, info.max, info.smallest_normal];
                assert_eq!(got, [number(2), number(3), number(4), number(5)], "{line}");
                assert!((info.resolution / number(6) - 1.0).abs() < 1e-3, "{line}");
            }
            "iinfo" => {
                let (low, high) = dtype(words[1]).integer_range().unwrap();
                assert_eq!((low.to_string(), high.to_string()), (words[3].to_owned(), words[4].to_owned()), "{line}");
            }
            _ => {}
        }
    }
}

proptest! {
    #[test]
    fn promotion_is_a_join(a in 0..DType::ALL.len(), b in 0..DType::ALL.len(), c in 0..DType::ALL.len()) {
        let [a, b, c] = [a, b, c].map(|k| DType::ALL[k]);
        prop_assert_eq!(a.promote(b), b.promote(a));
        prop_assert_eq!(a.promote(a), a);
        // What both become is one of the kinds of both, or the float above 64-bit integers.
        prop_assert!(a.promote(b).kind() >= a.kind().max(b.kind()).min(DTypeKind::Float));
        // A type that is reached is stable.
        prop_assert_eq!(a.promote(b).promote(a), a.promote(b));
        let _ = DType::result_type([a, b, c]);
    }

    #[test]
    fn narrow_chains_wrap_as_if_stored_in_between(x in prop::collection::vec(any::<i8>(), 1..40), y in any::<i8>()) {
        {
            let device = Device::cpu();
            let a = device.array(x.clone(), [x.len()]);
            let b = device.full_of((), f64::from(y), DType::I8);
            // One kernel on wide registers.
            let chain = (((&a + &b) * &a) - &b).floor_div(3);
            let step = |x: i8| {
                let z = x.wrapping_add(y).wrapping_mul(x).wrapping_sub(y);
                let q = z / 3;
                if z % 3 != 0 && z < 0 { q - 1 } else { q }
            };
            let want: Vec<i8> = x.iter().map(|&x| step(x)).collect();
            prop_assert_eq!(block_on(chain.to_vec::<i8>()).unwrap(), want);
        }
    }
}

#[test]
fn long_integers_keep_their_digits() {
    let d = Device::cpu();
    let big = (1i64 << 53) + 1;
    let x = d.array(vec![big, -big, i64::MAX, i64::MIN], [4]);
    assert_eq!(block_on((&x + 1).to_vec::<i64>()).unwrap(), [big + 1, 1 - big, i64::MIN, i64::MIN + 1]);
    assert_eq!(block_on(x.sum([]).to_vec::<i64>()).unwrap(), [-1]);
    assert_eq!(block_on(x.sort(0).to_vec::<i64>()).unwrap(), [i64::MIN, -big, big, i64::MAX]);
    assert_eq!(
        block_on(x.eq(d.array(vec![big - 1, -big, 0, 0], [4])).to_vec::<bool>()).unwrap(),
        [false, true, false, false]
    );
    let high = d.array(vec![u64::MAX, 1 << 63], [2]);
    assert_eq!(block_on(high.shift_right(63).to_vec::<u64>()).unwrap(), [1, 1]);
    assert_eq!((&high + x.slice(0, ..2)).dtype(), DType::F64);
    assert_eq!(
        block_on(x.show()).unwrap(),
        "[    9007199254740993    -9007199254740993  9223372036854775807\n -9223372036854775808]"
    );
}

#[test]
fn bfloats_are_stored_and_not_computed() {
    let d = Device::cpu();
    let x = d.array([1.0f32, 1.003_906_3, 3.15, -65504.0].map(Bfloat::from).to_vec(), [4]);
    assert_eq!(x.dtype(), DType::BF16);
    let wide: Vec<f32> = block_on(x.to_f32().to_vec()).unwrap();
    assert_eq!(wide, [1.0, 1.0, 3.15625, -65536.0]);
    let back = (x.to_f32() * 3.0).cast(DType::BF16).to_f32();
    assert_eq!(
        block_on(back.to_vec::<f32>()).unwrap(),
        [3.0, 3.0, 9.5, -196608.0],
        "a conversion that was asked for rounds"
    );
    assert_eq!((x.sort(0).dtype(), x.sum([]).dtype(), (&x + &x).dtype()), (DType::BF16, DType::BF16, DType::BF16));
    assert_eq!(block_on(x.show()).unwrap(), "[ 1.0000e+00  1.0000e+00  3.1560e+00 -6.5540e+04]".replace("0e", "e"));
}

#[test]
fn complex_arrays_read_and_print() {
    for d in devices() {
        let z = d.array(vec![Complex::new(1.0f32, 2.0), Complex::new(-0.5, 0.0), Complex::new(0.0, -3.25)], [3]);
        assert_eq!((z.shape(), z.size(), z.dtype(), z.ndim()), (&[3][..], 3, DType::C64, 1));
        assert_eq!(block_on((&z * &z).to_vec::<Complex<f32>>()).unwrap()[0], Complex::new(-3.0, 4.0));
        assert_eq!(block_on((&z * 2.0 - 1.0).to_vec::<Complex<f32>>()).unwrap()[2], Complex::new(-1.0, -6.5));
        assert_eq!(block_on(z.show()).unwrap(), "[ 1. +2.j   -0.5+0.j    0. -3.25j]");
        assert_eq!(block_on(z.to_vec::<f32>()).unwrap_err().kind(), ErrorKind::DType);
        assert_eq!(block_on(z.softmax(0).eval()).unwrap_err().kind(), ErrorKind::DType, "pairs are not rows of two");
        assert_eq!(block_on(z.conj().imag().to_vec::<f32>()).unwrap(), [-2.0, 0.0, 3.25]);
        assert_eq!(d.stats().moved_to_cpu, 0, "pairs of floats need no CPU");
    }
}

#[test]
fn the_slope_by_complex_numbers_has_both_parts() {
    let d = Device::cpu();
    let z = d.array(vec![Complex::new(3.0f64, 4.0)], [1]);
    let slope = d.grad(|z| z.abs().sum([]), &z).unwrap();
    let got = block_on(slope.to_vec::<Complex<f64>>()).unwrap()[0];
    assert!((got - Complex::new(0.6, 0.8)).norm() < 1e-15, "{got}");
}

#[test]
fn numbers_that_a_type_cannot_hold_are_refused() {
    let x = Device::cpu().array(vec![1u8, 2], [2]);
    assert_eq!((&x + 300).check().unwrap_err().to_string(), "number: 300 is out of range for uint8");
    assert_eq!((&x + 1.5).dtype(), DType::F32);
    assert_eq!((&x + 255).dtype(), DType::U8);
}

#[test]
fn a_number_beside_an_array_takes_its_type() {
    let d = Device::cpu();
    let big = d.array(vec![(1i64 << 40) + 1, 7], 2);
    let mask = big.gt(10);
    // As a 32-bit float, the last bit would be lost.
    assert_eq!(block_on(mask.select(&big, 0).to_vec::<i64>()).unwrap(), [(1 << 40) + 1, 0]);
    assert_eq!(block_on(mask.select(-1, &big).to_vec::<i64>()).unwrap(), [-1, 7]);
    assert_eq!(mask.select(d.arange(2), 0.5).dtype(), DType::F32);
    assert_eq!(mask.select(1, 0).dtype(), DType::I32);
    assert_eq!(mask.select(1.0, 0).dtype(), DType::F32);
    assert_eq!(mask.select(d.arange(2).cast(DType::F64), 0.5).dtype(), DType::F64);
}
