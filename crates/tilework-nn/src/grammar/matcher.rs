//! Follows a text through a grammar, token by token.

use std::sync::Arc;

use tilework::layers::core::order;
use tilework::{Error, Result};

use super::rules::Rules;
use super::stacks::{EMPTY, Stacks};
use super::utf8::{Partial, Read};

/// Fewest stacks that are swept between tokens.
const MIN_SWEEP: usize = 1 << 14;
/// Most readings of a text at once.
const MAX_READINGS: usize = 1 << 12;

/// Where a text stands in a grammar.
#[derive(Clone, Debug)]
pub struct Matcher {
    stacks: Stacks,
    /// All readings of the text so far, sorted.
    readings: Vec<u32>,
    partial: Partial,
    /// How many stacks there are when those no longer needed are forgotten; twice as many as were needed last time.
    sweep_at: usize,
    /// Whether a token may begin with a byte; computed when first asked for. Most tokens are refused by it.
    first: Option<Box<[bool; 256]>>,
}

impl Matcher {
    pub(super) fn new(rules: Arc<Rules>) -> Result<Matcher> {
        let mut stacks = Stacks::new(rules);
        let readings = stacks.start()?;
        Ok(Matcher { stacks, readings, partial: Partial::default(), sweep_at: MIN_SWEEP, first: None })
    }

    /// Whether the text may go on with these bytes. An empty token adds nothing and is not allowed, lest a text never end.
    pub fn allows(&mut self, bytes: &[u8]) -> bool {
        let Some(&byte) = bytes.first() else { return false };
        if self.first.is_none() {
            self.first = Some(self.first_bytes());
        }
        let is_possible = self.first.as_ref().is_some_and(|first| first[byte as usize]);
        is_possible && self.read(bytes).is_ok_and(|(readings, _)| !readings.is_empty())
    }

    /// Goes on with these bytes.
    ///
    /// # Errors
    /// `Argument` if the grammar does not allow them, `TooLarge` if it has too many readings; the matcher is then as before.
    pub fn accept(&mut self, bytes: &[u8]) -> Result<()> {
        let (readings, partial) = self.read(bytes)?;
        if readings.is_empty() {
            let text = String::from_utf8_lossy(bytes);
            return Err(Error::argument("grammar", format!("{text:?} does not fit the grammar here")));
        }
        self.readings = readings;
        self.partial = partial;
        self.first = None;
        if self.stacks.len() > self.sweep_at {
            self.readings = self.stacks.keep(&self.readings)?;
            self.sweep_at = MIN_SWEEP.max(2 * self.stacks.len());
        }
        Ok(())
    }

    /// Whether the text may end here.
    pub fn is_complete(&self) -> bool {
        self.partial.is_none() && self.readings.contains(&EMPTY)
    }

    /// Whether the text must end here: nothing can follow.
    pub fn is_finished(&self) -> bool {
        self.partial.is_none() && self.readings == [EMPTY]
    }

    /// Which tokens of a vocabulary may come next, given the bytes of each and whether it ends a text.
    pub fn mask<'a>(&mut self, tokens: impl Iterator<Item = Token<'a>>) -> Vec<bool> {
        let is_complete = self.is_complete();
        let allows = |token| match token {
            Token::End => is_complete,
            Token::Bytes(bytes) => self.allows(bytes),
        };
        tokens.map(allows).collect()
    }

    /// The readings after `bytes`, none if they do not fit, and the unfinished character they end with.
    fn read(&mut self, bytes: &[u8]) -> Result<(Vec<u32>, Partial)> {
        let mut readings = self.readings.clone();
        let mut partial = self.partial;
        for &byte in bytes {
            match partial.push(byte) {
                Read::Invalid => return Ok((Vec::new(), Partial::default())),
                Read::More(more) => partial = more,
                Read::Char(code) => {
                    partial = Partial::default();
                    readings = self.step(&readings, code)?;
                    if readings.is_empty() {
                        return Ok((readings, partial));
                    }
                }
            }
        }
        if let Some((from, to)) = partial.range().filter(|_| !partial.is_none()) {
            readings.retain(|&stack| self.stacks.class(stack).is_some_and(|class| class.meets(from, to)));
        }
        Ok((readings, partial))
    }

    fn step(&mut self, readings: &[u32], code: u32) -> Result<Vec<u32>> {
        let mut next: Vec<u32> = Vec::new();
        for &stack in readings {
            if self.stacks.class(stack).is_some_and(|class| class.contains(code)) {
                next.extend_from_slice(&self.stacks.after(stack)?);
            }
        }
        order::sort_by(&mut next, Ord::cmp);
        next.dedup();
        if next.len() > MAX_READINGS {
            let message = format!("the text has more than {MAX_READINGS} readings in this grammar");
            return Err(Error::new(tilework::ErrorKind::TooLarge, "grammar", message));
        }
        Ok(next)
    }

    fn first_bytes(&self) -> Box<[bool; 256]> {
        let mut first = Box::new([false; 256]);
        for (byte, is_possible) in (0u32..).zip(first.iter_mut()) {
            let classes = || self.readings.iter().filter_map(|&stack| self.stacks.class(stack));
            *is_possible = match byte {
                0..0x80 if self.partial.is_none() => classes().any(|class| class.contains(byte)),
                0..0x80 => false,
                _ => !self.partial.is_none() || classes().any(|class| class.meets(0x80, u32::from(char::MAX))),
            };
        }
        first
    }
}

/// A token as [`Matcher::mask`] sees it.
#[derive(Clone, Copy, Debug)]
pub enum Token<'a> {
    /// Ends the text.
    End,
    /// Adds these bytes to it.
    Bytes(&'a [u8]),
}
