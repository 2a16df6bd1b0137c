//! `tilework solve arm`: a robot arm that reaches.

use std::io::Write;

use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::{Value, json};
use tilework_solve::SolveOptions;
use tilework_solve::problems::arm::{Joint, end_of, reach};

use super::settings::{Settings, option, with_settings};
use super::{input, runner};
use crate::failure::{Failure, Outcome, Verdict};
use crate::terminal::Out;

const EXAMPLES: &str = "\
Examples:
  tilework solve arm
  tilework solve arm --target 1.2,0.6,0.5 --target 0.2,-0.9,-0.7
  tilework solve arm --links 1,0.8,0.6,0.3 --limit 120 --target 1,1,1 --json

The arm turns about the vertical at its foot; every link has an elbow that turns up and down.";

/// How much joints avoid turning: enough to choose among ways to reach a target, too little to miss it.
const COMFORT: f64 = 1e-6;

pub(super) fn command() -> Command {
    let command = Command::new("arm")
        .about("A robot arm: the angles of its joints for targets")
        .arg(option("links", "LENGTHS", "Lengths of its links, separated by commas").default_value("1,0.8,0.4"))
        .arg(
            option("limit", "DEGREES", "How far joints turn to each side")
                .value_parser(clap::value_parser!(f64))
                .default_value("150"),
        )
        .arg(
            Arg::new("target")
                .long("target")
                .value_name("X,Y,Z")
                .action(ArgAction::Append)
                .allow_hyphen_values(true)
                .help("Where to reach; may be given more than once")
                .default_value("1.2,0.6,0.5"),
        )
        .after_help(EXAMPLES);
    with_settings(command)
}

pub(super) fn run(matches: &ArgMatches, out: &mut Out) -> Outcome {
    let settings = Settings::read(matches)?;
    let joints = joints(matches)?;
    let targets = targets(matches)?;
    let start: Vec<f64> = (0..joints.len()).map(|k| if k == 0 { 0.0 } else { 0.3 }).collect();
    let mut built = reach(&joints, &targets, &start, COMFORT)?;
    let defaults = SolveOptions { max_iterations: 100, function_tolerance: 1e-12, ..SolveOptions::default() };
    let solver = runner::Runner::new(&settings);
    let solved = solver.solve("arm", &mut built.problem, &settings.over(defaults), out)?;
    let Some(summary) = solved else { return Ok(Verdict::Fine) };
    let angles = built.problem.values(built.angles);
    let found: Vec<Reached> =
        angles.chunks(joints.len()).zip(&targets).map(|(a, t)| Reached::new(&joints, a, *t)).collect();
    if settings.is_json {
        let arms: Vec<Value> = found.iter().map(Reached::json).collect();
        out.json(&runner::json_with(&summary, json!({ "arms": arms })))?;
        return Ok(Verdict::Fine);
    }
    runner::print_titled(&format!("{} joints, {} targets", joints.len(), targets.len()), &summary, out)?;
    for Reached { target: [x, y, z], angles_deg, miss, .. } in &found {
        let angles: Vec<String> = angles_deg.iter().map(|angle| format!("{angle:.1}°")).collect();
        writeln!(out, "  {x} {y} {z}: {}, misses by {miss:.1e}", angles.join(" "))?;
    }
    Ok(Verdict::Fine)
}

/// What an arm did about a target.
struct Reached {
    target: [f64; 3],
    angles_deg: Vec<f64>,
    end: [f64; 3],
    miss: f64,
}

impl Reached {
    fn new(joints: &[Joint], angles: &[f64], target: [f64; 3]) -> Reached {
        let end = end_of(joints, angles);
        let miss = (0..3).map(|k| (end[k] - target[k]).powi(2)).sum::<f64>().sqrt();
        Reached { target, angles_deg: angles.iter().map(|angle| angle.to_degrees()).collect(), end, miss }
    }

    fn json(&self) -> Value {
        json!({ "target": self.target, "angles_deg": self.angles_deg, "end": self.end, "miss": self.miss })
    }
}

fn joints(matches: &ArgMatches) -> Outcome<Vec<Joint>> {
    let text = matches.get_one::<String>("links").map_or("", String::as_str);
    let links = input::numbers(text).filter(|links| links.len() <= 50).ok_or_else(|| {
        Failure::usage(format!("`{text}` are no lengths"), "up to 50 of them, separated by commas: `--links 1,0.8`")
    })?;
    let limit = matches.get_one::<f64>("limit").copied().unwrap_or(150.0).to_radians();
    if !(limit.is_finite() && limit > 0.0) {
        return Err(Failure::usage("a joint that does not turn", "`--limit 120`"));
    }
    let foot = Joint { axis: [0.0, 0.0, 1.0], link: 0.0, limits_rad: -limit..=limit };
    // Turned about −y, a positive angle is upwards.
    let elbow = |&link: &f64| Joint { axis: [0.0, -1.0, 0.0], link, limits_rad: -limit..=limit };
    Ok([foot].into_iter().chain(links.iter().map(elbow)).collect())
}

fn targets(matches: &ArgMatches) -> Outcome<Vec<[f64; 3]>> {
    let one = |text: &String| {
        let place = input::numbers(text).and_then(|place| place.try_into().ok());
        place.ok_or_else(|| Failure::usage(format!("`{text}` is no place"), "`--target 1,0.5,-0.2`"))
    };
    matches.get_many::<String>("target").unwrap_or_default().map(one).collect()
}
