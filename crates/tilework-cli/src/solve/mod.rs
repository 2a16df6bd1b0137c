//! `tilework solve`: nonlinear least squares, from files to results.
//!
//! One file per kind of problem; each has a `command()` and a `run()`. What they share is in `settings` (the options every problem has)
//! and `runner` (solving with a progress line, Ctrl-C and a report).

mod arm;
mod bal;
mod circles;
mod fetch;
mod g2o;
mod gradient;
mod input;
mod mesh;
mod nist;
mod rope;
mod runner;
mod settings;
mod sketch;

use clap::{ArgMatches, Command};

use crate::failure::{Failure, Outcome};
use crate::terminal::Out;

struct Entry {
    command: fn() -> Command,
    run: fn(&ArgMatches, &mut Out) -> Outcome,
}

const PROBLEMS: &[Entry] = &[
    Entry { command: nist::command, run: nist::run },
    Entry { command: bal::command, run: bal::run },
    Entry { command: g2o::command, run: g2o::run },
    Entry { command: mesh::command, run: mesh::run },
    Entry { command: sketch::command, run: sketch::run },
    Entry { command: arm::command, run: arm::run },
    Entry { command: circles::command, run: circles::run },
    Entry { command: rope::command, run: rope::run },
    Entry { command: gradient::command, run: gradient::run },
    Entry { command: fetch::command, run: fetch::run },
];

const EXAMPLES: &str = "\
Examples:
  tilework solve fetch                                    once: the 27 regressions of NIST, by pip
  tilework solve nist                                     how many digits of the certified answers are found
  tilework solve bal problem-49-7776-pre.txt.bz2          bundle adjustment
  tilework solve g2o sphere2500.g2o --out solved.g2o      a pose graph
  tilework solve mesh icosphere:3 --energy developability --out pieces.obj
  tilework solve sketch drawing.txt
  tilework solve <problem> --help

Costs are half of the sum of squares. Ctrl-C stops with what was found so far.";

pub(crate) fn command() -> Command {
    Command::new("solve")
        .about("Solve nonlinear least squares: regressions, bundles, pose graphs, meshes, sketches")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands(PROBLEMS.iter().map(|entry| (entry.command)()))
        .after_help(EXAMPLES)
}

pub(crate) fn run(matches: &ArgMatches, out: &mut Out) -> Outcome {
    let missing = || Failure::usage("solve needs a problem", "`tilework solve --help` lists them");
    let (name, matches) = matches.subcommand().ok_or_else(missing)?;
    let entry = PROBLEMS.iter().find(|entry| (entry.command)().get_name() == name).ok_or_else(missing)?;
    (entry.run)(matches, out)
}
