//! The `tilework` program: what devices there are, whether they compute correctly and how fast.
//!
//! One file per command; each has a `command()` that describes its arguments and a `run()` that prints what the library
//! found. The commands are one table, [`COMMANDS`]. Everything is written through [`Out`], so that colors, pipes and closed
//! pipes are dealt with once.

use std::process::ExitCode;

use clap::{ArgMatches, Command};

use crate::failure::{Failure, Outcome, Verdict};
use crate::terminal::Out;

mod bench;
mod conformance;
mod cpu_check;
mod device_choice;
mod doctor;
mod embed;
mod failure;
mod files;
mod info;
mod kernels;
mod llm;
mod mnist;
mod pip;
mod pixels;
mod serve;
mod solve;
mod terminal;
mod timing;
mod tour;
mod tune;
mod workload;

/// One row of the command table.
struct Entry {
    command: fn() -> Command,
    run: fn(&ArgMatches, &mut Out) -> Outcome,
}

const COMMANDS: &[Entry] = &[
    Entry { command: info::command, run: info::run },
    Entry { command: doctor::command, run: doctor::run },
    Entry { command: conformance::command, run: conformance::run },
    Entry { command: bench::command, run: bench::run },
    Entry { command: kernels::command, run: kernels::run },
    Entry { command: tune::command, run: tune::run },
    Entry { command: embed::command, run: embed::run },
    Entry { command: llm::generate::command, run: llm::generate::run },
    Entry { command: llm::chat::command, run: llm::chat::run },
    Entry { command: serve::command, run: serve::run },
    Entry { command: llm::logits::command, run: llm::logits::run },
    Entry { command: llm::perplexity::command, run: llm::perplexity::run },
    Entry { command: tour::command, run: tour::run },
    Entry { command: mnist::command, run: mnist::run },
    Entry { command: pixels::command, run: pixels::run },
    Entry { command: solve::command, run: solve::run },
    Entry { command: llm::pull::command, run: llm::pull::run },
    Entry { command: llm::inspect::command, run: llm::inspect::run },
    Entry { command: llm::quantize::command, run: llm::quantize::run },
    Entry { command: llm::tokenize::command, run: llm::tokenize::run },
];

const EXAMPLES: &str = "\
Examples:
  tilework doctor          does everything work here, and what to do if not
  tilework tour            a short walk through what Tilework does
  tilework bench matmul    how fast matrix products are
  tilework mnist train     train a network that reads handwritten digits
  tilework pixels --help   models as pictures: pack, look at, compare, run
  tilework <command> --help";

fn cli() -> Command {
    Command::new("tilework")
        .version(env!("CARGO_PKG_VERSION"))
        .about(
            "NumPy-style arrays on any GPU, in any browser and on the CPU: look at devices, check them, measure them",
        )
        .after_help(EXAMPLES)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands(COMMANDS.iter().map(|entry| (entry.command)()))
}

fn main() -> ExitCode {
    // Usage errors and --help end the program here, with exit codes 2 and 0.
    let matches = cli().get_matches();
    let mut out = Out::stdout();
    let outcome = match matches.subcommand() {
        Some((name, matches)) => match COMMANDS.iter().find(|entry| (entry.command)().get_name() == name) {
            Some(entry) => (entry.run)(matches, &mut out),
            None => Err(Failure::usage(format!("there is no command `{name}`"), "`tilework --help` lists them")),
        },
        None => Err(Failure::usage("no command given", "`tilework --help` lists them")),
    };
    match outcome {
        Ok(Verdict::Fine) => ExitCode::SUCCESS,
        Ok(Verdict::Bad) => ExitCode::FAILURE,
        // The reader has seen enough, as in `tilework info | head -3`.
        Err(failure) if failure.is_closed_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            terminal::print_error(&failure);
            ExitCode::from(failure.exit_code())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_consistent() {
        cli().debug_assert();
    }
}
