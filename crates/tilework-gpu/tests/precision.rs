//! Every scalar operation in every precision beyond f32, against its definition in `f64`.

#![allow(clippy::print_stderr, reason = "figures are read while tightening bounds")]

mod common;
mod ladder;

use common::with_gpu;
use ladder::{Case, float_ops, inputs, special_inputs};
use tilework_core::emit::{Eft, Precision};
use tilework_core::expr::ScalarOp;
use tilework_gpu::Gpu;

const CLASSIC: Precision = Precision::Df64(Eft::Classic);
const INTEGER: Precision = Precision::Df64(Eft::Integer);

/// Runs `test` if the device has `f64` in shaders, and says so if it has not.
fn with_f64(test: impl FnOnce(&Gpu)) {
    with_gpu(|gpu| if gpu.caps().shader_f64 { test(gpu) } else { eprintln!("skipped: no f64 in shaders") });
}

/// How far `got` is from `want`, relative to it; infinite where one is special and the other is not.
fn relative_error(got: f64, want: f64, precision: Precision) -> f64 {
    // A pair has the range of f32, with all its digits down to about 1e-30.
    let (smallest, largest) = if precision == Precision::F64 { (1e-290, f64::MAX) } else { (1e-30, f64::from(f32::MAX)) };
    let want = if want.abs() > largest { want.signum() * f64::INFINITY } else { want };
    if got == want || (got.is_nan() && want.is_nan()) {
        0.0
    } else if !want.is_finite() || !got.is_finite() {
        f64::INFINITY
    } else {
        (got - want).abs() / want.abs().max(smallest)
    }
}

struct Worst {
    error: f64,
    inputs: Vec<f64>,
    got: f64,
    want: f64,
}

fn worst(gpu: &Gpu, case: &Case, precision: Precision, inputs: &[Vec<f64>]) -> Worst {
    let expected = case.expected(inputs);
    let outputs = case.run(gpu, precision, inputs);
    let mut worst = Worst { error: -1.0, inputs: vec![], got: 0.0, want: 0.0 };
    for (want, got) in expected.iter().zip(outputs.iter().map(|bytes| precision.from_bytes(bytes))) {
        for (i, (&want, &got)) in want.iter().zip(&got).enumerate() {
            let error = relative_error(got, want, precision);
            if error > worst.error {
                worst = Worst { error, inputs: inputs.iter().map(|list| list[i]).collect(), got, want };
            }
        }
    }
    worst
}

#[test]
fn explore() {
    with_gpu(|gpu| {
        let names = std::env::var("PREC").unwrap_or("classic".into());
        let precision = match &*names { "classic" => CLASSIC, "integer" => INTEGER, "guarded" => Precision::Df64(Eft::Guarded), _ => Precision::F64 };
        eprintln!("{}", pollster::block_on(tilework_gpu::probe_double_float(gpu)).unwrap());
        let only = std::env::var("OP").ok();
        for op in float_ops() {
            if only.as_deref().is_some_and(|o| o != op.name()) { continue }
            for g in [false, true] {
                if g && !op.is_differentiable() { continue }
                let case = Case::new(op, g);
                let start = std::time::Instant::now();
                let w = worst(gpu, &case, precision, &inputs(op, precision));
                let s = worst(gpu, &case, precision, &special_inputs(op));
                eprintln!("{}{} {:.2e} at {:?} got {:e} want {:e} ({:?})", op.name(), if g {"'"} else {""}, w.error, w.inputs, w.got, w.want, start.elapsed());
                if s.error > 1e-13 { eprintln!("    special {:.2e} at {:?} got {:e} want {:e}", s.error, s.inputs, s.got, s.want); }
            }
        }
    });
}
