//! `serve`: the built studio on this machine, with the headers a good static host sends.
//!
//! Files are typed (browsers refuse WebAssembly and modules of the wrong type), compressed once and kept, and cached for ever
//! where their name holds a hash of their content. Only this machine can connect, and only to read.

use std::collections::HashMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::process::{Failure, Result};
use crate::size;

/// Ports tried in turn; a developer may have something on the first.
const PORTS: std::ops::Range<u16> = 8321..8341;
/// Longest request head; ours are a few hundred bytes.
const MAX_HEAD_BYTES: u64 = 16 * 1024;
const TIMEOUT: Duration = Duration::from_secs(10);

/// A bound server that does not answer yet.
pub(crate) struct Server {
    listener: TcpListener,
    files: Arc<Files>,
}

/// The folder that is served and what was compressed of it so far.
struct Files {
    root: PathBuf,
    compressed: Mutex<HashMap<PathBuf, Arc<Vec<u8>>>>,
}

/// What is sent.
#[derive(Debug)]
struct Answer {
    status: &'static str,
    headers: Vec<(&'static str, String)>,
    body: Arc<Vec<u8>>,
}

impl Server {
    /// Takes the first free port for the files below `root`.
    pub(crate) fn bind(root: &Path) -> Result<Server> {
        let listener = PORTS.clone().find_map(|port| TcpListener::bind(("127.0.0.1", port)).ok());
        let listener = listener.ok_or_else(|| {
            Failure::new(format!("the ports {} to {} are all taken", PORTS.start, PORTS.end - 1))
                .advice("End one of the programs that use them.")
        })?;
        Ok(Server { listener, files: Arc::new(Files { root: root.to_owned(), compressed: Mutex::default() }) })
    }

    /// Where a browser finds it.
    pub(crate) fn address(&self) -> String {
        self.listener.local_addr().map_or_else(|_| String::new(), |address| format!("http://{address}/"))
    }

    /// Answers until the process ends.
    pub(crate) fn run(self) {
        for stream in self.listener.incoming().flatten() {
            let files = self.files.clone();
            // A browser keeps connections open in advance, so one must not wait for another.
            std::thread::spawn(move || {
                // A browser that went away is no problem of ours.
                let _ = converse(&files, stream);
            });
        }
    }
}

/// One request, one answer.
fn converse(files: &Files, stream: TcpStream) -> std::io::Result<()> {
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    let mut head = Vec::new();
    for line in BufReader::new((&stream).take(MAX_HEAD_BYTES)).split(b'\n') {
        let line = String::from_utf8_lossy(&line?).trim_end().to_owned();
        if line.is_empty() {
            break;
        }
        head.push(line);
    }
    let Some(request) = head.first() else { return Ok(()) };
    let accepts_gzip = head.iter().any(|line| {
        let line = line.to_ascii_lowercase();
        line.starts_with("accept-encoding:") && line.contains("gzip")
    });
    let answer = files.answer(request, accepts_gzip);
    let is_head = request.starts_with("HEAD ");
    let mut text =
        format!("HTTP/1.1 {}\r\nconnection: close\r\ncontent-length: {}\r\n", answer.status, answer.body.len());
    for (name, value) in &answer.headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    text.push_str("\r\n");
    let mut stream = &stream;
    stream.write_all(text.as_bytes())?;
    if is_head { Ok(()) } else { stream.write_all(&answer.body) }
}

impl Files {
    /// The answer to a request line such as `GET /index.html HTTP/1.1`.
    fn answer(&self, request: &str, accepts_gzip: bool) -> Answer {
        let mut words = request.split(' ');
        let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        if !matches!(method, "GET" | "HEAD") {
            return refusal("405 Method Not Allowed", "only GET and HEAD are answered");
        }
        let found = self.locate(target).and_then(|file| Some((fs::read(&file).ok()?, file)));
        let Some((bytes, file)) = found else { return refusal("404 Not Found", "there is no such file") };
        let extension = file.extension().unwrap_or_default().to_string_lossy().into_owned();
        let mut headers = vec![
            ("content-type", content_type(&extension).to_owned()),
            ("cache-control", cache_control(target).to_owned()),
            ("x-content-type-options", "nosniff".to_owned()),
            ("referrer-policy", "no-referrer".to_owned()),
            ("vary", "accept-encoding".to_owned()),
        ];
        if let Some(policy) = self.policy(&file) {
            headers.push(("content-security-policy", policy));
        }
        let body = if accepts_gzip && is_compressible(&extension) {
            headers.push(("content-encoding", "gzip".to_owned()));
            self.compressed(&file, &bytes)
        } else {
            Arc::new(bytes)
        };
        Answer { status: "200 OK", headers, body }
    }

    /// The file behind an address; nothing outside of the folder.
    fn locate(&self, target: &str) -> Option<PathBuf> {
        let path = target.split(['?', '#']).next()?.strip_prefix('/')?;
        let relative = Path::new(path);
        let is_below = relative.components().all(|part| matches!(part, Component::Normal(_)));
        // Names of ours need no escapes; anything with one is not a file of ours.
        if !is_below || path.contains('%') || path.contains('\\') {
            return None;
        }
        let file = self.root.join(relative);
        if file.is_dir() { Some(file.join("index.html")) } else { Some(file) }
    }

    /// The page's own content security policy. As a header on every file it also holds for workers, which the page's does not.
    /// Another HTML file has its own (lessons run what is typed in a frame that may, and may nothing else).
    fn policy(&self, file: &Path) -> Option<String> {
        let is_page = file.extension().is_some_and(|extension| extension == "html");
        let page = fs::read_to_string(if is_page { file.to_owned() } else { self.root.join("index.html") }).ok()?;
        let (_, rest) = page.split_once("http-equiv=\"Content-Security-Policy\" content=\"")?;
        let (policy, _) = rest.split_once('"')?;
        (!policy.contains(['\r', '\n'])).then(|| policy.to_owned())
    }

    /// Gzipped, from memory after the first time.
    fn compressed(&self, file: &Path, bytes: &[u8]) -> Arc<Vec<u8>> {
        let mut kept = self.compressed.lock().expect("no request panics while it holds the lock");
        kept.entry(file.to_owned()).or_insert_with(|| Arc::new(size::gzip(bytes))).clone()
    }
}

fn refusal(status: &'static str, why: &str) -> Answer {
    let headers = vec![("content-type", "text/plain; charset=utf-8".to_owned())];
    Answer { status, headers, body: Arc::new(format!("{why}\n").into_bytes()) }
}

fn content_type(extension: &str) -> &'static str {
    match extension {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "webmanifest" => "application/json; charset=utf-8",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "txt" | "wgsl" | "md" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

fn is_compressible(extension: &str) -> bool {
    !matches!(extension, "png" | "ico" | "gz" | "woff2")
}

/// Files of the build are named by their content; all others may change at any time.
fn cache_control(target: &str) -> &'static str {
    if target.starts_with("/assets/") { "public, max-age=31536000, immutable" } else { "no-cache" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::fake::Folder;

    fn files(folder: &Folder) -> Files {
        Files { root: folder.path().to_owned(), compressed: Mutex::default() }
    }

    fn header<'a>(answer: &'a Answer, name: &str) -> Option<&'a str> {
        answer.headers.iter().find(|(known, _)| *known == name).map(|(_, value)| &value[..])
    }

    #[test]
    fn the_policy_of_the_page_holds_for_every_file() {
        let folder = Folder::new("policy");
        folder.write("index.html", r#"<meta http-equiv="Content-Security-Policy" content="default-src 'none'" />"#);
        folder.write("assets/worker-1.js", "1");
        let worker = files(&folder).answer("GET /assets/worker-1.js HTTP/1.1", false);
        assert_eq!(header(&worker, "content-security-policy"), Some("default-src 'none'"));
        folder.write("frame.html", r#"<meta http-equiv="Content-Security-Policy" content="script-src blob:" />"#);
        let frame = files(&folder).answer("GET /frame.html HTTP/1.1", false);
        assert_eq!(header(&frame, "content-security-policy"), Some("script-src blob:"), "its own");
        folder.write("index.html", "<p>hello");
        assert_eq!(header(&files(&folder).answer("GET / HTTP/1.1", false), "content-security-policy"), None);
    }

    #[test]
    fn files_are_typed_compressed_and_cached() {
        let folder = Folder::new("serve");
        folder.write("frame.html", r#"<meta http-equiv="Content-Security-Policy" content="script-src blob:" />"#);
        let frame = files(&folder).answer("GET /frame.html HTTP/1.1", false);
        assert_eq!(header(&frame, "content-security-policy"), Some("script-src blob:"), "its own");
        folder.write("index.html", "<p>hello");
        folder.write("assets/a-1f3b.wasm", &"wasm ".repeat(100));
        let files = files(&folder);
        let page = files.answer("GET / HTTP/1.1", false);
        assert_eq!((page.status, &page.body[..]), ("200 OK", &b"<p>hello"[..]));
        assert_eq!(header(&page, "cache-control"), Some("no-cache"));
        let module = files.answer("GET /assets/a-1f3b.wasm?x=1 HTTP/1.1", true);
        assert_eq!(header(&module, "content-type"), Some("application/wasm"));
        assert_eq!(header(&module, "content-encoding"), Some("gzip"));
        assert!(header(&module, "cache-control").is_some_and(|value| value.contains("immutable")));
        assert!(module.body.len() < 100);
    }

    #[test]
    fn nothing_outside_of_the_folder_is_served() {
        let folder = Folder::new("serve-outside");
        folder.write("secret.txt", "secret");
        folder.write("site/index.html", "page");
        let files = Files { root: folder.path().join("site"), compressed: Mutex::default() };
        let targets =
            ["/../secret.txt", "/%2e%2e/secret.txt", "//etc/hostname", "/..\\secret.txt", "secret.txt", "", "/nothing"];
        for target in targets {
            assert_eq!(files.answer(&format!("GET {target} HTTP/1.1"), true).status, "404 Not Found", "{target}");
        }
        assert_eq!(files.answer("POST / HTTP/1.1", true).status, "405 Method Not Allowed");
    }

    #[test]
    fn a_browser_is_answered() {
        let folder = Folder::new("serve-real");
        folder.write("index.html", "hello");
        let server = Server::bind(folder.path()).expect("a port is free");
        let address = server.listener.local_addr().expect("it is bound");
        assert!(server.address().starts_with("http://127.0.0.1:"));
        std::thread::spawn(|| server.run());
        for (request, has_body) in [("GET", true), ("HEAD", false)] {
            let mut stream = TcpStream::connect(address).expect("it listens");
            stream.write_all(format!("{request} / HTTP/1.1\r\nhost: x\r\n\r\n").as_bytes()).expect("it reads");
            let mut answer = String::new();
            stream.read_to_string(&mut answer).expect("it answers");
            assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.contains("content-length: 5\r\n"), "{answer}");
            assert_eq!(answer.ends_with("\r\n\r\nhello"), has_body, "{answer}");
        }
    }
}
