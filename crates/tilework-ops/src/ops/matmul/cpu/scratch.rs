//! Memory for products.

use std::cell::RefCell;
use tilework_vm::Float;

/// Memory that a thread keeps from one product to the next: fresh memory would cost more than the packing.
pub(crate) type Kept<F> = std::thread::LocalKey<RefCell<Vec<F>>>;

/// A float type with memory for its panels.
pub(crate) trait Scratch: Float {
    /// For panels of `a`.
    fn rows() -> &'static Kept<Self>;
    /// For panels of `b`.
    fn columns() -> &'static Kept<Self>;
    /// For whatever a panel is packed from.
    fn sources() -> &'static Kept<Self>;
    /// For results on their way.
    fn results() -> &'static Kept<Self>;
}

macro_rules! scratch {
    ($float:ident) => {
        impl Scratch for $float {
            fn rows() -> &'static Kept<Self> {
                thread_local! { static KEPT: RefCell<Vec<$float>> = const { RefCell::new(Vec::new()) }; }
                &KEPT
            }
            fn columns() -> &'static Kept<Self> {
                thread_local! { static KEPT: RefCell<Vec<$float>> = const { RefCell::new(Vec::new()) }; }
                &KEPT
            }
            fn sources() -> &'static Kept<Self> {
                thread_local! { static KEPT: RefCell<Vec<$float>> = const { RefCell::new(Vec::new()) }; }
                &KEPT
            }
            fn results() -> &'static Kept<Self> {
                thread_local! { static KEPT: RefCell<Vec<$float>> = const { RefCell::new(Vec::new()) }; }
                &KEPT
            }
        }
    };
}
scratch!(f32);
scratch!(f64);

/// Lends the memory to `work`; a product inside another one starts with none.
pub(crate) fn with_scratch<F: 'static, R>(kept: &'static Kept<F>, work: impl FnOnce(&mut Vec<F>) -> R) -> R {
    let mut memory = kept.take();
    let result = work(&mut memory);
    kept.set(memory);
    result
}

/// The first `len` elements, whatever they hold.
pub(crate) fn sized<F: Float>(memory: &mut Vec<F>, len: usize) -> &mut [F] {
    if memory.len() < len {
        memory.resize(len, F::from_f64(0.0));
    }
    &mut memory[..len]
}
