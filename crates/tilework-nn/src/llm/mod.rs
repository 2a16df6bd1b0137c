//! Language models from GGUF files.
//!
//! - [`Config`] is what a file says about its model; `architectures` has one file per family, which says how that family differs.
//! - [`Model`] is the weights with everything that computes: weights stay in the few bits they are stored in.
//! - [`Context`] is a conversation: its tokens and the keys and values of each of them, which a model appends to.
//!
//! A step of a model is a captured program: it is planned once for a number of tokens and replayed. The caches are given to it and
//! handed back changed, in place.

mod architectures;
mod config;
mod context;
mod decoder;
mod layer;
mod load;
mod model;
mod parts;
mod saved;
mod weights;

pub use config::{Activation, Config, LayerKind, QueryKeyNorm, Reach};
pub use context::{CacheType, Context};
pub use load::LoadProgress;
pub use model::{AHEAD, Model, ModelOptions, Wanted};
