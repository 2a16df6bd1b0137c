//! Whether a device computes double-floats right, as a Plan and the answers it must give.
//!
//! WGSL lets compilers reorder and fuse float arithmetic, and some do (Metal's fast math turns the error of a sum into 0). No
//! query tells which, so that a device is asked to compute: many sums and products whose errors the host knows exactly, and
//! functions made of them.

use super::{Eft, INTEGER, Precision, link};
use crate::plan::{Access, Binding, KernelSource, Pass, Plan, Slot, SlotRole};
use std::sync::Arc;

/// Pairs of numbers that are tried.
const N_PAIRS: usize = 1024;
/// Results per pair: two sums, a product, a chain of double-float operations, a reciprocal and an exponential.
const N_RESULTS: usize = 6;
/// How far the last three may be off: a few roundings of 48 bits.
const MAX_ERROR: f64 = 1.0 / (1u64 << 43) as f64;

/// The self-test of one variant: run [`plan`](Probe::plan) on [`input`](Probe::input) and let [`n_wrong`](Probe::n_wrong) judge.
#[derive(Clone, Debug)]
pub struct Probe {
    /// Takes one input and gives one output.
    pub plan: Plan,
    pairs: Vec<[f32; 2]>,
}

impl Probe {
    /// The self-test of `eft`.
    pub fn new(eft: Eft) -> Probe {
        const PROBE: &str = crate::wgsl!("number_df64/probe.wgsl");
        let modules: Vec<&str> = Precision::Df64(eft).module().iter().copied().chain([INTEGER]).collect();
        let linked = link(PROBE, &modules);
        let label = format!("probe of {} double-floats", eft.name());
        let binding = |slot, access| Binding { slot, access };
        let pass = Pass {
            kernel: Arc::new(KernelSource { label, parts: vec![PROBE.into(), linked.into()], overrides: Vec::new() }),
            bindings: vec![binding(0, Access::Read), binding(1, Access::Write)],
            params: vec![N_PAIRS as u32, 0, 0, 0],
            patches: Vec::new(),
            workgroups: [N_PAIRS.div_ceil(64) as u32, 1, 1],
        };
        let slot = |n: usize, role| Slot { size_bytes: n as u64 * 8, role };
        let slots = vec![slot(N_PAIRS, SlotRole::Input(0)), slot(N_PAIRS * N_RESULTS, SlotRole::Output(0))];
        Probe { plan: Plan { slots, passes: vec![pass], n_inputs: 1, n_outputs: 1, n_scalars: 0 }, pairs: pairs() }
    }

    /// The bytes of the input.
    pub fn input(&self) -> Vec<u8> {
        self.pairs.iter().flatten().flat_map(|number| number.to_le_bytes()).collect()
    }

    /// How many results there are.
    pub fn n_results(&self) -> usize {
        self.pairs.len() * N_RESULTS
    }

    /// How many of the results in `output` are not what exact arithmetic gives; missing ones count.
    pub fn n_wrong(&self, output: &[u8]) -> usize {
        let number = |bytes: &[u8]| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        let results: Vec<[f32; 2]> =
            output.chunks_exact(8).map(|bytes| [number(&bytes[..4]), number(&bytes[4..])]).collect();
        let n_right_of = |[a, b]: [f32; 2], results: &[[f32; 2]]| {
            let (a, b) = (f64::from(a), f64::from(b));
            // Products of 48 bits and sums of numbers this close are exact in f64.
            let exact = [a + b, a + b, a * b];
            let n_exact = exact.iter().zip(results).filter(|&(&exact, &result)| is_split(result, exact)).count();
            let close = approximate(a, b).into_iter().zip(&results[3..]);
            let is_close = |(want, scale): (f64, f64), result: [f32; 2]| {
                let [high, low] = result.map(f64::from);
                (high + low - want).abs() <= MAX_ERROR * scale
            };
            n_exact + close.filter(|&(want, &result)| is_close(want, result)).count()
        };
        let cases = self.pairs.iter().zip(results.chunks_exact(N_RESULTS));
        self.n_results() - cases.map(|(&pair, results)| n_right_of(pair, results)).sum::<usize>()
    }
}

/// The results that double-floats round, each with what its error is relative to.
fn approximate(a: f64, b: f64) -> [(f64, f64); 3] {
    let between = f32::from_bits((a as f32).to_bits() & 0x807f_ffff | 0x3f00_0000);
    let exponential = libm::exp(f64::from(between));
    [(b * b, (a.abs() + b.abs()) * b.abs()), (1.0 / b, 1.0 / b.abs()), (exponential, exponential)]
}

/// Whether `result` is the single nearest to `exact` and, bit for bit, the rest.
fn is_split([high, low]: [f32; 2], exact: f64) -> bool {
    let nearest = exact as f32;
    high == nearest && low == (exact - f64::from(nearest)) as f32
}

/// Pairs with exponents up to 25 apart, of both signs; some almost cancel, some lie halfway between two singles.
fn pairs() -> Vec<[f32; 2]> {
    // The 64-bit multiplicative generator of Steele and Vigna (2021).
    let mut state = 0x0123_4567_89ab_cdef_u64;
    let mut random = || {
        state = state.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
        (state >> 32) as u32
    };
    let mut number = |exponent: u32| f32::from_bits((random() & 0x807f_ffff) | (exponent << 23));
    let mut pair = |k: usize| {
        let (spread, base) = ((k / 4 % 26) as u32, 100 + (k % 53) as u32);
        let a = number(base + spread);
        let b = number(base);
        match k % 4 {
            0 => [a, b],
            1 => [b, a],
            // Neighbours, and the opposite of one.
            2 => [a, -f32::from_bits(a.to_bits() ^ 5)],
            // Half a unit of a's last digit: a tie.
            _ => [a, f32::from_bits((base + spread - 24) << 23)],
        }
    };
    (0..N_PAIRS).map(&mut pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a device gives that computes as IEEE 754 says, with `damage` done to the error terms.
    fn output(probe: &Probe, damage: impl Fn(f32) -> f32) -> Vec<u8> {
        let split = |exact: f64| [exact as f32, damage((exact - f64::from(exact as f32)) as f32)];
        let results = |&[a, b]: &[f32; 2]| {
            let (a, b) = (f64::from(a), f64::from(b));
            let [chain, reciprocal, exponential] = approximate(a, b).map(|(want, _)| split(want));
            [split(a + b), split(a + b), split(a * b), chain, reciprocal, exponential]
        };
        probe.pairs.iter().flat_map(results).flatten().flat_map(f32::to_le_bytes).collect()
    }

    #[test]
    fn right_answers_pass_and_lost_errors_are_counted() {
        let probe = Probe::new(Eft::Classic);
        assert_eq!(probe.n_wrong(&output(&probe, |error| error)), 0);
        // What fast math does: the error of every sum and product is 0.
        let n_lost = probe.n_wrong(&output(&probe, |_| 0.0));
        assert!(n_lost > probe.n_results() / 2, "{n_lost}");
        assert_eq!(probe.n_wrong(&[]), probe.n_results());
    }
}
