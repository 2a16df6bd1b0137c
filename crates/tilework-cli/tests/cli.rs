//! The built program, run as a user would.

mod common;

use std::process::{Command, Stdio};

use common::{json, stderr, stdout, tilework};

#[test]
fn every_command_has_help_with_examples() {
    for command in ["info", "doctor", "conformance", "bench", "kernels", "tune", "mnist", "embed", "tour"] {
        let output = tilework(&[command, "--help"]);
        assert!(output.status.success(), "{command}");
        let text = stdout(&output);
        assert!(text.contains("Examples:") && text.contains(&format!("tilework {command}")), "{text}");
        assert!(stdout(&tilework(&["--help"])).contains(command), "{command} is not listed");
    }
}

#[test]
fn info_describes_the_machine() {
    let info = json(&["info", "--json"]);
    assert_eq!(info["version"], env!("CARGO_PKG_VERSION"));
    assert!(info["cpu"]["threads"].as_u64() >= Some(1), "{info}");
    assert!(info["cpu"]["simd"].is_string());
    for adapter in info["adapters"].as_array().expect("a list of adapters") {
        for field in ["name", "backend", "vendor", "driver", "kind"] {
            assert!(adapter[field].is_string(), "{field}: {adapter}");
        }
        assert!(adapter["software"].is_boolean());
    }
    let has_adapter = info["adapters"][0].is_object();
    assert_eq!(info["chosen"]["limits"]["maxBufferSize"].is_u64(), has_adapter, "{info}");
}

#[test]
fn kernels_are_printed_for_any_operation() {
    let shared = stdout(&tilework(&["kernels", "matmul", "256,256", "256,256"]));
    assert!(shared.contains("var<workgroup>") && shared.contains("array<vec4<f32>>"), "{shared}");
    let direct = stdout(&tilework(&["kernels", "matmul", "256,256", "256,256", "--variant", "direct"]));
    assert!(direct.contains("fn main") && !direct.contains("var<workgroup>"), "{direct}");
    assert!(stdout(&tilework(&["kernels", "softmax", "4,10", "--attr", "axis=-1"])).contains("fn main"));
    assert!(stdout(&tilework(&["kernels", "exp", "10"])).contains("num_exp"));
    for wrong in [&["kernels", "nonsense", "3"][..], &["kernels", "exp", "x"], &["kernels", "exp", "3", "--attr", "a"]]
    {
        let output = tilework(wrong);
        assert!(!output.status.success() && !stderr(&output).is_empty(), "{wrong:?}");
    }
}

#[test]
fn piped_output_has_no_colors() {
    let output = tilework(&["info"]);
    assert!(output.status.success());
    let text = stdout(&output);
    assert!(text.contains("CPU") && !text.contains('\x1b'), "{text}");
}

#[test]
fn doctor_finds_the_machine_well() {
    let output = tilework(&["doctor"]);
    assert!(output.status.success(), "{}", stdout(&output));
    let found = json(&["doctor", "--json"]);
    assert_eq!(found["ok"], true);
    assert!(found["verdict"].is_string());
    let steps = found["steps"].as_array().expect("a list of steps");
    assert!(steps.iter().any(|step| step["name"] == "cpu check" && step["status"] == "ok"), "{found}");
}

#[test]
fn bench_reports_every_operation() {
    for (op, rate) in [
        ("map10", "gflops"),
        ("sum", "gbps"),
        ("std", "gbps"),
        ("softmax", "gbps"),
        ("layer_norm", "gbps"),
        ("sort", "gbps"),
        ("cumsum", "gbps"),
        ("matmul", "gflops"),
    ] {
        let rows = json(&["bench", op, "--device", "cpu", "--sizes", "16,33", "--json"]);
        let rows = rows.as_array().expect("a list");
        assert_eq!(rows.len(), 2);
        for (row, size) in rows.iter().zip([16, 33]) {
            assert_eq!((&row["op"], &row["size"], &row["device"]), (&op.into(), &size.into(), &"cpu".into()));
            assert!(row["ms"].as_f64() > Some(0.0) && row[rate].as_f64() > Some(0.0), "{row}");
            assert!(row["share_of_peak"].as_f64() > Some(0.0), "{row}");
        }
    }
}

#[test]
fn unknown_operation_lists_the_known_ones() {
    let output = tilework(&["bench", "fourier"]);
    assert_eq!(output.status.code(), Some(2));
    let text = stderr(&output);
    assert!(text.starts_with("error:") && text.contains("fourier"), "{text}");
    assert!(["map10", "sum", "std", "softmax", "matmul"].iter().all(|op| text.contains(op)), "{text}");
}

#[test]
fn nonsense_is_a_usage_error() {
    for arguments in [
        &["bench", "sum", "--device", "nonsense"][..],
        &["conformance", "--device", "nonsense"],
        &["conformance", "--density", "some"],
        &["bench", "sum", "--sizes", "0"],
        &["bench", "sum", "--sizes", "ten"],
        &["bench", "matmul", "--sizes", "99999999"],
        &["bench", "matmul", "--sizes", "18446744073709551615"],
        &["fly"],
        &[],
    ] {
        let output = tilework(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
        assert!(!stderr(&output).contains("panicked"), "{arguments:?}");
    }
}

#[test]
fn conformance_reports_its_fields() {
    let report = json(&["conformance", "--device", "cpu", "--json"]);
    assert_eq!(report["device"], "cpu");
    assert_eq!(report["failed"], 0);
    assert!(report["passed"].is_u64() && report["skipped"].is_u64() && report["failures"].is_array(), "{report}");
}

#[test]
fn conformance_of_nothing_is_no_success() {
    let output = tilework(&["conformance", "no such case", "--device", "cpu"]);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    assert!(text.contains("0 passed, 0 failed, 0 skipped") && text.contains("no such case"), "{text}");
}

#[test]
fn tour_agrees_with_itself() {
    let output = tilework(&["tour"]);
    let text = stdout(&output);
    assert!(output.status.success(), "{text}{}", stderr(&output));
    assert!(text.contains("fn map_element") && !text.contains("WRONG"), "{text}");
}

#[test]
fn closed_pipe_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tilework"))
        .args(["info"])
        // Mesa complains on standard error without it.
        .env("XDG_RUNTIME_DIR", std::env::temp_dir())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the program ends");
    assert!(output.status.success() && output.stderr.is_empty(), "{}", stderr(&output));
}

#[test]
fn a_missing_model_says_how_to_get_it() {
    let output = tilework(&["embed", "-m", "no/such/folder", "a cat"]);
    assert_eq!(output.status.code(), Some(1));
    let text = stderr(&output);
    assert!(text.contains("model.safetensors") && text.contains("tilework embed fetch"), "{text}");
    assert!(stdout(&tilework(&["embed", "fetch", "--help"])).contains("--to"));
}

#[test]
fn embeddings_are_compared() {
    let models = std::env::var_os("TILEWORK_MODELS").map(std::path::PathBuf::from);
    let models = models.unwrap_or_else(|| std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/models"));
    let folder = models.join("all-MiniLM-L6-v2");
    if !folder.is_dir() {
        assert!(std::env::var_os("TILEWORK_NEEDS_MODELS").is_none(), "there is no {}", folder.display());
        return;
    }
    let folder = folder.to_str().expect("a path of text");
    let found = json(&["embed", "-m", folder, "--device", "cpu", "--json", "a cat", "a kitten", "the stock market"]);
    let similarity = |row: usize, column: usize| found["similarities"][row][column].as_f64().expect("a number");
    assert!(similarity(0, 1) > 0.7 && similarity(0, 2) < 0.3, "{found}");
    let found = json(&["embed", "-m", folder, "--device", "cpu", "--json", "--vectors", "a cat"]);
    assert_eq!(found["vectors"][0].as_array().map(Vec::len), Some(384));
}
