//! Expressions on the CPU: a linear program over chunks of lanes.
//!
//! A [`Program`] is an expression flattened into instructions, each of which processes a chunk of [`CHUNK`] elements in one
//! loop that the compiler vectorises. A chunk of every live register fits into the first-level cache, so a chain of ten
//! operations reads memory once and writes it once; the cost of interpreting is paid once per chunk and disappears. There is
//! no code generation at run time, so the same program runs in WASM.
//!
//! Registers come in three files: floats (`f32` or `f64`, the `F` of everything here), 32-bit words (integers and truth
//! values) and 64-bit integers. Leaves that lie evenly in memory are read in place; others are gathered into a chunk first, by `grid.rs`.
//!
//! [`lanes`], [`rows`] and [`tiles`] hold the inner loops of the hand-written CPU kernels. Together they are a crate of their own because the build
//! for browsers optimises this one for speed and all others for size; so each loop is instantiated here, for concrete types
//! (the methods of [`Float`], [`lanes::Fold`] and [`rows::Rows`]), and not where it is used.

#[cfg(target_arch = "x86_64")]
mod compare;
mod convert;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod exponentials;
pub mod fft;
mod frame;
mod grid;
#[cfg(target_arch = "x86_64")]
mod halves;
mod kernels;
pub mod lanes;
mod longs;
pub mod panels;
pub mod peak;
pub mod philox;
mod pointers;
mod program;
pub mod quant;
pub mod quick;
pub mod radix;
pub mod rows;
pub mod runs;
pub mod scan;
mod scratch;
mod simd;
#[cfg(target_arch = "x86_64")]
mod sixteen;
pub mod tiles;
mod words;

use tilework_core::expr::ScalarOp;

pub use grid::{Evaluator, HostSlice, any_is, truths_of_words};
pub use program::Program;
pub use simd::{LEVEL_VARIABLE, Level, level, vectorized};

use tilework_core::half;

/// Lanes of a chunk: 4 KB of `f32` per register, so that a dozen of them stay in a 32 KB cache.
pub const CHUNK: usize = 1024;

/// Lanes that a register has room for: a short program is run on several chunks at a time.
const MAX_STEP: usize = 4 * CHUNK;

/// The float type of a vm run.
pub trait Float:
    tilework_core::expr::Real + lanes::Fold + rows::Rows + tiles::Tiles + bytemuck::Pod + scratch::Scratch + Send + Sync
{
    /// Whether operations run through function pointers instead of a loop each.
    const BY_POINTER: bool = false;
    /// From a constant or another precision.
    fn from_f64(value: f64) -> Self;
    /// To the widest float.
    fn to_f64(self) -> f64;
    /// Truncating, saturating conversion; NaN gives 0.
    fn to_i32(self) -> i32;
    /// Truncating, saturating conversion; NaN gives 0.
    fn to_u32(self) -> u32;
    /// Runs the program of `evaluator` over a chunk whose leaves are ready; the last result goes to `sink` if there is one.
    #[doc(hidden)]
    fn execute(evaluator: &mut Evaluator<'_, Self>, start: usize, len: usize, sink: grid::Sink<'_, Self>);
    /// Replaces each element by its difference to `shift`.
    fn subtract(slice: &mut [Self], shift: Self);
    /// Replaces each element, none of which is above `shift`, by the exponential of its difference to it, and returns their sum.
    fn exp_of_difference(slice: &mut [Self], shift: Self) -> Self;
    /// The same, from one slice to another.
    fn exp_of_difference_to(y: &mut [Self], x: &[Self], shift: Self) -> Self;
    /// The same by instructions for it, if there are any.
    fn exp_and_sum(_y: &mut [Self], _x: &[Self], _shift: Self) -> Option<Self> {
        None
    }
    /// The largest element, apart from NaN; −∞ if there is none.
    fn highest(slice: &[Self]) -> Self;
    /// Multiplies each element.
    fn scale(slice: &mut [Self], factor: Self);
    /// The same by instructions for it; false if there are none.
    fn scale_by_instructions(_slice: &mut [Self], _factor: Self) -> bool {
        false
    }
    /// Copies `to.len()` elements, `stride` apart in `data`, from position `from` on.
    fn copy_run(to: &mut [Self], data: &[Self], from: isize, stride: isize);
    /// The same from 16-bit floats.
    fn widen_run(to: &mut [Self], data: &[u16], from: isize, stride: isize);
    /// Widens halves that follow each other by the instruction for it; false if there is none.
    fn widen_by_instructions(_halves: &[u16], _to: &mut [Self]) -> bool {
        false
    }
    /// Replaces `to` by the bits of the nearest 16-bit floats.
    fn narrow(from: &[Self], to: &mut [u16]);
    /// Elements of a buffer that already has this type.
    fn of_slice<'a>(slice: &HostSlice<'a>) -> Option<&'a [Self]>;
    /// Whether all arguments are small enough for the `_moderate` function of an operation, where a type has it.
    fn is_moderate(_op: ScalarOp, _slice: &[Self]) -> bool {
        false
    }
    /// Compares every element with `b` by instructions for it, if there are any; false if not.
    fn compare(_op: ScalarOp, _a: &[Self], _b: Self, _out: &mut [u8]) -> bool {
        false
    }
    /// Whether all powers with this exponent are moderate.
    fn are_powers_moderate(_bases: &[Self], _y: Self) -> bool {
        false
    }
    /// A moderate power.
    fn pow_moderate(self, y: Self) -> Self {
        self.pow(y)
    }
    /// Exponential of a moderate argument.
    fn exp_moderate(self) -> Self {
        self.exp()
    }
    /// Sine of a moderate argument.
    fn sin_moderate(self) -> Self {
        self.sin()
    }
    /// Cosine of a moderate argument.
    fn cos_moderate(self) -> Self {
        self.cos()
    }
    /// Tangent of a moderate argument.
    fn tan_moderate(self) -> Self {
        self.tan()
    }
}

macro_rules! float {
    ($float:ident, $Variant:ident, $exp:path, $to_i32:ident, $to_u32:ident, { $($extra:tt)* }) => {
        impl Float for $float {
            #[inline(always)]
            fn from_f64(value: f64) -> Self {
                value as $float
            }
            #[inline(always)]
            fn to_f64(self) -> f64 {
                f64::from(self)
            }
            #[inline(always)]
            fn to_i32(self) -> i32 {
                if cfg!(target_arch = "wasm32") { self as i32 } else { convert::$to_i32(self) }
            }
            #[inline(always)]
            fn to_u32(self) -> u32 {
                if cfg!(target_arch = "wasm32") { self as u32 } else { convert::$to_u32(self) }
            }
            #[inline(never)]
            fn execute(evaluator: &mut Evaluator<'_, Self>, start: usize, len: usize, sink: grid::Sink<'_, Self>) {
                grid::execute_chunk(evaluator, start, len, sink);
            }
            #[inline(never)]
            fn subtract(slice: &mut [Self], shift: Self) {
                lanes::update(slice, #[inline(always)] |x| x - shift);
            }
            #[inline(never)]
            fn exp_of_difference(slice: &mut [Self], shift: Self) -> Self {
                // Two passes over a row in the cache: one loop for both is not turned into vectors.
                lanes::update(slice, #[inline(always)] |x| $exp(x - shift));
                lanes::Fold::fold(lanes::Combine::Sum, slice, 0.0)
            }
            #[inline(never)]
            fn exp_of_difference_to(y: &mut [Self], x: &[Self], shift: Self) -> Self {
                if let Some(sum) = Self::exp_and_sum(y, x, shift) {
                    return sum;
                }
                lanes::convert(y, x, #[inline(always)] |x| $exp(x - shift));
                lanes::Fold::fold(lanes::Combine::Sum, y, 0.0)
            }
            #[inline(never)]
            fn highest(slice: &[Self]) -> Self {
                lanes::highest(slice, Self::NEG_INFINITY)
            }
            #[inline(never)]
            fn scale(slice: &mut [Self], factor: Self) {
                if Self::scale_by_instructions(slice, factor) {
                    return;
                }
                lanes::update(slice, #[inline(always)] |x| x * factor);
            }
            #[inline(never)]
            fn copy_run(to: &mut [Self], data: &[Self], from: isize, stride: isize) {
                grid::copy_same(to, data, from, stride);
            }
            #[inline(never)]
            fn widen_run(to: &mut [Self], data: &[u16], from: isize, stride: isize) {
                if stride == 1 && Self::widen_by_instructions(&data[from as usize..], to) {
                    return;
                }
                vectorized(
                    #[inline(always)]
                    || grid::copy_run(to, data, from, stride, #[inline(always)] |bits| half::widen(bits) as $float),
                );
            }
            #[inline(never)]
            fn narrow(from: &[Self], to: &mut [u16]) {
                vectorized(
                    #[inline(always)]
                    || to.iter_mut().zip(from).for_each(|(to, &x)| *to = half::narrow(x as f32)),
                );
            }
            #[inline(always)]
            fn of_slice<'a>(slice: &HostSlice<'a>) -> Option<&'a [Self]> {
                match slice {
                    HostSlice::$Variant(data) => Some(data),
                    _ => None,
                }
            }
            $($extra)*
        }
    };
}
float!(f32, F32, tilework_core::math::exp_nonpositive, f32_to_i32, f32_to_u32, {
    #[inline(always)]
    fn is_moderate(op: ScalarOp, slice: &[f32]) -> bool {
        let limit = match op {
            ScalarOp::Exp => tilework_core::math::EXP_MODERATE,
            ScalarOp::Sin | ScalarOp::Cos | ScalarOp::Tan => tilework_core::math::TRIG_MODERATE,
            _ => return false,
        };
        slice.iter().fold(true, |all, x| all & (x.abs() <= limit))
    }
    #[cfg(target_arch = "x86_64")]
    fn compare(op: ScalarOp, a: &[f32], b: f32, out: &mut [u8]) -> bool {
        compare::compare(op, a, b, out)
    }
    #[cfg(target_arch = "x86_64")]
    #[inline]
    fn widen_by_instructions(halves: &[u16], to: &mut [f32]) -> bool {
        to.len() <= halves.len() && halves::widen(halves, to)
    }
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    fn exp_and_sum(y: &mut [f32], x: &[f32], shift: f32) -> Option<f32> {
        Some(exponentials::exp_and_sum(y, x, shift))
    }
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    fn scale_by_instructions(slice: &mut [f32], factor: f32) -> bool {
        exponentials::scale(slice, factor);
        true
    }
    #[inline(always)]
    fn are_powers_moderate(bases: &[f32], y: f32) -> bool {
        tilework_core::math::are_powers_moderate(bases, y)
    }
    #[inline(always)]
    fn pow_moderate(self, y: f32) -> f32 {
        tilework_core::math::pow_moderate(self, y)
    }
    #[inline(always)]
    fn exp_moderate(self) -> f32 {
        tilework_core::math::exp_moderate(self)
    }
    #[inline(always)]
    fn sin_moderate(self) -> f32 {
        tilework_core::math::sin_moderate(self)
    }
    #[inline(always)]
    fn cos_moderate(self) -> f32 {
        tilework_core::math::cos_moderate(self)
    }
    #[inline(always)]
    fn tan_moderate(self) -> f32 {
        tilework_core::math::tan_moderate(self)
    }
});
float!(f64, F64, tilework_core::expr::Real::exp, f64_to_i32, f64_to_u32, {
    const BY_POINTER: bool = cfg!(any(target_arch = "wasm32", test));
});

#[cfg(test)]
mod tests;
