//! Embeddings against sentence-transformers (testdata/embeddings/make_vectors.py), and against themselves in other batches.

mod common;

use common::{Model, archive, model_folder};
use tilework::Device;

const SENTENCES: &str = include_str!("../../../testdata/embeddings/sentences.json");
/// Least cosine of the angle to the reference.
const MIN_COSINE: f64 = 0.9999;

fn sentences() -> Vec<String> {
    serde_json::from_str::<serde_json::Value>(SENTENCES)
        .unwrap()
        .as_array()
        .unwrap()
        .iter()
        .map(|sentence| sentence.as_str().unwrap().to_owned())
        .collect()
}

async fn references(n_elements: usize) -> Vec<Vec<f32>> {
    let file = archive(include_bytes!("../../../testdata/embeddings/vectors.npz"));
    let vectors: Vec<f32> = file("vectors").to_vec().await.unwrap();
    vectors.chunks(n_elements).map(<[f32]>::to_vec).collect()
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(&x, &y)| f64::from(x) * f64::from(y)).sum()
}

/// All vectors have the length 1, so that a product is a cosine.
fn assert_close(got: &[Vec<f32>], want: &[Vec<f32>], texts: &[&str]) {
    assert_eq!(got.len(), want.len());
    for ((got, want), text) in got.iter().zip(want).zip(texts) {
        assert!((dot(got, got) - 1.0).abs() < 1e-5, "{text:?}");
        let cosine = dot(got, want);
        assert!(cosine > MIN_COSINE, "{cosine}: {text:?}");
    }
}

/// Embeds every `step`-th sentence on a device and compares.
async fn check(device: &Device, step: usize) {
    let Some(folder) = model_folder() else { return };
    let embedder = Model::read(&folder).open(device).await.unwrap();
    let sentences = sentences();
    let texts: Vec<&str> = sentences.iter().map(String::as_str).step_by(step).collect();
    let want: Vec<Vec<f32>> = references(embedder.n_elements()).await.into_iter().step_by(step).collect();
    let got = embedder.embed(&texts).await.unwrap();
    assert_close(&got, &want, &texts);
}

#[test]
fn cpu_agrees_with_the_reference() {
    pollster::block_on(check(&Device::cpu(), 1));
}

#[test]
#[expect(clippy::print_stderr, reason = "a test that tests nothing must say so")]
fn gpu_agrees_with_the_reference() {
    pollster::block_on(async {
        match Device::gpu().await {
            Ok(device) => check(&device, 7).await,
            Err(error) => eprintln!("NOT TESTED: {error}"),
        }
    });
}

#[test]
fn a_text_has_one_vector_in_any_batch() {
    let Some(folder) = model_folder() else { return };
    pollster::block_on(async {
        let embedder = Model::read(&folder).open(&Device::auto().await).await.unwrap();
        let sentences = sentences();
        let texts: Vec<&str> = sentences.iter().map(String::as_str).take(24).collect();
        let together = embedder.embed(&texts).await.unwrap();
        for (text, want) in texts.iter().zip(&together).step_by(3) {
            let alone = embedder.embed(&[text]).await.unwrap();
            let difference = alone[0].iter().zip(want).map(|(x, y)| (x - y).abs()).fold(0.0, f32::max);
            assert!(difference < 1e-5, "{difference}: {text:?}");
        }
        assert!(embedder.embed(&[]).await.unwrap().is_empty());
    });
}
