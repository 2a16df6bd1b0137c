//! Every operation is complete: a folder with its meaning in it, and a line in the registry.

use std::path::Path;

use super::{Findings, entries, read};
use crate::process::Result;

/// What every operation brings: its definition for machines and for readers.
const REQUIRED_FILES: &[&str] = &["mod.rs", "reference.rs"];

/// Checks `source` (the source folder of tilework-ops), if it has operations yet.
pub(super) fn check(source: &Path, findings: &mut Findings) -> Result {
    let ops = source.join("ops");
    if !ops.is_dir() {
        return Ok(());
    }
    let registry = source.join("registry.rs");
    let registry = if registry.is_file() { Some(read(&registry)?) } else { None };
    let mut folders: Vec<_> = entries(&ops)?.into_iter().filter(|path| path.is_dir()).collect();
    folders.sort();
    for folder in folders {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let missing = REQUIRED_FILES.iter().filter(|file| !folder.join(file).is_file());
        findings.problems.extend(missing.map(|file| format!("op {name}: {file} is missing")));
        if registry.as_ref().is_some_and(|registry| !has_word(registry, &name)) {
            findings.problems.push(format!("op {name}: not named in crates/tilework-ops/src/registry.rs"));
        }
    }
    Ok(())
}

/// Whether `word` stands in `text` as an identifier of its own.
fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|found| found == word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::fake::Folder;

    fn problems(source: &Folder) -> Vec<String> {
        let mut findings = Findings::default();
        check(source.path(), &mut findings).unwrap();
        findings.problems
    }

    #[test]
    fn nothing_is_asked_before_there_are_ops() {
        assert!(problems(&Folder::new("no-ops")).is_empty());
    }

    #[test]
    fn op_needs_its_files_and_its_registry_line() {
        let source = Folder::new("ops");
        source.write("ops/mod.rs", "");
        source.write("ops/softmax/mod.rs", "");
        source.write("ops/softmax/reference.rs", "");
        assert!(problems(&source).is_empty(), "no registry yet");
        source.write("registry.rs", "static OPS: &[Entry] = &[log_softmax::ENTRY];");
        assert_eq!(problems(&source), ["op softmax: not named in crates/tilework-ops/src/registry.rs"]);
        source.write("registry.rs", "static OPS: &[Entry] = &[softmax::ENTRY, sort::ENTRY];");
        source.write("ops/sort/mod.rs", "");
        assert_eq!(problems(&source), ["op sort: reference.rs is missing"]);
    }
}
