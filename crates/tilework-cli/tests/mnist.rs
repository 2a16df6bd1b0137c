//! `tilework mnist`, run as a user would.

mod common;

use std::path::{Path, PathBuf};

use common::{json, stderr, stdout, tilework};

/// A file of the workspace.
fn file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path that is text")
}

#[test]
fn drawings_are_read_by_both_networks() {
    let drawings: Vec<(u64, PathBuf)> = (0..10)
        .flat_map(|digit| (0..4).map(move |way| (digit, file(&format!("testdata/digits/{digit}_{way}.png")))))
        .collect();
    for model in ["mlp", "cnn"] {
        let mut arguments = vec!["mnist", "predict", "--model", model, "--json"];
        arguments.extend(drawings.iter().map(|(_, path)| text(path)));
        let answers = json(&arguments);
        let answers = answers.as_array().expect("a list");
        assert_eq!(answers.len(), drawings.len());
        let n_right = answers
            .iter()
            .zip(&drawings)
            .filter(|(answer, (digit, _))| answer["digit"].as_u64() == Some(*digit))
            .count();
        assert!(n_right * 100 >= 95 * drawings.len(), "{model}: {n_right} of {}", drawings.len());
        let total: f64 =
            answers[0]["probabilities"].as_array().expect("a list").iter().filter_map(|p| p.as_f64()).sum();
        assert!((total - 1.0).abs() < 1e-4, "{total}");
    }
}

#[test]
fn a_prediction_shows_the_image_and_ten_bars() {
    let output = stdout(&tilework(&["mnist", "predict", text(&file("testdata/digits/3_0.png"))]));
    assert!(output.contains("3_0.png: 3") && output.contains('█'), "{output}");
    assert_eq!(output.lines().filter(|line| line.contains(" %")).count(), 10, "{output}");
}

#[test]
fn every_part_has_help_with_examples() {
    for part in ["fetch", "train", "eval", "predict"] {
        let text = stdout(&tilework(&["mnist", part, "--help"]));
        assert!(text.contains("Examples:") && text.contains(&format!("tilework mnist {part}")), "{text}");
    }
}

#[test]
fn what_is_missing_is_named_with_what_to_do() {
    let nowhere = ["--data", "no/such/folder"];
    for part in ["train", "eval"] {
        let output = tilework(&["mnist", part, nowhere[0], nowhere[1]]);
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(message.contains("no/such/folder") && message.contains("mnist fetch"), "{message}");
    }
    for (arguments, words) in [
        (&["mnist", "predict", "no.png"][..], "no.png"),
        (&["mnist", "predict", text(&file("Cargo.toml"))], "Cargo.toml"),
        (&["mnist", "predict", "--weights", text(&file("Cargo.toml")), "x.png"], "neither a safetensors"),
        (&["mnist", "train", "--rate", "-1"], "-1"),
        (&["mnist", "train", "--epochs", "0"], "0"),
    ] {
        let output = tilework(arguments);
        let message = stderr(&output);
        assert!(!output.status.success() && message.contains(words), "{arguments:?}: {message}");
    }
}
