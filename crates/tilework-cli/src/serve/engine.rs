//! What the scheduler asks of a model, small enough for tests to have one of their own.

use tilework::Result;

/// A model that continues texts. It belongs to one thread, that of the scheduler.
pub(crate) trait Engine: Send + 'static {
    /// What a text is so far.
    type Context: Send;

    /// An empty context with room for `n_most` tokens.
    fn context(&mut self, n_most: usize) -> Result<Self::Context>;

    /// Its tokens.
    fn tokens<'a>(&self, context: &'a Self::Context) -> &'a [u32];

    /// How many tokens it has room for.
    fn capacity(&self, context: &Self::Context) -> usize;

    /// Keeps the first `n` tokens.
    fn truncate(&mut self, context: &mut Self::Context, n: usize);

    /// Appends tokens; the logits after the last one if they are wanted, and nothing otherwise.
    fn extend(&mut self, context: &mut Self::Context, tokens: &[u32], wanted: Logits) -> Result<Vec<f32>>;

    /// Appends one token to each of several contexts: the logits after each.
    fn step(&mut self, contexts: &mut [&mut Self::Context], tokens: &[u32]) -> Result<Vec<Vec<f32>>>;

    /// The vector of a text, if the model can; none otherwise.
    fn embed(&mut self, tokens: &[u32]) -> Result<Option<Vec<f32>>> {
        let _ = tokens;
        Ok(None)
    }
}

/// Whether logits are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Logits {
    Last,
    Nothing,
}
