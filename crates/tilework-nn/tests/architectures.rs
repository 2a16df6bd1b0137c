//! Every architecture and feature against llama.cpp: tiny models with random weights, their logits (`testdata/llm/make.py`).

#![allow(clippy::print_stderr, reason = "a skipped test says so")]

mod common;

use common::archive;
use pollster::block_on;
use std::path::{Path, PathBuf};
use tilework::{Device, ErrorKind};
use tilework_nn::llm::{CacheType, Model, ModelOptions, Wanted};

/// A name in `goldens.npz`, the files of the model and the length of its context.
struct Case {
    name: &'static str,
    files: &'static [&'static str],
    n_context: usize,
}

const fn case(name: &'static str, files: &'static [&'static str]) -> Case {
    Case { name, files, n_context: 64 }
}

const CASES: &[Case] = &[
    case("gemma2", &["gemma2"]),
    case("gemma3", &["gemma3"]),
    case("gemma3_everywhere", &["gemma3_everywhere"]),
    case("gemma3_pattern", &["gemma3_pattern"]),
    case("llama", &["llama"]),
    case("llama3", &["llama3"]),
    case("llama_biases", &["llama_biases"]),
    case("llama_linear", &["llama_linear"]),
    case("llama_some_biases", &["llama_some_biases"]),
    case("llama_split", &["llama_split-00001-of-00003", "llama_split-00002-of-00003", "llama_split-00003-of-00003"]),
    case("llama_tied", &["llama_tied"]),
    case("llama_unscaled", &["llama_unscaled"]),
    case("llama_yarn", &["llama_yarn"]),
    case("llama_yarn_factor", &["llama_yarn_factor"]),
    case("phi3", &["phi3"]),
    case("phi3_long", &["phi3_long"]),
    Case { name: "phi3_long.512", files: &["phi3_long"], n_context: 512 },
    case("qwen2", &["qwen2"]),
    case("qwen2_tied", &["qwen2_tied"]),
    case("qwen3", &["qwen3"]),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/llm")
}

impl Case {
    fn open(&self, device: &Device) -> Model {
        let read = |name: &&str| std::fs::read(folder().join(format!("{name}.gguf"))).unwrap();
        let files: Vec<Vec<u8>> = self.files.iter().map(read).collect();
        let sources: Vec<_> = files.iter().map(|file| file as &dyn tilework_nn::gguf::Source).collect();
        let options = ModelOptions { cache: CacheType::Floats, ..ModelOptions::default() };
        Model::open(device, &sources, options, &mut |_| Ok(())).unwrap()
    }
}

/// What logits may be wrong by, as a part of the largest: both sides compute in 32-bit floats, whose sums of a few dozen products are
/// good for six digits, through seven layers at most.
const TOLERANCE: f32 = 1e-5;

struct Goldens {
    tokens: Vec<u32>,
    positions: Vec<usize>,
    logits: Vec<f32>,
}

fn goldens(name: &str) -> Goldens {
    let bytes = std::fs::read(folder().join("goldens.npz")).unwrap();
    let get = archive(&bytes);
    let ints = |name: &str| block_on(get(name).to_vec::<i32>()).unwrap();
    Goldens {
        tokens: ints("tokens").into_iter().map(i32::cast_unsigned).collect(),
        positions: ints("positions").into_iter().map(|at| at as usize).collect(),
        logits: block_on(get(name).to_vec::<f32>()).unwrap(),
    }
}

/// The largest difference from llama.cpp's logits, as a part of the largest of them.
fn error(goldens: &Goldens, n_vocab: usize, found: &[f32]) -> f32 {
    let largest = goldens.logits.iter().fold(0.0f32, |most, logit| most.max(logit.abs()));
    let rows = goldens.positions.iter().zip(goldens.logits.chunks_exact(n_vocab));
    let differences = rows.flat_map(|(&at, wanted)| {
        let found = &found[at * n_vocab..][..n_vocab];
        found.iter().zip(wanted).map(|(a, b)| if a.is_nan() { f32::INFINITY } else { (a - b).abs() })
    });
    differences.fold(0.0, f32::max) / largest
}

/// Errors of the whole sequence at once, and token by token.
fn errors(case: &Case, device: &Device) -> [f32; 2] {
    let (model, goldens) = (case.open(device), goldens(case.name));
    let n_vocab = model.config().n_vocab;
    let mut context = model.context(case.n_context).unwrap();
    let at_once = block_on(model.extend(&mut context, &goldens.tokens, Wanted::All)).unwrap();
    context.truncate(0);
    let one = |&token: &u32| block_on(model.extend(&mut context, &[token], Wanted::Last)).unwrap();
    let one_by_one: Vec<f32> = goldens.tokens.iter().flat_map(one).collect();
    [error(&goldens, n_vocab, &at_once), error(&goldens, n_vocab, &one_by_one)]
}

fn check_all(device: &Device) {
    let mut failures = Vec::new();
    for case in CASES {
        let [at_once, one_by_one] = errors(case, device);
        eprintln!("{}: {at_once:.1e} at once, {one_by_one:.1e} token by token", case.name);
        if at_once.max(one_by_one) > TOLERANCE {
            failures.push(case.name);
        }
    }
    assert!(failures.is_empty(), "not as llama.cpp: {failures:?}");
}

#[test]
fn logits_are_those_of_llama_cpp() {
    check_all(&Device::cpu());
}

#[test]
fn logits_on_a_gpu_are_those_of_llama_cpp() {
    match block_on(Device::gpu()) {
        Ok(device) => check_all(&device),
        Err(error) => {
            assert!(std::env::var_os("CI").is_none(), "CI needs a GPU, if only software Vulkan: {error}");
            eprintln!("skipped: {error}");
        }
    }
}

#[test]
fn contexts_of_both_reaches_step_together() {
    let case = CASES.iter().find(|case| case.name == "phi3_long").unwrap();
    let model = case.open(&Device::cpu());
    let (short, long) = (goldens("phi3_long"), goldens("phi3_long.512"));
    let n_vocab = model.config().n_vocab;
    let [mut a, mut b] = [64, 512].map(|n| model.context(n).unwrap());
    let (last, before) = short.tokens.split_last().unwrap();
    for context in [&mut a, &mut b] {
        block_on(model.extend(context, before, Wanted::Nothing)).unwrap();
    }
    let logits = block_on(model.step(&mut [&mut a, &mut b], &[*last; 2])).unwrap();
    for (found, goldens) in logits.iter().zip([short, long]) {
        let wanted = &goldens.logits[goldens.logits.len() - n_vocab..];
        let difference = found.iter().zip(wanted).fold(0.0f32, |most, (a, b)| most.max((a - b).abs()));
        assert!(difference < 10.0 * TOLERANCE, "{difference}");
    }
}

/// Opens a model in whose file one name is another of the same length.
fn open_changed(name: &str, from: &str, to: &str) -> tilework::Error {
    let mut bytes = std::fs::read(folder().join(format!("{name}.gguf"))).unwrap();
    let at = bytes.windows(from.len()).position(|window| window == from.as_bytes()).unwrap();
    bytes[at..at + from.len()].copy_from_slice(to.as_bytes());
    Model::open(&Device::cpu(), &[&bytes], ModelOptions::default(), &mut |_| Ok(())).unwrap_err()
}

#[test]
fn what_is_not_known_is_refused() {
    let tensor = open_changed("llama3", "rope_freqs.weight", "rope_freqz.weight");
    assert!(tensor.kind() == ErrorKind::Unsupported && tensor.to_string().contains("rope_freqz"), "{tensor}");
    let scaling = open_changed("llama_yarn", "yarn", "yarm");
    assert!(scaling.kind() == ErrorKind::Unsupported && scaling.to_string().contains("yarm"), "{scaling}");
    let architecture = open_changed("qwen3", "qwen3", "qwen9");
    assert!(architecture.kind() == ErrorKind::Unsupported, "{architecture}");
}
