//! The standard library of the browser modules: compiled from its sources together with them, for size.
//!
//! The compiled library that comes with a toolchain carries the words of every panic and the code that writes them, in each module
//! that a visitor downloads: an eighth of the smallest. Nothing a caller sends panics, so a panic is our own bug; compiled here, it
//! stops the module at once, and the promise that waits for it is rejected. To read where one happened, build modules that say so:
//!
//! ```text
//! TILEWORK_PANICS=1 cargo xtask wasm core
//! ```
//!
//! Cargo calls this unstable, hence `RUSTC_BOOTSTRAP`; it is set for the building of modules and nothing else.

use std::path::Path;

use crate::Workspace;
use crate::process::{Failure, Program, Result};

/// Modules built with it have the toolchain's own standard library and say what panicked, in words.
const PANICS_VARIABLE: &str = "TILEWORK_PANICS";

/// Words for rustc beyond those of .cargo/config.toml: panics stop at once, and no place in a source file is kept.
const FLAGS: [&str; 3] = ["-Zunstable-options", "-Cpanic=immediate-abort", "-Zlocation-detail=none"];

/// Adds to a cargo command what makes it compile the standard library, too.
pub(crate) fn with(workspace: &Workspace, cargo: Program) -> Result<Program> {
    if std::env::var_os(PANICS_VARIABLE).is_some() {
        return Ok(cargo.args(["--features", "panics"]));
    }
    if !has_sources(workspace)? {
        return Err(Failure::new("the sources of Rust's standard library are missing")
            .advice("`rustup component add rust-src` installs them, as `cargo xtask setup` does."));
    }
    let flags = FLAGS.map(|flag| format!("'{flag}'")).join(",");
    Ok(cargo
        .env("RUSTC_BOOTSTRAP", "1")
        .args(["-Zbuild-std=std,panic_abort", "-Zbuild-std-features=optimize_for_size"])
        .args(["--config".to_owned(), format!("target.wasm32-unknown-unknown.rustflags=[{flags}]")]))
}

/// Whether the toolchain has them.
pub(crate) fn has_sources(workspace: &Workspace) -> Result<bool> {
    let sysroot = Program::new(workspace, "rustc")
        .args(["--print", "sysroot"])
        .advice("Install Rust with rustup: https://rustup.rs")
        .output()?;
    Ok(Path::new(sysroot.trim()).join("lib/rustlib/src/rust/library/Cargo.lock").is_file())
}
