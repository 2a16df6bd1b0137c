//! Every scalar operation as a method, and operators.

use super::Array;
use tilework_core::dtype::{DType, HAS_WIDE};
use tilework_core::expr::{Expr, ScalarOp};
use tilework_core::scalar_table;
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};
use tilework_ops::{NodeRef, graph};

/// The other side of an operation: an array or a number.
pub trait Operand {
    /// As a node that meets an array of type `dtype`.
    #[doc(hidden)]
    fn to_node(&self, dtype: DType) -> Result<NodeRef>;

    /// The complex array it is, if it is one.
    #[doc(hidden)]
    fn complex(&self) -> Option<&Array> {
        None
    }
}

impl Operand for Array {
    fn to_node(&self, _dtype: DType) -> Result<NodeRef> {
        self.node().cloned()
    }

    fn complex(&self) -> Option<&Array> {
        self.is_complex().then_some(self)
    }
}

impl<T: Operand + ?Sized> Operand for &T {
    fn to_node(&self, dtype: DType) -> Result<NodeRef> {
        (**self).to_node(dtype)
    }

    fn complex(&self) -> Option<&Array> {
        (**self).complex()
    }
}

/// How a number was written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Written {
    Integer,
    Float,
}

/// A number takes the array's type, unless it is a float that an integer array could not hold. An integer that it could not hold is a
/// mistake.
fn number_node(value: f64, written: Written, dtype: DType) -> Result<NodeRef> {
    let (is_held, is_float) = (dtype.holds(value), written == Written::Float);
    if dtype.is_integer() && !is_float && !is_held {
        return Err(Error::argument("number", format!("{value} is out of range for {dtype}")));
    }
    let dtype = match dtype.is_float() || (is_held && (!is_float || value.fract() == 0.0)) {
        true => dtype,
        false if is_float => DType::F32,
        false => DType::I32,
    };
    Ok(graph::full(Shape::scalar(), dtype, value))
}

macro_rules! number_operand {
    ($($number:ty: $is_float:literal),*) => {$(
        impl Operand for $number {
            fn to_node(&self, dtype: DType) -> Result<NodeRef> {
                number_node(*self as f64, if $is_float { Written::Float } else { Written::Integer }, dtype)
            }
        }
    )*};
}
number_operand!(f32: true, f64: true, i32: false, u32: false, i64: false);

impl Operand for bool {
    fn to_node(&self, _dtype: DType) -> Result<NodeRef> {
        Ok(graph::full(Shape::scalar(), DType::Bool, f64::from(u8::from(*self))))
    }
}

macro_rules! methods {
    ($d:ident $r:ident; $($Variant:ident $name:ident($first:ident $(, $rest:ident)*) $kind:ident { $meaning:expr } { $($vjp:expr),* };)*) => {
        // The names are those of the table, some of which std's operator traits use too.
        #[allow(clippy::should_implement_trait, reason = "the operators are implemented below, by these methods")]
        impl Array {
            $(
                #[doc = concat!("`", stringify!($name), "` of every element; operands broadcast. See docs/ops.md.")]
                pub fn $name(&self $(, $rest: impl Operand)*) -> Array {
                    self.map(ScalarOp::$Variant, &[$(&$rest),*])
                }
            )*
        }
    };
}
scalar_table!(methods);

impl Array {
    /// A scalar operation with this array as its first argument.
    pub fn map(&self, op: ScalarOp, rest: &[&dyn Operand]) -> Array {
        if HAS_WIDE && (self.is_complex() || rest.iter().any(|operand| operand.complex().is_some())) {
            let others = rest.iter().map(|operand| self.beside(*operand));
            return Array::map_complex(op, &std::iter::once(self.clone()).chain(others).collect::<Vec<_>>());
        }
        self.then(|node| {
            let mut inputs = Vec::with_capacity(1 + rest.len());
            inputs.push(node.clone());
            for operand in rest {
                inputs.push(operand.to_node(node.dtype())?);
            }
            graph::map_owned(op, inputs)
        })
    }

    /// `if_true` where this holds, else `if_false`. A number takes the type of the array on the other side; of two numbers, each has
    /// its own (int32 or float32).
    pub fn select(&self, if_true: impl Operand, if_false: impl Operand) -> Array {
        if let Some(like) = if_true.complex().or(if_false.complex()).filter(|_| HAS_WIDE) {
            let (yes, no) = (like.beside(&if_true).to_complex(), like.beside(&if_false).to_complex());
            return self.expand_dims(-1).select(yes.as_pairs(), no.as_pairs()).as_complex();
        }
        self.then(|node| {
            let hint = match (own_type(&if_true)?, own_type(&if_false)?) {
                (Some(a), Some(b)) => a.promote(b),
                (Some(dtype), None) | (None, Some(dtype)) => dtype,
                (None, None) => DType::Bool,
            };
            graph::map(ScalarOp::Select, &[node.clone(), if_true.to_node(hint)?, if_false.to_node(hint)?])
        })
    }

    /// Between `low` and `high`; NaN stays NaN.
    pub fn clamp(&self, low: impl Operand, high: impl Operand) -> Array {
        self.composed(&[&low, &high], |args| args[0].clamp(args[1], args[2]))
    }

    /// The element where positive, else 0. NaN stays NaN; the slope at 0 is 0.
    pub fn relu(&self) -> Array {
        self.composed(&[], |args| args[0].relu())
    }

    /// The element where positive, else `slope` times it.
    pub fn leaky_relu(&self, slope: f64) -> Array {
        self.composed(&[&slope], |args| args[0].leaky_relu(args[1]))
    }

    /// The element where positive, else `alpha·(e^x − 1)`.
    pub fn elu(&self, alpha: f64) -> Array {
        self.composed(&[&alpha], |args| args[0].elu(args[1]))
    }

    /// A function of scalars with this array as its first argument.
    fn composed(&self, rest: &[&dyn Operand], f: impl for<'g> FnOnce(&[Expr<'g>]) -> Expr<'g>) -> Array {
        self.then(|node| {
            let mut inputs = vec![node.clone()];
            for operand in rest {
                inputs.push(operand.to_node(node.dtype())?);
            }
            graph::compose(&inputs, f)
        })
    }
}

/// The type of an array; none for a number, which takes the type it is told.
fn own_type(operand: &dyn Operand) -> Result<Option<DType>> {
    let dtype = operand.to_node(DType::F32)?.dtype();
    Ok((operand.to_node(DType::F64)?.dtype() == dtype).then_some(dtype))
}

macro_rules! operators {
    ($($Trait:ident $method:ident)*) => {$(
        impl<T: Operand> std::ops::$Trait<T> for &Array {
            type Output = Array;
            fn $method(self, other: T) -> Array {
                Array::$method(self, other)
            }
        }
        impl<T: Operand> std::ops::$Trait<T> for Array {
            type Output = Array;
            fn $method(self, other: T) -> Array {
                Array::$method(&self, other)
            }
        }
        operators!(@number $Trait $method f32);
        operators!(@number $Trait $method f64);
        operators!(@number $Trait $method i32);
    )*};
    (@number $Trait:ident $method:ident $number:ty) => {
        impl std::ops::$Trait<&Array> for $number {
            type Output = Array;
            fn $method(self, other: &Array) -> Array {
                if other.is_complex() {
                    return Array::map_complex(ScalarOp::$Trait, &[other.beside(&self), other.clone()]);
                }
                other.then(|node| {
                    let left = self.to_node(node.dtype())?;
                    graph::map(ScalarOp::$Trait, &[left, node.clone()])
                })
            }
        }
        impl std::ops::$Trait<Array> for $number {
            type Output = Array;
            fn $method(self, other: Array) -> Array {
                std::ops::$Trait::$method(self, &other)
            }
        }
    };
}
operators! { Add add Sub sub Mul mul Div div Rem rem }

impl std::ops::Neg for &Array {
    type Output = Array;
    fn neg(self) -> Array {
        Array::neg(self)
    }
}

impl std::ops::Neg for Array {
    type Output = Array;
    fn neg(self) -> Array {
        Array::neg(&self)
    }
}
