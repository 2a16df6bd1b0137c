//! `tilework mnist train`: a network from nothing, by the engine's own gradients.

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use clap::{Arg, ArgMatches, Command};
use serde_json::{Value, json};
use tilework::{Array, Device};
use tilework_nn::digits::{Batches, Digits, Shift};
use tilework_nn::{Classifier, Network, Rule, TrainOptions, Trainer, Weights, cosine_rate};

use super::data::{self, Part};
use super::eval::{accuracy, confusion};
use super::{curve, model_argument, network_named};
use crate::device_choice::{self, json_argument};
use crate::failure::{Failure, Outcome, Verdict};
use crate::files;
use crate::terminal::{Out, Paint, Progress};

const EXAMPLES: &str = "\
Examples:
  tilework mnist train                                   784 → 128 → 10, a few seconds on a CPU
  tilework mnist train --model cnn --epochs 10 --shift 2 --out cnn.safetensors
  tilework mnist train --optimizer sgd --rate 0.1 --curve loss.png
  tilework mnist train --checkpoint run.safetensors      ended half-way? the same with --resume run.safetensors

The learning rate falls to zero along half a cosine. Equal seeds give equal weights on the same device.";

/// Losses are read together after this many steps: a GPU need not wait for each.
const READ_EVERY: usize = 50;

/// What the command line asks for.
struct Job<'a> {
    network: &'static dyn Network,
    rule: Rule,
    rate: f64,
    n_epochs: u64,
    batch: usize,
    seed: u64,
    shift: Shift,
    checkpoint: Option<&'a String>,
}

/// What is written down of an epoch.
struct Epoch {
    number: u64,
    loss: f64,
    accuracy: f64,
    seconds: f64,
}

pub(super) fn command() -> Command {
    let number =
        |name: &'static str, default: &'static str| Arg::new(name).long(name).value_name("N").default_value(default);
    let file = |name: &'static str| Arg::new(name).long(name).value_name("FILE");
    Command::new("train")
        .about("Train a network on the 60 000 images")
        .arg(model_argument())
        .arg(
            number("epochs", "20")
                .value_parser(clap::value_parser!(u64).range(1..=10_000))
                .help("Times that every image is seen"),
        )
        .arg(number("batch", "128").value_parser(clap::value_parser!(u64).range(1..=60_000)).help("Images per step"))
        .arg(number("rate", "0.002").value_parser(clap::value_parser!(f64)).help("Learning rate of the first step"))
        .arg(
            Arg::new("optimizer")
                .long("optimizer")
                .value_name("NAME")
                .default_value("adam")
                .value_parser(["adam", "adamw", "sgd"])
                .help("How parameters move"),
        )
        .arg(number("seed", "0").value_parser(clap::value_parser!(u64)).help("Decides the first weights and the order"))
        .arg(
            number("shift", "1")
                .value_parser(clap::value_parser!(u8).range(0..=8))
                .help("Move images by up to N pixels, anew each time"),
        )
        .arg(file("out").help("Where the weights go, as safetensors"))
        .arg(file("checkpoint").help("Where weights and optimizer go after every epoch"))
        .arg(file("resume").help("Go on from a checkpoint, with the same other arguments"))
        .arg(file("curve").help("Where a picture of the losses goes, as PNG"))
        .arg(data::argument())
        .arg(device_choice::argument().default_value("cpu"))
        .arg(json_argument())
        .after_help(EXAMPLES)
}

pub(super) fn run(matches: &ArgMatches, out: &mut Out) -> Outcome {
    let job = Job::new(matches)?;
    let folder = data::folder(matches, "data")?;
    let (train, test) = (data::load(&folder, Part::Train)?, data::load(&folder, Part::Test)?);
    let is_json = matches.get_flag("json");
    let device = matches.get_one::<String>("device").map_or("cpu", String::as_str);
    let (losses, epochs, weights) = pollster::block_on(async {
        let device = device_choice::open(device).await?;
        let mut trainer = job.trainer(&device, matches.get_one::<String>("resume")).await?;
        if !is_json {
            let title = out.paint(Paint::Title, &format!("{} on {}", job.network.name(), device.name()));
            writeln!(out, "{title}\n  epoch      loss   accuracy      time")?;
        }
        let mut losses = Vec::new();
        let mut epochs = Vec::new();
        let n_batches = train.len().div_ceil(job.batch) as u64;
        for number in trainer.n_steps() / n_batches..job.n_epochs {
            let epoch = job.epoch(&mut trainer, number, (&train, &test), &mut losses).await?;
            if !is_json {
                print(&epoch, out)?;
            }
            epochs.push(epoch);
            if let Some(path) = job.checkpoint {
                files::write(path.as_ref(), &trainer.checkpoint().to_safetensors().await?)?;
            }
        }
        Outcome::Ok((losses, epochs, trainer.weights().to_safetensors().await?))
    })?;
    if let Some(path) = matches.get_one::<String>("curve") {
        files::write(path.as_ref(), &curve::png(&losses))?;
    }
    if let Some(path) = matches.get_one::<String>("out") {
        files::write(path.as_ref(), &weights)?;
    }
    if is_json {
        out.json(&Value::Array(epochs.iter().map(as_json).collect()))?;
    } else {
        writeln!(out, "\n  loss  {}", curve::text(&losses, 60))?;
    }
    Ok(Verdict::Fine)
}

impl<'a> Job<'a> {
    fn new(matches: &'a ArgMatches) -> Outcome<Job<'a>> {
        let count = |name: &str| matches.get_one::<u64>(name).copied().unwrap_or(0);
        let rate = matches.get_one::<f64>("rate").copied().unwrap_or(0.0);
        if !(rate > 0.0 && rate.is_finite()) {
            return Err(Failure::usage(format!("a learning rate of {rate} teaches nothing"), "try 0.001"));
        }
        Ok(Job {
            network: network_named(matches.get_one::<String>("model").map_or("mlp", String::as_str))?,
            rule: match matches.get_one::<String>("optimizer").map(String::as_str) {
                Some("sgd") => Rule::SGD,
                Some("adamw") => Rule::ADAM_W,
                _ => Rule::ADAM,
            },
            rate,
            n_epochs: count("epochs"),
            batch: count("batch") as usize,
            seed: count("seed"),
            shift: match matches.get_one::<u8>("shift") {
                None | Some(0) => Shift::None,
                Some(&most) => Shift::UpTo(most),
            },
            checkpoint: matches.get_one::<String>("checkpoint"),
        })
    }

    async fn trainer(&self, device: &Device, resume: Option<&String>) -> Outcome<Trainer> {
        let Some(path) = resume else {
            return Ok(Trainer::new(device, self.network, TrainOptions { rule: self.rule, seed: self.seed })?);
        };
        let bytes = files::read(Path::new(path), "`--checkpoint FILE` writes checkpoints")?;
        let checkpoint = Weights::from_bytes(device, &bytes)?;
        Ok(Trainer::resume(self.network, &checkpoint, self.rule).await?)
    }

    async fn epoch(
        &self,
        trainer: &mut Trainer,
        number: u64,
        (train, test): (&Digits, &Digits),
        losses: &mut Vec<f64>,
    ) -> Outcome<Epoch> {
        let start = Instant::now();
        let progress = Progress::new();
        let batches = Batches::new(train, self.batch, self.shift, self.seed, number);
        let n_batches = batches.n_batches();
        let first = losses.len();
        let mut unread: Vec<Array> = Vec::new();
        for (index, batch) in batches.enumerate() {
            let done = (number as f64 + index as f64 / n_batches as f64) / self.n_epochs as f64;
            let rate = cosine_rate(self.rate, done);
            unread.push(trainer.step(batch.inputs, &batch.classes, rate).await?);
            if unread.len() == READ_EVERY || index + 1 == n_batches {
                for loss in unread.drain(..) {
                    losses.push(loss.item().await?);
                }
                let latest = losses.last().copied().unwrap_or(0.0);
                progress.show(&bar(number + 1, self.n_epochs, (index + 1) as f64 / n_batches as f64, latest));
            }
        }
        progress.clear();
        let seconds = start.elapsed().as_secs_f64();
        let loss = losses[first..].iter().sum::<f64>() / (losses.len() - first).max(1) as f64;
        let classifier = Classifier::new(self.network, &trainer.weights()).await?;
        let accuracy = accuracy(&confusion(&classifier, test).await?);
        Ok(Epoch { number: number + 1, loss, accuracy, seconds })
    }
}

fn bar(epoch: u64, n_epochs: u64, share: f64, loss: f64) -> String {
    let filled = (share * 30.0) as usize;
    format!("  epoch {epoch} of {n_epochs}  {}{}  loss {loss:.4}", "█".repeat(filled), "░".repeat(30 - filled))
}

fn print(epoch: &Epoch, out: &mut Out) -> Outcome<()> {
    let Epoch { number, loss, accuracy, seconds } = epoch;
    writeln!(out, "  {number:>5}  {loss:>8.4}   {:>6.2} %  {seconds:>6.2} s", accuracy * 100.0)?;
    Ok(out.flush()?)
}

fn as_json(epoch: &Epoch) -> Value {
    json!({"epoch": epoch.number, "loss": epoch.loss, "accuracy": epoch.accuracy, "seconds": epoch.seconds})
}
