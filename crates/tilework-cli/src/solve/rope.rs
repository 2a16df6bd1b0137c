//! `tilework solve rope`: a rope that does not cross itself.

use clap::{Arg, ArgMatches, Command, value_parser};
use serde_json::json;
use tilework_solve::SolveOptions;
use tilework_solve::problems::rope::{Rope, rope};

use super::settings::{Settings, option, with_settings};
use super::{input, runner};
use crate::failure::{Outcome, Verdict};
use crate::terminal::Out;

const EXAMPLES: &str = "\
Examples:
  tilework solve rope
  tilework solve rope --beads 100 --length 12 --span 2 --thickness 0.3 --out rope.csv
  tilework solve rope --json";

pub(super) fn command() -> Command {
    let command = Command::new("rope")
        .about("A rope between two pins that keeps its length and does not cross itself")
        .arg(option("beads", "N", "Beads it is made of").value_parser(value_parser!(usize)).default_value("40"))
        .arg(number("length", "6", "Its length"))
        .arg(number("span", "2", "How far apart it is pinned"))
        .arg(number("thickness", "0.35", "How near it may come to itself"))
        .arg(number("stiffness", "0.05", "How much it resists being bent"))
        .arg(input::out_argument("Write the places of its beads here, as lines of x,y"))
        .after_help(EXAMPLES);
    with_settings(command)
}

fn number(name: &'static str, default: &'static str, help: &'static str) -> Arg {
    option(name, "NUMBER", help).value_parser(value_parser!(f64)).default_value(default)
}

pub(super) fn run(matches: &ArgMatches, out: &mut Out) -> Outcome {
    let settings = Settings::read(matches)?;
    let number = |name: &str| matches.get_one::<f64>(name).copied().unwrap_or(0.0);
    let wanted = Rope {
        n_beads: matches.get_one("beads").copied().unwrap_or(0),
        length: number("length"),
        span: number("span"),
        thickness: number("thickness"),
        stiffness: number("stiffness"),
    };
    let mut built = rope(wanted)?;
    let defaults = SolveOptions { max_iterations: 200, ..SolveOptions::default() };
    let solved = runner::Runner::new(&settings).solve("rope", &mut built.problem, &settings.over(defaults), out)?;
    let Some(summary) = solved else { return Ok(Verdict::Fine) };
    let beads = built.problem.values(built.beads).as_chunks::<2>().0;
    let distance = |a: usize, b: usize| (beads[a][0] - beads[b][0]).hypot(beads[a][1] - beads[b][1]);
    let length: f64 = (1..beads.len()).map(|k| distance(k - 1, k)).sum();
    let csv: String = beads.iter().map(|[x, y]| format!("{x},{y}\n")).collect();
    let saved = input::save(matches, |_| Ok(csv.into_bytes()))?;
    if settings.is_json {
        out.json(&runner::json_with(&summary, json!({ "beads": beads, "length": length })))?;
        return Ok(Verdict::Fine);
    }
    runner::print_titled(&format!("{} beads", beads.len()), &summary, out)?;
    out.row("length", &format!("{length:.4} of {}", wanted.length))?;
    if let Some(path) = saved {
        out.row("saved", &path.display().to_string())?;
    }
    Ok(Verdict::Fine)
}
