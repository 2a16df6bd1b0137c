//! `tilework pixels diff`: where two models differ, and by how much.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use clap::{Arg, ArgMatches, Command, value_parser};
use serde_json::{Value, json};
use tilework_nn::pixels::{Diff, DiffOptions, TensorDiff, TensorState, diff, diff_picture};

use super::{out_argument, pages, path_of, picture_argument, size_argument, size_of, write_picture};
use crate::device_choice::json_argument;
use crate::failure::{Outcome, Verdict};
use crate::terminal::{Out, Paint};

const EXAMPLES: &str = "\
Examples:
  tilework pixels diff before.png after.png -o diff.png     the layout of the first; red is more, blue is less
  tilework pixels diff a.png b.png --json

Exit code 0 if they are equal and 1 if not, as of `diff`.";

/// Columns of the longest bar.
const BAR: f64 = 40.0;
/// Power of two at which the first bin of magnitudes ends.
const FIRST_END: i32 = -31;

pub(super) fn command() -> Command {
    Command::new("diff")
        .about("Compare two models tensor by tensor")
        .arg(picture_argument("first"))
        .arg(picture_argument("second").help("The picture it is compared with"))
        .arg(out_argument("Also write the differences as colors"))
        .arg(
            Arg::new("top")
                .long("top")
                .value_name("N")
                .default_value("12")
                .value_parser(value_parser!(u16))
                .help("Tensors to print, those that differ most first"),
        )
        .arg(
            Arg::new("page")
                .long("page")
                .value_name("K")
                .default_value("1")
                .value_parser(value_parser!(u32).range(1..))
                .help("Which page to draw"),
        )
        .arg(size_argument())
        .arg(json_argument())
        .after_help(EXAMPLES)
}

pub(super) fn run(matches: &ArgMatches, out: &mut Out) -> Outcome {
    let (first_path, second_path) = (path_of(matches, "first"), path_of(matches, "second"));
    let start = Instant::now();
    let (first, second) = (pages::open(first_path)?, pages::open(second_path)?);
    let found = if let Some(path) = matches.get_one::<PathBuf>("out") {
        let page = matches.get_one::<u32>("page").map_or(0, |&page| page as usize - 1);
        let options = DiffOptions { page, max_px: size_of(matches) };
        let (found, picture) =
            diff_picture(&first, &second, options).map_err(|error| pages::explained(first_path, error))?;
        write_picture(path, &picture)?;
        found
    } else {
        diff(&first, &second).map_err(|error| pages::explained(first_path, error))?
    };
    let seconds = start.elapsed().as_secs_f64();
    if matches.get_flag("json") {
        let tensors: Vec<Value> = found.tensors.iter().map(tensor_json).collect();
        out.json(&json!({
            "equal": is_equal(&found), "n_compared": found.n_compared, "n_different": found.n_different,
            "magnitudes": found.magnitudes, "tensors": tensors, "seconds": seconds,
        }))?;
    } else {
        print(&found, matches.get_one::<u16>("top").map_or(12, |&n| n.into()), out)?;
    }
    Ok(if is_equal(&found) { Verdict::Fine } else { Verdict::Bad })
}

fn is_equal(found: &Diff) -> bool {
    found.tensors.iter().all(|tensor| tensor.state == TensorState::Equal)
}

fn state(state: TensorState) -> &'static str {
    match state {
        TensorState::Equal => "equal",
        TensorState::Different => "different",
        TensorState::OtherForm => "other shape or type",
        TensorState::OnlyFirst => "only in the first",
        TensorState::OnlySecond => "only in the second",
    }
}

fn tensor_json(tensor: &TensorDiff) -> Value {
    json!({
        "name": tensor.name, "state": state(tensor.state), "n": tensor.n, "n_different": tensor.n_different,
        "max": tensor.max, "rms": tensor.rms, "rms_first": tensor.rms_first,
    })
}

fn print(found: &Diff, n_shown: usize, out: &mut Out) -> Outcome<()> {
    let n_equal = found.tensors.iter().filter(|tensor| tensor.state == TensorState::Equal).count();
    if is_equal(found) {
        let word = out.paint(Paint::Good, "equal");
        writeln!(out, "{word}: all {n_equal} tensors, bit for bit")?;
        return Ok(());
    }
    let word = out.paint(Paint::Warning, "different");
    let numbers = format!("{} of {} numbers", found.n_different, found.n_compared);
    writeln!(out, "{word}: {numbers}; {n_equal} of {} tensors are equal", found.tensors.len())?;
    let relative = |tensor: &TensorDiff| tensor.rms / tensor.rms_first.max(f64::MIN_POSITIVE);
    let mut tensors: Vec<&TensorDiff> =
        found.tensors.iter().filter(|tensor| tensor.state != TensorState::Equal).collect();
    tensors.sort_by(|a, b| relative(b).total_cmp(&relative(a)));
    for tensor in tensors.iter().take(n_shown) {
        let what = match tensor.state {
            TensorState::Different => format!(
                "{:.3} % of its size, at most {:.3e}, {} of {}",
                relative(tensor) * 100.0,
                tensor.max,
                tensor.n_different,
                tensor.n
            ),
            other => state(other).to_owned(),
        };
        writeln!(out, "  {:<44} {what}", tensor.name)?;
    }
    if tensors.len() > n_shown {
        writeln!(out, "  and {} more", tensors.len() - n_shown)?;
    }
    out.title("size of the differences")?;
    let most = found.magnitudes.iter().copied().max().unwrap_or(0).max(1);
    for (bin, &count) in found.magnitudes.iter().enumerate().filter(|(_, count)| **count > 0) {
        let bar = "█".repeat((count as f64 / most as f64 * BAR).ceil() as usize);
        let bar = out.paint(Paint::Code, &bar);
        writeln!(out, "  < 2^{:<4} {bar} {count}", FIRST_END + bin as i32)?;
    }
    Ok(())
}
