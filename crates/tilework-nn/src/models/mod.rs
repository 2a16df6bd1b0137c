//! One file per model.

pub mod bert;
