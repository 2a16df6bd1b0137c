//! Which crate may depend on which, read from the manifests.
//!
//! A crate depends on lower layers only, and each door to the outside (the GPU, the browser, the command line) is used by one
//! crate. The first keeps the build parallel and the core testable without a device; the second keeps a change of wgpu or
//! wasm-bindgen inside one crate.

use std::path::Path;

use serde_json::Value;

use super::Findings;
use crate::Workspace;
use crate::process::{Failure, Program, Result};

/// Crates by layer, lowest first. Those of one layer do not know each other.
const LAYERS: &[&[&str]] = &[
    &["tilework-core", "tilework-dense"],
    &["tilework-vm"],
    &["tilework-ops", "tilework-gpu", "tilework-sparse"],
    &["tilework"],
    &["tilework-conformance", "tilework-solve", "tilework-nn"],
    &["tilework-cli", "tilework-wasm", "tilework-py"],
    &["tilework-web"],
    &["xtask"],
];

/// Outside crates with one permitted user.
const OWNERS: &[(&str, &str)] = &[
    ("wgpu", "tilework-gpu"),
    ("wasm-bindgen", "tilework-wasm"),
    ("wasm-bindgen-futures", "tilework-wasm"),
    ("js-sys", "tilework-wasm"),
    ("web-sys", "tilework-wasm"),
    ("clap", "tilework-cli"),
    ("faer", "tilework-dense"),
];

/// Outside crates that only tests may use.
const TEST_ONLY: &[&str] = &["naga"];

/// One `[dependencies]` row of one crate.
pub(super) struct Dependency {
    user: String,
    on: String,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Normal and build dependencies: what users of the crate compile.
    Shipped,
    Test,
}

/// The manifests of the workspace in `root`: all crates and all their dependencies.
pub(super) struct Manifests {
    crates: Vec<String>,
    dependencies: Vec<Dependency>,
}

/// Asks cargo, which needs no network for this.
pub(super) fn read(root: &Path) -> Result<Manifests> {
    let workspace = Workspace { root: root.to_owned(), target: root.join("target") };
    let json = Program::cargo(&workspace)
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .advice("A Cargo.toml is malformed; cargo says above which.")
        .output()?;
    parse(&json).ok_or_else(|| Failure::new("`cargo metadata` wrote something this program cannot read"))
}

fn parse(json: &str) -> Option<Manifests> {
    let metadata: Value = serde_json::from_str(json).ok()?;
    let mut manifests = Manifests { crates: Vec::new(), dependencies: Vec::new() };
    for package in metadata["packages"].as_array()? {
        let user = package["name"].as_str()?;
        manifests.crates.push(user.to_owned());
        for dependency in package["dependencies"].as_array()? {
            let kind = if dependency["kind"] == "dev" { Kind::Test } else { Kind::Shipped };
            let on = dependency["name"].as_str()?.to_owned();
            manifests.dependencies.push(Dependency { user: user.to_owned(), on, kind });
        }
    }
    Some(manifests)
}

/// The rules themselves.
pub(super) fn check(manifests: &Manifests, findings: &mut Findings) {
    let unknown = manifests.crates.iter().filter(|name| layer(name).is_none());
    findings.problems.extend(unknown.map(|name| format!("{name}: give it a layer in xtask/src/tidy/layers.rs")));
    findings.problems.extend(manifests.dependencies.iter().filter_map(problem));
}

fn layer(name: &str) -> Option<usize> {
    LAYERS.iter().position(|crates| crates.contains(&name))
}

fn problem(dependency: &Dependency) -> Option<String> {
    let Dependency { user, on, kind } = dependency;
    if let (Some(above), Some(below), Kind::Shipped) = (layer(user), layer(on), kind)
        && above <= below
    {
        return Some(format!("{user} (layer {above}) must not depend on {on} (layer {below}): only downwards"));
    }
    if let Some((_, owner)) = OWNERS.iter().find(|(owned, owner)| owned == on && owner != user) {
        return Some(format!("{user} must not depend on {on}: only {owner} does"));
    }
    if TEST_ONLY.contains(&on.as_str()) && *kind == Kind::Shipped {
        return Some(format!("{user} must not depend on {on} except in [dev-dependencies]"));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem_of(user: &str, on: &str, kind: Kind) -> Option<String> {
        problem(&Dependency { user: user.into(), on: on.into(), kind })
    }

    #[test]
    fn dependencies_point_downwards() {
        assert!(problem_of("tilework-gpu", "tilework-core", Kind::Shipped).is_none());
        assert!(problem_of("tilework-cli", "tilework", Kind::Shipped).is_none());
        assert!(problem_of("tilework-core", "tilework-gpu", Kind::Shipped).unwrap().contains("only downwards"));
        assert!(problem_of("tilework-gpu", "tilework-ops", Kind::Shipped).is_some(), "same layer");
        assert!(problem_of("tilework-gpu", "tilework-ops", Kind::Test).is_none(), "tests may look anywhere");
    }

    #[test]
    fn doors_to_the_outside_have_one_user() {
        assert!(problem_of("tilework-gpu", "wgpu", Kind::Shipped).is_none());
        assert!(problem_of("tilework", "wgpu", Kind::Shipped).unwrap().contains("only tilework-gpu"));
        assert!(problem_of("tilework-gpu", "web-sys", Kind::Shipped).unwrap().contains("only tilework-wasm"));
        assert!(problem_of("xtask", "clap", Kind::Shipped).unwrap().contains("only tilework-cli"));
    }

    #[test]
    fn naga_is_for_tests() {
        assert!(problem_of("tilework-core", "naga", Kind::Test).is_none());
        assert!(problem_of("tilework-core", "naga", Kind::Shipped).unwrap().contains("dev-dependencies"));
    }

    #[test]
    fn metadata_is_read_and_unknown_crates_are_named() {
        let json = r#"{"packages": [{"name": "tilework-new", "dependencies": [
            {"name": "naga", "kind": "dev"}, {"name": "wgpu", "kind": null}, {"name": "cc", "kind": "build"}]}]}"#;
        let mut findings = Findings::default();
        check(&parse(json).unwrap(), &mut findings);
        assert_eq!(findings.problems.len(), 2, "{findings:?}");
        assert!(findings.problems[0].starts_with("tilework-new: give it a layer"));
        assert!(parse("{}").is_none());
    }
}
