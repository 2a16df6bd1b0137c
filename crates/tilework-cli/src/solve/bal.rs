//! `tilework solve bal`: bundle adjustment.

use std::path::PathBuf;

use clap::{ArgMatches, Command};
use tilework_solve::SolveOptions;
use tilework_solve::formats::bal::Bundle;
use tilework_solve::problems::bundle::bundle;

use super::settings::{Settings, with_settings};
use super::{input, runner};
use crate::failure::{Outcome, Verdict};
use crate::terminal::Out;

const EXAMPLES: &str = "\
Examples:
  tilework solve bal problem-49-7776-pre.txt.bz2
  tilework solve bal problem-49-7776-pre.txt --loss huber:1 --out adjusted.txt
  tilework solve bal problem-49-7776-pre.txt --linear pcg --json

Files are those of \"Bundle Adjustment in the Large\" (grail.cs.washington.edu/projects/bal), packed or not. JSON has
initial_cost, final_cost, iterations, seconds and reason; the cost is half of the sum of squares, in pixels.";

pub(super) fn command() -> Command {
    let command = Command::new("bal")
        .about("Bundle adjustment: cameras and points that explain what was seen where")
        .arg(input::file_argument("A problem in BAL's text format, or that packed as .bz2").required(true))
        .arg(input::out_argument("Write the adjusted bundle here, in the same format"))
        .after_help(EXAMPLES);
    with_settings(command)
}

pub(super) fn run(matches: &ArgMatches, out: &mut Out) -> Outcome {
    let settings = Settings::read(matches)?;
    let path = matches.get_one::<PathBuf>("file").cloned().unwrap_or_default();
    let solver = runner::Runner::new(&settings);
    solver.show("reading the bundle ...");
    let given = Bundle::parse(&input::text(&path)?).map_err(input::in_file(&path))?;
    let mut built = bundle(&given, settings.loss)?;
    let solved = solver.solve("bundle", &mut built.problem, &settings.over(SolveOptions::default()), out)?;
    let Some(summary) = solved else { return Ok(Verdict::Fine) };
    let saved = input::save(matches, |_| Ok(built.result(&given).to_text().into_bytes()))?;
    if settings.is_json {
        out.json(&runner::json(&summary))?;
        return Ok(Verdict::Fine);
    }
    let title = format!(
        "{} cameras, {} points, {} observations",
        given.cameras.len(),
        given.points.len(),
        given.observations.len()
    );
    runner::print_titled(&title, &summary, out)?;
    let root = (2.0 * summary.final_cost / given.observations.len().max(1) as f64).sqrt();
    out.row("distance", &format!("{root:.4} pixels, root of the mean square"))?;
    if let Some(path) = saved {
        out.row("saved", &path.display().to_string())?;
    }
    Ok(Verdict::Fine)
}
