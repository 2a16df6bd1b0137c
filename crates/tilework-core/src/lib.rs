//! The language of Tilework: what to compute, without saying where.
//!
//! Pure: no device, no file, no clock, no thread, no async. Everything above this crate speaks in its nouns:
//! [`dtype::DType`], [`shape::Shape`], [`layout::Layout`] and [`plan::Plan`].

pub mod axes;
pub mod dtype;
pub mod emit;
pub mod error;
pub mod expr;
pub mod fused;
pub mod half;
pub mod host;
pub mod layout;
pub mod math;
pub mod order;
pub mod pictures;
pub mod plan;
pub mod quant;
pub mod shape;
pub mod words;

pub use error::{Error, ErrorKind, Result};
