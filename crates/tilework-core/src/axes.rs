//! A short list with one entry for each axis, without memory of its own.

use crate::shape::MAX_RANK;
use std::fmt;
use std::ops::{Deref, DerefMut};

/// At most [`MAX_RANK`] entries, one for each axis. Every array has several of these, and a small operation takes less time than an
/// allocation for each.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Axes<T> {
    n: u8,
    /// Those beyond `n` have their default value, so that equal lists are equal throughout.
    items: [T; MAX_RANK],
}

/// One entry for each axis. In memory of their own, which makes for a smaller module than a list of known length.
#[cfg(target_arch = "wasm32")]
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Axes<T>(Vec<T>);

impl<T: Copy + Default> Axes<T> {
    /// Adds an entry at the end. There is room for all axes an array can have.
    pub fn push(&mut self, item: T) {
        debug_assert!(self.len() < MAX_RANK, "more entries than axes");
        #[cfg(not(target_arch = "wasm32"))]
        if let Some(slot) = self.items.get_mut(self.n as usize) {
            *slot = item;
            self.n += 1;
        }
        #[cfg(target_arch = "wasm32")]
        self.0.push(item);
    }
}

impl<T> Deref for Axes<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        #[cfg(not(target_arch = "wasm32"))]
        return &self.items[..self.n as usize];
        #[cfg(target_arch = "wasm32")]
        &self.0
    }
}

impl<T> DerefMut for Axes<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        #[cfg(not(target_arch = "wasm32"))]
        return &mut self.items[..self.n as usize];
        #[cfg(target_arch = "wasm32")]
        &mut self.0
    }
}

impl<T: Copy + Default> FromIterator<T> for Axes<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Axes<T> {
        #[cfg(not(target_arch = "wasm32"))]
        {
            let mut axes = Axes::default();
            items.into_iter().for_each(|item| axes.push(item));
            axes
        }
        #[cfg(target_arch = "wasm32")]
        Axes(items.into_iter().collect())
    }
}

impl<'a, T> IntoIterator for &'a Axes<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> std::slice::Iter<'a, T> {
        self.iter()
    }
}

impl<T: fmt::Debug> fmt::Debug for Axes<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}
