//! Grammars: text that a model writes under one fits it, whatever the model would have liked to write.
//!
//! A [`Grammar`] is written in GBNF, the notation of llama.cpp: rules `name ::= alternatives`, beginning with `root`; strings
//! `"…"`, classes `[a-z]` and `[^…]`, any character `.`, groups `( … )`, repetition `*` `+` `?` `{m,n}`, comments `# …`. A
//! [`Matcher`] follows a text through it as a set of stacks, as llama.cpp does: a pushdown automaton that keeps all readings of
//! the text at once. Tokens are bytes and may end inside a character; the unfinished one is part of the state.
//!
//! Grammars come from users: their size, nesting, repetition and ambiguity are bounded, and left recursion, which would never
//! end, is an error when the grammar is read.
//!
//! [`json_schema_to_gbnf`] writes the grammar of the JSON texts that fit a schema.

mod json;
mod matcher;
mod parse;
mod recursion;
mod rules;
mod schema;
mod stacks;
mod utf8;

use std::sync::Arc;

use tilework::Result;

pub use json::Json;
pub use matcher::{Matcher, Token};
use rules::Rules;
pub use schema::{json_schema_to_gbnf, schema_to_gbnf};

/// A grammar that has been read and checked; cheap to clone.
#[derive(Clone, Debug)]
pub struct Grammar {
    rules: Arc<Rules>,
}

impl Grammar {
    /// Reads a grammar in GBNF.
    ///
    /// # Errors
    /// `Argument`, with the line: for mistakes of notation, names without a rule, no rule `root`, and left recursion.
    /// `TooLarge` for a grammar beyond the limits.
    pub fn parse(gbnf: &str) -> Result<Grammar> {
        let rules = parse::parse(gbnf)?;
        recursion::check(&rules)?;
        Ok(Grammar { rules: Arc::new(rules) })
    }

    /// The grammar of JSON objects.
    ///
    /// # Errors
    /// None in practice; the grammar is a constant.
    pub fn json_object() -> Result<Grammar> {
        Grammar::parse(&json_schema_to_gbnf(r#"{"type": "object"}"#)?)
    }

    /// The grammar of JSON texts that fit a schema; see [`json_schema_to_gbnf`].
    ///
    /// # Errors
    /// Those of the conversion and of [`Grammar::parse`].
    pub fn json_schema(schema: &str) -> Result<Grammar> {
        Grammar::parse(&json_schema_to_gbnf(schema)?)
    }

    /// A matcher at the beginning of a text.
    ///
    /// # Errors
    /// `TooLarge` if the grammar can be read in too many ways.
    pub fn matcher(&self) -> Result<Matcher> {
        Matcher::new(Arc::clone(&self.rules))
    }
}

#[cfg(test)]
mod tests;
