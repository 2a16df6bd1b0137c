//! Elementary functions in f32 that give the same answers on every machine.
//!
//! The CPU vm calls these; `emit/number_f32/` holds the same algorithms in WGSL, operation by operation, because
//! the built-in functions of WGSL may be off by thousands of units in the last place. Every function here stays within
//! 4 ulp of the real-valued function over the whole f32 range (the tests state the tighter figure of each).
//!
//! They are shaped for automatic vectorization: no branch, no table, no loop, no f64, no call. A condition is a select
//! between two values that are already computed; an integer comes out of a float by adding a magic number and reading
//! the bits. A loop over a slice therefore compiles to straight vector code, eight lanes wide under AVX2.
//!
//! In WASM the rarer functions are called instead of inlined: each loop over them would bring a vector and a scalar copy, and
//! together they would be a tenth of what a visitor downloads.
//!
//! Invariants: NaN in gives NaN out (except where C99 says otherwise, in [`pow`] and [`hypot`]), odd functions keep the
//! sign of zero, subnormal arguments and results are honored. Wherever more than 24 bits are needed, a value is cut by
//! clearing mantissa bits, so that products of heads are exact: that survives a compiler that contracts `a * b + c` or
//! reassociates sums, which shader compilers do.
//!
//! The polynomials are weighted minimax fits made for this crate, with coefficients rounded to f32 one by one. Start at
//! `split.rs` for the shared pieces, then `exp.rs` and `log.rs`; the other families build on those.

// Coefficients carry the digits of the fit, and some lie near a named constant without meaning it.
#![allow(clippy::excessive_precision, clippy::approx_constant)]

mod exp;
mod hyperbolic;
mod inverse;
mod log;
mod power;
mod special;
mod split;
mod trig;

#[cfg(test)]
mod tests;

pub use exp::{EXP_MODERATE, exp, exp_moderate, exp_nonpositive, exp2, expm1};
pub use hyperbolic::{acosh, asinh, atanh, cosh, sinh, tanh};
pub use inverse::{acos, asin, atan, atan2};
pub use log::{log, log1p, log2, log10};
pub use power::{are_powers_moderate, cbrt, hypot, pow, pow_moderate, rsqrt};
pub use special::{erf, erfc, gelu, gelu_tanh, sigmoid, silu, softplus};
pub use trig::{TRIG_MODERATE, cos, cos_moderate, sin, sin_moderate, tan, tan_moderate};
