//! `test`: the one command that says whether the project is sound.

use std::path::Path;

use crate::browser::NoCase;
use crate::process::{Program, Result, find_program};
use crate::steps::Steps;
use crate::{Workspace, browser, check, models, setup, size, wasm, web};

/// Runs everything in order and stops at the first failure. `filter` narrows the tests, not the checks.
pub(crate) fn run(workspace: &Workspace, filter: Option<&str>, steps: &mut Steps) -> Result {
    let tools = setup::run(workspace, steps)?;
    check::run(workspace, steps)?;
    steps.run("running the native tests", || native_tests(workspace, filter))?;
    // A filter is for one thing.
    if filter.is_none() && cfg!(target_arch = "x86_64") && find_program(&["cargo-nextest"]).is_some() {
        for level in ["avx2", "baseline"] {
            steps.run(&format!("running the CPU's tests as on a machine with {level}"), || {
                level_tests(workspace, level)
            })?;
        }
    }
    steps.run("running the documentation examples", || doc_tests(workspace, filter))?;
    if !workspace.has_crate("tilework-wasm") {
        return Ok(());
    }
    wasm::run(workspace, "", steps)?;
    let Some(node) = &tools.node else {
        return steps.skip("size and browser tests", "Node.js is missing");
    };
    steps.run("running the tests of inner loops as WASM", || wasm_tests(workspace, node))?;
    size::run(workspace, steps)?;
    browser::run(workspace, filter, NoCase::Passes, steps)?;
    // A filter is for one thing; the package and the studio are tested as a whole.
    if filter.is_none() { web::test(workspace, steps) } else { Ok(()) }
}

/// The tests of inner loops and of every operation on the CPU, with the instructions of lesser machines.
fn level_tests(workspace: &Workspace, level: &str) -> Result {
    let tests = "package(tilework-vm) | (package(tilework-conformance) & binary(conformance) & test(/cpu/))";
    Program::cargo(workspace)
        .env("TILEWORK_SIMD", level)
        .args(["nextest", "run", "--workspace", "-E", tests])
        .advice("The failing tests are named above; the environment variable TILEWORK_SIMD repeats them.")
        .run()
}

fn native_tests(workspace: &Workspace, filter: Option<&str>) -> Result {
    let cargo = Program::cargo(workspace)
        .env("TILEWORK_MODELS", models::folder(workspace))
        .env("TILEWORK_NEEDS_MODELS", "1")
        .advice("The failing tests are named above; `cargo xtask test <name>` narrows.");
    if find_program(&["cargo-nextest"]).is_some() {
        // A filter may be meant for the browser cases or the documentation only.
        return cargo.args(["nextest", "run", "--workspace", "--no-tests=warn"]).args(filter).run();
    }
    cargo.args(["test", "--workspace", "--lib", "--bins", "--tests"]).args(filter).run()
}

/// Inner loops have versions for WASM that no native test reaches. No arguments reach a module, so all tests run.
fn wasm_tests(workspace: &Workspace, node: &Path) -> Result {
    let runner = workspace.root.join("tests/wasm/run.mjs");
    let runner = format!("target.wasm32-unknown-unknown.runner=[{node:?}, {runner:?}]");
    Program::cargo(workspace)
        .args(["test", "--quiet", "-p", "tilework-vm", "--lib", "--target", "wasm32-unknown-unknown"])
        .args(["--config", &runner])
        .advice("The failing test is named in the trace above.")
        .run()
}

fn doc_tests(workspace: &Workspace, filter: Option<&str>) -> Result {
    let cargo = Program::cargo(workspace).advice("The failing example is named above by file and line.");
    cargo.args(["test", "--doc", "--workspace"]).args(filter).run()
}
