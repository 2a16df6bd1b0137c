//! Passes of a normalisation.

use super::{Affine, Center, RowNorm};
use crate::op::PlanCx;
use crate::rows::{RowShare, SUBGROUP, TREE};
use tilework_core::emit::KernelBuilder;
use tilework_core::plan::Pass;

const NORM: &str = tilework_core::wgsl!("norm.wgsl");
const NORM_LONG: &str = tilework_core::wgsl!("norm_long.wgsl");
const AFFINE_COLUMNS: &str = tilework_core::wgsl!("affine_columns.wgsl");
const AFFINE_CHANNELS: &str = tilework_core::wgsl!("affine_channels.wgsl");

/// The kernels of every normalisation.
pub(crate) const KERNELS: &[(&str, &str)] = &[
    ("norm.wgsl", NORM),
    ("norm_long.wgsl", NORM_LONG),
    ("affine_columns.wgsl", AFFINE_COLUMNS),
    ("affine_channels.wgsl", AFFINE_CHANNELS),
    ("tree.wgsl", TREE),
    ("subgroup.wgsl", SUBGROUP),
];

pub(crate) fn plan(norm: &RowNorm, cx: &PlanCx<'_>) -> Pass {
    let n_rows = norm.n_outer * norm.n_inner;
    let share = RowShare::new(n_rows, norm.n_cols, norm.n_inner);
    let builder = share
        .builder(norm.name, cx.caps)
        .file(if share.n_packs.is_some() { NORM } else { NORM_LONG })
        .prelude(&format!("const CENTERED: bool = {};", norm.center == Center::Mean))
        .param("n_rows", n_rows as u32)
        .param("n_cols", norm.n_cols as u32)
        .param("n_inner", norm.n_inner.max(1) as u32)
        .param("epsilon", (norm.epsilon as f32).to_bits());
    let builder = affine(norm, cx, builder, share.pack);
    let builder = cx.pack_sink(cx.pack_source(builder, "x", 0, share.pack), "y", share.pack);
    builder.build(cx.workgroups(n_rows))
}

/// Adds weight and bias, as ones and zeros where there are none.
fn affine(norm: &RowNorm, cx: &PlanCx<'_>, builder: KernelBuilder, pack: usize) -> KernelBuilder {
    let mut builder = match norm.affine {
        Affine::Columns => builder.file(AFFINE_COLUMNS),
        Affine::Channels { n_groups, n_spatial } => builder
            .file(AFFINE_CHANNELS)
            .param("n_groups", n_groups.max(1) as u32)
            .param("n_spatial", n_spatial.max(1) as u32),
    };
    for (index, name, neutral) in [(1, "weight", "1.0"), (2, "bias", "0.0")] {
        let is_given = index < cx.inputs.len();
        builder = match (norm.affine, is_given) {
            (Affine::Columns, true) => cx.pack_source(builder, name, index, pack),
            (Affine::Channels { .. }, true) => cx.source(builder, name, index),
            (Affine::Columns, false) => {
                let values = vec![format!("num_of({neutral})"); pack].join(", ");
                let body = format!("return array<Num, {pack}>({values});");
                builder.prelude(&format!("fn {name}_pack(i: u32) -> array<Num, {pack}> {{ {body} }}"))
            }
            (Affine::Channels { .. }, false) => {
                builder.prelude(&format!("fn {name}(i: u32) -> Num {{ return num_of({neutral}); }}"))
            }
        };
    }
    builder
}
