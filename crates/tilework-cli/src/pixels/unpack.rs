//! `tilework pixels unpack`: the files of a picture again.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::json;

use super::pages::{self, Unfinished};
use super::{out_argument, path_of, picture_argument};
use crate::device_choice::json_argument;
use crate::failure::{Outcome, Verdict};
use crate::llm::amount;
use crate::terminal::{Out, Paint, Progress};

const EXAMPLES: &str = "\
Examples:
  tilework pixels unpack m.png -o folder             all files, under their own names
  tilework pixels unpack m.png -o model.safetensors  the only file of a picture, under this name
  tilework pixels unpack m.png -o folder --force     replace files that are there

Bytes are compared with the checksums in the picture on the way; files appear only if all are right.";

pub(super) fn command() -> Command {
    Command::new("unpack")
        .about("Give back the files of a picture, byte for byte")
        .arg(picture_argument("picture"))
        .arg(out_argument("A folder, or the name of the only file").required(true))
        .arg(Arg::new("force").long("force").action(ArgAction::SetTrue).help("Replace files that are there"))
        .arg(json_argument())
        .after_help(EXAMPLES)
}

pub(super) fn run(matches: &ArgMatches, out: &mut Out) -> Outcome {
    let (source, target) = (path_of(matches, "picture"), path_of(matches, "out"));
    let start = Instant::now();
    let picture = pages::open(source)?;
    let names: Vec<String> = picture.files().map(|file| file.0.to_owned()).collect();
    let is_file = names.len() == 1 && !target.is_dir() && target.extension().is_some();
    let paths: Vec<PathBuf> =
        names.iter().map(|name| if is_file { target.to_owned() } else { target.join(name) }).collect();
    for path in &paths {
        pages::check_free(path, matches.get_flag("force"))?;
    }
    let progress = if matches.get_flag("json") { Progress::silent() } else { Progress::new() };
    let total: u64 = picture.files().map(|file| file.2).sum();
    let mut unfinished = Unfinished::new();
    let mut done = 0;
    let unpacked = picture.unpack(&mut |number, bytes| {
        done += bytes.len() as u64;
        progress.show(&format!("{}: {} of {}", names[number], amount(done), amount(total)));
        unfinished.write(&paths[number], bytes)
    });
    progress.clear();
    unpacked.map_err(|error| pages::explained(source, error))?;
    unfinished.finish()?;
    let seconds = start.elapsed().as_secs_f64();
    let rate = total as f64 / 1e6 / seconds;
    if matches.get_flag("json") {
        let paths: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        out.json(&json!({ "files": paths, "bytes": total, "seconds": seconds, "megabytes_per_s": rate }))?;
        return Ok(Verdict::Fine);
    }
    let word = out.paint(Paint::Good, "done");
    writeln!(out, "{word}: {} in {seconds:.2} s, {rate:.0} MB a second", amount(total))?;
    for path in paths {
        writeln!(out, "  {}", path.display())?;
    }
    Ok(Verdict::Fine)
}
