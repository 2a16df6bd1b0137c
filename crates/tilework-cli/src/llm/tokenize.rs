//! `tilework tokenize`: text as a model reads it.

use std::io::{Read, Write};

use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::json;
use tilework_nn::tokenize::{EncodeOptions, Specials, Tokenizer};

use super::models::{explained, model_argument};
use super::{ModelFiles, model_path};
use crate::device_choice::json_argument;
use crate::failure::{Failure, Outcome, Verdict};
use crate::terminal::{Out, Paint, Progress};

const EXAMPLES: &str = "\
Examples:
  tilework tokenize -m smollm2 \"Hello, world!\"
  tilework tokenize -m smollm2 --ids \"Hello\"           only numbers, for programs
  tilework tokenize -m model.gguf --no-special \"<|im_end|>\"
  tilework tokenize -m smollm2 - < text.txt            all of standard input";

pub(crate) fn command() -> Command {
    let flag = |name: &'static str, help: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue).help(help);
    Command::new("tokenize")
        .about("Show the tokens that a language model reads a text as")
        .arg(model_argument())
        .arg(Arg::new("text").value_name("TEXT").required(true).help("The text; `-` reads it from standard input"))
        .arg(flag("ids", "Print only the numbers, in one line"))
        .arg(json_argument().conflicts_with("ids"))
        .arg(flag("no-special", "Names of special tokens, such as <|im_end|>, are text like any other"))
        .after_help(EXAMPLES)
}

pub(crate) fn run(matches: &ArgMatches, out: &mut Out) -> Outcome {
    let text = text(matches)?;
    let model = matches.get_one::<String>("model").map_or("", String::as_str);
    let files = ModelFiles::open(&model_path(model, &Progress::new())?)?;
    let tokenizer = Tokenizer::from_gguf(&files.read()?.gguf().metadata).map_err(explained)?;
    let special = if matches.get_flag("no-special") { Specials::AsText } else { Specials::Parse };
    let tokens = tokenizer.encode(&text, EncodeOptions { special, ..EncodeOptions::default() });
    if matches.get_flag("json") {
        let rows: Vec<_> =
            tokens.iter().map(|&token| json!({ "id": token, "text": piece(&tokenizer, token) })).collect();
        out.json(&json!({ "n_tokens": tokens.len(), "tokens": rows }))?;
        return Ok(Verdict::Fine);
    }
    if matches.get_flag("ids") {
        let ids: Vec<String> = tokens.iter().map(u32::to_string).collect();
        writeln!(out, "{}", ids.join(" "))?;
        return Ok(Verdict::Fine);
    }
    for &token in &tokens {
        let id = out.paint(Paint::Faint, &format!("{token:>8}"));
        let text = if tokenizer.is_control(token) {
            piece(&tokenizer, token)
        } else {
            format!("{:?}", piece(&tokenizer, token))
        };
        writeln!(out, "{id}  {text}")?;
    }
    let total = format!("{} tokens, {} bytes of text", tokens.len(), text.len());
    let total = out.paint(Paint::Faint, &total);
    writeln!(out, "{total}")?;
    if let Some(note) = tokenizer.note() {
        let note = out.paint(Paint::Warning, &format!("note: {note}"));
        writeln!(out, "{note}")?;
    }
    Ok(Verdict::Fine)
}

/// What a token adds to the text, or its name if it adds none.
fn piece(tokenizer: &Tokenizer, token: u32) -> String {
    match tokenizer.token_bytes(token) {
        [] => tokenizer.text_of(token).to_owned(),
        // Bytes of a character that other tokens complete are shown as numbers.
        bytes => bytes.utf8_chunks().fold(String::new(), |mut piece, chunk| {
            piece += chunk.valid();
            chunk.invalid().iter().for_each(|byte| piece += &format!("<{byte:02X}>"));
            piece
        }),
    }
}

fn text(matches: &ArgMatches) -> Outcome<String> {
    let text = matches.get_one::<String>("text").map_or("", String::as_str);
    if text != "-" {
        return Ok(text.to_owned());
    }
    let mut input = Vec::new();
    std::io::stdin()
        .read_to_end(&mut input)
        .map_err(|error| Failure::file(format!("cannot read standard input: {error}"), "pipe a text into it"))?;
    String::from_utf8(input).map_err(|error| {
        Failure::file(
            format!("standard input is not UTF-8: {error}"),
            "convert it first, for instance by `iconv -t utf-8`",
        )
    })
}
