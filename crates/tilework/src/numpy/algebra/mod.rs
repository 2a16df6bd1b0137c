//! Products by name, derivatives of whole functions, and random draws.

pub(crate) mod einsum;
mod products;
#[cfg(feature = "grad")]
mod transforms;
