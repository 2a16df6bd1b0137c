//! Options of commands that write text.

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::{Arg, ArgAction, ArgMatches, value_parser};
use tilework_nn::generate::{AtEnd, GenerationOptions};
use tilework_nn::grammar::Grammar;
use tilework_nn::sample::{Mirostat, SampleOptions};

use crate::failure::{Failure, Outcome};
use crate::files;

const HEADING: &str = "Choosing tokens";

pub(super) fn arguments() -> Vec<Arg> {
    let number = |name: &'static str, help: &'static str| {
        Arg::new(name)
            .long(name)
            .value_name("X")
            .value_parser(value_parser!(f32))
            .allow_negative_numbers(true)
            .help(help)
            .help_heading(HEADING)
    };
    let count = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name("N").value_parser(value_parser!(u64)).help(help).help_heading(HEADING)
    };
    let file = |name: &'static str, help: &'static str| {
        Arg::new(name)
            .long(name)
            .value_name("FILE")
            .value_parser(value_parser!(PathBuf))
            .help(help)
            .help_heading(HEADING)
    };
    vec![
        count("max-tokens", "Tokens to write at most").short('n'),
        number("temperature", "0 always takes the likeliest token; larger is livelier [default: 0.8]"),
        count("top-k", "Only so many likeliest tokens; 0 for all [default: 40]"),
        number("top-p", "Only the likeliest tokens of this probability together [default: 0.95]"),
        number("min-p", "Only tokens this many times as likely as the likeliest [default: 0.05]"),
        number("typical-p", "Only tokens about as surprising as expected, of this probability together [default: 1]"),
        number("repetition-penalty", "Divides the logits of tokens that occurred [default: 1]"),
        number("frequency-penalty", "Taken off a logit for each time the token occurred [default: 0]"),
        number("presence-penalty", "Taken off a logit if the token occurred [default: 0]"),
        count("penalty-window", "How many tokens penalties look back [default: 64]"),
        count("mirostat", "Steers surprise instead of cutting tokens off: version 1 or 2; 0 for not [default: 0]"),
        number("mirostat-tau", "Surprise aimed at, in bits [default: 5]"),
        number("mirostat-eta", "How fast that adapts [default: 0.1]"),
        count("seed", "Same seed, same text [default: another one each time]"),
        stop_argument(),
        file("grammar", "The answer fits this grammar (GBNF)").conflicts_with("json-schema"),
        file("json-schema", "The answer is JSON that fits this schema"),
    ]
}

fn stop_argument() -> Arg {
    Arg::new("stop")
        .long("stop")
        .value_name("TEXT")
        .action(ArgAction::Append)
        .help("Ends the answer where this text would begin; may be given several times")
        .help_heading(HEADING)
}

/// What the command line asks for; `n_most` tokens unless it says how many.
pub(super) fn options(matches: &ArgMatches, n_most: usize) -> Outcome<GenerationOptions> {
    let usual = SampleOptions::default();
    let number = |name: &str, usual: f32| matches.get_one::<f32>(name).copied().unwrap_or(usual);
    let count = |name: &str, usual: usize| {
        matches.get_one::<u64>(name).map_or(usual, |count| usize::try_from(*count).unwrap_or(usize::MAX))
    };
    let (tau, eta) = (number("mirostat-tau", 5.0), number("mirostat-eta", 0.1));
    let mirostat = match count("mirostat", 0) {
        0 => Mirostat::Off,
        1 => Mirostat::V1 { tau, eta },
        2 => Mirostat::V2 { tau, eta },
        n => return Err(Failure::usage(format!("there is no version {n} of mirostat"), "0, 1 or 2")),
    };
    let sample = SampleOptions {
        temperature: number("temperature", usual.temperature),
        top_k: count("top-k", usual.top_k),
        top_p: number("top-p", usual.top_p),
        min_p: number("min-p", usual.min_p),
        typical_p: number("typical-p", usual.typical_p),
        repetition_penalty: number("repetition-penalty", usual.repetition_penalty),
        frequency_penalty: number("frequency-penalty", usual.frequency_penalty),
        presence_penalty: number("presence-penalty", usual.presence_penalty),
        penalty_window: count("penalty-window", usual.penalty_window),
        mirostat,
        seed: matches.get_one::<u64>("seed").copied().unwrap_or_else(any_seed),
        ..usual
    };
    sample.check().map_err(|error| Failure::usage(error.message().to_owned(), "`--help` lists the options"))?;
    let stops = matches.get_many::<String>("stop").unwrap_or_default().cloned().collect();
    let n_most = count("max-tokens", n_most);
    Ok(GenerationOptions { sample, grammar: grammar(matches)?, stops, n_most, at_end: AtEnd::Stop })
}

fn any_seed() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos() as u64
}

fn grammar(matches: &ArgMatches) -> Outcome<Option<Grammar>> {
    type Read = fn(&str) -> tilework::Result<Grammar>;
    let kinds: [(&str, Read); 2] = [("grammar", Grammar::parse), ("json-schema", Grammar::json_schema)];
    for (name, read) in kinds {
        let Some(path) = matches.get_one::<PathBuf>(name) else { continue };
        let bytes = files::read(path, "is the file there?")?;
        let grammar = read(&String::from_utf8_lossy(&bytes));
        let what = |error: tilework::Error| format!("{}: {error}", path.display());
        return Ok(Some(grammar.map_err(|error| Failure::file(what(error), "correct the file"))?));
    }
    Ok(None)
}
