//! `tilework mnist predict`: the digit in a picture.

use std::io::Write;
use std::path::Path;

use clap::{Arg, ArgMatches, Command};
use serde_json::{Value, json};
use tilework_nn::digits::{SIZE, prepare};
use tilework_nn::{Classifier, most_likely};

use super::{chosen, model_argument, picture, weights_argument};
use crate::device_choice::{self, json_argument};
use crate::failure::{Outcome, Verdict};
use crate::terminal::{Out, Paint};

const EXAMPLES: &str = "\
Examples:
  tilework mnist predict drawing.png
  tilework mnist predict --model cnn *.png --json

A picture is scaled and centered the way MNIST's images were; the image that the network sees is printed.";

/// Columns of the bar of a certain digit.
const BAR: f32 = 40.0;

pub(super) fn command() -> Command {
    Command::new("predict")
        .about("The digit in a PNG file, with the probability of each")
        .arg(Arg::new("files").value_name("FILE.png").required(true).num_args(1..).help("Pictures of one digit each"))
        .arg(model_argument())
        .arg(weights_argument())
        .arg(device_choice::argument().default_value("cpu"))
        .arg(json_argument())
        .after_help(EXAMPLES)
}

pub(super) fn run(matches: &ArgMatches, out: &mut Out) -> Outcome {
    let files: Vec<&String> = matches.get_many("files").into_iter().flatten().collect();
    let device = matches.get_one::<String>("device").map_or("cpu", String::as_str);
    let mut answers = Vec::new();
    pollster::block_on(async {
        let device = device_choice::open(device).await?;
        let (network, weights) = chosen(matches, &device)?;
        let classifier = Classifier::new(network, &weights).await?;
        for file in files {
            let image = prepare(&picture::read(Path::new(file))?)?;
            let probabilities = classifier.probabilities(image.clone()).await?;
            match matches.get_flag("json") {
                true => answers.push(as_json(file, &probabilities)),
                false => print(file, &image, &probabilities, out)?,
            }
        }
        Outcome::Ok(())
    })?;
    if matches.get_flag("json") {
        out.json(&Value::Array(answers))?;
    }
    Ok(Verdict::Fine)
}

pub(crate) fn as_json(file: &str, probabilities: &[f32]) -> Value {
    json!({ "file": file, "digit": most_likely(probabilities), "probabilities": probabilities })
}

pub(crate) fn print(file: &str, image: &[f32], probabilities: &[f32], out: &mut Out) -> Outcome<()> {
    let digit = most_likely(probabilities);
    let title = out.paint(Paint::Title, &format!("{file}: {digit}"));
    writeln!(out, "{title}")?;
    // Two rows of pixels are one line of characters, which are twice as high as wide.
    for rows in image.chunks_exact(2 * SIZE) {
        let shade = |column: usize| match (rows[column] + rows[SIZE + column]) / 2.0 {
            x if x < 0.1 => ' ',
            x if x < 0.3 => '░',
            x if x < 0.55 => '▒',
            x if x < 0.8 => '▓',
            _ => '█',
        };
        writeln!(out, "  {}", (0..SIZE).map(shade).collect::<String>())?;
    }
    for (class, &probability) in probabilities.iter().enumerate() {
        let bar = "█".repeat((probability * BAR).round() as usize);
        let bar = out.paint(if class == digit { Paint::Good } else { Paint::Faint }, &bar);
        writeln!(out, "  {class}  {:>6.2} %  {bar}", probability * 100.0)?;
    }
    Ok(())
}
