//! Language models: get them, look at them, make them smaller, have them write.
//!
//! A model argument is a file or the name of a model that `tilework pull` knows; [`model_path`] finds it for all commands.
//! `generation` is one answer while it is written, whoever asked for it: a command or the server.

pub(crate) mod generation;
pub(crate) mod inspect;
mod models;
pub(crate) mod pull;
pub(crate) mod quantize;
pub(crate) mod tokenize;
pub(crate) mod vocabulary;

pub(crate) use models::{ModelFiles, model_path};
