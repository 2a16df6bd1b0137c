//! The body of a generated function: one `let` per node.

use super::{KernelBuilder, NumFormat, Slots, precision, texels};
use crate::axes::Axes;
use crate::dtype::{DType, Scalar};
use crate::expr::{Node, ScalarOp, Value};
use crate::fused::{Fused, LeafSource};
use crate::half::HAS_HALF;
use crate::pictures::HAS_PICTURES;
use std::fmt::Write;

/// Emits the statements for one [`Fused`] inside the function `name`, which also prefixes its parameters.
pub(super) struct Body<'a> {
    name: &'a str,
    fused: &'a Fused,
    sizes: Axes<usize>,
    strides: Vec<Axes<isize>>,
    text: String,
}

impl<'a> Body<'a> {
    pub(super) fn new(name: &'a str, fused: &'a Fused) -> Body<'a> {
        let (sizes, strides) = fused.merged();
        Body { name, fused, sizes, strides, text: String::new() }
    }

    pub(super) fn emit(&mut self, builder: &mut KernelBuilder, slots: Slots<'_>) -> String {
        self.coordinates(builder);
        for (index, node) in self.fused.expr.nodes.iter().enumerate() {
            let value = match *node {
                Node::Leaf { slot, scalar } => self.leaf(builder, slots, slot as usize, scalar),
                Node::Param { slot, scalar } => self.param(builder, slot as usize, scalar),
                Node::Const(value) => literal(value, builder.format),
                Node::Op { op, args, operand } => call(op, args.map(|arg| format!("v{}", arg.0)), operand),
            };
            _ = writeln!(self.text, "    let v{index} = {value};");
        }
        std::mem::take(&mut self.text)
    }

    /// Splits the element index into coordinates, if some leaf is not simply walked by it.
    fn coordinates(&mut self, builder: &mut KernelBuilder) {
        let rank = self.sizes.len();
        let simple = |strides: &Axes<isize>| strides.iter().all(|&s| s == 0) || (rank == 1 && strides[0] == 1);
        if rank == 0 || self.strides.iter().all(simple) {
            return;
        }
        let name = self.name;
        for axis in (1..rank).rev() {
            let field = format!("{name}_size{axis}");
            let rest = if axis == rank - 1 { "i".to_owned() } else { format!("rest{axis}") };
            _ = writeln!(self.text, "    let c{axis} = {rest} % params.{field};");
            let above = if axis == 1 { "c0".to_owned() } else { format!("rest{}", axis - 1) };
            _ = writeln!(self.text, "    let {above} = {rest} / params.{field};");
            builder.field(field, "u32", self.sizes[axis] as u32);
        }
        if rank == 1 {
            self.text.push_str("    let c0 = i;\n");
        }
    }

    /// Element offset of leaf `slot` at the current grid point.
    fn offset(&self, builder: &mut KernelBuilder, slot: usize) -> String {
        let (name, strides) = (self.name, &self.strides[slot]);
        let start = self.fused.leaves[slot].layout.offset;
        let mut terms: Vec<String> = Vec::new();
        if self.sizes.len() == 1 && strides[0] == 1 {
            terms.push("i".to_owned());
        } else {
            for (axis, &stride) in strides.iter().enumerate() {
                if stride == 1 {
                    terms.push(format!("c{axis}"));
                } else if stride != 0 {
                    // A negative stride wraps around 2³² and the sum wraps back.
                    let field = format!("{name}_stride{slot}_{axis}");
                    terms.push(format!("c{axis} * params.{field}"));
                    builder.field(field, "u32", stride as i32 as u32);
                }
            }
        }
        if start != 0 {
            let field = format!("{name}_offset{slot}");
            terms.push(format!("params.{field}"));
            builder.field(field, "u32", start as u32);
        }
        if terms.is_empty() { "0u".to_owned() } else { terms.join(" + ") }
    }

    fn leaf(&self, builder: &mut KernelBuilder, slots: Slots<'_>, slot: usize, scalar: Scalar) -> String {
        match self.fused.leaves[slot].source {
            LeafSource::Result => "result".to_owned(),
            LeafSource::Offset => {
                let offset = self.offset(builder, slot);
                if scalar == Scalar::Num { format!("num_from_uint({offset})") } else { offset }
            }
            LeafSource::Buffer { input, dtype } => {
                let grid = (&self.sizes[..], &self.strides[slot][..], slot);
                if HAS_PICTURES && let Some((word, column)) = builder.texel(self.name, self.fused, slots, grid) {
                    return texels::leaf(builder, &word, &column, dtype);
                }
                let (source, offset) = (slots[input], self.offset(builder, slot));
                if HAS_HALF && dtype == DType::F16 {
                    let word = builder.read(source, "u32", &format!("({offset}) >> 1u"));
                    return format!("half_load({word}, {offset})");
                }
                let element = builder.read(source, storage_type(dtype, builder.format), &offset);
                from_storage(&element, dtype, builder.format)
            }
        }
    }

    fn param(&self, builder: &mut KernelBuilder, slot: usize, scalar: Scalar) -> String {
        let field = format!("{}_scalar{slot}", self.name);
        let (wgsl_type, n_words, value) = match scalar {
            Scalar::Num => {
                (builder.format.storage_type(), builder.format.n_words(), format!("num_load(params.{field})"))
            }
            Scalar::Int => ("i32", 1, format!("params.{field}")),
            Scalar::Uint => ("u32", 1, format!("params.{field}")),
            Scalar::Bool => ("u32", 1, format!("params.{field} != 0u")),
            Scalar::Long | Scalar::Ulong => ("vec2<u32>", 2, format!("params.{field}")),
        };
        builder.patched_field(field, wgsl_type, self.fused.params[slot], n_words);
        value
    }
}

/// Type of an element in a storage buffer.
pub(super) fn storage_type(dtype: DType, format: NumFormat) -> &'static str {
    match dtype {
        // Halves lie in words, two in each.
        DType::Bool | DType::U32 | DType::F16 => "u32",
        DType::I32 => "i32",
        DType::F32 => "f32",
        // Of the other types machines give kernels none but F64.
        _ => format.storage_type(),
    }
}

pub(super) fn from_storage(element: &str, dtype: DType, format: NumFormat) -> String {
    match dtype {
        DType::Bool => format!("{element} != 0u"),
        DType::I32 | DType::U32 => element.to_owned(),
        DType::F32 if format != NumFormat::F32 => format!("num_of({element})"),
        _ => format!("num_load({element})"),
    }
}

pub(super) fn to_storage(value: &str, dtype: DType, format: NumFormat) -> String {
    match dtype {
        DType::Bool => format!("select(0u, 1u, {value})"),
        DType::I32 | DType::U32 => value.to_owned(),
        DType::F32 if format != NumFormat::F32 => format!("num_head({value})"),
        // Halves are stored in pairs, by `KernelBuilder::map`; the schedule gives them to no other kernel.
        _ => format!("num_store({value})"),
    }
}

/// An operation on the named values.
pub(super) fn call(op: ScalarOp, [a, b, c]: [String; 3], operand: Scalar) -> String {
    match (op, operand) {
        // WGSL's own select takes the false value first.
        (ScalarOp::Select, Scalar::Num) => format!("num_select({a}, {b}, {c})"),
        (ScalarOp::Select, _) => format!("select({c}, {b}, {a})"),
        (ScalarOp::ToNum, from) => format!("num_from_{}({a})", from.wgsl_prefix()),
        _ => {
            let list = [a, b, c][..op.arity()].join(", ");
            format!("{}_{}({list})", operand.wgsl_prefix(), op.name())
        }
    }
}

/// A constant, exactly: floats are split into an `f32` and the rest, so that a wider number module loses nothing.
pub(super) fn literal(value: Value, format: NumFormat) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Int(i32::MIN) => "(-2147483647 - 1)".to_owned(),
        Value::Int(value) => format!("i32({value})"),
        Value::Uint(value) => format!("{value}u"),
        // No kernel has these: machines keep such work on the CPU.
        Value::Long(_) | Value::Ulong(_) => "vec2<u32>()".to_owned(),
        Value::Num(bits) => {
            let exact = f64::from_bits(bits);
            let [high, low] = precision::split(exact);
            if precision::HAS_F64 && format == NumFormat::F64 && exact.is_normal() && exact != f64::from(high) {
                // A pair has too few bits, and the range of f32.
                format!("{exact:?}lf")
            } else if low == 0.0 {
                format!("num_of({})", float(high))
            } else {
                format!("num_of2({}, {})", float(high), float(low))
            }
        }
    }
}

fn float(value: f32) -> String {
    if value.is_normal() || (value == 0.0 && value.is_sign_positive()) {
        format!("{value:?}f")
    } else {
        format!("f32_bits({:#x}u)", value.to_bits())
    }
}
