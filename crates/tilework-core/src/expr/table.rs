//! THE list of scalar operations.
//!
//! One row adds an operation everywhere: the vm (`f32`, `f64`, integers), WGSL, fusion, first and higher derivatives, arrays,
//! conformance cases and docs. A row reads:
//!
//! ```text
//! Variant  name(arguments)  Kind  { meaning, generic over the number type }  { what each argument receives }
//! ```
//!
//! The last column is the reverse-mode rule: `d` is the adjoint of the result, `r` the result itself, one expression per
//! argument; empty where the derivative is zero or undefined everywhere (steps, comparisons, bits). Sub-gradients at kinks are
//! chosen so that nothing becomes infinite or NaN that a user would not expect: ties of `min` and `max` share, `abs` and
//! `sqrt` have 0 at 0. `d.by(p)` is `d·p` with 0·∞ = 0, so that a branch not taken by `select` contributes nothing even where
//! its own derivative has a pole. `round_half` and `round_bfloat` are the conversions to 16-bit
//! floats and, like other conversions, pass `d` on.
//!
//! The WGSL spelling of every row is `<prefix>_<name>(…)`, for instance `num_sin(x)` or `int_add(a, b)`: a number module
//! (`emit/number_f32/`) defines it. A function made of other rows (relu, clamp, huber …) is no row: see `functions.rs`.

/// Calls `$consumer!` with every row; `d` and `r` are passed along so that all rows mean the same names.
#[doc(hidden)]
#[macro_export]
macro_rules! scalar_table {
    ($consumer:ident) => {
        $consumer! { d r;
            // arithmetic
            Add       add(a, b)       Arith   { a.add(b) }                      { d, d };
            Sub       sub(a, b)       Arith   { a.sub(b) }                      { d, -d };
            Mul       mul(a, b)       Arith   { a.mul(b) }                      { d * b, d * a };
            Neg       neg(x)          Arith   { x.neg() }                       { -d };
            Abs       abs(x)          Arith   { x.abs() }                       { d * x.sign() };
            Sign      sign(x)         Arith   { x.sign() }                      { };
            Minimum   minimum(a, b)      Arith   { a.min(b) }                     { a.lt(b).select(d, a.eq(b).select(d * 0.5, d.zero())), b.lt(a).select(d, a.eq(b).select(d * 0.5, d.zero())) };
            Maximum   maximum(a, b)      Arith   { a.max(b) }                     { a.gt(b).select(d, a.eq(b).select(d * 0.5, d.zero())), b.gt(a).select(d, a.eq(b).select(d * 0.5, d.zero())) };
            Rem       rem(a, b)       Arith   { a.rem(b) }                      { d, -d * (a / b).floor() };
            FloorDiv  floor_div(a, b) Arith   { a.floor_div(b) }                { };
            Div       div(a, b)       Float   { a.div(b) }                      { d.by(b.recip()), -d.by(r / b) };
            Recip     recip(x)        Float   { T::of(1.0).div(x) }             { -d.by(r * r) };

            // rounding
            Floor     floor(x)        Float   { x.floor() }                     { };
            Ceil      ceil(x)         Float   { x.ceil() }                      { };
            Round     round(x)        Float   { x.round() }                     { };
            Trunc     trunc(x)        Float   { x.trunc() }                     { };
            RoundHalf round_half(x)   Float   { x.round_half() }                { d };
            Fract     fract(x)        Float   { x.sub(x.floor()) }              { d };
            CopySign  copysign(x, s)  Float   { x.copysign(s) }                 { d * x.sign() * d.one().copysign(s), d.zero() };

            // powers and roots
            Sqrt      sqrt(x)         Float   { x.sqrt() }                      { x.gt(x.zero()).select(d * 0.5 / r, d.zero()) };
            Rsqrt     rsqrt(x)        Float   { x.rsqrt() }                     { d.by(r * r * r * -0.5) };
            Cbrt      cbrt(x)         Float   { x.cbrt() }                      { x.eq(x.zero()).select(d.zero(), d / (r * r * 3.0)) };
            Pow       pow(x, y)       Float   { x.pow(y) }                      { d.by(y * x.pow(y - 1.0)), x.gt(x.zero()).select(d.by(r * x.log()), d.zero()) };
            Hypot     hypot(x, y)     Float   { x.hypot(y) }                    { r.gt(r.zero()).select(d * (x / r), d.zero()), r.gt(r.zero()).select(d * (y / r), d.zero()) };

            // exponentials and logarithms
            Exp       exp(x)          Float   { x.exp() }                       { d.by(r) };
            Exp2      exp2(x)         Float   { x.exp2() }                      { d.by(r * std::f64::consts::LN_2) };
            Expm1     expm1(x)        Float   { x.expm1() }                     { d.by(r + 1.0) };
            Log       log(x)          Float   { x.log() }                       { d.by(x.recip()) };
            Log2      log2(x)         Float   { x.log2() }                      { d.by((x * std::f64::consts::LN_2).recip()) };
            Log10     log10(x)        Float   { x.log10() }                     { d.by((x * std::f64::consts::LN_10).recip()) };
            Log1p     log1p(x)        Float   { x.log1p() }                     { d.by((x + 1.0).recip()) };

            // trigonometry, its inverses and the hyperbolic functions
            Sin       sin(x)          Float   { x.sin() }                       { d * x.cos() };
            Cos       cos(x)          Float   { x.cos() }                       { -d * x.sin() };
            Tan       tan(x)          Float   { x.tan() }                       { d.by(r * r + 1.0) };
            Asin      asin(x)         Float   { x.asin() }                      { d.by(x.edge_slope()) };
            Acos      acos(x)         Float   { x.acos() }                      { -d.by(x.edge_slope()) };
            Atan      atan(x)         Float   { x.atan() }                      { d / (x * x + 1.0) };
            Atan2     atan2(y, x)     Float   { y.atan2(x) }                    { d.by(x.over_norm(x, y)), -d.by(y.over_norm(x, y)) };
            Sinh      sinh(x)         Float   { x.sinh() }                      { d.by(x.cosh()) };
            Cosh      cosh(x)         Float   { x.cosh() }                      { d.by(x.sinh()) };
            Tanh      tanh(x)         Float   { x.tanh() }                      { d * (-(r * r) + 1.0) };
            Asinh     asinh(x)        Float   { x.asinh() }                     { d / (x * x + 1.0).sqrt() };
            Acosh     acosh(x)        Float   { x.acosh() }                     { x.gt(x.one()).select(d.by(((x - 1.0) * (x + 1.0)).rsqrt()), d.zero()) };
            Atanh     atanh(x)        Float   { x.atanh() }                     { d.by(((1.0 - x) * (1.0 + x)).recip()) };

            // special functions and activations
            Erf       erf(x)          Float   { x.erf() }                       { d * (-(x * x)).exp() * std::f64::consts::FRAC_2_SQRT_PI };
            Erfc      erfc(x)         Float   { x.erfc() }                      { -d * (-(x * x)).exp() * std::f64::consts::FRAC_2_SQRT_PI };
            Sigmoid   sigmoid(x)      Float   { x.sigmoid() }                   { d * r * (-x).sigmoid() };
            Softplus  softplus(x)     Float   { x.softplus() }                  { d * x.sigmoid() };
            Silu      silu(x)         Float   { x.silu() }                      { d * x.sigmoid() * (x * (-x).sigmoid() + 1.0) };
            Gelu      gelu(x)         Float   { x.gelu() }                      { d * x.gelu_slope() };
            GeluTanh  gelu_tanh(x)    Float   { x.gelu_tanh() }                 { d * x.gelu_tanh_slope() };

            // comparisons and tests
            Eq        eq(a, b)        Compare { a == b }                        { };
            Ne        ne(a, b)        Compare { a != b }                        { };
            Lt        lt(a, b)        Compare { a < b }                         { };
            Le        le(a, b)        Compare { a <= b }                        { };
            Gt        gt(a, b)        Compare { a > b }                         { };
            Ge        ge(a, b)        Compare { a >= b }                        { };
            IsNan     is_nan(x)       Test    { x.is_nan() }                    { };
            IsInf     is_inf(x)       Test    { x.is_inf() }                    { };
            IsFinite  is_finite(x)    Test    { !(x.is_nan() | x.is_inf()) }       { };

            // logic and bits
            And       and(a, b)       Logic   { a & b }                         { };
            Or        or(a, b)        Logic   { a | b }                         { };
            Xor       xor(a, b)       Logic   { a ^ b }                         { };
            Not       not(x)          Logic   { !x }                            { };
            BitAnd    bit_and(a, b)   Bits    { a.bit_and(b) }                  { };
            BitOr     bit_or(a, b)    Bits    { a.bit_or(b) }                   { };
            BitXor    bit_xor(a, b)   Bits    { a.bit_xor(b) }                  { };
            BitNot    bit_not(x)      Bits    { x.bit_not() }                   { };
            ShiftLeft shift_left(a, b)   Bits { a.shift_left(b) }               { };
            ShiftRight shift_right(a, b) Bits { a.shift_right(b) }              { };

            // conversions
            RoundBfloat round_bfloat(x) Float { x.round_bfloat() }              { d };
        }
    };
}
pub(crate) use scalar_table;

use crate::dtype::Scalar;

/// The meaning of every row as a function, generic over the number types of its kind. The `f64` instance is the definition.
pub mod meaning {
    use crate::expr::{Integer, Number, Real};

    macro_rules! function {
        (Arith $name:ident($($arg:ident),*) $meaning:expr) => { #[doc = concat!("The meaning of `", stringify!($name), "`.")] #[inline(always)] pub fn $name<T: Number>($($arg: T),*) -> T { $meaning } };
        (Float $name:ident($($arg:ident),*) $meaning:expr) => { #[doc = concat!("The meaning of `", stringify!($name), "`.")] #[inline(always)] pub fn $name<T: Real>($($arg: T),*) -> T { $meaning } };
        (Compare $name:ident($($arg:ident),*) $meaning:expr) => { #[doc = concat!("The meaning of `", stringify!($name), "`.")] #[inline(always)] pub fn $name<T: Number>($($arg: T),*) -> bool { $meaning } };
        (Test $name:ident($($arg:ident),*) $meaning:expr) => { #[doc = concat!("The meaning of `", stringify!($name), "`.")] #[inline(always)] pub fn $name<T: Real>($($arg: T),*) -> bool { $meaning } };
        (Logic $name:ident($($arg:ident),*) $meaning:expr) => { #[doc = concat!("The meaning of `", stringify!($name), "`.")] #[inline(always)] pub fn $name($($arg: bool),*) -> bool { $meaning } };
        (Bits $name:ident($($arg:ident),*) $meaning:expr) => { #[doc = concat!("The meaning of `", stringify!($name), "`.")] #[inline(always)] pub fn $name<T: Integer>($($arg: T),*) -> T { $meaning } };
    }
    macro_rules! functions {
        ($d:ident $r:ident; $($Variant:ident $name:ident($($arg:ident),*) $kind:ident { $meaning:expr } { $($vjp:expr),* };)*) => {
            $(function! { $kind $name($($arg),*) $meaning })*
        };
    }
    super::scalar_table!(functions);
}

/// What types an operation takes and gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Any number type, the same for all arguments and the result.
    Arith,
    /// Floats only; integers are converted first.
    Float,
    /// Any number type, gives a truth value.
    Compare,
    /// A float, gives a truth value.
    Test,
    /// Truth values.
    Logic,
    /// Integers.
    Bits,
    /// `select(condition, if_true, if_false)`: a truth value and two of any one type.
    Select,
    /// Conversion to this type.
    Cast(Scalar),
}

macro_rules! define_ops {
    ($d:ident $r:ident; $($Variant:ident $name:ident($($arg:ident),*) $kind:ident { $meaning:expr } { $($vjp:expr),* };)*) => {
        /// A scalar operation: every row of the table, plus selection and the conversions.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum ScalarOp {
            $(#[doc = concat!("`", stringify!($name), "`: see the table in `expr/table.rs`.")] $Variant,)*
            /// `select(condition, if_true, if_false)`.
            Select,
            /// Conversion to the floating type in force.
            ToNum,
            /// Conversion to `i32`: truncates, saturates, NaN becomes 0.
            ToInt,
            /// Conversion to `u32`: truncates, saturates, NaN becomes 0; a negative integer wraps.
            ToUint,
            /// Conversion to a truth value: anything but 0 is true, NaN too.
            ToBool,
            /// Conversion to `i64`, as that to `i32`.
            ToLong,
            /// Conversion to `u64`, as that to `u32`.
            ToUlong,
        }

        impl ScalarOp {
            /// Every operation, in table order.
            pub const ALL: &[ScalarOp] = &[
                $(ScalarOp::$Variant,)*
                ScalarOp::Select, ScalarOp::ToNum, ScalarOp::ToInt, ScalarOp::ToUint, ScalarOp::ToBool,
                ScalarOp::ToLong, ScalarOp::ToUlong,
            ];

            /// Name in Rust, JavaScript, docs and WGSL.
            pub fn name(self) -> &'static str {
                match self {
                    $(ScalarOp::$Variant => stringify!($name),)*
                    ScalarOp::Select => "select",
                    ScalarOp::ToNum => "to_num",
                    ScalarOp::ToInt => "to_int",
                    ScalarOp::ToUint => "to_uint",
                    ScalarOp::ToBool => "to_bool",
                    ScalarOp::ToLong => "to_long",
                    ScalarOp::ToUlong => "to_ulong",
                }
            }

            /// Number of arguments.
            pub fn arity(self) -> usize {
                match self {
                    $(ScalarOp::$Variant => [$(stringify!($arg)),*].len(),)*
                    ScalarOp::Select => 3,
                    _ => 1,
                }
            }

            /// Types it takes and gives.
            pub fn kind(self) -> Kind {
                match self {
                    $(ScalarOp::$Variant => Kind::$kind,)*
                    ScalarOp::Select => Kind::Select,
                    ScalarOp::ToNum => Kind::Cast(Scalar::Num),
                    ScalarOp::ToInt => Kind::Cast(Scalar::Int),
                    ScalarOp::ToUint => Kind::Cast(Scalar::Uint),
                    ScalarOp::ToBool => Kind::Cast(Scalar::Bool),
                    ScalarOp::ToLong => Kind::Cast(Scalar::Long),
                    ScalarOp::ToUlong => Kind::Cast(Scalar::Ulong),
                }
            }

            /// True if the table has a derivative for it.
            pub fn is_differentiable(self) -> bool {
                match self {
                    $(ScalarOp::$Variant => !<[&str]>::is_empty(&[$(stringify!($vjp)),*]),)*
                    ScalarOp::Select | ScalarOp::ToNum => true,
                    _ => false,
                }
            }

            /// The operation called `name`.
            pub fn find(name: &str) -> Option<ScalarOp> {
                ScalarOp::ALL.iter().copied().find(|op| op.name() == name)
            }
        }
    };
}
scalar_table!(define_ops);

impl ScalarOp {
    /// The type of its arguments (for `Select`, of the two values) when they have the given types.
    pub fn operand_type(self, args: &[Scalar]) -> Scalar {
        let widest = |floor: Scalar| args.iter().copied().fold(floor, Scalar::max);
        match self.kind() {
            Kind::Arith | Kind::Compare => widest(Scalar::Int),
            Kind::Float | Kind::Test => Scalar::Num,
            Kind::Logic => Scalar::Bool,
            Kind::Bits => match widest(Scalar::Int) {
                Scalar::Num => Scalar::Uint,
                whole => whole,
            },
            Kind::Select => args[1..].iter().copied().fold(Scalar::Bool, Scalar::max),
            Kind::Cast(_) => args[0],
        }
    }

    /// The type of its result for operands of type `operand`.
    pub fn result_type(self, operand: Scalar) -> Scalar {
        match self.kind() {
            Kind::Compare | Kind::Test | Kind::Logic => Scalar::Bool,
            Kind::Cast(to) => to,
            _ => operand,
        }
    }
}
