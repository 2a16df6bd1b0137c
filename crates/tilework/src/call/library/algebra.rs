//! Products by name, derivatives of whole functions, and random draws.

use super::Function;

pub(super) static FUNCTIONS: &[Function] = &[];
