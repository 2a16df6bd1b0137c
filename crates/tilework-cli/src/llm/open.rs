//! Opens the model that a command was given.

use std::borrow::Cow;

use clap::{Arg, ArgMatches};
use tilework::{Device, Error, Result};
use tilework_nn::chat::{ChatTemplate, SpecialTexts};
use tilework_nn::llm::{Context, Model, ModelOptions, Wanted};
use tilework_nn::tokenize::{AddBegin, EncodeOptions, Specials};

use super::models::{ModelFiles, model_argument, model_path};
use super::vocabulary::Vocabulary;
use crate::device_choice;
use crate::failure::Outcome;
use crate::serve::engine::{Engine, Logits};
use crate::terminal::Progress;

/// A model with what commands ask it for.
pub(crate) struct OpenModel {
    pub(crate) model: Model,
    pub(crate) template: ChatTemplate,
    /// What it calls itself, or the name of its file.
    pub(crate) name: String,
}

/// `-m`, `--device` and `--threads`.
pub(crate) fn arguments() -> [Arg; 3] {
    let threads = Arg::new("threads")
        .long("threads")
        .value_name("N")
        .value_parser(clap::value_parser!(u16).range(1..=256))
        .help("threads of the CPU; all cores unless told");
    [model_argument(), device_choice::argument().default_value("auto"), threads]
}

/// Reads the model of `-m` onto the device of `--device`.
pub(crate) fn open(matches: &ArgMatches, progress: &Progress) -> Outcome<OpenModel> {
    let name = matches.get_one::<String>("model").map_or("", String::as_str);
    if let Some(&n) = matches.get_one::<u16>("threads") {
        Device::set_cpu_threads(n.into())?;
    }
    let path = model_path(name)?;
    let files = ModelFiles::open(&path)?;
    progress.show("opening the device ...");
    let device =
        pollster::block_on(device_choice::open(matches.get_one::<String>("device").map_or("auto", String::as_str)))?;
    let model = Model::open(&device, &files.sources(), ModelOptions::default(), &mut |loaded| {
        let percent = loaded.done_bytes.saturating_mul(100) / loaded.total_bytes.max(1);
        progress.show(&format!("reading the model ... {percent} %"));
        Ok(())
    });
    progress.clear();
    let model = model?;
    let metadata = model.metadata();
    let template = ChatTemplate::new(metadata.string("tokenizer.chat_template")?, special_texts(&model)?);
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let name = match metadata.string("general.name")? {
        Some(name) if !name.is_empty() => name.to_owned(),
        _ => stem.unwrap_or_default(),
    };
    Ok(OpenModel { model, template, name })
}

fn special_texts(model: &Model) -> Result<SpecialTexts> {
    let tokenizer = model.tokenizer();
    let text = |token: Option<u32>| token.map(|token| tokenizer.text_of(token).to_owned()).unwrap_or_default();
    let end = model.metadata().u32("tokenizer.ggml.eos_token_id")?;
    let end = end.filter(|end| (*end as usize) < tokenizer.n_tokens());
    Ok(SpecialTexts { begin: text(tokenizer.begin()), end: text(end) })
}

/// The tokens of a model.
pub(crate) struct ModelVocabulary(pub(crate) Model);

impl Vocabulary for ModelVocabulary {
    fn n_tokens(&self) -> usize {
        self.0.tokenizer().n_tokens().min(self.0.config().n_vocab)
    }

    fn bytes(&self, token: u32) -> Cow<'_, [u8]> {
        Cow::Borrowed(self.0.tokenizer().token_bytes(token))
    }

    fn is_end(&self, token: u32) -> bool {
        self.0.tokenizer().is_end(token)
    }

    fn encode_plain(&self, text: &str) -> Vec<u32> {
        self.0.tokenizer().encode(text, EncodeOptions::default())
    }

    fn encode_prompt(&self, text: &str) -> Vec<u32> {
        let tokenizer = self.0.tokenizer();
        // Many templates write the first token themselves; it must not come twice.
        let begin = tokenizer.begin().map(|token| tokenizer.text_of(token)).filter(|begin| !begin.is_empty());
        let has_begin = begin.is_some_and(|begin| text.starts_with(begin));
        let add_begin = if has_begin { AddBegin::Never } else { AddBegin::AsModelSays };
        tokenizer.encode(text, EncodeOptions { special: Specials::Parse, add_begin })
    }
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

    /// The mean over all tokens of what the last layer makes of them, of length 1.
    fn embed(&mut self, tokens: &[u32]) -> Result<Option<Vec<f32>>> {
        let hidden = pollster::block_on(self.0.hidden(tokens))?;
        let mut mean = vec![0.0; self.0.config().n_embd];
        for row in hidden.chunks_exact(mean.len()) {
            mean.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
        }
        let length = mean.iter().map(|x| x * x).sum::<f32>().sqrt().max(f32::MIN_POSITIVE);
        mean.iter_mut().for_each(|x| *x /= length);
        Ok(Some(mean))
    }
}
