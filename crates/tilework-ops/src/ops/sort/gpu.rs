//! Sorting on the GPU: rows that fit into a workgroup at once; longer ones by digits of 8 bits, from the lowest. For each digit
//! the keys of every tile are counted, the counts scanned, and the pairs of key and position moved.

use super::{Output, Sort};
use crate::op::PlanCx;
use crate::ops::reduce::{Combine, Rows, as_rows};
use crate::ops::scan::gpu::{RowScan, Target, read_slot};
use crate::ops::scan::{Direction, Reach};
use tilework_core::dtype::{DType, Scalar};
use tilework_core::emit::KernelBuilder;
use tilework_core::fused::Fused;
use tilework_core::plan::Pass;
use tilework_vm::radix::Order;

const SORT_SPLIT: &str = tilework_core::wgsl!("sort_split.wgsl");
const SORT_ROWS: &str = tilework_core::wgsl!("sort_rows.wgsl");
const SORT_HISTOGRAM: &str = tilework_core::wgsl!("sort_histogram.wgsl");
const SORT_SCATTER: &str = tilework_core::wgsl!("sort_scatter.wgsl");

pub(crate) const KERNELS: &[(&str, &str)] = &[
    ("sort_split.wgsl", SORT_SPLIT),
    ("sort_rows.wgsl", SORT_ROWS),
    ("sort_histogram.wgsl", SORT_HISTOGRAM),
    ("sort_scatter.wgsl", SORT_SCATTER),
];

/// Columns of one workgroup, as in sort_split.wgsl.
const TILE_LEN: usize = 1024;
const N_DIGITS: usize = 256;
const DIGIT_BITS: u32 = 8;

/// The WGSL function `key_of(x)`: words in the order of the elements.
pub(crate) fn key_function(scalar: Scalar, order: Order) -> String {
    let flip = if order == Order::Ascending { "0u" } else { "0xffffffffu" };
    let body = match scalar {
        Scalar::Bool => format!("return select(0u, 1u, x) ^ {flip};"),
        Scalar::Uint => format!("return x ^ {flip};"),
        // No kernel has these: machines keep such work on the CPU.
        Scalar::Long | Scalar::Ulong => "return x.x;".to_owned(),
        Scalar::Int => format!("return bitcast<u32>(x) ^ 0x80000000u ^ {flip};"),
        // NaN last in either order, 0 for both zeros; negative numbers count down, so all of their bits are flipped.
        Scalar::Num => format!(
            "let bits = bitcast<u32>(num_store(x)); let size = bits & 0x7fffffffu; \
             let ascending = select(select(bits | 0x80000000u, ~bits, bits > size), 0x80000000u, size == 0u); \
             return select(ascending ^ {flip}, 0xffffffffu, size > 0x7f800000u);"
        ),
    };
    format!("fn key_of(x: {}) -> u32 {{ {body} }}", scalar.wgsl_type())
}

/// Where the pairs of key and position are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pairs {
    pub(crate) keys_slot: usize,
    pub(crate) indices_slot: usize,
}

/// One row of whole numbers below a limit, to be sorted with their positions.
pub(crate) struct Places<'a> {
    /// What they are computed from.
    pub(crate) x: &'a Fused,
    /// The WGSL function `key_of(x) -> u32`, which may use `params.n_places`.
    pub(crate) key: &'a str,
    /// The limit.
    pub(crate) n_places: usize,
}

impl Places<'_> {
    /// The passes that sort them, stably, and where their results are.
    pub(crate) fn sorted(&self, cx: &mut PlanCx<'_>) -> (Vec<Pass>, Pairs) {
        let op = Sort::new(0, Order::Ascending, Output::Indices);
        let rows = Rows { n_rows: 1, n_cols: self.x.grid.n_elements() };
        let job = Job { op: &op, x: self.x, rows, n_inner: 1, key: self.key.to_owned(), n_places: Some(self.n_places) };
        let n_bits = usize::BITS - self.n_places.saturating_sub(1).leading_zeros();
        if rows.n_cols <= TILE_LEN {
            let pairs = job.pairs(cx);
            let n_bits = n_bits.next_multiple_of(2);
            let builder = job.kernel("sort places").file(SORT_SPLIT).file(SORT_ROWS);
            let builder = job.elements(builder, cx).prelude(&format!("const N_BITS: u32 = {n_bits}u;"));
            return (vec![store_pairs(builder, pairs).build([1, 1, 1])], pairs);
        }
        let mut pairs = job.pairs(cx);
        let mut passes = job.move_by_digit(cx, 0, None, Some(pairs));
        for digit in 1..n_bits.div_ceil(DIGIT_BITS) {
            let to = job.pairs(cx);
            passes.extend(job.move_by_digit(cx, digit * DIGIT_BITS, Some(pairs), Some(to)));
            pairs = to;
        }
        (passes, pairs)
    }
}

struct Job<'a> {
    op: &'a Sort,
    x: &'a Fused,
    rows: Rows,
    n_inner: usize,
    /// The WGSL function `key_of(x)`.
    key: String,
    /// The parameter of the same name, if the keys need it.
    n_places: Option<usize>,
}

pub(crate) fn plan(op: &Sort, cx: &mut PlanCx<'_>) -> Vec<Pass> {
    let (_, _, n_inner) = op.split(&cx.inputs[0].grid);
    let (x, rows) = as_rows(&cx.inputs[0], &[op.axis]);
    let job = Job { op, x: &x, rows, n_inner, key: key_function(x.scalar(), op.order), n_places: None };
    if rows.n_cols <= TILE_LEN {
        let n_bits = if x.scalar() == Scalar::Bool { 2 } else { 32 };
        let builder = job.kernel("sort rows").file(SORT_SPLIT).file(SORT_ROWS);
        let builder = job.elements(builder, cx).prelude(&format!("const N_BITS: u32 = {n_bits}u;"));
        return vec![job.results(builder, cx).build(cx.workgroups(rows.n_rows))];
    }
    let n_digits = if x.scalar() == Scalar::Bool { 1 } else { 4 };
    let mut passes = Vec::new();
    let mut from = None;
    for digit in 0..n_digits {
        let to = (digit + 1 < n_digits).then(|| job.pairs(cx));
        passes.extend(job.move_by_digit(cx, digit * DIGIT_BITS, from, to));
        from = to;
    }
    passes
}

impl Job<'_> {
    fn pairs(&self, cx: &mut PlanCx<'_>) -> Pairs {
        let size_bytes = (self.rows.n_rows * self.rows.n_cols * DType::U32.size_bytes()) as u64;
        Pairs { keys_slot: (cx.temp)(size_bytes), indices_slot: (cx.temp)(size_bytes) }
    }

    /// Counts, scans and moves. The first digit reads the elements themselves, the last one stores the result.
    fn move_by_digit(&self, cx: &mut PlanCx<'_>, shift: u32, from: Option<Pairs>, to: Option<Pairs>) -> Vec<Pass> {
        let n_tiles = self.rows.n_cols.div_ceil(TILE_LEN);
        let n_counts = self.rows.n_rows * N_DIGITS * n_tiles;
        let size_bytes = (n_counts * DType::U32.size_bytes()) as u64;
        let (counts_slot, starts_slot) = ((cx.temp)(size_bytes), (cx.temp)(size_bytes));
        let kernel = |label: &str| self.kernel(label).param("n_tiles", n_tiles as u32).param("shift", shift);
        let counting = self
            .keys(kernel("sort count").file(SORT_HISTOGRAM), cx, from)
            .sink("y", DType::U32, counts_slot, DType::U32, None)
            .build(cx.workgroups(self.rows.n_rows * n_tiles));
        let counts = read_slot(DType::U32, n_counts);
        let scan = RowScan {
            combine: Combine::Sum,
            reach: Reach::Exclusive,
            direction: Direction::Forward,
            dtype: DType::U32,
            x: &counts,
            slots: &[counts_slot.into()],
            rows: Rows { n_rows: self.rows.n_rows, n_cols: N_DIGITS * n_tiles },
            n_inner: 1,
            target: Target::Slot(starts_slot),
        };
        let mut passes = vec![counting];
        passes.extend(scan.passes(cx));
        let builder = kernel("sort move").file(SORT_SPLIT).file(SORT_SCATTER);
        let builder = self.keys(builder, cx, from).source("start_at", &counts, &[starts_slot.into()]);
        let builder = match from {
            None => builder.prelude("fn index_at(i: u32) -> u32 { return i % params.n_cols; }"),
            Some(pairs) => builder.source("index_at", &self.words(), &[pairs.indices_slot.into()]),
        };
        let builder = match (from, to) {
            (_, Some(pairs)) => store_pairs(builder, pairs),
            (None, None) => self.results(builder, cx),
            (Some(_), None) => self.results(self.read(builder, cx), cx),
        };
        passes.push(builder.build(cx.workgroups(self.rows.n_rows * n_tiles)));
        passes
    }

    fn words(&self) -> Fused {
        read_slot(DType::U32, self.rows.n_rows * self.rows.n_cols)
    }

    fn kernel(&self, label: &str) -> KernelBuilder {
        let Rows { n_rows, n_cols } = self.rows;
        let builder = KernelBuilder::new(label)
            .param("n_rows", n_rows as u32)
            .param("n_cols", n_cols as u32)
            .param("n_inner", self.n_inner.max(1) as u32)
            .param("n_kept", self.op.n_kept(n_cols) as u32);
        match self.n_places {
            Some(n_places) => builder.param("n_places", n_places as u32),
            None => builder,
        }
    }

    /// Adds `x(i)`.
    fn read(&self, builder: KernelBuilder, cx: &PlanCx<'_>) -> KernelBuilder {
        builder.source("x", self.x, cx.slots)
    }

    /// Adds `x(i)` and `key_at(i)` of the elements.
    fn elements(&self, builder: KernelBuilder, cx: &PlanCx<'_>) -> KernelBuilder {
        self.read(builder, cx).prelude(&self.key).prelude("fn key_at(i: u32) -> u32 { return key_of(x(i)); }")
    }

    /// Adds `key_at(i)`: of the elements before anything has moved, then of the pairs.
    fn keys(&self, builder: KernelBuilder, cx: &PlanCx<'_>, from: Option<Pairs>) -> KernelBuilder {
        match from {
            None => self.elements(builder, cx),
            Some(pairs) => builder.source("key_at", &self.words(), &[pairs.keys_slot.into()]),
        }
    }

    /// Adds `put`, which stores a result.
    fn results(&self, builder: KernelBuilder, cx: &PlanCx<'_>) -> KernelBuilder {
        let result = match self.op.output {
            Output::Values => "x(row * params.n_cols + index)",
            Output::Indices => "i32(index)",
        };
        cx.sink(builder, "y").prelude(&format!(
            "fn put(row: u32, position: u32, key: u32, index: u32) {{ if position < params.n_kept {{ \
             y(((row / params.n_inner) * params.n_kept + position) * params.n_inner + row % params.n_inner, {result}); }} }}"
        ))
    }
}

/// Adds `put`, which stores a pair.
fn store_pairs(builder: KernelBuilder, pairs: Pairs) -> KernelBuilder {
    builder
        .sink("key_to", DType::U32, pairs.keys_slot, DType::U32, None)
        .sink("index_to", DType::U32, pairs.indices_slot, DType::U32, None)
        .prelude(
            "fn put(row: u32, position: u32, key: u32, index: u32) { \
             key_to(row * params.n_cols + position, key); index_to(row * params.n_cols + position, index); }",
        )
}
