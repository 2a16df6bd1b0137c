//! Training against PyTorch, step by step, and its own promises: checkpoints, seeds, errors.

use pollster::block_on;
use tilework::{Device, Result};
use tilework_nn::models::{DIGIT_NETWORKS, digit_mlp::DigitMlp};
use tilework_nn::{Classifier, Rule, TrainOptions, Trainer, Weights};

const MLP: &[u8] = include_bytes!("../../../models/digits_mlp.safetensors");
const PYTORCH: &str = include_str!("../../../testdata/training/losses.json");

/// The made-up images of testdata/training/make.py.
fn images(n: usize) -> Vec<f32> {
    (0..n * 784).map(|i| (0.5 + 0.5 * (i as f64 * 0.37).sin() * (i as f64 * 0.011).cos()) as f32).collect()
}

fn classes(n: usize) -> Vec<u8> {
    (0..n).map(|i| (i % 10) as u8).collect()
}

fn losses(device: &Device, rule: Rule, rate: f64, n_steps: usize) -> Result<Vec<f64>> {
    block_on(async {
        let mut trainer = Trainer::resume(&DigitMlp, &Weights::from_bytes(device, MLP)?, rule).await?;
        let mut losses = Vec::new();
        for _ in 0..n_steps {
            losses.push(trainer.step(images(32), &classes(32), rate).await?.item().await?);
        }
        Ok(losses)
    })
}

fn assert_as_pytorch(device: &Device, name: &str, rule: Rule, rate: f64) {
    let golden: serde_json::Value = serde_json::from_str(PYTORCH).unwrap();
    let want: Vec<f64> = golden[name].as_array().unwrap().iter().map(|loss| loss.as_f64().unwrap()).collect();
    let got = losses(device, rule, rate, want.len()).unwrap();
    assert!(want[0] > 1.5 * want[want.len() - 1], "{name}: PyTorch learned something");
    for (step, (got, want)) in got.iter().zip(&want).enumerate() {
        // Both compute in single precision; steps carry the rounding on.
        assert!((got - want).abs() <= 2e-4 * want.max(1.0), "{name}, step {step}: {got} instead of {want}");
    }
}

#[test]
fn every_optimizer_does_what_pytorchs_does() {
    let device = Device::cpu();
    assert_as_pytorch(&device, "adam", Rule::ADAM, 1e-3);
    assert_as_pytorch(&device, "adamw", Rule::ADAM_W, 1e-3);
    assert_as_pytorch(&device, "sgd", Rule::SGD, 0.01);
}

#[test]
fn the_gpu_trains_as_well() {
    let device = block_on(Device::gpu()).expect("an adapter; `cargo xtask setup` installs a software one");
    assert_as_pytorch(&device, "adam", Rule::ADAM, 1e-3);
}

#[test]
fn a_checkpoint_goes_on_as_if_nothing_had_happened() {
    for &network in DIGIT_NETWORKS {
        for rule in [Rule::ADAM_W, Rule::SGD] {
            let device = Device::cpu();
            let step = |trainer: &mut Trainer| block_on(trainer.step(images(6), &classes(6), 0.01)).unwrap();
            let mut whole = Trainer::new(&device, network, TrainOptions { rule, seed: 3 }).unwrap();
            (0..2).for_each(|_| _ = step(&mut whole));
            let file = block_on(whole.checkpoint().to_safetensors()).unwrap();
            let checkpoint = Weights::from_bytes(&device, &file).unwrap();
            let mut resumed = block_on(Trainer::resume(network, &checkpoint, rule)).unwrap();
            assert_eq!(resumed.n_steps(), 2);
            (0..2).for_each(|_| _ = (step(&mut whole), step(&mut resumed)));
            let bytes = |trainer: &Trainer| block_on(trainer.weights().to_safetensors()).unwrap();
            assert_eq!(bytes(&whole), bytes(&resumed), "{}", network.name());
        }
    }
}

#[test]
fn seeds_decide_the_first_weights() {
    let first = |seed| {
        let trainer =
            Trainer::new(&Device::cpu(), &DigitMlp, TrainOptions { seed, ..TrainOptions::default() }).unwrap();
        block_on(trainer.weights().to_safetensors()).unwrap()
    };
    assert_eq!(first(1), first(1));
    assert_ne!(first(1), first(2));
}

#[test]
fn mistakes_are_told_and_change_nothing() {
    let mut trainer = Trainer::new(&Device::cpu(), &DigitMlp, TrainOptions::default()).unwrap();
    let mut message =
        |inputs, classes: &[u8]| block_on(trainer.step(inputs, classes, 0.1)).map(|_| ()).unwrap_err().to_string();
    assert!(message(images(1), &[]).contains("no 0 inputs"));
    assert!(message(images(1), &[1, 2]).contains("no 2 inputs"));
    assert!(message(images(1), &[10]).contains("class 10 of 10"));
    assert_eq!(trainer.n_steps(), 0);
    let weights = trainer.weights();
    let error = block_on(Classifier::new(DIGIT_NETWORKS[1], &weights)).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("conv1.weight") && error.contains("fc1.bias"), "{error}");
    let classifier = block_on(Classifier::new(&DigitMlp, &weights)).unwrap();
    assert!(block_on(classifier.probabilities(vec![0.0; 785])).is_err());
    assert_eq!(block_on(classifier.probabilities(Vec::new())).unwrap(), Vec::<f32>::new());
}
