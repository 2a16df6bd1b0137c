//! An answer as server-sent events, while it is written.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, header};
use axum::response::Response;
use futures_core::Stream;
use serde_json::Value;
use tilework_nn::generate::{Head, Vocabulary};
use tokio::sync::mpsc;

use super::error::ApiError;
use super::scheduler::Event;

/// Events as they come. Dropped with the connection, which the scheduler notices.
pub(super) struct Events {
    events: mpsc::UnboundedReceiver<Event>,
    head: Head,
    vocabulary: Arc<dyn Vocabulary>,
    with_usage: bool,
    ready: VecDeque<String>,
    is_over: bool,
}

impl Events {
    pub(super) fn new(
        events: mpsc::UnboundedReceiver<Event>,
        head: Head,
        vocabulary: Arc<dyn Vocabulary>,
        with_usage: bool,
    ) -> Events {
        let ready = head.first().iter().map(line).collect();
        Events { events, head, vocabulary, with_usage, ready, is_over: false }
    }

    pub(super) fn response(self) -> Response {
        let mut response = Response::new(Body::from_stream(self));
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        response
    }

    fn read(&mut self, event: Option<Event>) {
        match event {
            // Often there is nothing to say yet: half a character, or what may be a stop string.
            Some(Event::Piece(piece)) if piece.text.is_empty() && piece.logprobs.is_none() => {}
            Some(Event::Piece(piece)) => self.ready.push_back(line(&self.head.piece(&piece, &*self.vocabulary))),
            Some(Event::Done(usage)) => {
                self.ready.push_back(line(&self.head.last(usage.finish)));
                if self.with_usage {
                    self.ready.push_back(line(&self.head.usage(usage)));
                }
                self.ready.push_back("data: [DONE]\n\n".to_owned());
                self.is_over = true;
            }
            Some(Event::Failed(error)) => self.fail(&ApiError::from(error)),
            Some(Event::Vector(_)) => {}
            None => self.fail(&ApiError::from(super::scheduler::Refusal::Stopped)),
        }
    }

    fn fail(&mut self, error: &ApiError) {
        self.ready.push_back(line(&error.json()));
        self.is_over = true;
    }
}

impl Stream for Events {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            if let Some(line) = self.ready.pop_front() {
                return Poll::Ready(Some(Ok(Bytes::from(line))));
            }
            if self.is_over {
                return Poll::Ready(None);
            }
            match self.events.poll_recv(context) {
                Poll::Ready(event) => self.read(event),
                Poll::Pending => return Poll::Pending,
            }
        }
    }
}

fn line(value: &Value) -> String {
    format!("data: {value}\n\n")
}
