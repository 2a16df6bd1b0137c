//! The health of a device: lost or not, and errors nobody was waiting for.
//!
//! wgpu's default for an error outside every scope is to panic. Here the first such error is kept and handed to the
//! next call that can report it. A lost device is reported by a callback that may come late, hence the flag set by hand
//! in [`Health::mark_lost`].

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use tilework_core::{Error, ErrorKind, Result};

use crate::scopes::error_from_driver;
use crate::sync::lock;

/// Shared by a device, its callbacks and everything made from it.
#[derive(Default)]
pub(crate) struct Health {
    is_lost: AtomicBool,
    reason: Mutex<String>,
    uncaptured: Mutex<Option<Error>>,
}

impl Health {
    /// Starts watching `device`.
    pub(crate) fn watch(device: &wgpu::Device) -> Arc<Health> {
        let health = Arc::new(Health::default());
        let of_loss = health.clone();
        device.set_device_lost_callback(move |_, message| of_loss.mark_lost(&message));
        let of_errors = health.clone();
        device.on_uncaptured_error(Arc::new(move |error| of_errors.keep(error_from_driver("device", "", &error))));
        health
    }

    /// Marks the device as lost; the first reason is the one kept.
    pub(crate) fn mark_lost(&self, reason: &str) {
        if !self.is_lost.swap(true, Ordering::SeqCst) {
            *lock(&self.reason) = reason.trim().to_owned();
        }
    }

    /// Whether the device is lost.
    pub(crate) fn is_lost(&self) -> bool {
        self.is_lost.load(Ordering::SeqCst)
    }

    /// An error if the device is lost.
    pub(crate) fn check(&self, op: &str) -> Result<()> {
        if self.is_lost() { Err(self.lost_error(op)) } else { Ok(()) }
    }

    /// The error of a lost device.
    pub(crate) fn lost_error(&self, op: &str) -> Error {
        let reason = lock(&self.reason);
        let because = if reason.is_empty() { String::new() } else { format!(" ({reason})") };
        Error::new(ErrorKind::DeviceLost, op, format!("the device was lost{because}; open a new device and go on"))
    }

    /// Takes the error that nobody was waiting for, if there is one.
    pub(crate) fn take_uncaptured(&self) -> Option<Error> {
        lock(&self.uncaptured).take()
    }

    /// Keeps `error` for the next call that can report it, unless there is one already.
    pub(crate) fn keep(&self, error: Error) {
        lock(&self.uncaptured).get_or_insert(error);
    }
}

/// Polls `device`; `None` if that failed because the device is lost. wgpu panics then, leaving no lock held, so the
/// panic can be stopped here.
pub(crate) fn poll(device: &wgpu::Device, how: wgpu::PollType) -> Option<Result<wgpu::PollStatus, wgpu::PollError>> {
    catch_unwind(AssertUnwindSafe(|| device.poll(how))).ok()
}
