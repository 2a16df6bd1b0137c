//! Where the time comes from.

/// Tells seconds since some moment. Natively the operating system's; a browser's module has none of its own and is given one.
#[derive(Clone, Copy, Debug)]
pub struct Clock(fn() -> f64);

impl Clock {
    /// A clock that calls `now_seconds`.
    pub fn new(now_seconds: fn() -> f64) -> Clock {
        Clock(now_seconds)
    }

    pub(crate) fn now(self) -> f64 {
        (self.0)()
    }
}

impl Default for Clock {
    #[cfg(not(target_arch = "wasm32"))]
    fn default() -> Self {
        use std::sync::LazyLock;
        use std::time::Instant;
        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        Clock(|| START.elapsed().as_secs_f64())
    }

    /// Always 0: times are then not known.
    #[cfg(target_arch = "wasm32")]
    fn default() -> Self {
        Clock(|| 0.0)
    }
}
