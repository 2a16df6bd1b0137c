//! `tilework pixels verify`: whether a picture is still the model.

use std::io::Write;

use clap::{ArgMatches, Command};
use serde_json::json;
use tilework_nn::pixels::Verified;

use super::{pages, path_of, picture_argument};
use crate::device_choice::json_argument;
use crate::failure::{Outcome, Verdict};
use crate::terminal::{Out, Paint, Progress};

const EXAMPLES: &str = "\
Examples:
  tilework pixels verify m.png
  tilework pixels verify m.png --json | jq .wrong_tensors

Exit code 0 if every byte is right, 1 if not. A picture that another program wrote anew without loss is still right, if the program
kept the index.";

/// Names to print.
const N_SHOWN: usize = 12;

pub(super) fn command() -> Command {
    Command::new("verify")
        .about("Compare a picture with its checksums, and name what happened to it")
        .arg(picture_argument("picture"))
        .arg(json_argument())
        .after_help(EXAMPLES)
}

pub(super) fn run(matches: &ArgMatches, out: &mut Out) -> Outcome {
    let path = path_of(matches, "picture");
    let picture = pages::open(path)?;
    let progress = if matches.get_flag("json") { Progress::silent() } else { Progress::new() };
    let found = picture.verify(&mut |done, total| {
        progress.show(&format!("{} %", done.saturating_mul(100) / total.max(1)));
        Ok(())
    });
    progress.clear();
    let found = found.map_err(|error| pages::explained(path, error))?;
    if matches.get_flag("json") {
        out.json(&json!({
            "intact": found.is_intact(), "n_intact": found.n_intact, "wrong_tensors": found.wrong_tensors,
            "wrong_files": found.wrong_files, "rewritten_pages": found.rewritten_pages,
            "broken_chunks": found.broken_chunks,
            "damage": found.damage.map(|damage| format!("{damage:?}").to_lowercase()),
            "explanation": found.damage.map(|damage| damage.explanation()),
        }))?;
    } else {
        print(&found, out)?;
    }
    Ok(if found.is_intact() { Verdict::Fine } else { Verdict::Bad })
}

fn print(found: &Verified, out: &mut Out) -> Outcome<()> {
    let pages = |numbers: &[usize]| numbers.iter().map(|n| (n + 1).to_string()).collect::<Vec<_>>().join(", ");
    if found.is_intact() {
        let word = out.paint(Paint::Good, "intact");
        writeln!(out, "{word}: all {} tensors and the rest of the files, bit for bit", found.n_intact)?;
    } else {
        let word = out.paint(Paint::Bad, "wrong");
        let n_all = found.n_intact + found.wrong_tensors.len();
        writeln!(out, "{word}: {} of {n_all} tensors differ", found.wrong_tensors.len())?;
        if let Some(damage) = found.damage {
            writeln!(out, "  {}", damage.explanation())?;
        }
        for name in found.wrong_tensors.iter().take(N_SHOWN) {
            writeln!(out, "  tensor `{name}` differs")?;
        }
        if found.wrong_tensors.len() > N_SHOWN {
            writeln!(out, "  and {} more", found.wrong_tensors.len() - N_SHOWN)?;
        }
        for name in &found.wrong_files {
            writeln!(out, "  a part of the file {name} that is no tensor is damaged")?;
        }
    }
    if !found.rewritten_pages.is_empty() {
        writeln!(
            out,
            "  another program wrote page {} anew: reading it needs decoding",
            pages(&found.rewritten_pages)
        )?;
    }
    if !found.broken_chunks.is_empty() {
        writeln!(out, "  page {} has a chunk with a wrong checksum", pages(&found.broken_chunks))?;
    }
    Ok(())
}
