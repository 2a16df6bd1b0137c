//! Ctrl-C in a conversation: the first stops the answer, a second one, or one where nothing is being written, leaves.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

const IDLE: u8 = 0;
const WRITING: u8 = 1;
const STOP: u8 = 2;
/// What shells expect of a program that was interrupted.
const EXIT_CODE: i32 = 130;

/// Whether the answer is to stop.
#[derive(Clone)]
pub(crate) struct Interrupt {
    state: Arc<AtomicU8>,
}

impl Interrupt {
    /// Listens for Ctrl-C from now on, on a thread of its own. Where that is not possible, Ctrl-C leaves as always.
    pub(crate) fn listen() -> Interrupt {
        let state = Arc::new(AtomicU8::new(IDLE));
        let interrupt = Interrupt { state: Arc::clone(&state) };
        let listen = move || {
            let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
            runtime.block_on(async {
                while tokio::signal::ctrl_c().await.is_ok() {
                    if state.compare_exchange(WRITING, STOP, Ordering::Relaxed, Ordering::Relaxed).is_err() {
                        std::process::exit(EXIT_CODE);
                    }
                }
            });
        };
        // Without the thread Ctrl-C ends the program.
        let _ = std::thread::Builder::new().name("interrupt".to_owned()).spawn(listen);
        interrupt
    }

    /// An answer begins.
    pub(crate) fn begin(&self) {
        self.state.store(WRITING, Ordering::Relaxed);
    }

    /// Whether it is to stop.
    pub(crate) fn is_asked(&self) -> bool {
        self.state.load(Ordering::Relaxed) == STOP
    }

    /// It is over.
    pub(crate) fn end(&self) {
        self.state.store(IDLE, Ordering::Relaxed);
    }
}
