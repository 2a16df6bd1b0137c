//! Arrays: what users hold.

mod complex;
mod convolution;
mod create;
mod display;
mod elementwise;
mod filter;
mod fourier;
#[cfg(feature = "language")]
mod language;
mod read;
mod reduce;
mod scan;
mod sort;
mod structured;
mod views;

pub use convolution::ConvOptions;
pub use elementwise::Operand;
#[cfg(feature = "numpy")]
pub(crate) use filter::Nans;
pub use filter::Unique;
pub use read::Element;
pub use views::Range;

use crate::device::Device;
use crate::value::Value;
use tilework_core::dtype::DType;
use tilework_core::{Error, Result};
use tilework_ops::{Node, NodeRef};

/// An array that is computed when it is needed. A cheap handle: clone it freely.
///
/// Methods never fail where they are called. If the shapes or types do not fit, the result carries the error (see
/// [`Array::check`]) and so does everything made from it.
#[derive(Clone)]
pub struct Array {
    device: Device,
    node: Result<NodeRef>,
    /// Whether the last axis of the node is that of the parts of complex numbers.
    is_complex: bool,
}

impl Array {
    pub(crate) fn new(device: &Device, node: Result<NodeRef>) -> Array {
        Array { device: device.clone(), node, is_complex: false }
    }

    /// The node of real numbers, or the mistake that prevented it.
    pub(crate) fn node(&self) -> Result<&NodeRef> {
        let node = self.stored()?;
        if self.holds_pairs() {
            let message = format!(
                "{} array of shape {:?}: this function takes real numbers; take real, imag or abs",
                self.dtype(),
                self.shape()
            );
            return Err(Error::dtype("complex", message));
        }
        Ok(node)
    }

    /// The node as it is stored: with a last axis of pairs for complex numbers.
    pub(crate) fn stored(&self) -> Result<&NodeRef> {
        self.node.as_ref().map_err(Error::clone)
    }

    /// This array with another node in the place of its own.
    pub(crate) fn restored(&self, build: impl FnOnce(&NodeRef) -> Result<NodeRef>) -> Array {
        Array { device: self.device.clone(), node: self.stored().and_then(build), is_complex: self.is_complex }
    }

    /// A new array of the same device from this one's node.
    pub(crate) fn then(&self, build: impl FnOnce(&NodeRef) -> Result<NodeRef>) -> Array {
        Array::new(&self.device, self.node().and_then(build))
    }

    /// The node of the graph below, for those who build on the layers: see [`crate::layers`].
    pub fn graph_node(&self) -> Result<NodeRef> {
        self.node().cloned()
    }

    /// The device it belongs to.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Axis sizes, outermost first; empty for a scalar (and for an array that carries an error).
    pub fn shape(&self) -> &[usize] {
        let sizes = self.node.as_ref().map_or(&[][..], |node| node.shape());
        if self.holds_pairs() { sizes.split_last().map_or(&[], |(_, points)| points) } else { sizes }
    }

    /// Number of axes.
    pub fn ndim(&self) -> usize {
        self.shape().len()
    }

    /// Number of elements (1 for a scalar; 0 for an array that carries an error).
    pub fn size(&self) -> usize {
        self.node.as_ref().map_or(0, |_| self.shape().iter().product())
    }

    /// Element type.
    pub fn dtype(&self) -> DType {
        let stored = self.node.as_ref().map_or(DType::F32, |node| node.dtype());
        if self.holds_pairs() { stored.complex() } else { stored }
    }

    /// The mistake this array carries, if any.
    pub fn check(&self) -> Result<()> {
        self.stored().map(|_| ())
    }

    /// Computes it now and keeps the result. Reading does this by itself; use it to keep an intermediate result.
    pub async fn eval(&self) -> Result<()> {
        self.device.eval(&[self]).await
    }

    /// The same data on another device. What lies in the host's memory is shared; what lies in that of a GPU has to be read first, which
    /// the array's error then says.
    pub fn to_device(&self, device: &Device) -> Array {
        let moved = self.stored().and_then(|node| match (node.value(), Value::of(node)) {
            (Some(value), Some(Value::Host(_) | Value::Page(_))) => Ok(Node::source(node.meta.clone(), value.clone())),
            _ => Err(Error::argument("to_device", "only arrays in the host's memory can be shared: read it first")),
        });
        Array { device: device.clone(), node: moved, is_complex: self.is_complex }
    }

    /// Whether both are one and the same array, and not only equal.
    pub fn is_same(&self, other: &Array) -> bool {
        matches!((&self.node, &other.node), (Ok(a), Ok(b)) if std::sync::Arc::ptr_eq(a, b))
    }

    /// Whether it has been computed.
    pub fn is_evaluated(&self) -> bool {
        self.node.as_ref().is_ok_and(|node| node.value().is_some())
    }
}
