//! `tilework generate`, `chat`, `logits`, `perplexity` and `serve` with a real small model, run as a user would.
//!
//! The model is 98 MB and not part of the repository; without it these tests say so and pass.

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use common::{json, stderr, stdout, tilework};

/// The model, or nothing, loudly.
#[expect(clippy::print_stderr, reason = "a test that tests nothing must say so")]
fn model() -> Option<String> {
    let models = std::env::var_os("TILEWORK_MODELS").map(PathBuf::from);
    let models = models.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/models"));
    let path = models.join("smollm2/SmolLM2-135M-Instruct.Q4_1.gguf");
    if path.is_file() {
        return path.to_str().map(str::to_owned);
    }
    eprintln!("NOT TESTED: there is no {}", path.display());
    None
}

#[test]
fn what_makes_no_sense_is_said_before_a_model_is_read() {
    let output = tilework(&["generate", "-m", "nothing.gguf", "x", "--temperature", "-1"]);
    assert!(output.status.code() == Some(2) && stderr(&output).contains("temperature"), "{}", stderr(&output));
    let output = tilework(&["generate", "-m", "nothing.gguf", "x"]);
    assert!(output.status.code() == Some(1) && stderr(&output).contains("nothing.gguf"), "{}", stderr(&output));
    let output = tilework(&["logits", "-m", "nothing.gguf", "--tokens", "1,x", "--out", "x.npy"]);
    assert!(output.status.code() == Some(2) && stderr(&output).contains("1,x"), "{}", stderr(&output));
}

#[test]
fn texts_go_on() {
    let Some(model) = model() else { return };
    let ask = |more: &[&str]| {
        let mut arguments =
            vec!["generate", "-m", &model, "The capital of France is", "-n", "8", "--json", "--device", "cpu"];
        arguments.extend(more);
        json(&arguments)
    };
    let greedy = ask(&["--temperature", "0"]);
    assert!(greedy["text"].as_str().is_some_and(|text| text.contains("Paris")), "{greedy}");
    assert_eq!(greedy["n_generated"], greedy["tokens"].as_array().map(Vec::len).unwrap_or(0));
    assert!(greedy["decode_tokens_per_s"].as_f64().is_some_and(|speed| speed > 0.0), "{greedy}");
    // Chosen here from logits, instead of where the logits are.
    assert_eq!(ask(&["--temperature", "0", "--frequency-penalty", "0.000001"])["text"], greedy["text"]);
    assert_eq!(ask(&["--seed", "5"])["text"], ask(&["--seed", "5"])["text"]);
    let text = ask(&["--temperature", "0", "--stop", "Paris"])["text"].clone();
    assert!(!text.as_str().unwrap_or("Paris").contains("Paris"), "{text}");
}

#[test]
fn conversations_go_on() {
    let Some(model) = model() else { return };
    let arguments = ["chat", "-m", &model, "--device", "cpu", "--temperature", "0", "-n", "12"];
    let mut program = Command::new(env!("CARGO_BIN_EXE_tilework"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let lines = "Hi\n/stats\n/undo\n/undo\n/nonsense\n/load\n/exit\nnot read\n";
    program.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("it reads");
    let output = program.wait_with_output().expect("it ends");
    let shown = stdout(&output);
    assert!(output.status.success());
    for words in ["Hello", "per second", "taken back: Hi", "nothing was said yet", "no /nonsense", "which file?"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
}

#[test]
fn logits_and_perplexity() {
    let Some(model) = model() else { return };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("writing");
    std::fs::create_dir_all(&folder).expect("a folder");
    let (npy, text) = (folder.join("logits.npy"), folder.join("text.txt"));
    let npy_path = npy.to_str().expect("text");
    let output = tilework(&["logits", "-m", &model, "--tokens", "1,2,3", "--out", npy_path, "--device", "cpu"]);
    assert!(stdout(&output).contains("[3, 49152]"), "{}", stderr(&output));
    assert_eq!(std::fs::metadata(&npy).expect("a file").len() % 64, 3 * 49_152 * 4 % 64);
    std::fs::write(&text, "The cat sat on the mat. ".repeat(40)).expect("a file");
    let text = text.to_str().expect("text");
    let report = json(&["perplexity", "-m", &model, "--file", text, "--context", "64", "--json", "--device", "cpu"]);
    // What repeats itself is easily foreseen.
    assert!(report["perplexity"].as_f64().is_some_and(|perplexity| (1.0..2.0).contains(&perplexity)), "{report}");
}

#[test]
fn the_server_answers() {
    let Some(model) = model() else { return };
    let mut program = Command::new(env!("CARGO_BIN_EXE_tilework"))
        .args(["serve", "-m", &model, "--device", "cpu", "--port", "0", "--name", "small"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut line = String::new();
    BufReader::new(program.stdout.take().expect("a pipe")).read_line(&mut line).expect("it says where it is");
    let address = line.split("http://").nth(1).and_then(|rest| rest.split(';').next()).expect("an address");
    let body = r#"{"messages": [{"role": "user", "content": "Hi"}], "temperature": 0, "max_tokens": 12}"#;
    let mut stream = TcpStream::connect(address).expect("it listens");
    let head =
        "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json";
    write!(stream, "{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len()).expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    let _ = program.kill();
    let _ = program.wait();
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("Hello") && answer.contains("\"small\""), "{answer}");
}
