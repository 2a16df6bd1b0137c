//! A model that writes one answer, step by step.

use std::collections::VecDeque;

use tilework::Result;

use super::generation::{Finish, Generation, Piece};
use crate::llm::{AHEAD, Context, Model, Wanted};

/// An answer being written into a context. The context is the caller's, who keeps it for the next message of a conversation.
pub struct Writing {
    model: Model,
    generation: Generation,
    prompt: Vec<u32>,
    n_cached: usize,
    /// Tokens of the prompt that are read at once.
    n_chunk: usize,
    state: State,
}

/// What comes next.
enum State {
    /// The prompt is not all in the context.
    Reading,
    /// Logits to choose from.
    Choosing(Vec<f32>),
    /// A token is chosen that the context does not have.
    Chosen(u32),
    /// Tokens that the context has already, but for the last.
    Ahead(VecDeque<u32>),
    Over,
}

/// What a step did.
#[derive(Clone, Debug)]
pub enum Step {
    /// It read some of the prompt: so many of its tokens are in the context now.
    Read(usize),
    /// It chose a token.
    Wrote(Piece),
}

impl Writing {
    /// Begins an answer to `prompt`, `n_chunk` tokens of which are read at once. What the context has of its beginning is kept,
    /// and what else it has is forgotten.
    pub fn new(
        model: &Model,
        context: &mut Context,
        (prompt, generation): (Vec<u32>, Generation),
        n_chunk: usize,
    ) -> Writing {
        let n_same = context.tokens().iter().zip(&prompt).take_while(|(a, b)| a == b).count();
        // One token at least is read, since the answer begins with the logits after it.
        let n_cached = n_same.min(prompt.len().saturating_sub(1));
        context.truncate(n_cached);
        let state = if prompt.is_empty() { State::Over } else { State::Reading };
        Writing { model: model.clone(), generation, prompt, n_cached, n_chunk: n_chunk.max(1), state }
    }

    /// Tokens of the prompt.
    pub fn n_prompt(&self) -> usize {
        self.prompt.len()
    }

    /// Tokens of the prompt that the context had.
    pub fn n_cached(&self) -> usize {
        self.n_cached
    }

    /// Tokens of the answer so far, without the one that ended it.
    pub fn n_generated(&self) -> usize {
        self.generation.n_generated()
    }

    /// The next step; nothing after the last one. The context must be the one it began with.
    pub async fn next(&mut self, context: &mut Context) -> Result<Option<Step>> {
        match std::mem::replace(&mut self.state, State::Over) {
            State::Over => Ok(None),
            State::Reading => self.read(context).await.map(Some),
            State::Choosing(logits) => {
                let piece = self.generation.next(&logits, &self.model)?;
                Ok(Some(self.wrote(piece, State::Chosen, context)))
            }
            State::Chosen(token) if self.generation.is_plainly_greedy() => {
                let found = self.model.greedily(context, token, AHEAD).await?;
                self.take(found.into(), context)
            }
            State::Chosen(token) => {
                let logits = self.model.extend(context, &[token], Wanted::Last).await?;
                let piece = self.generation.next(&logits, &self.model)?;
                Ok(Some(self.wrote(piece, State::Chosen, context)))
            }
            State::Ahead(found) => self.take(found, context),
        }
    }

    async fn read(&mut self, context: &mut Context) -> Result<Step> {
        let start = context.len().min(self.prompt.len());
        let end = start.saturating_add(self.n_chunk).min(self.prompt.len());
        let is_last = end == self.prompt.len();
        let wanted = if is_last { Wanted::Last } else { Wanted::Nothing };
        let logits = self.model.extend(context, &self.prompt[start..end], wanted).await?;
        self.state = if is_last { State::Choosing(logits) } else { State::Reading };
        Ok(Step::Read(end))
    }

    /// The first of some tokens that the model found by itself.
    fn take(&mut self, mut found: VecDeque<u32>, context: &mut Context) -> Result<Option<Step>> {
        let Some(token) = found.pop_front() else { return Ok(None) };
        let piece = self.generation.take(token, &self.model)?;
        let n_ahead = found.len();
        let then = |token| if found.is_empty() { State::Chosen(token) } else { State::Ahead(found) };
        let step = self.wrote(piece, then, context);
        if matches!(self.state, State::Over) {
            // The answer ended before them.
            context.truncate(context.len() - n_ahead);
        }
        Ok(Some(step))
    }

    /// Notes a piece and what follows it, if anything may.
    fn wrote(&mut self, mut piece: Piece, then: impl FnOnce(u32) -> State, context: &Context) -> Step {
        let next = then(piece.token);
        if piece.finish.is_none() && matches!(next, State::Chosen(_)) && context.len() == context.n_max() {
            piece.text += &self.generation.rest();
            piece.finish = Some(Finish::Length);
        }
        if piece.finish.is_none() {
            self.state = next;
        }
        Step::Wrote(piece)
    }
}
