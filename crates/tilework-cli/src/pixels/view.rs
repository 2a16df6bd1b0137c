//! `tilework pixels view`: weights as colors, heads side by side, histograms.

use std::io::Write;

use clap::builder::PossibleValue;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use serde_json::json;
use tilework_nn::pixels::{HeadAxis, Histogram, PixelFile, Tile, heads, heat, histogram, overview, values};

use super::{out_argument, pages, path_of, picture_argument, size_argument, size_of, write_picture};
use crate::device_choice::json_argument;
use crate::failure::{Failure, Outcome, Verdict};
use crate::terminal::{Out, Paint};

const EXAMPLES: &str = "\
Examples:
  tilework pixels view m.png -o heat.png                             the whole model
  tilework pixels view m.png --tensor fc1.weight -o fc1.png          one tensor
  tilework pixels view m.png --tensor blk.0.attn_q.weight --heads 9 -o heads.png
  tilework pixels view m.png --tensor fc1.weight --histogram         how its numbers are spread

Blue is negative, red positive, white zero. Each tensor has a scale of its own: the darkest color is three times the root mean square.";

/// Columns of the longest bar.
const BAR: f64 = 50.0;

pub(super) fn command() -> Command {
    Command::new("view")
        .about("Write a picture for people: weights as colors")
        .arg(picture_argument("picture"))
        .arg(out_argument("The picture to write"))
        .arg(Arg::new("tensor").long("tensor").short('t').value_name("NAME").help("Only this tensor"))
        .arg(
            Arg::new("page")
                .long("page")
                .value_name("K")
                .default_value("1")
                .value_parser(value_parser!(u32).range(1..))
                .help("Which page of a picture that has several"),
        )
        .args(head_arguments())
        .arg(
            Arg::new("scale")
                .long("scale")
                .value_name("X")
                .value_parser(value_parser!(f32))
                .help("The number with the darkest color [default: three times the root mean square]"),
        )
        .arg(
            Arg::new("histogram")
                .long("histogram")
                .action(ArgAction::SetTrue)
                .requires("tensor")
                .help("Print how the numbers of the tensor are spread"),
        )
        .arg(size_argument())
        .arg(json_argument())
        .after_help(EXAMPLES)
}

/// `--heads` and `--by`.
fn head_arguments() -> [Arg; 2] {
    let heads = Arg::new("heads")
        .long("heads")
        .value_name("N")
        .value_parser(value_parser!(u32).range(1..=65_536))
        .requires("tensor")
        .help("The tensor's heads as tiles side by side");
    let axes = [
        PossibleValue::new("rows").help("rows, as in query, key and value projections"),
        PossibleValue::new("columns").help("columns, as in output projections"),
    ];
    let by = Arg::new("by").long("by").value_name("AXIS").default_value("rows").value_parser(axes);
    [heads, by.help("What heads are groups of")]
}

pub(super) fn run(matches: &ArgMatches, out: &mut Out) -> Outcome {
    let path = path_of(matches, "picture");
    let picture = pages::open(path)?;
    let explain = |error| pages::explained(path, error);
    let name = matches.get_one::<String>("tensor");
    if matches.get_flag("histogram") {
        let index = picture.find(name.map_or("", String::as_str)).map_err(explain)?;
        let n_bins = if matches.get_flag("json") { 64 } else { 24 };
        print_histogram(&histogram(&picture, index, n_bins).map_err(explain)?, matches.get_flag("json"), out)?;
        if !matches.contains_id("out") {
            return Ok(Verdict::Fine);
        }
    }
    if !matches.contains_id("out") {
        return Err(Failure::usage("there is no place for the picture", "name one by `-o heat.png`"));
    }
    let target = path_of(matches, "out");
    let is_source = target.canonicalize().is_ok_and(|target| path.canonicalize().is_ok_and(|path| path == target));
    if is_source {
        return Err(Failure::usage("a picture for people would replace the model", "name another file by `-o`"));
    }
    let made = match name {
        Some(name) => tensor_picture(matches, &picture, name),
        None => {
            let page = matches.get_one::<u32>("page").map_or(0, |&page| page as usize - 1);
            overview(&picture, page, size_of(matches))
        }
    };
    let made = made.map_err(explain)?;
    write_picture(target, &made)?;
    if !matches.get_flag("json") {
        writeln!(out, "{}: {} × {} pixels", target.display(), made.width, made.height)?;
    } else if !matches.get_flag("histogram") {
        out.json(&json!({ "picture": target.display().to_string(), "width": made.width, "height": made.height }))?;
    }
    Ok(Verdict::Fine)
}

fn tensor_picture(
    matches: &ArgMatches,
    picture: &PixelFile,
    name: &str,
) -> tilework::Result<tilework_nn::pixels::Picture> {
    let tile = picture.tensor(name)?;
    let numbers = values(&tile.dtype, &picture.read(name)?)?;
    let n_cols = columns(tile, numbers.len());
    match matches.get_one::<u32>("heads") {
        Some(&n) => {
            let is_columns = matches.get_one::<String>("by").is_some_and(|by| by == "columns");
            let axis = if is_columns { HeadAxis::Columns } else { HeadAxis::Rows };
            heads(&numbers, n_cols, n as usize, axis, size_of(matches))
        }
        None => heat(&numbers, n_cols, matches.get_one::<f32>("scale").copied(), size_of(matches)),
    }
}

/// The last axis; a vector of many numbers is folded to a square.
fn columns(tile: &Tile, n: usize) -> usize {
    let last = usize::try_from(tile.n_cols()).unwrap_or(n);
    if last < n || n <= 256 {
        return last.max(1);
    }
    let root = n.isqrt();
    (1..=root).rev().map(|part| n / part).find(|part| n.is_multiple_of(*part)).unwrap_or(n)
}

fn print_histogram(found: &Histogram, is_json: bool, out: &mut Out) -> Outcome<()> {
    if is_json {
        out.json(&json!({
            "n": found.n, "n_zero": found.n_zero, "n_not_finite": found.n_not_finite, "min": found.min,
            "max": found.max, "mean": found.mean, "deviation": found.deviation, "bins": found.bins,
        }))?;
        return Ok(());
    }
    out.row("numbers", &format!("{}, {} of them zero, {} not finite", found.n, found.n_zero, found.n_not_finite))?;
    out.row("range", &format!("{} to {}", found.min, found.max))?;
    out.row("mean", &format!("{:.6} ± {:.6}", found.mean, found.deviation))?;
    let most = found.bins.iter().copied().max().unwrap_or(0).max(1);
    let step = (f64::from(found.max) - f64::from(found.min)) / found.bins.len() as f64;
    for (bin, &count) in found.bins.iter().enumerate() {
        let from = f64::from(found.min) + step * bin as f64;
        let bar = "█".repeat((count as f64 / most as f64 * BAR).round() as usize);
        let bar = out.paint(Paint::Code, &bar);
        writeln!(out, "  {from:>11.5}  {bar} {count}")?;
    }
    Ok(())
}
