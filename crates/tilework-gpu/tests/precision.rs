//! Every scalar operation in every precision beyond f32, against its definition in `f64`.

#![allow(clippy::print_stderr, reason = "a skipped test must say so")]

mod common;
mod ladder;

use common::{with_gpu, with_own_gpu};
use ladder::{Case, float_ops, inputs, moderate_inputs, relative_error, special_inputs, worst};
use std::sync::Arc;
use tilework_core::dtype::{DType, Scalar};
use tilework_core::emit::{Eft, KernelBuilder, Precision, Probe};
use tilework_core::expr::{Graph, ScalarOp};
use tilework_core::fused::{Fused, Leaf, LeafSource};
use tilework_core::layout::Layout;
use tilework_core::plan::{Plan, Slot, SlotRole};
use tilework_core::shape::Shape;
use tilework_gpu::{Gpu, GpuOptions, probe_double_float};

/// How far results may be off: what was measured, rounded up to the next half of a digit. In units of 2^-48 for pairs that is
/// 4, in units of 2^-53 for doubles 5. Where a function is an exponential of a large number, the rounding of that counts.
fn bound(op: ScalarOp, precision: Precision) -> f64 {
    use ScalarOp::*;
    match (op, precision) {
        // Relative to the divisor it is as good as the others.
        (Rem, Precision::Df64(_)) => 1.2e-13,
        (Gelu, Precision::Df64(_)) => 3e-13,
        (GeluTanh, Precision::Df64(_)) => 2e-13,
        (GeluTanh, _) => 4e-15,
        (_, Precision::Df64(_)) => 1.3e-14,
        _ => 5.5e-16,
    }
}

/// How far derivatives may be off.
const GRADIENT_BOUND: f64 = 1e-12;

/// The double-float of this device.
fn double_float(gpu: &Gpu) -> Precision {
    pollster::block_on(probe_double_float(gpu)).unwrap().precision()
}

/// Runs `test` with native doubles where the device has them, and says so where it has not.
fn with_f64(test: impl FnOnce(&Gpu)) {
    with_gpu(|gpu| if gpu.caps().shader_f64 { test(gpu) } else { eprintln!("skipped: no f64 in shaders") });
}

fn check_values(gpu: &Gpu, precision: Precision) {
    for op in float_ops() {
        let case = Case::new(op, false);
        for inputs in [inputs(op, precision), special_inputs(op)] {
            let (error, place) = worst(gpu, &case, precision, &inputs);
            assert!(error <= bound(op, precision), "{place}");
        }
    }
}

fn check_gradients(gpu: &Gpu, precision: Precision) {
    for op in float_ops().into_iter().filter(|op| op.is_differentiable()) {
        let (error, place) = worst(gpu, &Case::new(op, true), precision, &moderate_inputs(op, precision));
        assert!(error <= GRADIENT_BOUND, "derivative: {place}");
    }
}

#[test]
fn every_operation_in_double_floats() {
    with_gpu(|gpu| check_values(gpu, double_float(gpu)));
}

#[test]
fn every_derivative_in_double_floats() {
    with_gpu(|gpu| check_gradients(gpu, double_float(gpu)));
}

#[test]
fn every_operation_in_native_doubles() {
    with_f64(|gpu| check_values(gpu, Precision::F64));
}

#[test]
fn every_derivative_in_native_doubles() {
    with_f64(|gpu| check_gradients(gpu, Precision::F64));
}

/// Drivers take long to compile hundreds of integer additions, so these few stand for all: what they are made of is the same.
#[test]
fn integers_give_the_same_digits() {
    use ScalarOp::*;
    with_gpu(|gpu| {
        let integer = Precision::Df64(Eft::Integer);
        for op in [Add, Sub, Mul, Div, Sqrt, Rem, Round, ToInt, Exp, Log, Sin, Atan2] {
            let (case, inputs) = (Case::new(op, false), inputs(op, integer));
            let (error, place) = worst(gpu, &case, integer, &inputs);
            assert!(error <= bound(op, integer), "{place}");
            let digits = |precision: Precision| precision.from_bytes(&case.run(gpu, precision, &inputs)[0]);
            assert_eq!(digits(integer), digits(double_float(gpu)), "{}", op.name());
        }
    });
}

#[test]
fn a_device_is_probed_once_and_integers_always_pass() {
    with_own_gpu(GpuOptions::default(), |gpu| {
        let found = pollster::block_on(probe_double_float(gpu)).unwrap();
        assert!(found.to_string().contains("(0 of 6144 wrong"), "{found}");
        eprintln!("double-floats: {found}");
        let before = gpu.counters();
        assert_eq!(pollster::block_on(probe_double_float(gpu)).unwrap(), found);
        assert_eq!(gpu.counters().since(before).dispatches, 0);

        let probe = Probe::new(Eft::Integer);
        let prepared = gpu.prepare(Arc::new(probe.plan.clone())).unwrap();
        let outputs = gpu.execute(&prepared, &[gpu.upload(&probe.input()).unwrap()], &[]).unwrap();
        let output = pollster::block_on(gpu.read(&outputs[0], 0, outputs[0].size_bytes())).unwrap();
        assert_eq!(probe.n_wrong(&output), 0);
    });
}

/// `x·p + c + n·s`: a number of the precision, a parameter, a constant, an integer parameter and a single.
#[test]
fn parameters_and_constants_keep_their_digits() {
    let graph = Graph::new();
    let (x, single) = (graph.leaf(0, Scalar::Num), graph.leaf(1, Scalar::Num));
    let (p, n) = (graph.param(0, Scalar::Num), graph.param(1, Scalar::Int));
    let root = x * p + 0.1 + n * single;
    let grid = Shape::new("test", vec![3]).unwrap();
    let fused = Fused::new(&graph, &[root.id()], grid.clone(), |slot| Leaf {
        source: LeafSource::Buffer { input: slot as usize, dtype: [DType::F64, DType::F32][slot as usize] },
        layout: Layout::contiguous(grid.clone()),
    });
    let (xs, singles, parameter) = ([1.0 / 3.0, -7.0, 1e5 + 0.1], [0.5f32, 0.25, 3.0], std::f64::consts::PI);
    let check = |gpu: &Gpu, precision: Precision| {
        let pass = KernelBuilder::map_in(precision, "affine", &fused, &[0, 1].map(Into::into), &[(2, DType::F64)])
            .build([1, 1, 1]);
        let slot = |size_bytes: usize, role| Slot { size_bytes: 3 * size_bytes as u64, role };
        let width = precision.size_bytes();
        let slots =
            vec![slot(width, SlotRole::Input(0)), slot(4, SlotRole::Input(1)), slot(width, SlotRole::Output(0))];
        let plan = Plan { slots, passes: vec![pass], n_inputs: 2, n_outputs: 1, n_scalars: 4 };
        let inputs =
            [gpu.upload(&precision.to_bytes(&xs)), gpu.upload(bytemuck::cast_slice(&singles))].map(Result::unwrap);
        let scalars = [precision.words(parameter), vec![-2i32 as u32, 0]].concat();
        let outputs = gpu.execute(&gpu.prepare(Arc::new(plan)).unwrap(), &inputs, &scalars).unwrap();
        let bytes = pollster::block_on(gpu.read(&outputs[0], 0, outputs[0].size_bytes())).unwrap();
        for ((x, s), got) in xs.iter().zip(singles).zip(precision.from_bytes(&bytes)) {
            let want = x * parameter + 0.1 - 2.0 * f64::from(s);
            assert!(relative_error(got, want, precision) < 3e-14, "{precision}: {got} is not {want}");
        }
    };
    with_gpu(|gpu| check(gpu, double_float(gpu)));
    with_f64(|gpu| check(gpu, Precision::F64));
}

/// At the ends of the range digits are lost, but what is defined stays defined.
#[test]
fn tiny_and_huge_pairs_give_numbers() {
    with_gpu(|gpu| {
        let ends = [1e-40, -1e-40, 2e-38, -2e-38, 3e38, -3e38, 1e-30, -1e-30, 0.7, -0.7];
        // A remainder by what counts as 0 is none.
        for op in float_ops().into_iter().filter(|op| !matches!(op, ScalarOp::Rem | ScalarOp::FloorDiv)) {
            let n = ends.len().pow(op.arity() as u32);
            let digit = |i: usize, k: usize| ends[i / ends.len().pow(k as u32) % ends.len()];
            let inputs: Vec<Vec<f64>> = (0..op.arity()).map(|k| (0..n).map(|i| digit(i, k)).collect()).collect();
            let case = Case::new(op, false);
            let got = double_float(gpu).from_bytes(&case.run(gpu, double_float(gpu), &inputs)[0]);
            for (i, (got, want)) in got.into_iter().zip(case.expected(&inputs).remove(0)).enumerate() {
                let at: Vec<f64> = inputs.iter().map(|list| list[i]).collect();
                assert!(want.is_nan() || !got.is_nan(), "{}{at:?} is {got} instead of {want}", op.name());
            }
        }
    });
}

/// What only native doubles can hold.
#[test]
fn native_doubles_have_their_range() {
    with_f64(|gpu| {
        let check = |op: ScalarOp, list: &[f64]| {
            let (error, place) = worst(gpu, &Case::new(op, false), Precision::F64, &[list.to_vec()]);
            assert!(error <= bound(op, Precision::F64), "{place}");
        };
        check(ScalarOp::Exp, &[-600.0, -300.5, 300.0, 700.0, 709.7, 710.0, -746.0]);
        check(ScalarOp::Exp2, &[-1000.5, -300.0, 1023.9, 1024.0]);
        check(ScalarOp::Log, &[1e-300, 1e-200, 1e-40, 1e40, 1e250, 1.7e308]);
        check(ScalarOp::Cbrt, &[1e-300, -1e-100, 1e100, 1e300]);
        check(ScalarOp::Sin, &[1e15, 1e8, -3e12]);
        check(ScalarOp::Erfc, &[20.0, 26.0, -30.0]);
    });
}
