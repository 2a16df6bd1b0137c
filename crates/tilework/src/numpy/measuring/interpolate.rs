//! Linear interpolation.

use super::settled;
use crate::array::Array;
use tilework_core::dtype::DType;
use tilework_core::{Error, Result};
use tilework_ops::ops::searchsorted::Side;

/// What is rarely said of an interpolation.
#[derive(Clone, Copy, Debug, Default)]
pub struct InterpOptions {
    /// The value left of all points; that of the first point unless told.
    pub left: Option<f64>,
    /// The value right of all points; that of the last point unless told.
    pub right: Option<f64>,
    /// After which coordinates repeat; then points need no order, and nothing is left or right of them.
    pub period: Option<f64>,
}

impl Array {
    /// Values at these places of the line through points at ascending coordinates `xp` with values `fp`.
    pub fn interp(&self, xp: &Array, fp: &Array, options: &InterpOptions) -> Array {
        settled(self, interp(self, xp, fp, options))
    }
}

fn interp(x: &Array, xp: &Array, fp: &Array, options: &InterpOptions) -> Result<Array> {
    let (n, n_values) = (xp.node()?.shape().n_elements(), fp.node()?.shape().n_elements());
    if n != n_values || n == 0 || xp.ndim() != 1 || fp.ndim() != 1 {
        let message =
            format!("needs two rows of one length, got coordinates {:?} and values {:?}", xp.shape(), fp.shape());
        return Err(Error::shape("interp", message));
    }
    let dtype = x.node()?.dtype().promote(xp.dtype()).promote(fp.dtype()).float();
    let (x, xp, fp) = (x.cast(dtype), xp.cast(dtype), fp.cast(dtype));
    let Some(period) = options.period else { return Ok(on_line(&x, &xp, &fp, options)) };
    if period == 0.0 || !period.is_finite() {
        return Err(Error::argument("interp", format!("a period of {period} repeats nothing")));
    }
    let period = period.abs();
    let wrapped = xp.rem(period);
    let order = wrapped.argsort(0);
    let (xp, fp) = (wrapped.take(&order, 0), fp.take(&order, 0));
    let device = x.device();
    // One more point at each end, so that every place lies between two.
    let xp = device.concat(&[&(xp.slice(0, -1..) - period), &xp, &(xp.slice(0, ..1) + period)], 0);
    let fp = device.concat(&[&fp.slice(0, -1..), &fp, &fp.slice(0, ..1)], 0);
    Ok(on_line(&x.rem(period), &xp, &fp, &InterpOptions::default()))
}

fn on_line(x: &Array, xp: &Array, fp: &Array, options: &InterpOptions) -> Array {
    let n = xp.size();
    let (first, last) = (fp.index(0, 0), fp.index(0, -1));
    let number =
        |value: Option<f64>, default: &Array| value.map_or_else(|| default.clone(), |value| default.full_like(value));
    let (left, right) = (number(options.left, &first), number(options.right, &last));
    let inside = if n == 1 {
        first.broadcast_to(x.shape())
    } else {
        let place = xp.searchsorted(&x.flatten(), Side::Right) - 1;
        let low = place.clamp(0, n as i32 - 2).cast(DType::I32);
        let at = |values: &Array, places: &Array| values.take(places, 0).reshape(x.shape());
        let high = &low + 1;
        let (x0, x1, f0, f1) = (at(xp, &low), at(xp, &high), at(fp, &low), at(fp, &high));
        let gap = &x1 - &x0;
        let is_gap = gap.gt(0.0);
        let share = (x - &x0) / is_gap.either(&gap, 1.0);
        // From the nearer point, so that the line meets both of them.
        let rise = &f1 - &f0;
        let (from_first, from_second) = (&rise * &share + &f0, &f1 - &rise * (1.0 - &share));
        let line = share.lt(0.5).either(&from_first, &from_second);
        // Between values of which one is infinite the line is, too, whichever end can say so; the points are themselves.
        let steep = from_first.is_nan().either(&from_second, &from_first);
        let points = x.eq(&x1).either(&f1, x.eq(&x0).or(f0.eq(&f1)).either(&f0, &steep));
        rise.is_finite().either(&line, &points)
    };
    let limited = x.lt(xp.index(0, 0)).either(&left, x.gt(xp.index(0, -1)).either(&right, &inside));
    x.is_nan().either(x, &limited)
}
