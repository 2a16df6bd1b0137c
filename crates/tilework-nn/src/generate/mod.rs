//! Answers of a language model: from a request to text, wherever it is asked from.
//!
//! - [`Body`] reads a request in OpenAI's form, for the server and for pages alike; [`Head`] puts answers into that form.
//! - [`Assistant`] is a model with its chat template: it turns a [`Request`] into a [`Prepared`] prompt, if there is room for it.
//! - [`Generation`] is one answer while it is written: the sampler, the grammar, the text that is certain by now, why it ends.
//! - [`Writing`] lets a model write such an answer, one step at a time, so that whoever waits may show it and may stop it.
//!
//! A [`Vocabulary`] is all that an answer needs of a tokenizer; tests have smaller ones.

mod answer;
mod assistant;
mod error;
mod generation;
mod request;
mod vocabulary;
mod writing;

pub use answer::{Head, Kind, Usage};
pub use assistant::{Assistant, Prepared, Room, prepare, prompt_tokens};
pub use error::RequestError;
pub use generation::{AtEnd, Finish, Generation, GenerationOptions, Piece};
pub use request::{Body, Delivery, Prompt, Request};
pub use vocabulary::Vocabulary;
pub use writing::{Step, Writing};
