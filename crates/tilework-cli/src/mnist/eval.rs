//! `tilework mnist eval`: how many of the 10 000 test images a network reads rightly.

use std::io::Write;
use std::time::Instant;

use clap::{ArgMatches, Command};
use serde_json::json;
use tilework_nn::digits::Digits;
use tilework_nn::{Classifier, most_likely};

use super::data::{self, Part};
use super::{chosen, model_argument, weights_argument};
use crate::device_choice::{self, json_argument};
use crate::failure::{Outcome, Verdict};
use crate::terminal::{Out, Paint};
use crate::timing;

const EXAMPLES: &str = "\
Examples:
  tilework mnist eval
  tilework mnist eval --model cnn --device gpu
  tilework mnist eval --weights exported_from_pytorch.npz --json";

const N_CLASSES: usize = 10;

/// Counts by right class and by answer.
pub(crate) type Confusion = [[usize; N_CLASSES]; N_CLASSES];

pub(super) fn command() -> Command {
    Command::new("eval")
        .about("Accuracy, confusion matrix and speed on the 10 000 test images")
        .arg(model_argument())
        .arg(weights_argument())
        .arg(data::argument())
        .arg(device_choice::argument().default_value("cpu"))
        .arg(json_argument())
        .after_help(EXAMPLES)
}

pub(super) fn run(matches: &ArgMatches, out: &mut Out) -> Outcome {
    let digits = data::load(&data::folder(matches, "data")?, Part::Test)?;
    let device = matches.get_one::<String>("device").map_or("cpu", String::as_str);
    let (name, confusion, batch_ms, single_ms) = pollster::block_on(async {
        let device = device_choice::open(device).await?;
        let (network, weights) = chosen(matches, &device)?;
        let classifier = Classifier::new(network, &weights).await?;
        let confusion = confusion(&classifier, &digits).await?;
        let all = digits.inputs();
        let batch_ms = fastest_ms(&classifier, &all, 3).await?;
        let single_ms = fastest_ms(&classifier, &all[..network.n_inputs()], 200).await?;
        Outcome::Ok((format!("{} on {}", network.name(), device.name()), confusion, batch_ms, single_ms))
    })?;
    let accuracy = accuracy(&confusion);
    let images_per_second = digits.len() as f64 / batch_ms * 1e3;
    if matches.get_flag("json") {
        out.json(&json!({
            "network": name, "accuracy": accuracy, "images_per_second": images_per_second,
            "batch_ms": batch_ms, "single_ms": single_ms, "confusion": confusion,
        }))?;
        return Ok(Verdict::Fine);
    }
    let title = out.paint(Paint::Title, &name);
    writeln!(out, "{title}")?;
    out.row("accuracy", &format!("{:.2} % of {} test images", accuracy * 100.0, digits.len()))?;
    out.row(
        "speed",
        &format!("{images_per_second:.0} images a second, all as one batch ({})", timing::format_ms(batch_ms)),
    )?;
    out.row("one image", &timing::format_ms(single_ms))?;
    print_confusion(&confusion, out)?;
    Ok(Verdict::Fine)
}

/// Fastest of some runs, in milliseconds; the first one, which plans and compiles, does not count.
async fn fastest_ms(classifier: &Classifier, inputs: &[f32], n_runs: usize) -> Outcome<f64> {
    let mut fastest_ms = f64::INFINITY;
    for run in 0..=n_runs {
        let inputs = inputs.to_vec();
        let start = Instant::now();
        classifier.probabilities(inputs).await?;
        if run > 0 {
            fastest_ms = fastest_ms.min(start.elapsed().as_secs_f64() * 1e3);
        }
    }
    Ok(fastest_ms)
}

pub(crate) async fn confusion(classifier: &Classifier, digits: &Digits) -> Outcome<Confusion> {
    let probabilities = classifier.probabilities(digits.inputs()).await?;
    let mut confusion = Confusion::default();
    for (row, &class) in probabilities.chunks_exact(N_CLASSES).zip(digits.classes()) {
        confusion[usize::from(class)][most_likely(row)] += 1;
    }
    Ok(confusion)
}

pub(crate) fn accuracy(confusion: &Confusion) -> f64 {
    let n_right: usize = (0..N_CLASSES).map(|class| confusion[class][class]).sum();
    let n: usize = confusion.iter().flatten().sum();
    n_right as f64 / n.max(1) as f64
}

fn print_confusion(confusion: &Confusion, out: &mut Out) -> Outcome<()> {
    writeln!(out, "\n  is \\ read as")?;
    let digits: String = (0..N_CLASSES).map(|class| format!("{class:>6}")).collect();
    let header = out.paint(Paint::Faint, &format!("     {digits}"));
    writeln!(out, "{header}")?;
    for (class, row) in confusion.iter().enumerate() {
        write!(out, "  {class}  ")?;
        for (answer, &n) in row.iter().enumerate() {
            let text = if n == 0 { format!("{:>6}", "·") } else { format!("{n:>6}") };
            let paint = match (answer == class, n) {
                (true, _) => Paint::Good,
                (false, 0) => Paint::Faint,
                (false, _) => Paint::Warning,
            };
            let text = out.paint(paint, &text);
            write!(out, "{text}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}
