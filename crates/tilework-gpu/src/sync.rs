//! Locks that a panic elsewhere cannot poison.
//!
//! Every mutex of this crate protects data that is consistent between any two statements (free lists, counters, maps),
//! so a panic on another thread is no reason to panic here too.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks `mutex`, ignoring poison.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
