//! Tokenizers of language models against llama.cpp's reference vectors, and against what it makes of strings meant to be difficult.

use std::path::PathBuf;

use proptest::prelude::*;
use tilework::ErrorKind;
use tilework_nn::gguf::{Gguf, Metadata, Value, Values};
use tilework_nn::tokenize::{AddBegin, EncodeOptions, Specials, TextStream, Tokenizer};

/// The folder of llama.cpp's vocabularies, or nothing, loudly.
#[expect(clippy::print_stderr, reason = "a test that tests nothing must say so")]
fn vocabularies() -> Option<PathBuf> {
    let folder = std::env::var_os("TILEWORK_TEST_DATA").map(|data| PathBuf::from(data).join("gguf-vocab"));
    if folder.is_none() {
        eprintln!("NOT TESTED: TILEWORK_TEST_DATA is not set");
    }
    folder
}

/// The file of SmolLM2, or nothing, loudly.
#[expect(clippy::print_stderr, reason = "a test that tests nothing must say so")]
fn smollm2() -> Option<PathBuf> {
    let models = std::env::var_os("TILEWORK_MODELS").map(PathBuf::from);
    let models = models.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/models"));
    let path = models.join("smollm2/SmolLM2-135M-Instruct.Q4_1.gguf");
    if path.is_file() {
        return Some(path);
    }
    eprintln!("NOT TESTED: there is no {}", path.display());
    None
}

const PLAIN: EncodeOptions = EncodeOptions { special: Specials::AsText, add_begin: AddBegin::Never };

fn open(path: &std::path::Path) -> Tokenizer {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Tokenizer::from_gguf(&Gguf::read(&bytes).unwrap().metadata).unwrap()
}

/// Texts and tokens of a vocabulary's reference vectors.
fn vectors(path: &std::path::Path) -> Vec<(String, Vec<u32>)> {
    let read = |end: &str| std::fs::read_to_string(format!("{}.{end}", path.display())).unwrap();
    let (texts, tokens) = (read("inp"), read("out"));
    let numbers = |line: &str| line.split_whitespace().map(|number| number.parse().unwrap()).collect();
    let texts = texts.split("\n__ggml_vocab_test__\n").map(str::to_owned);
    texts.zip(tokens.lines().map(numbers)).collect()
}

#[test]
fn tokens_are_those_of_llama_cpp() {
    let Some(folder) = vocabularies() else { return };
    let mut n_vectors = 0;
    let mut wrong = Vec::new();
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| {
        path.extension().is_some_and(|end| end == "gguf") && PathBuf::from(format!("{}.inp", path.display())).exists()
    });
    files.sort();
    for path in &files {
        let tokenizer = open(path);
        for (text, expected) in vectors(path) {
            let tokens = tokenizer.encode(&text, PLAIN);
            if tokens != expected {
                wrong.push(format!("{}: {text:?}\n  ours   {tokens:?}\n  theirs {expected:?}", path.display()));
            }
            n_vectors += 1;
        }
    }
    assert!(wrong.is_empty(), "{} of {n_vectors} are wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(n_vectors >= 200, "{n_vectors} vectors in {}", folder.display());
}

#[test]
fn text_comes_back() {
    let Some(folder) = vocabularies() else { return };
    for name in ["gpt-2", "llama-bpe", "llama-spm", "qwen2"] {
        let path = folder.join(format!("ggml-vocab-{name}.gguf"));
        let tokenizer = open(&path);
        for (text, _) in vectors(&path) {
            let tokens = tokenizer.encode(&text, PLAIN);
            assert_eq!(tokenizer.decode(&tokens), text, "{name}");
            let mut stream = TextStream::default();
            let mut streamed: String = tokens.iter().map(|&token| stream.push(tokenizer.token_bytes(token))).collect();
            streamed += &stream.finish();
            assert_eq!(streamed.trim_start_matches(' '), text.trim_start_matches(' '), "{name}");
            assert!(!streamed.contains('\u{fffd}'));
        }
    }
}

#[test]
fn difficult_strings_are_split_as_llama_cpp_splits_them() {
    let Some(path) = smollm2() else { return };
    let tokenizer = open(&path);
    let goldens = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/tokenizers/smollm2.txt");
    let goldens = std::fs::read_to_string(goldens).unwrap();
    for line in goldens.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let text: String = serde_json::from_str(fields[0]).unwrap();
        for (special, expected) in [Specials::AsText, Specials::Parse].into_iter().zip(&fields[1..]) {
            let tokens = tokenizer.encode(&text, EncodeOptions { special, ..PLAIN });
            let tokens = tokens.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
            assert_eq!(tokens, *expected, "{text:?} {special:?}");
        }
    }
    assert_eq!(goldens.lines().count(), 524);
}

#[test]
fn sentencepiece_models_split_as_sentencepiece_does() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/tokenizers");
    for name in ["unigram", "spm"] {
        let tokenizer = open(&folder.join(format!("{name}.gguf")));
        let goldens = std::fs::read_to_string(folder.join(format!("{name}.txt"))).unwrap();
        for line in goldens.lines() {
            let (text, expected) = line.split_once('\t').unwrap();
            let text: String = serde_json::from_str(text).unwrap();
            let tokens = tokenizer.encode(&text, PLAIN).iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
            assert_eq!(tokens, expected, "{name}: {text:?}");
        }
        assert!(goldens.lines().count() > 500);
    }
}

#[test]
fn ends_and_begins_are_known() {
    let Some(path) = smollm2() else { return };
    let tokenizer = open(&path);
    let end = tokenizer.find("<|im_end|>").unwrap();
    assert!(tokenizer.is_end(end) && tokenizer.is_control(end) && tokenizer.token_bytes(end).is_empty());
    assert!(
        tokenizer.is_end(tokenizer.find("<|endoftext|>").unwrap()) && !tokenizer.is_end(tokenizer.find("a").unwrap())
    );
    assert_eq!(tokenizer.text_of(tokenizer.begin().unwrap()), "<|im_start|>");
    assert_eq!(tokenizer.token_bytes(u32::MAX), b"");
    assert_eq!((tokenizer.text_of(u32::MAX), tokenizer.is_end(u32::MAX)), ("", false));
}

/// Metadata of a tiny tokenizer.
fn tiny(model: &str, tokens: &[&str], more: &[(&str, Value)]) -> Metadata {
    let mut metadata = Metadata::new();
    metadata.set("tokenizer.ggml.model", Value::String(model.into()));
    metadata.set("tokenizer.ggml.tokens", strings(tokens));
    for (key, value) in more {
        metadata.set(format!("tokenizer.ggml.{key}"), value.clone());
    }
    metadata
}

fn strings(texts: &[&str]) -> Value {
    Value::Array(Values::String(texts.iter().map(|&text| text.to_owned()).collect()))
}

#[test]
fn unigrams_take_the_most_probable_way() {
    let scores = Value::Array(Values::F32(vec![0.0, 0.0, 0.0, -1.0, -2.0, -2.5, -6.0, -3.0, -0.5]));
    let kinds = Value::Array(Values::I32(vec![3, 3, 2, 1, 1, 1, 1, 1, 4]));
    let tokens = ["<pad>", "</s>", "<unk>", "▁", "a", "b", "▁ab", "▁a", "<x>"];
    let more = [
        ("scores", scores),
        ("token_type", kinds),
        ("add_space_prefix", Value::Bool(true)),
        ("remove_extra_whitespaces", Value::Bool(true)),
        ("unknown_token_id", Value::U32(2)),
        ("eos_token_id", Value::U32(1)),
    ];
    let tokenizer = Tokenizer::from_gguf(&tiny("t5", &tokens, &more)).unwrap();
    let encode = |text: &str| tokenizer.encode(text, PLAIN);
    // ▁a b is −5.5, ▁ a b is −5.5 too and found later, ▁ab is −6.
    assert_eq!(encode("ab"), [7, 5]);
    assert_eq!(encode("  ab   a "), [7, 5, 7]);
    assert_eq!(encode("aöü b"), [7, 2, 3, 5]);
    assert_eq!(encode("a<x>b"), [7, 8, 3, 5]);
    assert_eq!(encode(""), [0u32; 0]);
    assert_eq!(tokenizer.encode("a", EncodeOptions::default()), [7, 1]);
    assert_eq!(tokenizer.decode(&[7, 5, 7, 1]), "ab a");
}

#[test]
fn longer_names_are_found_first_and_some_take_the_space_after_them() {
    let tokens = ["a", "▁", "<x>", "<x><y>", "<y>", "<s>", "▁a"];
    let kinds = ("token_type", Value::Array(Values::I32(vec![1, 1, 4, 3, 3, 3, 1])));
    let mut metadata = tiny("llama", &tokens, &[kinds, ("add_space_prefix", Value::Bool(false))]);
    let encode = |metadata: &Metadata, text: &str, special: Specials| {
        Tokenizer::from_gguf(metadata).unwrap().encode(text, EncodeOptions { special, ..PLAIN })
    };
    assert_eq!(encode(&metadata, "<x><x><y> a<y>", Specials::Parse), [2, 3, 6, 4]);
    // Only the user's own token is found then; what is no token, byte tokens missing, is nothing.
    assert_eq!(encode(&metadata, "<x><x><y>a", Specials::AsText), [2, 2, 0]);
    metadata.set("general.name", Value::String("Phi-3 mini".into()));
    assert_eq!(encode(&metadata, "<y> \n a<s> a", Specials::Parse), [4, 0, 5, 6]);
}

#[test]
fn metadata_that_make_no_tokenizer_are_refused() {
    let refused = |metadata: &Metadata| {
        let error = Tokenizer::from_gguf(metadata).err().unwrap();
        (error.kind(), error.message().to_owned())
    };
    assert_eq!(refused(&Metadata::new()).1, "the metadata has no `tokenizer.ggml.tokens`");
    assert_eq!(refused(&tiny("gpt2", &[], &[])).1, "a vocabulary of 0 tokens");
    let unknown = refused(&tiny("rwkv", &["a"], &[]));
    assert_eq!(unknown.0, ErrorKind::Unsupported);
    assert!(unknown.1.contains("`rwkv`"));
    assert_eq!(refused(&tiny("gpt2", &["a"], &[])).1, "the metadata has no `tokenizer.ggml.merges`");
    let merges = |line: &str| ("merges", strings(&[line]));
    assert_eq!(refused(&tiny("gpt2", &["a"], &[merges("ab")])).1, "merge 0 is `ab`, which is no pair");
    let pre = refused(&tiny("gpt2", &["a"], &[merges("a b"), ("pre", Value::String("new".into()))]));
    assert!(pre.0 == ErrorKind::Unsupported && pre.1.contains("`new`"), "{pre:?}");
    let short = ("token_type", Value::Array(Values::I32(vec![1])));
    assert!(refused(&tiny("llama", &["a", "b"], &[short])).1.contains("1 entries for 2 tokens"));
    assert!(refused(&tiny("llama", &["a"], &[("scores", Value::U32(1))])).1.contains("should be"));
    assert!(
        refused(&tiny("t5", &["a"], &[("precompiled_charsmap", Value::Array(Values::U8(vec![9, 0, 0])))]))
            .1
            .contains("early")
    );
    assert!(refused(&tiny("bert", &["a"], &[])).1.contains("[UNK]"));
    let plain = Tokenizer::from_gguf(&tiny("gpt2", &["a"], &[merges("a b")])).unwrap();
    assert!(plain.note().unwrap().contains("tokenizer.ggml.pre"));
}

#[test]
fn long_texts_take_no_long_time() {
    let merges = strings(&["a a", "aa aa", "aaaa aaaa"]);
    let metadata =
        tiny("gpt2", &["a", "aa", "aaaa", "aaaaaaaa"], &[("merges", merges), ("pre", Value::String("gpt-2".into()))]);
    let tokenizer = Tokenizer::from_gguf(&metadata).unwrap();
    assert_eq!(tokenizer.encode(&"a".repeat(1 << 20), PLAIN), vec![3; 1 << 17]);
    let metadata = tiny("llama", &["▁", "a", "aa", "aaaa"], &[("add_space_prefix", Value::Bool(false))]);
    let tokenizer = Tokenizer::from_gguf(&metadata).unwrap();
    assert_eq!(tokenizer.encode(&"a".repeat(1 << 18), PLAIN).len(), 1 << 16);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_text_panics(text in any::<String>(), tokens in prop::collection::vec(any::<u32>(), 0..20)) {
        let charsmap = ("precompiled_charsmap", Value::Array(Values::U8([[0x20, 3, 0, 0].as_slice(), &[7; 900]].concat())));
        let merges = ("merges", strings(&["a b", "Ġ a", "x y z"]));
        let kinds = ("token_type", Value::Array(Values::I32(vec![1, 1, 1, 6, 2, 4, 3])));
        let names = ["a", "▁a", "Ġa", "<0x0A>", "[UNK]", "é", "<s>"];
        for (model, more) in [("gpt2", merges), ("t5", charsmap), ("llama", kinds.clone()), ("bert", kinds)] {
            let tokenizer = Tokenizer::from_gguf(&tiny(model, &names, &[more])).unwrap();
            for special in [Specials::AsText, Specials::Parse] {
                let encoded = tokenizer.encode(&text, EncodeOptions { special, add_begin: AddBegin::Always });
                let _ = tokenizer.decode(&encoded);
            }
            let mut stream = TextStream::default();
            tokens.iter().for_each(|&token| { stream.push(tokenizer.token_bytes(token)); });
        }
    }
}
