//! `tilework conformance`: every operation's cases on a device of this machine.

use std::io::Write;

use clap::builder::PossibleValue;
use clap::{Arg, ArgMatches, Command};
use tilework_conformance::{Density, Options, Report};

use crate::device_choice::{self, SOFTWARE_NOTE, is_software, json_argument};
use crate::failure::{Outcome, Verdict};
use crate::terminal::{Out, Paint, Progress};

const EXAMPLES: &str = "\
Examples:
  tilework conformance                         all cases on the CPU or the GPU, as `auto` decides
  tilework conformance softmax --device gpu    cases of one operation on the GPU
  tilework conformance --density full          also the worst error of every scalar operation
  tilework conformance --json > report.json

Exit code 1 if a case fails or no case has the filter in its name.";

pub(crate) fn command() -> Command {
    let density = Arg::new("density").long("density").value_name("DENSITY").default_value("quick").value_parser([
        PossibleValue::new("quick").help("a few thousand values for each scalar operation"),
        PossibleValue::new("full").help("a quarter of a million each, and a table of the worst errors"),
    ]);
    Command::new("conformance")
        .about("Check every operation on a device against its reference")
        .arg(
            Arg::new("filter")
                .value_name("FILTER")
                .default_value("")
                .hide_default_value(true)
                .help("Only cases whose name contains this"),
        )
        .arg(device_choice::argument().default_value("auto"))
        .arg(density.help("How densely scalar operations are sampled"))
        .arg(json_argument())
        .after_help(EXAMPLES)
}

pub(crate) fn run(matches: &ArgMatches, out: &mut Out) -> Outcome {
    let is_json = matches.get_flag("json");
    let density = if text(matches, "density") == "full" { Density::Full } else { Density::Quick };
    let options = Options { filter: text(matches, "filter").to_owned(), density, ..Options::default() };
    let progress = if is_json { Progress::silent() } else { Progress::new() };
    let report = pollster::block_on(async {
        let device = device_choice::open(text(matches, "device")).await?;
        if !is_json {
            let note = if is_software(&device) { format!(" ({SOFTWARE_NOTE})") } else { String::new() };
            writeln!(out, "conformance on {}{note}", device.name())?;
        }
        let mut show = |at: tilework_conformance::Progress<'_>| {
            progress.show(&format!("[{}/{}] {}", at.done, at.total, at.name));
        };
        Outcome::Ok(tilework_conformance::run(&device, &options, &mut show).await)
    })?;
    progress.clear();
    if is_json {
        writeln!(out, "{}", report.to_json())?;
    } else {
        print(&report, density, out)?;
    }
    // A filter with a typing error must not pass for success.
    let is_typo = !options.filter.is_empty() && n_cases(&report) == 0;
    if is_typo && !is_json {
        writeln!(out, "no case has `{}` in its name", options.filter)?;
    }
    Ok(if report.failed == 0 && !is_typo { Verdict::Fine } else { Verdict::Bad })
}

fn n_cases(report: &Report) -> usize {
    report.passed + report.failed + report.skipped
}

fn text<'a>(matches: &'a ArgMatches, name: &str) -> &'a str {
    matches.get_one::<String>(name).map_or("", String::as_str)
}

fn print(report: &Report, density: Density, out: &mut Out) -> Outcome<()> {
    for failure in &report.failures {
        let label = out.paint(Paint::Bad, "FAIL");
        writeln!(out, "\n{label}  {}", failure.case)?;
        for line in failure.message.lines() {
            writeln!(out, "      {line}")?;
        }
    }
    if density == Density::Full {
        print_scalar_errors(report, out)?;
    }
    let paint = if report.failed == 0 { Paint::Good } else { Paint::Bad };
    let line = format!("{} passed, {} failed, {} skipped", report.passed, report.failed, report.skipped);
    let line = out.paint(paint, &line);
    writeln!(out, "\n{line}")?;
    Ok(())
}

fn print_scalar_errors(report: &Report, out: &mut Out) -> Outcome<()> {
    out.title("Worst errors of scalar operations, in units of the last place")?;
    let heading = out.paint(Paint::Faint, &format!("  {:<16} {:>10}  at", "op", "worst ulp"));
    writeln!(out, "{heading}")?;
    for error in &report.scalar_errors {
        let at: Vec<String> = error.at.iter().map(f32::to_string).collect();
        writeln!(out, "  {:<16} {:>10.2}  {}", error.op, error.worst_ulp, at.join(", "))?;
    }
    Ok(())
}
