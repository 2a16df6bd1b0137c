//! Register files that a thread keeps between runs: a small operation takes less time than allocating its registers.

use crate::MAX_STEP;
#[cfg(not(target_arch = "wasm32"))]
use std::cell::RefCell;
use std::ops::{Deref, DerefMut};

/// A type of register.
pub trait Scratch: Copy + Default + 'static {
    /// Calls `work` with the files that this thread keeps.
    #[cfg(not(target_arch = "wasm32"))]
    fn with_kept<R>(work: impl FnOnce(&mut Vec<Vec<Vec<Self>>>) -> R) -> Option<R>;
}

macro_rules! scratch {
    ($($type:ident)*) => {
        $(impl Scratch for $type {
            #[cfg(not(target_arch = "wasm32"))]
            fn with_kept<R>(work: impl FnOnce(&mut Vec<Vec<Vec<$type>>>) -> R) -> Option<R> {
                thread_local!(static KEPT: RefCell<Vec<Vec<Vec<$type>>>> = const { RefCell::new(Vec::new()) });
                KEPT.try_with(|kept| kept.try_borrow_mut().ok().map(|mut kept| work(&mut kept))).ok().flatten()
            }
        })*
    };
}
scratch!(f32 f64 u32 u64);

/// Files that a thread keeps: as many as evaluators that it uses at once.
#[cfg(not(target_arch = "wasm32"))]
const MAX_FILES: usize = 4;
/// Registers that a kept file has at most.
#[cfg(not(target_arch = "wasm32"))]
const MAX_REGISTERS: usize = 64;

/// A file of at least so many registers as were asked for. What they hold is unspecified.
pub(crate) struct Registers<T: Scratch> {
    file: Vec<Vec<T>>,
    /// Whether its registers have room for [`MAX_STEP`].
    #[cfg(not(target_arch = "wasm32"))]
    is_kept: bool,
}

impl<T: Scratch> Registers<T> {
    /// `n` registers of at least `n_lanes`, which are at most [`MAX_STEP`].
    pub(crate) fn take(n: usize, n_lanes: usize) -> Registers<T> {
        // Modules for browsers are to stay small.
        #[cfg(not(target_arch = "wasm32"))]
        {
            _ = n_lanes;
            let mut file = if n == 0 { Vec::new() } else { T::with_kept(Vec::pop).flatten().unwrap_or_default() };
            while file.len() < n {
                file.push(vec![T::default(); MAX_STEP]);
            }
            Registers { file, is_kept: true }
        }
        #[cfg(target_arch = "wasm32")]
        Registers::new(n, n_lanes.min(MAX_STEP))
    }

    fn of(file: Vec<Vec<T>>) -> Registers<T> {
        Registers {
            file,
            #[cfg(not(target_arch = "wasm32"))]
            is_kept: false,
        }
    }

    /// No registers.
    pub(crate) fn none() -> Registers<T> {
        Registers::of(Vec::new())
    }

    /// `n` registers of any length.
    pub(crate) fn new(n: usize, n_lanes: usize) -> Registers<T> {
        Registers::of(vec![vec![T::default(); n_lanes]; n])
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl<T: Scratch> Drop for Registers<T> {
    fn drop(&mut self) {
        if self.is_kept && !self.file.is_empty() {
            let mut file = std::mem::take(&mut self.file);
            file.truncate(MAX_REGISTERS);
            T::with_kept(|kept| {
                if kept.len() < MAX_FILES {
                    kept.push(file);
                }
            });
        }
    }
}

impl<T: Scratch> Deref for Registers<T> {
    type Target = [Vec<T>];
    fn deref(&self) -> &[Vec<T>] {
        &self.file
    }
}

impl<T: Scratch> DerefMut for Registers<T> {
    fn deref_mut(&mut self) -> &mut [Vec<T>] {
        &mut self.file
    }
}
