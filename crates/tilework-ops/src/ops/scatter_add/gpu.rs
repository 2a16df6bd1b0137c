//! Scatter-add on the GPU. Few indices: every place looks through all of them. Many: the indices are sorted by the place they
//! name, and each place adds its own, with sums of whole parts made beforehand.

use super::ScatterAdd;
use crate::op::{PlanCx, Variants};
use crate::ops::scan::gpu::read_slot;
use crate::ops::sort::gpu::Places;
use tilework_core::dtype::DType;
use tilework_core::emit::KernelBuilder;
use tilework_core::plan::Pass;

const SCATTER_ADD: &str = tilework_core::wgsl!("scatter_add.wgsl");
const STARTS: &str = tilework_core::wgsl!("scatter_add_starts.wgsl");
const PARTS: &str = tilework_core::wgsl!("scatter_add_parts.wgsl");
const SORTED: &str = tilework_core::wgsl!("scatter_add_sorted.wgsl");

pub(super) const KERNELS: &[(&str, &str)] = &[
    ("scatter_add.wgsl", SCATTER_ADD),
    ("scatter_add_starts.wgsl", STARTS),
    ("scatter_add_parts.wgsl", PARTS),
    ("scatter_add_sorted.wgsl", SORTED),
];

/// The module of a first web visit has no sort.
const HAS_SORT: bool = cfg!(feature = "extended");
/// Comparisons that cost about as much as the passes of a sort.
const FEW_COMPARISONS: usize = 1 << 22;
/// Rows whose sum is made once, if they all go to one place.
const PART: usize = 64;

/// `key_of(index)`: the place an index names.
pub(crate) const PLACE_KEY: &str = "fn key_of(index: i32) -> u32 { let n = i32(params.n_places); \
     return u32(clamp(select(index, index + n, index < 0), 0, n - 1)); }";

/// Sizes of the work, in the terms of the kernels.
#[derive(Clone, Copy)]
pub(super) struct Sizes {
    pub(super) n_outer: usize,
    pub(super) n_indices: usize,
    pub(super) n_axis: usize,
    pub(super) n_inner: usize,
}

impl Sizes {
    fn n_results(&self) -> usize {
        self.n_outer * self.n_axis * self.n_inner
    }
}

pub(super) fn variants(sizes: &Sizes) -> Variants {
    let can_sort = HAS_SORT && sizes.n_indices > 0;
    let is_small = sizes.n_results().saturating_mul(sizes.n_indices) <= FEW_COMPARISONS;
    let names = match (can_sort, is_small) {
        (false, _) => vec!["each"],
        (true, true) => vec!["each", "sorted"],
        (true, false) => vec!["sorted", "each"],
    };
    Variants { names, sizes: vec![sizes.n_results(), sizes.n_indices] }
}

pub(super) fn plan(op: &ScatterAdd, sizes: &Sizes, cx: &mut PlanCx<'_>) -> Vec<Pass> {
    let variants = variants(sizes);
    if HAS_SORT && cx.variant("scatter_add", &variants) == "sorted" {
        return sorted(op, sizes, cx);
    }
    let builder = kernel("scatter_add", SCATTER_ADD, sizes, sizes.n_results()).param("n_axis", op.n_axis.max(1) as u32);
    let builder = cx.sink(cx.source(cx.source(builder, "x", 0), "index_at", 1), "y");
    vec![builder.build(cx.workgroups(sizes.n_results().div_ceil(256)))]
}

fn kernel(label: &str, file: &'static str, sizes: &Sizes, n_elements: usize) -> KernelBuilder {
    KernelBuilder::new(label)
        .file(file)
        .param("n_elements", n_elements as u32)
        .param("n_indices", sizes.n_indices as u32)
        .param("n_inner", sizes.n_inner.max(1) as u32)
}

fn sorted(op: &ScatterAdd, sizes: &Sizes, cx: &mut PlanCx<'_>) -> Vec<Pass> {
    let &Sizes { n_outer, n_indices, n_inner, .. } = sizes;
    let (mut passes, pairs) = Places { x: &cx.inputs[1], key: PLACE_KEY, n_places: op.n_axis }.sorted(cx);
    let words = read_slot(DType::U32, n_indices);
    let n_starts = op.n_axis + 1;
    let starts_slot = (cx.temp)((n_starts * DType::U32.size_bytes()) as u64);
    let starts = KernelBuilder::new("scatter_add starts")
        .file(STARTS)
        .param("n_starts", n_starts as u32)
        .param("n_indices", n_indices as u32)
        .source("place_at", &words, &[pairs.keys_slot.into()])
        .sink("y", DType::U32, starts_slot, DType::U32, None);
    passes.push(starts.build(cx.workgroups(n_starts.div_ceil(256))));
    let n_parts = n_indices / PART;
    let n_part_sums = n_outer * n_parts * n_inner;
    let parts_slot = (cx.temp)((n_part_sums.max(1) * DType::F32.size_bytes()) as u64);
    let with_parts = |label: &str, file, n_elements: usize| {
        let builder = kernel(label, file, sizes, n_elements).param("n_parts", n_parts.max(1) as u32);
        builder.prelude(&format!("const PART: u32 = {PART}u;")).source("order_at", &words, &[pairs.indices_slot.into()])
    };
    if n_part_sums > 0 {
        let builder = with_parts("scatter_add parts", PARTS, n_part_sums);
        let builder = cx.source(builder, "x", 0).source("place_at", &words, &[pairs.keys_slot.into()]);
        let builder = builder.sink("y", DType::F32, parts_slot, DType::F32, None);
        passes.push(builder.build(cx.workgroups(n_part_sums.div_ceil(256))));
    }
    let builder = with_parts("scatter_add", SORTED, sizes.n_results()).param("n_axis", op.n_axis.max(1) as u32);
    let builder = cx
        .source(builder, "x", 0)
        .source("start_at", &read_slot(DType::U32, n_starts), &[starts_slot.into()])
        .source("part_at", &read_slot(DType::F32, n_part_sums.max(1)), &[parts_slot.into()]);
    passes.push(cx.sink(builder, "y").build(cx.workgroups(sizes.n_results().div_ceil(256))));
    passes
}
