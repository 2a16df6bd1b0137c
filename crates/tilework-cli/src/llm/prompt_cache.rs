//! `--prompt-cache`: what a model made of a text, kept for the next time.

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

use clap::{Arg, ArgMatches, value_parser};
use tilework_nn::llm::{Context, Model};

use crate::failure::{Failure, Outcome};
use crate::files;

const ADVICE: &str = "remove the file, or name another by `--prompt-cache`";

/// The file, if one was named.
pub(super) struct PromptCache(Option<PathBuf>);

pub(super) fn argument() -> Arg {
    Arg::new("prompt-cache")
        .long("prompt-cache")
        .value_name("FILE")
        .value_parser(value_parser!(PathBuf))
        .help("Read from this file what the model made of the same beginning, and keep there what it makes of this")
}

impl PromptCache {
    pub(super) fn new(matches: &ArgMatches) -> PromptCache {
        PromptCache(matches.get_one::<PathBuf>("prompt-cache").cloned())
    }

    /// The context of the file, if there is one; an empty one otherwise.
    pub(super) fn open(&self, model: &Model, n_max: usize) -> Outcome<Context> {
        let Some(path) = self.0.as_ref().filter(|path| path.exists()) else { return Ok(model.context(n_max)?) };
        let refused =
            |why: &str| Failure::file(format!("cannot use the prompt cache {}: {why}", path.display()), ADVICE);
        let mut file = BufReader::new(File::open(path).map_err(|error| refused(&error.to_string()))?);
        model.load_context(&mut file, n_max).map_err(|error| refused(error.message()))
    }

    /// Writes a context to the file, whole or not at all.
    pub(super) fn save(&self, model: &Model, context: &mut Context) -> Outcome<()> {
        let Some(path) = &self.0 else { return Ok(()) };
        files::write_by(path, |file| Ok(pollster::block_on(model.save_context(context, file))?))
    }
}
