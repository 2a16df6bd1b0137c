//! What tests with a real model share: where its files are.
//!
//! The model is 90 MB and not part of the repository; `cargo xtask setup` fetches it. Without it these tests say so and pass, except
//! where `TILEWORK_NEEDS_MODELS` is set, as `cargo xtask test` does.

#![allow(dead_code, reason = "every test file uses a part of this")]

use std::path::{Path, PathBuf};

use tilework::{Array, Device};
use tilework_nn::{Embedder, EmbedderFiles, TokenizerFile, Weights};

pub(crate) const MODEL: &str = "all-MiniLM-L6-v2";

/// The folder of the model, or nothing, loudly.
#[expect(clippy::print_stderr, reason = "a test that tests nothing must say so")]
pub(crate) fn model_folder() -> Option<PathBuf> {
    let models = std::env::var_os("TILEWORK_MODELS").map(PathBuf::from);
    let models = models.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/models"));
    let folder = models.join(MODEL);
    if folder.join("model.safetensors").is_file() {
        return Some(folder);
    }
    let advice = format!("there is no model in {}; `cargo xtask setup` fetches it", folder.display());
    assert!(std::env::var_os("TILEWORK_NEEDS_MODELS").is_none(), "{advice}");
    eprintln!("NOT TESTED: {advice}");
    None
}

pub(crate) fn read(folder: &Path, file: &str) -> Vec<u8> {
    std::fs::read(folder.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The files of a model in memory.
#[derive(Clone)]
pub(crate) struct Model {
    pub(crate) config: Vec<u8>,
    pub(crate) weights: Vec<u8>,
    pub(crate) tokenizer: Vec<u8>,
    pub(crate) sentence_config: Vec<u8>,
}

impl Model {
    pub(crate) fn read(folder: &Path) -> Model {
        Model {
            config: read(folder, "config.json"),
            weights: read(folder, "model.safetensors"),
            tokenizer: read(folder, "tokenizer.json"),
            sentence_config: read(folder, "sentence_bert_config.json"),
        }
    }

    pub(crate) async fn open(&self, device: &Device) -> tilework::Result<Embedder> {
        let files = EmbedderFiles {
            config: &self.config,
            weights: &self.weights,
            tokenizer: TokenizerFile::Json(&self.tokenizer),
            sentence_config: Some(&self.sentence_config),
        };
        Embedder::new(device, files).await
    }
}

/// An array of an `.npz` archive, on the CPU.
pub(crate) fn archive(bytes: &[u8]) -> impl Fn(&str) -> Array {
    let weights = Weights::from_bytes(&Device::cpu(), bytes).unwrap();
    move |name| weights.get(name).unwrap().clone()
}
