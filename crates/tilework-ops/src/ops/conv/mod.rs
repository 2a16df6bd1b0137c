//! Convolution over one or two spatial axes, as neural networks mean it (the kernel is not turned around):
//! `y[n, o, p…] = Σ over c, k… of weight[o, c, k…] · x[n, c, p·stride + k·dilation − padding …]`.
//!
//! `x` is `[n, c_in, spatial…]`, `weight` is `[c_out, c_in / groups, kernel…]`; with groups, every group of input channels is
//! convolved by itself into its group of output channels. Padding is zeros. A bias is an epilogue: what follows element
//! by element is spliced into the kernel's store.
//!
//! An empty batch gives an empty result and no input channels give zeros. A kernel that has no place in the padded input
//! (too large, or dilated too far), groups that do not divide the channels, a stride or dilation of 0 are errors. Where a weight
//! that is not finite meets padding, the result is NaN or as if it did not, depending on the kernel that is chosen.

mod cases;
pub(crate) mod correlation;
pub(crate) mod cpu;
pub(crate) mod gpu;
mod image_window;
mod reference;
pub(crate) mod window;

pub use window::Window;

use crate::attrs::{AttrKind, Attribute, Given};
use crate::cpu::CpuCx;
use crate::graph::{self, NodeRef};
use crate::op::{InputForm, Meta, Op, OpSignature, PlanCx, Reference, Variants, VjpCx};
use crate::ops::conv_transpose::ConvTranspose;
use crate::registry::Entry;
use correlation::{Correlation, Placed, Walk, planes};
use cpu::Correlate;
use std::sync::Arc;
use tilework_core::host::{HostBuffer, HostView};
use tilework_core::layout::Layout;
use tilework_core::plan::{Caps, Pass};
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};
use window::{Axis, lifted, positions};

/// A convolution.
#[derive(Clone, Debug)]
pub struct Conv {
    window: Window,
    n_groups: usize,
}

impl Conv {
    /// A convolution whose kernel moves as `window` says, in `n_groups` groups of channels.
    pub fn new(window: Window, n_groups: usize) -> Conv {
        Conv { window, n_groups }
    }

    /// Checks the shapes; gives the axes of the kernel and the shape of the result.
    fn check(&self, x: &Shape, weight: &Shape) -> Result<(Vec<Axis>, Shape)> {
        let mismatch = |why: &str| Error::shape("conv", format!("{why}: {x} by {weight} in {} groups", self.n_groups));
        let (&[n, c_in, ref sizes @ ..], &[c_out, c_group, ref kernel @ ..]) = (&**x, &**weight) else {
            return Err(mismatch("needs [n, c_in, spatial…] and [c_out, c_in / groups, kernel…]"));
        };
        if sizes.len() != kernel.len() || !(1..=2).contains(&sizes.len()) {
            return Err(mismatch("needs one or two spatial axes, and as many of the kernel"));
        }
        if self.n_groups == 0 || !c_in.is_multiple_of(self.n_groups) || !c_out.is_multiple_of(self.n_groups) {
            return Err(mismatch("the groups do not divide the channels"));
        }
        if c_group != c_in / self.n_groups {
            return Err(mismatch("the channels of a group differ"));
        }
        let axes = self.window.axes("conv", kernel)?;
        let sizes: Vec<usize> = [n, c_out].into_iter().chain(positions("conv", &axes, x)?).collect();
        Ok((axes, Shape::new("conv", sizes)?))
    }

    /// As both machines compute it.
    fn correlation(&self, x: &Layout, weight: &Layout) -> Result<Correlation> {
        let (axes, out) = self.check(&x.shape, &weight.shape)?;
        let (axes, sizes) = (lifted(&axes, Axis::ABSENT), lifted(&x.shape[2..], 1));
        let grid = lifted(&out[2..], 1);
        let n_rows = weight.shape[0] / self.n_groups;
        let w = planes(weight);
        let [per_row, per_channel, per_y, per_x] = w.strides;
        let mut correlation = Correlation {
            n_images: x.shape[0],
            n_groups: self.n_groups,
            n_rows,
            n_channels: weight.shape[1],
            walks: [0, 1].map(|k| Walk::new(&axes[k], sizes[k], grid[k])),
            x: planes(x),
            weight: Placed {
                offset: w.offset,
                strides: [per_row * n_rows as isize, per_row, per_channel, per_y, per_x],
            },
            y: Placed { offset: 0, strides: [0; 4] },
        };
        correlation.y = correlation.contiguous_results();
        Ok(correlation)
    }
}

/// Two inputs of one float type.
pub(crate) fn pair<'a>(op: &str, inputs: &'a [Meta]) -> Result<[&'a Meta; 2]> {
    let [x, weight] = inputs else { return Err(Error::argument(op, "takes two inputs")) };
    if x.dtype != weight.dtype || !x.dtype.is_float() {
        let message = format!("needs two arrays of one float type, got {} and {}", x.dtype, weight.dtype);
        return Err(Error::dtype(op, message));
    }
    Ok([x, weight])
}

impl Op for Conv {
    fn signature(&self) -> &'static OpSignature {
        &SIGNATURE
    }

    fn encode(&self, words: &mut Vec<u32>) {
        self.window.encode(words);
        words.push(self.n_groups as u32);
    }

    fn infer(&self, inputs: &[Meta]) -> Result<Meta> {
        let [x, weight] = pair("conv", inputs)?;
        Ok(Meta { shape: self.check(&x.shape, &weight.shape)?.1, dtype: x.dtype })
    }

    fn input_form(&self, _index: usize) -> InputForm {
        InputForm::Strided
    }

    fn cpu(&self, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
        let (Some((x, _, x_layout)), Some((weight, _, weight_layout))) =
            (cx.inputs[0].strided(), cx.inputs[1].strided())
        else {
            return Err(Error::argument("conv", "operands must be plain reads"));
        };
        let correlation = self.correlation(x_layout, weight_layout)?;
        use tilework_vm::HostSlice::{F32, F64};
        match (x, weight, out) {
            (F32(x), F32(weight), HostBuffer::F32(out)) => f32::correlate(cx.threads, &correlation, x, weight, out),
            (F64(x), F64(weight), HostBuffer::F64(out)) => f64::correlate(cx.threads, &correlation, x, weight, out),
            _ => return Err(Error::dtype("conv", "needs two arrays of one float type")),
        }
        Ok(())
    }

    fn plan(&self, cx: &mut PlanCx<'_>) -> Result<Vec<Pass>> {
        let operands = gpu::Operands::of("conv", cx)?;
        let correlation = self.correlation(&operands.layouts[0], &operands.layouts[1])?;
        let variant = cx.variant("conv", &self.variants(cx.metas, cx.caps));
        gpu::plan(cx, &operands, &correlation, variant)
    }

    fn variants(&self, inputs: &[Meta], caps: &Caps) -> Variants {
        let [x, weight] = inputs else { return Variants::default() };
        let layout = |meta: &Meta| Layout::contiguous(meta.shape.clone());
        let correlation = self.correlation(&layout(x), &layout(weight));
        correlation.map_or_else(|_| Variants::default(), |correlation| gpu::variants(&correlation, caps))
    }

    #[cfg(feature = "grad")]
    fn vjp(&self, cx: &VjpCx<'_>) -> Result<Vec<Option<NodeRef>>> {
        let (x, weight, d) = (&cx.inputs[0], &cx.inputs[1], cx.adjoint);
        let (axes, _) = self.check(x.shape(), weight.shape())?;
        let extra = axes.iter().zip(&x.shape()[2..]).map(|(axis, &size)| axis.n_unreached(size));
        let transpose = ConvTranspose::new(self.window.clone(), extra.collect(), self.n_groups);
        let d_x = graph::apply(transpose, &[d.clone(), weight.clone()])?;
        let d_weight = weight_gradient(self, x, d, weight.shape())?;
        Ok(vec![Some(d_x), Some(d_weight)])
    }

    fn flops(&self, inputs: &[Meta], out: &Meta) -> f64 {
        let depth: usize = inputs[1].shape[1..].iter().product();
        2.0 * out.shape.n_elements() as f64 * depth as f64
    }

    fn is_dense(&self) -> bool {
        true
    }
}

/// What the weights of `conv` receive: `Σ over n, p… of d[n, o, p…] · x[n, c, p·stride + k·dilation − padding …]`.
///
/// That is itself a convolution, with images and channels exchanged, whose taps are the positions: stride and dilation change
/// places. With groups, group and image together are the channels, so that each group meets its own adjoints.
pub(crate) fn weight_gradient(conv: &Conv, x: &NodeRef, d: &NodeRef, weight: &Shape) -> Result<NodeRef> {
    let n_groups = conv.n_groups;
    let (n_images, n_axes) = (x.shape()[0], weight.rank() - 2);
    let (c_group, c_out) = (weight[1], weight[0]);
    let arranged = |node: &NodeRef, split: [usize; 3], order: [isize; 3], joined: [usize; 2]| {
        let spatial = &node.shape()[2..];
        let sizes = |first: &[usize]| Shape::new("conv", [first, spatial].concat());
        let order: Vec<isize> = order.into_iter().chain((0..n_axes as isize).map(|axis| 3 + axis)).collect();
        let turned = graph::permute(&graph::reshape(node, &sizes(&split)?)?, &order)?;
        graph::reshape(&turned, &sizes(&joined)?)
    };
    let images = arranged(x, [n_images, n_groups, c_group], [2, 1, 0], [c_group, n_groups * n_images])?;
    let taps = arranged(d, [n_images, n_groups, c_out / n_groups], [1, 2, 0], [c_out, n_images])?;
    let window = Window {
        stride: conv.window.dilation.clone(),
        padding: conv.window.padding.clone(),
        dilation: conv.window.stride.clone(),
    };
    let product = graph::apply(Conv::new(window, n_groups), &[images, taps])?;
    let order: Vec<isize> = [1, 0].into_iter().chain((0..n_axes as isize).map(|axis| 2 + axis)).collect();
    let turned = graph::permute(&product, &order)?;
    // Padding that no position reaches makes room for taps that do not exist.
    (2..weight.rank()).try_fold(turned, |node, axis| graph::slice(&node, axis, 0, 1, weight[axis]))
}

impl Reference for Conv {
    fn reference(&self, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
        reference::conv(self, inputs, out)
    }
}

pub(crate) const GROUPS: Attribute =
    Attribute::optional("groups", AttrKind::Size, "groups of channels that are convolved by themselves; 1 unless told");

static SIGNATURE: OpSignature = OpSignature {
    name: "conv",
    inputs: &["x", "weight"],
    attributes: &[window::STRIDE, window::PADDING, window::DILATION, GROUPS],
    doc: crate::op::said(
        "Convolution of x [n, c_in, spatial…] with weight [c_out, c_in / groups, kernel…] over one or two spatial axes, as neural networks mean it: the kernel is not turned around, and padding is zeros. A kernel that has no place in the padded input is an error.",
    ),
};

/// The number of groups in a call.
pub(crate) fn groups(given: &Given<'_>) -> Result<usize> {
    match given.integer("groups")? {
        None => Ok(1),
        Some(_) => given.size("groups"),
    }
}

fn build(given: &Given<'_>) -> Result<Arc<dyn Op>> {
    Ok(Arc::new(Conv::new(Window::given(given)?, groups(given)?)))
}

/// This operation's line in the registry.
pub const ENTRY: Entry = Entry { signature: &SIGNATURE, build, cases: cases::cases, kernels: gpu::KERNELS };
