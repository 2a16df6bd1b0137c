//! The way back from a maximum: every element of `x` goes to the place its window's maximum came from; elsewhere there are
//! zeros, and elements for one place are added. What the input of a max pooling receives.
//!
//! `x` and `places` are `[n, channels, windows…]`, the result is `[n, channels, sizes…]`; places are those of `pool` with kind
//! argmax. A place that is not in its window (such as −1) receives nothing; the derivative takes every other place to be in its
//! window, as those of argmax are.

mod cases;
mod reference;

use crate::attrs::{AttrKind, Attribute, Given};
use crate::cpu::{CpuCx, for_each_num, for_each_word};
use crate::graph::{self, NodeRef};
use crate::op::{InputForm, Meta, Op, OpSignature, PlanCx, Reference, VjpCx};
use crate::ops::conv::window;
use crate::ops::gather::Gather;
use crate::ops::pool::{KERNEL, POOL_STRIDE, PoolWindow, Sizes, geometry};
use crate::registry::Entry;
use std::sync::Arc;
use tilework_core::dtype::DType;
use tilework_core::emit::KernelBuilder;
use tilework_core::expr::ScalarOp;
use tilework_core::host::{HostBuffer, HostView};
use tilework_core::plan::Pass;
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};
use tilework_vm::Float;

const MAX_UNPOOL: &str = tilework_core::wgsl!("max_unpool.wgsl");

/// The way back from the maxima of windows.
#[derive(Clone, Debug)]
pub struct MaxUnpool {
    window: PoolWindow,
    /// Spatial sizes of the result.
    sizes: Vec<usize>,
}

impl MaxUnpool {
    /// Back to planes of `sizes`, whose windows `window` describes.
    pub fn new(window: PoolWindow, sizes: Vec<usize>) -> MaxUnpool {
        MaxUnpool { window, sizes }
    }

    /// The shape of the result, and the sizes of the pooling that came from it.
    fn check(&self, x: &Shape) -> Result<(Shape, Sizes)> {
        let op = "max_unpool";
        let &[n, channels, ref windows @ ..] = &**x else {
            return Err(Error::shape(op, format!("needs [n, channels, windows…], got {x}")));
        };
        let out = Shape::new(op, [&[n, channels], &self.sizes[..]].concat())?;
        let sizes = self.window.sizes(op, &out)?;
        if sizes.out[2..] != *windows {
            return Err(Error::shape(op, format!("{out} has windows {:?}, got {x}", &sizes.out[2..])));
        }
        Ok((out, sizes))
    }
}

/// Whether a place is in the window at a position of both axes.
fn is_in_window(sizes: &Sizes, place: i32, position: [usize; 2]) -> bool {
    let Ok(place) = usize::try_from(place) else { return false };
    let at = [place / sizes.from[1].max(1), place % sizes.from[1].max(1)];
    (0..2).all(|k| {
        let axis = &sizes.axes[k];
        let moved = (at[k] + axis.low).checked_sub(position[k] * axis.stride);
        at[k] < sizes.from[k]
            && moved.is_some_and(|moved| moved % axis.dilation == 0 && moved / axis.dilation < axis.kernel)
    })
}

impl Op for MaxUnpool {
    fn signature(&self) -> &'static OpSignature {
        &SIGNATURE
    }

    fn encode(&self, words: &mut Vec<u32>) {
        self.window.encode(words);
        words.extend(self.sizes.iter().map(|&size| size as u32));
    }

    fn infer(&self, inputs: &[Meta]) -> Result<Meta> {
        let [x, places] = inputs else { return Err(Error::argument("max_unpool", "takes two inputs")) };
        if !x.dtype.is_float() || places.dtype != DType::I32 {
            let message = format!("needs floats and int32 places, got {} and {}", x.dtype, places.dtype);
            return Err(Error::dtype("max_unpool", message));
        }
        if x.shape != places.shape {
            return Err(Error::shape("max_unpool", format!("{} elements for places {}", x.shape, places.shape)));
        }
        Ok(Meta { shape: self.check(&x.shape)?.0, dtype: x.dtype })
    }

    fn input_form(&self, _index: usize) -> InputForm {
        InputForm::Elements { n_reads: 2 }
    }

    fn cpu(&self, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
        let (_, sizes) = self.check(&cx.inputs[0].fused.grid)?;
        match out {
            HostBuffer::F32(out) => spread(&sizes, cx, out),
            HostBuffer::F64(out) => spread(&sizes, cx, out),
            _ => return Err(Error::dtype("max_unpool", "needs floats")),
        }
        Ok(())
    }

    fn plan(&self, cx: &mut PlanCx<'_>) -> Result<Vec<Pass>> {
        let (out, sizes) = self.check(&cx.inputs[0].grid)?;
        let n = out.n_elements();
        let builder = KernelBuilder::new("max_unpool").file(MAX_UNPOOL).param("n_results", n as u32);
        let builder = cx.source(cx.source(geometry(builder, &sizes), "x", 0), "place_at", 1);
        Ok(vec![cx.sink(builder, "y").build(cx.workgroups(n.div_ceil(256)))])
    }

    #[cfg(feature = "grad")]
    fn vjp(&self, cx: &VjpCx<'_>) -> Result<Vec<Option<NodeRef>>> {
        let (places, d) = (&cx.inputs[1], cx.adjoint);
        let shape = |sizes: Vec<usize>| Shape::new("max_unpool", sizes);
        let area: usize = self.sizes.iter().product();
        let n_planes = places.shape()[0] * places.shape()[1];
        if n_planes * area == 0 {
            return Ok(vec![Some(graph::full(places.shape().clone(), d.dtype(), 0.0)), None]);
        }
        let mut per_plane = vec![1; places.shape().rank()];
        per_plane[..2].copy_from_slice(&places.shape()[..2]);
        let plane = graph::cast(&graph::iota(shape(per_plane)?), DType::I32);
        let start = graph::map(ScalarOp::Mul, &[plane, graph::full(Shape::scalar(), DType::I32, area as f64)])?;
        let index = graph::map(ScalarOp::Add, &[start, places.clone()])?;
        let flat = graph::reshape(d, &shape(vec![n_planes * area])?)?;
        let picked = graph::apply(Gather::new(0), &[flat, index])?;
        let zero = graph::full(Shape::scalar(), d.dtype(), 0.0);
        let has_place = graph::map(ScalarOp::Ge, &[places.clone(), graph::full(Shape::scalar(), DType::I32, 0.0)])?;
        Ok(vec![Some(graph::map(ScalarOp::Select, &[has_place, picked, zero])?), None])
    }

    fn flops(&self, inputs: &[Meta], out: &Meta) -> f64 {
        (inputs[0].shape.n_elements() + out.shape.n_elements()) as f64
    }
}

impl Reference for MaxUnpool {
    fn reference(&self, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
        reference::max_unpool(self, inputs, out)
    }
}

fn spread<F: Float>(sizes: &Sizes, cx: &CpuCx<'_>, out: &mut [F]) {
    let (plane_len, n_windows) = (sizes.from[0] * sizes.from[1], sizes.to[0] * sizes.to[1]);
    cx.threads.for_each_piece(out, plane_len, |start, plane| {
        let first = start / plane_len * n_windows;
        let mut places = vec![0; n_windows];
        for_each_word(&mut cx.inputs[1].evaluator::<F>(), first..first + n_windows, |at, chunk| {
            places[at - first..][..chunk.len()].iter_mut().zip(chunk).for_each(|(place, &word)| *place = word as i32);
        });
        plane.fill(F::default());
        for_each_num(&mut cx.inputs[0].evaluator::<F>(), first..first + n_windows, |at, chunk| {
            for (window, &element) in (at - first..).zip(chunk) {
                let place = places[window];
                if is_in_window(sizes, place, [window / sizes.to[1], window % sizes.to[1]]) {
                    plane[place as usize] = plane[place as usize].add(element);
                }
            }
        });
    });
}

static SIGNATURE: OpSignature = OpSignature {
    name: "max_unpool",
    inputs: &["x", "places"],
    attributes: &[
        Attribute::required("sizes", AttrKind::Sizes, "spatial sizes of the result"),
        KERNEL,
        POOL_STRIDE,
        window::PADDING,
        window::DILATION,
    ],
    doc: crate::op::said(
        "The way back from pool with kind max: every element goes to the place its window's maximum came from, as pool with kind argmax gives it. Elements for one place are added; elsewhere there are zeros. A place outside of its window receives nothing.",
    ),
};

fn build(given: &Given<'_>) -> Result<Arc<dyn Op>> {
    Ok(Arc::new(MaxUnpool::new(PoolWindow::given(given)?, given.required_counts("sizes")?)))
}

/// This operation's line in the registry.
pub const ENTRY: Entry =
    Entry { signature: &SIGNATURE, build, cases: cases::cases, kernels: &[("max_unpool.wgsl", MAX_UNPOOL)] };
