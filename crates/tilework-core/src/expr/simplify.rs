//! Simplification while building: constant folding and the identities that hold for every IEEE value.
//!
//! `x + 0` is not one of them (−0 + 0 is +0), nor is `x·0` (NaN, ∞). What is here changes no bit of any result, so an
//! expression means the same with and without it.

use super::table::{Kind, ScalarOp, meaning, scalar_table};
use super::{Expr, Graph, Value};
use crate::dtype::{HAS_WIDE, Scalar};

/// Whether functions of constants are constants. A small module for browsers has no functions in double precision, remainders
/// among them; it leaves them to the kernel.
const FOLDS_FUNCTIONS: bool = HAS_WIDE;

/// Whether the value in double precision takes a function.
const fn is_function(op: ScalarOp) -> bool {
    matches!(op, ScalarOp::Rem | ScalarOp::FloorDiv)
}

/// The simpler form of `op(args)`, whose arguments already have the right types; `None` if it must be built.
pub(super) fn simplified<'g>(graph: &'g Graph, op: ScalarOp, args: &[Expr<'g>]) -> Option<Expr<'g>> {
    let constants: Vec<Value> = args.iter().filter_map(|arg| arg.constant()).collect();
    if constants.len() == args.len()
        && (FOLDS_FUNCTIONS || (op.kind() != Kind::Float && !(is_function(op) && args[0].scalar() == Scalar::Num)))
    {
        return Some(graph.constant(fold::<FOLDS_FUNCTIONS>(op, &constants)));
    }
    let is = |arg: Expr<'g>, value: f64| match arg.constant() {
        // −0 and 0 differ: x − 0 is x, but x − (−0) turns −0 into +0.
        Some(constant) => {
            constant.to_f64() == value && constant.to_f64().is_sign_positive() == value.is_sign_positive()
        }
        None => false,
    };
    match (op, args) {
        (ScalarOp::Add, &[x, y]) if x.scalar() != Scalar::Num && is(y, 0.0) => Some(x),
        (ScalarOp::Add, &[x, y]) if is(y, -0.0) => Some(x),
        (ScalarOp::Sub, &[x, y]) if is(y, 0.0) => Some(x),
        (ScalarOp::Mul, &[x, y]) if is(y, 1.0) => Some(x),
        (ScalarOp::Mul, &[x, y]) if is(x, 1.0) => Some(y),
        (ScalarOp::Mul, &[x, y]) if is(y, -1.0) => Some(-x),
        (ScalarOp::Mul, &[x, y]) if is(x, -1.0) => Some(-y),
        (ScalarOp::Div, &[x, y]) if is(y, 1.0) => Some(x),
        (ScalarOp::Div, &[x, y]) if is(x, 1.0) => Some(y.recip()),
        (ScalarOp::Pow, &[x, y]) if is(y, 1.0) => Some(x),
        (ScalarOp::Pow, &[x, y]) if is(y, 2.0) => Some(x * x),
        (ScalarOp::Pow, &[x, y]) if is(y, -1.0) => Some(x.recip()),
        (ScalarOp::Neg, &[x]) => inner(x, ScalarOp::Neg),
        (ScalarOp::Not, &[x]) => inner(x, ScalarOp::Not),
        (ScalarOp::Abs, &[x]) if inner(x, ScalarOp::Abs).is_some() => Some(x),
        (ScalarOp::Select, &[_, a, b]) if a.id() == b.id() => Some(a),
        (ScalarOp::Select, &[condition, a, b]) => match condition.constant()? {
            Value::Bool(true) => Some(a),
            _ => Some(b),
        },
        _ => None,
    }
}

/// The argument of `x` if `x` is `op(argument)`.
fn inner<'g>(x: Expr<'g>, op: ScalarOp) -> Option<Expr<'g>> {
    match x.graph().node(x.id()) {
        super::Node::Op { op: found, args, .. } if found == op => Some(x.graph().expr(args[0])),
        _ => None,
    }
}

/// Applies the meaning of an operation of some kind to constants.
macro_rules! apply {
    (Arith $name:ident ($($arg:ident),*) $args:ident $Variant:ident) => { arith($args, |[$($arg),*]| if FUNCTIONS || const { !is_function(ScalarOp::$Variant) } { meaning::$name($($arg),*) } else { f64::NAN }, |[$($arg),*]| meaning::$name($($arg),*), |[$($arg),*]| meaning::$name($($arg),*), |[$($arg),*]| meaning::$name($($arg),*), |[$($arg),*]| meaning::$name($($arg),*)) };
    (Float $name:ident ($($arg:ident),*) $args:ident $Variant:ident) => {
        if FUNCTIONS { let [$($arg),*] = numbers($args); Value::num(meaning::$name($($arg),*)) } else { Value::num(f64::NAN) }
    };
    (Compare $name:ident ($($arg:ident),*) $args:ident $Variant:ident) => {{ let [$($arg),*] = compared($args); Value::Bool(meaning::$name($($arg),*)) }};
    (Test $name:ident ($($arg:ident),*) $args:ident $Variant:ident) => {{ let [$($arg),*] = numbers($args); Value::Bool(meaning::$name($($arg),*)) }};
    (Logic $name:ident ($($arg:ident),*) $args:ident $Variant:ident) => {{ let [$($arg),*] = truths($args); Value::Bool(meaning::$name($($arg),*)) }};
    (Bits $name:ident ($($arg:ident),*) $args:ident $Variant:ident) => { arith($args, |_| f64::NAN, |[$($arg),*]| meaning::$name($($arg),*), |[$($arg),*]| meaning::$name($($arg),*), |[$($arg),*]| meaning::$name($($arg),*), |[$($arg),*]| meaning::$name($($arg),*)) };
}

macro_rules! define_fold {
    ($d:ident $r:ident; $($Variant:ident $name:ident($($arg:ident),*) $kind:ident { $meaning:expr } { $($vjp:expr),* };)*) => {
        /// The value of `op` on constants of the operand type; floats are computed in `f64`, the definition. Without `FUNCTIONS`,
        /// only of operations other than functions of floats.
        fn fold<const FUNCTIONS: bool>(op: ScalarOp, args: &[Value]) -> Value {
            match op {
                $(ScalarOp::$Variant => apply!($kind $name ($($arg),*) args $Variant),)*
                ScalarOp::Select => if args[0] == Value::Bool(true) { args[1] } else { args[2] },
                _ => cast(op, args[0]),
            }
        }
    };
}
scalar_table!(define_fold);

fn cast(op: ScalarOp, value: Value) -> Value {
    match op.kind() {
        Kind::Cast(to) => value.cast(to),
        _ => value,
    }
}

fn numbers<const N: usize>(args: &[Value]) -> [f64; N] {
    std::array::from_fn(|i| args[i].to_f64())
}

fn truths<const N: usize>(args: &[Value]) -> [bool; N] {
    std::array::from_fn(|i| args[i] == Value::Bool(true))
}

/// Two numbers that compare as these do. Doubles have too few digits for 64-bit integers.
fn compared(args: &[Value]) -> [f64; 2] {
    if !HAS_WIDE || !args[0].scalar().is_long() {
        return numbers(args);
    }
    [f64::from(args[0].to_i128().cmp(&args[1].to_i128()) as i8), 0.0]
}

fn arith<const N: usize>(
    args: &[Value],
    num: impl Fn([f64; N]) -> f64,
    int: impl Fn([i32; N]) -> i32,
    uint: impl Fn([u32; N]) -> u32,
    long: impl Fn([i64; N]) -> i64,
    ulong: impl Fn([u64; N]) -> u64,
) -> Value {
    match args[0].scalar() {
        Scalar::Num => Value::num(num(numbers(args))),
        Scalar::Uint => Value::Uint(uint(std::array::from_fn(|i| args[i].to_f64() as u32))),
        Scalar::Long if HAS_WIDE => Value::Long(long(std::array::from_fn(|i| args[i].to_i128() as i64))),
        Scalar::Ulong if HAS_WIDE => Value::Ulong(ulong(std::array::from_fn(|i| args[i].to_i128() as u64))),
        _ => Value::Int(int(std::array::from_fn(|i| args[i].to_f64() as i32))),
    }
}

/// Evaluates `roots` in `f64` by the definition of each operation: the oracle of every faster path. Leaves and parameters are
/// given as values of their own types.
pub fn eval_f64(
    graph: &Graph,
    roots: &[super::Id],
    leaf: &dyn Fn(u32) -> Value,
    param: &dyn Fn(u32) -> Value,
) -> Vec<Value> {
    let mut values: Vec<Option<Value>> = vec![None; graph.len()];
    for id in graph.reachable(roots) {
        values[id.index()] = match graph.node(id) {
            super::Node::Leaf { slot, .. } => Some(leaf(slot)),
            super::Node::Param { slot, .. } => Some(param(slot)),
            super::Node::Const(value) => Some(value),
            node @ super::Node::Op { op, .. } => {
                let args: Vec<Value> = node.args().iter().filter_map(|arg| values[arg.index()]).collect();
                Some(fold::<true>(op, &args))
            }
        };
    }
    roots.iter().map(|root| values[root.index()].unwrap_or(Value::num(f64::NAN))).collect()
}
