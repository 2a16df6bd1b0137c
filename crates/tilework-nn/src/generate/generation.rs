//! One answer while it is written: from logits to tokens to text, until something ends it.

use crate::chat::{StopWatch, Watched};
use crate::grammar::{Grammar, Matcher};
use crate::sample::{Logprobs, SampleOptions, Sampler};
use tilework::Result;

use super::vocabulary::Vocabulary;
use crate::tokenize::TextStream;

/// What is asked for.
#[derive(Clone, Debug, Default)]
pub struct GenerationOptions {
    /// How tokens are chosen.
    pub sample: SampleOptions,
    /// What the answer must fit.
    pub grammar: Option<Grammar>,
    /// Texts that end it where they would begin.
    pub stops: Vec<String>,
    /// Tokens, at most.
    pub n_most: usize,
    /// What a token that ends answers does.
    pub at_end: AtEnd,
}

/// What a token that ends answers does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AtEnd {
    /// It ends the answer.
    #[default]
    Stop,
    /// It is never chosen; for measurements.
    Ignore,
}

/// Why an answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// The model ended it, or a stop string, or the grammar.
    Stop,
    /// There is no room for more.
    Length,
}

impl Finish {
    /// OpenAI's word for it.
    pub fn name(self) -> &'static str {
        match self {
            Finish::Stop => "stop",
            Finish::Length => "length",
        }
    }
}

/// What one token brought.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The token.
    pub token: u32,
    /// Text that is now certain; often that of the token, sometimes none or more.
    pub text: String,
    /// How likely it was, if that was asked for.
    pub logprobs: Option<Logprobs>,
    /// Why the answer is over, if it is.
    pub finish: Option<Finish>,
}

/// An answer being written.
pub struct Generation {
    sampler: Sampler,
    matcher: Option<Matcher>,
    watch: StopWatch,
    characters: TextStream,
    n_most: usize,
    n_generated: usize,
    at_end: AtEnd,
}

impl Generation {
    /// An answer to a prompt; fails for options out of range.
    pub fn new(options: GenerationOptions, prompt: &[u32]) -> Result<Generation> {
        let mut sampler = Sampler::new(options.sample)?;
        let n_window = sampler.options().penalty_window;
        for &token in &prompt[prompt.len().saturating_sub(n_window)..] {
            sampler.accept(token);
        }
        Ok(Generation {
            sampler,
            matcher: options.grammar.map(|grammar| grammar.matcher()).transpose()?,
            watch: StopWatch::new(options.stops)?,
            characters: TextStream::default(),
            n_most: options.n_most,
            n_generated: 0,
            at_end: options.at_end,
        })
    }

    /// Tokens so far, without the one that ended it.
    pub fn n_generated(&self) -> usize {
        self.n_generated
    }

    /// The next token.
    pub fn next(&mut self, logits: &[f32], vocabulary: &dyn Vocabulary) -> Result<Piece> {
        // A model may have more logits than there are tokens; those cannot be chosen.
        let logits = &logits[..logits.len().min(vocabulary.n_tokens())];
        let Generation { sampler, matcher, at_end, .. } = self;
        let mut allows = |token: u32| match (vocabulary.is_end(token), matcher.as_mut()) {
            (true, _) if *at_end == AtEnd::Ignore => false,
            (true, Some(matcher)) => matcher.is_complete(),
            (false, Some(matcher)) => matcher.allows(&vocabulary.bytes(token)),
            (_, None) => true,
        };
        let choice = sampler.sample_where(logits, &mut allows)?;
        Ok(Piece { logprobs: choice.logprobs, ..self.take(choice.token, vocabulary)? })
    }

    /// The next token, chosen by someone else.
    pub fn take(&mut self, token: u32, vocabulary: &dyn Vocabulary) -> Result<Piece> {
        self.sampler.accept(token);
        let (text, finish) = if vocabulary.is_end(token) {
            (self.rest(), Some(Finish::Stop))
        } else {
            self.n_generated += 1;
            self.read(&vocabulary.bytes(token))?
        };
        Ok(Piece { token, text, logprobs: None, finish })
    }

    /// Whether the likeliest token is always the one: no options change logits, and nobody wants to see them.
    pub fn is_plainly_greedy(&self) -> bool {
        let plain = SampleOptions { seed: self.sampler.options().seed, ..SampleOptions::greedy() };
        let cuts = SampleOptions { top_k: 0, top_p: 1.0, min_p: 0.0, typical_p: 1.0, ..plain };
        let own = SampleOptions { top_k: 0, top_p: 1.0, min_p: 0.0, typical_p: 1.0, ..self.sampler.options().clone() };
        own == cuts && self.matcher.is_none() && self.at_end == AtEnd::Stop
    }

    fn read(&mut self, bytes: &[u8]) -> Result<(String, Option<Finish>)> {
        let mut is_finished = false;
        if let Some(matcher) = &mut self.matcher {
            matcher.accept(bytes)?;
            is_finished = matcher.is_finished();
        }
        let text = self.characters.push(bytes);
        match self.watch.push(&text) {
            Watched::Stop(text) => Ok((text, Some(Finish::Stop))),
            Watched::Text(text) if is_finished => Ok((text + &self.rest(), Some(Finish::Stop))),
            Watched::Text(text) if self.n_generated >= self.n_most => Ok((text + &self.rest(), Some(Finish::Length))),
            Watched::Text(text) => Ok((text, None)),
        }
    }

    /// All that was held back.
    pub fn rest(&mut self) -> String {
        self.watch.finish() + &self.characters.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::borrow::Cow;

    /// Bytes as tokens, and one that ends.
    struct Bytes;

    impl Vocabulary for Bytes {
        fn n_tokens(&self) -> usize {
            257
        }

        fn bytes(&self, token: u32) -> Cow<'_, [u8]> {
            u8::try_from(token).map_or(Cow::Borrowed(&[]), |byte| Cow::Owned(vec![byte]))
        }

        fn is_end(&self, token: u32) -> bool {
            token == 256
        }

        fn encode_plain(&self, text: &str) -> Vec<u32> {
            text.bytes().map(u32::from).collect()
        }

        fn encode_prompt(&self, text: &str) -> Vec<u32> {
            self.encode_plain(text)
        }
    }

    fn options(n_most: usize) -> GenerationOptions {
        GenerationOptions { sample: SampleOptions::greedy(), n_most, ..GenerationOptions::default() }
    }

    /// Logits that want one byte, or the end.
    fn want(byte: Option<u8>) -> Vec<f32> {
        let mut logits = vec![0.0; 257];
        logits[byte.map_or(256, usize::from)] = 9.0;
        logits
    }

    fn write(generation: &mut Generation, bytes: &[u8]) -> (String, Option<Finish>) {
        let mut text = String::new();
        for &byte in bytes {
            let piece = generation.next(&want(Some(byte)), &Bytes).unwrap();
            text += &piece.text;
            if piece.finish.is_some() {
                return (text, piece.finish);
            }
        }
        (text, None)
    }

    #[test]
    fn characters_come_whole() {
        let mut generation = Generation::new(options(99), &[]).unwrap();
        assert_eq!(write(&mut generation, &[0xe2, 0x82]), (String::new(), None));
        assert_eq!(write(&mut generation, &[0xac, b'a', 0xff, b'b', 0xc3]), ("€a\u{fffd}b".to_owned(), None));
        let piece = generation.next(&want(None), &Bytes).unwrap();
        assert_eq!((piece.text.as_str(), piece.finish), ("\u{fffd}", Some(Finish::Stop)));
        assert_eq!(generation.n_generated(), 7);
    }

    #[test]
    fn answers_end() {
        let mut generation = Generation::new(options(3), &[]).unwrap();
        assert_eq!(write(&mut generation, b"abcdef"), ("abc".to_owned(), Some(Finish::Length)));
        let stops = GenerationOptions { stops: vec!["cd".to_owned()], ..options(99) };
        assert_eq!(write(&mut Generation::new(stops, &[]).unwrap(), b"abcdef"), ("ab".to_owned(), Some(Finish::Stop)));
        let grammar = Some(Grammar::parse("root ::= \"xy\"").unwrap());
        let grammar = GenerationOptions { grammar, ..options(99) };
        assert_eq!(write(&mut Generation::new(grammar, &[]).unwrap(), b"abc"), ("xy".to_owned(), Some(Finish::Stop)));
        let ignoring = GenerationOptions { at_end: AtEnd::Ignore, ..options(99) };
        assert_eq!(Generation::new(ignoring, &[]).unwrap().next(&want(None), &Bytes).unwrap().token, 0);
    }
}
