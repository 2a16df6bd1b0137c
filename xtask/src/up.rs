//! `up` and `bench`: the release build of the command-line program, put to work.

use crate::process::{Program, Result};
use crate::steps::Steps;
use crate::{Workspace, setup};

/// From a fresh clone to a first result.
pub(crate) fn run(workspace: &Workspace, steps: &mut Steps) -> Result {
    setup::run(workspace, steps)?;
    build(workspace, steps)?;
    steps.run("asking the devices how they are", || {
        tilework(workspace).args(["doctor"]).advice("It says above which device is missing and what to install.").run()
    })?;
    steps.run("touring what Tilework does", || tilework(workspace).args(["tour"]).run())
}

/// Benchmarks; `arguments` are for `tilework bench`.
pub(crate) fn bench(workspace: &Workspace, arguments: &[String], steps: &mut Steps) -> Result {
    build(workspace, steps)?;
    steps.run("benchmarking", || {
        let advice = "`cargo xtask bench -- --help` shows what it takes.";
        tilework(workspace).args(["bench"]).args(arguments).advice(advice).run()
    })
}

fn build(workspace: &Workspace, steps: &mut Steps) -> Result {
    steps.run("building the release program", || {
        let advice = "`cargo xtask check` shows errors of the whole workspace.";
        Program::cargo(workspace).args(["build", "--release", "-p", "tilework-cli"]).advice(advice).run()
    })
}

fn tilework(workspace: &Workspace) -> Program {
    Program::new(workspace, workspace.target.join("release/tilework"))
}
