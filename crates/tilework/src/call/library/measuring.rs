//! Statistics, calculus on samples, polynomials and windows.

use super::Function;

pub(super) static FUNCTIONS: &[Function] = &[];
