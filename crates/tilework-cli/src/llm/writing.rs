//! Writes one answer, and takes its time.

use std::time::{Duration, Instant};

use tilework::Result;
use tilework_nn::llm::{Context, Model, Wanted};

use super::generation::{Finish, Generation, Piece};
use super::open::ModelVocabulary;

/// How an answer came about.
#[derive(Clone, Debug)]
pub(super) struct Written {
    pub(super) tokens: Vec<u32>,
    /// Tokens of the prompt that had to be read; the context knew the others.
    pub(super) n_read: usize,
    pub(super) reading: Duration,
    pub(super) writing: Duration,
    pub(super) finish: Finish,
}

impl Written {
    pub(super) fn prompt_tokens_per_s(&self) -> f64 {
        per_second(self.n_read, self.reading)
    }

    /// The first token comes with the prompt; the others are counted.
    pub(super) fn decode_tokens_per_s(&self) -> f64 {
        per_second(self.tokens.len().saturating_sub(1), self.writing)
    }
}

fn per_second(n: usize, time: Duration) -> f64 {
    if n == 0 { 0.0 } else { n as f64 / time.as_secs_f64().max(1e-9) }
}

/// Whether to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Then {
    GoOn,
    Stop,
}

/// Continues a prompt in a context, which may know its beginning already; `on_piece` sees every piece of text.
pub(super) async fn write(
    model: &Model,
    context: &mut Context,
    (prompt, mut generation): (&[u32], Generation),
    on_piece: &mut dyn FnMut(&Piece) -> Then,
) -> Result<Written> {
    let vocabulary = ModelVocabulary(model.clone());
    let n_same = context.tokens().iter().zip(prompt).take_while(|(a, b)| a == b).count();
    context.truncate(n_same.min(prompt.len().saturating_sub(1)));
    let rest = &prompt[context.len().min(prompt.len())..];
    let start = Instant::now();
    let mut logits = model.extend(context, rest, Wanted::Last).await?;
    let mut written = Written {
        tokens: Vec::new(),
        n_read: rest.len(),
        reading: start.elapsed(),
        writing: Duration::ZERO,
        finish: Finish::Stop,
    };
    let start = Instant::now();
    loop {
        let piece = generation.next(&logits, &vocabulary)?;
        if !note(&piece, &mut written, on_piece) {
            break;
        }
        let n_left = context.n_max() - context.len();
        if n_left == 0 {
            written.finish = Finish::Length;
            break;
        }
        if generation.is_plainly_greedy() {
            greedily(model, context, (piece.token, generation), &mut |piece| note(piece, &mut written, on_piece))
                .await?;
            break;
        }
        logits = model.extend(context, &[piece.token], Wanted::Last).await?;
    }
    written.writing = start.elapsed();
    Ok(written)
}

/// Adds a piece; whether more is to come.
fn note(piece: &Piece, written: &mut Written, on_piece: &mut dyn FnMut(&Piece) -> Then) -> bool {
    written.tokens.push(piece.token);
    let then = on_piece(piece);
    if let Some(finish) = piece.finish {
        written.finish = finish;
    }
    piece.finish.is_none() && then == Then::GoOn
}

/// The likeliest tokens, chosen where the logits are.
async fn greedily(
    model: &Model,
    context: &mut Context,
    (token, mut generation): (u32, Generation),
    note: &mut dyn FnMut(&Piece) -> bool,
) -> Result<()> {
    let vocabulary = ModelVocabulary(model.clone());
    let mut failure = None;
    let n_left = context.n_max() - context.len();
    let go_on = |token: u32| match generation.take(token, &vocabulary) {
        Ok(piece) => note(&piece),
        Err(error) => {
            failure = Some(error);
            false
        }
    };
    model.continue_greedily(context, token, n_left, go_on).await?;
    failure.map_or(Ok(()), Err)
}
