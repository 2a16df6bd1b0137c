//! Language models against llama.cpp: the same file, the same tokens.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use pollster::block_on;
use std::path::PathBuf;
use tilework::Device;
use tilework_nn::llm::{Context, Model, ModelOptions, Wanted};

/// The token every story begins with.
const BEGIN: u32 = 1;

/// A file of the test data, if there are any.
fn data(name: &str) -> Option<Vec<u8>> {
    let Some(folder) = std::env::var_os("TILEWORK_TEST_DATA") else {
        eprintln!("skipped: TILEWORK_TEST_DATA is not set");
        return None;
    };
    Some(std::fs::read(PathBuf::from(folder).join(name)).unwrap())
}

fn open(device: &Device, bytes: Vec<u8>) -> Model {
    Model::open(device, &[&bytes], ModelOptions::default(), &mut |_| Ok(())).unwrap()
}

fn golden(format: &str) -> Option<(Vec<u8>, Vec<u32>)> {
    let file = data(&format!("stories260K/stories260K-{format}.gguf"))?;
    let golden: serde_json::Value = serde_json::from_slice(&data("stories260K/golden_llamacpp.json")?).unwrap();
    let tokens = golden["outputs"][format!("stories260K-{format}.gguf")]["ids"].as_array().unwrap().iter();
    Some((file, tokens.map(|token| token.as_u64().unwrap() as u32).collect()))
}

#[test]
fn a_story_goes_on_as_in_llama_cpp() {
    for format in ["f32", "q8_0", "q4_0"] {
        let Some((file, tokens)) = golden(format) else { return };
        let model = open(&Device::cpu(), file);
        let mut context = model.context(512).unwrap();
        let logits = block_on(model.extend(&mut context, &[BEGIN], Wanted::Last)).unwrap();
        assert_eq!(logits.len(), model.config().n_vocab);
        let mut told = vec![best(&logits)];
        told.extend(block_on(model.greedily(&mut context, told[0], tokens.len() - 1)).unwrap());
        if format == "f32" {
            assert_eq!(told, tokens, "{format}");
            continue;
        }
        // Both round activations to 8 bits, and a sum in another order may round one of them the other way. So a story may fork,
        // but only where two tokens are nearly as likely: given llama.cpp's story, its next token is never far behind the best.
        let story = [&[BEGIN], &tokens[..tokens.len() - 1]].concat();
        let logits = block_on(model.extend(&mut model.context(512).unwrap(), &story, Wanted::All)).unwrap();
        let behind = |(logits, token): (&[f32], &u32)| logits[best(logits) as usize] - logits[*token as usize];
        let gaps: Vec<f32> = logits.chunks_exact(model.config().n_vocab).zip(&tokens).map(behind).collect();
        let (n_forks, widest) =
            (gaps.iter().filter(|gap| **gap > 0.0).count(), gaps.iter().copied().fold(0.0, f32::max));
        assert!(n_forks <= tokens.len() / 20 && widest < 0.1, "{format}: {n_forks} forks, the widest by {widest}");
    }
}

fn best(logits: &[f32]) -> u32 {
    (0..logits.len()).max_by(|&a, &b| logits[a].total_cmp(&logits[b])).unwrap() as u32
}

/// What a device with software Vulkan can do in a moment.
fn gpu() -> Option<Device> {
    match block_on(Device::gpu()) {
        Ok(device) => Some(device),
        Err(error) => {
            assert!(std::env::var_os("CI").is_none(), "CI needs a GPU, if only software Vulkan: {error}");
            eprintln!("skipped: {error}");
            None
        }
    }
}

#[test]
fn a_gpu_tells_the_same_story_and_reads_four_bytes_a_token() {
    for format in ["f32", "q8_0", "q4_0"] {
        let (Some((file, tokens)), Some(device)) = (golden(format), gpu()) else { return };
        let model = open(&device, file);
        let mut context = model.context(64).unwrap();
        let logits = block_on(model.extend(&mut context, &[BEGIN, tokens[0], tokens[1]], Wanted::Last)).unwrap();
        assert_eq!(best(&logits), tokens[2], "{format}");
        // The first steps plan, compile and settle into their buffers.
        let mut told = Vec::new();
        let mut more = |context: &mut Context, token: u32, n: usize| {
            told.extend(block_on(model.greedily(context, token, n)).unwrap());
        };
        more(&mut context, tokens[2], 8);
        let before = device.counters();
        more(&mut context, tokens[10], 16);
        let done = device.counters().since(before);
        assert_eq!(told, tokens[3..27], "{format}");
        let n_layers = model.config().n_layers as u64;
        // Eight tokens at a time are joined and read: one more pass for them, and a submit for the copy.
        assert_eq!((done.passes, done.submits), (16 + 2, 16 + 4), "one pass and one submit a token");
        assert_eq!(done.bytes_down, 4 * 16, "four bytes a token are read");
        assert_eq!(done.buffer_copies, 0, "caches are changed in place");
        assert!(done.dispatches <= 16 * (8 * n_layers + 6), "{} dispatches a token", done.dispatches / 16);
        assert_eq!(device.stats().on_cpu, 0, "nothing ran on the CPU instead");
    }
}

#[test]
fn the_cpu_goes_on_where_a_gpu_was_lost() {
    let (Some((file, tokens)), Some(device)) = (golden("f32"), gpu()) else { return };
    let model = open(&device, file);
    let mut context = model.context(64).unwrap();
    let prompt = [&[BEGIN], &tokens[..6]].concat();
    block_on(model.extend(&mut context, &prompt, Wanted::Last)).unwrap();
    device.open_gpu().unwrap().destroy();
    let logits = block_on(model.extend(&mut context, &tokens[6..8], Wanted::Last)).unwrap();
    assert_eq!(best(&logits), tokens[8]);
    assert!(model.device().unwrap().adapter().is_none(), "the model is on the CPU now");
    assert_eq!(context.tokens(), [&prompt[..], &tokens[6..8]].concat());
    assert_eq!(block_on(model.greedily(&mut context, tokens[8], 10)).unwrap(), tokens[9..19]);
}

#[test]
fn the_cpu_goes_on_where_a_gpu_was_lost_before_a_long_prompt() {
    let (Some((file, tokens)), Some(device)) = (golden("f32"), gpu()) else { return };
    let model = open(&device, file);
    let mut context = model.context(512).unwrap();
    block_on(model.extend(&mut context, &[BEGIN], Wanted::Last)).unwrap();
    device.open_gpu().unwrap().destroy();
    let long = tokens.repeat(2);
    block_on(model.extend(&mut context, &long[..300], Wanted::Last)).unwrap();
    assert!(model.device().unwrap().adapter().is_none(), "the model is on the CPU now");
    assert_eq!(context.len(), 301);
}

#[test]
fn several_contexts_step_together_as_each_would_alone() {
    let Some((file, tokens)) = golden("f32") else { return };
    let model = open(&Device::cpu(), file);
    let lens = [3, 17, 8];
    let prompt = |n: usize| [&[BEGIN], &tokens[..n]].concat();
    let mut contexts = lens.map(|n| {
        let mut context = model.context(64).unwrap();
        block_on(model.extend(&mut context, &prompt(n), Wanted::Nothing)).unwrap();
        context
    });
    let [a, b, c] = &mut contexts;
    let logits = block_on(model.step(&mut [a, b, c], &lens.map(|n| tokens[n]))).unwrap();
    assert_eq!(lens.map(|n| tokens[n + 1]).to_vec(), logits.iter().map(|logits| best(logits)).collect::<Vec<_>>());
    let mistake = block_on(model.extend(&mut contexts[0], &[BEGIN; 65], Wanted::Last));
    assert!(mistake.is_err() && contexts[0].len() == 5, "a context without room stays as it is");
}
