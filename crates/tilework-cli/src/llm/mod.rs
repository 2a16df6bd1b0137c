//! Language models: get them, look at them, make them smaller.
//!
//! A model argument is a file or the name of a model that `tilework pull` knows; [`model_path`] finds it for all commands.

pub(crate) mod inspect;
mod models;
pub(crate) mod pull;
pub(crate) mod quantize;
pub(crate) mod tokenize;

pub(crate) use models::{ModelFiles, model_path};
