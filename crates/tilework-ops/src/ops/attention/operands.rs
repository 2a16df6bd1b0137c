//! How attention kernels read rows of queries, keys and values, and store rows of results: in quads where they lie in quads.

use crate::op::PlanCx;
use tilework_core::dtype::DType;
use tilework_core::emit::{KernelBuilder, QUAD};
use tilework_core::fused::Fused;
use tilework_core::layout::Layout;
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};

/// Names of the axes of an operand, the elements of a row last.
pub(crate) type Axes<'a> = &'a [&'a str];

/// `<name>_load(start, col)`: four elements of a row that begins at `start`, zeros beyond its end.
pub(crate) fn operand(
    cx: &PlanCx<'_>,
    builder: KernelBuilder,
    (name, index): (&str, usize),
    axes: Axes<'_>,
) -> Result<KernelBuilder> {
    let (input, dtype, layout) = plain(cx, index)?;
    let whole = Fused::read(input, dtype, whole_buffer()?);
    let (Some((col, outer)), Some(&n_cols)) = (layout.strides.split_last(), layout.shape.last()) else {
        return Err(Error::argument("attention", "needs rows"));
    };
    let in_quads = *col == 1
        && n_cols.is_multiple_of(QUAD)
        && layout.offset.is_multiple_of(QUAD)
        && outer.iter().all(|stride| stride % QUAD as isize == 0)
        && layout.shape.n_elements() > 0;
    let signature = format!("fn {name}_load(start: u32, col: u32) -> vec4<f32>");
    let builder = strides(builder, name, layout, axes);
    if in_quads {
        let body = format!("let p = {name}_pack(start + col); return vec4<f32>(p[0], p[1], p[2], p[3]);");
        return Ok(builder.prelude(&format!("{signature} {{ {body} }}")).pack_source(name, &whole, cx.slots, QUAD));
    }
    let end = if name == "v" { "params.dv" } else { "params.d" };
    let body = format!(
        "var quad = vec4<f32>(0.0); for (var j = 0u; j < 4u; j++) {{ if col + j < {end} {{ \
         quad[j] = {name}(start + (col + j) * params.{name}_col); }} }} return quad;"
    );
    Ok(builder.prelude(&format!("{signature} {{ {body} }}")).source(name, &whole, cx.slots))
}

/// `y_store(row, col, value)`: four elements of the row that begins at `row`, as far as it goes.
pub(crate) fn store(cx: &PlanCx<'_>, builder: KernelBuilder) -> KernelBuilder {
    let signature = "fn y_store(row: u32, col: u32, value: vec4<f32>)";
    let n_cols = cx.out.shape.last().copied().unwrap_or(0);
    if n_cols.is_multiple_of(QUAD) && cx.out.shape.n_elements() > 0 {
        let body = "y_pack(row + col, array<Num, 4>(value.x, value.y, value.z, value.w));";
        return cx.pack_sink(builder.prelude(&format!("{signature} {{ {body} }}")), "y", QUAD);
    }
    let body = "var quad = value; \
                for (var j = 0u; j < 4u; j++) { if col + j < params.dv { y(row + col + j, quad[j]); } }";
    cx.sink(builder.prelude(&format!("{signature} {{ {body} }}")), "y")
}

/// Offset and strides as the parameters `<name>_first` and `<name>_<axis>`.
pub(crate) fn strides(builder: KernelBuilder, name: &str, layout: &Layout, axes: Axes<'_>) -> KernelBuilder {
    let builder = builder.param(&format!("{name}_first"), layout.offset as u32);
    // A negative stride wraps around 2³² and the sum wraps back.
    let axes = axes.iter().zip(&layout.strides);
    axes.fold(builder, |builder, (axis, &stride)| builder.param(&format!("{name}_{axis}"), stride as i32 as u32))
}

/// The buffer and layout of an input that is read by address.
pub(crate) fn plain<'a>(cx: &'a PlanCx<'_>, index: usize) -> Result<(usize, DType, &'a Layout)> {
    cx.inputs[index].as_read().ok_or_else(|| Error::argument("attention", "inputs must be plain reads"))
}

/// The kernels compute addresses themselves: reading is by position in the buffer.
pub(crate) fn whole_buffer() -> Result<Layout> {
    Ok(Layout::contiguous(Shape::new("attention", vec![1 << 30])?))
}
