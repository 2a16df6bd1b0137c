//! Making, cutting, joining, ordering and indexing arrays.

use super::Function;

pub(super) static FUNCTIONS: &[Function] = &[];
