//! Tidy rules: promises about the source tree that no compiler checks.
//!
//! They run in `cargo xtask check` and as an ordinary test, [`tests::the_project_is_tidy`]. A rule is a function from facts
//! (text, paths, manifests) to findings, so that its own tests need no project around them. Rules about a folder that does
//! not exist are silent.

use std::fs;
use std::path::{Path, PathBuf};

use crate::process::{Failure, Result};

mod layers;
mod ops;
mod sources;

/// What the rules found. Notes are worth reading; problems fail the check.
#[derive(Default, Debug)]
pub(crate) struct Findings {
    pub(crate) notes: Vec<String>,
    pub(crate) problems: Vec<String>,
}

/// Runs all rules on the project in `root`.
pub(crate) fn check(root: &Path) -> Result<Findings> {
    let mut findings = Findings::default();
    layers::check(&layers::read(root)?, &mut findings);
    for file in files(root)? {
        sources::check(&file, &mut findings);
    }
    ops::check(&root.join("crates/tilework-ops/src"), &mut findings)?;
    Ok(findings)
}

/// A source file: its path from the root, with `/` between the parts, and its text.
struct SourceFile {
    path: String,
    text: String,
}

/// Endings of the files that the rules read.
const ENDINGS: &[&str] = &["rs", "ts", "tsx", "wgsl", "mjs"];

/// Folders with nothing hand-written in them; those whose name starts with a dot are left out as well.
const SKIPPED_FOLDERS: &[&str] = &["target", "node_modules", "dist"];

/// All source files below `root`, sorted by path.
fn files(root: &Path) -> Result<Vec<SourceFile>> {
    let mut folders = vec![root.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for path in entries(&folder)? {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if path.is_dir() {
                if !name.starts_with('.') && !SKIPPED_FOLDERS.contains(&&*name) {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|extension| ENDINGS.iter().any(|ending| extension == *ending)) {
                files.push(SourceFile { path: relative(root, &path), text: read(&path)? });
            }
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

fn relative(root: &Path, path: &Path) -> String {
    let parts = path.strip_prefix(root).unwrap_or(path).components();
    parts.map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// What is in a folder, in no order.
fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(|error| unreadable(folder, &error))?;
    Ok(entries.flatten().map(|entry| entry.path()).collect())
}

fn read(file: &Path) -> Result<String> {
    fs::read_to_string(file).map_err(|error| unreadable(file, &error))
}

fn unreadable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("cannot read {}: {error}", path.display()))
}

#[cfg(test)]
pub(crate) mod fake {
    //! A folder for a test to fill; removed when it goes out of scope.

    use std::fs;
    use std::path::{Path, PathBuf};

    pub(crate) struct Folder(PathBuf);

    impl Folder {
        /// `name` keeps the folders of tests running at the same time apart.
        pub(crate) fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("tilework-xtask-{}-{name}", std::process::id()));
            let _ = fs::remove_dir_all(&path);
            fs::create_dir_all(&path).expect("the temporary folder is writable");
            Self(path)
        }

        pub(crate) fn path(&self) -> &Path {
            &self.0
        }

        pub(crate) fn write(&self, file: &str, text: &str) {
            let file = self.0.join(file);
            fs::create_dir_all(file.parent().expect("a file lies in a folder")).expect("the folder is writable");
            fs::write(file, text).expect("the folder is writable");
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Workspace;

    #[test]
    fn the_project_is_tidy() {
        let findings = check(&Workspace::find().root).unwrap();
        assert!(findings.problems.is_empty(), "\n{}", findings.problems.join("\n"));
    }

    #[test]
    fn only_hand_written_sources_are_read() {
        let folder = fake::Folder::new("files");
        for file in ["src/b.rs", "a.mjs", "target/c.rs", "web/node_modules/d.ts", ".git/e.rs", "readme.md"] {
            folder.write(file, "");
        }
        let paths: Vec<String> = files(folder.path()).unwrap().into_iter().map(|file| file.path).collect();
        assert_eq!(paths, ["a.mjs", "src/b.rs"]);
    }
}
