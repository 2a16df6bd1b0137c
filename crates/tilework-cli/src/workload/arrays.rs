//! The array library's own list: single element-wise operations and reductions, as NumPy users write them, from a thousand to ten million
//! elements. `xtask/peers/arrays_bench.py` has the same list in NumPy.

use super::{Rate, Workload, vector};
use tilework::{Array, DType};

const SIZES: &[u64] = &[1_000, 10_000, 100_000, 1_000_000, 10_000_000];
const FEW: &[u64] = &[1_000, 10_000];

/// A thousand columns, or all elements in one row where there are fewer.
fn matrix(n: u64) -> Vec<usize> {
    let n_cols = n.clamp(1, 1000);
    vec![(n / n_cols) as usize, n_cols as usize]
}

const fn work(name: &'static str, summary: &'static str, build: fn(&Array) -> Array) -> Workload {
    Workload { name, summary, shape: vector, build, rate: Rate::Bytes(|n| 8.0 * n), sizes: SIZES, small_sizes: FEW }
}

const fn rows(name: &'static str, summary: &'static str, build: fn(&Array) -> Array) -> Workload {
    Workload { shape: matrix, rate: Rate::Bytes(|n| 4.0 * n), ..work(name, summary, build) }
}

const fn reduction(name: &'static str, summary: &'static str, build: fn(&Array) -> Array) -> Workload {
    Workload { rate: Rate::Bytes(|n| 4.0 * n), ..work(name, summary, build) }
}

/// What `tilework bench arrays` measures.
pub(crate) const ARRAYS: &[Workload] = &[
    work("add", "x + x", |x| x + x),
    work("multiply_add", "2·x + 1", |x| x * 2.0 + 1.0),
    work("divide", "x / (x + 2)", |x| x / (x + 2.0)),
    work("sqrt", "square root of |x|", |x| x.abs().sqrt()),
    work("exp", "e^x", Array::exp),
    work("log", "logarithm of |x| + 1", |x| (x.abs() + 1.0).log()),
    work("sin", "sine", Array::sin),
    work("tanh", "hyperbolic tangent", Array::tanh),
    work("power", "|x|^1.5", |x| x.abs().pow(1.5)),
    work("maximum", "max(x, 0)", |x| x.maximum(0.0)),
    work("clip", "x between −½ and ½", |x| x.clamp(-0.5, 0.5)),
    work("greater", "x > 0", |x| x.gt(0.0)),
    work("where", "x where x > 0, else −1", |x| x.gt(0.0).select(x, -1.0)),
    work("floor", "floor(10·x)", |x| (x * 10.0).floor()),
    work("astype", "10·x as integers", |x| (x * 10.0).cast(DType::I32)),
    work("polynomial", "((x + 2)·x − 1)·x + 0.5", |x| ((x + 2.0) * x - 1.0) * x + 0.5),
    work("hypot", "√(x² + (x + 1)²)", |x| (x * x + (x + 1.0).square()).sqrt()),
    reduction("sum", "sum", |x| x.sum([])),
    reduction("mean", "mean", |x| x.mean([])),
    reduction("var", "variance", |x| x.var([])),
    reduction("max", "largest", |x| x.max([])),
    reduction("argmax", "position of the largest", |x| x.argmax(0)),
    reduction("any", "any x > 2", |x| x.gt(2.0).any([])),
    reduction("count", "number of x > 0", |x| x.gt(0.0).sum([])),
    reduction("norm", "root of the sum of squares", |x| (x * x).sum([]).sqrt()),
    reduction("dot", "sum of products with itself", |x| x.dot(x)),
    work("cumsum", "running sum", |x| x.cumsum(0)),
    rows("sum_rows", "sums of rows of 1000", |x| x.sum([1])),
    rows("sum_columns", "sums of 1000 columns", |x| x.sum([0])),
    rows("max_rows", "largest of rows of 1000", |x| x.max([1])),
    rows("mean_columns", "means of 1000 columns", |x| x.mean([0])),
    rows("center", "x less the means of 1000 columns", |x| x - x.mean_keep([0])),
    rows("transpose_add", "x plus a column for each row", |x| x + x.slice(1, ..1)),
];
