//! Commands with the tiny models of `testdata/llm`, whose weights are random: what they say makes no sense, but is always the same.

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::{json, stderr, tilework};

fn model(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/llm").join(format!("{name}.gguf"));
    path.to_str().expect("text").to_owned()
}

/// A path in a folder of its own, where nothing is.
fn new_file(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tiny").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder.join("file")
}

#[test]
fn a_prompt_is_read_once() {
    let (model_path, cache) = (model("llama"), new_file("prompt_cache"));
    let cache_path = cache.to_str().expect("text");
    let ask = |prompt: &str, more: &[&str]| {
        let fixed =
            ["generate", "-m", &model_path, prompt, "-n", "6", "--temperature", "0", "--json", "--device", "cpu"];
        json(&[&fixed, more].concat())
    };
    let cached = ["--prompt-cache", cache_path];
    let (first, again) = (ask("abcdefgh", &cached), ask("abcdefgh", &cached));
    assert_eq!((first["n_cached"].as_u64(), &first["tokens"]), (Some(0), &again["tokens"]));
    let n_prompt = first["n_prompt"].as_u64().expect("a number");
    assert_eq!(again["n_cached"].as_u64(), Some(n_prompt - 1), "all but the token whose logits are needed");
    let longer = ask("abcdefghijk", &cached);
    assert_eq!(longer["tokens"], ask("abcdefghijk", &[])["tokens"]);
    assert_eq!(longer["n_cached"].as_u64(), Some(n_prompt));
    // Those of other models, and files that are none, are refused and left as they are.
    let before = std::fs::read(&cache).expect("a file");
    let refused = |model: &str, says: &str| {
        let output =
            tilework(&["generate", "-m", model, "abc", "-n", "2", "--prompt-cache", cache_path, "--device", "cpu"]);
        assert!(!output.status.success() && stderr(&output).contains(says), "{}", stderr(&output));
    };
    refused(&model("llama_some_biases"), "another model made it");
    assert_eq!(std::fs::read(&cache).expect("a file"), before);
    std::fs::write(&cache, &before[..before.len() / 2]).expect("a file");
    refused(&model_path, "ends too early");
    assert_eq!(
        std::fs::read_dir(cache.parent().expect("a folder")).expect("a folder").count(),
        1,
        "nothing else is left"
    );
}

#[test]
fn language_models_embed_texts() {
    let model = model("llama");
    let report = json(&["embed", "-m", &model, "abc", "abd", "xyz", "abc", "--json", "--device", "cpu"]);
    let like = |a: usize, b: usize| report["similarities"][a][b].as_f64().expect("a number");
    assert!((like(0, 3) - 1.0).abs() < 1e-5 && like(0, 1) > like(0, 2), "{report}");
    let vectors = json(&["embed", "-m", &model, "abc", "--vectors", "--json", "--device", "cpu"]);
    let vector: Vec<f64> =
        vectors["vectors"][0].as_array().expect("a list").iter().filter_map(|x| x.as_f64()).collect();
    assert!(vector.len() == 16 && (vector.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-5, "{vectors}");
    let output = tilework(&["embed", "-m", &model, &"ab".repeat(100), "--device", "cpu"]);
    assert!(output.status.code() == Some(2) && stderr(&output).contains("reads 1 to 64"), "{}", stderr(&output));
    let output = tilework(&["embed", "-m", "nothing.gguf", "ab"]);
    assert!(!output.status.success() && stderr(&output).contains("nothing.gguf"), "{}", stderr(&output));
}

/// A server, with its address.
fn serve(model: &str) -> (Child, String) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_tilework"))
        .args(["serve", "-m", model, "--device", "cpu", "--port", "0", "--name", "tiny"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut line = String::new();
    BufReader::new(program.stdout.take().expect("a pipe")).read_line(&mut line).expect("it says where it is");
    let address = line.split("http://").nth(1).and_then(|rest| rest.split(';').next()).expect("an address").to_owned();
    (program, address)
}

fn post(address: &str, body: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).expect("it listens");
    let head =
        "POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json";
    write!(stream, "{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len()).expect("it reads");
    stream
}

/// How long a program takes to end after `kill -TERM`, and whether it says that all is well.
#[cfg(unix)]
fn terminate(mut program: Child) -> (Duration, bool) {
    let start = Instant::now();
    let killed = Command::new("kill").args(["-TERM", &program.id().to_string()]).status().expect("there is kill");
    assert!(killed.success());
    while start.elapsed() < Duration::from_secs(30) {
        if let Some(status) = program.try_wait().expect("a status") {
            return (start.elapsed(), status.success());
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let _ = program.kill();
    panic!("it did not end");
}

#[cfg(unix)]
#[test]
fn the_system_may_end_the_server() {
    let (program, address) = serve(&model("llama"));
    let mut answer = String::new();
    let body = r#"{"prompt": "abc", "temperature": 0, "max_tokens": 5}"#;
    post(&address, body).read_to_string(&mut answer).expect("it answers");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let (time, is_fine) = terminate(program);
    assert!(is_fine && time < Duration::from_secs(2), "{time:?}");
}

#[cfg(unix)]
#[test]
fn a_client_that_never_ends_does_not_keep_the_server() {
    let (program, address) = serve(&model("llama"));
    let mut stream = TcpStream::connect(&address).expect("it listens");
    write!(stream, "POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{{")
        .expect("it reads");
    std::thread::sleep(Duration::from_millis(200));
    let (time, is_fine) = terminate(program);
    // It is waited for, but not for long.
    assert!(is_fine && time > Duration::from_secs(1) && time < Duration::from_secs(8), "{time:?}");
    drop(stream);
}
