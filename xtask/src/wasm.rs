//! `wasm`: the browser module, from Rust to `target/web/tilework.js` and `tilework_bg.wasm`; the same with only the operations of
//! a first visit, in `target/web/core`; with all that NumPy has, but nothing for networks, in `target/web/numpy`; the models in `target/web/models`;
//! language models in `target/web/llm`; the solver in `target/web/solve`; and arrays with the conformance cases in it, for test pages, in `target/web/conformance`.
//!
//! Four tools in a row: rustc (with a standard library of its own, see `small_std`), wasm-bindgen (as a library, so its release cannot differ from the crate's), wasm-opt, and our own
//! `hoist`, `imports` and `order`.
//! Cargo keeps build scripts of the `web` profile in `target/web` too; only files of ours are replaced there.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread::ScopedJoinHandle;

use wasm_bindgen_cli_support::Bindgen;

use crate::Workspace;
use crate::hoist;
use crate::imports;
use crate::order;
use crate::process::{Failure, Program, Result};
use crate::setup::Tools;
use crate::size;
use crate::small_std;
use crate::steps::Steps;

/// What rustc may have used (its defaults for the target and the features in .cargo/config.toml); wasm-opt must know them to
/// read the module, and may use them itself.
const WASM_FEATURES: &[&str] = &[
    "--enable-simd",
    "--enable-bulk-memory",
    "--enable-nontrapping-float-to-int",
    "--enable-mutable-globals",
    "--enable-sign-ext",
    "--enable-reference-types",
    "--enable-multivalue",
];

/// What wasm-opt does first. Addresses below 1024 are the far end of the stack, which no pointer reaches. A function with one
/// caller stays one unless it is tiny: pulled in, it is less like the others and compresses worse.
const SMALLER: [&str; 6] = [
    "-Oz",
    "--converge",
    "--one-caller-inline-max-function-size=10",
    "--low-memory-unused",
    "--strip-debug",
    "--strip-producers",
];
/// What it does after `hoist`, which more would undo.
const TIDIER: [&str; 4] = ["--vacuum", "--reorder-locals", "--coalesce-locals", "--reorder-locals"];

/// One of the modules.
#[derive(Clone, Copy)]
struct Module {
    what: &'static str,
    features: &'static [&'static str],
    /// Below [`folder`].
    below: &'static str,
}

const MODULES: [Module; 7] = [
    Module { what: "core module", features: &["--no-default-features", "--features", "arrays"], below: size::CORE },
    Module {
        what: "numpy module",
        features: &["--no-default-features", "--features", "arrays,numpy"],
        below: size::NUMPY,
    },
    Module { what: "whole module", features: &[], below: "" },
    // Not the last: it takes longest to optimize, which goes on beside the next compilation.
    Module { what: "conformance module", features: &["--features", "conformance"], below: "conformance" },
    Module { what: "models module", features: &["--no-default-features", "--features", "models"], below: size::MODELS },
    Module { what: "llm module", features: &["--no-default-features", "--features", "llm"], below: size::LLM },
    Module { what: "solve module", features: &["--no-default-features", "--features", "solve"], below: size::SOLVE },
];

/// Builds the modules with `filter` in their name and prints their sizes. While one is compiled, which is mostly one thread's work, the
/// one before it is finished by another.
pub(crate) fn run(workspace: &Workspace, filter: &str, steps: &mut Steps) -> Result {
    let wanted: Vec<Module> = MODULES.into_iter().filter(|module| module.what.contains(filter)).collect();
    if wanted.is_empty() {
        let names: Vec<&str> = MODULES.iter().map(|module| module.what).collect();
        return Err(Failure::new(format!("there is no module `{filter}`")).advice(names.join(", ")));
    }
    let node = Tools::find(workspace).node;
    if node.is_none() {
        steps.skip("wasm-opt", "Node.js or the npm packages are missing; see `cargo xtask setup`")?;
    }
    std::thread::scope(|scope| {
        let mut before = None;
        for module in wanted {
            steps.run(&format!("compiling the {}", module.what), || compile(workspace, module))?;
            finished(steps, before.take())?;
            let node = node.as_deref();
            before = Some((module, scope.spawn(move || finish(workspace, module, node))));
        }
        finished(steps, before)
    })
}

/// Waits for the module that is being finished, if there is one, and prints its size.
fn finished(steps: &mut Steps, module: Option<(Module, ScopedJoinHandle<'_, Result<PathBuf>>)>) -> Result {
    let Some((module, thread)) = module else { return Ok(()) };
    let file = steps.run(&format!("waiting for the {} to be bound and optimized", module.what), || {
        thread.join().unwrap_or_else(|_| Err(Failure::new("the thread that finishes modules panicked")))
    })?;
    size::print(&file)
}

/// Leaves what rustc made of a module in its folder.
fn compile(workspace: &Workspace, module: Module) -> Result {
    let arguments = ["build", "-p", "tilework-web", "--target", "wasm32-unknown-unknown", "--profile", "web"];
    let cargo = Program::cargo(workspace).args(arguments).args(module.features);
    small_std::with(workspace, cargo)?.advice("`cargo xtask setup` installs what is missing.").run()?;
    let (made, out) =
        (workspace.target.join("wasm32-unknown-unknown/web/tilework_web.wasm"), module.compiled(workspace));
    let copied = fs::create_dir_all(module.out(workspace)).and_then(|()| fs::copy(&made, &out));
    copied.map(drop).map_err(|error| Failure::new(format!("cannot copy {}: {error}", made.display())))
}

/// Binds a compiled module to JavaScript and, where Node.js is there for it, optimizes it.
fn finish(workspace: &Workspace, module: Module, node: Option<&Path>) -> Result<PathBuf> {
    let out = module.out(workspace);
    bind(&module.compiled(workspace), &out)?;
    let _ = fs::remove_file(module.compiled(workspace));
    if let Some(node) = node {
        optimize(workspace, &out, node)?;
    }
    Ok(out.join(FILE))
}

impl Module {
    /// Folder of the finished module.
    fn out(&self, workspace: &Workspace) -> PathBuf {
        folder(workspace).join(self.below)
    }

    /// What rustc made of it: cargo's own file is that of the next module by the time it is read.
    fn compiled(&self, workspace: &Workspace) -> PathBuf {
        self.out(workspace).join("compiled.wasm")
    }
}

/// File name of a finished module.
pub(crate) const FILE: &str = "tilework_bg.wasm";

/// Folder of the finished module.
pub(crate) fn folder(workspace: &Workspace) -> PathBuf {
    workspace.target.join("web")
}

fn bind(compiled: &Path, out: &Path) -> Result {
    // Snippets of removed JavaScript would otherwise stay for ever.
    let _ = fs::remove_dir_all(out.join("snippets"));
    let mut bindgen = Bindgen::new();
    let generated = bindgen
        .input_path(compiled)
        .out_name("tilework")
        .typescript(true)
        // `init()` without an argument finds the .wasm file beside the script.
        .omit_default_module_path(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .web(true)
        .and_then(|bindgen| bindgen.generate(out));
    generated.map_err(|error| {
        Failure::new(format!("wasm-bindgen failed: {error:#}"))
            .advice("If the versions differ: `cargo update -p wasm-bindgen -p wasm-bindgen-cli-support`.")
    })
}

fn optimize(workspace: &Workspace, out: &Path, node: &Path) -> Result {
    let module = out.join(FILE);
    wasm_opt(workspace, node, &module, &SMALLER)?;
    // After wasm-opt, which would put them back.
    hoist::run(&module)?;
    imports::run(&module, &module.with_file_name("tilework.js"))?;
    // Blocks that the last two steps wrapped around what needs none, and locals that can share a place; constants stay where they are.
    wasm_opt(workspace, node, &module, &TIDIER)?;
    order::run(&module)?;
    wasm_opt(workspace, node, &module, &order::BY_NAME)
}

/// Rewrites a module with some passes of wasm-opt.
fn wasm_opt(workspace: &Workspace, node: &Path, module: &Path, passes: &[&str]) -> Result {
    let optimized = module.with_extension("optimized");
    // Started through node: the script in node_modules/.bin is no program on Windows.
    Program::new(workspace, node)
        .args(["node_modules/binaryen/bin/wasm-opt"])
        .args([module])
        .args(passes)
        .args(WASM_FEATURES)
        .args(["-o".as_ref(), optimized.as_os_str()])
        .advice("If it names a missing feature, add the flag in xtask/src/wasm.rs; `npm ci` installs wasm-opt.")
        .run()?;
    fs::rename(&optimized, module).map_err(|error| Failure::new(format!("cannot replace the module: {error}")))
}
