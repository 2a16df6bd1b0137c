//! `setup`: brings a fresh clone to where every other command works, and installs only what is missing.
//!
//! System packages are installed where that needs no question (Debian or Ubuntu, as root). Anywhere else the packages are
//! named and the command goes on; the steps that need them are then skipped loudly.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Workspace;
use crate::models;
use crate::process::{Program, Result, find_program};
use crate::small_std;
use crate::steps::Steps;

const WASM_TARGET: &str = "wasm32-unknown-unknown";
const NODE_ADVICE: &str = "install Node.js 20 or newer with npm, then run `cargo xtask setup` again";

/// The programs that the browser steps need; absent ones could not be installed.
pub(crate) struct Tools {
    pub(crate) node: Option<PathBuf>,
    pub(crate) chrome: Option<PathBuf>,
}

impl Tools {
    /// What is there now, without installing anything. Node counts only together with the installed packages.
    pub(crate) fn find(workspace: &Workspace) -> Self {
        let node = find_program(&["node"]).filter(|_| packages_are_fresh(&workspace.root));
        Self { node, chrome: find_chrome() }
    }
}

/// Installs what is missing and returns what is there in the end.
pub(crate) fn run(workspace: &Workspace, steps: &mut Steps) -> Result<Tools> {
    steps.run("setting up: the Rust target for browsers", || {
        add_wasm_target(workspace)?;
        add_std_sources(workspace)
    })?;
    steps.run("setting up: a Vulkan driver and Chromium", || install_system_packages(workspace))?;
    steps.run("setting up: the npm packages", || install_npm_packages(workspace))?;
    steps.run("setting up: the model that tests read", || models::fetch(workspace))?;
    Ok(Tools::find(workspace))
}

fn add_wasm_target(workspace: &Workspace) -> Result {
    let libraries = Program::new(workspace, "rustc")
        .args(["--print", "target-libdir", "--target", WASM_TARGET])
        .advice("Install Rust with rustup: https://rustup.rs")
        .output()?;
    if Path::new(libraries.trim()).is_dir() {
        return Ok(());
    }
    if find_program(&["rustup"]).is_none() {
        println!("    missing: the {WASM_TARGET} standard library; install it the way this Rust was installed");
        return Ok(());
    }
    println!("    adding {WASM_TARGET}");
    Program::new(workspace, "rustup")
        .args(["target", "add", WASM_TARGET])
        .advice("Is there a network connection? The target is downloaded once.")
        .run()
}

/// The modules are built with a standard library of their own.
fn add_std_sources(workspace: &Workspace) -> Result {
    if small_std::has_sources(workspace)? {
        return Ok(());
    }
    if find_program(&["rustup"]).is_none() {
        println!("    missing: the sources of the standard library; install them the way this Rust was installed");
        return Ok(());
    }
    println!("    adding the sources of the standard library");
    Program::new(workspace, "rustup")
        .args(["component", "add", "rust-src"])
        .advice("Is there a network connection? The sources are downloaded once.")
        .run()
}

fn install_system_packages(workspace: &Workspace) -> Result {
    let missing = missing_packages();
    if missing.is_empty() {
        return Ok(());
    }
    if find_program(&["apt-get"]).is_none() || !is_root(workspace) {
        for package in &missing {
            println!("    missing: {}; {}", package.what, package.install_hint());
        }
        return Ok(());
    }
    let apt = |arguments: &[&str]| {
        Program::new(workspace, "apt-get")
            .args(arguments)
            .env("DEBIAN_FRONTEND", "noninteractive")
            .advice("Is there a network connection, and is no other apt-get running?")
            .run()
    };
    apt(&["update", "-qq"])?;
    for package in &missing {
        println!("    installing {} ({})", package.debian, package.what);
        apt(&["install", "-y", "-qq", package.debian])?;
    }
    Ok(())
}

/// Something the system provides, and the Debian package that brings it.
#[derive(PartialEq, Eq, Debug)]
struct Package {
    what: &'static str,
    debian: &'static str,
}

impl Package {
    fn install_hint(&self) -> String {
        format!("on Debian or Ubuntu: `sudo apt-get install {}`", self.debian)
    }
}

fn missing_packages() -> Vec<Package> {
    let mut missing = Vec::new();
    // Elsewhere the graphics interface belongs to the system: Metal or Direct3D 12.
    if cfg!(target_os = "linux") && !has_vulkan_driver() {
        missing.push(Package { what: "a Vulkan driver (software is enough)", debian: "mesa-vulkan-drivers" });
    }
    if find_chrome().is_none() {
        missing.push(Package { what: "Chromium or Chrome, on PATH or named by CHROME", debian: "chromium" });
    }
    missing
}

fn has_vulkan_driver() -> bool {
    ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"].iter().any(|name| std::env::var_os(name).is_some())
        || ["/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d"].iter().any(|folder| holds_driver(Path::new(folder)))
}

/// Whether a folder has a driver manifest in it.
fn holds_driver(folder: &Path) -> bool {
    fs::read_dir(folder)
        .is_ok_and(|files| files.flatten().any(|file| file.path().extension().is_some_and(|ext| ext == "json")))
}

fn find_chrome() -> Option<PathBuf> {
    if let Some(chrome) = std::env::var_os("CHROME").filter(|path| !path.is_empty()) {
        return Some(chrome.into());
    }
    let on_mac = PathBuf::from("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome");
    find_program(&["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"])
        .or_else(|| Some(on_mac).filter(|file| file.is_file()))
}

fn is_root(workspace: &Workspace) -> bool {
    cfg!(unix) && Program::new(workspace, "id").args(["-u"]).output().is_ok_and(|id| id.trim() == "0")
}

fn install_npm_packages(workspace: &Workspace) -> Result {
    let (Some(_), Some(npm)) = (find_program(&["node"]), find_program(&["npm"])) else {
        println!("    missing: Node.js; {NODE_ADVICE}");
        return Ok(());
    };
    if packages_are_fresh(&workspace.root) {
        return Ok(());
    }
    println!("    installing the packages of package-lock.json");
    Program::new(workspace, npm)
        .args(["ci", "--no-audit", "--no-fund"])
        .advice("Is there a network connection? The packages are downloaded once.")
        .run()
}

/// Whether node_modules was written after package-lock.json. npm leaves a hidden lock file there when it is done, so a
/// broken-off installation does not count.
fn packages_are_fresh(root: &Path) -> bool {
    let changed = |file: &str| fs::metadata(root.join(file)).and_then(|data| data.modified());
    match (changed("node_modules/.package-lock.json"), changed("package-lock.json")) {
        (Ok(installed), Ok(wanted)) => installed >= wanted,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::fake::Folder;

    #[test]
    fn driver_is_a_json_manifest() {
        let folder = Folder::new("driver");
        assert!(!holds_driver(folder.path()));
        folder.write("readme.txt", "");
        assert!(!holds_driver(folder.path()));
        folder.write("lvp_icd.x86_64.json", "{}");
        assert!(holds_driver(folder.path()));
    }

    #[test]
    fn packages_are_fresh_only_after_a_complete_install() {
        let folder = Folder::new("packages");
        folder.write("package-lock.json", "{}");
        assert!(!packages_are_fresh(folder.path()));
        folder.write("node_modules/left-over.js", "");
        assert!(!packages_are_fresh(folder.path()));
        folder.write("node_modules/.package-lock.json", "{}");
        assert!(packages_are_fresh(folder.path()));
    }

    #[test]
    fn hint_names_the_package() {
        let package = Package { what: "a thing", debian: "thing-1" };
        assert!(package.install_hint().contains("apt-get install thing-1"));
    }
}
