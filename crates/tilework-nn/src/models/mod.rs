//! One file per model.
