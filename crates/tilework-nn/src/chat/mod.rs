//! Conversations: messages as the prompt a model was trained on, and the end of its answers.
//!
//! A model's file carries a Jinja template that turns messages into its prompt; [`ChatTemplate`] renders it with an interpreter of
//! our own (`jinja`) and with what Hugging Face's templates expect of Python. Templates are not trusted: they have so many steps, so
//! much depth and so much output. A model without a template, or with one that cannot be read, gets ChatML, the most common form.
//!
//! [`StopWatch`] holds back text that may be the beginning of a stop string.

mod dates;
mod jinja;
mod stop;
mod template;

pub use stop::{StopWatch, Watched};
pub use template::{ChatTemplate, RenderOptions, SpecialTexts, Turn};

/// One message of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Who speaks: `system`, `user`, `assistant`, or what else the template knows.
    pub role: String,
    /// What is said.
    pub content: String,
}

impl Message {
    /// A message of a role.
    pub fn new(role: impl Into<String>, content: impl Into<String>) -> Message {
        Message { role: role.into(), content: content.into() }
    }
}

#[cfg(test)]
mod tests;
