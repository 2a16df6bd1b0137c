//! A small model made up here: it loads under every name its weights go by, and whatever is wrong with its files is a typed error.

mod common;

use common::Model;
use serde_json::{Value, json};
use tilework::{Device, ErrorKind};
use tilework_nn::{Embedder, EmbedderFiles, TokenizerFile, Weights};

const N_HIDDEN: usize = 8;
const VOCABULARY: &str = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\ncat\n##s\ndog\n.";

fn config() -> Value {
    json!({
        "hidden_size": N_HIDDEN, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 12,
        "max_position_embeddings": 6, "type_vocab_size": 2, "vocab_size": 9, "hidden_act": "gelu",
    })
}

/// Names and shapes of all weights.
fn shapes() -> Vec<(String, Vec<usize>)> {
    let mut shapes = vec![
        ("embeddings.word_embeddings.weight".to_owned(), vec![9, N_HIDDEN]),
        ("embeddings.position_embeddings.weight".to_owned(), vec![6, N_HIDDEN]),
        ("embeddings.token_type_embeddings.weight".to_owned(), vec![2, N_HIDDEN]),
    ];
    let layer = |part: &str| format!("encoder.layer.0.{part}");
    for norm in ["embeddings.LayerNorm", &layer("attention.output.LayerNorm"), &layer("output.LayerNorm")] {
        shapes.extend(["weight", "bias"].map(|part| (format!("{norm}.{part}"), vec![N_HIDDEN])));
    }
    for (linear, n_out, n_in) in [
        ("attention.self.query", N_HIDDEN, N_HIDDEN),
        ("attention.self.key", N_HIDDEN, N_HIDDEN),
        ("attention.self.value", N_HIDDEN, N_HIDDEN),
        ("attention.output.dense", N_HIDDEN, N_HIDDEN),
        ("intermediate.dense", 12, N_HIDDEN),
        ("output.dense", N_HIDDEN, 12),
    ] {
        shapes.push((layer(&format!("{linear}.weight")), vec![n_out, n_in]));
        shapes.push((layer(&format!("{linear}.bias")), vec![n_out]));
    }
    shapes
}

/// Weights with `prefix` in front of their names; `changed` has a row too many.
async fn weights(prefix: &str, changed: &str) -> Vec<u8> {
    let device = Device::cpu();
    let mut weights = Weights::new(&device);
    for (name, mut shape) in shapes() {
        if name == changed {
            shape[0] += 1;
        }
        let n_elements = shape.iter().product();
        let values: Vec<f32> = (0..n_elements).map(|i| ((i + name.len()) as f32 * 0.7).sin()).collect();
        weights.insert(format!("{prefix}{name}"), device.array(values, shape.as_slice()));
    }
    weights.to_safetensors().await.unwrap()
}

async fn open(config: &Value, weights: &[u8], vocabulary: &str) -> tilework::Result<Embedder> {
    let config = config.to_string();
    let files = EmbedderFiles {
        config: config.as_bytes(),
        weights,
        tokenizer: TokenizerFile::Vocabulary(vocabulary.as_bytes()),
        sentence_config: None,
    };
    Embedder::new(&Device::cpu(), files).await
}

#[test]
fn weights_are_found_under_every_prefix() {
    pollster::block_on(async {
        let mut vectors = Vec::new();
        for prefix in ["", "bert.", "0.auto_model."] {
            let embedder = open(&config(), &weights(prefix, "").await, VOCABULARY).await.unwrap();
            vectors.push(embedder.embed(&["cats.", "dog", "", "cat dog cat dog cat dog"]).await.unwrap());
        }
        assert!(vectors[0].iter().flatten().all(|x| x.is_finite()) && vectors[0][0] != vectors[0][1]);
        assert!(vectors.iter().all(|other| *other == vectors[0]));
    });
}

#[test]
fn wrong_configurations_are_errors() {
    pollster::block_on(async {
        let weights = weights("", "").await;
        for (key, wrong, kind) in [
            ("hidden_size", json!(16), ErrorKind::Shape),
            ("hidden_size", json!(0), ErrorKind::Io),
            ("hidden_size", json!("many"), ErrorKind::Io),
            ("hidden_size", json!(u64::MAX), ErrorKind::Io),
            ("num_attention_heads", json!(3), ErrorKind::Io),
            ("num_hidden_layers", json!(4_000_000_000_u64), ErrorKind::Io),
            ("vocab_size", json!(5), ErrorKind::Shape),
            ("max_position_embeddings", json!(1), ErrorKind::Argument),
            ("hidden_act", json!("mish"), ErrorKind::Unsupported),
            ("position_embedding_type", json!("relative_key"), ErrorKind::Unsupported),
        ] {
            let mut config = config();
            config[key] = wrong;
            assert_eq!(open(&config, &weights, VOCABULARY).await.unwrap_err().kind(), kind, "{config}");
        }
        let many = format!("{VOCABULARY}\nmore\nwords");
        assert_eq!(open(&config(), &weights, &many).await.unwrap_err().kind(), ErrorKind::Shape);
    });
}

#[test]
fn wrong_weights_are_errors() {
    pollster::block_on(async {
        for (name, _) in shapes() {
            let error = open(&config(), &weights("", &name).await, VOCABULARY).await.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Shape, "{name}");
            assert!(error.to_string().contains(&name), "{error}");
        }
        let whole = weights("", "").await;
        for end in (0..whole.len()).step_by(61) {
            let error = open(&config(), &whole[..end], VOCABULARY).await.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Io, "{end}");
        }
        let error = open(&config(), &weights("other.", "").await, VOCABULARY).await.unwrap_err();
        assert!(error.to_string().contains("embeddings.word_embeddings.weight"), "{error}");
    });
}

#[test]
fn files_that_are_no_json_are_errors() {
    let good = Model {
        config: config().to_string().into_bytes(),
        weights: pollster::block_on(weights("", "")),
        tokenizer: tokenizer().to_string().into_bytes(),
        sentence_config: br#"{"max_seq_length": 4}"#.to_vec(),
    };
    pollster::block_on(async {
        let device = Device::cpu();
        let embedder = good.open(&device).await.unwrap();
        assert_eq!(embedder.tokenizer().encode("cat dog cat dog").len(), 4);
        for n_kept in [0, 1, 7] {
            let cut = |bytes: &Vec<u8>| bytes[..n_kept].to_vec();
            for bad in [
                Model { config: cut(&good.config), ..good.clone() },
                Model { tokenizer: cut(&good.tokenizer), ..good.clone() },
                Model { sentence_config: cut(&good.sentence_config), ..good.clone() },
                Model { weights: cut(&good.weights), ..good.clone() },
            ] {
                assert_eq!(bad.open(&device).await.unwrap_err().kind(), ErrorKind::Io);
            }
        }
    });
}

/// The same vocabulary as `tokenizer.json`.
fn tokenizer() -> Value {
    let vocabulary: serde_json::Map<String, Value> =
        VOCABULARY.lines().zip(0..).map(|(token, id)| (token.to_owned(), json!(id))).collect();
    json!({
        "model": {"type": "WordPiece", "vocab": vocabulary},
        "normalizer": {"type": "BertNormalizer"},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "BertProcessing", "cls": ["[CLS]", 2], "sep": ["[SEP]", 3]},
    })
}
