//! A model with its chat template, and prompts for it.

use tilework::Result;

use super::error::RequestError;
use super::generation::Generation;
use super::request::{Prompt, Request};
use super::vocabulary::Vocabulary;
use crate::chat::{ChatTemplate, RenderOptions, SpecialTexts};
use crate::llm::Model;

/// A model that can be talked to.
#[derive(Debug)]
pub struct Assistant {
    /// The model.
    pub model: Model,
    /// How it wants conversations.
    pub template: ChatTemplate,
    /// What it calls itself; empty if it does not say.
    pub name: String,
}

impl Assistant {
    /// A model with what its file says about conversations.
    pub fn new(model: Model) -> Result<Assistant> {
        let metadata = model.metadata();
        let template = ChatTemplate::new(metadata.string("tokenizer.chat_template")?, special_texts(&model)?);
        let name = metadata.string("general.name")?.unwrap_or_default().to_owned();
        Ok(Assistant { model, template, name })
    }

    /// Turns a request into work; see [`prepare`].
    pub fn prepare(&self, request: Request, room: Room) -> Result<Prepared, RequestError> {
        prepare(request, (&self.model, &self.template), room)
    }
}

fn special_texts(model: &Model) -> Result<SpecialTexts> {
    let tokenizer = model.tokenizer();
    let text = |token: Option<u32>| token.map(|token| tokenizer.text_of(token).to_owned()).unwrap_or_default();
    let end = model.metadata().u32("tokenizer.ggml.eos_token_id")?;
    let end = end.filter(|end| (*end as usize) < tokenizer.n_tokens());
    Ok(SpecialTexts { begin: text(tokenizer.begin()), end: text(end) })
}

/// What an answer may take, and what time it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Tokens of prompt and answer together.
    pub n_context: usize,
    /// Tokens of an answer, at most.
    pub n_most: usize,
    /// Seconds since 1970, for templates that ask for the date.
    pub now_unix_s: Option<i64>,
}

/// A prompt and the answer to come.
pub struct Prepared {
    /// Tokens of the prompt.
    pub prompt: Vec<u32>,
    /// The answer, of which there is nothing yet.
    pub generation: Generation,
    /// Tokens the answer has room for.
    pub n_most: usize,
}

/// Turns a request into work. Fails for options out of range and for prompts that there is no room for.
pub fn prepare(
    request: Request,
    (vocabulary, template): (&dyn Vocabulary, &ChatTemplate),
    room: Room,
) -> Result<Prepared, RequestError> {
    let mut options = request.options;
    if matches!(request.prompt, Prompt::Messages(_)) {
        // A model that was not trained on this form may write its words instead of the tokens that they stand for.
        options.stops.extend((!template.is_own()).then(|| "<|im_end|>".to_owned()));
    }
    let prompt = prompt_tokens(request.prompt, (vocabulary, template), room)?;
    let n_most = options.n_most.min(room.n_most).min(room.n_context - prompt.len());
    options.n_most = n_most;
    let generation = Generation::new(options, &prompt)?;
    Ok(Prepared { prompt, generation, n_most })
}

/// The tokens of a prompt, if there is room for them and for one more.
pub fn prompt_tokens(
    prompt: Prompt,
    (vocabulary, template): (&dyn Vocabulary, &ChatTemplate),
    room: Room,
) -> Result<Vec<u32>, RequestError> {
    let tokens = match prompt {
        Prompt::Tokens(tokens) => tokens,
        Prompt::Text(text) => vocabulary.encode_prompt(&text),
        Prompt::Messages(messages) => {
            let options = RenderOptions { now_unix_s: room.now_unix_s, ..RenderOptions::default() };
            vocabulary.encode_prompt(&template.render(&messages, options)?)
        }
    };
    let n_vocab = vocabulary.n_tokens();
    if let Some(token) = tokens.iter().find(|token| **token as usize >= n_vocab) {
        return Err(RequestError::bad(format!("there is no token {token}; the vocabulary has {n_vocab}")));
    }
    if tokens.is_empty() {
        return Err(RequestError::bad("the prompt is empty"));
    }
    if tokens.len() >= room.n_context {
        let message = format!("the prompt has {} tokens; there is room for {}", tokens.len(), room.n_context - 1);
        return Err(RequestError { code: Some("context_length_exceeded"), ..RequestError::bad(message) });
    }
    Ok(tokens)
}
