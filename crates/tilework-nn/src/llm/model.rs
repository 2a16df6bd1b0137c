//! Models: weights, the programs captured for them, and what they make of contexts.

use super::config::{Config, Reach};
use super::context::{CacheType, Context};
use super::decoder::{Decoder, Sequence};
use super::load::{LoadProgress, Loader};
use super::parts::Positions;
use crate::gguf::{Files, Metadata, Source};
use crate::tokenize::Tokenizer;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use tilework::{Array, DType, Device, Error, ErrorKind, Program, Result};

/// A language model on a device. A cheap handle: clone it freely.
#[derive(Clone, Debug)]
pub struct Model(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    decoder: Mutex<Placed>,
    config: Config,
    tokenizer: Tokenizer,
    metadata: Metadata,
    fingerprint: u64,
    n_batch: usize,
    cache: CacheType,
}

/// The weights where they are, with the programs captured there.
#[derive(Debug)]
struct Placed {
    device: Device,
    decoder: Arc<Decoder>,
    programs: HashMap<Shape, Arc<Program>>,
}

/// What decides the program of a step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Shape {
    /// New tokens and places of the caches of every sequence.
    sequences: Vec<(usize, usize)>,
    reach: Reach,
    output: Output,
}

/// What a step gives besides the caches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Output {
    Nothing,
    /// Logits of every sequence's last token.
    Last,
    /// Logits of every token.
    All,
    /// The most likely token after the last one, and how many tokens there are then.
    Greedy,
    /// The last layer's results, normalised.
    Hidden,
}

/// How a model is opened.
#[derive(Clone, Copy, Debug)]
pub struct ModelOptions {
    /// Tokens of a prompt that are computed together.
    pub n_batch: usize,
    /// How keys and values are kept.
    pub cache: CacheType,
}

impl Default for ModelOptions {
    fn default() -> ModelOptions {
        ModelOptions { n_batch: 512, cache: CacheType::default() }
    }
}

/// Which logits are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// None: the tokens are only to be remembered.
    Nothing,
    /// Those after the last token.
    Last,
    /// Those after every token.
    All,
}

/// What a tokenizer takes over from the metadata.
const TOKENIZER_LISTS: [&str; 5] = [
    "tokenizer.ggml.tokens",
    "tokenizer.ggml.scores",
    "tokenizer.ggml.token_type",
    "tokenizer.ggml.merges",
    "tokenizer.ggml.precompiled_charsmap",
];

/// Programs kept; prompts of every length would otherwise leave one each.
const MAX_PROGRAMS: usize = 64;

impl Model {
    /// Reads a model from its files: one, or all parts of a split one.
    ///
    /// `progress` is called after every few megabytes and may stop the loading by an error.
    pub fn open(
        device: &Device,
        sources: &[&dyn Source],
        options: ModelOptions,
        progress: &mut dyn FnMut(LoadProgress) -> Result<()>,
    ) -> Result<Model> {
        let mut files = Files::open(sources)?;
        let config = Config::new(files.gguf())?;
        let mut metadata = files.take_metadata();
        let tokenizer = Tokenizer::from_gguf(&metadata)?;
        // The tokenizer has them now; a hundred thousand strings would be in memory twice.
        TOKENIZER_LISTS.iter().for_each(|key| metadata.remove(key));
        let mut loader = Loader::new(device, &files, progress);
        let decoder = Decoder::load(&mut loader, config.clone())?;
        let fingerprint = loader.fingerprint(&config);
        let placed = Placed { device: device.clone(), decoder: Arc::new(decoder), programs: HashMap::new() };
        let (n_batch, cache) = (options.n_batch.max(1), options.cache);
        let decoder = Mutex::new(placed);
        Ok(Model(Arc::new(Inner { decoder, config, tokenizer, metadata, fingerprint, n_batch, cache })))
    }

    /// Sizes and settings.
    pub fn config(&self) -> &Config {
        &self.0.config
    }

    /// Its tokenizer.
    pub fn tokenizer(&self) -> &Tokenizer {
        &self.0.tokenizer
    }

    /// What its file says about it, except for the lists that its tokenizer is made of.
    pub fn metadata(&self) -> &Metadata {
        &self.0.metadata
    }

    /// A number that other models do not have, unless by accident.
    pub(super) fn fingerprint(&self) -> u64 {
        self.0.fingerprint
    }

    /// Where it computes.
    pub fn device(&self) -> Result<Device> {
        self.with(|placed| placed.device.clone())
    }

    /// Bytes of its weights.
    pub fn size_bytes(&self) -> Result<u64> {
        self.with(|placed| placed.decoder.size_bytes())
    }

    /// An empty context with room for `n_max` tokens.
    pub fn context(&self, n_max: usize) -> Result<Context> {
        Context::new(&self.device()?, &self.0.config, self.0.cache, n_max)
    }

    fn with<R>(&self, read: impl FnOnce(&mut Placed) -> R) -> Result<R> {
        let mut placed = self.0.decoder.lock().map_err(|_| Error::argument("model", "an earlier step panicked"))?;
        Ok(read(&mut placed))
    }

    /// Appends tokens to a context. Logits of the last one, or of all: `[n_wanted · n_vocab]`.
    ///
    /// Fails, and leaves the context as it was, if it has no room for them or a token is not of the vocabulary.
    pub async fn extend(&self, context: &mut Context, tokens: &[u32], wanted: Wanted) -> Result<Vec<f32>> {
        self.check_tokens(tokens)?;
        // Room for all of them at once: caches that grow on the way leave their old memory behind.
        match self.make_room(context, tokens.len()).await {
            Err(error) if error.kind() == ErrorKind::DeviceLost => {
                self.move_to_cpu()?;
                self.make_room(context, tokens.len()).await?;
            }
            made => made?,
        }
        let n_before = context.len();
        let mut logits = Vec::new();
        let n_chunks = tokens.len().div_ceil(self.0.n_batch);
        for (index, chunk) in tokens.chunks(self.0.n_batch).enumerate() {
            let output = match wanted {
                Wanted::All => Output::All,
                Wanted::Last if index + 1 == n_chunks => Output::Last,
                _ => Output::Nothing,
            };
            match self.run(&mut [&mut *context], chunk, output).await {
                Ok(more) => logits.extend(more),
                Err(error) => {
                    context.truncate(n_before);
                    return Err(error);
                }
            }
        }
        Ok(logits)
    }

    async fn make_room(&self, context: &mut Context, n_new: usize) -> Result<()> {
        self.restore(context).await?;
        context.grow(n_new).await
    }

    /// One token for each of several contexts: the logits after each.
    pub async fn step(&self, contexts: &mut [&mut Context], tokens: &[u32]) -> Result<Vec<Vec<f32>>> {
        if contexts.len() != tokens.len() || tokens.is_empty() {
            let message = format!("{} tokens for {} contexts", tokens.len(), contexts.len());
            return Err(Error::argument("model", message));
        }
        self.check_tokens(tokens)?;
        let reach = |context: &&mut Context| self.0.config.reach(context.n_max());
        let mut logits = Vec::new();
        if contexts.windows(2).all(|two| reach(&two[0]) == reach(&two[1])) {
            logits = self.run(contexts, tokens, Output::Last).await?;
        } else {
            // A program turns all its tokens by the same frequencies.
            for at in 0..tokens.len() {
                match self.run(&mut contexts[at..=at], &tokens[at..=at], Output::Last).await {
                    Ok(more) => logits.extend(more),
                    Err(error) => {
                        contexts[..at].iter_mut().for_each(|context| context.truncate(context.len() - 1));
                        return Err(error);
                    }
                }
            }
        }
        Ok(logits.chunks_exact(self.0.config.n_vocab).map(<[f32]>::to_vec).collect())
    }

    /// What the last layer makes of tokens in a context of their own, normalised: `[n_tokens · n_embd]`.
    pub async fn hidden(&self, tokens: &[u32]) -> Result<Vec<f32>> {
        self.check_tokens(tokens)?;
        let mut context = self.context(tokens.len().max(1))?;
        let mut all = Vec::new();
        for chunk in tokens.chunks(self.0.n_batch) {
            all.extend(self.run(&mut [&mut context], chunk, Output::Hidden).await?);
        }
        Ok(all)
    }

    /// The mean over all tokens of [`Model::hidden`], of length 1: what stands for a text among others.
    pub async fn embedding(&self, tokens: &[u32]) -> Result<Vec<f32>> {
        let hidden = self.hidden(tokens).await?;
        let mut mean = vec![0.0; self.0.config.n_embd];
        for row in hidden.chunks_exact(mean.len()) {
            mean.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
        }
        let length = mean.iter().map(|x| x * x).sum::<f32>().sqrt().max(f32::MIN_POSITIVE);
        mean.iter_mut().for_each(|x| *x /= length);
        Ok(mean)
    }

    /// The `n` most likely tokens after `token`, each chosen after those before it; fewer if the context has no room for more.
    ///
    /// The next token is chosen where logits are, and fed back there: only the tokens themselves are read, [`AHEAD`] at a time.
    /// The context has `token` and all of them but the last then.
    pub async fn greedily(&self, context: &mut Context, token: u32, n: usize) -> Result<Vec<u32>> {
        self.check_tokens(&[token])?;
        let n = n.min(context.n_max() - context.len());
        let (mut last, mut all) = (token, Vec::new());
        while all.len() < n {
            let n_next = AHEAD.min(n - all.len());
            let found = match self.ahead(context, last, n_next).await {
                Err(error) if error.kind() == ErrorKind::DeviceLost => {
                    self.move_to_cpu()?;
                    self.ahead(context, last, n_next).await?
                }
                found => found?,
            };
            for token in found {
                context.tokens.push(last);
                last = token;
                all.push(token);
            }
        }
        Ok(all)
    }

    /// The `n` most likely tokens after `last`, one by one. Their keys and values are in the caches then; the tokens of the context
    /// are the caller's to add.
    async fn ahead(&self, context: &mut Context, last: u32, n: usize) -> Result<Vec<u32>> {
        self.restore(context).await?;
        context.grow(n).await?;
        let device = self.device()?;
        let mut next = device.array(vec![last.cast_signed()], [1]);
        let mut n_past = device.array(vec![context.len() as i32], [1]);
        let mut found = Vec::with_capacity(n);
        for _ in 0..n {
            let results = self.run_arrays(&mut [&mut *context], (next, n_past), &[1], Output::Greedy).await?;
            let Ok([token, after]) = <[Array; 2]>::try_from(results) else {
                return Err(Error::argument("model", "a step gave no token"));
            };
            (next, n_past) = (token, after);
            found.push(next.clone());
        }
        // All of them in one read: each would be a submit of its own.
        let found = device.concat(&found.iter().collect::<Vec<_>>(), 0).to_vec::<i32>().await?;
        Ok(found.into_iter().map(i32::cast_unsigned).collect())
    }

    pub(super) fn check_tokens(&self, tokens: &[u32]) -> Result<()> {
        let n_vocab = self.0.config.n_vocab;
        match tokens.iter().find(|&&token| token as usize >= n_vocab) {
            Some(token) => {
                let message = format!("there is no token {token}; there are {n_vocab}");
                Err(Error::argument("model", message))
            }
            None => Ok(()),
        }
    }

    /// Appends tokens: all to one context, or one to each of several. If the GPU fails, the CPU goes on with the same conversation.
    async fn run(&self, contexts: &mut [&mut Context], tokens: &[u32], output: Output) -> Result<Vec<f32>> {
        match self.try_run(contexts, tokens, output).await {
            Err(error) if error.kind() == ErrorKind::DeviceLost => {
                self.move_to_cpu()?;
                self.try_run(contexts, tokens, output).await
            }
            result => result,
        }
    }

    async fn try_run(&self, contexts: &mut [&mut Context], tokens: &[u32], output: Output) -> Result<Vec<f32>> {
        let n_new = if contexts.len() == 1 { tokens.len() } else { 1 };
        let device = self.device()?;
        for context in contexts.iter_mut() {
            self.restore(context).await?;
            context.grow(n_new).await?;
        }
        let ids: Vec<i32> = tokens.iter().map(|token| token.cast_signed()).collect();
        let pasts: Vec<i32> = contexts.iter().map(|context| context.len() as i32).collect();
        let inputs = (device.array(ids, [tokens.len()]), device.array(pasts, [contexts.len()]));
        let results = self.run_arrays(contexts, inputs, &vec![n_new; contexts.len()], output).await?;
        // Read first: a device may be lost before it is done, and the contexts must then be as they were.
        let numbers = match results.first() {
            Some(result) => result.to_vec::<f32>().await?,
            None => Vec::new(),
        };
        for (context, tokens) in contexts.iter_mut().zip(tokens.chunks(n_new)) {
            context.tokens.extend(tokens);
        }
        Ok(numbers)
    }

    /// Takes the weights to the CPU, where they are in memory already.
    fn move_to_cpu(&self) -> Result<()> {
        self.with(|placed| {
            let device = Device::cpu();
            placed.decoder = Arc::new(placed.decoder.to_device(&device));
            placed.device = device;
            placed.programs.clear();
        })
    }

    /// Computes the caches of a context again, if a step failed and they are gone, or the model has moved.
    pub(super) async fn restore(&self, context: &mut Context) -> Result<()> {
        let device = self.device()?;
        if context.is_on(&device) {
            return Ok(());
        }
        let tokens = std::mem::take(&mut context.tokens);
        *context = Context::new(&device, &self.0.config, self.0.cache, context.n_max())?;
        for chunk in tokens.chunks(self.0.n_batch) {
            context.grow(chunk.len()).await?;
            let ids: Vec<i32> = chunk.iter().map(|token| token.cast_signed()).collect();
            let inputs = (device.array(ids, [chunk.len()]), device.array(vec![context.len() as i32], [1]));
            self.run_arrays(&mut [&mut *context], inputs, &[chunk.len()], Output::Nothing).await?;
            context.tokens.extend(chunk);
        }
        Ok(())
    }

    async fn run_arrays(
        &self,
        contexts: &mut [&mut Context],
        (tokens, n_past): (Array, Array),
        lens: &[usize],
        output: Output,
    ) -> Result<Vec<Array>> {
        let shape = Shape {
            sequences: lens.iter().zip(contexts.iter()).map(|(&n, context)| (n, context.n_places())).collect(),
            reach: contexts.first().map_or(Reach::Short, |context| self.0.config.reach(context.n_max())),
            output,
        };
        let program = self.program(&shape, contexts, (&tokens, &n_past)).await?;
        let mut inputs = vec![tokens, n_past];
        for context in contexts.iter_mut() {
            inputs.append(&mut context.caches);
        }
        let mut results = program.run_owned(inputs).await?.into_iter();
        for context in contexts.iter_mut() {
            context.caches = results.by_ref().take(self.0.config.n_layers).collect();
        }
        Ok(results.collect())
    }

    async fn program(
        &self,
        shape: &Shape,
        contexts: &[&mut Context],
        (tokens, n_past): (&Array, &Array),
    ) -> Result<Arc<Program>> {
        let (device, decoder, known) =
            self.with(|placed| (placed.device.clone(), placed.decoder.clone(), placed.programs.get(shape).cloned()))?;
        if let Some(program) = known {
            return Ok(program);
        }
        let mut inputs = vec![tokens, n_past];
        contexts.iter().for_each(|context| inputs.extend(&context.caches));
        let program = Arc::new(device.capture(|inputs| step(&decoder, shape, inputs), &inputs).await?);
        self.with(|placed| {
            if placed.programs.len() >= MAX_PROGRAMS {
                placed.programs.clear();
            }
            placed.programs.insert(shape.clone(), program.clone());
        })?;
        Ok(program)
    }
}

/// Tokens that [`Model::greedily`] computes before the first of them is read.
pub const AHEAD: usize = 8;

/// A step as a function of arrays: tokens, numbers of past tokens, and the caches of each sequence. Gives the caches, then the output.
fn step(decoder: &Decoder, shape: &Shape, inputs: &[Array]) -> Vec<Array> {
    let (tokens, n_past, caches) = (&inputs[0], &inputs[1], &inputs[2..]);
    let n_layers = decoder.config.n_layers;
    let pasts: Vec<Array> = (0..shape.sequences.len()).map(|k| n_past.index(0, k as isize)).collect();
    let mut sequences = Vec::new();
    let mut first = 0;
    for (k, &(n_new, _)) in shape.sequences.iter().enumerate() {
        let caches = caches[k * n_layers..(k + 1) * n_layers].to_vec();
        sequences.push(Sequence { rows: first..first + n_new, n_past: &pasts[k], caches });
        first += n_new;
    }
    // One sequence tells where its first token is; of several each has one token.
    let positions = Positions { at: if pasts.len() == 1 { &pasts[0] } else { n_past }, reach: shape.reach };
    let hidden = decoder.hidden(tokens, positions, &mut sequences);
    let mut results: Vec<Array> = sequences.into_iter().flat_map(|sequence| sequence.caches).collect();
    let last = |hidden: &Array| {
        let is_one = shape.sequences.len() == 1;
        if is_one { hidden.slice(0, first as isize - 1..) } else { hidden.clone() }
    };
    match shape.output {
        Output::Nothing => {}
        Output::Last => results.push(decoder.logits(&last(&hidden))),
        Output::All => results.push(decoder.logits(&hidden)),
        Output::Greedy => {
            results.push(decoder.logits(&last(&hidden)).argmax(-1).cast(DType::I32));
            results.push(n_past + 1);
        }
        Output::Hidden => results.push(decoder.normalized(&hidden)),
    }
    results
}
