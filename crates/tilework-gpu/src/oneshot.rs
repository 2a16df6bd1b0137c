//! A channel for one value: from a driver's callback to the future that waits for it.
//!
//! The callback runs on whichever thread polls the device, or from the browser's event loop. A sender that is dropped
//! unused answers `None`, so that a callback the driver throws away ends the wait instead of hanging it.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use crate::sync::lock;

struct State<T> {
    value: Option<T>,
    waker: Option<Waker>,
    is_closed: bool,
}

/// The end that the callback owns.
pub(crate) struct Sender<T>(Arc<Mutex<State<T>>>);

/// The end that is awaited; gives `None` if nothing was ever sent.
pub(crate) struct Receiver<T>(Arc<Mutex<State<T>>>);

/// A new channel.
pub(crate) fn channel<T>() -> (Sender<T>, Receiver<T>) {
    let state = Arc::new(Mutex::new(State { value: None, waker: None, is_closed: false }));
    (Sender(state.clone()), Receiver(state))
}

impl<T> Sender<T> {
    /// Hands over the value and wakes the receiver.
    pub(crate) fn send(self, value: T) {
        lock(&self.0).value = Some(value);
    }
}

impl<T> Drop for Sender<T> {
    fn drop(&mut self) {
        let waker = {
            let mut state = lock(&self.0);
            state.is_closed = true;
            state.waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

impl<T> Future for Receiver<T> {
    type Output = Option<T>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<T>> {
        let mut state = lock(&self.0);
        if state.is_closed {
            return Poll::Ready(state.value.take());
        }
        state.waker = Some(cx.waker().clone());
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_sent_from_another_thread_arrives() {
        let (sender, receiver) = channel();
        let thread = std::thread::spawn(move || sender.send(7));
        assert_eq!(pollster::block_on(receiver), Some(7));
        thread.join().unwrap();
    }

    #[test]
    fn a_dropped_sender_ends_the_wait() {
        let (sender, receiver) = channel::<u32>();
        drop(sender);
        assert_eq!(pollster::block_on(receiver), None);
    }
}
