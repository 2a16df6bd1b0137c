//! `tilework pull URL` and `-m URL` against a server of this machine that breaks off, changes its mind and tells lies.

mod common;

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use common::{stderr, stdout};

/// What a request asked for: its path, and what it said of `Range` and `If-Range`.
type Request = (String, Option<String>, Option<String>);
type Answer = dyn Fn(&Request, &mut TcpStream) + Send + Sync;

struct Server {
    address: String,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    fn start(answer: Box<Answer>) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&requests);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.expect("a client");
                let request = read(&stream);
                seen.lock().expect("no panic").push(request.clone());
                answer(&request, &mut stream);
            }
        });
        Server { address, requests }
    }

    fn requests(&self) -> Vec<Request> {
        self.requests.lock().expect("no panic").clone()
    }
}

fn read(stream: &TcpStream) -> Request {
    let mut lines =
        BufReader::new(stream).lines().map(|line| line.expect("a line")).take_while(|line| !line.is_empty());
    let path = lines.next().and_then(|line| line.split(' ').nth(1).map(str::to_owned)).unwrap_or_default();
    let (mut range, mut if_range) = (None, None);
    for line in lines {
        let (name, value) = line.split_once(": ").expect("a header");
        match name.to_ascii_lowercase().as_str() {
            "range" => range = Some(value.to_owned()),
            "if-range" => if_range = Some(value.to_owned()),
            _ => {}
        }
    }
    (path, range, if_range)
}

/// The file from `start` on, of which no more than `n_most` bytes come before the connection ends.
fn send(stream: &mut TcpStream, (file, etag): (&[u8], &str), start: usize, n_most: usize) {
    let status = if start == 0 { "200 OK" } else { "206 Partial Content" };
    let n = file.len() - start;
    let mut head = format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {n}\r\nETag: {etag}\r\n");
    if start > 0 {
        head += &format!("Content-Range: bytes {start}-{}/{}\r\n", file.len() - 1, file.len());
    }
    let _ = write!(stream, "{head}\r\n").and_then(|()| stream.write_all(&file[start..][..n.min(n_most)]));
}

fn start_of(range: &Option<String>) -> usize {
    range.as_ref().and_then(|range| range.strip_prefix("bytes=")?.strip_suffix('-')?.parse().ok()).unwrap_or(0)
}

fn model() -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/llm/llama.gguf")).expect("a model")
}

/// An empty folder for models.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pull").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn tilework(models: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilework"));
    for name in ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"] {
        command.env_remove(name);
    }
    command.env("TILEWORK_MODELS", models).args(arguments).output().expect("the program starts")
}

#[test]
fn a_download_that_breaks_off_goes_on() {
    let (file, models) = (model(), folder("broken"));
    let content = file.clone();
    let server = Server::start(Box::new(move |(_, range, _), stream| {
        send(stream, (&content, "\"v1\""), start_of(range), 9000);
    }));
    let url = format!("{}/some/tiny.gguf?download=true", server.address);
    let output = tilework(&models, &["pull", &url]);
    assert!(output.status.success() && stdout(&output).contains("done"), "{}", stderr(&output));
    assert_eq!(std::fs::read(models.join("tiny/tiny.gguf")).expect("the file"), file);
    let asked: Vec<usize> = server.requests().iter().map(|request| start_of(&request.1)).collect();
    assert_eq!(asked, [0, 9000, 18000], "each attempt goes on where the one before ended");
    assert!(server.requests()[1..].iter().all(|request| request.2.as_deref() == Some("\"v1\"")));
    // It is there now, by its address and by its name, and nobody is asked again.
    for name in [url.as_str(), "tiny"] {
        let output = tilework(&models, &["tokenize", "-m", name, "ab", "--ids"]);
        assert!(output.status.success() && !stdout(&output).is_empty(), "{}", stderr(&output));
    }
    let output = tilework(&models, &["pull", &url]);
    assert!(stdout(&output).contains("there already"), "{}", stderr(&output));
    assert_eq!(server.requests().len(), 3);
    // The same name from elsewhere is another model.
    let output = tilework(&models, &["pull", &format!("{}/other/tiny.gguf", server.address)]);
    assert!(!output.status.success() && stderr(&output).contains("there already, from"), "{}", stderr(&output));
}

#[test]
fn a_program_that_was_ended_leaves_a_part_for_the_next() {
    let (file, models) = (model(), folder("ended"));
    let content = file.clone();
    // Nothing after the first half, until later.
    let is_later = Arc::new(AtomicBool::new(false));
    let knows = Arc::clone(&is_later);
    let server = Server::start(Box::new(move |(_, range, _), stream| {
        let (start, is_later) = (start_of(range), knows.load(Ordering::Relaxed));
        if start == 0 || is_later {
            send(stream, (&content, "\"v1\""), start, if is_later { usize::MAX } else { 10_000 });
        }
    }));
    let url = format!("{}/tiny.gguf", server.address);
    let output = tilework(&models, &["pull", &url]);
    assert!(!output.status.success() && stderr(&output).contains("goes on where it stopped"), "{}", stderr(&output));
    assert_eq!(std::fs::metadata(models.join("tiny/tiny.gguf.part")).expect("a part").len(), 10_000);
    assert!(!models.join("tiny/tiny.gguf").exists());
    // Nor is it completed from elsewhere.
    let output = tilework(&models, &["pull", &format!("{}/other/tiny.gguf", server.address)]);
    assert!(!output.status.success() && stderr(&output).contains("there already, from"), "{}", stderr(&output));
    is_later.store(true, Ordering::Relaxed);
    let output = tilework(&models, &["pull", &url]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(server.requests().last().map(|request| start_of(&request.1)), Some(10_000));
    assert_eq!(std::fs::read(models.join("tiny/tiny.gguf")).expect("the file"), file);
    assert!(!models.join("tiny/tiny.gguf.part").exists() && !models.join("tiny/tiny.gguf.part.etag").exists());
}

#[test]
fn halves_of_two_versions_are_not_put_together() {
    let (file, models) = (model(), folder("versions"));
    let content = file.clone();
    let server = Server::start(Box::new(move |(_, _, if_range), stream| match if_range.as_deref() {
        // What was there at first is gone when the second half is asked for.
        None => send(stream, (&[b"GGUF old ".as_slice(), &content].concat(), "\"old\""), 0, 5000),
        Some("\"old\"") => send(stream, (&content, "\"new\""), 0, usize::MAX),
        Some(other) => panic!("{other}"),
    }));
    let output = tilework(&models, &["pull", &format!("{}/tiny.gguf", server.address)]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(std::fs::read(models.join("tiny/tiny.gguf")).expect("the file"), file);
}

#[test]
fn what_is_wrong_is_not_kept() {
    let models = folder("wrong");
    let server = Server::start(Box::new(|(path, _, _), stream| match path.as_str() {
        "/page.gguf" => send(stream, (b"<!doctype html>", "\"x\""), 0, usize::MAX),
        "/tiny.gguf" => send(stream, (&model(), "\"x\""), 0, usize::MAX),
        _ => _ = write!(stream, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
    }));
    let pull = |name: &str, more: &[&str]| {
        let url = format!("{}/{name}", server.address);
        tilework(&models, &[&["pull", url.as_str()], more].concat())
    };
    let sum = "0".repeat(64);
    for (name, more, says) in [
        ("page.gguf", &[][..], "no GGUF file"),
        ("missing.gguf", &[], "404"),
        ("tiny.gguf", &["--sha256", sum.as_str()], "SHA-256"),
        ("tiny.bin", &[], "GGUF"),
        ("tiny.gguf", &["--sha256", "12"], "64 hexadecimal digits"),
    ] {
        let output = pull(name, more);
        assert!(!output.status.success() && stderr(&output).contains(says), "{name}: {}", stderr(&output));
    }
    assert_eq!(std::fs::read_dir(&models).expect("a folder").count(), 0, "nothing is left of any of them");
    let right = tilework(&models, &["pull", &format!("{}/tiny.gguf", server.address), "--print-path"]);
    let path = stdout(&right);
    assert!(right.status.success() && Path::new(path.trim()).is_file(), "{}", stderr(&right));
}
