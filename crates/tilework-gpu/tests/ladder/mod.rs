//! What the tests of the precisions share: inputs of every scalar operation, kernels in any precision, and the definition to
//! compare with.

#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::sync::Arc;

use tilework_core::dtype::{DType, Scalar};
use tilework_core::emit::{KernelBuilder, Precision};
use tilework_core::expr::{Expr, Graph, Id, Kind, ScalarOp, Value, eval_f64, gradient};
use tilework_core::fused::{Fused, Leaf, LeafSource};
use tilework_core::layout::Layout;
use tilework_core::plan::{Plan, Slot, SlotRole};
use tilework_core::shape::Shape;
use tilework_gpu::Gpu;

/// Inputs per operation.
pub(crate) const N: usize = 768;

/// Every operation that takes or gives floats. No kernel has 64-bit integers.
pub(crate) fn float_ops() -> Vec<ScalarOp> {
    let is_float = |op: &ScalarOp| match op.kind() {
        Kind::Logic | Kind::Bits => false,
        Kind::Cast(to) => !to.is_long(),
        _ => true,
    };
    ScalarOp::ALL.iter().copied().filter(is_float).collect()
}

/// An operation on float leaves, its result as a float, and its derivatives.
pub(crate) struct Case {
    pub(crate) op: ScalarOp,
    graph: Graph,
    roots: Vec<Id>,
}

impl Case {
    pub(crate) fn new(op: ScalarOp, with_gradient: bool) -> Case {
        let graph = Graph::new();
        let roots = {
            let leaves: Vec<Expr<'_>> = (0..op.arity() as u32).map(|slot| graph.leaf(slot, Scalar::Num)).collect();
            // There is no conversion of a float to itself: an integer becomes a float.
            let args = if op == ScalarOp::ToNum { vec![leaves[0].cast(Scalar::Int)] } else { leaves.clone() };
            let root = graph.apply(op, &args).cast(Scalar::Num);
            let slopes = if with_gradient { gradient(root, &leaves) } else { vec![root] };
            slopes.iter().map(|root| root.id()).collect()
        };
        Case { op, graph, roots }
    }

    pub(crate) fn n_roots(&self) -> usize {
        self.roots.len()
    }

    /// By definition, in `f64`: one list per root.
    pub(crate) fn expected(&self, inputs: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let mut lists = vec![Vec::new(); self.roots.len()];
        for i in 0..inputs[0].len() {
            let leaf = |slot: u32| Value::num(inputs[slot as usize][i]);
            let values = eval_f64(&self.graph, &self.roots, &leaf, &|_| Value::num(f64::NAN));
            lists.iter_mut().zip(values).for_each(|(list, value)| list.push(value.to_f64()));
        }
        lists
    }

    /// The kernel, from one buffer per argument to one per root.
    pub(crate) fn plan(&self, precision: Precision, n: usize) -> Plan {
        let arity = self.op.arity();
        let grid = Shape::new("test", vec![n]).unwrap();
        let fused = Fused::new(&self.graph, &self.roots, grid.clone(), |slot| Leaf {
            source: LeafSource::Buffer { input: slot as usize, dtype: DType::F64 },
            layout: Layout::contiguous(grid.clone()),
        });
        let slots: Vec<_> = (0..arity).map(Into::into).collect();
        let outputs: Vec<(usize, DType)> = (0..self.roots.len()).map(|k| (arity + k, DType::F64)).collect();
        let pass = KernelBuilder::map_in(precision, self.op.name(), &fused, &slots, &outputs).build([
            n.div_ceil(256) as u32,
            1,
            1,
        ]);
        let size_bytes = (n * precision.size_bytes()) as u64;
        let inputs = (0..arity).map(|k| Slot { size_bytes, role: SlotRole::Input(k) });
        let results = (0..self.roots.len()).map(|k| Slot { size_bytes, role: SlotRole::Output(k) });
        Plan {
            slots: inputs.chain(results).collect(),
            passes: vec![pass],
            n_inputs: arity,
            n_outputs: self.roots.len(),
            n_scalars: 0,
        }
    }

    /// On a device: the bytes of every root.
    pub(crate) fn run(&self, gpu: &Gpu, precision: Precision, inputs: &[Vec<f64>]) -> Vec<Vec<u8>> {
        let plan = self.plan(precision, inputs[0].len());
        let prepared = gpu.prepare(Arc::new(plan)).unwrap_or_else(|e| panic!("{}: {e}", self.op.name()));
        let buffers: Vec<_> = inputs.iter().map(|list| gpu.upload(&precision.to_bytes(list)).unwrap()).collect();
        let outputs = gpu.execute(&prepared, &buffers, &[]).unwrap_or_else(|e| panic!("{}: {e}", self.op.name()));
        let read = |buffer| pollster::block_on(gpu.read(buffer, 0, buffer.size_bytes())).unwrap();
        outputs.iter().map(read).collect()
    }
}

/// A small generator of numbers that look random (SplitMix64, Steele, Lea and Flood 2014).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Where an operation is tried: every argument is between these.
fn range(op: ScalarOp) -> [(f64, f64); 3] {
    use ScalarOp::*;
    let same = |low, high| [(low, high); 3];
    match op {
        Exp | Expm1 | Sinh | Cosh => same(-60.0, 85.0),
        Exp2 => same(-90.0, 126.0),
        Softplus | Sigmoid | Silu => same(-60.0, 85.0),
        Sqrt | Rsqrt | Log | Log2 | Log10 => same(1e-12, 1e12),
        Log1p => same(-1.0, 1e6),
        Sin | Cos | Tan => same(-1e4, 1e4),
        Asin | Acos | Atanh => same(-1.0, 1.0),
        Acosh => same(1.0, 1e6),
        Pow => [(1e-3, 1e3), (-8.0, 8.0), (0.0, 0.0)],
        // A remainder of pairs keeps its digits as long as the quotient has 12 bits.
        Rem | FloorDiv => [(-1e3, 1e3), (0.3, 10.0), (0.0, 0.0)],
        Erf => same(-6.0, 6.0),
        Erfc => same(-6.0, 8.0),
        Gelu => same(-8.0, 8.0),
        GeluTanh => same(-6.0, 6.0),
        ToInt | ToNum => same(-3e9, 3e9),
        ToUint => same(-1e9, 5e9),
        _ => same(-1e6, 1e6),
    }
}

/// The same, without what makes a derivative small by cancellation: the rules of expm1 and tanh subtract the value from 1.
pub(crate) fn moderate_inputs(op: ScalarOp, precision: Precision) -> Vec<Vec<f64>> {
    let limit = |x: f64| match op {
        ScalarOp::Expm1 => x.max(-4.0),
        ScalarOp::Tanh => x.clamp(-3.0, 3.0),
        _ => x,
    };
    inputs(op, precision).into_iter().map(|list| list.into_iter().map(limit).collect()).collect()
}

/// Inputs of `op` that `precision` has exactly: evenly spread, spread over magnitudes, and close to what matters.
pub(crate) fn inputs(op: ScalarOp, precision: Precision) -> Vec<Vec<f64>> {
    let mut random = Random(op as u64 * 1000 + 7);
    let arguments = &range(op)[..op.arity()];
    let number = |&(low, high): &(f64, f64), k: usize, random: &mut Random| {
        let log = |random: &mut Random, from: f64, to: f64| 10f64.powf(random.between(from, to));
        let sign = if random.bits() & 1 == 0 { 1.0 } else { -1.0 };
        let drawn = match k % 4 {
            0 => random.between(low, high),
            1 => random.between(low.max(-4.0), high.min(4.0)),
            2 => sign * log(random, -8.0, high.abs().max(low.abs()).log10()),
            _ => {
                [0.0, 1.0, -1.0, 0.5, std::f64::consts::PI][random.bits() as usize % 5] + sign * log(random, -7.0, -1.0)
            }
        };
        precision.rounded(if drawn < low || drawn > high { random.between(low, high) } else { drawn })
    };
    arguments.iter().map(|range| (0..N).map(|k| number(range, k, &mut random)).collect()).collect()
}

/// Every combination of numbers that are special somewhere.
pub(crate) fn special_inputs(op: ScalarOp) -> Vec<Vec<f64>> {
    let special = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        -0.5,
        2.0,
        -2.0,
        3.0,
        -2.5,
        1e10,
        -1e10,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ];
    let arity = op.arity();
    let n = special.len().pow(arity as u32);
    let digit = |i: usize, k: usize| special[i / special.len().pow(k as u32) % special.len()];
    (0..arity).map(|k| (0..n).map(|i| digit(i, k)).collect()).collect()
}

/// How far `got` is from `want`, relative to it; infinite where one is special and the other is not.
pub(crate) fn relative_error(got: f64, want: f64, precision: Precision) -> f64 {
    // A pair has the range of f32, with all its digits down to about 1e-28.
    let (smallest, largest) =
        if precision == Precision::F64 { (1e-290, f64::MAX) } else { (1e-28, f64::from(f32::MAX)) };
    let want = if want.abs() > largest { want.signum() * f64::INFINITY } else { want };
    if got == want || (got.is_nan() && want.is_nan()) {
        0.0
    } else if !want.is_finite() || !got.is_finite() {
        f64::INFINITY
    } else {
        (got - want).abs() / want.abs().max(smallest)
    }
}

/// The largest error of all roots, and where it is.
pub(crate) fn worst(gpu: &Gpu, case: &Case, precision: Precision, inputs: &[Vec<f64>]) -> (f64, String) {
    let outputs = case.run(gpu, precision, inputs);
    let mut worst = (-1.0, String::new());
    for (want, got) in case.expected(inputs).iter().zip(outputs.iter().map(|bytes| precision.from_bytes(bytes))) {
        for (i, (&want, &got)) in want.iter().zip(&got).enumerate() {
            let error = relative_error(got, want, precision);
            if error > worst.0 {
                let at: Vec<f64> = inputs.iter().map(|list| list[i]).collect();
                let name = case.op.name();
                worst = (error, format!("{precision} {name}{at:?} is {got:e} instead of {want:e}: {error:.1e}"));
            }
        }
    }
    worst
}
