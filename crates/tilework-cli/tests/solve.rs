//! `tilework solve`, run as a user would.

mod common;

use std::path::PathBuf;

use common::{json, stderr, stdout, tilework};

/// A file of the test data, where there is any.
#[expect(clippy::print_stderr, reason = "a test that tests nothing must say so")]
fn data(path: &str) -> Option<String> {
    let Some(folder) = std::env::var_os("TILEWORK_TEST_DATA") else {
        eprintln!("NOT TESTED: TILEWORK_TEST_DATA is not set");
        return None;
    };
    Some(PathBuf::from(folder).join(path).to_str().expect("a path that is text").to_owned())
}

/// A place for a file that a test writes.
fn scratch(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("solve");
    std::fs::create_dir_all(&folder).expect("a folder");
    folder.join(name).to_str().expect("a path that is text").to_owned()
}

fn write(name: &str, content: &str) -> String {
    let path = scratch(name);
    std::fs::write(&path, content).expect("a file");
    path
}

#[test]
fn every_problem_has_help_with_examples() {
    for problem in ["nist", "bal", "g2o", "mesh", "sketch", "arm", "circles", "rope", "fetch"] {
        let text = stdout(&tilework(&["solve", problem, "--help"]));
        assert!(text.contains("Examples:") && text.contains(&format!("tilework solve {problem}")), "{text}");
    }
}

#[test]
fn regressions_are_a_list_of_digits() {
    let Some(folder) = data("nist") else { return };
    let files = ["Misra1a", "Chwirut2", "Lanczos3", "MGH10", "Thurber"].map(|name| format!("{folder}/{name}.dat"));
    let mut arguments = vec!["solve", "nist", "--json"];
    arguments.extend(files.iter().map(String::as_str));
    let rows = json(&arguments);
    let rows = rows.as_array().expect("a list");
    assert_eq!(rows.len(), 10);
    for row in rows {
        assert!(row["digits"].as_f64() >= Some(8.0) && row["iterations"].as_u64() > Some(0), "{row}");
        assert_eq!(row["precision"], "f64");
        assert!(row["start"] == 1 || row["start"] == 2);
    }
    assert_eq!(rows[0]["problem"], "Misra1a");
    let table = stdout(&tilework(&["solve", "nist", &folder]));
    assert_eq!(table.lines().filter(|line| line.contains(" steps")).count(), 27, "{table}");
}

#[test]
fn a_damaged_regression_is_named() {
    let Some(path) = data("nist/Misra1a.dat") else { return };
    let text = std::fs::read_to_string(path).expect("text");
    let damaged = write("Misra1a.dat", &text.replace("2.3894212918E+02", "3.3894212918E+02"));
    let output = tilework(&["solve", "nist", &damaged]);
    assert!(
        output.status.success() && stderr(&output).contains("Misra1a: this file's certified parameters"),
        "{}",
        stderr(&output)
    );
}

/// Two cameras see eight points; what they see is computed here, with the formula of the format.
fn small_bundle() -> String {
    let points: Vec<[f64; 3]> = (0..8u8).map(|k| [0, 1, 2].map(|axis| f64::from(k >> axis & 1) - 0.5)).collect();
    let cameras = [[0.0, 0.0, -5.0], [0.5, 0.0, -6.0]];
    let (focal, k1) = (500.0, -0.1);
    let mut text = String::from("2 8 16\n");
    for (camera, t) in cameras.iter().enumerate() {
        for (point, x) in points.iter().enumerate() {
            let place: [f64; 3] = std::array::from_fn(|axis| x[axis] + t[axis]);
            let (u, v) = (-place[0] / place[2], -place[1] / place[2]);
            let distorted = focal * (1.0 + k1 * (u * u + v * v));
            text.push_str(&format!("{camera} {point} {} {}\n", distorted * u, distorted * v));
        }
    }
    for t in cameras {
        text.push_str(&format!("0.01\n0.02\n-0.01\n{}\n{}\n{}\n{focal}\n{k1}\n0\n", t[0] + 0.05, t[1], t[2] - 0.1));
    }
    points.iter().flatten().for_each(|x| text.push_str(&format!("{}\n", x + 0.02)));
    text
}

#[test]
fn bundles_are_adjusted_and_saved() {
    let given = write("bundle.txt", &small_bundle());
    let adjusted = scratch("adjusted.txt");
    let summary = json(&["solve", "bal", &given, "--json", "--out", &adjusted, "--tolerance", "1e-12"]);
    let keys: Vec<&str> = summary.as_object().expect("an object").keys().map(String::as_str).collect();
    assert_eq!(keys, ["final_cost", "initial_cost", "iterations", "reason", "seconds"]);
    assert!(summary["initial_cost"].as_f64() > Some(100.0) && summary["final_cost"].as_f64() < Some(1e-6), "{summary}");
    // It is where it was left.
    let again = json(&["solve", "bal", &adjusted, "--json", "--iterations", "0"]);
    assert!(again["initial_cost"].as_f64() < Some(1e-6), "{again}");
    assert_eq!(again["reason"], "iterations");
}

#[test]
fn packed_bundles_are_read() {
    let Some(path) = data("bal/problem-49-7776-pre.txt.bz2") else { return };
    let summary = json(&["solve", "bal", &path, "--json", "--iterations", "2"]);
    assert!((summary["initial_cost"].as_f64().expect("a number") / 8.509125e5 - 1.0).abs() < 1e-6, "{summary}");
}

const SQUARE: &str = "VERTEX_SE2 0 0 0 0\nVERTEX_SE2 1 1.1 0.1 1.5\nVERTEX_SE2 2 1.2 0.9 3.2\nVERTEX_SE2 3 -0.1 1.1 -1.6\n\
    EDGE_SE2 0 1 1 0 1.5707963 1 0 0 1 0 1\nEDGE_SE2 1 2 1 0 1.5707963 1 0 0 1 0 1\n\
    EDGE_SE2 2 3 1 0 1.5707963 1 0 0 1 0 1\nEDGE_SE2 3 0 1 0 1.5707963 1 0 0 1 0 1\n";

#[test]
fn pose_graphs_are_solved_by_every_method_and_linear_solver() {
    let path = write("square.g2o", SQUARE);
    for method in ["lm", "dogleg", "gauss-newton", "lbfgs", "newton"] {
        let summary = json(&["solve", "g2o", &path, "--json", "--method", method, "--iterations", "200"]);
        assert!(summary["final_cost"].as_f64() < Some(1e-6), "{method}: {summary}");
    }
    for linear in ["qr", "cholesky", "pcg"] {
        let summary = json(&["solve", "g2o", &path, "--json", "--linear", linear, "--loss", "huber:1"]);
        assert!(summary["final_cost"].as_f64() < Some(1e-6), "{linear}: {summary}");
    }
    let text = stdout(&tilework(&["solve", "g2o", &path]));
    assert!(text.contains("4 poses, 4 relations") && text.contains("cost"), "{text}");
}

#[test]
fn meshes_are_made_lowered_and_saved_in_every_format() {
    for ending in ["obj", "ply", "off"] {
        let out = scratch(&format!("pieces.{ending}"));
        let arguments =
            ["solve", "mesh", "icosphere:1", "--energy", "developability:1,hold:0.1", "--json", "--out", &out];
        let summary = json(&arguments);
        assert!(summary["final_cost"].as_f64() < summary["initial_cost"].as_f64(), "{summary}");
        assert_eq!((&summary["vertices"], &summary["faces"]), (&42.into(), &80.into()));
        let again = json(&["solve", "mesh", &out, "--energy", "smoothing", "--json", "--iterations", "3"]);
        assert_eq!(again["vertices"], 42, "{ending}");
    }
    let flat = json(&["solve", "mesh", "saddle:8", "--energy", "flatten", "--json"]);
    assert!(flat["final_cost"].as_f64() < Some(2.2), "{flat}");
    let bent = json(&["solve", "mesh", "saddle:6", "--energy", "arap", "--fix", "0", "--move", "35:1,1,-1", "--json"]);
    assert!(bent["final_cost"].as_f64() < bent["initial_cost"].as_f64(), "{bent}");
}

#[test]
fn examples_that_need_no_file_are_solved() {
    let sketch = json(&["solve", "sketch", "--json"]);
    assert!(sketch["final_cost"].as_f64() < Some(1e-9), "{sketch}");
    assert!((sketch["points"]["c"][0].as_f64().expect("a number") - 6.0).abs() < 1e-4, "{sketch}");
    let arm = json(&["solve", "arm", "--json", "--target", "-0.5,1,0.2"]);
    assert!(arm["arms"][0]["miss"].as_f64() < Some(1e-6), "{arm}");
    let circles = json(&["solve", "circles", "--json", "--loss", "cauchy:0.05"]);
    assert!((circles["circles"][1]["radius"].as_f64().expect("a number") - 2.0).abs() < 0.02, "{circles}");
    let rope = json(&["solve", "rope", "--json"]);
    assert!((rope["length"].as_f64().expect("a number") - 6.0).abs() < 0.1, "{rope}");
}

#[test]
fn kernels_are_shown_instead_of_a_solution() {
    let text = stdout(&tilework(&["solve", "circles", "--show-wgsl=residuals"]));
    assert!(
        text.contains("// circle: residuals") && text.contains("@compute") && !text.contains("iterations"),
        "{text}"
    );
    // As many as there are kinds of constraints, and the pull to where parts are drawn, of points and of radii.
    let sketch = stdout(&tilework(&["solve", "sketch", "--show-wgsl"]));
    assert_eq!(sketch.matches("@compute").count(), 12, "{sketch}");
}

#[test]
fn sketches_are_written_as_they_are_read() {
    let given = write("line.txt", "point a 0 0\npoint b 3 1\nline l a b\nhorizontal l\ndistance a b 5\nfixed a 0 0\n");
    let out = scratch("solved.txt");
    json(&["solve", "sketch", &given, "--json", "--stiffness", "0", "--out", &out]);
    let again = json(&["solve", "sketch", &out, "--json", "--iterations", "0"]);
    assert!(again["initial_cost"].as_f64() < Some(1e-12), "{again}");
}

#[test]
fn what_is_wrong_is_named_with_what_to_do() {
    let cut = write("cut.txt", "1 1 1\n0 0 1");
    let tags = write("tags.g2o", "VERTEX_SE2 0 0 0 0\nVERTEX_XYZ 1 2 3 4\n");
    let behind = write("behind.txt", "1 1 1\n0 0 1 1\n0\n0\n0\n0\n0\n0\n1\n0\n0\n0\n0\n0\n");
    for (arguments, words) in [
        (&["solve", "bal", "no/such/file"][..], "no/such/file"),
        (&["solve", "bal", &cut], "line 3: the file ends"),
        (&["solve", "bal", &behind], "instance 0 of 'reprojection'"),
        (&["solve", "g2o", &tags], "line 2: there is no tag `VERTEX_XYZ`"),
        (&["solve", "g2o", &tags, "--method", "sgd"], "sgd"),
        (&["solve", "g2o", &tags, "--loss", "hubber"], "there is no loss `hubber`"),
        (&["solve", "mesh", "icosphere:99", "--energy", "springs"], "level 99"),
        (&["solve", "mesh", "icosphere:1", "--energy", "glue"], "there is no energy `glue`"),
        (&["solve", "mesh", "icosphere:1", "--energy", "springs:-1"], "`-1` is no weight"),
        (&["solve", "mesh", "icosphere:1", "--energy", "springs", "--out", "x.stl"], ".obj, .ply or .off"),
        (&["solve", "mesh", "icosphere:1", "--energy", "flatten"], "no border"),
        (&["solve", "mesh", "icosphere:1", "--energy", "developability", "--method", "lm"], "residuals"),
        (&["solve", "mesh", "icosphere:1", "--energy", "springs", "--fix", "42"], "no vertex `42` among 42"),
        (&["solve", "arm", "--target", "1,2"], "`1,2` is no place"),
        (&["solve", "rope", "--beads", "1"], "1 beads"),
        (&["solve", "rope", "--precision", "f32"], "the CPU computes in f64"),
        (&["solve"], "Usage"),
    ] {
        let output = tilework(arguments);
        let message = stderr(&output);
        assert!(!output.status.success() && message.contains(words), "{arguments:?}: {message}");
    }
}
