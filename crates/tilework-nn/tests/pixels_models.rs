//! Models opened from pictures compute the same bits as models opened from their files, on the CPU and on a GPU.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]

mod common;
mod pictures;

use std::path::PathBuf;

use pictures::packed;
use pollster::block_on;
use tilework::{Device, Result};
use tilework_nn::generate::Vocabulary;
use tilework_nn::llm::{Model, ModelOptions, Wanted};
use tilework_nn::models::digit_network;
use tilework_nn::pixels::{Encoding, PackOptions, PixelFile};
use tilework_nn::{Classifier, Embedder, Weights};

const MLP: &[u8] = include_bytes!("../../../models/digits_mlp.safetensors");
const CNN: &[u8] = include_bytes!("../../../models/digits_cnn.safetensors");

/// Both devices; without an adapter, the CPU alone.
fn devices() -> Vec<Device> {
    let mut devices = vec![Device::cpu()];
    match block_on(Device::gpu()) {
        Ok(device) => devices.push(device),
        Err(error) => {
            assert!(std::env::var_os("CI").is_none(), "CI needs a GPU, if only software Vulkan: {error}");
            eprintln!("skipped on the GPU: {error}");
        }
    }
    devices
}

fn options(encoding: Encoding) -> PackOptions {
    PackOptions { encoding, ..PackOptions::default() }
}

fn opened(files: &[(&str, &[u8])], encoding: Encoding) -> PixelFile {
    PixelFile::from_bytes(vec![packed(files, &options(encoding))]).unwrap()
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

#[test]
fn digit_networks_are_the_same() {
    let inputs: Vec<f32> = pictures::noise(784 * 5, 3).iter().map(|&byte| f32::from(byte) / 255.0).collect();
    for file in [MLP, CNN] {
        for encoding in [Encoding::Stored, Encoding::Deflate] {
            let picture = opened(&[("digits.safetensors", file)], encoding);
            assert!(encoding == Encoding::Deflate || picture.size_bytes() * 100 <= file.len() as u64 * 103);
            assert_eq!(picture.file("digits.safetensors").unwrap().to_vec().unwrap(), file);
            for device in devices() {
                let run = |weights: Weights| -> Result<Vec<f32>> {
                    block_on(async {
                        let network = digit_network(&weights)?;
                        Classifier::new(network, &weights).await?.probabilities(inputs.clone()).await
                    })
                };
                let original = run(Weights::from_bytes(&device, file).unwrap()).unwrap();
                let from_picture = run(Weights::from_pixels(&device, &picture).unwrap()).unwrap();
                assert_eq!(bits(&original), bits(&from_picture), "{}", device.name());
            }
        }
    }
}

#[test]
fn half_of_the_picture_masked_is_half_of_the_network_gone() {
    let mut picture = opened(&[("digits.safetensors", MLP)], Encoding::Stored);
    let index = picture.find("fc1.weight").unwrap();
    picture.mask_rows(index, 0..64, 0, 784 * 4).unwrap();
    let weights = Weights::from_pixels(&Device::cpu(), &picture).unwrap();
    let rows: Vec<f32> = block_on(weights.get("fc1.weight").unwrap().to_vec()).unwrap();
    assert!(
        rows[..64 * 784].iter().all(|&weight| weight == 0.0) && rows[64 * 784..].iter().any(|&weight| weight != 0.0)
    );
}

fn logits(model: &Model, tokens: &[u32]) -> Vec<f32> {
    let mut context = model.context(tokens.len()).unwrap();
    block_on(model.extend(&mut context, tokens, Wanted::All)).unwrap()
}

fn same_language_model(files: &[(&str, &[u8])]) {
    let sources: Vec<&dyn tilework_nn::gguf::Source> = files.iter().map(|(_, bytes)| bytes as _).collect();
    for encoding in [Encoding::Stored, Encoding::Deflate] {
        let picture = opened(files, encoding);
        for device in devices() {
            let original = Model::open(&device, &sources, ModelOptions::default(), &mut |_| Ok(())).unwrap();
            let from_picture = picture.language_model(&device, ModelOptions::default(), &mut |_| Ok(())).unwrap();
            let tokens: Vec<u32> = (1..8).collect();
            let (a, b) = (logits(&original, &tokens), logits(&from_picture, &tokens));
            assert!(a.iter().all(|logit| logit.is_finite()));
            assert_eq!(bits(&a), bits(&b), "{} {}", files[0].0, device.name());
            assert_eq!(original.encode_prompt("some text"), from_picture.encode_prompt("some text"));
        }
    }
}

fn testdata(name: &str) -> Vec<u8> {
    let path = format!("{}/../../testdata/llm/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn tiny_language_models_are_the_same_whole_or_split() {
    same_language_model(&[("llama.gguf", &testdata("llama.gguf"))]);
    let parts: Vec<(String, Vec<u8>)> = (1..=3)
        .map(|part| format!("llama_split-{part:05}-of-00003.gguf"))
        .map(|name| (name.clone(), testdata(&name)))
        .collect();
    let files: Vec<(&str, &[u8])> = parts.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    same_language_model(&files);
}

#[test]
fn a_story_teller_is_the_same() {
    let Some(folder) = std::env::var_os("TILEWORK_TEST_DATA").map(PathBuf::from) else {
        eprintln!("skipped: TILEWORK_TEST_DATA is not set");
        return;
    };
    for format in ["f32", "q8_0", "q4_0"] {
        let name = format!("stories260K-{format}.gguf");
        let file = std::fs::read(folder.join("stories260K").join(&name)).unwrap();
        same_language_model(&[(&name, &file)]);
    }
}

/// Where it was pulled; 98 MB are too much for a repository. A software GPU gets two tokens.
#[test]
fn a_pulled_language_model_is_the_same() {
    let models = std::env::var_os("TILEWORK_MODELS").map(PathBuf::from);
    let models = models.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/models"));
    let Ok(file) = std::fs::read(models.join("smollm2/SmolLM2-135M-Instruct.Q4_1.gguf")) else {
        eprintln!("skipped: `tilework pull smollm2` gets the model");
        return;
    };
    let picture = opened(&[("smollm2.gguf", &file)], Encoding::Stored);
    assert!(picture.size_bytes() * 100 <= picture.tensors().iter().map(|tile| tile.size_bytes).sum::<u64>() * 103);
    for device in devices() {
        let original = Model::open(&device, &[&file], ModelOptions::default(), &mut |_| Ok(())).unwrap();
        let from_picture = picture.language_model(&device, ModelOptions::default(), &mut |_| Ok(())).unwrap();
        let mut tokens = original.encode_prompt("Once upon a time there was a picture");
        tokens.truncate(if device.adapter().is_some() { 2 } else { tokens.len() });
        let (a, b) = (logits(&original, &tokens), logits(&from_picture, &tokens));
        assert_eq!(bits(&a), bits(&b), "{}", device.name());
    }
}

#[test]
fn a_sentence_encoder_is_the_same() {
    let Some(folder) = common::model_folder() else { return };
    let model = common::Model::read(&folder);
    let names = ["config.json", "model.safetensors", "tokenizer.json", "sentence_bert_config.json"];
    let bytes = [&model.config, &model.weights, &model.tokenizer, &model.sentence_config];
    let files: Vec<(&str, &[u8])> = names.into_iter().zip(bytes.map(Vec::as_slice)).collect();
    let picture = opened(&files, Encoding::Stored);
    let texts = ["a cat", "a kitten sleeps on the sofa", "the stock market"];
    for device in devices() {
        let vectors = block_on(async {
            let original = model.open(&device).await?.embed(&texts).await?;
            let from_picture = Embedder::from_pixels(&device, &picture).await?.embed(&texts).await?;
            Ok::<_, tilework::Error>((original.concat(), from_picture.concat()))
        });
        let (original, from_picture) = vectors.unwrap();
        assert_eq!(bits(&original), bits(&from_picture), "{}", device.name());
    }
}
