//! Many requests to one server; thousands by `TILEWORK_SOAK=2000 cargo nextest run -p tilework-cli --test soak --no-capture`.
//!
//! Eight clients ask at once and some of them leave in the middle of an answer. Every answer must be the one that a client alone gets,
//! none may be missing, and over thousands the server's memory must not grow.

#![cfg(target_os = "linux")]
#![allow(clippy::print_stderr, reason = "the figures are what it is run for")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Requests unless `TILEWORK_SOAK` says how many.
const N_USUAL: usize = 150;
const N_CLIENTS: usize = 8;
/// Requests after which all programs are planned and all contexts are there; with fewer, memory is not looked at.
const N_WARM: usize = 300;
/// No answer takes longer; one that does is stuck.
const PATIENCE: Duration = Duration::from_secs(120);

/// stories260K, or a model without sense if there are no test data.
fn model() -> PathBuf {
    match std::env::var_os("TILEWORK_TEST_DATA") {
        Some(folder) => PathBuf::from(folder).join("stories260K/stories260K-f32.gguf"),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/llm/llama.gguf"),
    }
}

struct Server {
    program: Child,
    address: String,
}

impl Server {
    fn start() -> Server {
        let mut program = Command::new(env!("CARGO_BIN_EXE_tilework"))
            .args(["serve", "--device", "cpu", "--port", "0", "--name", "soak", "-m"])
            .arg(model())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        BufReader::new(program.stdout.take().expect("a pipe")).read_line(&mut line).expect("it says where it is");
        let address = line.split("http://").nth(1).and_then(|rest| rest.split(';').next()).expect("an address");
        Server { program, address: address.to_owned() }
    }

    fn post(&self, body: &Value) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a socket");
        let body = body.to_string();
        let head =
            "POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json";
        write!(stream, "{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len()).expect("it reads");
        stream
    }

    /// The text of an answer.
    fn ask(&self, request: &Value) -> String {
        let mut answer = String::new();
        self.post(request).read_to_string(&mut answer).expect("an answer in time");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        assert!(head.starts_with("HTTP/1.1 200"), "{answer}");
        let body: Value = serde_json::from_str(body).expect("JSON");
        body["choices"][0]["text"].as_str().expect("a text").to_owned()
    }

    /// Begins to read an answer and leaves.
    fn leave(&self, request: &Value, n_bytes: usize) {
        let mut request = request.clone();
        request["stream"] = json!(true);
        let _ = self.post(&request).read_exact(&mut vec![0; n_bytes]);
    }

    /// A line of `/proc/PID/status`, in megabytes.
    fn memory_mb(&self, name: &str) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.program.id())).expect("it runs");
        let line = status.lines().find(|line| line.starts_with(name)).expect("a line");
        let kib: f64 = line.split_whitespace().nth(1).and_then(|kib| kib.parse().ok()).expect("a number");
        kib * 1024.0 / 1e6
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

/// Different prompts that share beginnings, so that contexts are taken up again.
fn requests() -> Vec<Value> {
    let beginnings = ["Once upon a time", "One day", "Tom and Lily", "The big dog"];
    let endings = ["", " there was a cat", ", a girl went to the park. She", " said", " liked to play"];
    let prompts =
        beginnings.iter().flat_map(|beginning| endings.iter().map(move |ending| format!("{beginning}{ending}")));
    let request = |(index, prompt)| json!({ "prompt": prompt, "temperature": 0, "max_tokens": 10 + 7 * (index % 7) });
    prompts.enumerate().map(request).collect()
}

/// A few bits that look random.
fn bits(index: usize) -> u64 {
    let mixed = (index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32
}

#[test]
fn many_requests_change_nothing() {
    let n_requests = std::env::var("TILEWORK_SOAK").ok().and_then(|n| n.parse().ok()).unwrap_or(N_USUAL);
    let server = Server::start();
    let requests = requests();
    let alone: Vec<String> = requests.iter().map(|request| server.ask(request)).collect();
    let start_mb = server.memory_mb("VmRSS");
    let (next, n_left, n_same) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    let warm_mb = std::sync::OnceLock::new();
    let start = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..N_CLIENTS {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= n_requests {
                        return;
                    }
                    if index == N_WARM {
                        let _ = warm_mb.set(server.memory_mb("VmRSS"));
                    }
                    let chance = bits(index);
                    let which = chance as usize % requests.len();
                    if (chance >> 8).is_multiple_of(4) {
                        server.leave(&requests[which], (chance >> 12) as usize % 4096);
                        n_left.fetch_add(1, Ordering::Relaxed);
                    } else {
                        assert_eq!(server.ask(&requests[which]), alone[which], "{}", requests[which]);
                        n_same.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    let time = start.elapsed();
    // Who left is forgotten: the next answer comes at once.
    let then = Instant::now();
    assert_eq!(server.ask(&requests[0]), alone[0]);
    let last = then.elapsed();
    eprintln!("{n_same:?} answers as alone, {n_left:?} left early, in {time:.1?}; one more in {last:.1?}");
    let Some(warm_mb) = warm_mb.get() else { return };
    let (end_mb, peak_mb) = (server.memory_mb("VmRSS"), server.memory_mb("VmHWM"));
    eprintln!(
        "memory: {start_mb:.1} MB at the start, {warm_mb:.1} MB warm, {end_mb:.1} MB at the end, {peak_mb:.1} MB at most"
    );
    assert!(end_mb < 1.05 * warm_mb + 2.0, "the server's memory grows");
}
