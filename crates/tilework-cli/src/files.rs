//! Files that commands read and write.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Outcome};

/// Tilework's folder in this user's cache.
pub(crate) fn cache_folder() -> Option<PathBuf> {
    let from = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache =
        from("XDG_CACHE_HOME").or_else(|| from("LOCALAPPDATA")).or_else(|| Some(from("HOME")?.join(".cache")))?;
    Some(cache.join("tilework"))
}

/// Where fetched models are kept: `TILEWORK_MODELS`, or `models` in this user's cache.
pub(crate) fn models_folder() -> Option<PathBuf> {
    let own = std::env::var_os("TILEWORK_MODELS").filter(|value| !value.is_empty()).map(PathBuf::from);
    own.or_else(|| Some(cache_folder()?.join("models")))
}

/// Reads a file, or says which one could not be read and why.
pub(crate) fn read(path: &Path, advice: &'static str) -> Outcome<Vec<u8>> {
    fs::read(path).map_err(|error| Failure::file(format!("cannot read {}: {error}", path.display()), advice))
}

/// Writes a file, whole or not at all.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Outcome<()> {
    let unfinished = path.with_extension("unfinished");
    fs::write(&unfinished, bytes).and_then(|()| fs::rename(&unfinished, path)).map_err(|error| {
        Failure::file(format!("cannot write {}: {error}", path.display()), "is the folder there, and is there room?")
    })
}
