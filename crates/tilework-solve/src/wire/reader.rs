//! Words read one after the other, each with the name of what it should be.

use tilework_core::{Error, Result};

/// A place in a recording.
pub(super) struct Reader<'w> {
    op: &'w str,
    words: &'w [u32],
    at: usize,
}

impl<'w> Reader<'w> {
    pub(super) fn new(op: &'w str, words: &'w [u32]) -> Reader<'w> {
        Reader { op, words, at: 0 }
    }

    /// The next word.
    pub(super) fn word(&mut self, what: &str) -> Result<u32> {
        self.take(1, what).map(|words| words[0])
    }

    /// The next word as a count or position.
    pub(super) fn size(&mut self, what: &str) -> Result<usize> {
        self.word(what).map(|word| word as usize)
    }

    /// The next `n` words.
    pub(super) fn take(&mut self, n: usize, what: &str) -> Result<&'w [u32]> {
        let rest = &self.words[self.at..];
        if n > rest.len() {
            return Err(self.wrong(format!("{what}: it ends {} words too early", n - rest.len())));
        }
        self.at += n;
        Ok(&rest[..n])
    }

    /// The next `n · m` words.
    pub(super) fn take_product(&mut self, n: usize, m: usize, what: &str) -> Result<&'w [u32]> {
        let n_words = n.checked_mul(m).ok_or_else(|| self.wrong(format!("{what}: {n} · {m} words are too many")))?;
        self.take(n_words, what)
    }

    /// Fails unless everything was read.
    pub(super) fn end(&self) -> Result<()> {
        match self.words.len() - self.at {
            0 => Ok(()),
            n => Err(self.wrong(format!("{n} words follow its end"))),
        }
    }

    /// An error at this place.
    pub(super) fn wrong(&self, message: impl std::fmt::Display) -> Error {
        Error::argument(self.op, format!("the recording is damaged at word {}: {message}", self.at))
    }
}
