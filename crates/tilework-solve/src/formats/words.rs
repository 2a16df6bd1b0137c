//! Reading words of text, with line numbers for errors.

use std::str::FromStr;
use tilework_core::{Error, ErrorKind, Result};

/// Something in a file that is not as it should be.
pub(super) fn bad(format: &str, line: usize, message: impl std::fmt::Display) -> Error {
    Error::new(ErrorKind::Io, format, format!("line {line}: {message}"))
}

/// The words of a text one after the other, whatever lines they are on.
pub(super) struct Words<'a> {
    format: &'static str,
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
    words: std::str::SplitWhitespace<'a>,
    line: usize,
    /// What starts a comment, to the end of its line.
    comment: Option<char>,
}

impl<'a> Words<'a> {
    pub(super) fn new(format: &'static str, text: &'a str, comment: Option<char>) -> Words<'a> {
        Words { format, lines: text.lines().enumerate(), words: "".split_whitespace(), line: 0, comment }
    }

    /// The next word; `wanted` says what it should have been.
    pub(super) fn word(&mut self, wanted: &str) -> Result<&'a str> {
        loop {
            if let Some(word) = self.words.next() {
                return Ok(word);
            }
            let Some((index, line)) = self.lines.next() else {
                return Err(bad(self.format, self.line + 1, format!("the file ends where {wanted} should be")));
            };
            self.line = index + 1;
            let content = self.comment.map_or(line, |comment| line.split(comment).next().unwrap_or(""));
            self.words = content.split_whitespace();
        }
    }

    /// The next number.
    pub(super) fn next<T: FromStr>(&mut self, wanted: &str) -> Result<T> {
        let word = self.word(wanted)?;
        word.parse().map_err(|_| bad(self.format, self.line, format!("`{word}` is not {wanted}")))
    }

    /// The next number, which must be finite.
    pub(super) fn number(&mut self, wanted: &str) -> Result<f64> {
        let value: f64 = self.next(wanted)?;
        if value.is_finite() { Ok(value) } else { Err(bad(self.format, self.line, format!("{wanted} is {value}"))) }
    }

    /// An error at the line of the last word.
    pub(super) fn error(&self, message: impl std::fmt::Display) -> Error {
        bad(self.format, self.line, message)
    }
}

/// Numbers of one line.
pub(super) fn numbers<'a, const N: usize>(
    format: &str,
    line: usize,
    mut words: impl Iterator<Item = &'a str>,
) -> Result<[f64; N]> {
    let mut found = [0.0f64; N];
    for (k, number) in found.iter_mut().enumerate() {
        let word = words.next().ok_or_else(|| bad(format, line, format!("{k} numbers where {N} should be")))?;
        *number = word.parse().map_err(|_| bad(format, line, format!("`{word}` is not a number")))?;
        if !number.is_finite() {
            return Err(bad(format, line, format!("a number is {word}")));
        }
    }
    Ok(found)
}

/// A list for about `n` items that a file claims to have: no more is set aside than `n_bytes` of it could hold.
pub(super) fn list<T>(n: usize, n_bytes: usize) -> Vec<T> {
    Vec::with_capacity(n.min(n_bytes))
}
