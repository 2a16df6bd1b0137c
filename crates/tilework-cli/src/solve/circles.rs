//! `tilework solve circles`: circles through points.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{ArgMatches, Command};
use serde_json::{Value, json};
use tilework_solve::SolveOptions;
use tilework_solve::problems::circles::fit_circles;

use super::settings::{Settings, with_settings};
use super::{input, runner};
use crate::failure::{Failure, Outcome, Verdict};
use crate::terminal::Out;

const EXAMPLES: &str = "\
Examples:
  tilework solve circles                          three circles with noise and a stray point each
  tilework solve circles --loss cauchy:0.05       the same, and the stray points do not matter
  tilework solve circles points.txt --json

A file has a point `x y` per line, an empty line between the points of two circles.";

pub(super) fn command() -> Command {
    let command = Command::new("circles")
        .about("Circles: centers and radii nearest to points")
        .arg(input::file_argument("Points; an example if left out"))
        .after_help(EXAMPLES);
    with_settings(command)
}

pub(super) fn run(matches: &ArgMatches, out: &mut Out) -> Outcome {
    let settings = Settings::read(matches)?;
    let sets = match matches.get_one::<PathBuf>("file") {
        Some(path) => read(path)?,
        None => example(),
    };
    let mut fit = fit_circles(&sets, settings.loss)?;
    let defaults = SolveOptions { max_iterations: 100, function_tolerance: 1e-10, ..SolveOptions::default() };
    let solved = runner::Runner::new(&settings).solve("circles", &mut fit.problem, &settings.over(defaults), out)?;
    let Some(summary) = solved else { return Ok(Verdict::Fine) };
    let found = fit.problem.values(fit.circles).as_chunks::<3>().0;
    if settings.is_json {
        let circles: Vec<Value> =
            found.iter().map(|[x, y, radius]| json!({ "x": x, "y": y, "radius": radius })).collect();
        out.json(&runner::json_with(&summary, json!({ "circles": circles })))?;
        return Ok(Verdict::Fine);
    }
    runner::print_titled(&format!("{} circles, {} points", sets.len(), sets.concat().len()), &summary, out)?;
    for [x, y, radius] in found {
        writeln!(out, "  center {x:10.5} {y:10.5}   radius {:10.5}", radius.abs())?;
    }
    Ok(Verdict::Fine)
}

fn read(path: &Path) -> Outcome<Vec<Vec<[f64; 2]>>> {
    let mut sets = vec![Vec::new()];
    for (index, line) in input::text(path)?.lines().enumerate() {
        let numbers: Vec<Option<f64>> =
            line.split([' ', '\t', ',']).filter(|word| !word.is_empty()).map(|word| word.trim().parse().ok()).collect();
        match numbers[..] {
            [] => sets.push(Vec::new()),
            [Some(x), Some(y)] => sets.last_mut().into_iter().for_each(|set: &mut Vec<[f64; 2]>| set.push([x, y])),
            _ => {
                let what = format!("{}: line {}: `{line}` is no point", path.display(), index + 1);
                return Err(Failure::file(what, "a line has two numbers"));
            }
        }
    }
    sets.retain(|set| !set.is_empty());
    Ok(sets)
}

/// Points near three circles, a fourteenth of each far off. Noise is that of a sine, the same every time.
fn example() -> Vec<Vec<[f64; 2]>> {
    let near = |&(x, y, radius): &(f64, f64, f64)| {
        let on = |k: u32| {
            let angle = f64::from(k) * 0.45;
            let noisy = radius + 0.02 * (f64::from(k) * 12.9898).sin();
            [x + noisy * angle.cos(), y + noisy * angle.sin()]
        };
        (0..13).map(on).chain([[x + 3.0 * radius, y]]).collect()
    };
    [(0.0, 0.0, 1.0), (4.0, 1.0, 2.0), (-3.0, -2.0, 0.5)].iter().map(near).collect()
}
