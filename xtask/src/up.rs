//! `up` and `bench`: the release build of the command-line program, put to work.

use std::path::PathBuf;

use crate::process::{Failure, Program, Result};
use crate::steps::Steps;
use crate::{Workspace, peers, setup, web};

/// From a fresh clone to a first result in the terminal, then to the studio in the browser.
pub(crate) fn run(workspace: &Workspace, steps: &mut Steps) -> Result {
    let tools = setup::run(workspace, steps)?;
    build(workspace, steps)?;
    steps.run("asking the devices how they are", || {
        tilework(workspace).args(["doctor"]).advice("It says above which device is missing and what to install.").run()
    })?;
    steps.run("touring what Tilework does", || tilework(workspace).args(["tour"]).run())?;
    if tools.node.is_none() {
        return steps.skip("the studio", "Node.js is missing; `cargo xtask setup` says what to install");
    }
    web::site(workspace, steps)?;
    steps.print_summary();
    web::serve(workspace, steps)
}

/// Benchmarks; `arguments` are for `tilework bench`, except `--peers`, next to which only `--browser` may stand.
pub(crate) fn bench(workspace: &Workspace, arguments: &[String], steps: &mut Steps) -> Result {
    let has = |word: &str| arguments.iter().any(|argument| argument == word);
    let (wants_peers, wants_browser) = (has("--peers"), has("--browser"));
    if (wants_browser && !wants_peers) || (wants_peers && arguments.len() > 1 + usize::from(wants_browser)) {
        let usage = "usage: cargo xtask bench --peers [--browser]";
        return Err(Failure::new("`--peers` takes no other argument than `--browser`").advice(usage));
    }
    build(workspace, steps)?;
    if wants_peers {
        peers::run(workspace, &program(workspace), steps)?;
        return if wants_browser { peers::run_in_browser(workspace, steps) } else { Ok(()) };
    }
    steps.run("benchmarking", || {
        let advice = "`cargo xtask bench -- --help` shows what it takes.";
        tilework(workspace).args(["bench"]).args(arguments).advice(advice).run()
    })
}

pub(crate) fn build(workspace: &Workspace, steps: &mut Steps) -> Result {
    steps.run("building the release program", || {
        let advice = "`cargo xtask check` shows errors of the whole workspace.";
        Program::cargo(workspace).args(["build", "--release", "-p", "tilework-cli"]).advice(advice).run()
    })
}

fn tilework(workspace: &Workspace) -> Program {
    Program::new(workspace, program(workspace))
}

pub(crate) fn program(workspace: &Workspace) -> PathBuf {
    workspace.target.join("release").join(if cfg!(windows) { "tilework.exe" } else { "tilework" })
}
