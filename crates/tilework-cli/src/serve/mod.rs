//! `tilework serve`: a language model by HTTP, in the shape of OpenAI's interface.
//!
//! `http` takes requests and sends answers, on one thread; `scheduler` owns the model and writes all answers together, on
//! another. Between them go jobs one way and events the other, so a client that leaves is noticed at the next token.

mod cache;
mod command;
pub(crate) mod engine;
mod error;
#[cfg(test)]
pub(crate) mod fake;
mod http;
pub(crate) mod scheduler;
mod stream;
#[cfg(test)]
mod tests;

pub(crate) use command::{command, run};
#[cfg(test)]
use http::{Hosts, Service, serve};
