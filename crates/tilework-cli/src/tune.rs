//! `tilework tune`: which kernels are fastest on this machine's GPU.

use std::io::Write;

use clap::{Arg, ArgMatches, Command};
use serde_json::{Value, json};
use tilework::Tuned;

use crate::device_choice::{self, json_argument};
use crate::failure::{Outcome, Verdict};
use crate::terminal::{Out, Paint, Progress};
use crate::timing;

const EXAMPLES: &str = "\
Examples:
  tilework tune                a quick look, about ten seconds
  tilework tune --seconds 60   larger sizes too
  tilework tune --json

The choice is kept for this adapter and used from then on, by every program of this user. `tilework kernels` prints kernels.";

pub(crate) fn command() -> Command {
    Command::new("tune")
        .about("Measure which kernels are fastest on the GPU, and keep the choice")
        .arg(
            Arg::new("seconds")
                .long("seconds")
                .value_name("SECONDS")
                .default_value("10")
                .value_parser(clap::value_parser!(u32).range(1..=3600))
                .help("Time to spend at most, about"),
        )
        .arg(json_argument())
        .after_help(EXAMPLES)
}

pub(crate) fn run(matches: &ArgMatches, out: &mut Out) -> Outcome {
    let is_json = matches.get_flag("json");
    let budget_s = f64::from(matches.get_one::<u32>("seconds").copied().unwrap_or(10));
    let progress = if is_json { Progress::silent() } else { Progress::new() };
    let (name, tuned) = pollster::block_on(async {
        let device = device_choice::open("gpu").await?;
        let mut show = |next: &str| progress.show(&format!("measuring {next} ..."));
        Outcome::Ok((device.name(), device.tune(budget_s, &mut show).await?))
    })?;
    progress.clear();
    if is_json {
        out.json(&Value::Array(tuned.iter().map(as_json).collect()))?;
        return Ok(Verdict::Fine);
    }
    let title = out.paint(Paint::Title, &name);
    writeln!(out, "{title}")?;
    for problem in &tuned {
        print(problem, out)?;
    }
    Ok(Verdict::Fine)
}

fn as_json(tuned: &Tuned) -> Value {
    let times: serde_json::Map<String, Value> =
        tuned.times_s.iter().map(|(name, s)| ((*name).to_owned(), json!(s * 1e3))).collect();
    json!({"op": tuned.op, "sizes": tuned.sizes, "chosen": tuned.fastest(), "ms": times})
}

fn print(tuned: &Tuned, out: &mut Out) -> Outcome<()> {
    let sizes: Vec<String> = tuned.sizes.iter().map(usize::to_string).collect();
    write!(out, "  {:<8} {:<16}", tuned.op, sizes.join("·"))?;
    for &(name, s) in &tuned.times_s {
        let text = format!(" {name} {}", timing::format_ms(s * 1e3));
        let is_chosen = name == tuned.fastest();
        let text = if is_chosen { out.paint(Paint::Good, &text) } else { out.paint(Paint::Faint, &text) };
        write!(out, " {text}")?;
    }
    Ok(writeln!(out)?)
}
