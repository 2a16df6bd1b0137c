//! Opens the model that a command was given.

use std::path::Path;

use clap::{Arg, ArgMatches};
use tilework::{Device, Error, Result};
use tilework_nn::generate::Assistant;
use tilework_nn::llm::{CacheType, Context, Model, ModelOptions, Wanted};

use super::models::{ModelFiles, explained, model_argument, model_path};
use crate::device_choice;
use crate::failure::Outcome;
use crate::serve::engine::{Engine, Logits};
use crate::terminal::Progress;

/// `-m`, `--device`, `--threads` and `--cache-type`.
pub(crate) fn arguments() -> [Arg; 4] {
    let threads = Arg::new("threads")
        .long("threads")
        .value_name("N")
        .value_parser(clap::value_parser!(u16).range(1..=256))
        .help("threads of the CPU; all cores unless told");
    let cache = Arg::new("cache-type")
        .long("cache-type")
        .value_name("TYPE")
        .value_parser(["f16", "f32"])
        .default_value("f16")
        .help("how keys and values are kept: f32 takes twice the memory of f16 and rounds nothing");
    [model_argument(), device_choice::argument().default_value("auto"), threads, cache]
}

/// What `--cache-type` says.
fn options(matches: &ArgMatches) -> ModelOptions {
    let is_wide = matches.get_one::<String>("cache-type").is_some_and(|name| name == "f32");
    let cache = if is_wide { CacheType::Floats } else { CacheType::Halves };
    ModelOptions { cache, ..ModelOptions::default() }
}

/// Reads the model of `-m` onto the device of `--device`.
pub(crate) fn open(matches: &ArgMatches, progress: &Progress) -> Outcome<Assistant> {
    let name = matches.get_one::<String>("model").map_or("", String::as_str);
    if let Some(&n) = matches.get_one::<u16>("threads") {
        Device::set_cpu_threads(n.into())?;
    }
    let path = model_path(name, progress)?;
    progress.show("opening the device ...");
    let device =
        pollster::block_on(device_choice::open(matches.get_one::<String>("device").map_or("auto", String::as_str)))?;
    let mut assistant = Assistant::new(read(&path, &device, options(matches), progress)?)?;
    if assistant.name.is_empty() {
        assistant.name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    }
    Ok(assistant)
}

/// Reads a model from its file onto a device.
pub(crate) fn read(path: &Path, device: &Device, options: ModelOptions, progress: &Progress) -> Outcome<Model> {
    let files = ModelFiles::open(path)?;
    let model = Model::open(device, &files.sources(), options, &mut |loaded| {
        let percent = loaded.done_bytes.saturating_mul(100) / loaded.total_bytes.max(1);
        progress.show(&format!("reading the model ... {percent} %"));
        Ok(())
    });
    progress.clear();
    model.map_err(explained)
}

/// A model as the server's scheduler sees it.
pub(crate) struct ModelEngine(pub(crate) Model);

impl Engine for ModelEngine {
    type Context = Context;

    fn context(&mut self, n_most: usize) -> Result<Context> {
        self.0.context(n_most)
    }

    fn tokens<'a>(&self, context: &'a Context) -> &'a [u32] {
        context.tokens()
    }

    fn capacity(&self, context: &Context) -> usize {
        context.n_max()
    }

    fn truncate(&mut self, context: &mut Context, n: usize) {
        context.truncate(n);
    }

    fn extend(&mut self, context: &mut Context, tokens: &[u32], wanted: Logits) -> Result<Vec<f32>> {
        let wanted = if wanted == Logits::Last { Wanted::Last } else { Wanted::Nothing };
        pollster::block_on(self.0.extend(context, tokens, wanted))
    }

    fn step(&mut self, contexts: &mut [&mut Context], tokens: &[u32]) -> Result<Vec<Vec<f32>>> {
        if contexts.is_empty() {
            return Err(Error::argument("model", "no contexts"));
        }
        pollster::block_on(self.0.step(contexts, tokens))
    }

    fn embed(&mut self, tokens: &[u32]) -> Result<Option<Vec<f32>>> {
        pollster::block_on(self.0.embedding(tokens)).map(Some)
    }
}
