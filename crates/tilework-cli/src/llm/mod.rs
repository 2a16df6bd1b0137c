//! Language models: get them, look at them, make them smaller, have them write.
//!
//! A model argument is a file or the name of a model that `tilework pull` knows; [`model_path`] finds it for all commands.
//! `open` reads one, `sampling` has the options of commands that write, `writing` shows one answer and takes its time.

pub(crate) mod chat;
mod conversation;
mod download;
pub(crate) mod generate;
pub(crate) mod inspect;
pub(crate) mod interrupt;
pub(crate) mod logits;
mod models;
pub(crate) mod open;
pub(crate) mod perplexity;
mod prompt_cache;
pub(crate) mod pull;
pub(crate) mod quantize;
mod sampling;
pub(crate) mod tokenize;
pub(crate) mod writing;

pub(crate) use download::is_url;
pub(crate) use models::{ModelFiles, amount, model_path, parts};
