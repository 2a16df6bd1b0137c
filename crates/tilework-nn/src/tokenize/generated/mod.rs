//! Tables that a program wrote.

#[rustfmt::skip]
pub(crate) mod unicode;

#[rustfmt::skip]
pub(crate) mod classes;
