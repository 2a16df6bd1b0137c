//! `tilework inspect`, `quantize`, `tokenize` and `pull`, run as a user would.

mod common;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use common::{json, stderr, stdout, tilework};
use tilework::layers::core::quant::Format;
use tilework_nn::gguf::{Metadata, Value, Values, Writer};

/// A folder of its own for each test, empty.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("llm").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path that is text")
}

/// A tiny model: a vocabulary and two matrices, one of rows that are no multiple of 256.
fn write_model(path: &Path) {
    let strings = |texts: &[&str]| Value::Array(Values::String(texts.iter().map(|&text| text.to_owned()).collect()));
    let mut metadata = Metadata::new();
    for (key, value) in [
        ("general.architecture", Value::String("llama".into())),
        ("general.name", Value::String("tiny".into())),
        ("llama.block_count", Value::U32(2)),
        ("llama.embedding_length", Value::U32(64)),
        ("llama.context_length", Value::U32(100)),
        ("llama.attention.head_count", Value::U32(8)),
        ("llama.attention.head_count_kv", Value::U32(2)),
        ("tokenizer.ggml.model", Value::String("gpt2".into())),
        ("tokenizer.ggml.pre", Value::String("gpt-2".into())),
        ("tokenizer.ggml.tokens", strings(&["a", "b", "ab", "Ġ", "<|im_end|>"])),
        ("tokenizer.ggml.token_type", Value::Array(Values::I32(vec![1, 1, 1, 1, 3]))),
        ("tokenizer.ggml.merges", strings(&["a b"])),
    ] {
        metadata.set(key, value);
    }
    let mut writer = Writer::new(metadata).expect("metadata");
    writer.add("blk.0.ffn_up.weight", &[3, 256], Format::F32).expect("a matrix");
    writer.add("blk.0.attn_q.weight", &[3, 64], Format::F32).expect("a matrix");
    let mut bytes = writer.head();
    for tensor in writer.tensors() {
        bytes.extend((0..tensor.n_elements()).flat_map(|i| (i as f32 * 0.1).sin().to_le_bytes()));
        bytes.resize(bytes.len() + writer.padding(tensor), 0);
    }
    std::fs::write(path, bytes).expect("a file");
}

#[test]
fn a_model_is_inspected() {
    let path = folder("inspect").join("tiny.gguf");
    write_model(&path);
    let shown = stdout(&tilework(&["inspect", text(&path), "--context", "1000"]));
    for words in [
        "tiny",
        "llama",
        "F32",
        "2 layers × 2 KV heads × 2 × 8 × 1000 tokens × 2 bytes",
        "128.0 kB",
        "general.name = \"tiny\"",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    let value = json(&["inspect", text(&path), "--json"]);
    assert_eq!(value["architecture"], "llama");
    assert_eq!(value["n_weights"], 3 * 320);
    assert_eq!(value["memory"]["kv_cache_bytes"], 2 * 2 * 2 * 8 * 100 * 2);
    assert_eq!(value["tensors"][0]["shape"], serde_json::json!([3, 256]));
    assert_eq!(value["metadata"]["llama.block_count"], 2);
}

#[test]
fn a_model_is_quantized_whole_or_not_at_all() {
    let folder = folder("quantize");
    let (source, target) = (folder.join("tiny.gguf"), folder.join("small.gguf"));
    write_model(&source);
    let output = tilework(&["quantize", text(&source), text(&target), "--type", "q4_k_m"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).contains("Q4_K_M") && stdout(&output).contains("multiple of 256"), "{}", stdout(&output));
    let value = json(&["inspect", text(&target), "--json"]);
    assert_eq!(value["metadata"]["general.file_type"], 15);
    assert_eq!(value["tensors"][0]["format"], "Q4_K");
    assert_eq!(value["tensors"][1]["format"], "Q5_0");
    let again = tilework(&["quantize", text(&source), text(&target)]);
    assert_eq!(again.status.code(), Some(2));
    assert!(stderr(&again).contains("--force"), "{}", stderr(&again));
    assert!(tilework(&["quantize", text(&source), text(&target), "--type", "Q8_0", "--force"]).status.success());
    assert_eq!(json(&["inspect", text(&target), "--json"])["tensors"][1]["format"], "Q8_0");
    let nowhere = tilework(&["quantize", text(&source), "no/such/folder/x.gguf"]);
    assert!(!nowhere.status.success() && stderr(&nowhere).contains("no/such/folder"), "{}", stderr(&nowhere));
    let names: Vec<_> =
        std::fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").file_name()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
}

#[test]
fn text_is_tokenized() {
    let path = folder("tokenize").join("tiny.gguf");
    write_model(&path);
    let ids = |more: &[&str]| {
        let output = tilework(&[&["tokenize", "-m", text(&path), "--ids"], more].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output).trim().to_owned()
    };
    assert_eq!(ids(&["abb a<|im_end|>"]), "2 1 3 0 4");
    assert_eq!(ids(&["--no-special", "ab"]), "2");
    assert_eq!(ids(&[""]), "");
    let shown = stdout(&tilework(&["tokenize", "-m", text(&path), "ab a<|im_end|>"]));
    assert!(
        shown.contains("\"ab\"")
            && shown.contains("\" \"")
            && shown.contains("<|im_end|>")
            && shown.contains("4 tokens"),
        "{shown}"
    );
    let value = json(&["tokenize", "-m", text(&path), "--json", "ab"]);
    assert_eq!(value["tokens"][0], serde_json::json!({ "id": 2, "text": "ab" }));
}

#[test]
fn what_is_wrong_is_named_with_what_to_do() {
    let folder = folder("wrong");
    let (cut, none, split) = (folder.join("cut.gguf"), folder.join("none.gguf"), folder.join("m-00001-of-00002.gguf"));
    write_model(&cut);
    std::fs::write(&split, std::fs::read(&cut).expect("a file")).expect("a file");
    let bytes = std::fs::read(&cut).expect("a file");
    std::fs::write(&cut, &bytes[..bytes.len() / 2]).expect("a file");
    std::fs::write(&none, "not a model").expect("a file");
    let unknown = folder.join("unknown.gguf");
    // The type of its only tensor is IQ2_XXS.
    let head =
        [b"GGUF\x03\0\0\0".as_slice(), &[1, 0, 0, 0, 0, 0, 0, 0], &[0; 8], &[1, 0, 0, 0, 0, 0, 0, 0, b't', 1, 0, 0, 0]];
    let rest = [[0, 1, 0, 0, 0, 0, 0, 0].as_slice(), &[16, 0, 0, 0], &[0; 200]];
    std::fs::write(&unknown, [head.concat(), rest.concat()].concat()).expect("a file");
    for (arguments, words) in [
        (&["inspect", "no.gguf"][..], "no.gguf is not there"),
        (&["inspect", text(&folder)], "is a folder"),
        (&["inspect", text(&cut)], "not complete"),
        (&["inspect", text(&none)], "no GGUF file"),
        (&["inspect", text(&unknown)], "IQ2_XXS"),
        (&["inspect", text(&unknown)], "another format"),
        (&["inspect", text(&split)], "m-00002-of-00002.gguf"),
        (&["tokenize", "-m", text(&none), "x"], "no GGUF file"),
        (&["quantize", text(&cut), text(&folder.join("out.gguf"))], "not complete"),
        (&["quantize", text(&cut), "out.gguf", "--type", "Q9"], "Q9"),
        (&["pull", "llama"], "llama"),
    ] {
        let output = tilework(arguments);
        let message = stderr(&output);
        assert!(!output.status.success() && message.contains(words), "{arguments:?}: {message}");
    }
}

#[test]
fn every_command_has_help_with_examples() {
    for command in ["inspect", "quantize", "tokenize", "pull"] {
        let text = stdout(&tilework(&[command, "--help"]));
        assert!(text.contains("Examples:") && text.contains(&format!("tilework {command}")), "{text}");
    }
}

/// Runs with a folder for models and without a Python.
fn with_models(models: &Path, arguments: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_tilework"));
    program.args(arguments).env("TILEWORK_MODELS", models).env("PATH", "").output().expect("the program starts")
}

#[test]
fn a_pulled_model_has_a_name_and_a_part_of_one_has_not() {
    let models = folder("pull");
    let path = models.join("smollm2/SmolLM2-135M-Instruct.Q4_1.gguf");
    let output = with_models(&models, &["inspect", "smollm2"]);
    assert!(stderr(&output).contains("tilework pull smollm2"), "{}", stderr(&output));
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    std::fs::write(&path, "a part").expect("a file");
    let output = with_models(&models, &["pull", "smollm2"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("Python"), "{}", stderr(&output));
    assert!(!with_models(&models, &["inspect", "smollm2"]).status.success());
    // A file of the right size counts as checked; this one is empty space.
    std::fs::File::create(&path).and_then(|file| file.set_len(98_362_432)).expect("a file");
    let output = with_models(&models, &["pull", "smollm2", "--print-path"]);
    assert_eq!(stdout(&output).trim(), text(&path));
    assert!(stdout(&with_models(&models, &["pull", "smollm2"])).contains("there already"));
    assert!(stderr(&with_models(&models, &["inspect", "smollm2"])).contains("no GGUF file"));
}
