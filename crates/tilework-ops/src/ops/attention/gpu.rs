//! Passes of attention: tiles of queries where there are many, splits of the keys where there are few.

use super::operands::{Axes, operand, plain, store, strides, whole_buffer};
use super::{Attention, Mask, Roles, Sizes};
use crate::op::PlanCx;
use tilework_core::dtype::DType;
use tilework_core::emit::{KernelBuilder, QUAD};
use tilework_core::fused::Fused;
use tilework_core::plan::Pass;
use tilework_core::{Error, Result};

const COMMON: &str = tilework_core::wgsl!("common.wgsl");
const PREFILL: &str = tilework_core::wgsl!("prefill.wgsl");
const DECODE: &str = tilework_core::wgsl!("decode.wgsl");
const COMBINE: &str = tilework_core::wgsl!("combine.wgsl");

pub(super) const KERNELS: &[(&str, &str)] =
    &[("common.wgsl", COMMON), ("prefill.wgsl", PREFILL), ("decode.wgsl", DECODE), ("combine.wgsl", COMBINE)];

const AXES: Axes<'_> = &["batch", "head", "row", "col"];

/// Up to so many queries the keys are split among workgroups instead.
const FEW_QUERIES: usize = 8;
/// Queries of a workgroup of `prefill.wgsl`.
const QUERY_TILE: usize = 64;
/// Columns of one step of it, and steps that fit into registers.
const CHUNK_COLUMNS: usize = 32;
const MAX_CHUNKS: usize = 8;
/// Keys of one step of `decode.wgsl`.
const KEY_BLOCK: usize = 128;
/// Columns of a workgroup of it.
const DECODE_COLUMNS: usize = 512;
/// Rows of a workgroup of it, and quads of queries it has memory for.
const MAX_ROWS: usize = 8;
const MAX_QUERY_QUADS: usize = 512;
/// Workgroups that keep a large device busy, and splits that are still quickly combined.
const WANTED_WORKGROUPS: usize = 512;
const MAX_SPLITS: usize = 64;

pub(super) fn plan(op: &Attention, cx: &mut PlanCx<'_>) -> Result<Vec<Pass>> {
    let sizes = Sizes::of(&cx.inputs[0].grid, &cx.inputs[1].grid, &cx.inputs[2].grid)?;
    let is_empty = cx.out.shape.n_elements() == 0;
    if sizes.n_q <= FEW_QUERIES && !is_empty && sizes.d.div_ceil(QUAD) <= MAX_QUERY_QUADS {
        decode(op, cx, &sizes)
    } else {
        Ok(vec![prefill(op, cx, &sizes)?])
    }
}

fn prefill(op: &Attention, cx: &PlanCx<'_>, sizes: &Sizes) -> Result<Pass> {
    let n_chunks = sizes.dv.div_ceil(CHUNK_COLUMNS).clamp(1, MAX_CHUNKS);
    let n_query_tiles = sizes.n_q.div_ceil(QUERY_TILE).max(1);
    let n_column_tiles = sizes.dv.div_ceil(CHUNK_COLUMNS * n_chunks);
    let n_units = sizes.n_batch * sizes.n_heads * sizes.n_q.div_ceil(QUERY_TILE) * n_column_tiles;
    let builder = KernelBuilder::new("attention")
        .file(PREFILL)
        .prelude(&format!("const N_CHUNKS: u32 = {n_chunks}u;"))
        .param("n_units", n_units as u32)
        .param("n_query_tiles", n_query_tiles as u32);
    let builder = with_inputs(op, cx, sizes, builder)?;
    Ok(store(cx, builder).build(cx.workgroups(n_units)))
}

fn decode(op: &Attention, cx: &mut PlanCx<'_>, sizes: &Sizes) -> Result<Vec<Pass>> {
    let d_quads = sizes.d.div_ceil(QUAD).max(1);
    let n_rows = sizes.n_group() * sizes.n_q;
    let rows = n_rows.min(MAX_ROWS).min(MAX_QUERY_QUADS / d_quads).max(1);
    let n_row_tiles = n_rows.div_ceil(rows);
    let n_column_tiles = sizes.dv.div_ceil(DECODE_COLUMNS);
    let n_tiles = sizes.n_batch * sizes.n_kv_heads * n_row_tiles * n_column_tiles;
    let n_blocks = sizes.n_kv.div_ceil(KEY_BLOCK).max(1);
    let n_splits = WANTED_WORKGROUPS.div_ceil(n_tiles).min(MAX_SPLITS).min(n_blocks);
    let n_y_rows = sizes.n_batch * sizes.n_heads * sizes.n_q;
    let partial = (cx.temp)((n_y_rows * n_splits * (sizes.dv + 2) * size_of::<f32>()) as u64);
    let builder = KernelBuilder::new("attention split")
        .file(DECODE)
        .prelude(&format!("const ROWS: u32 = {rows}u;"))
        .prelude(&format!("const D_QUADS: u32 = {d_quads}u;"))
        .param("n_units", (n_tiles * n_splits) as u32)
        .param("n_splits", n_splits as u32)
        .param("n_row_tiles", n_row_tiles as u32)
        .param("n_column_tiles", n_column_tiles as u32)
        .sink("partial", DType::F32, partial, DType::F32, None);
    let split = with_inputs(op, cx, sizes, builder)?.build(cx.workgroups(n_tiles * n_splits));
    let n = cx.out.shape.n_elements();
    let builder = KernelBuilder::new("attention combine")
        .file(COMBINE)
        .param("n_elements", n as u32)
        .param("dv", sizes.dv as u32)
        .param("n_splits", n_splits as u32)
        .source("partial", &Fused::read(0, DType::F32, whole_buffer()?), &[partial.into()]);
    Ok(vec![split, cx.sink(builder, "y").build(cx.workgroups(n.div_ceil(256)))])
}

/// Everything a kernel needs to know of the inputs.
fn with_inputs(op: &Attention, cx: &PlanCx<'_>, sizes: &Sizes, builder: KernelBuilder) -> Result<KernelBuilder> {
    let scale = op.scale_for(sizes.d);
    let per_ln2 = std::f64::consts::LOG2_E;
    let (scale, cap) = op.soft_cap.map_or((scale * per_ln2, 0.0), |cap| (scale / cap, cap * per_ln2));
    let window = if let Mask::Windowed(window) = op.mask { window } else { 0 };
    let mut builder = builder
        .file(COMMON)
        .prelude(&format!("const CAUSAL: bool = {};", op.mask != Mask::None))
        .prelude(&format!("const WINDOWED: bool = {};", window > 0))
        .prelude(&format!("const CAPPED: bool = {};", op.soft_cap.is_some()))
        .param("n_heads", sizes.n_heads.max(1) as u32)
        .param("n_group", sizes.n_group().max(1) as u32)
        .param("n_q", sizes.n_q.max(1) as u32)
        .param("n_kv", sizes.n_kv as u32)
        .param("d", sizes.d as u32)
        .param("dv", sizes.dv.max(1) as u32)
        .param("window", window.min(1 << 30) as u32)
        .param("scale", (scale as f32).to_bits())
        .param("cap_per_ln2", (cap as f32).to_bits());
    for (index, name) in ["q", "k", "v"].into_iter().enumerate() {
        builder = operand(cx, builder, (name, index), AXES)?;
    }
    optional_inputs(cx, sizes, builder)
}

/// The additive mask and `n_past`, or what stands for them.
fn optional_inputs(cx: &PlanCx<'_>, sizes: &Sizes, builder: KernelBuilder) -> Result<KernelBuilder> {
    let roles = Roles::of(cx.metas.iter().map(|meta| meta.dtype))
        .ok_or_else(|| Error::argument("attention", "inputs changed their types"))?;
    let mut builder = builder.prelude(&format!("const MASKED: bool = {};", roles.mask.is_some()));
    let signature = "fn mask_at(batch: u32, head: u32, query: u32, key: u32) -> f32";
    builder = match roles.mask {
        None => builder.prelude(&format!("{signature} {{ return 0.0; }}")),
        Some(index) => {
            let (input, dtype, layout) = plain(cx, index)?;
            let layout = layout.expanded(&sizes.scores()?);
            let at = "params.mask_first + batch * params.mask_batch + head * params.mask_head + query * params.mask_row \
                      + key * params.mask_col";
            strides(builder, "mask", &layout, AXES).prelude(&format!("{signature} {{ return mask({at}); }}")).source(
                "mask",
                &Fused::read(input, dtype, whole_buffer()?),
                cx.slots,
            )
        }
    };
    Ok(match roles.n_past {
        None => builder
            .param("default_past", sizes.default_past() as u32)
            .prelude("fn n_past() -> i32 { return i32(params.default_past); }"),
        Some(index) => cx.source(builder, "past", index).prelude("fn n_past() -> i32 { return i32(past(0u)); }"),
    })
}
