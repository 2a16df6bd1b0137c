//! Tables that a program wrote.

#[rustfmt::skip]
pub(crate) mod unicode;
