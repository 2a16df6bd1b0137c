//! Convolutions and pooling as methods.

use super::Array;
use tilework_core::expr::ScalarOp;
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};
use tilework_ops::ops::conv::{Conv, Window};
use tilework_ops::ops::conv_transpose::ConvTranspose;
use tilework_ops::ops::pool::{Pool, PoolKind, PoolWindow};
use tilework_ops::{NodeRef, graph};

/// How a convolution is done; the default is a plain one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConvOptions {
    /// Stride, padding and dilation.
    pub window: Window,
    /// Groups of channels that are convolved by themselves.
    pub groups: usize,
    /// For transposed convolutions: elements at the end of each spatial axis that no position of the convolution reached, one
    /// for each axis, one for all or none.
    pub output_padding: Vec<usize>,
}

impl Default for ConvOptions {
    fn default() -> ConvOptions {
        ConvOptions { window: Window::default(), groups: 1, output_padding: Vec::new() }
    }
}

impl Array {
    /// Convolution of `[n, c_in, length]` with `weight` `[c_out, c_in / groups, kernel]` and perhaps a bias `[c_out]`, as
    /// neural networks mean it: the kernel is not turned around, and padding is zeros.
    pub fn conv1d(&self, weight: &Array, bias: Option<&Array>, options: &ConvOptions) -> Array {
        self.then(|x| convolve(&Method { name: "conv1d", n_axes: 1, options }, x, weight, bias))
    }

    /// Convolution of `[n, c_in, height, width]` with `weight` `[c_out, c_in / groups, kernel height, kernel width]` and perhaps
    /// a bias `[c_out]`, as neural networks mean it: the kernel is not turned around, and padding is zeros.
    pub fn conv2d(&self, weight: &Array, bias: Option<&Array>, options: &ConvOptions) -> Array {
        self.then(|x| convolve(&Method { name: "conv2d", n_axes: 2, options }, x, weight, bias))
    }

    /// Transposed convolution of `[n, c_in, spatial…]` with `weight` `[c_in, c_out / groups, kernel…]` and perhaps a bias
    /// `[c_out]`, over one or two spatial axes: what the input of the convolution with these weights receives if its result
    /// receives this array.
    pub fn conv_transpose(&self, weight: &Array, bias: Option<&Array>, options: &ConvOptions) -> Array {
        self.then(|x| {
            let (x, weight) = floats(x, weight.node()?);
            let op = ConvTranspose::new(options.window.clone(), options.output_padding.clone(), options.groups);
            with_bias("conv_transpose", &graph::apply(op, &[x, weight])?, bias)
        })
    }

    /// The largest element of every window of `[n, channels, spatial…]`, over one or two spatial axes. NaN is larger than
    /// everything else; padding takes no part, and a window in the padding alone gives −∞.
    pub fn max_pool(&self, window: &PoolWindow) -> Array {
        self.then(|x| pool(x, PoolKind::Max, window))
    }

    /// The mean of every window of `[n, channels, spatial…]`, over one or two spatial axes; padding does not count, and a
    /// window in the padding alone gives 0.
    pub fn mean_pool(&self, window: &PoolWindow) -> Array {
        self.then(|x| pool(x, PoolKind::Mean, window))
    }

    /// As [`Array::mean_pool`], with padding counted as zeros.
    pub fn mean_pool_with_padding(&self, window: &PoolWindow) -> Array {
        self.then(|x| pool(x, PoolKind::MeanWithPadding, window))
    }
}

/// A method that convolves inputs with `n_axes` spatial axes.
struct Method<'a> {
    name: &'static str,
    n_axes: usize,
    options: &'a ConvOptions,
}

fn convolve(method: &Method<'_>, x: &NodeRef, weight: &Array, bias: Option<&Array>) -> Result<NodeRef> {
    let Method { name, n_axes, options } = *method;
    let (x, weight) = floats(x, weight.node()?);
    if x.shape().rank() != n_axes + 2 {
        let message = format!("needs [n, c_in] and {n_axes} spatial axes, got {} by {}", x.shape(), weight.shape());
        return Err(Error::shape(name, message));
    }
    let y = graph::apply(Conv::new(options.window.clone(), options.groups), &[x, weight])?;
    with_bias(name, &y, bias)
}

/// Both in the float type that holds them.
fn floats(x: &NodeRef, weight: &NodeRef) -> (NodeRef, NodeRef) {
    let dtype = x.dtype().promote(weight.dtype()).float();
    (graph::cast(x, dtype), graph::cast(weight, dtype))
}

/// Adds a bias to every channel, which the kernel does while it stores its results.
fn with_bias(name: &str, y: &NodeRef, bias: Option<&Array>) -> Result<NodeRef> {
    let Some(bias) = bias else { return Ok(y.clone()) };
    let bias = bias.node()?;
    if bias.shape()[..] != y.shape()[1..2] {
        let message = format!("a bias {} for a result {}: needs one number for each channel", bias.shape(), y.shape());
        return Err(Error::shape(name, message));
    }
    let mut sizes = vec![1; y.shape().rank() - 1];
    sizes[0] = bias.shape()[0];
    let bias = graph::reshape(&graph::cast(bias, y.dtype()), &Shape::new(name, sizes)?)?;
    graph::map(ScalarOp::Add, &[y.clone(), bias])
}

fn pool(x: &NodeRef, kind: PoolKind, window: &PoolWindow) -> Result<NodeRef> {
    let float = graph::cast(x, x.dtype().float());
    graph::apply(Pool::new(kind, window.clone()), &[float])
}
