//! `tilework perplexity`: how well a model foresees a text.
//!
//! As llama.cpp measures it: the text is cut into windows of as many tokens as the context, each read by itself, and the second
//! half of each counts, whose tokens have at least half a window before them.

use std::io::Write;
use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, value_parser};
use serde_json::json;
use tilework_nn::generate::Vocabulary;
use tilework_nn::llm::{Model, Wanted};

use super::logits::N_CHUNK;
use super::open;
use crate::device_choice::json_argument;
use crate::failure::{Failure, Outcome, Verdict};
use crate::files;
use crate::terminal::{Out, Progress};

pub(crate) fn command() -> Command {
    Command::new("perplexity")
        .about("Measure how well a language model foresees a text; lower is better")
        .args(open::arguments())
        .arg(
            Arg::new("file")
                .long("file")
                .value_name("FILE")
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help("The text"),
        )
        .arg(
            Arg::new("context")
                .long("context")
                .value_name("N")
                .value_parser(value_parser!(u64).range(4..=1 << 20))
                .default_value("512")
                .help("Tokens of a window"),
        )
        .arg(
            Arg::new("windows")
                .long("windows")
                .value_name("N")
                .value_parser(value_parser!(u64).range(1..))
                .help("Only so many windows"),
        )
        .arg(json_argument())
}

pub(crate) fn run(matches: &ArgMatches, out: &mut Out) -> Outcome {
    let path = matches.get_one::<PathBuf>("file").cloned().unwrap_or_default();
    let text = files::read(&path, "name a file with text")?;
    let progress = if matches.get_flag("json") { Progress::silent() } else { Progress::new() };
    let opened = open::open(matches, &progress)?;
    let tokens = opened.model.encode_plain(&String::from_utf8_lossy(&text));
    let n_window = matches.get_one::<u64>("context").map_or(512, |n| *n as usize);
    let n_windows = matches.get_one::<u64>("windows").map_or(usize::MAX, |n| *n as usize);
    let windows: Vec<&[u32]> = tokens.chunks_exact(n_window).take(n_windows).collect();
    if windows.is_empty() {
        let what = format!("the text has {} tokens, fewer than a window of {n_window}", tokens.len());
        return Err(Failure::usage(what, "take a longer text or a smaller `--context`"));
    }
    let mut total = Surprise::default();
    for (idx, window) in windows.iter().enumerate() {
        pollster::block_on(read(&opened.model, window, &mut total))?;
        progress.show(&format!("window {} of {}: perplexity {:.4}", idx + 1, windows.len(), total.perplexity()));
    }
    progress.clear();
    let (perplexity, error) = (total.perplexity(), total.error());
    if matches.get_flag("json") {
        let n = total.n_tokens;
        out.json(&json!({ "perplexity": perplexity, "error": error, "n_tokens": n, "n_windows": windows.len() }))?;
    } else {
        writeln!(out, "perplexity {perplexity:.4} ± {error:.4} of {} tokens", total.n_tokens)?;
    }
    Ok(Verdict::Fine)
}

/// The surprise at tokens, in nats.
#[derive(Clone, Copy, Debug, Default)]
struct Surprise {
    n_tokens: usize,
    sum: f64,
    sum_of_squares: f64,
}

impl Surprise {
    fn add(&mut self, logits: &[f32], token: u32) {
        let max = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f64 = logits.iter().map(|&logit| f64::from(logit - max).exp()).sum();
        let logit = logits.get(token as usize).copied().unwrap_or(f32::NEG_INFINITY);
        let surprise = sum.ln() - f64::from(logit - max);
        self.n_tokens += 1;
        self.sum += surprise;
        self.sum_of_squares += surprise * surprise;
    }

    fn mean(&self) -> f64 {
        self.sum / self.n_tokens.max(1) as f64
    }

    fn perplexity(&self) -> f64 {
        self.mean().exp()
    }

    /// One standard error.
    fn error(&self) -> f64 {
        let n = self.n_tokens as f64;
        let variance = self.sum_of_squares / n.max(1.0) - self.mean() * self.mean();
        self.perplexity() * (variance.max(0.0) / (n - 1.0).max(1.0)).sqrt()
    }
}

async fn read(model: &Model, window: &[u32], total: &mut Surprise) -> tilework::Result<()> {
    let mut context = model.context(window.len())?;
    // As in llama.cpp, each window begins as a text does.
    let mut tokens = window.to_vec();
    if let (Some(begin), Some(first)) = (model.tokenizer().begin(), tokens.first_mut())
        && model.metadata().bool("tokenizer.ggml.add_bos_token")?.unwrap_or(false)
    {
        *first = begin;
    }
    let n_vocab = model.config().n_vocab;
    let half = tokens.len() / 2;
    let mut place = 0;
    for chunk in tokens.chunks(N_CHUNK) {
        let is_counted = place + chunk.len() > half;
        let wanted = if is_counted { Wanted::All } else { Wanted::Nothing };
        let logits = model.extend(&mut context, chunk, wanted).await?;
        for (idx, logits) in logits.chunks_exact(n_vocab).enumerate() {
            let at = place + idx;
            if let Some(&next) = tokens.get(at + 1).filter(|_| at >= half) {
                total.add(logits, next);
            }
        }
        place += chunk.len();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_that_knows_nothing_is_as_perplexed_as_the_vocabulary_is_large() {
        let mut total = Surprise::default();
        for token in 0..10 {
            total.add(&[3.0; 50], token);
        }
        assert!((total.perplexity() - 50.0).abs() < 1e-9 && total.error() < 1e-5);
        total.add(&[0.0, f32::NEG_INFINITY], 0);
        assert!(total.perplexity() < 50.0);
    }
}
