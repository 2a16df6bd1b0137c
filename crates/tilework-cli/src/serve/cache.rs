//! Contexts of answers that are finished: the next message of a conversation begins with all that was said before.

use super::engine::Engine;

/// Contexts kept, the one used last at the end.
pub(super) struct Cache<E: Engine> {
    contexts: Vec<E::Context>,
    n_most: usize,
}

impl<E: Engine> Cache<E> {
    pub(super) fn new(n_most: usize) -> Cache<E> {
        Cache { contexts: Vec::new(), n_most }
    }

    /// Keeps a context, in place of the one not used for longest.
    pub(super) fn put(&mut self, context: E::Context) {
        if self.n_most == 0 {
            return;
        }
        if self.contexts.len() >= self.n_most {
            self.contexts.remove(0);
        }
        self.contexts.push(context);
    }

    /// The context that has most of a prompt's beginning, cut to that, and has room for `n_room` tokens in all. At least one
    /// token of the prompt is left to be computed, since it is the one whose logits are needed. A context that has much else
    /// is left alone: two conversations that begin with the same instructions are two.
    pub(super) fn take(&mut self, engine: &mut E, prompt: &[u32], n_room: usize) -> Option<E::Context> {
        let shared = |context: &E::Context| {
            let n_same = engine.tokens(context).iter().zip(prompt).take_while(|(a, b)| a == b).count();
            n_same.min(prompt.len().saturating_sub(1))
        };
        let fits = |context: &E::Context| engine.capacity(context) >= n_room;
        let best = self.contexts.iter().enumerate().filter(|(_, context)| fits(context));
        let (idx, n_same) = best.map(|(idx, context)| (idx, shared(context))).max_by_key(|(_, n_same)| *n_same)?;
        let n_fewer = engine.tokens(&self.contexts[idx]).len().min(prompt.len());
        if n_same == 0 || 2 * n_same < n_fewer {
            return None;
        }
        let mut context = self.contexts.remove(idx);
        engine.truncate(&mut context, n_same);
        Some(context)
    }
}
