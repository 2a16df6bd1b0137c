//! Error scopes: which call a driver's complaint belongs to.
//!
//! Natively the verdict on a call is known when the call returns. In a browser it arrives later, from another process.
//! Both are one path here: the verdict is polled once, and if it is not there yet it joins a list that the next `read`
//! or `finish` awaits. Until then the work goes on as if all were well, which is safe: WebGPU turns everything made
//! from an invalid object into a no-op.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, OnceLock};
use std::task::{Context, Poll, Waker};

use tilework_core::{Error, ErrorKind, Result};

use crate::lost::Health;
use crate::sync::lock;

/// Open verdicts between two sweeps of the list.
const SWEEP_AT: usize = 256;

/// Out of memory is outermost and judged first, because validation errors are often its consequence.
const EVERY_FILTER: [wgpu::ErrorFilter; 3] =
    [wgpu::ErrorFilter::OutOfMemory, wgpu::ErrorFilter::Internal, wgpu::ErrorFilter::Validation];

type Verdict = Pin<Box<dyn Future<Output = Option<wgpu::Error>> + Send>>;

/// What became of a guarded call: set once if it failed, maybe long after the call.
pub(crate) type Outcome = Arc<OnceLock<Error>>;

/// Who is asking, for the error message.
#[derive(Clone)]
pub(crate) struct Subject {
    /// The operation or kernel a user would recognise.
    pub op: String,
    /// What it tried, e.g. the buffer it wanted.
    pub attempt: String,
}

struct Pending {
    verdict: Verdict,
    subject: Subject,
    outcome: Outcome,
}

/// The error scopes of one device.
pub(crate) struct ErrorScopes {
    device: wgpu::Device,
    health: Arc<Health>,
    pending: Mutex<VecDeque<Pending>>,
}

impl ErrorScopes {
    /// Scopes of `device`.
    pub(crate) fn new(device: wgpu::Device, health: Arc<Health>) -> Self {
        ErrorScopes { device, health, pending: Mutex::default() }
    }

    /// Makes objects on the device and attributes every error of the driver to `subject`.
    pub(crate) fn run<T>(&self, subject: Subject, work: impl FnOnce() -> T) -> (T, Outcome) {
        self.run_within(&EVERY_FILTER, subject, work)
    }

    /// Encodes and submits work; fails at once where the verdict is immediate. In browsers only what can happen to work
    /// on valid objects is asked for, because a scope costs a promise there.
    pub(crate) fn run_now<T>(&self, op: &str, work: impl FnOnce() -> T) -> Result<T> {
        let filters: &[_] = if cfg!(target_family = "wasm") { &[wgpu::ErrorFilter::Validation] } else { &EVERY_FILTER };
        let subject = Subject { op: op.to_owned(), attempt: String::new() };
        let (value, outcome) = self.run_within(filters, subject, work);
        self.check(op, &outcome)?;
        Ok(value)
    }

    fn run_within<T>(&self, filters: &[wgpu::ErrorFilter], subject: Subject, work: impl FnOnce() -> T) -> (T, Outcome) {
        let mut scopes: Vec<_> = filters.iter().map(|&filter| self.device.push_error_scope(filter)).collect();
        let value = work();
        let mut verdicts: Vec<Verdict> = Vec::with_capacity(scopes.len());
        while let Some(scope) = scopes.pop() {
            verdicts.push(Box::pin(scope.pop()));
        }
        let outcome = Outcome::default();
        for verdict in verdicts.into_iter().rev() {
            self.judge(Pending { verdict, subject: subject.clone(), outcome: outcome.clone() });
        }
        (value, outcome)
    }

    /// The failure of an outcome, as far as it is known. A lost device comes first: drivers do not report it to scopes,
    /// and what they do report is then its consequence.
    pub(crate) fn check(&self, op: &str, outcome: &Outcome) -> Result<()> {
        self.health.check(op)?;
        failure(outcome)
    }

    /// Waits for every verdict that is still open. Returns the first failure.
    pub(crate) async fn settle(&self) -> Result<()> {
        let mut first = Ok(());
        loop {
            let next = lock(&self.pending).pop_front();
            let Some(mut pending) = next else { return first };
            if let Some(error) = pending.verdict.as_mut().await {
                let error = pending.settle(&error);
                first = first.and(Err(error));
            }
        }
    }

    /// Asks once, and keeps the question if there is no answer yet.
    fn judge(&self, mut pending: Pending) {
        match pending.verdict.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(None) => {}
            Poll::Ready(Some(error)) => drop(pending.settle(&error)),
            Poll::Pending => self.keep(pending),
        }
    }

    /// Adds an open verdict. A program that never reads must not collect them for ever, so a long list is swept: what
    /// has arrived meanwhile is let go, and a failure among it is kept for whoever reads next.
    fn keep(&self, pending: Pending) {
        let mut list = lock(&self.pending);
        list.push_back(pending);
        if !list.len().is_multiple_of(SWEEP_AT) {
            return;
        }
        let mut waker = Context::from_waker(Waker::noop());
        list.retain_mut(|pending| match pending.verdict.as_mut().poll(&mut waker) {
            Poll::Pending => true,
            Poll::Ready(None) => false,
            Poll::Ready(Some(error)) => {
                self.health.keep(pending.settle(&error));
                false
            }
        });
    }
}

impl Pending {
    fn settle(&self, error: &wgpu::Error) -> Error {
        let error = error_from_driver(&self.subject.op, &self.subject.attempt, error);
        self.outcome.get_or_init(|| error).clone()
    }
}

/// The failure of an outcome, as far as it is known.
pub(crate) fn failure(outcome: &Outcome) -> Result<()> {
    outcome.get().map_or(Ok(()), |error| Err(error.clone()))
}

/// The typed error for what the driver or the shader compiler said.
pub(crate) fn error_from_driver(op: &str, attempt: &str, error: &wgpu::Error) -> Error {
    let kind = match error {
        wgpu::Error::OutOfMemory { .. } => ErrorKind::OutOfMemory,
        wgpu::Error::Validation { .. } | wgpu::Error::Internal { .. } => ErrorKind::Kernel,
    };
    let message = match (kind, attempt) {
        (ErrorKind::OutOfMemory, "") => "the device ran out of memory".to_owned(),
        (ErrorKind::OutOfMemory, _) => format!("the device ran out of memory: {attempt}"),
        (_, "") => error.to_string(),
        _ => format!("{attempt}: {error}"),
    };
    Error::new(kind, op, message)
}
