//! Making arrays.

use super::complex::joined_type;
use super::{Array, Element};
use crate::device::Device;
use crate::value::{HostValue, Value};
use std::sync::Arc;
use tilework_core::dtype::{DType, HAS_WIDE};
use tilework_core::expr::ScalarOp;
use tilework_core::host::HostBuffer;
use tilework_core::shape::{IntoSizes, Shape};
use tilework_core::{Error, Result};
use tilework_ops::{Meta, Node, NodeRef, Op, graph};

impl Device {
    /// An array of `shape` from its elements in row-major order.
    pub fn array<T: Element>(&self, data: impl Into<Vec<T>>, shape: impl IntoSizes) -> Array {
        let (buffer, mut sizes) = (T::into_buffer(data.into()), shape.into_sizes());
        if !T::DTYPE.is_complex() {
            return self.from_host(buffer, sizes);
        }
        sizes.push(2);
        self.from_host(buffer, sizes).as_complex()
    }

    /// An array of `shape` from host memory of any element type.
    pub fn from_host(&self, data: HostBuffer, shape: impl IntoSizes) -> Array {
        let node = Shape::new("array", shape.into_sizes()).and_then(|shape| {
            if shape.n_elements() != data.len() {
                let message = format!("{shape} has {} elements, {} were given", shape.n_elements(), data.len());
                return Err(Error::shape("array", message));
            }
            let meta = Meta { shape, dtype: data.dtype() };
            Ok(Node::source(meta, Value::Host(HostValue::foreign(data)).shared()))
        });
        Array::new(self, node)
    }

    /// An array over a node of the graph below, for those who build on the layers: see [`crate::layers`].
    pub fn from_graph(&self, node: Result<NodeRef>) -> Array {
        Array::new(self, node)
    }

    /// A structured operation on arrays.
    pub fn apply(&self, op: Arc<dyn Op>, inputs: &[&Array]) -> Array {
        let nodes: Result<Vec<NodeRef>> = inputs.iter().map(|input| input.node().cloned()).collect();
        Array::new(self, nodes.and_then(|nodes| graph::apply_shared(op, &nodes)))
    }

    /// A single number.
    pub fn scalar(&self, value: f64) -> Array {
        self.full((), value)
    }

    /// `value` everywhere, as 32-bit floats.
    pub fn full(&self, shape: impl IntoSizes, value: f64) -> Array {
        self.full_of(shape, value, DType::F32)
    }

    /// `value` everywhere, as `dtype`.
    pub fn full_of(&self, shape: impl IntoSizes, value: f64, dtype: DType) -> Array {
        if HAS_WIDE && dtype.is_complex() {
            return self.full_of(shape, value, dtype.part()).to_complex();
        }
        if dtype.is_complex() {
            return self.scalar(value).as_complex();
        }
        Array::new(self, Shape::new("full", shape.into_sizes()).map(|shape| graph::full(shape, dtype, value)))
    }

    /// Zeros.
    pub fn zeros(&self, shape: impl IntoSizes) -> Array {
        self.full(shape, 0.0)
    }

    /// Ones.
    pub fn ones(&self, shape: impl IntoSizes) -> Array {
        self.full(shape, 1.0)
    }

    /// `0, 1, 2 … n − 1`, as 32-bit integers.
    pub fn arange(&self, n: usize) -> Array {
        let node = Shape::new("arange", vec![n]).map(|shape| graph::cast(&graph::iota(shape), DType::I32));
        Array::new(self, node)
    }

    /// `n` floats evenly spread from `start` to `stop`, both included.
    pub fn linspace(&self, start: f64, stop: f64, n: usize) -> Array {
        let step = if n > 1 { (stop - start) / (n as f64 - 1.0) } else { 0.0 };
        let counted = self.arange(n).to_f32() * step + start;
        // The last element is `stop` itself, not what rounding makes of it.
        let is_last = self.arange(n).eq(n as f64 - 1.0);
        if n > 1 { is_last.select(stop, &counted) } else { counted }
    }

    /// The identity matrix of size `n`.
    pub fn eye(&self, n: usize) -> Array {
        let index = self.arange(n);
        index.reshape([n, 1]).eq(&index).cast(DType::F32)
    }

    /// Arrays of equal shape side by side along a new axis.
    pub fn stack(&self, arrays: &[&Array], axis: isize) -> Array {
        let expanded: Vec<Array> = arrays.iter().map(|array| array.expand_dims(axis)).collect();
        self.concat(&expanded.iter().collect::<Vec<_>>(), axis)
    }

    /// Arrays joined along an axis; their types are converted to a common one.
    pub fn concat(&self, arrays: &[&Array], axis: isize) -> Array {
        let (dtype, is_complex) = joined_type(arrays);
        if let (Some(dtype), true) = (dtype, is_complex) {
            let pairs: Vec<Array> = arrays.iter().map(|array| array.cast(dtype).as_pairs()).collect();
            // Counted without the axis of the pairs.
            let axis = if axis < 0 { axis - 1 } else { axis };
            return self.concat(&pairs.iter().collect::<Vec<_>>(), axis).as_complex();
        }
        Array::new(self, concat(arrays, axis))
    }
}

fn concat(arrays: &[&Array], axis: isize) -> Result<NodeRef> {
    let nodes: Vec<&NodeRef> = arrays.iter().map(|array| array.node()).collect::<Result<_>>()?;
    let Some(first) = nodes.first() else { return Err(Error::argument("concat", "needs at least one array")) };
    let axis = first.shape().axis("concat", axis)?;
    let dtype = nodes.iter().map(|node| node.dtype()).fold(first.dtype(), DType::promote);
    let converted: Vec<NodeRef> = nodes.iter().map(|node| graph::cast(node, dtype)).collect();
    graph::apply(tilework_ops::ops::concat::Concat::new(axis), &converted)
}

impl Array {
    /// Converted to `dtype`: floats are truncated to integers (saturating, NaN to 0), anything but 0 is true.
    /// Complex numbers become their real parts.
    pub fn cast(&self, dtype: DType) -> Array {
        if !HAS_WIDE && dtype.is_complex() {
            return self.as_complex();
        }
        match (self.is_complex(), HAS_WIDE && dtype.is_complex()) {
            (true, true) => return self.through_pairs("cast", |pairs, _| Ok(pairs.cast(dtype.part()))),
            (true, false) if dtype == DType::Bool => return self.ne(0.0),
            (true, false) => return self.real().cast(dtype),
            (false, true) => return self.cast(dtype.part()).to_complex(),
            (false, false) => {}
        }
        self.then(|node| Ok(graph::cast(node, dtype)))
    }

    /// Converted to 32-bit floats.
    pub fn to_f32(&self) -> Array {
        self.cast(DType::F32)
    }

    /// `value` everywhere, in this array's shape and type.
    pub fn full_like(&self, value: f64) -> Array {
        if self.is_complex() {
            return self.real().full_like(value).to_complex();
        }
        self.then(|node| Ok(graph::full(node.shape().clone(), node.dtype(), value)))
    }

    /// Zeros in this array's shape and type.
    pub fn zeros_like(&self) -> Array {
        self.full_like(0.0)
    }

    /// Ones in this array's shape and type.
    pub fn ones_like(&self) -> Array {
        self.full_like(1.0)
    }

    /// The square of every element.
    pub fn square(&self) -> Array {
        self.map(ScalarOp::Mul, &[self])
    }
}
