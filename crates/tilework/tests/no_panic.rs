//! Whatever a caller sends, the answer is a result or a typed error, never a panic.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]

mod common;

use pollster::block_on;
use proptest::prelude::*;
use tilework::{Array, DType, Device, Range};

/// One step of a random program, with arguments as careless as a user's.
#[derive(Clone, Debug)]
enum Op {
    Unary(u8),
    Binary(u8, usize),
    Reduce(u8, Vec<isize>),
    Reshape(Vec<usize>),
    Permute(Vec<isize>),
    Slice(isize, Option<isize>, Option<isize>, isize),
    Index(isize, isize),
    Broadcast(Vec<usize>),
    Matmul(usize),
    Softmax(isize),
    Concat(usize, isize),
    Take(usize, isize),
    Cast(u8),
    Flip(Vec<isize>),
    Squeeze(Vec<isize>),
    Arg(isize),
    Select(usize, usize),
    Grad,
}

fn op() -> impl Strategy<Value = Op> {
    let axis = -4isize..4;
    let axes = prop::collection::vec(-3isize..3, 0..3);
    let sizes = prop::collection::vec(0usize..5, 0..4);
    prop_oneof![
        any::<u8>().prop_map(Op::Unary),
        (any::<u8>(), any::<usize>()).prop_map(|(k, other)| Op::Binary(k, other)),
        (any::<u8>(), axes.clone()).prop_map(|(k, axes)| Op::Reduce(k, axes)),
        sizes.clone().prop_map(Op::Reshape),
        axes.clone().prop_map(Op::Permute),
        (axis.clone(), any::<Option<i8>>(), any::<Option<i8>>(), -3isize..4)
            .prop_map(|(axis, start, stop, step)| Op::Slice(axis, start.map(isize::from), stop.map(isize::from), step)),
        (axis.clone(), -6isize..6).prop_map(|(axis, at)| Op::Index(axis, at)),
        sizes.prop_map(Op::Broadcast),
        any::<usize>().prop_map(Op::Matmul),
        axis.clone().prop_map(Op::Softmax),
        (any::<usize>(), axis.clone()).prop_map(|(other, axis)| Op::Concat(other, axis)),
        (any::<usize>(), axis.clone()).prop_map(|(other, axis)| Op::Take(other, axis)),
        (0u8..5).prop_map(Op::Cast),
        axes.clone().prop_map(Op::Flip),
        axes.prop_map(Op::Squeeze),
        axis.prop_map(Op::Arg),
        (any::<usize>(), any::<usize>()).prop_map(|(a, b)| Op::Select(a, b)),
        Just(Op::Grad),
    ]
}

fn apply(device: &Device, op: &Op, x: &Array, all: &[Array]) -> Array {
    let other = |k: usize| &all[k % all.len()];
    match op {
        Op::Unary(k) => [Array::sin, Array::exp, Array::neg, Array::not, Array::bit_not, Array::floor, Array::is_nan]
            [*k as usize % 7](x),
        Op::Binary(k, y) => match k % 6 {
            0 => x + other(*y),
            1 => x.floor_div(other(*y)),
            2 => x % other(*y),
            3 => x.lt(other(*y)),
            4 => x.shift_left(other(*y)),
            _ => x.pow(other(*y)),
        },
        Op::Reduce(k, axes) => match k % 6 {
            0 => x.sum(axes),
            1 => x.max_keep(axes),
            2 => x.mean(axes),
            3 => x.any(axes),
            4 => x.std_keep(axes),
            _ => x.prod(axes),
        },
        Op::Reshape(sizes) => x.reshape(sizes.clone()),
        Op::Permute(order) => x.permute(order),
        Op::Slice(axis, start, stop, step) => x.slice(*axis, Range { start: *start, stop: *stop, step: *step }),
        Op::Index(axis, at) => x.index(*axis, *at),
        Op::Broadcast(sizes) => x.broadcast_to(sizes.clone()),
        Op::Matmul(y) => x.matmul(other(*y)),
        Op::Softmax(axis) => x.softmax(*axis),
        Op::Concat(y, axis) => device.concat(&[x, other(*y)], *axis),
        Op::Take(y, axis) => x.take(&other(*y).cast(DType::I32), *axis),
        Op::Cast(k) => x.cast(DType::ALL[*k as usize % 5]),
        Op::Flip(axes) => x.flip(axes),
        Op::Squeeze(axes) => x.squeeze(axes),
        Op::Arg(axis) => x.argmax(*axis),
        Op::Select(a, b) => x.select(other(*a), other(*b)),
        Op::Grad => device.grad(|x| x.sin().sum([]), x).unwrap_or_else(|_| x.clone()),
    }
}

fn run(device: &Device, shape: &[usize], ops: &[Op]) {
    let n = shape.iter().product::<usize>();
    let first = device.array((0..n).map(|i| i as f32 - 2.5).collect::<Vec<_>>(), shape);
    let mut all = vec![first, device.arange(4), device.full([2, 1], -1.5)];
    for op in ops {
        let next = apply(device, op, &all[all.len() - 1], &all);
        if next.check().is_ok() && next.size() < 4000 {
            all.push(next);
        }
    }
    for array in &all {
        // A result or an error; what it must not do is panic or claim a wrong size.
        if let Ok(values) = block_on(array.to_host()) {
            assert_eq!(values.len(), array.size());
        }
        assert!(!format!("{array} {array:?}").is_empty());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]
    #[test]
    fn random_programs_never_panic(shape in prop::collection::vec(0usize..4, 0..4), ops in prop::collection::vec(op(), 1..12)) {
        run(&Device::cpu(), &shape, &ops);
    }
}

/// The same programs give the same numbers on a GPU. Few, because software Vulkan compiles each kernel anew.
#[test]
fn random_programs_agree_between_devices() {
    let Some(gpu) = common::gpu() else { return };
    let cpu = Device::cpu();
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig { cases: 25, ..ProptestConfig::default() });
    let strategy = (prop::collection::vec(1usize..4, 1..4), prop::collection::vec(op(), 1..8));
    runner
        .run(&strategy, |(shape, ops)| {
            let ops: Vec<Op> = ops.into_iter().filter(|op| !matches!(op, Op::Cast(4))).collect();
            let build = |device: &Device| {
                let n = shape.iter().product::<usize>();
                let mut all = vec![device.array((0..n).map(|i| i as f32 * 0.25).collect::<Vec<_>>(), &shape[..])];
                for op in &ops {
                    let next = apply(device, op, &all[all.len() - 1], &all);
                    if next.check().is_ok() && next.size() < 500 {
                        all.push(next);
                    }
                }
                all
            };
            for (on_cpu, on_gpu) in build(&cpu).iter().zip(&build(&gpu)) {
                let (a, b) = (block_on(on_cpu.to_host()).unwrap(), block_on(on_gpu.to_host()).unwrap());
                for i in 0..a.len() {
                    let (x, y) = (a.f64_at(i), b.f64_at(i));
                    let same = x == y || (x.is_nan() && y.is_nan()) || (x - y).abs() <= 1e-3 * x.abs().max(1.0);
                    // Beyond single precision's reach a rounding may decide between neighbours; that is no disagreement.
                    prop_assert!(
                        same || x.abs() > 1e6 || on_cpu.dtype() != DType::F32,
                        "{ops:?}: element {i}: {x} and {y}"
                    );
                }
            }
            Ok(())
        })
        .unwrap();
}
