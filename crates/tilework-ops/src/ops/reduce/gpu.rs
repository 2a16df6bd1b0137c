//! Reductions on the GPU: one pass for short or few-part rows, two for long ones.

use super::{Combine, Reduce, Rows, as_rows};
use crate::op::{PlanCx, Variants};
use tilework_core::dtype::{DType, Scalar};
use tilework_core::emit::KernelBuilder;
use tilework_core::fused::Fused;
use tilework_core::layout::Layout;
use tilework_core::plan::{Caps, HAS_SUBGROUPS, Pass};
use tilework_core::shape::Shape;

pub(crate) const REDUCE: &str = tilework_core::wgsl!("reduce.wgsl");
pub(crate) const REDUCE_SUBGROUP: &str = tilework_core::wgsl!("reduce_subgroup.wgsl");
pub(crate) const REDUCE_SHORT: &str = tilework_core::wgsl!("reduce_short.wgsl");

/// Invocations of a workgroup.
const N_INVOCATIONS: u32 = 256;
/// Rows up to this long are reduced by one invocation each.
const SHORT_COLS: usize = 32;
/// A row longer than this is cut into parts, so that one long row still fills a GPU.
const PART_LEN: usize = 16 * 1024;

/// The kernels for such rows, the best guess first.
pub(super) fn variants(rows: Rows, scalar: Scalar, caps: &Caps) -> Variants {
    // Only numbers can be exchanged in a subgroup, and only full subgroups tell how many take part.
    let fits = |(_, largest): (u32, u32)| largest > 1 && N_INVOCATIONS.is_multiple_of(largest.max(1));
    let names = match caps.subgroup_sizes.filter(|_| HAS_SUBGROUPS) {
        _ if rows.n_cols <= SHORT_COLS => vec!["short"],
        Some(sizes) if fits(sizes) && scalar != Scalar::Bool => vec!["subgroup", "tree"],
        _ => vec!["tree"],
    };
    Variants { names, sizes: vec![rows.n_rows, rows.n_cols] }
}

/// `in_subgroup(value, size)`: the combined values of all invocations of a subgroup, by exchanges at doubling distances.
fn exchanges(largest: u32) -> String {
    let mut steps = String::new();
    for distance in (0..largest.ilog2()).map(|bit| 1u32 << bit) {
        steps += &format!(
            "    other = subgroupShuffleXor(all, {distance}u);\n    all = select(all, combine(all, other), size > {distance}u);\n"
        );
    }
    format!(
        "fn in_subgroup(value: Acc, size: u32) -> Acc {{\n    var all = value;\n    var other = value;\n{steps}    return all;\n}}"
    )
}

pub(super) fn plan(op: &Reduce, cx: &mut PlanCx<'_>) -> Vec<Pass> {
    let (x, rows) = as_rows(&cx.inputs[0], &op.axes);
    let scalar = x.scalar();
    let variant = cx.variant("reduce", &variants(rows, scalar, cx.caps));
    let largest_subgroup = cx.caps.subgroup_sizes.map_or(1, |(_, largest)| largest);
    let kernel = |part: &str| declare(KernelBuilder::new(format!("{}{part}", op.combine.name())), op.combine, scalar);
    if rows.n_cols <= SHORT_COLS {
        let builder =
            kernel("").file(REDUCE_SHORT).param("n_rows", rows.n_rows as u32).param("n_cols", rows.n_cols as u32);
        let builder = cx.sink(builder.source("x", &x, cx.slots), "y");
        return vec![builder.build(cx.workgroups(rows.n_rows.div_ceil(256)))];
    }
    let n_parts = rows.n_cols.div_ceil(PART_LEN);
    let tree = |builder: KernelBuilder, n_cols: usize, n_parts: usize| {
        let part_len = n_cols.div_ceil(n_parts);
        let builder = match variant {
            "subgroup" if HAS_SUBGROUPS => builder.file(REDUCE_SUBGROUP).prelude(&exchanges(largest_subgroup)),
            _ => builder.file(REDUCE),
        };
        let builder = builder.param("n_rows", rows.n_rows as u32).param("n_cols", n_cols as u32);
        builder.param("n_parts", n_parts as u32).param("part_len", part_len as u32)
    };
    if n_parts == 1 {
        let builder = cx.sink(tree(kernel(""), rows.n_cols, 1).source("x", &x, cx.slots), "y");
        return vec![builder.build(cx.workgroups(rows.n_rows))];
    }
    // First pass: one result per part. Second pass: the parts of each row.
    let dtype = cx.metas[0].dtype;
    let n_partial = rows.n_rows * n_parts;
    let partial_slot = (cx.temp)((n_partial * DType::F32.size_bytes()) as u64);
    let first = tree(kernel(" parts"), rows.n_cols, n_parts)
        .source("x", &x, cx.slots)
        .sink("y", dtype, partial_slot, dtype, None)
        .build(cx.workgroups(n_partial));
    let layout = Layout::contiguous(Shape::new("reduce", vec![n_partial]).unwrap_or_default());
    let partial = Fused::read(0, dtype, layout);
    let second = cx.sink(tree(kernel(""), n_parts, 1).source("x", &partial, &[partial_slot.into()]), "y");
    vec![first, second.build(cx.workgroups(rows.n_rows))]
}

/// Defines the element type and how two elements become one.
pub(crate) fn declare(builder: KernelBuilder, combine: Combine, scalar: Scalar) -> KernelBuilder {
    let (acc, prefix, two) = (scalar.wgsl_type(), scalar.wgsl_prefix(), combine.scalar_op().name());
    let identity = match (scalar, combine.identity(scalar)) {
        (Scalar::Num, value) if value.is_infinite() => format!("num_of(f32_bits({:#x}u))", (value as f32).to_bits()),
        (Scalar::Num, value) => format!("num_of({:?}f)", value as f32),
        (Scalar::Int, value) if value < 0.0 => "(-2147483647 - 1)".to_owned(),
        (Scalar::Int, value) => format!("{}i", value as i64),
        (Scalar::Uint, value) => format!("{}u", value as u64),
        (Scalar::Bool, value) => (value != 0.0).to_string(),
        // No kernel has these: machines keep such work on the CPU.
        (Scalar::Long | Scalar::Ulong, _) => "vec2<u32>()".to_owned(),
    };
    builder
        .prelude(&format!("alias Acc = {acc};"))
        .prelude(&format!("fn combine(a: Acc, b: Acc) -> Acc {{ return {prefix}_{two}(a, b); }}"))
        .prelude(&format!("fn identity() -> Acc {{ return {identity}; }}"))
}
