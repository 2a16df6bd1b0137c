//! One answer, and the time it takes.

use std::time::{Duration, Instant};

use tilework::Result;
use tilework_nn::generate::{Finish, Generation, Piece, Step, Writing};
use tilework_nn::llm::{Context, Model};

/// How an answer came about.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    pub(crate) tokens: Vec<u32>,
    /// Tokens of the prompt that had to be read; the context knew the others.
    pub(crate) n_read: usize,
    pub(crate) reading: Duration,
    pub(crate) writing: Duration,
    pub(crate) finish: Finish,
}

impl Written {
    pub(crate) fn prompt_tokens_per_s(&self) -> f64 {
        per_second(self.n_read, self.reading)
    }

    /// The first token comes with the prompt; the others are counted.
    pub(crate) fn decode_tokens_per_s(&self) -> f64 {
        per_second(self.tokens.len().saturating_sub(1), self.writing)
    }
}

fn per_second(n: usize, time: Duration) -> f64 {
    if n == 0 { 0.0 } else { n as f64 / time.as_secs_f64().max(1e-9) }
}

/// Whether to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Then {
    GoOn,
    Stop,
}

/// Lets a model write an answer; `on_piece` sees every piece of text.
pub(crate) async fn write(
    model: &Model,
    context: &mut Context,
    prepared: (Vec<u32>, Generation),
    on_piece: &mut dyn FnMut(&Piece) -> Then,
) -> Result<Written> {
    let mut writing = Writing::new(model, context, prepared, usize::MAX);
    let mut written = Written {
        tokens: Vec::new(),
        n_read: writing.n_prompt() - writing.n_cached(),
        reading: Duration::ZERO,
        writing: Duration::ZERO,
        finish: Finish::Stop,
    };
    let mut start = Instant::now();
    while let Some(step) = writing.next(context).await? {
        match step {
            Step::Read(_) => {
                written.reading += start.elapsed();
                start = Instant::now();
            }
            Step::Wrote(piece) => {
                written.tokens.push(piece.token);
                written.finish = piece.finish.unwrap_or(written.finish);
                if on_piece(&piece) == Then::Stop {
                    break;
                }
            }
        }
    }
    written.writing = start.elapsed();
    Ok(written)
}
