//! Every developer command of Tilework, run as `cargo xtask <command>`.
//!
//! The commands are one table, [`COMMANDS`]: the parser, the list and each `--help` are read from it, so a new command is one
//! function and one row. No command asks a question. A command is a sequence of steps; each is announced in one line, the
//! first that fails ends the command with a non-zero exit code, and the times of all of them are printed at the end.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "talking to the developer is what this program is for")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::browser::NoCase;
use crate::process::{Failure, Result};
use crate::steps::Steps;

mod browser;
mod check;
mod document;
mod hoist;
mod imports;
mod models;
mod numerics;
mod order;
mod peers;
mod process;
mod serve;
mod setup;
mod size;
mod small_std;
mod steps;
mod test;
mod tidy;
mod up;
mod wasm;
mod web;

/// One row of the command table.
struct Command {
    name: &'static str,
    /// What follows the name in the usage line; it also tells the parser how many arguments to take.
    takes: Takes,
    /// One line for the list of commands.
    summary: &'static str,
    /// A command line that works as it stands.
    example: &'static str,
    run: fn(&Workspace, &[String], &mut Steps) -> Result,
}

/// Which arguments a command takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Takes {
    Nothing,
    /// At most one part of a test name.
    Filter,
    /// Anything; it is handed on to the program that the command starts.
    Rest,
}

const COMMANDS: &[Command] = &[
    Command {
        name: "setup",
        takes: Takes::Nothing,
        summary: "install what is missing: the wasm32 target, a Vulkan driver, Chromium, the npm packages, a model for tests",
        example: "cargo xtask setup",
        run: |workspace, _, steps| setup::run(workspace, steps).map(drop),
    },
    Command {
        name: "check",
        takes: Takes::Nothing,
        summary: "formatting, lints (native and wasm32) and the tidy rules; changes nothing",
        example: "cargo xtask check",
        run: |workspace, _, steps| check::run(workspace, steps),
    },
    Command {
        name: "test",
        takes: Takes::Filter,
        summary: "everything: setup, check, native tests, doc tests, the browser module, the npm package, the studio",
        example: "cargo xtask test softmax",
        run: |workspace, arguments, steps| test::run(workspace, filter(arguments), steps),
    },
    Command {
        name: "wasm",
        takes: Takes::Filter,
        summary: "build the browser modules (core, whole, conformance) in target/web, or those with FILTER in their name",
        example: "cargo xtask wasm core",
        run: |workspace, arguments, steps| wasm::run(workspace, filter(arguments).unwrap_or(""), steps),
    },
    Command {
        name: "size",
        takes: Takes::Nothing,
        summary: "hold the built browser module against its size budget (gzipped)",
        example: "cargo xtask wasm && cargo xtask size",
        run: |workspace, _, steps| size::run(workspace, steps),
    },
    Command {
        name: "browser",
        takes: Takes::Filter,
        summary: "run the conformance cases on the built module in headless Chromium, on WebGPU and on the CPU",
        example: "cargo xtask browser matmul",
        run: |workspace, arguments, steps| browser::run(workspace, filter(arguments), NoCase::Fails, steps),
    },
    Command {
        name: "site",
        takes: Takes::Nothing,
        summary: "build the studio with the module and the npm package it is made of: site/dist, for any static host and folder",
        example: "cargo xtask site",
        run: |workspace, _, steps| web::site(workspace, steps),
    },
    Command {
        name: "serve",
        takes: Takes::Nothing,
        summary: "serve the studio on this machine (builds it if there is none), until Ctrl-C",
        example: "cargo xtask serve",
        run: |workspace, _, steps| web::serve(workspace, steps),
    },
    Command {
        name: "web",
        takes: Takes::Nothing,
        summary: "build the npm package and the studio from the built module and run their tests",
        example: "cargo xtask wasm && cargo xtask web",
        run: |workspace, _, steps| web::test(workspace, steps),
    },
    Command {
        name: "numerics",
        takes: Takes::Nothing,
        summary: "measure the error of every scalar operation and write the table of docs/numerics.md",
        example: "cargo xtask numerics",
        run: |workspace, _, steps| numerics::run(workspace, steps),
    },
    Command {
        name: "up",
        takes: Takes::Nothing,
        summary: "from a fresh clone to the studio: setup, release build, `tilework doctor` and `tour`, then serve the studio",
        example: "cargo xtask up",
        run: |workspace, _, steps| up::run(workspace, steps),
    },
    Command {
        name: "bench",
        takes: Takes::Rest,
        summary: "release build, then `tilework bench` with the arguments given here; --peers: against NumPy, SciPy, JAX and PyTorch, \
                  with --browser also against other libraries in Chromium",
        example: "cargo xtask bench matmul",
        run: |workspace, arguments, steps| up::bench(workspace, arguments, steps),
    },
];

fn filter(arguments: &[String]) -> Option<&str> {
    arguments.first().map(String::as_str)
}

/// Where the project lies and where cargo builds.
struct Workspace {
    root: PathBuf,
    target: PathBuf,
}

impl Workspace {
    /// The workspace this program was started in. Cargo names the xtask folder at run time; without cargo, the folder of
    /// compilation is used.
    fn find() -> Self {
        let xtask = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_else(|_| env!("CARGO_MANIFEST_DIR").to_owned());
        let root = Path::new(&xtask).parent().expect("xtask is a folder of the workspace").to_owned();
        // `join` keeps an absolute CARGO_TARGET_DIR as it is.
        let target = root.join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()));
        Self { root, target }
    }

    /// Whether `crates/<name>` exists; parts of the command sequence wait for their crate.
    fn has_crate(&self, name: &str) -> bool {
        self.root.join("crates").join(name).join("Cargo.toml").is_file()
    }
}

/// What a command line asks for.
enum Request<'a> {
    List,
    Help(&'static Command),
    Run(&'static Command, &'a [String]),
}

/// Reads the command line after `cargo xtask`.
fn parse(arguments: &[String]) -> Result<Request<'_>> {
    let is_help = |text: &str| matches!(text, "--help" | "-h" | "help");
    let Some((name, rest)) = arguments.split_first() else { return Ok(Request::List) };
    if is_help(name) {
        return match rest.first() {
            Some(command) => find(command).map(Request::Help),
            None => Ok(Request::List),
        };
    }
    let command = find(name)?;
    if rest.first().is_some_and(|first| first == "--help" || first == "-h") {
        return Ok(Request::Help(command));
    }
    // `--` may stand before the arguments, so that `bench -- --help` reaches the program.
    let rest = if rest.first().is_some_and(|first| first == "--") { &rest[1..] } else { rest };
    let surplus = match command.takes {
        Takes::Nothing => rest.first(),
        Takes::Filter => rest.iter().find(|text| text.starts_with('-')).or(rest.get(1)),
        Takes::Rest => None,
    };
    match surplus {
        Some(text) => {
            Err(Failure::new(format!("`{name}` does not take `{text}`")).advice(format!("usage: {}", usage(command))))
        }
        None => Ok(Request::Run(command, rest)),
    }
}

fn find(name: &str) -> Result<&'static Command> {
    COMMANDS.iter().find(|command| command.name == name).ok_or_else(|| {
        Failure::new(format!("there is no command `{name}`")).advice("`cargo xtask --help` lists the commands")
    })
}

fn usage(command: &Command) -> String {
    let arguments = match command.takes {
        Takes::Nothing => "",
        Takes::Filter => " [filter]",
        Takes::Rest => " [arguments]",
    };
    format!("cargo xtask {}{arguments}", command.name)
}

fn list() -> String {
    let rows: String = COMMANDS.iter().map(|row| format!("  {:<8} {}\n", row.name, row.summary)).collect();
    format!(
        "usage: cargo xtask <command>\n\n{rows}\n`cargo xtask <command> --help` shows one of them.\n\nexample: cargo xtask test\n"
    )
}

fn help(command: &Command) -> String {
    format!("{}\n\nusage:   {}\nexample: {}\n", command.summary, usage(command), command.example)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match parse(&arguments) {
        Ok(Request::List) => {
            print!("{}", list());
            Ok(())
        }
        Ok(Request::Help(command)) => {
            print!("{}", help(command));
            Ok(())
        }
        Ok(Request::Run(command, rest)) => {
            let mut steps = Steps::default();
            let outcome = (command.run)(&Workspace::find(), rest, &mut steps);
            steps.print_summary();
            outcome
        }
        Err(failure) => Err(failure),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn no_arguments_or_help_list_the_commands() {
        for line in ["", "--help", "-h", "help"] {
            assert!(matches!(parse(&words(line)), Ok(Request::List)), "{line:?}");
        }
        let list = list();
        assert!(COMMANDS.iter().all(|command| list.contains(command.name)));
    }

    #[test]
    fn every_command_has_help_with_an_example() {
        for command in COMMANDS {
            for line in [format!("{} --help", command.name), format!("help {}", command.name)] {
                let words = words(&line);
                let Ok(Request::Help(found)) = parse(&words) else { panic!("{line} is not help") };
                assert!(help(found).contains("example: cargo xtask"));
                assert!(command.example.contains(command.name));
            }
        }
    }

    #[test]
    fn filter_is_at_most_one_word() {
        let one = words("test softmax");
        let Ok(Request::Run(command, rest)) = parse(&one) else { panic!("test softmax must run") };
        assert_eq!((command.name, rest), ("test", &words("softmax")[..]));
        for line in ["test a b", "browser --fast", "check a", "setup --yes"] {
            assert!(parse(&words(line)).is_err(), "{line}");
        }
    }

    #[test]
    fn rest_is_handed_on_untouched() {
        for (line, expected) in [("bench matmul --repeat 3", "matmul --repeat 3"), ("bench -- --help", "--help")] {
            let line = words(line);
            let Ok(Request::Run(_, rest)) = parse(&line) else { panic!("bench must run") };
            assert_eq!(rest, words(expected));
        }
    }

    #[test]
    fn unknown_command_says_where_to_look() {
        let words = words("tset");
        let Err(failure) = parse(&words) else { panic!("tset is no command") };
        assert!(failure.to_string().contains("`tset`") && failure.to_string().contains("--help"));
    }
}
