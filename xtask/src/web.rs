//! The npm package and the studio. Their own npm scripts do the work; here is the order and what each needs.

use std::path::PathBuf;

use crate::process::{Program, Result, find_program};
use crate::serve::Server;
use crate::setup::Tools;
use crate::steps::Steps;
use crate::{Workspace, wasm};

const PACKAGE: &str = "packages/tilework";
const STUDIO: &str = "site";

/// `site`: the static build of the studio in site/dist, with everything it is made of.
pub(crate) fn site(workspace: &Workspace, steps: &mut Steps) -> Result {
    wasm::run(workspace, "", steps)?;
    build(workspace, steps)
}

/// `serve`: the studio as it was built last, until Ctrl-C.
pub(crate) fn serve(workspace: &Workspace, steps: &mut Steps) -> Result {
    if !folder(workspace).join("index.html").is_file() {
        site(workspace, steps)?;
    }
    let server = Server::bind(&folder(workspace))?;
    println!("\nThe studio is at {}   (Ctrl-C ends it)\n", server.address());
    server.run();
    Ok(())
}

/// Builds the package and the studio from modules that are there already.
pub(crate) fn build(workspace: &Workspace, steps: &mut Steps) -> Result {
    if Tools::find(workspace).node.is_none() {
        return steps
            .skip("the package and the studio", "Node.js or the npm packages are missing; see `cargo xtask setup`");
    }
    let advice = "`cargo xtask wasm` builds the modules it needs.";
    steps.run("building the npm package", || npm(workspace, "build", PACKAGE).advice(advice).run())?;
    steps.run("building the studio", || npm(workspace, "build", STUDIO).run())?;
    println!("    the studio is in {STUDIO}/dist, for any static host");
    Ok(())
}

/// Builds the module and the package in packages/tilework/dist, without the studio.
pub(crate) fn package(workspace: &Workspace, steps: &mut Steps) -> Result {
    wasm::run(workspace, "", steps)?;
    steps.run("building the npm package", || npm(workspace, "build", PACKAGE).run())
}

/// `web`: builds the package and the studio and runs all their tests; skipped loudly (in CI: fails) without a browser.
pub(crate) fn test(workspace: &Workspace, steps: &mut Steps) -> Result {
    build(workspace, steps)?;
    let Tools { node: Some(_), chrome: Some(chrome) } = Tools::find(workspace) else {
        return steps
            .skip("tests of the package and the studio", "Node.js or Chromium are missing; see `cargo xtask setup`");
    };
    let scripts = [
        ("testing the package in Node.js", "test", PACKAGE),
        ("testing the package in Chromium and through Vite", "test:browser", PACKAGE),
        ("checking what the package publishes", "check:pack", PACKAGE),
        ("testing the parts of the studio", "test", STUDIO),
        ("testing the studio in Chromium", "test:e2e", STUDIO),
    ];
    scripts.into_iter().try_for_each(|(what, script, folder)| {
        let advice = "`npm run <script> -w <folder>` repeats it alone.";
        steps.run(what, || npm(workspace, script, folder).env("CHROME", &chrome).advice(advice).run())
    })
}

fn npm(workspace: &Workspace, script: &str, folder: &str) -> Program {
    let npm = find_program(&["npm"]).unwrap_or_else(|| PathBuf::from("npm"));
    let program = Program::new(workspace, npm).args(["run", "--silent", script, "-w", folder]);
    program.env("TILEWORK_TARGET", &workspace.target)
}

fn folder(workspace: &Workspace) -> PathBuf {
    workspace.root.join(STUDIO).join("dist")
}
