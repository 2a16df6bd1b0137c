//! Pooling: the maximum, the mean or the place of the maximum of every window of an array, over one or two spatial axes.
//!
//! Windows move as the kernel of a convolution does, by their own size unless a stride is given. Padding takes no part in a
//! maximum; in a mean it counts as zeros or not at all. A window that lies in the padding alone has maximum −∞, its maximum has
//! no place (−1) and its mean is 0. NaN is larger than everything else; of equal elements the first one counts.

mod cases;
mod cpu;
mod reference;

use crate::attrs::{AttrKind, Attribute, Given};
use crate::cpu::CpuCx;
use crate::graph::{self, NodeRef};
use crate::op::{InputForm, Meta, Op, OpSignature, PlanCx, Reference, VjpCx};
use crate::ops::conv::window::{self, Axis, lifted, positions};
use crate::ops::conv::{Conv, Window};
use crate::ops::conv_transpose::ConvTranspose;
use crate::ops::max_unpool::MaxUnpool;
use crate::registry::Entry;
use std::sync::Arc;
use tilework_core::dtype::DType;
use tilework_core::emit::KernelBuilder;
use tilework_core::expr::ScalarOp;
use tilework_core::host::{HostBuffer, HostView};
use tilework_core::plan::Pass;
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};

const POOL: &str = tilework_core::wgsl!("pool.wgsl");

/// What becomes of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PoolKind {
    /// Its largest element.
    Max,
    /// The mean of its elements; padding does not count.
    Mean,
    /// The mean of its elements and of the zeros in the padding.
    MeanWithPadding,
    /// Where the largest element is in its plane, in row-major order.
    Argmax,
}

/// The windows of a pooling: their size, and how they move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PoolWindow {
    /// Sizes of a window: one for each spatial axis, or one for all.
    pub kernel: Vec<usize>,
    /// How it moves; by its own size if no stride is given.
    pub window: Window,
}

/// Sizes of a pooling, with two spatial axes.
pub(crate) struct Sizes {
    pub(crate) axes: [Axis; 2],
    pub(crate) from: [usize; 2],
    pub(crate) to: [usize; 2],
    pub(crate) out: Shape,
}

impl PoolWindow {
    /// From the attributes of a call.
    pub fn given(given: &Given<'_>) -> Result<PoolWindow> {
        Ok(PoolWindow { kernel: given.required_counts("kernel")?, window: Window::given(given)? })
    }

    pub(crate) fn encode(&self, words: &mut Vec<u32>) {
        self.window.encode(words);
        words.push(self.kernel.len() as u32);
        words.extend(self.kernel.iter().map(|&size| size as u32));
    }

    /// The kernel's size on each of `n_axes` axes, and how it moves with the stride written out.
    fn resolved(&self, op: &str, n_axes: usize) -> Result<(Vec<usize>, Window)> {
        let kernel = match self.kernel[..] {
            [one] => vec![one; n_axes],
            _ => self.kernel.clone(),
        };
        if kernel.len() != n_axes {
            return Err(Error::argument(op, format!("a kernel of {kernel:?} does not fit {n_axes} spatial axes")));
        }
        let stride = if self.window.stride.is_empty() { kernel.clone() } else { self.window.stride.clone() };
        Ok((kernel, Window { stride, ..self.window.clone() }))
    }

    /// Of a pooling of `x`.
    pub(crate) fn sizes(&self, op: &str, x: &Shape) -> Result<Sizes> {
        let &[n, channels, ref from @ ..] = &**x else {
            return Err(Error::shape(op, format!("needs [n, channels, spatial…], got {x}")));
        };
        if !(1..=2).contains(&from.len()) {
            return Err(Error::shape(op, format!("needs one or two spatial axes, got {x}")));
        }
        let (kernel, window) = self.resolved(op, from.len())?;
        let axes = window.axes(op, &kernel)?;
        let to = positions(op, &axes, x)?;
        let out = Shape::new(op, [n, channels].into_iter().chain(to.clone()).collect::<Vec<_>>())?;
        Ok(Sizes { axes: lifted(&axes, Axis::ABSENT), from: lifted(from, 1), to: lifted(&to, 1), out })
    }
}

/// Adds the parameters of the windows' geometry to a kernel.
pub(crate) fn geometry(builder: KernelBuilder, sizes: &Sizes) -> KernelBuilder {
    ["y", "x"].into_iter().enumerate().fold(builder, |builder, (k, name)| {
        let axis = &sizes.axes[k];
        builder
            .param(&format!("from_{name}"), sizes.from[k].max(1) as u32)
            .param(&format!("to_{name}"), sizes.to[k].max(1) as u32)
            .param(&format!("size_{name}"), sizes.from[k] as u32)
            .param(&format!("kernel_{name}"), axis.kernel as u32)
            .param(&format!("stride_{name}"), axis.stride as u32)
            .param(&format!("dilation_{name}"), axis.dilation as u32)
            .param(&format!("low_{name}"), axis.low as u32)
    })
}

/// A pooling.
#[derive(Clone, Debug)]
pub struct Pool {
    kind: PoolKind,
    window: PoolWindow,
}

impl Pool {
    /// Pools the windows that `window` describes.
    pub fn new(kind: PoolKind, window: PoolWindow) -> Pool {
        Pool { kind, window }
    }

    /// What the input of a mean receives: each window spreads its adjoint evenly.
    fn spread_mean(&self, x: &NodeRef, d: &NodeRef) -> Result<NodeRef> {
        let n_axes = x.shape().rank() - 2;
        let (kernel, window) = self.window.resolved("pool", n_axes)?;
        let plane = |n: usize, sizes: &[usize]| Shape::new("pool", [&[n, 1], sizes].concat());
        let ones = |shape: Shape| graph::full(shape, x.dtype(), 1.0);
        let taps = ones(plane(1, &kernel)?);
        let count = if self.kind == PoolKind::MeanWithPadding {
            let n_taps: usize = kernel.iter().product();
            graph::full(Shape::scalar(), x.dtype(), n_taps as f64)
        } else {
            let inside = ones(plane(1, &x.shape()[2..])?);
            let count = graph::apply(Conv::new(window.clone(), 1), &[inside, taps.clone()])?;
            // Windows in the padding alone have nothing to give.
            graph::map(ScalarOp::Maximum, &[count, ones(Shape::scalar())])?
        };
        let share = graph::map(ScalarOp::Div, &[d.clone(), count])?;
        let n_planes = x.shape()[0] * x.shape()[1];
        let share = graph::reshape(&share, &plane(n_planes, &d.shape()[2..])?)?;
        let axes = window.axes("pool", &kernel)?;
        let extra = axes.iter().zip(&x.shape()[2..]).map(|(axis, &size)| axis.n_unreached(size)).collect();
        let spread = graph::apply(ConvTranspose::new(window, extra, 1), &[share, taps])?;
        graph::reshape(&spread, x.shape())
    }
}

impl Op for Pool {
    fn signature(&self) -> &'static OpSignature {
        &SIGNATURE
    }

    fn encode(&self, words: &mut Vec<u32>) {
        words.push(self.kind as u32);
        self.window.encode(words);
    }

    fn infer(&self, inputs: &[Meta]) -> Result<Meta> {
        let [x] = inputs else { return Err(Error::argument("pool", "takes one input")) };
        if !x.dtype.is_float() {
            return Err(Error::dtype("pool", format!("needs floats, got {}", x.dtype)));
        }
        let shape = self.window.sizes("pool", &x.shape)?.out;
        Ok(Meta { shape, dtype: if self.kind == PoolKind::Argmax { DType::I32 } else { x.dtype } })
    }

    fn input_form(&self, _index: usize) -> InputForm {
        InputForm::Elements { n_reads: self.window.kernel.iter().product::<usize>().max(2) }
    }

    fn cpu(&self, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
        cpu::pool(self, cx, out)
    }

    fn plan(&self, cx: &mut PlanCx<'_>) -> Result<Vec<Pass>> {
        let sizes = self.window.sizes("pool", &cx.inputs[0].grid)?;
        let n = cx.out.shape.n_elements();
        let (result, of_window) = match self.kind {
            PoolKind::Max => ("Num", "window.max"),
            PoolKind::Mean => ("Num", "num_div(window.sum, num_of(f32(max(window.n_inside, 1u))))"),
            PoolKind::MeanWithPadding => ("Num", "num_div(window.sum, num_of(f32(params.kernel_y * params.kernel_x)))"),
            PoolKind::Argmax => ("i32", "window.place"),
        };
        let builder = KernelBuilder::new("pool")
            .file(POOL)
            .prelude(&format!("fn of_window(window: Window) -> {result} {{ return {of_window}; }}"))
            .param("n_results", n as u32);
        let builder = cx.sink(cx.source(geometry(builder, &sizes), "x", 0), "y");
        Ok(vec![builder.build(cx.workgroups(n.div_ceil(256)))])
    }

    #[cfg(feature = "grad")]
    fn vjp(&self, cx: &VjpCx<'_>) -> Result<Vec<Option<NodeRef>>> {
        let (x, d) = (&cx.inputs[0], cx.adjoint);
        let rule = match self.kind {
            PoolKind::Max => {
                let places = graph::apply(Pool::new(PoolKind::Argmax, self.window.clone()), std::slice::from_ref(x))?;
                let unpool = MaxUnpool::new(self.window.clone(), x.shape()[2..].to_vec());
                graph::apply(unpool, &[d.clone(), places])?
            }
            PoolKind::Mean | PoolKind::MeanWithPadding => self.spread_mean(x, d)?,
            PoolKind::Argmax => return Ok(vec![None]),
        };
        Ok(vec![Some(rule)])
    }

    fn flops(&self, _inputs: &[Meta], out: &Meta) -> f64 {
        let n_taps: usize = self.window.kernel.iter().product();
        (out.shape.n_elements() * n_taps) as f64
    }
}

impl Reference for Pool {
    fn reference(&self, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
        reference::pool(self, &inputs[0], out)
    }
}

pub(crate) const KERNEL: Attribute =
    Attribute::required("kernel", AttrKind::Sizes, "size of a window, for each spatial axis or for all");
pub(crate) const POOL_STRIDE: Attribute = Attribute::optional(
    "stride",
    AttrKind::Sizes,
    "elements between neighbouring windows, for each spatial axis or for all; the size of a window unless told",
);

static SIGNATURE: OpSignature = OpSignature {
    name: "pool",
    inputs: &["x"],
    attributes: &[
        Attribute::required(
            "kind",
            AttrKind::Choice(&["max", "mean", "mean_with_padding", "argmax"]),
            "what becomes of a window; mean leaves padding out, mean_with_padding counts it as zeros, argmax is the place of the maximum in its plane",
        ),
        KERNEL,
        POOL_STRIDE,
        window::PADDING,
        window::DILATION,
    ],
    doc: crate::op::said(
        "Maximum or mean of every window of x [n, channels, spatial…] over one or two spatial axes. NaN is larger than everything else; padding takes no part in a maximum. A window in the padding alone has maximum -inf, place -1 and mean 0.",
    ),
};

fn build(given: &Given<'_>) -> Result<Arc<dyn Op>> {
    let choices = [
        ("max", PoolKind::Max),
        ("mean", PoolKind::Mean),
        ("mean_with_padding", PoolKind::MeanWithPadding),
        ("argmax", PoolKind::Argmax),
    ];
    Ok(Arc::new(Pool::new(given.choice("kind", &choices, None)?, PoolWindow::given(given)?)))
}

/// This operation's line in the registry.
pub const ENTRY: Entry = Entry { signature: &SIGNATURE, build, cases: cases::cases, kernels: &[("pool.wgsl", POOL)] };
