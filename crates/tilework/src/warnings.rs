//! What a device has to say that is no error: each thing once.

use crate::device::Device;
use std::fmt;
use std::sync::{Arc, Mutex};

type Hook = Arc<dyn Fn(&str) + Send + Sync>;

/// What was said, and who is told.
#[derive(Default)]
pub(crate) struct Warnings {
    said: Mutex<Vec<String>>,
    hook: Mutex<Option<Hook>>,
}

impl fmt::Debug for Warnings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Warnings").finish_non_exhaustive()
    }
}

impl Device {
    /// Tells `hook` of what would otherwise be written to standard error, such as work that a GPU could not do and the CPU did. Each
    /// thing is said once by a device.
    pub fn on_warning(&self, hook: impl Fn(&str) + Send + Sync + 'static) {
        if let Ok(mut current) = self.0.warnings.hook.lock() {
            *current = Some(Arc::new(hook));
        }
    }

    /// What this device has warned of so far.
    pub fn warnings(&self) -> Vec<String> {
        self.0.warnings.said.lock().map(|said| said.clone()).unwrap_or_default()
    }

    pub(crate) fn warn(&self, message: String) {
        let Ok(mut said) = self.0.warnings.said.lock() else { return };
        if said.contains(&message) {
            return;
        }
        said.push(message.clone());
        // Not while the list is locked: a hook may ask for it.
        drop(said);
        let hook = self.0.warnings.hook.lock().ok().and_then(|hook| hook.clone());
        match hook {
            Some(hook) => hook(&message),
            None => say(&message),
        }
    }
}

/// In a browser there is no standard error, and whoever opened the device brings a hook.
#[cfg(not(target_arch = "wasm32"))]
#[allow(clippy::print_stderr, reason = "a warning that nobody asked to be told of")]
fn say(message: &str) {
    eprintln!("tilework: {message}");
}
#[cfg(target_arch = "wasm32")]
fn say(_message: &str) {}
