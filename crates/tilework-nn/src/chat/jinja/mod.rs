//! Jinja, as far as chat templates need it.
//!
//! Templates of language models are small programs in the Jinja language, written for Python's Jinja2 as Hugging Face sets it
//! up: blocks take the line end after them and the space before them (`trim_blocks`, `lstrip_blocks`), loops have `break` and
//! `continue`, values print as Python prints them. This is an interpreter of that language without what no chat template uses
//! (inheritance, imports, call blocks, formatting), small because every visitor of a page with a language model downloads it.
//! What it means is tested against Jinja2 itself (testdata/jinja). One difference is left: a tuple is a list, and prints as one.
//!
//! A template comes from a stranger. What it may do is bounded: the depth of its expressions and calls, the steps it takes
//! (longer texts take more), so that time and memory are, too.
//!
//! `lexer` makes tokens, `parser` and `expressions` make a tree (`ast`), `render` runs statements and `evaluate` expressions over
//! `value`s, with `filters`, `predicates` (Jinja calls them tests) and Python's `methods`.

mod ast;
mod evaluate;
mod expressions;
mod filters;
mod json;
mod lexer;
mod methods;
mod parser;
mod predicates;
mod render;
mod value;

#[cfg(test)]
mod tests;

pub(super) use value::Value;

use std::rc::Rc;

/// Deepest nesting of expressions, statements and calls.
const MAX_DEPTH: usize = 100;

/// Why a template cannot be read or does not end well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// It makes no sense, in words.
    Wrong(String),
    /// It says itself that it refuses.
    Raised(String),
    /// It takes too many steps.
    TooLong,
    /// It writes more than it may.
    TooMuch,
}

type Result<T> = std::result::Result<T, Failure>;

fn wrong<T>(message: impl Into<String>) -> Result<T> {
    Err(Failure::Wrong(message.into()))
}

/// A template that can be rendered.
#[derive(Debug)]
pub(super) struct Template {
    body: Vec<ast::Statement>,
}

/// What a rendering may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Steps: one for every expression and statement, and one for every few bytes of text they make.
    pub(super) n_steps: u64,
    /// Longest result.
    pub(super) n_bytes: usize,
}

/// A function of the caller's that templates may call with one text.
pub(super) type HostFunction = Rc<dyn Fn(&str) -> String>;

impl Template {
    pub(super) fn parse(source: &str) -> Result<Template> {
        Ok(Template { body: parser::parse(&lexer::tokens(source)?)? })
    }

    /// Renders with named values.
    pub(super) fn render(&self, context: Vec<(&str, Value)>, limits: Limits) -> Result<String> {
        render::render(&self.body, context, limits)
    }
}
