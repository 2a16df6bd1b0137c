//! The error function and the smooth steps of neural networks.
//!
//! Their negative tails are tiny but not noise: each stays accurate relative to its own size until it is subnormal. The
//! tails of `erfc` and `gelu` are e^(-square) times a slowly varying factor, fitted in (x - a) / (x + a), a mapping
//! used by Shepherd and Laframboise ("Chebyshev approximation of (1 + 2x) exp(x^2) erfc x", Mathematics of Computation
//! 36, 1981); the square is carried in two pieces.

use super::exp::exp_times;
use super::log::log1p;
use super::split::{head, with_sign};

/// 2^24, by which products with a tail are lifted while the tail alone would be subnormal.
const LIFT_BITS: i32 = 24;
const UNLIFT: f32 = 5.9604645e-08;
/// 2 * sqrt(2/pi), and the same times 0.044715, each with a head of 12 bits.
const GELU_LINEAR_HEAD: f32 = 1.5957031;
const GELU_LINEAR_TAIL: f32 = 6.59966e-05;
const GELU_CUBIC: f32 = 0.071354814;
const GELU_CUBIC_HEAD: f32 = 0.0713501;
const GELU_CUBIC_TAIL: f32 = 4.7186163e-06;

/// The error function, 2/sqrt(pi) times the integral of e^(-t^2) from 0 to x.
#[inline(always)]
pub fn erf(x: f32) -> f32 {
    let magnitude = x.abs();
    let y = if magnitude < 0.5 { erf_near(magnitude) } else { 1.0 - erfc_far(magnitude) };
    with_sign(y, x)
}

/// 1 - erf(x), accurate in its right tail.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub fn erfc(x: f32) -> f32 {
    let tail = erfc_far(x.abs());
    let outer = if x < 0.0 { 2.0 - tail } else { tail };
    if x.abs() < 0.5 { 1.0 - erf_near(x) } else { outer }
}

/// 1 / (1 + e^-x).
#[inline(always)]
pub fn sigmoid(x: f32) -> f32 {
    let decay = exp_times(-x.abs(), 0.0, 1.0, 0);
    (if x < 0.0 { decay } else { 1.0 }) / (1.0 + decay)
}

/// ln(1 + e^x).
#[inline(always)]
pub fn softplus(x: f32) -> f32 {
    let decay = exp_times(-x.abs(), 0.0, 1.0, 0);
    (if x > 0.0 { x } else { 0.0 }) + log1p(decay)
}

/// x * sigmoid(x); -0 at minus infinity, the limit.
#[inline(always)]
pub fn silu(x: f32) -> f32 {
    step_times(x, -x.abs(), 0.0)
}

/// x / 2 * (1 + erf(x / sqrt(2))); -0 at minus infinity, the limit.
#[inline(always)]
pub fn gelu(x: f32) -> f32 {
    // Near zero the normal distribution is an odd polynomial above 1/2.
    let z = x * x;
    let p = 0.00012169559;
    let p = p * z - 0.0011969457;
    let p = p * z + 0.009976695;
    let p = p * z - 0.06649074;
    let p = p * z + 0.3989423;
    let near = x * (0.5 + x * p);
    let u = x.abs();
    let tail = gelu_tail(u);
    let falling = if x < -16.0 { -16.0 } else { x };
    let far = if x < 0.0 { falling * tail * UNLIFT } else { x * (1.0 - tail * UNLIFT) };
    if u < 0.6 { near } else { far }
}

/// The tanh approximation of gelu, x / 2 * (1 + tanh(sqrt(2/pi) * (x + 0.044715 x^3))); -0 at minus infinity.
#[inline(always)]
pub fn gelu_tanh(x: f32) -> f32 {
    // It equals x * sigmoid(w) with w = x * (c1 + c3 * x^2), here for |x| and with w in two pieces.
    let u = x.abs();
    let u = if u > 16.0 { 16.0 } else { u };
    let u_head = head(u);
    let u_tail = u - u_head;
    let square = u_head * u_head;
    let square_head = head(square);
    let square_tail = (square - square_head) + u_tail * (u + u_head);
    let main = square_head * GELU_CUBIC_HEAD;
    let rest = (square_head * GELU_CUBIC_TAIL + GELU_LINEAR_TAIL) + square_tail * GELU_CUBIC;
    let slope_head = head(GELU_LINEAR_HEAD + (main + rest));
    let slope_tail = ((GELU_LINEAR_HEAD - slope_head) + main) + rest;
    let w_rest = u_head * slope_tail + u_tail * (slope_head + slope_tail);
    step_times(x, -(u_head * slope_head), -w_rest)
}

/// x * sigmoid(w) for the -|w| given as `hi + lo`, where w has the sign of x.
#[inline(always)]
fn step_times(x: f32, hi: f32, lo: f32) -> f32 {
    let lifted = exp_times(hi, lo, 1.0, LIFT_BITS);
    let limited = if x < -200.0 { -200.0 } else { x };
    let weight = 1.0 + lifted * UNLIFT;
    // x times the lifted exponential, with x as its factor: the shared parts are computed once.
    let falling = exp_times(hi, lo, limited, LIFT_BITS) / weight * UNLIFT;
    if x < 0.0 { falling } else { x / weight }
}

/// erf(x) for |x| <= 1/2.
#[inline(always)]
fn erf_near(x: f32) -> f32 {
    let z = x * x;
    let p = 0.0047205808;
    let p = p * z - 0.026758738;
    let p = p * z + 0.112828545;
    let p = p * z - 0.3761261;
    let p = p * z + 0.12837917;
    x + x * p
}

/// erfc(x) for x >= 1/2.
#[inline(always)]
fn erfc_far(x: f32) -> f32 {
    // From 11 on the result is zero.
    let x = if x > 11.0 { 11.0 } else { x };
    let q = (x - 2.0) / (x + 2.0);
    let p = -0.000101756516;
    let p = p * q - 0.0006413953;
    let p = p * q + 0.00056732935;
    let p = p * q + 0.004336539;
    let p = p * q - 0.0040025655;
    let p = p * q - 0.027107548;
    let p = p * q + 0.08202458;
    let p = p * q - 0.08301521;
    let p = p * q - 0.046381902;
    let p = p * q + 0.6384892;
    let (inverse, error) = inverse_sum(x, 0.5);
    let x_head = head(x);
    let square = x_head * x_head;
    let square_rest = (x - x_head) * (x + x_head);
    exp_times(-square, error - square_rest, p * inverse, 0)
}

/// 2^24 * erfc(u / sqrt(2)) / 2 for u >= 0.6, the lifted tail of the normal distribution.
#[inline(always)]
fn gelu_tail(u: f32) -> f32 {
    // From 16 on the tail is zero.
    let u = if u > 16.0 { 16.0 } else { u };
    let q = (u - 4.0) / (u + 4.0);
    let p = 0.0006619904;
    let p = p * q - 0.00049920677;
    let p = p * q - 0.00509869;
    let p = p * q + 0.020070639;
    let p = p * q - 0.039920434;
    let p = p * q + 0.046526507;
    let p = p * q - 0.017094586;
    let p = p * q - 0.054104045;
    let p = p * q + 0.44845054;
    let (inverse, error) = inverse_sum(u, 0.75);
    let u_head = head(u);
    let square = u_head * u_head;
    let square_rest = (u - u_head) * (u + u_head);
    exp_times(-0.5 * square, error - 0.5 * square_rest, p * inverse, LIFT_BITS)
}

/// 1 / (x + shift) and its relative error, for a short `shift`. The error joins an exponent, where it is free; it
/// covers both the sum and a division that is off by a few ulp.
#[inline(always)]
fn inverse_sum(x: f32, shift: f32) -> (f32, f32) {
    let sum = x + shift;
    let sum_head = head(sum);
    let sum_tail = (shift - sum_head) + x;
    let inverse = 1.0 / sum;
    let inverse_head = head(inverse);
    let inverse_tail = inverse - inverse_head;
    (inverse, ((1.0 - inverse_head * sum_head) - inverse_head * sum_tail) - inverse_tail * sum)
}
