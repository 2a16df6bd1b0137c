//! Checked constructors of nodes.

use super::{Node, NodeKind, NodeRef, View};
use crate::op::{Meta, Op};
use std::sync::Arc;
use tilework_core::dtype::{DType, HAS_WIDE, Scalar};
use tilework_core::expr::{Kind, ScalarOp, Value};
use tilework_core::half::HAS_HALF;
use tilework_core::shape::{KeepAxes, Shape};
use tilework_core::{Error, Result};

/// A number everywhere. Numbers that simplify expressions become part of the kernel; all others are passed to it.
pub fn full(shape: Shape, dtype: DType, value: f64) -> NodeRef {
    let constant = number_as(Value::num(value), dtype);
    let value = constant.to_f64();
    let is_structural = [0.0, 1.0, -1.0, 2.0, 0.5].contains(&value) || dtype == DType::Bool;
    let kind = if is_structural { NodeKind::Constant(constant) } else { NodeKind::Scalar(constant) };
    Node::new(kind, Meta { shape, dtype }, Vec::new())
}

/// A number that is part of every kernel that uses it.
pub fn constant(dtype: DType, value: Value) -> NodeRef {
    Node::new(NodeKind::Constant(value), Meta { shape: Shape::scalar(), dtype }, Vec::new())
}

/// `0, 1, 2 …` in row-major order.
pub fn iota(shape: Shape) -> NodeRef {
    Node::new(NodeKind::Iota, Meta { shape, dtype: DType::U32 }, Vec::new())
}

/// A scalar operation on each element. Inputs broadcast together and are converted to what the operation wants.
pub fn map(op: ScalarOp, inputs: &[NodeRef]) -> Result<NodeRef> {
    map_owned(op, inputs.to_vec())
}

/// The same with a list of its own.
pub fn map_owned(op: ScalarOp, mut inputs: Vec<NodeRef>) -> Result<NodeRef> {
    if inputs.len() != op.arity() {
        return Err(Error::argument(op.name(), format!("takes {} inputs, got {}", op.arity(), inputs.len())));
    }
    let mut shape = inputs[0].shape().clone();
    for input in &inputs[1..] {
        shape = Shape::broadcast(op.name(), &shape, input.shape())?;
    }
    let operand = operand_dtype(op, &inputs);
    for (index, input) in inputs.iter_mut().enumerate() {
        let wanted = if op == ScalarOp::Select && index == 0 { DType::Bool } else { operand };
        if input.dtype() != wanted {
            *input = cast(input, wanted);
        }
    }
    let dtype = match op.kind() {
        Kind::Compare | Kind::Test | Kind::Logic => DType::Bool,
        Kind::Cast(_) => return Err(Error::argument(op.name(), "conversions are made by cast")),
        _ => operand,
    };
    if HAS_WIDE && dtype.is_narrow() && dtype.is_integer() && may_leave_range(op) {
        let wide = Node::new(NodeKind::Map(op), Meta { shape, dtype: dtype.computed() }, inputs);
        return Ok(wrapped(&wide, dtype));
    }
    Ok(Node::new(NodeKind::Map(op), Meta { shape, dtype }, inputs))
}

/// Whether the result for integers of few bits can need more of them.
fn may_leave_range(op: ScalarOp) -> bool {
    use ScalarOp::*;
    !matches!(op, Minimum | Maximum | Sign | Rem | Select | BitAnd | BitOr | BitXor | ShiftRight)
}

/// The low bits of an integer of 32 bits, as one of a narrower type.
fn wrapped(wide: &NodeRef, dtype: DType) -> NodeRef {
    let meta = |dtype: DType| Meta { shape: wide.shape().clone(), dtype };
    let (computed, n_bits) = (dtype.computed(), 8 * dtype.size_bytes() as i32);
    if computed == DType::U32 {
        let mask = constant(computed, Value::Uint((1 << n_bits) - 1));
        return Node::new(NodeKind::Map(ScalarOp::BitAnd), meta(dtype), vec![wide.clone(), mask]);
    }
    // To the left end of the word and back, which repeats the sign.
    let by = constant(computed, Value::Int(32 - n_bits));
    let left = Node::new(NodeKind::Map(ScalarOp::ShiftLeft), meta(computed), vec![wide.clone(), by.clone()]);
    Node::new(NodeKind::Map(ScalarOp::ShiftRight), meta(dtype), vec![left, by])
}

/// A number as an array of type `dtype` holds it: integers keep their low bits, floats go to the nearest end of the range.
fn number_as(value: Value, dtype: DType) -> Value {
    if !HAS_WIDE && dtype.is_integer() {
        return value.cast(dtype.scalar());
    }
    let Some((low, high)) = dtype.integer_range().filter(|_| HAS_WIDE) else {
        return Value::from_f64(dtype.rounded(value.to_f64()), dtype.scalar());
    };
    let whole = match value {
        Value::Num(bits) => (f64::from_bits(bits) as i128).clamp(low, high),
        other => (other.to_i128() - low).rem_euclid(high - low + 1) + low,
    };
    match dtype.scalar() {
        Scalar::Uint => Value::Uint(whole as u32),
        Scalar::Long => Value::Long(whole as i64),
        Scalar::Ulong => Value::Ulong(whole as u64),
        _ => Value::Int(whole as i32),
    }
}

/// The type the operands of `op` are converted to.
fn operand_dtype(op: ScalarOp, inputs: &[NodeRef]) -> DType {
    let values = if op == ScalarOp::Select { &inputs[1..] } else { inputs };
    let widest = values.iter().map(|input| input.dtype()).reduce(DType::promote).unwrap_or(DType::F32);
    match op.kind() {
        Kind::Float | Kind::Test => widest.float(),
        Kind::Arith | Kind::Compare if widest == DType::Bool => DType::I32,
        Kind::Logic => DType::Bool,
        Kind::Bits if !widest.is_integer() => DType::I32,
        _ => widest,
    }
}

/// Converted to `dtype`; the node itself if it has that type.
pub fn cast(input: &NodeRef, dtype: DType) -> NodeRef {
    // A kernel that goes on with a half has more digits at hand; who asks for a conversion wants them gone.
    let is_half = HAS_HALF && matches!(dtype, DType::F16 | DType::BF16);
    if is_half && input.dtype() != dtype && input.dtype() != DType::Bool && !is_number(input) {
        let op = if dtype == DType::F16 { ScalarOp::RoundHalf } else { ScalarOp::RoundBfloat };
        let wide = converted(input, input.dtype().float().computed());
        let rounded = Node::new(NodeKind::Map(op), wide.meta.clone(), vec![wide]);
        return converted(&rounded, dtype);
    }
    converted(input, dtype)
}

fn is_number(input: &NodeRef) -> bool {
    matches!(input.kind, NodeKind::Constant(_) | NodeKind::Scalar(_))
}

fn converted(input: &NodeRef, dtype: DType) -> NodeRef {
    if input.dtype() == dtype {
        return input.clone();
    }
    let meta = Meta { shape: input.shape().clone(), dtype };
    if let NodeKind::Constant(value) = input.kind {
        return Node::new(NodeKind::Constant(number_as(value, dtype)), meta, Vec::new());
    }
    if let NodeKind::Scalar(value) = input.kind {
        return Node::new(NodeKind::Scalar(number_as(value, dtype)), meta, Vec::new());
    }
    if HAS_WIDE
        && dtype.is_narrow()
        && dtype.is_integer()
        && input.dtype() != DType::Bool
        && !input.dtype().can_cast(dtype)
    {
        return narrowed(input, dtype);
    }
    let op = match dtype.scalar() {
        Scalar::Num => ScalarOp::ToNum,
        Scalar::Int => ScalarOp::ToInt,
        Scalar::Uint => ScalarOp::ToUint,
        Scalar::Bool => ScalarOp::ToBool,
        Scalar::Long => ScalarOp::ToLong,
        Scalar::Ulong => ScalarOp::ToUlong,
    };
    Node::new(NodeKind::Map(op), meta, vec![input.clone()])
}

/// Anything but truth values as integers of few bits: integers keep their low bits, floats go to the nearest end of the range.
fn narrowed(input: &NodeRef, dtype: DType) -> NodeRef {
    let wide = converted(input, dtype.computed());
    let (true, Some((low, high))) = (input.dtype().is_float(), dtype.integer_range()) else {
        return wrapped(&wide, dtype);
    };
    let end = |value: i128| constant(wide.dtype(), number_as(Value::Long(value as i64), wide.dtype()));
    let meta = |dtype: DType| Meta { shape: input.shape().clone(), dtype };
    let below = Node::new(NodeKind::Map(ScalarOp::Minimum), meta(wide.dtype()), vec![wide.clone(), end(high)]);
    Node::new(NodeKind::Map(ScalarOp::Maximum), meta(dtype), vec![below, end(low)])
}

/// Repeated along axes of size 1 (and new leading axes) up to `shape`.
pub fn expand(input: &NodeRef, shape: &Shape) -> Result<NodeRef> {
    if input.shape() == shape {
        return Ok(input.clone());
    }
    match Shape::broadcast("expand", input.shape(), shape) {
        Ok(result) if result == *shape => Ok(view(input, View::Expand, shape.clone())),
        _ => Err(Error::shape("expand", format!("{} does not expand to {shape}", input.shape()))),
    }
}

/// Axes reordered: axis `i` of the result is axis `order[i]` of the input.
pub fn permute(input: &NodeRef, order: &[isize]) -> Result<NodeRef> {
    let shape = input.shape();
    let resolved = order.iter().map(|&axis| shape.axis("permute", axis)).collect::<Result<Vec<_>>>()?;
    if resolved.len() != shape.rank() || (0..shape.rank()).any(|axis| !resolved.contains(&axis)) {
        return Err(Error::shape("permute", format!("{order:?} is not an order of the axes of {shape}")));
    }
    let sizes: Vec<usize> = resolved.iter().map(|&axis| shape[axis]).collect();
    Ok(view(input, View::Permute(resolved), Shape::new("permute", sizes)?))
}

/// The same elements in row-major order under another shape.
pub fn reshape(input: &NodeRef, shape: &Shape) -> Result<NodeRef> {
    if input.shape() == shape {
        return Ok(input.clone());
    }
    if input.shape().n_elements() != shape.n_elements() {
        let (from, to) = (input.shape(), shape);
        let (n_from, n_to) = (from.n_elements(), to.n_elements());
        return Err(Error::shape("reshape", format!("{from} has {n_from} elements, {to} has {n_to}")));
    }
    Ok(view(input, View::Reshape, shape.clone()))
}

/// `len` elements of `axis` from `start` on, `step` apart; all of them must exist.
pub fn slice(input: &NodeRef, axis: usize, start: usize, step: isize, len: usize) -> Result<NodeRef> {
    let shape = input.shape();
    let size = shape.get(axis).copied().unwrap_or(0);
    let last = (len as isize - 1).checked_mul(step).and_then(|d| d.checked_add(start as isize));
    let fits = len == 0 || (start < size && last.is_some_and(|last| (0..size as isize).contains(&last)));
    if axis >= shape.rank() || step == 0 || !fits {
        return Err(Error::shape(
            "slice",
            format!("{len} elements from {start} by {step} do not fit axis {axis} of {shape}"),
        ));
    }
    let mut sizes = shape.to_vec();
    sizes[axis] = len;
    Ok(view(input, View::Slice { axis, start, step, len }, Shape::new("slice", sizes)?))
}

fn view(input: &NodeRef, view: View, shape: Shape) -> NodeRef {
    let meta = Meta { shape, dtype: input.dtype() };
    Node::new(NodeKind::View(view), meta, vec![input.clone()])
}

/// A structured operation.
pub fn apply(op: impl Op, inputs: &[NodeRef]) -> Result<NodeRef> {
    apply_shared(Arc::new(op), inputs)
}

/// A structured operation that is already shared.
///
/// Operations know nothing of narrow types: they compute with 32 bits. A result of floats is stored with 16 if no float among
/// their inputs has more; one of integers is stored as narrow as they are if the operation says that it has their type. An array that
/// is changed in place stays what it is.
pub fn apply_shared(op: Arc<dyn Op>, inputs: &[NodeRef]) -> Result<NodeRef> {
    let taken = |(index, input): (usize, &NodeRef)| {
        // Modules without language models have nothing that does this.
        let is_updated = cfg!(feature = "language") && op.updates() == Some(index);
        if is_updated { input.clone() } else { converted(input, input.dtype().computed()) }
    };
    let wide: Vec<NodeRef> = inputs.iter().enumerate().map(taken).collect();
    let metas: Vec<Meta> = wide.iter().map(|input| input.meta.clone()).collect();
    let meta = op.infer(&metas)?;
    let stored = stored_type(op.as_ref(), inputs, &meta);
    let result = Node::new(NodeKind::Op(op), meta, wide);
    Ok(if stored == result.dtype() { result } else { converted(&result, stored) })
}

/// The type that the result of an operation on inputs of narrow types is stored with.
fn stored_type(op: &dyn Op, inputs: &[NodeRef], result: &Meta) -> DType {
    if !HAS_HALF || inputs.iter().all(|input| !input.dtype().is_narrow()) {
        return result.dtype;
    }
    if result.dtype == DType::F32 {
        let floats = inputs.iter().map(|input| input.dtype()).filter(|dtype| dtype.is_float());
        return floats.reduce(DType::promote).unwrap_or(DType::F32);
    }
    let metas: Vec<Meta> = inputs.iter().map(|input| input.meta.clone()).collect();
    match op.infer(&metas) {
        Ok(narrow) if narrow.dtype.computed() == result.dtype => narrow.dtype,
        _ => result.dtype,
    }
}

/// Sums `input` down to `shape`, undoing a broadcast from it.
pub fn sum_to(input: &NodeRef, shape: &Shape) -> Result<NodeRef> {
    if input.shape() == shape {
        return Ok(input.clone());
    }
    let added = input.shape().rank() - shape.rank();
    let axes: Vec<usize> =
        (0..input.shape().rank()).filter(|&axis| axis < added || shape[axis - added] != input.shape()[axis]).collect();
    let summed = apply(
        crate::ops::reduce::Reduce::new(crate::ops::reduce::Combine::Sum, axes, KeepAxes::No),
        std::slice::from_ref(input),
    )?;
    reshape(&summed, shape)
}
