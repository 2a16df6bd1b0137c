//! `tilework generate`: goes on with a text.

use std::io::Write;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use serde_json::json;
use tilework_nn::generate::{AtEnd, Generation, Piece, Vocabulary};

use super::open;
use super::prompt_cache::{self, PromptCache};
use super::sampling;
use super::writing::{Then, Written, write};
use crate::device_choice::json_argument;
use crate::failure::{Failure, Outcome, Verdict};
use crate::terminal::{Out, Paint, Progress};

const EXAMPLES: &str = "\
Examples:
  tilework generate -m smollm2 \"Once upon a time\" -n 50
  tilework generate -m model.gguf \"2 + 2 =\" --temperature 0 --json
  tilework generate -m model.gguf \"A person: \" --json-schema person.json
  tilework generate -m model.gguf \"$(cat book.txt) In short:\" --prompt-cache book.cache     the next question reads only what is new

The prompt is given to the model as it is, special tokens included; `tilework chat` wraps what you say as the model expects it.";

pub(crate) fn command() -> Command {
    Command::new("generate")
        .about("Go on with a text, by a language model")
        .args(open::arguments())
        .arg(Arg::new("prompt").value_name("PROMPT").required(true).help("The text to go on with"))
        .arg(
            Arg::new("context")
                .long("context")
                .value_name("N")
                .value_parser(value_parser!(u64).range(1..=1 << 24))
                .help("Room for so many tokens [default: what prompt and answer need]"),
        )
        .arg(
            Arg::new("ignore-eos")
                .long("ignore-eos")
                .action(ArgAction::SetTrue)
                .help("Go on although the model would end, for measurements"),
        )
        .arg(prompt_cache::argument())
        .args(sampling::arguments())
        .arg(json_argument())
        .after_help(EXAMPLES)
}

pub(crate) fn run(matches: &ArgMatches, out: &mut Out) -> Outcome {
    let mut options = sampling::options(matches, 128)?;
    if matches.get_flag("ignore-eos") {
        options.at_end = AtEnd::Ignore;
    }
    let is_json = matches.get_flag("json");
    let progress = if is_json { Progress::silent() } else { Progress::new() };
    let opened = open::open(matches, &progress)?;
    let text = matches.get_one::<String>("prompt").map_or("", String::as_str);
    let prompt = opened.model.encode_prompt(text);
    if prompt.is_empty() {
        return Err(Failure::usage("the prompt is empty", "say how the text begins"));
    }
    let n_needed =
        prompt.len().saturating_add(options.n_most).min(opened.model.config().n_context.max(prompt.len() + 1));
    let n_room = matches.get_one::<u64>("context").map_or(n_needed, |n| *n as usize);
    let cache = PromptCache::new(matches);
    let mut context = cache.open(&opened.model, n_room)?;
    let generation = Generation::new(options, &prompt)?;
    let n_prompt = prompt.len();
    if !is_json {
        write!(out, "{}", out.paint(Paint::Faint, text))?;
        out.flush()?;
    }
    let mut answer = String::new();
    let mut on_piece = |piece: &Piece| {
        answer.push_str(&piece.text);
        let is_shown = is_json || (write!(out, "{}", piece.text).is_ok() && out.flush().is_ok());
        if is_shown { Then::GoOn } else { Then::Stop }
    };
    let written = pollster::block_on(write(&opened.model, &mut context, (prompt, generation), &mut on_piece))?;
    cache.save(&opened.model, &mut context)?;
    if is_json {
        out.json(&report(&answer, n_prompt, &written))?;
    } else {
        writeln!(out)?;
    }
    Ok(Verdict::Fine)
}

fn report(text: &str, n_prompt: usize, written: &Written) -> serde_json::Value {
    json!({
        "text": text,
        "tokens": written.tokens,
        "n_prompt": n_prompt,
        "n_cached": n_prompt - written.n_read,
        "n_generated": written.tokens.len(),
        "finish": written.finish.name(),
        "prompt_tokens_per_s": written.prompt_tokens_per_s(),
        "decode_tokens_per_s": written.decode_tokens_per_s(),
    })
}
