//! `tilework logits`: what a model thinks comes next, after every token, as a NumPy file.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use clap::{Arg, ArgGroup, ArgMatches, Command, value_parser};
use tilework_nn::generate::Vocabulary;
use tilework_nn::llm::Wanted;

use super::open;
use crate::failure::{Failure, Outcome, Verdict};
use crate::terminal::{Out, Progress};

/// Tokens whose logits are in memory at once.
pub(super) const N_CHUNK: usize = 64;

pub(crate) fn command() -> Command {
    Command::new("logits")
        .about("Write the logits after every token of a text to a NumPy file, to compare with other programs")
        .args(open::arguments())
        .arg(Arg::new("tokens").long("tokens").value_name("1,2,3").help("The tokens, by number"))
        .arg(Arg::new("text").long("text").value_name("TEXT").help("A text, special tokens included"))
        .group(ArgGroup::new("input").args(["tokens", "text"]).required(true))
        .arg(
            Arg::new("out")
                .long("out")
                .value_name("FILE")
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help("The file to write: float32 [n_tokens, n_vocab]"),
        )
}

pub(crate) fn run(matches: &ArgMatches, out: &mut Out) -> Outcome {
    let numbers = matches.get_one::<String>("tokens").map(|text| numbers(text)).transpose()?;
    let progress = Progress::new();
    let opened = open::open(matches, &progress)?;
    let tokens = match (numbers, matches.get_one::<String>("text")) {
        (Some(numbers), _) => numbers,
        (None, text) => opened.model.encode_prompt(text.map_or("", String::as_str)),
    };
    if tokens.is_empty() {
        return Err(Failure::usage("there are no tokens", "name some: `--tokens 1,2,3`"));
    }
    let path = matches.get_one::<PathBuf>("out").cloned().unwrap_or_default();
    let n_vocab = opened.model.config().n_vocab;
    let mut context = opened.model.context(tokens.len())?;
    let cannot = |error: std::io::Error| {
        Failure::file(format!("cannot write {}: {error}", path.display()), "is the folder there, and is there room?")
    };
    let mut file = BufWriter::new(File::create(&path).map_err(cannot)?);
    file.write_all(&npy_head(tokens.len(), n_vocab)).map_err(cannot)?;
    for (idx, chunk) in tokens.chunks(N_CHUNK).enumerate() {
        progress.show(&format!("token {} of {} ...", idx * N_CHUNK, tokens.len()));
        let logits = pollster::block_on(opened.model.extend(&mut context, chunk, Wanted::All))?;
        for logit in logits {
            file.write_all(&logit.to_le_bytes()).map_err(cannot)?;
        }
    }
    file.flush().map_err(cannot)?;
    progress.clear();
    writeln!(out, "{}: [{}, {n_vocab}]", path.display(), tokens.len())?;
    Ok(Verdict::Fine)
}

fn numbers(text: &str) -> Outcome<Vec<u32>> {
    let number = |part: &str| part.trim().parse().ok();
    text.split(',').map(number).collect::<Option<_>>().ok_or_else(|| {
        Failure::usage(format!("`{text}` is no list of tokens"), "numbers with commas between them: `--tokens 1,2,3`")
    })
}

/// The head of a `.npy` file (NumPy's NEP 1), version 1.0, padded to a multiple of 64 bytes.
fn npy_head(n_rows: usize, n_cols: usize) -> Vec<u8> {
    let mut text = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({n_rows}, {n_cols}), }}");
    let n_pad = (10 + text.len() + 1).next_multiple_of(64) - (10 + text.len() + 1);
    text.push_str(&" ".repeat(n_pad));
    text.push('\n');
    let mut head = b"\x93NUMPY\x01\x00".to_vec();
    head.extend((text.len() as u16).to_le_bytes());
    head.extend(text.bytes());
    head
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_as_numpy_wants_them() {
        let head = npy_head(3, 49_152);
        assert_eq!(head.len() % 64, 0);
        assert_eq!(usize::from(u16::from_le_bytes([head[8], head[9]])), head.len() - 10);
        assert!(head.ends_with(b"\n"));
    }

    #[test]
    fn tokens_are_numbers() {
        assert_eq!(numbers("1, 2,3").unwrap(), [1, 2, 3]);
        assert!(numbers("1,x").is_err() && numbers("-1").is_err());
    }
}
