//! `tilework solve nist`: the certified regressions of NIST, and how many of their digits are found.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, Command, value_parser};
use serde_json::{Value, json};
use tilework_solve::SolveOptions;
use tilework_solve::formats::nist::Regression;
use tilework_solve::problems::nist;

use super::settings::{Settings, with_settings};
use super::{fetch, input, runner};
use crate::failure::{Failure, Outcome, Verdict};
use crate::terminal::{Out, Paint};

const EXAMPLES: &str = "\
Examples:
  tilework solve fetch                     once: the 27 files, by pip
  tilework solve nist                      all of them, from both starting points
  tilework solve nist Misra1a.dat MGH10.dat
  tilework solve nist folder/with/files --json

Digits are those NIST counts: the least over the parameters of -log10 of the relative error against the certified value, at
most the 11 that are certified. JSON is a list of problem, start, precision, digits and iterations.";

/// Digits that count as a success.
const GOOD_DIGITS: f64 = 8.0;

/// One fit.
#[derive(Clone)]
struct Row {
    problem: String,
    difficulty: String,
    start: usize,
    digits: f64,
    iterations: usize,
    cost: f64,
    is_plateau: bool,
}

pub(super) fn command() -> Command {
    let command = Command::new("nist")
        .about("NIST's 27 certified nonlinear regressions: how many digits are found")
        .arg(
            Arg::new("files")
                .value_name("FILE")
                .num_args(0..)
                .value_parser(value_parser!(PathBuf))
                .help("Files, or folders of them; where `tilework solve fetch` put them if left out"),
        )
        .after_help(EXAMPLES);
    with_settings(command)
}

pub(super) fn run(matches: &ArgMatches, out: &mut Out) -> Outcome {
    let settings = Settings::read(matches)?;
    let mut regressions = read_all(matches)?;
    mend(&mut regressions)?;
    let rows = fits(&regressions, &settings, out)?;
    if settings.shown.is_some() {
        return Ok(Verdict::Fine);
    }
    let precision = settings.machine.precision();
    if settings.is_json {
        out.json(&rows.iter().map(|row| row_json(row, precision)).collect())?;
    } else {
        print(&rows, precision, out)?;
    }
    Ok(Verdict::Fine)
}

/// All regressions from both starts, or as many as there are before Ctrl-C.
fn fits(regressions: &[Regression], settings: &Settings, out: &mut Out) -> Outcome<Vec<Row>> {
    let solver = runner::Runner::new(settings);
    let options = settings.over(nist::options());
    let mut rows = Vec::new();
    for (regression, start) in regressions.iter().flat_map(|regression| [1, 2].map(|start| (regression, start))) {
        let mut row = attempt(regression, start, &solver, &options, out)?;
        if let Some(first) = row.as_mut().filter(|row| row.is_plateau)
            && let Some(second) = attempt(regression, start, &solver, &nist::cautious(options.clone()), out)?
        {
            let iterations = first.iterations + second.iterations;
            let better = if second.cost < first.cost { &second } else { &*first };
            *first = Row { iterations, ..better.clone() };
        }
        if solver.is_interrupted() {
            break;
        }
        rows.extend(row);
    }
    Ok(rows)
}

fn attempt(
    regression: &Regression,
    start: usize,
    solver: &runner::Runner,
    options: &SolveOptions<'_>,
    out: &mut Out,
) -> Outcome<Option<Row>> {
    let mut fit = nist::fit(regression, &regression.starts[start - 1])?;
    let solved = solver.solve(&regression.name, &mut fit.problem, options, out)?;
    Ok(solved.map(|summary| Row {
        problem: regression.name.clone(),
        difficulty: regression.difficulty.clone(),
        start,
        digits: regression.correct_digits(fit.problem.values(fit.parameters)),
        iterations: summary.n_iterations(),
        cost: summary.final_cost,
        is_plateau: nist::is_plateau(&summary),
    }))
}

/// Counts digits against what NIST publishes, whatever became of a file's copy of it.
fn mend(regressions: &mut [Regression]) -> Outcome<()> {
    for regression in regressions {
        if nist::mend(regression) {
            let text = "this file's certified parameters are not those that NIST publishes; it is damaged. Digits are counted against the \
                        published ones.";
            writeln!(std::io::stderr().lock(), "warning: {}: {text}", regression.name)?;
        }
    }
    Ok(())
}

fn row_json(row: &Row, precision: &str) -> Value {
    json!({
        "problem": row.problem,
        "start": row.start,
        "precision": precision,
        "digits": (row.digits * 100.0).round() / 100.0,
        "iterations": row.iterations,
    })
}

fn print(rows: &[Row], precision: &str, out: &mut Out) -> Outcome<()> {
    let header = format!(
        "{:<10} {:<8} {:<9} {:>16} {:>18}",
        "problem", "level", "precision", "start 1: digits", "start 2: digits"
    );
    let header = out.paint(Paint::Title, &header);
    writeln!(out, "{header}")?;
    for pair in rows.chunk_by(|a, b| a.problem == b.problem) {
        write!(out, "{:<10} {:<8} {precision:<9}", pair[0].problem, pair[0].difficulty)?;
        for row in pair {
            let paint = if row.digits >= GOOD_DIGITS { Paint::Good } else { Paint::Bad };
            let digits = out.paint(paint, &format!("{:>6.1}", row.digits));
            let steps = out.paint(Paint::Faint, &format!("{:>5} steps", row.iterations));
            write!(out, " {digits} {steps}")?;
        }
        writeln!(out)?;
    }
    for start in [1, 2] {
        let of_start = rows.iter().filter(|row| row.start == start);
        let n_good = of_start.clone().filter(|row| row.digits >= GOOD_DIGITS).count();
        writeln!(out, "from start {start}: {n_good} of {} to {GOOD_DIGITS} digits or more", of_start.count())?;
    }
    Ok(())
}

fn read_all(matches: &ArgMatches) -> Outcome<Vec<Regression>> {
    let named: Vec<PathBuf> = matches.get_many::<PathBuf>("files").unwrap_or_default().cloned().collect();
    let sources = if named.is_empty() { vec![fetch::fetched()?] } else { named };
    let mut paths = Vec::new();
    for source in sources {
        if source.is_dir() {
            paths.extend(in_folder(&source)?);
        } else {
            paths.push(source);
        }
    }
    paths.iter().map(|path| Regression::parse(&input::text(path)?).map_err(input::in_file(path))).collect()
}

/// The `.dat` files of a folder, by name.
fn in_folder(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let cannot = |error| Failure::file(format!("cannot read {}: {error}", folder.display()), fetch::ADVICE);
    let entries = fs::read_dir(folder).map_err(cannot)?.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let mut found: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|ending| ending == "dat")).collect();
    found.sort();
    if found.is_empty() {
        return Err(Failure::file(format!("{} has no .dat files", folder.display()), fetch::ADVICE));
    }
    Ok(found)
}
