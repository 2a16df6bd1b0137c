//! Language models on the command line.
//!
//! `generation` is one answer while it is written, whoever asked for it: a command or the server.

pub(crate) mod generation;
pub(crate) mod vocabulary;
