//! The kind "pixels" as a page asks it: through the door, with JSON, numbers and files.

use std::collections::BTreeMap;
use std::rc::Rc;

use pollster::block_on;
use serde_json::{Value, json};
use tilework::{Device, ErrorKind, Result};
use tilework_nn::served::{self, Answer, Files, Question, Served};

fn digits_mlp() -> Vec<u8> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/digits_mlp.safetensors");
    std::fs::read(path).unwrap()
}

fn open(model: Vec<u8>) -> Result<Rc<dyn Served>> {
    let files = Files(BTreeMap::from([("model".to_owned(), model)]));
    block_on(served::open(&Device::cpu(), "pixels", &files, &json!({ "name": "digits_mlp.safetensors" })))
}

fn ask_with(model: &Rc<dyn Served>, method: &str, options: Value, data: Vec<f32>, file: Vec<u8>) -> Result<Answer> {
    block_on(model.ask(Question { method: method.to_owned(), options, data, file }))
}

fn ask(model: &Rc<dyn Served>, method: &str, options: Value) -> Answer {
    ask_with(model, method, options, Vec::new(), Vec::new()).unwrap()
}

fn refused(model: &Rc<dyn Served>, method: &str, options: Value) -> String {
    ask_with(model, method, options, Vec::new(), Vec::new()).unwrap_err().to_string()
}

/// A safetensors file of one tensor.
fn safetensors(dtype: &str, shape: &[u64], bytes: &[u8]) -> Vec<u8> {
    let header = json!({ "w": { "dtype": dtype, "shape": shape, "data_offsets": [0, bytes.len()] } }).to_string();
    [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), bytes].concat()
}

#[test]
fn a_model_is_described_with_its_places() {
    let model = open(digits_mlp()).unwrap();
    let info = ask(&model, "info", json!({})).value;
    assert_eq!((&info["source"], &info["digits"]), (&json!("safetensors"), &json!("mlp")));
    let tensors = info["tensors"].as_array().unwrap();
    let weight = tensors.iter().find(|tensor| tensor["name"] == "fc1.weight").unwrap();
    assert_eq!(
        (&weight["shape"], &weight["perPixel"], &weight["perLine"]),
        (&json!([128, 784]), &json!(1.0), &json!(784))
    );
    let rects = weight["rects"].as_array().unwrap();
    let n_pixels: u64 =
        rects.iter().map(|rect| rect["width"].as_u64().unwrap() * rect["height"].as_u64().unwrap()).sum();
    assert_eq!(n_pixels, 128 * 784);
}

#[test]
fn exact_tiles_are_the_bytes_of_weights_and_heat_tiles_their_colors() {
    let model = open(digits_mlp()).unwrap();
    let info = ask(&model, "info", json!({})).value;
    let weight = info["tensors"].as_array().unwrap().iter().find(|tensor| tensor["name"] == "fc2.weight").unwrap();
    let rect = &weight["rects"][0];
    let (x, y) = (rect["x"].as_u64().unwrap(), rect["y"].as_u64().unwrap());
    let first = ask(&model, "values", json!({ "tensor": "fc2.weight", "start": 0, "count": 1 })).data[0];
    let place = json!({ "page": 0, "level": 0, "column": x / 256, "row": y / 256, "colors": "exact" });
    let exact = ask(&model, "tile", place.clone());
    let at = ((y % 256) * exact.value["width"].as_u64().unwrap() + x % 256) as usize * 4;
    assert_eq!(exact.file[at..at + 4], first.to_le_bytes());
    let mut heat = place;
    heat["colors"] = json!("heat");
    let heat = ask(&model, "tile", heat);
    let scale = weight["scale"].as_f64().unwrap() as f32;
    let [red, green, blue] = tilework_nn::pixels::color(first / scale);
    assert_eq!(heat.file[at..at + 4], [red, green, blue, 255]);
    // The whole page in one tile, and none beyond it.
    let whole = ask(&model, "tile", json!({ "page": 0, "level": 3, "column": 0, "row": 0 }));
    assert_eq!(
        whole.file.len() as u64,
        4 * whole.value["width"].as_u64().unwrap() * whole.value["height"].as_u64().unwrap()
    );
    for wrong in [json!({ "page": 1 }), json!({ "level": 60 }), json!({ "column": u64::MAX }), json!({ "row": 9999 })] {
        assert!(refused(&model, "tile", wrong).contains("no tile"));
    }
}

#[test]
fn painted_weights_are_read_shown_compared_classified_and_saved() {
    let model = open(digits_mlp()).unwrap();
    let image = vec![0.5; 784];
    let classify = |options: Value| ask_with(&model, "classify", options, image.clone(), Vec::new()).unwrap().data;
    let before = classify(json!({}));
    // The weights of one class, so its logit is the bias alone.
    let painted =
        ask(&model, "edit", json!({ "tensor": "fc2.weight", "value": 0, "spans": [[384, 128], [400, 9]] })).value;
    assert_eq!(painted["painted"], 128, "each weight counts once");
    ask(&model, "edit", json!({ "tensor": "fc2.bias", "value": 1e4, "spans": [[3, 1]] }));
    let after = classify(json!({}));
    assert!(after[3] > 0.999 && before[3] < 0.9, "{before:?} {after:?}");
    assert_eq!(classify(json!({ "original": true })), before);
    let changes = ask(&model, "changes", json!({})).value["changes"].clone();
    assert_eq!((&changes[0]["name"], &changes[0]["changed"]), (&json!("fc2.bias"), &json!(1)));
    assert_eq!(
        (&changes[1]["name"], &changes[1]["changed"], &changes[1]["state"]),
        (&json!("fc2.weight"), &json!(128), &json!("changed"))
    );
    assert_eq!(changes[2]["state"], "same");
    let spread = ask(&model, "histogram", json!({ "of": "difference", "tensor": "fc2.weight" })).value;
    assert_eq!((&spread["count"], &spread["zeros"]), (&json!(1280), &json!(1280 - 128)));
    assert!(ask(&model, "tile", json!({ "colors": "difference" })).file.len() > 1000);

    for compress in [false, true] {
        let saved = ask(&model, "save", json!({ "compress": compress }));
        assert_eq!(saved.value["ends"], json!([saved.file.len()]));
        let again = open(saved.file).unwrap();
        assert_eq!(ask(&again, "info", json!({})).value["source"], "png");
        let row = json!({ "tensor": "fc2.weight", "start": 2 * 128, "count": 128, "lines": 2, "step": 128 });
        let values = ask(&again, "values", row.clone()).data;
        assert_eq!(values, ask(&model, "values", row).data);
        assert!(values[..128].iter().any(|&x| x != 0.0) && values[128..].iter().all(|&x| x == 0.0));
        assert_eq!(ask_with(&again, "classify", json!({}), image.clone(), Vec::new()).unwrap().data, after);
        assert!(
            ask(&again, "verify", json!({})).value["tensors"]
                .as_array()
                .unwrap()
                .iter()
                .all(|one| one["intact"] == true)
        );
        // The file it came from is what it is compared with, by name.
        let file = digits_mlp();
        let compared = ask_with(&again, "compare", json!({}), Vec::new(), file).unwrap().value["changes"].clone();
        assert_eq!(compared[1]["changed"], 128);
    }
    ask(&model, "reset", json!({}));
    assert_eq!(classify(json!({})), before);
}

#[test]
fn weights_of_a_training_replace_those_there() {
    let model = open(digits_mlp()).unwrap();
    let other = open(digits_mlp()).unwrap();
    ask(&other, "edit", json!({ "tensor": "fc1.bias", "value": -0.25, "spans": [[0, 128]] }));
    let png = ask(&other, "save", json!({})).file;
    ask_with(&model, "replace", json!({}), Vec::new(), png).unwrap();
    assert_eq!(ask(&model, "values", json!({ "tensor": "fc1.bias", "start": 0, "count": 128 })).data, [-0.25; 128]);
    let wrong = ask_with(&model, "replace", json!({}), Vec::new(), safetensors("F32", &[1], &[0; 4])).unwrap_err();
    assert!(wrong.to_string().contains("fc1"), "{wrong}");
}

#[test]
fn every_plain_type_can_be_painted_and_keeps_its_neighbors() {
    let halves: Vec<u8> = [0x3c00u16, 0xbc00, 0x4000, 0x3800].iter().flat_map(|half| half.to_le_bytes()).collect();
    for (dtype, bytes, expected) in [
        ("F16", halves, [1.0, 0.5, 0.5, 0.5]),
        ("I8", vec![1, 255, 2, 3], [1.0, 1.0, 1.0, 3.0]),
        ("BF16", vec![0x80, 0x3f, 0x80, 0xbf, 0, 0x40, 0, 0x3f], [1.0, 0.5, 0.5, 0.5]),
        ("F64", [1.0f64, -1.0, 2.0, 0.5].iter().flat_map(|x| x.to_le_bytes()).collect(), [1.0, 0.5, 0.5, 0.5]),
    ] {
        let model = open(safetensors(dtype, &[2, 2], &bytes)).unwrap();
        ask(&model, "edit", json!({ "tensor": "w", "value": 0.5, "spans": [[1, 2]] }));
        let data = ask(&model, "values", json!({ "tensor": "w", "start": 0, "count": 5 })).data;
        assert_eq!(data[..4], expected, "{dtype}");
        assert!(data[4].is_nan(), "beyond the last weight there is none");
    }
}

#[test]
fn parts_lie_side_by_side() {
    let model = open(digits_mlp()).unwrap();
    let sheet = ask(&model, "sheet", json!({ "tensor": "fc1.weight", "parts": 128 }));
    assert_eq!((&sheet.value["partWidth"], &sheet.value["partHeight"]), (&json!(28), &json!(28)));
    let width = sheet.value["width"].as_u64().unwrap();
    assert_eq!(sheet.file.len() as u64, 4 * width * sheet.value["height"].as_u64().unwrap());
    assert_eq!(ask(&model, "spectrum", json!({ "tensor": "fc1.weight" })).data.len(), 128);
    assert!(refused(&model, "sheet", json!({ "tensor": "fc1.weight", "parts": 3 })).contains("equal parts"));
}

#[test]
fn what_is_wrong_with_a_file_is_named() {
    let message = |file: Vec<u8>| {
        let error = open(file).err().unwrap();
        assert_eq!(error.kind(), ErrorKind::Io);
        error.to_string()
    };
    assert!(message(b"not a model".to_vec()).contains("neither a PNG"));
    assert!(message(Vec::new()).contains("neither a PNG"));
    let model = open(digits_mlp()).unwrap();
    let png = ask(&model, "save", json!({})).file;
    assert!(message(png[..png.len() / 2].to_vec()).len() > 20);
    let mut damaged = png.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    let words = message(damaged);
    assert!(words.contains("fc1.weight") && words.contains("bytes"), "{words}");
}

#[test]
fn questions_that_make_no_sense_are_refused() {
    let model = open(digits_mlp()).unwrap();
    assert!(refused(&model, "nonsense", json!({})).contains("spectrum"));
    assert!(refused(&model, "values", json!({ "tensor": "none" })).contains("none"));
    assert!(refused(&model, "values", json!({})).contains("must be a name"));
    assert!(refused(&model, "tile", json!({ "colors": "difference" })).contains("compare"));
    let many = json!({ "tensor": "fc1.bias", "start": 0, "count": u64::MAX, "lines": 2 });
    assert!(refused(&model, "values", many).contains("too many"));
    let nothing = json!({ "tensor": "fc1.bias", "start": 0, "count": 0, "lines": u64::MAX });
    assert!(ask(&model, "values", nothing).data.is_empty());
    for spans in [json!([[0, 129]]), json!([[u64::MAX, 2]]), json!([[1]]), json!("x")] {
        refused(&model, "edit", json!({ "tensor": "fc1.bias", "value": 0, "spans": spans }));
    }
}
