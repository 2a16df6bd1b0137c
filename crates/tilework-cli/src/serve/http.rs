//! Requests and answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request as HttpRequest, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde_json::json;
use tilework_nn::chat::ChatTemplate;
use tilework_nn::generate::{Body as Fields, Delivery, Head, Kind, Prepared, Room, Vocabulary, prepare, prompt_tokens};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use super::error::{ApiError, json_response};
use super::scheduler::{Event, Job, Queue, Refusal, Work};
use super::stream::Events;

type Answer = Result<Response, ApiError>;

/// How long a client may take to send a request.
const READ_TIMEOUT: Duration = Duration::from_secs(30);
/// How long answers may take to end once the server is to stop.
const STOP_TIMEOUT: Duration = Duration::from_secs(3);

/// The names by which a server may be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hosts {
    Any,
    /// Names of this machine only: a page whose own name is made to lead here (DNS rebinding) is refused.
    Loopback,
}

impl Hosts {
    fn allow(self, headers: &HeaderMap) -> bool {
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or("");
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
            _ => host,
        };
        let address = name.trim_start_matches('[').trim_end_matches(']').parse::<std::net::IpAddr>();
        self == Hosts::Any
            || name.eq_ignore_ascii_case("localhost")
            || address.is_ok_and(|address| address.is_loopback())
    }
}

/// What requests are answered with.
pub(crate) struct Service {
    pub(crate) model: String,
    pub(crate) vocabulary: Arc<dyn Vocabulary>,
    pub(crate) template: ChatTemplate,
    pub(crate) queue: Queue,
    /// Tokens of a prompt and its answer.
    pub(crate) n_context: usize,
    /// Tokens of an answer, whatever a request asks for.
    pub(crate) n_most: usize,
    pub(crate) body_bytes: usize,
    pub(crate) api_key: Option<String>,
    /// Who the server may be called.
    pub(crate) hosts: Hosts,
    /// The origin whose pages may ask.
    pub(crate) cors: Option<HeaderValue>,
    pub(crate) n_requests: AtomicU64,
}

/// Serves until `stop` is ready; answers being written then have a few seconds.
pub(crate) async fn serve(
    service: Service,
    listener: TcpListener,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let router = router(Arc::new(service));
    let (stopping, mut stopped) = tokio::sync::watch::channel(());
    let server = axum::serve(listener, router).with_graceful_shutdown(async move {
        stop.await;
        drop(stopping);
    });
    let deadline = async move {
        // Ends when the sender is dropped.
        while stopped.changed().await.is_ok() {}
        tokio::time::sleep(STOP_TIMEOUT).await;
    };
    tokio::select! {
        result = async { server.await } => result,
        () = deadline => Ok(()),
    }
}

fn router(service: Arc<Service>) -> Router {
    Router::new()
        .route("/health", get(health))
        .route("/v1/models", get(models))
        .route("/v1/chat/completions", post(chat))
        .route("/v1/completions", post(completion))
        .route("/v1/embeddings", post(embedding))
        .fallback(async || ApiError::new(StatusCode::NOT_FOUND, "there is nothing at this address").code("not_found"))
        .method_not_allowed_fallback(async || {
            ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "this address does not know that method")
        })
        .layer(middleware::from_fn_with_state(Arc::clone(&service), guard))
        .with_state(service)
}

/// Checks the key, and says which pages may ask.
async fn guard(State(service): State<Arc<Service>>, request: HttpRequest, next: Next) -> Response {
    let is_preflight = request.method() == Method::OPTIONS && service.cors.is_some();
    let is_open = request.uri().path() == "/health" || is_preflight;
    let mut response = if !service.hosts.allow(request.headers()) {
        ApiError::new(StatusCode::FORBIDDEN, "this server answers to the names of its own machine only").into_response()
    } else if !is_open && !has_key(&service, request.headers()) {
        ApiError::new(StatusCode::UNAUTHORIZED, "a valid key is needed: `Authorization: Bearer …`")
            .code("invalid_api_key")
            .into_response()
    } else if is_preflight {
        StatusCode::NO_CONTENT.into_response()
    } else {
        next.run(request).await
    };
    if let Some(origin) = &service.cors {
        let headers = response.headers_mut();
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
        headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST"));
        headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("authorization, content-type"));
        headers.insert(header::VARY, HeaderValue::from_static("origin"));
    }
    response
}

fn has_key(service: &Service, headers: &HeaderMap) -> bool {
    let Some(key) = &service.api_key else { return true };
    let given =
        headers.get(header::AUTHORIZATION).map(HeaderValue::as_bytes).and_then(|value| value.strip_prefix(b"Bearer "));
    given.is_some_and(|given| is_same(given, key.as_bytes()))
}

/// Takes as long for a key that is nearly right as for any other of its length.
fn is_same(given: &[u8], key: &[u8]) -> bool {
    let difference = given.iter().zip(key).fold(0, |difference, (a, b)| difference | (a ^ b));
    std::hint::black_box(difference) == 0 && given.len() == key.len()
}

async fn health(State(service): State<Arc<Service>>) -> Answer {
    if !service.queue.is_alive() {
        return Err(Refusal::Stopped.into());
    }
    Ok(json_response(StatusCode::OK, &json!({ "status": "ok" })))
}

async fn models(State(service): State<Arc<Service>>) -> Response {
    let model = json!({
        "id": service.model, "object": "model", "created": 0, "owned_by": "tilework",
        "meta": { "n_vocab": service.vocabulary.n_tokens(), "n_context": service.n_context },
    });
    json_response(StatusCode::OK, &json!({ "object": "list", "data": [model] }))
}

async fn chat(State(service): State<Arc<Service>>, request: HttpRequest) -> Answer {
    answer(service, request, Kind::Chat).await
}

async fn completion(State(service): State<Arc<Service>>, request: HttpRequest) -> Answer {
    answer(service, request, Kind::Completion).await
}

async fn answer(service: Arc<Service>, request: HttpRequest, kind: Kind) -> Answer {
    let body = read(&service, request).await?;
    let head = service.head(kind);
    let worker = Arc::clone(&service);
    // Templates, tokens and grammars of long requests take a while, in which others are served.
    let prepared = tokio::task::spawn_blocking(move || worker.prepare(&body, kind)).await;
    let (job, mut events, delivery) = prepared.map_err(|_| failed("the request could not be prepared"))??;
    service.queue.submit(job)?;
    let vocabulary = Arc::clone(&service.vocabulary);
    if let Delivery::Stream { with_usage } = delivery {
        return Ok(Events::new(events, head, vocabulary, with_usage).response());
    }
    let mut pieces = Vec::new();
    loop {
        match events.recv().await {
            Some(Event::Piece(piece)) => pieces.push(piece),
            Some(Event::Done(usage)) => {
                return Ok(json_response(StatusCode::OK, &head.whole(&pieces, usage, &*vocabulary)));
            }
            Some(Event::Failed(error)) => return Err(error.into()),
            Some(Event::Vector(_)) => {}
            None => return Err(Refusal::Stopped.into()),
        }
    }
}

fn failed(message: &str) -> ApiError {
    ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, message)
}

async fn embedding(State(service): State<Arc<Service>>, request: HttpRequest) -> Answer {
    let body = read(&service, request).await?;
    let fields = Fields::parse(&body)?;
    service.check_model(&fields)?;
    let prompt = prompt_tokens(fields.prompt("input")?, (&*service.vocabulary, &service.template), service.room())?;
    let n_prompt = prompt.len();
    let (sender, mut events) = mpsc::unbounded_channel();
    service.queue.submit(Job { prompt, work: Work::Embed, events: sender })?;
    match events.recv().await {
        Some(Event::Vector(Some(vector))) => {
            let data = json!([{ "object": "embedding", "index": 0, "embedding": vector }]);
            let usage = json!({ "prompt_tokens": n_prompt, "total_tokens": n_prompt });
            let list = json!({ "object": "list", "data": data, "model": service.model, "usage": usage });
            Ok(json_response(StatusCode::OK, &list))
        }
        Some(Event::Failed(error)) => Err(error.into()),
        Some(_) => {
            Err(ApiError::new(StatusCode::NOT_IMPLEMENTED, "this model makes no embeddings").code("not_supported"))
        }
        None => Err(Refusal::Stopped.into()),
    }
}

/// The body of a request, which must say that it is JSON: pages of other origins cannot, without asking first.
async fn read(service: &Service, request: HttpRequest) -> Result<Bytes, ApiError> {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
    if !kind.to_ascii_lowercase().starts_with("application/json") {
        let message = "the request needs `Content-Type: application/json`";
        return Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
    }
    let too_large = || {
        let message = format!("the request has more than {} bytes", service.body_bytes);
        ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, message)
    };
    let length =
        request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > service.body_bytes as u64) {
        return Err(too_large());
    }
    let body: Body = request.into_body();
    match tokio::time::timeout(READ_TIMEOUT, to_bytes(body, service.body_bytes)).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(_)) => Err(too_large()),
        Err(_) => Err(ApiError::new(StatusCode::REQUEST_TIMEOUT, "the request did not arrive in time")),
    }
}

impl Service {
    fn head(&self, kind: Kind) -> Head {
        let number = self.n_requests.fetch_add(1, Ordering::Relaxed);
        let prefix = if kind == Kind::Chat { "chatcmpl" } else { "cmpl" };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let id = format!("{prefix}-{:x}-{number:x}", now.as_millis());
        Head { kind, id, created_unix_s: now.as_secs(), model: self.model.clone() }
    }

    fn check_model(&self, fields: &Fields<'_>) -> Result<(), ApiError> {
        match fields.get("model").map(|model| model.as_str()) {
            None => Ok(()),
            Some(Some(model)) if model == self.model => Ok(()),
            Some(model) => {
                let message = format!("there is no model {:?}; this server has {:?}", model.unwrap_or(""), self.model);
                let error = ApiError::new(StatusCode::NOT_FOUND, message).code("model_not_found");
                Err(ApiError { param: Some("model"), ..error })
            }
        }
    }

    fn room(&self) -> Room {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        Room { n_context: self.n_context, n_most: self.n_most, now_unix_s: i64::try_from(now).ok() }
    }

    fn prepare(&self, body: &[u8], kind: Kind) -> Result<(Job, mpsc::UnboundedReceiver<Event>, Delivery), ApiError> {
        let fields = Fields::parse(body)?;
        self.check_model(&fields)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let seed = now.as_nanos() as u64;
        let request = match kind {
            Kind::Chat => fields.chat(seed)?,
            Kind::Completion => fields.completion(seed)?,
        };
        let delivery = request.delivery;
        let Prepared { prompt, generation, n_most } =
            prepare(request, (&*self.vocabulary, &self.template), self.room())?;
        let generation = Box::new(generation);
        let (sender, events) = mpsc::unbounded_channel();
        Ok((Job { prompt, work: Work::Continue { generation, n_most }, events: sender }, events, delivery))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_local() {
        let allows = |host: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, host.parse().unwrap());
            Hosts::Loopback.allow(&headers)
        };
        for host in ["localhost", "LOCALHOST:8080", "127.0.0.1:8080", "127.0.0.1", "[::1]:8080", "[::1]"] {
            assert!(allows(host), "{host}");
        }
        for host in ["example.org", "127.0.0.1.example.org:80", "localhost.example.org", "10.0.0.1:8080", ""] {
            assert!(!allows(host), "{host}");
        }
        assert!(Hosts::Any.allow(&HeaderMap::new()) && !Hosts::Loopback.allow(&HeaderMap::new()));
    }

    #[test]
    fn keys_are_compared_whole() {
        assert!(is_same(b"secret", b"secret"));
        assert!(!is_same(b"secre", b"secret") && !is_same(b"secrets", b"secret") && !is_same(b"", b"secret"));
    }
}
