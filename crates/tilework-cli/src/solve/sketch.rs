//! `tilework solve sketch`: points, lines and circles that satisfy constraints.

use std::io::Write;
use std::path::PathBuf;

use clap::{ArgMatches, Command, value_parser};
use serde_json::{Value, json};
use tilework_solve::SolveOptions;
use tilework_solve::formats::sketch::NamedSketch;

use super::settings::{Settings, option, with_settings};
use super::{input, runner};
use crate::failure::{Outcome, Verdict};
use crate::terminal::Out;

/// What is drawn if no file is named.
const EXAMPLE: &str = include_str!("example_sketch.txt");

const EXAMPLES: &str = "\
Examples:
  tilework solve sketch                      a plate with two holes
  tilework solve sketch drawing.txt --out solved.txt
  tilework solve sketch drawing.txt --json

A file has a line per part and per constraint (angles in degrees):
  point a 0 0        line floor a b        circle hole a 1.5
  coincident p q     horizontal l          vertical l           parallel l m        perpendicular l m    angle l m DEGREES
  collinear l m      tangent l c           tangent-circles c d  equal-length l m    equal-radius c d     distance p q LENGTH
  midpoint p l       point-on-line p l     point-on-circle p c  symmetric p q l     concentric c d       radius c LENGTH
  fixed p X Y        distance-to-line p l LENGTH";

pub(super) fn command() -> Command {
    let command = Command::new("sketch")
        .about("Sketches: points, lines and circles that satisfy constraints")
        .arg(input::file_argument("A sketch; an example if left out"))
        .arg(
            option("stiffness", "WEIGHT", "How much parts stay where they are drawn, where constraints leave it open")
                .value_parser(value_parser!(f64))
                .default_value("1e-6"),
        )
        .arg(input::out_argument("Write the solved sketch here, in the same format"))
        .after_help(EXAMPLES);
    with_settings(command)
}

pub(super) fn run(matches: &ArgMatches, out: &mut Out) -> Outcome {
    let settings = Settings::read(matches)?;
    let given = match matches.get_one::<PathBuf>("file") {
        Some(path) => NamedSketch::parse(&input::text(path)?).map_err(input::in_file(path))?,
        None => NamedSketch::parse(EXAMPLE)?,
    };
    let stiffness = matches.get_one::<f64>("stiffness").copied().unwrap_or(0.0);
    let mut built = given.sketch.problem(stiffness)?;
    let defaults = SolveOptions { max_iterations: 100, function_tolerance: 1e-12, ..SolveOptions::default() };
    let solver = runner::Runner::new(&settings);
    let outcome = solver.solve("sketch", &mut built.problem, &settings.over(defaults), out)?;
    let Some(summary) = outcome else { return Ok(Verdict::Fine) };
    let solved = NamedSketch { sketch: built.result(&given.sketch), ..given };
    let saved = input::save(matches, |_| Ok(solved.to_text().into_bytes()))?;
    if settings.is_json {
        let point = |(name, &[x, y]): (&String, &[f64; 2])| (name.clone(), json!([x, y]));
        let radius = |(name, &radius): (&String, &f64)| (name.clone(), json!(radius));
        let points: serde_json::Map<String, Value> =
            solved.points.iter().zip(&solved.sketch.points).map(point).collect();
        let radii: serde_json::Map<String, Value> =
            solved.circles.iter().zip(&solved.sketch.radii).map(radius).collect();
        let groups = summary.telemetry.n_groups;
        out.json(&runner::json_with(&summary, json!({ "points": points, "radii": radii, "groups": groups })))?;
        return Ok(Verdict::Fine);
    }
    runner::print_titled(&format!("{} constraints", solved.sketch.constraints.len()), &summary, out)?;
    for (name, [x, y]) in solved.points.iter().zip(&solved.sketch.points) {
        writeln!(out, "  point {name:<8} {x:12.6} {y:12.6}")?;
    }
    for (name, radius) in solved.circles.iter().zip(&solved.sketch.radii) {
        writeln!(out, "  circle {name:<7} {radius:12.6}")?;
    }
    if let Some(path) = saved {
        out.row("saved", &path.display().to_string())?;
    }
    Ok(Verdict::Fine)
}
