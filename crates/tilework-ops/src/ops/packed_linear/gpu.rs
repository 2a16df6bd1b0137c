//! Passes of a product with packed weights: one workgroup per few rows where there are few vectors, tiles where there are many.

use super::{Gate, PackedLinear, Sizes};
use crate::op::PlanCx;
use crate::packed_weights::{self, with_weights};
use tilework_core::Result;
use tilework_core::dtype::DType;
use tilework_core::emit::{KernelBuilder, QUAD};
use tilework_core::fused::Fused;
use tilework_core::layout::Layout;
use tilework_core::plan::Pass;
use tilework_core::shape::Shape;

const FEW: &str = tilework_core::wgsl!("few.wgsl");
const MANY: &str = tilework_core::wgsl!("many.wgsl");
const INVERSES: &str = tilework_core::wgsl!("inverses.wgsl");
const ACTIVATION: &str = tilework_core::wgsl!("activation.wgsl");
const X_QUADS: &str = tilework_core::wgsl!("x_quads.wgsl");
const X_ELEMENTS: &str = tilework_core::wgsl!("x_elements.wgsl");

pub(super) const KERNELS: &[(&str, &str)] = &{
    let mut kernels = [("", ""); packed_weights::KERNELS.len() + 6];
    let mut at = 0;
    while at < packed_weights::KERNELS.len() {
        kernels[at] = packed_weights::KERNELS[at];
        at += 1;
    }
    kernels[at] = ("few.wgsl", FEW);
    kernels[at + 1] = ("many.wgsl", MANY);
    kernels[at + 2] = ("inverses.wgsl", INVERSES);
    kernels[at + 3] = ("activation.wgsl", ACTIVATION);
    kernels[at + 4] = ("x_quads.wgsl", X_QUADS);
    kernels[at + 5] = ("x_elements.wgsl", X_ELEMENTS);
    kernels
};

/// Up to so many vectors, each row of weights is read once for all of them.
const MAX_FEW: usize = 4;
/// Invocations of a workgroup of `few.wgsl` that share rows are in so many sets.
const FEW_SETS: usize = 8;
/// Rows and vectors of a workgroup of `many.wgsl`.
const TILE: usize = 32;

pub(super) fn plan(op: &PackedLinear, cx: &mut PlanCx<'_>) -> Result<Vec<Pass>> {
    let sizes = Sizes::of(&cx.inputs[0].grid, &cx.inputs[1].grid, op.rows_per_result());
    if sizes.m <= MAX_FEW { few(op, cx, &sizes).map(|pass| vec![pass]) } else { many(op, cx, &sizes) }
}

fn few(op: &PackedLinear, cx: &PlanCx<'_>, sizes: &Sizes) -> Result<Pass> {
    let n_rows = sizes.n * op.rows_per_result();
    let rows_per_lane = rows_per_lane(n_rows);
    let builder = KernelBuilder::new(format!("linear {}", op.format))
        .file(FEW)
        .prelude(&format!("const N_VECTORS: u32 = {}u;", sizes.m.max(1)))
        .prelude(&format!("const ROWS_PER_LANE: u32 = {rows_per_lane}u;"))
        .prelude(&format!("const NORMAL: bool = {};", cx.inputs.len() > 2))
        .param("epsilon", (op.epsilon as f32).to_bits());
    let builder = common(op, cx, sizes, builder);
    Ok(cx.sink(builder, "y").build(cx.workgroups(n_rows.div_ceil(FEW_SETS * rows_per_lane))))
}

/// The more rows an invocation has, the less often vectors are read; but a GPU wants some hundreds of workgroups.
fn rows_per_lane(n_rows: usize) -> usize {
    match n_rows {
        ..1024 => 1,
        1024..8192 => 2,
        _ => 4,
    }
}

fn many(op: &PackedLinear, cx: &mut PlanCx<'_>, sizes: &Sizes) -> Result<Vec<Pass>> {
    let mut passes = Vec::new();
    let is_normal = cx.inputs.len() > 2;
    let builder = KernelBuilder::new(format!("linear tiles {}", op.format)).file(MANY);
    let builder = if is_normal {
        let inverses = (cx.temp)((sizes.m * size_of::<f32>()) as u64);
        let pass = KernelBuilder::new("inverse root mean squares")
            .file(INVERSES)
            .param("n_vectors", sizes.m as u32)
            .param("n_cols", sizes.k as u32)
            .param("epsilon", (op.epsilon as f32).to_bits())
            .sink("inverse", DType::F32, inverses, DType::F32, None);
        passes.push(cx.source(pass, "x", 0).build(cx.workgroups(sizes.m)));
        let layout = Layout::contiguous(Shape::new("packed_linear", vec![sizes.m])?);
        builder.source("inverse", &Fused::read(0, DType::F32, layout), &[inverses.into()])
    } else {
        builder.prelude("fn inverse(vector: u32) -> f32 { return 1.0; }")
    };
    let n_rows = sizes.n * op.rows_per_result();
    let n_tiles = n_rows.div_ceil(TILE) * sizes.m.div_ceil(TILE);
    let builder = common(op, cx, sizes, builder.param("n_row_tiles", n_rows.div_ceil(TILE).max(1) as u32));
    passes.push(cx.sink(builder, "y").build(cx.workgroups(n_tiles)));
    Ok(passes)
}

/// What both kernels need of the inputs.
fn common(op: &PackedLinear, cx: &PlanCx<'_>, sizes: &Sizes, builder: KernelBuilder) -> KernelBuilder {
    let in_quads = sizes.k.is_multiple_of(QUAD) && sizes.m * sizes.k > 0;
    let gate = match op.gate {
        Gate::None => 0,
        Gate::Silu => 1,
        Gate::Gelu => 2,
    };
    let builder = builder
        .file(ACTIVATION)
        .prelude(&format!("const GATE: u32 = {gate}u;"))
        .file(if in_quads { X_QUADS } else { X_ELEMENTS })
        .param("n_vectors", sizes.m as u32)
        .param("n_rows", (sizes.n * op.rows_per_result()) as u32)
        .param("n_results", sizes.n as u32)
        .param("n_groups", packed_weights::n_groups(sizes.k) as u32)
        .param("row_words", sizes.row_words as u32);
    let builder = cx.source(with_weights(builder, op.format, sizes.k), "w", 1);
    let (builder, norms) = if in_quads {
        (
            cx.pack_source(builder, "x", 0, QUAD),
            "fn norm_pack(i: u32) -> array<Num, 4> { return array<Num, 4>(1.0, 1.0, 1.0, 1.0); }",
        )
    } else {
        (cx.source(builder, "x", 0), "fn norm(i: u32) -> f32 { return 1.0; }")
    };
    match (cx.inputs.len() > 2, in_quads) {
        (false, _) => builder.prelude(norms),
        (true, true) => cx.pack_source(builder, "norm", 2, QUAD),
        (true, false) => cx.source(builder, "norm", 2),
    }
}
