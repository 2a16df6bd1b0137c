//! The clock of a browser, which only the JavaScript side can read.

use std::sync::OnceLock;

static CLOCK: OnceLock<fn() -> f64> = OnceLock::new();

/// Says how to read the time in milliseconds; the first clock stays. Without one, `Device::auto` cannot measure and stays on
/// the CPU.
pub fn set_clock(now_ms: fn() -> f64) {
    _ = CLOCK.set(now_ms);
}

/// Whether there is a clock.
pub(crate) fn is_set() -> bool {
    CLOCK.get().is_some()
}

pub(crate) fn now_ms() -> f64 {
    CLOCK.get().map_or(0.0, |now_ms| now_ms())
}
