//! `tilework pixels`, run as a user would.

mod common;

use std::path::{Path, PathBuf};

use common::{json, stderr, stdout, tilework};

fn file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path that is text")
}

/// A folder of its own for each test, empty.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pixels").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn run(arguments: &[&str]) -> String {
    let output = tilework(&[&["pixels"], arguments].concat());
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    stdout(&output)
}

/// The digit network as a picture.
fn digits(folder: &Path) -> PathBuf {
    let picture = folder.join("digits.png");
    run(&["pack", text(&file("models/digits_mlp.safetensors")), "-o", text(&picture)]);
    picture
}

#[test]
fn a_model_is_packed_checked_and_unpacked() {
    let folder = folder("round");
    let picture = digits(&folder);
    assert!(run(&["verify", text(&picture)]).contains("bit for bit"));
    let back = folder.join("back.safetensors");
    run(&["unpack", text(&picture), "-o", text(&back)]);
    let original = std::fs::read(file("models/digits_mlp.safetensors")).expect("a file");
    assert!(std::fs::read(&back).expect("a file") == original);
    let again = tilework(&["pixels", "unpack", text(&picture), "-o", text(&back)]);
    assert!(again.status.code() == Some(2) && stderr(&again).contains("--force"), "{}", stderr(&again));
    let info = json(&["pixels", "info", text(&picture), "--json"]);
    assert!(
        info["n_tensors"] == 4 && info["encoding"] == "stored" && info["overhead"].as_f64().unwrap() <= 0.03,
        "{info}"
    );
    assert!(run(&["info", text(&picture)]).contains("digits_mlp"));
    let listed = json(&["pixels", "ls", text(&picture), "--json"]);
    assert_eq!(listed["tensors"][0]["dtype"], "F32");
    assert!(run(&["ls", text(&picture)]).contains("fc1.weight"));
    let left: Vec<_> =
        std::fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("one").file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[test]
fn any_files_are_a_small_file_system() {
    let folder = folder("files");
    let source = folder.join("source");
    std::fs::create_dir_all(source.join("deep")).expect("a folder");
    let noise: Vec<u8> = (0..50_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    std::fs::write(source.join("deep/noise.bin"), &noise).expect("a file");
    std::fs::write(source.join("note.txt"), "words ".repeat(99)).expect("a file");
    let picture = folder.join("files.png");
    run(&["pack", text(&source), "-o", text(&picture), "--compress"]);
    let cat = tilework(&["pixels", "cat", text(&picture), "deep/noise.bin", "--range", "1000..3000"]);
    assert!(cat.status.success() && cat.stdout == noise[1000..3000]);
    assert_eq!(run(&["cat", text(&picture), "note.txt"]), "words ".repeat(99));
    run(&["unpack", text(&picture), "-o", text(&folder.join("back"))]);
    assert!(std::fs::read(folder.join("back/deep/noise.bin")).expect("a file") == noise);
}

#[test]
fn tensors_are_shown_compared_and_printed() {
    let folder = folder("views");
    let picture = digits(&folder);
    let (heat, heads, all) = (folder.join("heat.png"), folder.join("heads.png"), folder.join("all.png"));
    run(&["view", text(&picture), "--tensor", "fc1.weight", "-o", text(&heat)]);
    run(&["view", text(&picture), "--tensor", "fc1.weight", "--heads", "8", "-o", text(&heads)]);
    run(&["view", text(&picture), "-o", text(&all)]);
    for path in [&heat, &heads, &all] {
        let file = std::fs::read(path).expect("a file");
        let reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().expect("a picture");
        assert_eq!(reader.info().color_type, png::ColorType::Rgb);
    }
    let spread = json(&["pixels", "view", text(&picture), "--tensor", "fc1.bias", "--histogram", "--json"]);
    assert_eq!(spread["n"], 128);
    assert_eq!(spread["bins"].as_array().expect("a list").iter().filter_map(|n| n.as_u64()).sum::<u64>(), 128);
    let printed = run(&["cat", text(&picture), "fc2.weight", "--rows", "3", "--values"]);
    assert_eq!(printed.split_whitespace().count(), 128);
    assert!(run(&["diff", text(&picture), text(&picture)]).contains("equal"));
    let refused = tilework(&["pixels", "view", text(&picture), "-o", text(&picture)]);
    assert!(!refused.status.success() && stderr(&refused).contains("replace the model"));
}

#[test]
fn the_difference_of_two_models_is_found() {
    let folder = folder("diff");
    let picture = digits(&folder);
    let mut bytes = std::fs::read(file("models/digits_mlp.safetensors")).expect("a file");
    let n = bytes.len();
    bytes[n - 3] ^= 0x10;
    let changed = folder.join("changed.safetensors");
    std::fs::write(&changed, &bytes).expect("a file");
    let (other, drawn) = (folder.join("other.png"), folder.join("diff.png"));
    run(&["pack", text(&changed), "-o", text(&other)]);
    let output = tilework(&["pixels", "diff", text(&picture), text(&other), "-o", text(&drawn), "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let found: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert!(found["equal"] == false && found["n_different"] == 1, "{found}");
    assert_eq!(found["magnitudes"].as_array().expect("a list").iter().filter_map(|n| n.as_u64()).sum::<u64>(), 1);
    assert!(drawn.is_file());
}

#[test]
fn digits_are_read_from_the_picture_and_masks_cost_something() {
    let folder = folder("run");
    let picture = digits(&folder);
    let drawing = file("testdata/digits/3_0.png");
    let from_picture = json(&["pixels", "run", text(&picture), text(&drawing), "--json"]);
    let original = json(&["mnist", "predict", text(&drawing), "--json"]);
    assert_eq!(from_picture["digits"][0]["probabilities"], original[0]["probabilities"]);
    assert_eq!(from_picture["digits"][0]["digit"], 3);
    let masked = json(&[
        "pixels",
        "run",
        text(&picture),
        text(&drawing),
        "--mask",
        "fc1.weight:rows 0..64:cols 100..700",
        "--json",
    ]);
    assert_eq!(masked["masked_bytes"], 64 * 600 * 4);
    assert_ne!(masked["masked"]["digits"][0]["probabilities"], original[0]["probabilities"]);
    assert_eq!(masked["digits"], from_picture["digits"]);
    let listed = json(&["pixels", "ls", text(&picture), "--json"]);
    let rect: Vec<u64> =
        listed["tensors"][0]["rects"][0].as_array().expect("a list").iter().filter_map(|n| n.as_u64()).collect();
    let part = format!("{},{},{},{}", rect[1], rect[2], rect[3], rect[4]);
    assert!(run(&["run", text(&picture), text(&drawing), "--mask", &part]).contains("without"));
}

#[test]
fn a_language_model_writes_from_the_picture() {
    let folder = folder("text");
    let (model, picture) = (file("testdata/llm/llama.gguf"), folder.join("llama.png"));
    run(&["pack", text(&model), "-o", text(&picture)]);
    let prompt = ["--temperature", "0", "--json"];
    let original =
        json(&[&["generate", "-m", text(&model), "hello", "-n", "6", "--device", "cpu"], &prompt[..]].concat());
    let from_picture = json(&["pixels", "run", text(&picture), "hello", "-n", "6", "--json"]);
    assert_eq!(from_picture["text"], original["text"]);
}

#[test]
fn what_is_wrong_is_named_with_what_to_do() {
    let folder = folder("wrong");
    let picture = digits(&folder);
    let bytes = std::fs::read(&picture).expect("a file");
    let cut = folder.join("cut.png");
    std::fs::write(&cut, &bytes[..bytes.len() / 2]).expect("a file");
    let none = folder.join("none.png");
    std::fs::write(&none, "no picture").expect("a file");
    let ordinary = file("testdata/digits/3_0.png");
    for (arguments, words) in [
        (&["verify", text(&cut)][..], "cut off"),
        (&["verify", text(&none)], "no PNG"),
        (&["info", text(&ordinary)], "index"),
        (&["info", "no.png"], "no.png"),
        (&["pack", "no-such-file", "-o", "x.png"], "no-such-file"),
        (&["pack", text(&ordinary), "-o", text(&picture)], "--force"),
        (&["cat", text(&picture), "fc9"], "no tensor `fc9`"),
        (&["view", text(&picture), "--tensor", "fc1.weight", "--heads", "7", "-o", "x.png"], "7 heads"),
        (&["view", text(&picture)], "-o"),
        (&["run", text(&picture), text(&ordinary), "--mask", "fc9"], "no tensor `fc9`"),
        (&["run", text(&picture), text(&ordinary), "--mask", "fc1.weight:rows 5..900"], "5..900"),
        (&["run", text(&picture), "--data", "no/such"], "mnist fetch"),
    ] {
        let output = tilework(&[&["pixels"], arguments].concat());
        let message = stderr(&output);
        assert!(
            !output.status.success() && message.contains(words) && message.contains("help:"),
            "{arguments:?}: {message}"
        );
    }
    let mut wrong = bytes;
    let n = wrong.len();
    wrong[n / 2] ^= 4;
    let damaged = folder.join("damaged.png");
    std::fs::write(&damaged, wrong).expect("a file");
    let output = tilework(&["pixels", "verify", text(&damaged)]);
    assert!(output.status.code() == Some(1) && stdout(&output).contains("`fc1.weight` differs"), "{}", stdout(&output));
    let unpacked = tilework(&["pixels", "unpack", text(&damaged), "-o", text(&folder.join("out"))]);
    assert!(!unpacked.status.success() && stderr(&unpacked).contains("differs"), "{}", stderr(&unpacked));
    assert!(!folder.join("out/digits_mlp.safetensors").exists(), "nothing half written is left");
}

#[test]
fn every_part_has_help_with_examples() {
    for part in ["pack", "unpack", "verify", "info", "ls", "cat", "view", "diff", "run"] {
        let text = stdout(&tilework(&["pixels", part, "--help"]));
        assert!(text.contains("Examples:") && text.contains(&format!("tilework pixels {part}")), "{text}");
    }
}
