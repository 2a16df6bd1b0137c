//! `tilework pixels run`: the model in a picture, without unpacking it.

use std::io::Write;
use std::path::Path;

use clap::{Arg, ArgMatches, Command, value_parser};
use serde_json::{Value, json};
use tilework::Device;
use tilework_nn::digits::prepare;
use tilework_nn::generate::{Generation, GenerationOptions, Vocabulary};
use tilework_nn::llm::{Model, ModelOptions};
use tilework_nn::models::digit_network;
use tilework_nn::pixels::{FileKind, PixelFile};
use tilework_nn::sample::SampleOptions;
use tilework_nn::{Classifier, Embedder, Weights};

use super::{mask, pages, path_of, picture_argument};
use crate::device_choice::{self, json_argument};
use crate::embed::report::{Content, Report};
use crate::failure::{Failure, Outcome, Verdict};
use crate::llm::writing::{Then, write};
use crate::mnist::{data, eval, picture, predict};
use crate::terminal::{Out, Paint, Progress};

const EXAMPLES: &str = "\
Examples:
  tilework pixels run digits.png                                   accuracy on the 10 000 test images
  tilework pixels run digits.png drawing.png                       which digit it is
  tilework pixels run digits.png --mask fc1.weight:rows 0..64      what is lost without half of the hidden units
  tilework pixels run digits.png --mask 0,2,100,50                 without the weights in a rectangle of the picture
  tilework pixels run minilm.png \"a cat\" \"a kitten\"                how similar texts are
  tilework pixels run smollm2.png \"Once upon a time\" -n 40         goes on with a text

The kind of model is seen from what is in the picture.";

pub(super) fn command() -> Command {
    Command::new("run")
        .about("Run the model in a picture: digits, sentence embeddings, text")
        .arg(picture_argument("picture"))
        .arg(Arg::new("inputs").value_name("INPUT").num_args(0..).help(
            "For digits, PNG files of one digit each (none: the test images); for embeddings, texts; for text, how it begins",
        ))
        .arg(mask::argument())
        .arg(
            Arg::new("max-tokens")
                .short('n')
                .long("max-tokens")
                .value_name("N")
                .default_value("40")
                .value_parser(value_parser!(u32).range(1..=1 << 20))
                .help("Tokens to write at most; the likeliest each time"),
        )
        .arg(data::argument())
        .arg(device_choice::argument().default_value("cpu"))
        .arg(json_argument())
        .after_help(EXAMPLES)
}

pub(super) fn run(matches: &ArgMatches, out: &mut Out) -> Outcome {
    let path = path_of(matches, "picture");
    let mut picture = pages::open(path)?;
    let device = matches.get_one::<String>("device").map_or("cpu", String::as_str);
    let device = pollster::block_on(device_choice::open(device))?;
    let inputs: Vec<&str> = matches.get_many::<String>("inputs").unwrap_or_default().map(String::as_str).collect();
    let runner = Runner { matches, device, inputs, explain: &|error| pages::explained(path, error) };
    let has = |name: &str| picture.files().any(|file| file.0 == name);
    let kind = if picture.files().any(|file| file.1 == FileKind::Gguf) {
        Kind::Text
    } else if has("config.json") && (has("tokenizer.json") || has("vocab.txt")) {
        Kind::Embeddings
    } else {
        Kind::Digits
    };
    let before = runner.answer(&picture, kind)?;
    let n_masked = mask::apply(matches, &mut picture)?;
    let after = if n_masked > 0 { Some(runner.answer(&picture, kind)?) } else { None };
    runner.show(&before, after.as_ref().map(|after| (after, n_masked)), out)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Digits,
    Embeddings,
    Text,
}

/// What a model makes of the inputs.
enum Answer {
    /// Accuracy on the test images.
    Accuracy {
        network: &'static str,
        accuracy: f64,
    },
    /// Image and probabilities of each drawing.
    Digits(Vec<(Vec<f32>, Vec<f32>)>),
    Vectors(Vec<Vec<f32>>),
    /// The answer, and how unlikely the model finds its own prompt: mean of −ln p.
    Text {
        text: String,
        surprise: f64,
    },
}

struct Runner<'a> {
    matches: &'a ArgMatches,
    device: Device,
    inputs: Vec<&'a str>,
    explain: &'a dyn Fn(tilework::Error) -> Failure,
}

impl Runner<'_> {
    fn answer(&self, picture: &PixelFile, kind: Kind) -> Outcome<Answer> {
        pollster::block_on(async {
            match kind {
                Kind::Digits => self.digits(picture).await,
                Kind::Embeddings => self.embeddings(picture).await,
                Kind::Text => self.text(picture).await,
            }
        })
    }

    async fn digits(&self, picture: &PixelFile) -> Outcome<Answer> {
        let weights = Weights::from_pixels(&self.device, picture).map_err(self.explain)?;
        let network = digit_network(&weights).map_err(|_| {
            let advice =
                "digit networks, sentence embeddings (weights, config.json, tokenizer.json) and GGUF models can be run";
            Failure::file("there is no model in the picture that this program can run", advice)
        })?;
        let classifier = Classifier::new(network, &weights).await?;
        if self.inputs.is_empty() {
            let digits = data::load(&data::folder(self.matches, "data")?, data::Part::Test)?;
            let accuracy = eval::accuracy(&eval::confusion(&classifier, &digits).await?);
            return Ok(Answer::Accuracy { network: network.name(), accuracy });
        }
        let mut answers = Vec::new();
        for file in &self.inputs {
            let image = prepare(&picture::read(Path::new(file))?)?;
            answers.push((image.clone(), classifier.probabilities(image).await?));
        }
        Ok(Answer::Digits(answers))
    }

    async fn embeddings(&self, picture: &PixelFile) -> Outcome<Answer> {
        if self.inputs.is_empty() {
            return Err(Failure::usage(
                "there is no text",
                "name some: `tilework pixels run m.png \"a cat\" \"a kitten\"`",
            ));
        }
        let embedder = Embedder::from_pixels(&self.device, picture).await.map_err(self.explain)?;
        Ok(Answer::Vectors(embedder.embed(&self.inputs).await?))
    }

    async fn text(&self, picture: &PixelFile) -> Outcome<Answer> {
        let progress = if self.matches.get_flag("json") { Progress::silent() } else { Progress::new() };
        let model = picture.language_model(&self.device, ModelOptions::default(), &mut |loaded| {
            let percent = loaded.done_bytes.saturating_mul(100) / loaded.total_bytes.max(1);
            progress.show(&format!("reading the model ... {percent} %"));
            Ok(())
        });
        progress.clear();
        let model = model.map_err(self.explain)?;
        let prompt = model.encode_prompt(&self.inputs.join(" "));
        if prompt.is_empty() {
            return Err(Failure::usage("the prompt is empty", "say how the text begins"));
        }
        let surprise = surprise(&model, &prompt).await?;
        let n_most = self.matches.get_one::<u32>("max-tokens").map_or(40, |&n| n as usize);
        let sample = SampleOptions { temperature: 0.0, ..SampleOptions::default() };
        let options = GenerationOptions { sample, n_most, ..GenerationOptions::default() };
        let mut context = model.context(prompt.len() + n_most)?;
        let generation = Generation::new(options, &prompt)?;
        let mut text = String::new();
        write(&model, &mut context, (prompt, generation), &mut |piece| {
            text.push_str(&piece.text);
            Then::GoOn
        })
        .await?;
        Ok(Answer::Text { text, surprise })
    }

    fn show(&self, before: &Answer, after: Option<(&Answer, u64)>, out: &mut Out) -> Outcome {
        if self.matches.get_flag("json") {
            let mut value = self.json(before);
            if let Some((after, n_masked)) = after {
                value["masked"] = self.json(after);
                value["masked_bytes"] = json!(n_masked);
            }
            out.json(&value)?;
            return Ok(Verdict::Fine);
        }
        self.print(before, out)?;
        if let Some((after, n_masked)) = after {
            let title = format!("without {n_masked} bytes of weights");
            out.title(&title)?;
            self.print(after, out)?;
            self.compare(before, after, out)?;
        }
        Ok(Verdict::Fine)
    }

    fn json(&self, answer: &Answer) -> Value {
        match answer {
            Answer::Accuracy { network, accuracy } => json!({ "network": network, "accuracy": accuracy }),
            Answer::Digits(answers) => {
                let rows = self.inputs.iter().zip(answers);
                let rows: Vec<Value> =
                    rows.map(|(file, (_, probabilities))| predict::as_json(file, probabilities)).collect();
                json!({ "digits": rows })
            }
            Answer::Vectors(vectors) => json!({ "texts": self.inputs, "vectors": vectors }),
            Answer::Text { text, surprise } => json!({ "text": text, "surprise": surprise }),
        }
    }

    fn print(&self, answer: &Answer, out: &mut Out) -> Outcome<()> {
        match answer {
            Answer::Accuracy { network, accuracy } => {
                out.row("accuracy", &format!("{:.2} % of the test images, {network}", accuracy * 100.0))?;
            }
            Answer::Digits(answers) => {
                for (file, (image, probabilities)) in self.inputs.iter().zip(answers) {
                    predict::print(file, image, probabilities, out)?;
                }
            }
            Answer::Vectors(vectors) => {
                let report = Report { texts: &self.inputs, vectors, device: self.device.name(), ms: None };
                let content = if vectors.len() == 1 { Content::Vectors } else { Content::Similarities };
                report.print(content, out)?;
            }
            Answer::Text { text, surprise } => {
                let prompt = out.paint(Paint::Faint, &self.inputs.join(" "));
                writeln!(out, "{prompt}{text}")?;
                out.row("surprise", &format!("{surprise:.3} nats a token of the prompt"))?;
            }
        }
        Ok(())
    }

    /// What was lost, in a line.
    fn compare(&self, before: &Answer, after: &Answer, out: &mut Out) -> Outcome<()> {
        let line = match (before, after) {
            (Answer::Accuracy { accuracy: a, .. }, Answer::Accuracy { accuracy: b, .. }) => {
                format!("{:+.2} points of accuracy", (b - a) * 100.0)
            }
            (Answer::Vectors(a), Answer::Vectors(b)) => {
                let dot = |(a, b): (&Vec<f32>, &Vec<f32>)| a.iter().zip(b).map(|(x, y)| x * y).sum::<f32>();
                let dots: Vec<String> = a.iter().zip(b).map(|pair| format!("{:.3}", dot(pair))).collect();
                format!("similarity to the vectors before: {}", dots.join(", "))
            }
            (Answer::Text { surprise: a, .. }, Answer::Text { surprise: b, .. }) => {
                format!("{:+.3} nats of surprise a token", b - a)
            }
            _ => return Ok(()),
        };
        out.row("lost", &line)?;
        Ok(())
    }
}

/// Mean of −ln p over the tokens of a prompt after the first; 0 if it has only one.
async fn surprise(model: &Model, prompt: &[u32]) -> Outcome<f64> {
    let mut context = model.context(prompt.len())?;
    let n_vocab = model.config().n_vocab;
    let logits = model.extend(&mut context, prompt, tilework_nn::llm::Wanted::All).await?;
    let mut sum = 0.0;
    for (row, &next) in logits.chunks_exact(n_vocab).zip(&prompt[1..]) {
        let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let total: f64 = row.iter().map(|&logit| f64::from(logit - most).exp()).sum();
        sum += total.ln() - f64::from(row.get(next as usize).copied().unwrap_or(most) - most);
    }
    Ok(sum / prompt.len().saturating_sub(1).max(1) as f64)
}
