//! Contexts in files, with the tiny models of `testdata/llm`.

use pollster::block_on;
use std::path::Path;
use tilework::{Device, ErrorKind};
use tilework_nn::llm::{CacheType, Context, Model, ModelOptions, Wanted};

fn open(name: &str) -> Model {
    open_with(name, CacheType::default())
}

fn open_with(name: &str, cache: CacheType) -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/llm").join(format!("{name}.gguf"));
    let bytes = std::fs::read(path).unwrap();
    let options = ModelOptions { cache, ..ModelOptions::default() };
    Model::open(&Device::cpu(), &[&bytes], options, &mut |_| Ok(())).unwrap()
}

const PROMPT: [u32; 7] = [1, 9, 30, 12, 5, 5, 17];

fn saved(model: &Model, n_max: usize) -> Vec<u8> {
    let mut context = model.context(n_max).unwrap();
    block_on(model.extend(&mut context, &PROMPT, Wanted::Nothing)).unwrap();
    let mut file = Vec::new();
    block_on(model.save_context(&mut context, &mut file)).unwrap();
    file
}

fn next(model: &Model, context: &mut Context, tokens: &[u32]) -> Vec<f32> {
    block_on(model.extend(context, tokens, Wanted::Last)).unwrap()
}

#[test]
fn a_saved_context_goes_on_as_if_nothing_had_happened() {
    let model = open("gemma3");
    let file = saved(&model, 64);
    let mut alone = model.context(64).unwrap();
    next(&model, &mut alone, &PROMPT);
    let wanted = next(&model, &mut alone, &[8, 9]);
    // A longer one, one that must grow, and one that another process might open.
    for n_max in [64, 1000, 9] {
        let other = open("gemma3");
        let mut context = other.load_context(&mut &file[..], n_max).unwrap();
        assert_eq!((context.tokens(), context.n_max()), (&PROMPT[..], n_max));
        assert_eq!(next(&other, &mut context, &[8, 9]), wanted);
    }
    let short = model.load_context(&mut &file[..], 3).unwrap();
    assert_eq!(short.tokens(), &PROMPT[..3]);
}

#[test]
fn halves_and_floats_are_as_close_as_halves_are_and_become_each_other() {
    let (halves, floats) = (open_with("llama", CacheType::Halves), open_with("llama", CacheType::Floats));
    let [of_halves, of_floats] = [&halves, &floats].map(|model| saved(model, 64));
    let n_numbers = PROMPT.len() * floats.config().cache_bytes_per_token(CacheType::Floats) as usize / 4;
    assert_eq!(of_floats.len() - of_halves.len(), 2 * n_numbers);
    let logits = |model: &Model, file: &[u8]| next(model, &mut model.load_context(&mut &*file, 64).unwrap(), &[8, 9]);
    let wanted = logits(&floats, &of_floats);
    let largest = wanted.iter().fold(0.0_f32, |largest, x| largest.max(x.abs()));
    for (model, file) in [(&halves, &of_halves), (&halves, &of_floats), (&floats, &of_halves)] {
        let found = logits(model, file);
        assert!(found.iter().zip(&wanted).all(|(a, b)| (a - b).abs() < 2e-3 * largest));
        assert_ne!(found, wanted, "something was rounded");
    }
}

#[test]
fn an_empty_context_can_be_saved() {
    let model = open("llama");
    let mut file = Vec::new();
    block_on(model.save_context(&mut model.context(16).unwrap(), &mut file)).unwrap();
    let mut context = model.load_context(&mut &file[..], 16).unwrap();
    assert!(context.is_empty());
    next(&model, &mut context, &PROMPT);
}

#[test]
fn other_models_and_reaches_are_refused() {
    let file = saved(&open("llama"), 64);
    let error = open("llama_some_biases").load_context(&mut &file[..], 64).unwrap_err();
    assert!(error.kind() == ErrorKind::Argument && error.to_string().contains("another model"), "{error}");
    let model = open("phi3_long");
    let error = model.load_context(&mut &saved(&model, 64)[..], 512).unwrap_err();
    assert!(error.to_string().contains("frequencies"), "{error}");
}

#[test]
fn damage_is_noticed_wherever_it_is() {
    let model = open("llama");
    let file = saved(&model, 64);
    for at in (0..file.len()).step_by(7) {
        let mut damaged = file.clone();
        damaged[at] ^= 0x10;
        assert!(model.load_context(&mut &damaged[..], 64).is_err(), "byte {at}");
        assert!(model.load_context(&mut &file[..at], 64).is_err(), "only {at} bytes");
    }
}
