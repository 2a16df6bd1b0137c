//! Long rows, which several threads sort, in every order that may be hard.

use super::{Op, Order, Output, Sort};
use crate::cpu::{CpuCx, CpuInput, GRAIN};
use crate::threads::Threads;
use std::cmp::Ordering;
use tilework_core::dtype::DType;
use tilework_core::fused::Fused;
use tilework_core::host::HostBuffer;
use tilework_core::layout::Layout;
use tilework_core::shape::Shape;
use tilework_vm::philox::{Stream, fill};
use tilework_vm::{HostSlice, Program};

fn sorted(x: &HostBuffer, order: Order) -> HostBuffer {
    let shape = Shape::new("x", [x.len()]).expect("a short shape");
    let fused = Fused::read(0, x.dtype(), Layout::contiguous(shape));
    let program = Program::new(&fused.expr);
    let slices = [HostSlice::from(x)];
    let inputs = [CpuInput { fused: &fused, program: &program, slices: &slices, scalars: &[] }];
    let mut out = HostBuffer::zeros(x.dtype(), x.len());
    let cx = CpuCx { inputs: &inputs, threads: Threads::all() };
    Sort::new(0, order, Output::Values).cpu(&cx, &mut out).expect("a row is sorted");
    out
}

fn random(n: usize) -> Vec<u32> {
    let mut words = vec![0; n];
    fill(Stream { key: [n as u32, 1], stream: [0, 0] }, 0, &mut words);
    words
}

/// NaN last in either order; 0 and −0 equal.
fn compare(a: f32, b: f32, order: Order) -> Ordering {
    let numbers = || if order == Order::Ascending { a.partial_cmp(&b) } else { b.partial_cmp(&a) };
    numbers().unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}

fn assert_sorts_floats(x: Vec<f32>, what: &str) {
    for order in [Order::Ascending, Order::Descending] {
        let mut want = x.clone();
        want.sort_by(|&a, &b| compare(a, b, order));
        let HostBuffer::F32(got) = sorted(&HostBuffer::F32(x.clone()), order) else { panic!("floats stay floats") };
        let is_same = |(a, b): (&f32, &f32)| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
        assert!(got.iter().zip(&want).all(is_same), "{what}, {order:?}, {} elements", x.len());
    }
}

#[test]
fn long_rows_of_floats() {
    for n in [2 * GRAIN, 2 * GRAIN + 1, 300_007] {
        let words = random(n);
        let unit: Vec<f32> = words.iter().map(|&word| word as f32 / u32::MAX as f32 * 2.0 - 1.0).collect();
        assert_sorts_floats(unit.clone(), "random numbers");
        assert_sorts_floats(words.iter().map(|&word| f32::from_bits(word)).collect(), "random bits");
        let kinds = [0.0, -0.0, f32::NAN, 1.5, f32::INFINITY, f32::NEG_INFINITY, -0.0, -1e-40];
        assert_sorts_floats(words.iter().map(|&word| kinds[word as usize % 8]).collect(), "special values");
        assert_sorts_floats((0..n).map(|i| i as f32).collect(), "ascending");
        assert_sorts_floats((0..n).map(|i| -(i as f32)).collect(), "descending");
        assert_sorts_floats((0..n).map(|i| i.min(n - i) as f32).collect(), "organ pipe");
        assert_sorts_floats((0..n).map(|i| unit[i % 128]).collect(), "a period");
        assert_sorts_floats(vec![-0.0; n], "all equal");
        let mostly_zero = words.iter().zip(&unit).map(|(&word, &x)| if word % 16 > 0 { 0.0 } else { x });
        assert_sorts_floats(mostly_zero.collect(), "mostly zero");
        assert_sorts_floats(vec![f32::NAN; n], "nothing but NaN");
    }
}

#[test]
fn long_rows_of_integers() {
    for modulus in [u32::MAX, 1000, 2, 1] {
        let words: Vec<u32> = random(200_003).iter().map(|word| word % modulus).collect();
        for order in [Order::Ascending, Order::Descending] {
            let in_order = |a: &u32, b: &u32| if order == Order::Ascending { a.cmp(b) } else { b.cmp(a) };
            let mut want = words.clone();
            want.sort_by(in_order);
            assert!(matches!(sorted(&HostBuffer::U32(words.clone()), order), HostBuffer::U32(got) if got == want));
            let signed: Vec<i32> = words.iter().map(|&word| word as i32).collect();
            let mut want = signed.clone();
            want.sort_by(|a, b| if order == Order::Ascending { a.cmp(b) } else { b.cmp(a) });
            let got = sorted(&HostBuffer::I32(signed), order);
            assert!(matches!(got, HostBuffer::I32(got) if got == want), "{:?} below {modulus}", DType::I32);
        }
    }
}
