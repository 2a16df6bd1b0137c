//! Models that compute from their pictures: the same bits as from their files, on every device and from buffers and textures alike.
#![allow(clippy::print_stderr, reason = "a skipped test must say so")]

mod common;

use common::{Model, model_folder};
use tilework::{Device, PictureKind};
use tilework_nn::Network;
use tilework_nn::models::digit_network;
use tilework_nn::pixels::{ModelFile, PackOptions, PixelFile, Rect, pack_to_vec};
use tilework_nn::{Classifier, Embedder, Weights};

const DIGITS: [(&str, &[u8]); 2] = [
    ("mlp", include_bytes!("../../../models/digits_mlp.safetensors")),
    ("cnn", include_bytes!("../../../models/digits_cnn.safetensors")),
];

fn picture_of(files: &[(&str, &[u8])]) -> PixelFile {
    let files: Vec<ModelFile<'_>> =
        files.iter().map(|(name, bytes)| ModelFile { name: (*name).to_owned(), source: bytes }).collect();
    PixelFile::from_bytes(pack_to_vec(&files, &PackOptions::default()).unwrap()).unwrap()
}

fn network_of(file: &[u8]) -> &'static dyn Network {
    digit_network(&Weights::from_bytes(&Device::cpu(), file).unwrap()).unwrap()
}

/// The CPU, and the GPU with both kinds of pictures.
fn devices() -> Vec<(Device, PictureKind)> {
    let mut devices = vec![(Device::cpu(), PictureKind::Buffer)];
    match pollster::block_on(Device::gpu()) {
        Ok(gpu) => devices.extend([PictureKind::Buffer, PictureKind::Texture].map(|kind| (gpu.clone(), kind))),
        Err(error) => {
            assert!(std::env::var("CI").as_deref() != Ok("true"), "CI must have an adapter: {error}");
            eprintln!("skipped on a GPU: {error}");
        }
    }
    devices
}

/// Three drawings of nothing in particular.
fn drawings() -> Vec<f32> {
    (0..3 * 784).map(|i| ((i as f32 * 0.013).sin() * (i as f32 * 0.37).cos()).abs()).collect()
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|x| x.to_bits()).collect()
}

#[test]
fn digits_are_read_from_the_picture_with_the_same_bits() {
    for (name, file) in DIGITS {
        let (network, picture) = (network_of(file), picture_of(&[("digits.safetensors", file)]));
        for (device, kind) in devices() {
            pollster::block_on(async {
                let plain = Classifier::new(network, &Weights::from_bytes(&device, file).unwrap()).await.unwrap();
                let want = plain.probabilities(drawings()).await.unwrap();
                let pages = picture.pages_on(&device, kind).unwrap();
                assert_eq!(pages.in_place().count(), network.parameters().len(), "all of it is read in place");
                let before = device.open_gpu().map(|gpu| gpu.counters());
                let here = Classifier::new(network, &pages.weights().unwrap()).await.unwrap();
                let got = here.probabilities(drawings()).await.unwrap();
                assert_eq!(bits(&got), bits(&want), "{name}, {kind:?} on {}", device.name());
                if let (Some(gpu), Some(before)) = (device.open_gpu(), before) {
                    let up = gpu.counters().since(before).bytes_up;
                    let page: usize =
                        pages.pictures().iter().map(|picture| 4 * picture.width() * picture.height()).sum();
                    let inputs = 4 * drawings().len();
                    assert!(
                        up as usize <= page + inputs,
                        "{up} bytes for a page of {page}: weights went up a second time"
                    );
                }
            });
        }
    }
}

#[test]
fn a_masked_rectangle_is_missed_and_nothing_else_is() {
    let (_, file) = DIGITS[0];
    let (network, picture) = (network_of(file), picture_of(&[("digits.safetensors", file)]));
    let tile = picture.tensors().iter().find(|tile| tile.name == "fc1.weight").unwrap().clone();
    // The weights of the upper half of a drawing.
    let rect = Rect { width: tile.rects[0].width / 2, ..tile.rects[0] };
    for (device, kind) in devices() {
        pollster::block_on(async {
            let mut pages = picture.pages_on(&device, kind).unwrap();
            let whole = Classifier::new(network, &pages.weights().unwrap()).await.unwrap();
            let before = whole.probabilities(drawings()).await.unwrap();
            pages.mask(rect).unwrap();
            let masked = Classifier::new(network, &pages.weights().unwrap()).await.unwrap();
            let after = masked.probabilities(drawings()).await.unwrap();
            assert_ne!(bits(&before), bits(&after));
            // Without those weights it does not matter what is drawn there.
            let mut lower = drawings();
            lower.chunks_exact_mut(784).for_each(|drawing| drawing[..392].fill(0.0));
            let of_lower = whole.probabilities(lower).await.unwrap();
            let worst = after.iter().zip(&of_lower).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(worst < 1e-5, "{worst}");
            // What was opened before keeps what it saw.
            assert_eq!(bits(&whole.probabilities(drawings()).await.unwrap()), bits(&before));
        });
    }
}

#[test]
fn sentences_are_embedded_from_the_picture_with_the_same_bits() {
    let Some(folder) = model_folder() else { return };
    let model = Model::read(&folder);
    let picture = picture_of(&[
        ("model.safetensors", &model.weights),
        ("config.json", &model.config),
        ("tokenizer.json", &model.tokenizer),
        ("sentence_bert_config.json", &model.sentence_config),
    ]);
    for (device, kind) in devices() {
        pollster::block_on(async {
            let texts = ["A cat sits on the mat.", "pixels"];
            let want = model.open(&device).await.unwrap().embed(&texts).await.unwrap();
            let pages = picture.pages_on(&device, kind).unwrap();
            let here = Embedder::of_picture(&picture, &pages.weights().unwrap()).await.unwrap();
            let got = here.embed(&texts).await.unwrap();
            assert_eq!(bits(&got.concat()), bits(&want.concat()), "{kind:?} on {}", device.name());
        });
    }
}
