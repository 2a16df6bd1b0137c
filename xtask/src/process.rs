//! Running other programs, and the error that says which of them failed and what to do about it.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::Workspace;

/// Result of a step.
pub(crate) type Result<T = ()> = std::result::Result<T, Failure>;

/// Why a step failed and what the reader can do about it.
#[derive(Debug)]
pub(crate) struct Failure {
    what: String,
    advice: Option<String>,
}

impl Failure {
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), advice: None }
    }

    #[must_use]
    pub(crate) fn advice(self, advice: impl Into<String>) -> Self {
        Self { advice: Some(advice.into()), ..self }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.what)?;
        match &self.advice {
            Some(advice) => write!(f, "\n help: {advice}"),
            None => Ok(()),
        }
    }
}

/// One program to run in the workspace root.
pub(crate) struct Program {
    command: Command,
    advice: &'static str,
}

impl Program {
    pub(crate) fn new(workspace: &Workspace, program: impl AsRef<OsStr>) -> Self {
        let mut command = Command::new(program);
        command.current_dir(&workspace.root).stdin(Stdio::null());
        if std::env::var_os("XDG_RUNTIME_DIR").is_none() {
            command.env("XDG_RUNTIME_DIR", runtime_dir(workspace));
        }
        Self { command, advice: "" }
    }

    /// The cargo that started this program.
    pub(crate) fn cargo(workspace: &Workspace) -> Self {
        Self::new(workspace, std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
    }

    #[must_use]
    pub(crate) fn args<S: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = S>) -> Self {
        self.command.args(arguments);
        self
    }

    #[must_use]
    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// What to do when it fails.
    #[must_use]
    pub(crate) fn advice(self, advice: &'static str) -> Self {
        Self { advice, ..self }
    }

    /// Runs it to its end, its output going to the terminal.
    pub(crate) fn run(mut self) -> Result {
        let status = self.command.status().map_err(|error| self.failure(&error.to_string()))?;
        if status.success() { Ok(()) } else { Err(self.failure(&status.to_string())) }
    }

    /// Runs it and returns what it wrote to standard output; its errors go to the terminal.
    pub(crate) fn output(mut self) -> Result<String> {
        let output =
            self.command.stderr(Stdio::inherit()).output().map_err(|error| self.failure(&error.to_string()))?;
        if !output.status.success() {
            return Err(self.failure(&output.status.to_string()));
        }
        String::from_utf8(output.stdout).map_err(|error| self.failure(&error.to_string()))
    }

    fn failure(&self, why: &str) -> Failure {
        let failure = Failure::new(format!("`{}` failed: {why}", line(&self.command)));
        if self.advice.is_empty() { failure } else { failure.advice(self.advice) }
    }
}

/// The command as one would type it; the program by its name alone, since its folder differs between machines.
fn line(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_stem().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args()).map(|word| {
        let word = word.to_string_lossy();
        if word.is_empty() || word.contains(' ') { format!("'{word}'") } else { word.into_owned() }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The first of `names` found on PATH.
pub(crate) fn find_program(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    names.iter().find_map(|name| find_in(&path, name))
}

fn find_in(path: &OsString, name: &str) -> Option<PathBuf> {
    let suffixes: &[&str] = if cfg!(windows) { &[".exe", ".cmd"] } else { &[""] };
    std::env::split_paths(path)
        .flat_map(|folder| suffixes.iter().map(move |suffix| folder.join(format!("{name}{suffix}"))))
        .find(|file| file.is_file())
}

/// Whether this runs unattended: then a step that cannot run is a failure, not a loud skip.
pub(crate) fn is_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| value == "true" || value == "1")
}

/// A folder to stand in for XDG_RUNTIME_DIR: graphics drivers and browsers complain or fail without one, and containers
/// seldom set it. Only its owner may enter it, as the specification of that variable wants.
fn runtime_dir(workspace: &Workspace) -> PathBuf {
    let dir = workspace.target.join("runtime");
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    // It exists already except on the first run; without it the drivers say what they miss.
    let _ = builder.recursive(true).create(&dir);
    dir
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failure_names_the_command_and_the_advice() {
        let workspace = Workspace::find();
        let program = Program::new(&workspace, "/opt/bin/no-such-program").args(["a b", "c"]).advice("Install it.");
        let text = program.run().unwrap_err().to_string();
        assert!(text.contains("`no-such-program 'a b' c` failed"), "{text}");
        assert!(text.ends_with("help: Install it."), "{text}");
    }

    #[test]
    fn output_is_captured() {
        let workspace = Workspace::find();
        let text = Program::cargo(&workspace).args(["--version"]).output().unwrap();
        assert!(text.starts_with("cargo "), "{text}");
    }

    #[test]
    fn programs_are_found_on_the_path_only() {
        assert!(find_program(&["no-such-program-anywhere", "cargo"]).is_some());
        assert!(find_program(&["no-such-program-anywhere"]).is_none());
    }
}
