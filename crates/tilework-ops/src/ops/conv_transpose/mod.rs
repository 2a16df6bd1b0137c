//! Transposed convolution: what a convolution's input receives of the adjoint of its result, as an operation of its own.
//! `y[n, o, q…] = Σ over c, k…, p… with p·stride + k·dilation − padding = q of weight[c, o, k…] · x[n, c, p…]`.
//!
//! `x` is `[n, c_in, spatial…]`, `weight` is `[c_in, c_out / groups, kernel…]`. Every result gathers the taps that reach it, so
//! no two write to the same place. Results are taken apart by their remainder modulo the stride: those with one remainder
//! are met by every so-many-th tap at neighbouring positions, which is a convolution without stride; no work is done for taps that
//! meet nothing. A result that no tap reaches is zero.

mod cases;
mod cpu;
mod reference;

use crate::attrs::{AttrKind, Attribute, Given};
use crate::cpu::CpuCx;
use crate::graph::{self, NodeRef};
use crate::op::{InputForm, Meta, Op, OpSignature, PlanCx, Reference, Variants, VjpCx};
use crate::ops::conv::correlation::{Correlation, Placed, Walk, planes};
use crate::ops::conv::window::{self, Axis, lifted};
use crate::ops::conv::{Conv, GROUPS, Window, gpu, groups, pair, weight_gradient};
use crate::registry::Entry;
use std::sync::Arc;
use tilework_core::emit::KernelBuilder;
use tilework_core::host::{HostBuffer, HostView};
use tilework_core::layout::Layout;
use tilework_core::plan::{Caps, Pass};
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};

const SIMPLE: &str = tilework_core::wgsl!("conv_transpose_simple.wgsl");

/// Remainders modulo the strides up to which each has its own pass on a GPU.
const MAX_PASSES: usize = 16;

/// A transposed convolution.
#[derive(Clone, Debug)]
pub struct ConvTranspose {
    window: Window,
    /// Elements at the end of each spatial axis beyond what the convolution it transposes needs; like the lists of `window`.
    output_padding: Vec<usize>,
    n_groups: usize,
}

/// Sizes of a transposed convolution.
struct Sizes {
    axes: [Axis; 2],
    /// Of the input and of the result.
    from: [usize; 2],
    to: [usize; 2],
    out: Shape,
}

impl ConvTranspose {
    /// The transpose of the convolution with `window` and `n_groups`, whose input had `output_padding` elements at the end of
    /// each spatial axis that no position reached.
    pub fn new(window: Window, output_padding: Vec<usize>, n_groups: usize) -> ConvTranspose {
        ConvTranspose { window, output_padding, n_groups }
    }

    fn check(&self, x: &Shape, weight: &Shape) -> Result<Sizes> {
        let op = "conv_transpose";
        let mismatch = |why: &str| Error::shape(op, format!("{why}: {x} by {weight} in {} groups", self.n_groups));
        let (&[n, c_in, ref sizes @ ..], &[c_weight, c_group, ref kernel @ ..]) = (&**x, &**weight) else {
            return Err(mismatch("needs [n, c_in, spatial…] and [c_in, c_out / groups, kernel…]"));
        };
        if sizes.len() != kernel.len() || !(1..=2).contains(&sizes.len()) {
            return Err(mismatch("needs one or two spatial axes, and as many of the kernel"));
        }
        if self.n_groups == 0 || !c_in.is_multiple_of(self.n_groups) {
            return Err(mismatch("the groups do not divide the channels"));
        }
        if c_weight != c_in {
            return Err(mismatch("input channels differ"));
        }
        let axes = self.window.axes(op, kernel)?;
        let extra = match *self.output_padding {
            [] => vec![0; axes.len()],
            [one] => vec![one; axes.len()],
            _ => self.output_padding.clone(),
        };
        if extra.len() != axes.len() || extra.iter().zip(&axes).any(|(&extra, axis)| extra >= axis.stride) {
            let message =
                format!("output_padding {extra:?} must be smaller than the stride, one for each spatial axis");
            return Err(Error::argument(op, message));
        }
        let grown: Option<Vec<usize>> =
            axes.iter().zip(sizes).zip(&extra).map(|((axis, &size), &extra)| axis.size_for(size, extra)).collect();
        let grown = grown.ok_or_else(|| mismatch("there is nothing left between the padding"))?;
        let out = Shape::new(op, [n, c_group * self.n_groups].into_iter().chain(grown.clone()).collect::<Vec<_>>())?;
        Ok(Sizes { axes: lifted(&axes, Axis::ABSENT), from: lifted(sizes, 1), to: lifted(&grown, 1), out })
    }

    /// One correlation for each remainder of the results modulo the strides.
    fn correlations(&self, x: &Layout, weight: &Layout) -> Result<Vec<Correlation>> {
        let Sizes { axes, from, to, .. } = self.check(&x.shape, &weight.shape)?;
        let w = planes(weight);
        let [per_channel, per_row, per_y, per_x] = w.strides;
        let (n_rows, n_channels) = (weight.shape[1], weight.shape[0] / self.n_groups);
        let mut all = Vec::new();
        for y in phases(&axes[0], from[0], to[0]) {
            for x_phase in phases(&axes[1], from[1], to[1]) {
                let area = (to[0] * to[1]) as isize;
                let width = to[1] as isize;
                all.push(Correlation {
                    n_images: x.shape[0],
                    n_groups: self.n_groups,
                    n_rows,
                    n_channels,
                    walks: [y.walk, x_phase.walk],
                    x: planes(x),
                    weight: Placed {
                        offset: w.offset + y.first_tap * per_y + x_phase.first_tap * per_x,
                        strides: [
                            per_channel * n_channels as isize,
                            per_row,
                            per_channel,
                            per_y * y.tap_step,
                            per_x * x_phase.tap_step,
                        ],
                    },
                    y: Placed {
                        offset: y.remainder as isize * width + x_phase.remainder as isize,
                        strides: [
                            (self.n_groups * n_rows) as isize * area,
                            area,
                            axes[0].stride as isize * width,
                            axes[1].stride as isize,
                        ],
                    },
                });
            }
        }
        Ok(all)
    }

    fn n_phases(&self, x: &Shape, weight: &Shape) -> Result<usize> {
        let Sizes { axes, to, .. } = self.check(x, weight)?;
        Ok((0..2).map(|k| axes[k].stride.min(to[k])).product())
    }
}

/// Results with one remainder modulo the stride along one axis.
struct Phase {
    remainder: usize,
    /// Those of its taps that meet something.
    walk: Walk,
    first_tap: isize,
    tap_step: isize,
}

/// Result `q = remainder + stride·j` is met by tap `k` at position `(q + low − k·dilation) / stride`, if that is a whole number.
/// With `g` the greatest common divisor of stride and dilation, that is every `stride / g`-th tap, and from one to the next
/// the position goes back by `dilation / g`.
fn phases(axis: &Axis, from: usize, to: usize) -> Vec<Phase> {
    let (stride, dilation) = (axis.stride as isize, axis.dilation as isize);
    let divisor = greatest_divisor(axis.stride, axis.dilation) as isize;
    let tap_step = stride / divisor;
    let phase = |remainder: usize| {
        let shifted = remainder as isize + axis.low as isize;
        let first_tap = (0..tap_step.min(axis.kernel as isize)).find(|tap| (shifted - tap * dilation) % stride == 0);
        let n_taps = first_tap.map_or(0, |first| (axis.kernel as isize - first + tap_step - 1) / tap_step);
        let first_tap = first_tap.unwrap_or(0);
        let walk = Walk {
            size: from,
            n_positions: (to - remainder).div_ceil(axis.stride),
            n_taps: n_taps as usize,
            origin: (shifted - first_tap * dilation).div_euclid(stride),
            per_position: 1,
            per_tap: -(dilation / divisor),
        };
        Phase { remainder, walk, first_tap, tap_step }
    };
    (0..axis.stride.min(to)).map(phase).collect()
}

fn greatest_divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { greatest_divisor(b, a % b) }
}

impl Op for ConvTranspose {
    fn signature(&self) -> &'static OpSignature {
        &SIGNATURE
    }

    fn encode(&self, words: &mut Vec<u32>) {
        self.window.encode(words);
        words.push(self.n_groups as u32);
        words.extend(self.output_padding.iter().map(|&extra| extra as u32));
    }

    fn infer(&self, inputs: &[Meta]) -> Result<Meta> {
        let [x, weight] = pair("conv_transpose", inputs)?;
        Ok(Meta { shape: self.check(&x.shape, &weight.shape)?.out, dtype: x.dtype })
    }

    fn input_form(&self, _index: usize) -> InputForm {
        InputForm::Strided
    }

    fn cpu(&self, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
        cpu::conv_transpose(self, cx, out)
    }

    fn plan(&self, cx: &mut PlanCx<'_>) -> Result<Vec<Pass>> {
        let operands = gpu::Operands::of("conv_transpose", cx)?;
        let variant = cx.variant("conv_transpose", &self.variants(cx.metas, cx.caps));
        if variant == "simple" || cx.out.shape.n_elements() == 0 {
            return self.plan_simple(cx, &operands);
        }
        let mut passes = Vec::new();
        for correlation in self.correlations(&operands.layouts[0], &operands.layouts[1])? {
            let fits = gpu::variants(&correlation, cx.caps).names.contains(&variant);
            passes.extend(gpu::plan(cx, &operands, &correlation, if fits { variant } else { "simple" })?);
        }
        Ok(passes)
    }

    fn variants(&self, inputs: &[Meta], caps: &Caps) -> Variants {
        let [x, weight] = inputs else { return Variants::default() };
        let simple = Variants { names: vec!["simple"], sizes: Vec::new() };
        if self.n_phases(&x.shape, &weight.shape).map_or(true, |n| n > MAX_PASSES) {
            return simple;
        }
        let layout = |meta: &Meta| Layout::contiguous(meta.shape.clone());
        let correlations = self.correlations(&layout(x), &layout(weight)).unwrap_or_default();
        // The first phase is the largest.
        correlations.first().map_or(simple, |correlation| gpu::variants(correlation, caps))
    }

    #[cfg(feature = "grad")]
    fn vjp(&self, cx: &VjpCx<'_>) -> Result<Vec<Option<NodeRef>>> {
        let (x, weight, d) = (&cx.inputs[0], &cx.inputs[1], cx.adjoint);
        let conv = Conv::new(self.window.clone(), self.n_groups);
        // The convolution it transposes takes the adjoint where this takes the input, and the other way round.
        let d_weight = weight_gradient(&conv, d, x, weight.shape())?;
        let d_x = graph::apply(conv, &[d.clone(), weight.clone()])?;
        Ok(vec![Some(d_x), Some(d_weight)])
    }

    fn flops(&self, inputs: &[Meta], _out: &Meta) -> f64 {
        let per_element: usize = inputs[1].shape[1..].iter().product();
        2.0 * inputs[0].shape.n_elements() as f64 * per_element as f64
    }

    fn is_dense(&self) -> bool {
        true
    }
}

impl ConvTranspose {
    fn plan_simple(&self, cx: &PlanCx<'_>, operands: &gpu::Operands) -> Result<Vec<Pass>> {
        let [x, weight] = &operands.layouts;
        let Sizes { axes, from, to, .. } = self.check(&x.shape, &weight.shape)?;
        let n_results = cx.out.shape.n_elements();
        let mut builder = KernelBuilder::new("conv_transpose_simple")
            .file(SIMPLE)
            .param("n_results", n_results as u32)
            .param("n_rows", weight.shape[1].max(1) as u32)
            .param("n_channels", (weight.shape[0] / self.n_groups) as u32)
            .param("n_groups", self.n_groups as u32);
        for (k, name) in ["y", "x"].into_iter().enumerate() {
            let axis = &axes[k];
            builder = builder
                .param(&format!("from_{name}"), from[k] as u32)
                .param(&format!("to_{name}"), to[k].max(1) as u32)
                .param(&format!("kernel_{name}"), axis.kernel as u32)
                .param(&format!("stride_{name}"), axis.stride as u32)
                .param(&format!("dilation_{name}"), axis.dilation as u32)
                .param(&format!("low_{name}"), axis.low as u32);
        }
        let [per_channel, per_row, per_y, per_x] = planes(weight).strides;
        let per_group = per_channel * (weight.shape[0] / self.n_groups) as isize;
        let placed =
            Placed { offset: weight.offset as isize, strides: [per_group, per_row, per_channel, per_y, per_x] };
        let builder = operands.elements(builder, cx, &planes(x), &placed);
        Ok(vec![cx.sink(builder, "y").build(cx.workgroups(n_results.div_ceil(256)))])
    }
}

impl Reference for ConvTranspose {
    fn reference(&self, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
        reference::conv_transpose(self, inputs, out)
    }
}

static SIGNATURE: OpSignature = OpSignature {
    name: "conv_transpose",
    inputs: &["x", "weight"],
    attributes: &[
        window::STRIDE,
        window::PADDING,
        Attribute::optional(
            "output_padding",
            AttrKind::Sizes,
            "elements at the end of each spatial axis that no position of the convolution reached, fewer than the stride; 0 unless told",
        ),
        window::DILATION,
        GROUPS,
    ],
    doc: crate::op::said(
        "Transposed convolution of x [n, c_in, spatial…] with weight [c_in, c_out / groups, kernel…] over one or two spatial axes: what the input of the convolution with these weights receives if its result receives x. An axis of s elements becomes (s − 1)·stride + dilation·(kernel − 1) + 1 − padding before − padding after + output_padding.",
    ),
};

fn build(given: &Given<'_>) -> Result<Arc<dyn Op>> {
    let extra = given.counts("output_padding")?;
    Ok(Arc::new(ConvTranspose::new(Window::given(given)?, extra, groups(given)?)))
}

/// This operation's line in the registry.
pub const ENTRY: Entry =
    Entry { signature: &SIGNATURE, build, cases: cases::cases, kernels: &[("conv_transpose_simple.wgsl", SIMPLE)] };
