//! Making, cutting, joining, ordering and indexing arrays.
