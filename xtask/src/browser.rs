//! `browser`: the conformance cases inside headless Chromium; the work is done by tests/browser/run.mjs.

use crate::Workspace;
use crate::process::{Program, Result};
use crate::setup::Tools;
use crate::steps::Steps;

/// What it means when the filter leaves no case.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoCase {
    /// Most likely a misspelling.
    Fails,
    /// The filter may be meant for tests elsewhere.
    Passes,
}

/// Runs the cases whose name has `filter` in it; skipped loudly (in CI: fails) without Node.js or Chromium.
pub(crate) fn run(workspace: &Workspace, filter: Option<&str>, no_case: NoCase, steps: &mut Steps) -> Result {
    let Tools { node: Some(node), chrome: Some(chrome) } = Tools::find(workspace) else {
        return steps
            .skip("browser tests", "Node.js, the npm packages or Chromium are missing; see `cargo xtask setup`");
    };
    steps.run("running the browser tests", || {
        Program::new(workspace, node)
            .args(["tests/browser/run.mjs"])
            .args((no_case == NoCase::Passes).then_some("--no-case-passes"))
            .args(filter)
            .env("CHROME", chrome)
            .env("TILEWORK_TARGET", &workspace.target)
            .advice("`cargo xtask wasm` builds the module; `cargo xtask browser <name>` narrows the cases.")
            .run()
    })
}
