//! A model for tests: bytes are tokens, and the next one is a pure function of all before it.
//!
//! So an answer that got the wrong context, or half of another's, is a wrong answer, and every right one can be computed
//! beside the server.

use std::borrow::Cow;
use std::time::Duration;

use tilework::{Error, Result};
use tilework_nn::generate::Vocabulary;

use super::engine::{Engine, Logits};

/// The token that ends an answer.
pub(crate) const END: u32 = 256;

/// Bytes as tokens.
pub(crate) struct Bytes;

impl Vocabulary for Bytes {
    fn n_tokens(&self) -> usize {
        257
    }

    fn bytes(&self, token: u32) -> Cow<'_, [u8]> {
        u8::try_from(token).map_or(Cow::Borrowed(&[]), |byte| Cow::Owned(vec![byte]))
    }

    fn is_end(&self, token: u32) -> bool {
        token == END
    }

    fn encode_plain(&self, text: &str) -> Vec<u32> {
        text.bytes().map(u32::from).collect()
    }

    fn encode_prompt(&self, text: &str) -> Vec<u32> {
        self.encode_plain(text)
    }
}

/// The model.
#[derive(Default)]
pub(crate) struct Fake {
    /// What a step takes.
    pub(crate) step: Duration,
}

pub(crate) struct FakeContext {
    tokens: Vec<u32>,
    n_most: usize,
}

/// The token after some tokens: a letter that depends on every one of them, or now and then the end.
pub(crate) fn next(tokens: &[u32]) -> u32 {
    let hash = tokens
        .iter()
        .fold(0xcbf2_9ce4_8422_2325u64, |hash, token| (hash ^ u64::from(*token)).wrapping_mul(0x0000_0100_0000_01b3));
    let value = (hash >> 32) as u32;
    if value.is_multiple_of(61) { END } else { u32::from(b'a') + value % 26 }
}

/// The whole answer to a prompt, and whether it ended by itself.
pub(crate) fn answer(prompt: &[u32], n_most: usize) -> (String, bool) {
    let mut tokens = prompt.to_vec();
    let mut text = String::new();
    while text.len() < n_most {
        let token = next(&tokens);
        if token == END {
            return (text, true);
        }
        tokens.push(token);
        text.push(char::from(token as u8));
    }
    (text, false)
}

impl Fake {
    fn append(&self, context: &mut FakeContext, tokens: &[u32]) -> Result<Vec<f32>> {
        if context.tokens.len() + tokens.len() > context.n_most || tokens.is_empty() {
            return Err(Error::argument("fake", "no room"));
        }
        context.tokens.extend_from_slice(tokens);
        let mut logits = vec![0.0; 257];
        logits[next(&context.tokens) as usize] = 5.0;
        Ok(logits)
    }
}

impl Engine for Fake {
    type Context = FakeContext;

    fn context(&mut self, n_most: usize) -> Result<FakeContext> {
        Ok(FakeContext { tokens: Vec::new(), n_most })
    }

    fn tokens<'a>(&self, context: &'a FakeContext) -> &'a [u32] {
        &context.tokens
    }

    fn capacity(&self, context: &FakeContext) -> usize {
        context.n_most
    }

    fn truncate(&mut self, context: &mut FakeContext, n: usize) {
        context.tokens.truncate(n);
    }

    fn extend(&mut self, context: &mut FakeContext, tokens: &[u32], _wanted: Logits) -> Result<Vec<f32>> {
        std::thread::sleep(self.step);
        self.append(context, tokens)
    }

    fn step(&mut self, contexts: &mut [&mut FakeContext], tokens: &[u32]) -> Result<Vec<Vec<f32>>> {
        std::thread::sleep(self.step);
        contexts.iter_mut().zip(tokens).map(|(context, token)| self.append(context, &[*token])).collect()
    }
}
