//! The whole server, by TCP, with a model whose right answers are known.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tilework_nn::chat::{ChatTemplate, SpecialTexts};
use tilework_nn::sample::Random;
use tokio::sync::oneshot;

use super::fake::{Bytes, Fake, answer};
use super::scheduler::{self, Limits};
use super::{Hosts, Service, serve};

struct Server {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

#[derive(Clone, Copy, Default)]
struct Setup {
    step: Duration,
    limits: Limits,
    api_key: Option<&'static str>,
    cors: Option<&'static str>,
}

impl Server {
    fn start(setup: Setup) -> Server {
        let fake = Fake { step: setup.step };
        let (queue, scheduler) = scheduler::start(fake, Arc::new(Bytes), setup.limits).unwrap();
        let service = Service {
            model: "fake".to_owned(),
            vocabulary: Arc::new(Bytes),
            template: ChatTemplate::new(
                Some("{% for m in messages %}{{ m.role }}:{{ m.content }};{% endfor %}"),
                SpecialTexts::default(),
            ),
            queue,
            n_context: setup.limits.n_context,
            n_most: 1000,
            body_bytes: 1 << 16,
            api_key: setup.api_key.map(str::to_owned),
            hosts: Hosts::Loopback,
            cors: setup.cors.map(|origin| origin.parse().unwrap()),
            n_requests: AtomicU64::new(0),
        };
        let (stop, stopped) = oneshot::channel();
        let (tell, told) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
                tell.send(listener.local_addr().unwrap()).unwrap();
                let stopped = async {
                    let _ = stopped.await;
                };
                serve(service, listener, stopped).await.unwrap();
            });
            drop(runtime);
            scheduler.join().unwrap();
        });
        Server { address: told.recv().unwrap(), stop: Some(stop), thread: Some(thread) }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// Sends a request as it is; status, head and body of the answer.
    fn raw(&self, request: &str) -> (u16, String, String) {
        let mut stream = self.connect();
        // The server may answer, and close, before it has read all of a request it refuses.
        let _ = stream.write_all(request.as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8(answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{answer:?}"));
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, head.to_ascii_lowercase(), body.to_owned())
    }

    fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let (status, _, body) = self.raw(&request(path, &body.to_string()));
        (status, serde_json::from_str(&body).unwrap_or_else(|error| panic!("{error}: {body:?}")))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        let result = self.thread.take().unwrap().join();
        assert!(result.is_ok() || std::thread::panicking());
    }
}

fn request(path: &str, body: &str) -> String {
    let n = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {n}\r\n\r\n{body}"
    )
}

fn get(method: &str, path: &str, headers: &str) -> String {
    format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}\r\n")
}

fn right(prompt: &str, n_most: usize) -> (String, &'static str) {
    let tokens: Vec<u32> = prompt.bytes().map(u32::from).collect();
    let (text, is_ended) = answer(&tokens, n_most);
    (text, if is_ended { "stop" } else { "length" })
}

/// The data of each event of a chunked answer.
fn events(body: &str) -> Vec<String> {
    // Chunk sizes stand on lines of their own, which no event has.
    body.lines().filter_map(|line| line.strip_prefix("data: ")).map(str::to_owned).collect()
}

#[test]
fn whole_answers_and_streams() {
    let server = Server::start(Setup::default());
    for prompt in ["Once", "upon a time", "x"] {
        let (want, finish) = right(prompt, 40);
        let ask = json!({ "prompt": prompt, "max_tokens": 40, "temperature": 0, "model": "fake" });
        let (status, value) = server.post("/v1/completions", &ask);
        assert_eq!(
            (status, value["choices"][0]["text"].as_str(), value["choices"][0]["finish_reason"].as_str()),
            (200, Some(&*want), Some(finish))
        );
        assert_eq!(value["usage"]["prompt_tokens"], prompt.len());
        assert_eq!(value["usage"]["completion_tokens"], want.len());
        assert_eq!(value["object"], "text_completion");
    }
    let messages =
        json!([{ "role": "system", "content": "a" }, { "role": "user", "content": [{ "type": "text", "text": "b" }] }]);
    let (want, finish) = right("system:a;user:b;", 50);
    let mut ask = json!({ "messages": messages, "max_completion_tokens": 50, "temperature": 0 });
    let (status, value) = server.post("/v1/chat/completions", &ask);
    assert_eq!((status, value["choices"][0]["message"]["content"].as_str()), (200, Some(&*want)));
    ask["stream"] = json!(true);
    ask["stream_options"] = json!({ "include_usage": true });
    let (status, head, body) = server.raw(&request("/v1/chat/completions", &ask.to_string()));
    assert!(status == 200 && head.contains("text/event-stream"), "{head}");
    let events = events(&body);
    assert_eq!(events.last().unwrap(), "[DONE]");
    let events: Vec<Value> =
        events[..events.len() - 1].iter().map(|event| serde_json::from_str(event).unwrap()).collect();
    assert_eq!(events[0]["choices"][0]["delta"]["role"], "assistant");
    let text: String = events.iter().filter_map(|event| event["choices"][0]["delta"]["content"].as_str()).collect();
    assert_eq!(text, want);
    let last = &events[events.len() - 2];
    assert_eq!(last["choices"][0]["finish_reason"], finish);
    assert_eq!(events[events.len() - 1]["usage"]["completion_tokens"], want.len());
}

#[test]
fn options_reach_the_answer() {
    let server = Server::start(Setup::default());
    let (whole, _) = right("story", 60);
    let stop = &whole[3..5];
    let ask = |more: Value| {
        let mut ask = json!({ "prompt": "story", "max_tokens": 60, "temperature": 0 });
        ask.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let (status, value) = server.post("/v1/completions", &ask);
        assert_eq!(status, 200, "{value}");
        value["choices"][0].clone()
    };
    let choice = ask(json!({ "stop": stop }));
    assert_eq!((choice["text"].as_str(), choice["finish_reason"].as_str()), (whole.split(stop).next(), Some("stop")));
    assert_eq!(
        ask(json!({ "grammar": "root ::= \"yes\" | \"no\"" }))["text"].as_str().map(str::len).map(|n| n == 2 || n == 3),
        Some(true)
    );
    let schema = json!({ "type": "object", "properties": { "z": { "type": "boolean" }, "a": { "const": 3 } }, "required": ["z", "a"] });
    // By hand, since `json!` sorts keys.
    let schema = schema
        .to_string()
        .replace(r#""a":{"const":3},"z":{"type":"boolean"}"#, r#""z":{"type":"boolean"},"a":{"const":3}"#);
    let body = format!(
        r#"{{"prompt":"q","temperature":0,"response_format":{{"type":"json_schema","json_schema":{{"name":"x","schema":{schema}}}}}}}"#
    );
    let (status, _, body) = server.raw(&request("/v1/completions", &body));
    let value: Value = serde_json::from_str(&body).unwrap();
    let text = value["choices"][0]["text"].as_str().unwrap().to_owned();
    let object: Value = serde_json::from_str(&text).unwrap();
    assert!(
        status == 200 && object["a"] == 3 && object["z"].is_boolean() && text.find("\"z\"") < text.find("\"a\""),
        "{text}"
    );
    let choice = ask(json!({ "logprobs": 2, "max_tokens": 3, "ignore_eos": true }));
    assert_eq!(choice["logprobs"]["tokens"].as_array().map(Vec::len), Some(3));
    assert_eq!(ask(json!({ "logit_bias": { "65": 100 }, "max_tokens": 4 }))["text"], "AAAA");
    let seeded = |seed: i64| {
        ask(json!({ "temperature": 2, "top_k": 0, "top_p": 1, "min_p": 0, "seed": seed, "grammar": "root ::= [a-z]*" }))
            ["text"]
            .clone()
    };
    assert_eq!(seeded(-5), seeded(-5));
    assert_ne!(seeded(1), seeded(2));
}

#[test]
fn prompts_are_remembered() {
    let server = Server::start(Setup::default());
    let ask = |prompt: &str| {
        server.post("/v1/completions", &json!({ "prompt": prompt, "max_tokens": 20, "temperature": 0 })).1
    };
    let first = ask("a conversation that goes on");
    assert_eq!(first["usage"]["prompt_tokens_details"]["cached_tokens"], 0);
    let (said, _) = right("a conversation that goes on", 20);
    let longer = format!("a conversation that goes on{said} and on");
    let second = ask(&longer);
    assert_eq!(second["choices"][0]["text"], right(&longer, 20).0);
    let n_cached = second["usage"]["prompt_tokens_details"]["cached_tokens"].as_u64().unwrap();
    assert!(n_cached >= 27, "{n_cached}");
    // The same prompt again: all but its last token.
    assert_eq!(ask(&longer)["usage"]["prompt_tokens_details"]["cached_tokens"], longer.len() - 1);
    assert_eq!(ask(&longer)["choices"][0]["text"], right(&longer, 20).0);
    let other = ask("a con artist");
    assert_eq!(other["choices"][0]["text"], right("a con artist", 20).0);
    // Too little in common to take the other conversation's context away.
    assert_eq!(other["usage"]["prompt_tokens_details"]["cached_tokens"], 0);
}

/// One client: asks, sometimes leaves early, and checks every answer. Returns how many it got.
fn client(server: &Server, number: u64) -> usize {
    let mut random = Random::new(number);
    let mut n_right = 0;
    for round in 0..12 {
        let prompt =
            format!("{} {}", "shared beginning ".repeat((random.next_u64() % 30) as usize), number * 100 + round);
        let n_most = 1 + (random.next_u64() % 60) as usize;
        let (want, finish) = right(&prompt, n_most);
        let is_stream = random.next_u64().is_multiple_of(2);
        let ask = json!({ "prompt": prompt, "max_tokens": n_most, "temperature": 0, "stream": is_stream });
        if random.next_u64().is_multiple_of(3) {
            let mut stream = server.connect();
            stream.write_all(request("/v1/completions", &ask.to_string()).as_bytes()).unwrap();
            let mut some = [0; 64];
            if random.next_u64().is_multiple_of(2) {
                let _ = stream.read(&mut some);
            }
            continue;
        }
        let (status, _, body) = server.raw(&request("/v1/completions", &ask.to_string()));
        assert_eq!(status, 200, "{body}");
        let (text, got) = if is_stream {
            let events = events(&body);
            let values: Vec<Value> = events.iter().filter_map(|event| serde_json::from_str(event).ok()).collect();
            let text: String = values.iter().filter_map(|value| value["choices"][0]["text"].as_str()).collect();
            (text, values.last().unwrap()["choices"][0]["finish_reason"].as_str().unwrap_or("none").to_owned())
        } else {
            let value: Value = serde_json::from_str(&body).unwrap();
            let choice = &value["choices"][0];
            (choice["text"].as_str().unwrap().to_owned(), choice["finish_reason"].as_str().unwrap().to_owned())
        };
        assert_eq!((text.as_str(), got.as_str()), (want.as_str(), finish), "{prompt}");
        n_right += 1;
    }
    n_right
}

#[test]
fn eight_clients_at_once() {
    let limits = Limits { n_chunk: 32, n_cached: 3, ..Limits::default() };
    let server = Server::start(Setup { limits, step: Duration::from_micros(200), ..Setup::default() });
    let n_right: usize = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..8)
            .map(|number| {
                scope.spawn({
                    let server = &server;
                    move || client(server, number)
                })
            })
            .collect();
        clients.into_iter().map(|client| client.join().unwrap()).sum()
    });
    assert!(n_right > 40, "{n_right}");
    // And it still answers.
    assert_eq!(
        server.post("/v1/completions", &json!({ "prompt": "end", "max_tokens": 5, "temperature": 0 })).1["choices"][0]
            ["text"],
        right("end", 5).0
    );
}

#[test]
fn clients_that_leave_make_room() {
    let limits = Limits { n_active: 1, n_waiting: 2, ..Limits::default() };
    let server = Server::start(Setup { limits, step: Duration::from_millis(20), ..Setup::default() });
    let long = json!({ "prompt": "x", "max_tokens": 900, "temperature": 0, "ignore_eos": true, "stream": true });
    let open = || {
        let mut stream = server.connect();
        stream.write_all(request("/v1/completions", &long.to_string()).as_bytes()).unwrap();
        stream
    };
    // One is answered and two wait, if the first is taken in before the third comes; the next is refused.
    let mut held = Vec::new();
    let refused = loop {
        let mut stream = open();
        let mut status = [0; 12];
        stream.read_exact(&mut status).unwrap();
        if status != *b"HTTP/1.1 200" {
            break stream;
        }
        held.push(stream);
        assert!(held.len() <= 3, "there is room for three");
    };
    assert!(held.len() >= 2, "{} were let in", held.len());
    let mut refused = BufReader::new(refused);
    let mut head = String::new();
    while refused.read_line(&mut head).unwrap() > 2 {}
    assert!(head.starts_with(" 429") && head.contains("retry-after"), "{head}");
    drop(held);
    let start = Instant::now();
    let ask = json!({ "prompt": "x", "max_tokens": 2, "temperature": 0 });
    while server.post("/v1/completions", &ask).0 != 200 {
        assert!(start.elapsed() < Duration::from_secs(10), "the room was not given back");
        std::thread::sleep(Duration::from_millis(50));
    }
    // A long answer does not keep the server from stopping.
    let _last = open();
    std::thread::sleep(Duration::from_millis(100));
    let start = Instant::now();
    drop(server);
    assert!(start.elapsed() < Duration::from_secs(8), "{:?}", start.elapsed());
}

#[test]
fn mistakes_are_json_errors() {
    let limits = Limits { n_context: 100, ..Limits::default() };
    let server = Server::start(Setup { limits, ..Setup::default() });
    let post = |path: &str, body: &str| server.raw(&request(path, body));
    let large = format!(r#"{{"prompt": "{}"}}"#, "x".repeat(1 << 17));
    let long = format!(r#"{{"prompt": "{}"}}"#, "x".repeat(100));
    let chat = |more: &str| format!(r#"{{"messages": [{{"role": "user", "content": "x"}}], {more}}}"#);
    let cases = [
        (404, "address", server.raw(&get("GET", "/nothing", ""))),
        (405, "method", server.raw(&get("GET", "/v1/completions", ""))),
        (405, "method", server.raw(&get("DELETE", "/v1/models", ""))),
        (415, "Content-Type", server.raw(&get("POST", "/v1/completions", "Content-Length: 2\r\n"))),
        (400, "JSON", post("/v1/completions", "{")),
        (400, "object", post("/v1/completions", "[]")),
        (400, "JSON", post("/v1/completions", &"[".repeat(10_000))),
        (413, "bytes", post("/v1/completions", &large)),
        (400, "100 tokens", post("/v1/completions", &long)),
        (404, "no model", post("/v1/completions", r#"{"prompt": "x", "model": "gpt"}"#)),
        (400, "`prompt`", post("/v1/completions", "{}")),
        (400, "`prompt`", post("/v1/completions", r#"{"prompt": ["a", "b"]}"#)),
        (400, "no token 300", post("/v1/completions", r#"{"prompt": [300]}"#)),
        (400, "empty", post("/v1/completions", r#"{"prompt": ""}"#)),
        (400, "`messages`", post("/v1/chat/completions", r#"{"messages": []}"#)),
        (
            400,
            "pictures",
            post("/v1/chat/completions", r#"{"messages": [{"role": "user", "content": [{"type": "image_url"}]}]}"#),
        ),
        (400, "`n`", post("/v1/chat/completions", &chat(r#""n": 2"#))),
        (400, "temperature", post("/v1/chat/completions", &chat(r#""temperature": -1"#))),
        (400, "`temperature`", post("/v1/chat/completions", &chat(r#""temperature": "hot""#))),
        (400, "top_p", post("/v1/chat/completions", &chat(r#""top_p": 7"#))),
        (400, "`max_tokens`", post("/v1/chat/completions", &chat(r#""max_tokens": 0"#))),
        (400, "`stop`", post("/v1/chat/completions", &chat(r#""stop": 3"#))),
        (400, "stop strings", post("/v1/chat/completions", &chat(&format!(r#""stop": "{}""#, "x".repeat(5000))))),
        (400, "`grammar`", post("/v1/chat/completions", &chat(r#""grammar": "root ::= root""#))),
        (
            400,
            "pattern",
            post(
                "/v1/chat/completions",
                &chat(
                    r#""response_format": {"type": "json_schema", "json_schema": {"schema": {"type": "string", "pattern": "a"}}}"#,
                ),
            ),
        ),
        (400, "`response_format`", post("/v1/chat/completions", &chat(r#""response_format": {"type": "xml"}"#))),
        (400, "tools", post("/v1/chat/completions", &chat(r#""tools": [{}]"#))),
        (400, "top_logprobs", post("/v1/chat/completions", &chat(r#""top_logprobs": 3"#))),
        (400, "logit_bias", post("/v1/chat/completions", &chat(r#""logit_bias": {"x": 1}"#))),
        (501, "embeddings", post("/v1/embeddings", r#"{"input": "x"}"#)),
    ];
    for (status, part, (got, head, body)) in cases {
        let value: Value = serde_json::from_str(&body).unwrap_or_else(|error| panic!("{part}: {error}: {body:?}"));
        let message = value["error"]["message"].as_str().unwrap_or_else(|| panic!("{body}"));
        assert_eq!(got, status, "{part}: {body}");
        assert!(message.contains(part) && head.contains("application/json"), "{part}: {body}");
        assert!(value["error"]["type"].is_string(), "{body}");
    }
    assert_eq!(server.raw(&get("GET", "/health", "")).0, 200);
    let (status, _, models) = server.raw(&get("GET", "/v1/models", ""));
    assert!(status == 200 && models.contains("\"id\":\"fake\""), "{models}");
}

#[test]
fn keys_and_origins() {
    let server =
        Server::start(Setup { api_key: Some("secret"), cors: Some("https://example.org"), ..Setup::default() });
    assert_eq!(server.raw(&get("GET", "/health", "")).0, 200);
    assert_eq!(server.raw(&get("GET", "/v1/models", "")).0, 401);
    assert_eq!(server.raw(&get("GET", "/v1/models", "Authorization: Bearer wrong\r\n")).0, 401);
    let (status, head, _) = server.raw(&get("GET", "/v1/models", "Authorization: Bearer secret\r\n"));
    assert!(status == 200 && head.contains("access-control-allow-origin: https://example.org"), "{head}");
    assert_eq!(server.raw(&get("OPTIONS", "/v1/chat/completions", "")).0, 204);
    let plain = Server::start(Setup::default());
    assert_eq!(plain.raw("GET /v1/models HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n\r\n").0, 403);
    let (_, head, _) = plain.raw(&get("GET", "/v1/models", ""));
    assert!(!head.contains("access-control"), "{head}");
}
