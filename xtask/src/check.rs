//! `check`: what needs no test to run. Nothing is changed.

use crate::process::{Failure, Program, Result};
use crate::steps::Steps;
use crate::{Workspace, tidy};

/// Formatting, lints, tidy rules.
pub(crate) fn run(workspace: &Workspace, steps: &mut Steps) -> Result {
    steps.run("checking the formatting", || {
        Program::cargo(workspace).args(["fmt", "--all", "--check"]).advice("`cargo fmt --all` repairs it.").run()
    })?;
    steps.run("linting", || clippy(workspace, &["--workspace", "--all-targets"]))?;
    if workspace.has_crate("tilework-wasm") {
        let arguments = ["-p", "tilework-wasm", "--target", "wasm32-unknown-unknown"];
        steps.run("linting for browsers", || clippy(workspace, &arguments))?;
        // The module that leaves most out: what others need must not be missed there.
        let llm = [&arguments[..], &["--no-default-features", "--features", "llm"]].concat();
        steps.run("linting for browsers: language models", || clippy(workspace, &llm))?;
        let solve = [&arguments[..], &["--no-default-features", "--features", "solve"]].concat();
        steps.run("linting for browsers: the solver", || clippy(workspace, &solve))?;
    }
    steps.run("checking the tidy rules", || report(&tidy::check(&workspace.root)?))
}

fn clippy(workspace: &Workspace, what: &[&str]) -> Result {
    let arguments = ["clippy"].iter().chain(what).chain(&["--", "-D", "warnings"]);
    Program::cargo(workspace).args(arguments).advice("Repair what is named above; warnings count as errors.").run()
}

fn report(findings: &tidy::Findings) -> Result {
    for note in &findings.notes {
        println!("    note: {note}");
    }
    for problem in &findings.problems {
        println!("    {problem}");
    }
    match findings.problems.len() {
        0 => Ok(()),
        n => Err(Failure::new(format!("{n} tidy rules are broken"))
            .advice("Each line above says what to change; the rules are in xtask/src/tidy/.")),
    }
}
