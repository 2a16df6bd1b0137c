//! What every machine must get right about attention.

use super::{Attention, Mask};
use crate::case::{Case, Fill};
use tilework_core::dtype::DType;

/// Sizes of the inputs of a case.
struct Inputs {
    q: [usize; 4],
    n_kv_heads: usize,
    n_kv: usize,
    dv: usize,
}

fn case(name: &'static str, op: Attention, dtype: DType, inputs: &Inputs) -> Case {
    let &Inputs { q: [n_batch, _, _, d], n_kv_heads, n_kv, dv } = inputs;
    Case::new(name, op)
        .input(dtype, &inputs.q, Fill::Spread)
        .input(dtype, &[n_batch, n_kv_heads, n_kv, d], Fill::Spread)
        .input(dtype, &[n_batch, n_kv_heads, n_kv, dv], Fill::Spread)
        // Weights come from sums of d products of size 4 and the built-in power of two, so an error of 1e-5 is a few units.
        .tolerance(1e-5)
}

pub(super) fn cases() -> Vec<Case> {
    let mut cases = many_queries();
    cases.extend(few_queries());
    let named = ["causal", "odd elements", "strided views", "one query", "odd elements, few", "part of a cache"];
    let is_named = |case: &Case| named.contains(&case.name);
    cases.extend(cases.clone().into_iter().filter(is_named).map(Case::in_halves));
    cases.extend(edges());
    cases
}

/// More queries than the kernel for few of them takes.
///
/// A score is off by a unit in the last place of the sum of its products' sizes; where there are hundreds of them, a small scale
/// keeps that from deciding the weights.
fn many_queries() -> Vec<Case> {
    let (f32, i32) = (DType::F32, DType::I32);
    let (all, causal) = (Attention::new(Mask::None), Attention::new(Mask::Causal));
    let like = |q: [usize; 4], n_kv_heads, n_kv| Inputs { q, n_kv_heads, n_kv, dv: q[3] };
    vec![
        case("many queries", all, f32, &like([1, 2, 20, 8], 2, 20)),
        case("causal", causal, f32, &like([2, 2, 67, 16], 2, 67)),
        case("shared keys", causal, f32, &like([1, 4, 33, 12], 2, 33)),
        case("odd elements", causal, f32, &Inputs { q: [1, 1, 30, 7], n_kv_heads: 1, n_kv: 35, dv: 5 }),
        case(
            "elements in two parts, columns in three",
            all,
            f32,
            &Inputs { q: [1, 1, 18, 40], n_kv_heads: 1, n_kv: 40, dv: 72 },
        ),
        case("256 elements", causal.scale(0.01), f32, &like([1, 1, 65, 256], 1, 70)).without_gradient(),
        case("columns in two tiles", causal, f32, &Inputs { q: [1, 1, 17, 8], n_kv_heads: 1, n_kv: 17, dv: 260 })
            .without_gradient(),
        case("windowed", Attention::new(Mask::Windowed(9)), f32, &like([1, 2, 70, 8], 1, 70)),
        case("capped and scaled", causal.scale(0.7).soft_cap(1.5), f32, &like([1, 1, 21, 8], 1, 25)),
        case("with an additive mask", all, f32, &like([2, 2, 19, 8], 1, 23)).input(f32, &[2, 1, 19, 23], Fill::Spread),
        case("with a mask for keys, part of a cache", causal, f32, &like([1, 2, 17, 8], 1, 64))
            .input(f32, &[64], Fill::Spread)
            .input(i32, &[], Fill::All(20.0)),
        Case::new("strided views", causal)
            .input(f32, &[1, 18, 2, 8], Fill::Spread)
            .permuted(&[0, 2, 1, 3])
            .input(f32, &[1, 40, 2, 8], Fill::Spread)
            .permuted(&[0, 2, 1, 3])
            .sliced(2, 39, -2, 20)
            .input(f32, &[1, 2, 8, 20], Fill::Spread)
            .permuted(&[0, 1, 3, 2])
            .tolerance(1e-5),
        case("double precision", causal.soft_cap(3.0), DType::F64, &like([1, 4, 20, 6], 2, 27)).tolerance(1e-12),
    ]
}

/// As in decoding; scales are as above.
fn few_queries() -> Vec<Case> {
    let (f32, i32, u32) = (DType::F32, DType::I32, DType::U32);
    let (all, causal) = (Attention::new(Mask::None), Attention::new(Mask::Causal));
    let like = |q: [usize; 4], n_kv_heads, n_kv| Inputs { q, n_kv_heads, n_kv, dv: q[3] };
    vec![
        case("one of everything", all, f32, &like([1, 1, 1, 1], 1, 1)),
        case("one query", causal, f32, &like([2, 3, 1, 16], 3, 50)),
        case("one query, many blocks of keys", causal, f32, &like([1, 2, 1, 12], 1, 700)),
        case("eight heads share keys", causal, f32, &like([1, 16, 1, 64], 2, 130)).without_gradient(),
        case("more rows than a workgroup takes", causal, f32, &like([1, 6, 3, 8], 1, 29)),
        case("odd elements, few", causal, f32, &Inputs { q: [1, 2, 3, 7], n_kv_heads: 1, n_kv: 140, dv: 5 }),
        case("256 elements, few", causal.scale(0.01), f32, &like([1, 8, 1, 256], 1, 140)).without_gradient(),
        case("600 elements, few", causal.scale(0.01), f32, &like([1, 2, 2, 600], 1, 9)).without_gradient(),
        case("part of a cache", causal, f32, &like([1, 4, 1, 8], 2, 300)).input(u32, &[], Fill::All(140.0)),
        case("part of a cache, a few queries", causal, f32, &like([1, 2, 5, 8], 2, 64)).input(
            i32,
            &[],
            Fill::All(11.0),
        ),
        case("window in a cache", Attention::new(Mask::Windowed(100)), f32, &like([1, 2, 2, 8], 1, 400)).input(
            i32,
            &[1],
            Fill::All(333.0),
        ),
        case("capped, masked, in a cache", causal.soft_cap(2.0), f32, &like([1, 2, 2, 8], 1, 40))
            .input(f32, &[1, 2, 1, 40], Fill::Spread)
            .input(i32, &[], Fill::All(30.0)),
        case("double precision, few", causal, DType::F64, &like([1, 2, 2, 6], 1, 150)).tolerance(1e-12),
    ]
}

fn edges() -> Vec<Case> {
    let (f32, i32) = (DType::F32, DType::I32);
    let (all, causal) = (Attention::new(Mask::None), Attention::new(Mask::Causal));
    let like = |q: [usize; 4], n_kv_heads, n_kv| Inputs { q, n_kv_heads, n_kv, dv: q[3] };
    let minus_infinity = Fill::All(f64::NEG_INFINITY);
    vec![
        case("no keys", all, f32, &like([1, 2, 3, 8], 2, 0)),
        case("no keys, many queries", causal, f32, &like([1, 2, 30, 8], 2, 0)),
        case("no queries", all, f32, &like([1, 2, 0, 8], 2, 5)),
        case("no columns", all, f32, &Inputs { q: [1, 1, 2, 4], n_kv_heads: 1, n_kv: 3, dv: 0 }),
        case("no elements", all, f32, &Inputs { q: [1, 1, 2, 0], n_kv_heads: 1, n_kv: 3, dv: 4 }),
        case("queries before the cache see nothing", causal, f32, &like([1, 1, 4, 4], 1, 8)).input(
            i32,
            &[],
            Fill::All(-2.0),
        ),
        case("fully masked, few", all, f32, &like([1, 1, 2, 4], 1, 8))
            .input(f32, &[8], minus_infinity)
            .without_gradient(),
        case("fully masked, many", all, f32, &like([1, 1, 20, 4], 1, 8))
            .input(f32, &[20, 1], minus_infinity)
            .without_gradient(),
        case("beyond the end of the cache", causal, f32, &like([1, 1, 3, 4], 1, 8)).input(i32, &[], Fill::All(20.0)),
        case("large scores stay finite", causal.scale(1000.0), f32, &like([1, 1, 20, 4], 1, 20)).without_gradient(),
        Case::new("NaN in one query, few", all)
            .input(f32, &[1, 7, 1, 1], Fill::Special)
            .sliced(1, 0, 2, 2)
            .input(f32, &[1, 2, 5, 1], Fill::Spread)
            .input(f32, &[1, 2, 5, 3], Fill::Spread)
            .tolerance(1e-5)
            .without_gradient(),
    ]
}
