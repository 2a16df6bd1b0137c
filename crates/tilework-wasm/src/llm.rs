//! `LanguageModel`: a GGUF model with its conversation, and `Answer`: what it writes.
//!
//! Files are read as they are needed, through a [`ByteSource`] that answers at once, as files can be read in a worker; so a
//! model never lies in this memory twice. Requests and answers are JSON in OpenAI's form.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, Function, Promise};
use serde_json::{Value, json};
use tilework::{Error, ErrorKind};
use tilework_nn::generate::{
    Assistant, Body, Head, Kind, Prepared, Prompt, RequestError, Room, Step, Usage, Writing, prompt_tokens,
};
use tilework_nn::gguf::{Gguf, Parsed, Recipe, Source};
use tilework_nn::llm::{CacheType, Config, Context, Model, ModelOptions};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

use crate::error::{JsResult, argument, to_js};
use crate::info;
use crate::open::Opened;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r"
/** A file that is read at once: `read` fills `out` with the bytes from `offset` on, or throws. */
export interface ByteSource {
  readonly size: number;
  read(offset: number, out: Uint8Array): void;
}
";

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "ByteSource")]
    type ByteSource;
    #[wasm_bindgen(method, getter)]
    fn size(this: &ByteSource) -> f64;
    #[wasm_bindgen(method, catch)]
    fn read(this: &ByteSource, offset: f64, out: &mut [u8]) -> Result<(), JsValue>;
}

impl Source for ByteSource {
    fn len(&self) -> u64 {
        self.size() as u64
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> tilework::Result<()> {
        if offset.checked_add(out.len() as u64).is_none_or(|end| end > self.len()) {
            let message = format!("{} bytes at {offset} are beyond its end at {}", out.len(), self.len());
            return Err(Error::new(ErrorKind::Io, "gguf", message));
        }
        self.read(offset as f64, out).map_err(|thrown| {
            let message = thrown.dyn_ref::<js_sys::Error>().map_or_else(|| "it cannot be read".into(), |e| e.message());
            Error::new(ErrorKind::Io, "gguf", String::from(message))
        })
    }
}

/// What the first bytes of a file say about the model in it, as JSON; or a number: so many bytes are needed.
#[wasm_bindgen(unchecked_return_type = "string | number")]
pub fn inspect(head: &[u8]) -> JsResult<JsValue> {
    match Gguf::parse(head).map_err(|error| to_js(&error))? {
        Parsed::NeedMore(n_bytes) => Ok((n_bytes as f64).into()),
        Parsed::Done(gguf) => Ok(summary(&gguf).map_err(|error| to_js(&error))?.to_string().into()),
    }
}

fn summary(gguf: &Gguf) -> tilework::Result<Value> {
    let config = Config::new(gguf);
    let text = |key: &str| Ok::<_, Error>(gguf.metadata.string(key)?.unwrap_or_default().to_owned());
    let sum =
        |part: fn(&tilework_nn::gguf::TensorInfo) -> u64| gguf.tensors.iter().map(part).fold(0, u64::saturating_add);
    let recipe = gguf.metadata.u32("general.file_type")?.and_then(Recipe::from_file_type);
    let format = recipe.map(Recipe::name).or_else(|| most_common(gguf)).unwrap_or_default();
    let n_splits = gguf.metadata.u32("split.count")?.unwrap_or(1);
    Ok(json!({
        "name": text("general.name")?,
        "architecture": text("general.architecture")?,
        "format": format,
        "parameters": sum(|tensor| tensor.n_elements()),
        "weightBytes": sum(|tensor| tensor.size_bytes),
        "endBytes": gguf.data_offset.saturating_add(gguf.tensors.iter().map(|tensor| tensor.offset.saturating_add(tensor.size_bytes)).max().unwrap_or(0)),
        "contextLength": config.as_ref().map_or(0, |config| config.n_context),
        // At most: a GPU keeps half as much.
        "cacheBytesPerToken": config.as_ref().map_or(0, |config| config.cache_bytes_per_token(CacheType::Floats)),
        "hasChatTemplate": gguf.metadata.string("tokenizer.chat_template")?.is_some(),
        "parts": n_splits.max(1),
        "problem": config.err().map(|error| error.message().to_owned()),
    }))
}

/// The format of most bytes of weights.
fn most_common(gguf: &Gguf) -> Option<&'static str> {
    let mut formats: Vec<(&'static str, u64)> = Vec::new();
    for tensor in &gguf.tensors {
        let name = tensor.format.name();
        match formats.iter_mut().find(|(format, _)| *format == name) {
            Some((_, n_bytes)) => *n_bytes = n_bytes.saturating_add(tensor.size_bytes),
            None => formats.push((name, tensor.size_bytes)),
        }
    }
    formats.into_iter().max_by_key(|(_, n_bytes)| *n_bytes).map(|(format, _)| format)
}

/// An open model, with the context of the conversation it was last asked about.
#[wasm_bindgen]
pub struct LanguageModel {
    opened: Opened,
    assistant: Rc<Assistant>,
    /// Not there while an answer is written into it.
    context: Rc<RefCell<Option<Context>>>,
    n_context: usize,
    n_chunk: usize,
}

#[wasm_bindgen]
impl LanguageModel {
    /// Opens a device ("auto", "gpu" or "cpu") and reads a model onto it: one file, or the parts of a split one.
    ///
    /// `n_context` tokens are the longest conversation; `n_chunk` tokens of a prompt are read at once (0: what suits the
    /// device). `progress` is called with bytes done and in all.
    pub async fn open(
        device: String,
        #[wasm_bindgen(unchecked_param_type = "ByteSource[]")] sources: Array,
        n_context: usize,
        n_chunk: usize,
        progress: Function,
    ) -> JsResult<LanguageModel> {
        let opened = Opened::whole(&device).await?;
        let sources: Vec<ByteSource> = sources.iter().map(JsCast::unchecked_into).collect();
        let sources: Vec<&dyn Source> = sources.iter().map(|source| source as &dyn Source).collect();
        let mut tell = |loaded: tilework_nn::llm::LoadProgress| {
            // Whoever listens may fail; the model does not.
            let _ =
                progress.call2(&JsValue::NULL, &(loaded.done_bytes as f64).into(), &(loaded.total_bytes as f64).into());
            Ok(())
        };
        // No instruction of WASM widens halves: on a CPU they would cost more time than they save.
        let cache = if opened.device.adapter().is_some() { CacheType::Halves } else { CacheType::Floats };
        let options = ModelOptions { cache, ..ModelOptions::default() };
        let model = Model::open(&opened.device, &sources, options, &mut tell);
        let assistant = model.and_then(Assistant::new).map_err(|error| to_js(&error))?;
        let context = assistant.model.context(n_context.max(1)).map_err(|error| to_js(&error))?;
        let usual = if opened.device.adapter().is_some() { 128 } else { 64 };
        Ok(LanguageModel {
            opened,
            assistant: Rc::new(assistant),
            context: Rc::new(RefCell::new(Some(context))),
            n_context: n_context.max(1),
            n_chunk: if n_chunk == 0 { usual } else { n_chunk },
        })
    }

    /// The device in words, as JSON; see `Engine.info`.
    pub fn info(&self) -> String {
        info::info(&self.opened)
    }

    /// Why the model's own chat template is not used, if it has one; empty otherwise.
    #[wasm_bindgen(js_name = templateProblem)]
    pub fn template_problem(&self) -> String {
        self.assistant.template.problem().map(|problem| problem.message().to_owned()).unwrap_or_default()
    }

    /// Whether the model still computes where it began: false once the CPU had to take over from a GPU.
    #[wasm_bindgen(js_name = isOnGpu)]
    pub fn is_on_gpu(&self) -> bool {
        self.assistant.model.device().is_ok_and(|device| device.adapter().is_some())
    }

    /// Begins to answer a request (JSON): "chat" or "completion". One answer at a time.
    pub fn begin(&self, kind: &str, body: &str, id: String, now_unix_s: f64, seed: f64) -> JsResult<Answer> {
        let kind = kind_of(kind)?;
        let body = Body::parse(body.as_bytes()).map_err(refused)?;
        let request = match kind {
            Kind::Chat => body.chat(seed as u64),
            Kind::Completion => body.completion(seed as u64),
        };
        let Prepared { prompt, generation, .. } =
            request.and_then(|request| self.assistant.prepare(request, self.room(now_unix_s))).map_err(refused)?;
        let busy = || argument("request", "another answer is being written");
        let mut context = self.context.borrow_mut().take().ok_or_else(busy)?;
        let writing = Writing::new(&self.assistant.model, &mut context, (prompt, generation), self.n_chunk);
        let head = Head { kind, id, created_unix_s: now_unix_s as u64, model: self.assistant.name.clone() };
        let state = Rc::new(RefCell::new(Some(Running { writing, context })));
        Ok(Answer { state, home: self.context.clone(), assistant: self.assistant.clone(), head })
    }

    /// Tokens of the prompt that a request would make.
    #[wasm_bindgen(js_name = countTokens)]
    pub fn count_tokens(&self, kind: &str, body: &str, now_unix_s: f64) -> JsResult<usize> {
        let body = Body::parse(body.as_bytes()).map_err(refused)?;
        let request = match kind_of(kind)? {
            Kind::Chat => body.chat(0),
            Kind::Completion => body.completion(0),
        };
        let parts = (&self.assistant.model as &dyn tilework_nn::generate::Vocabulary, &self.assistant.template);
        let room = Room { n_context: usize::MAX, ..self.room(now_unix_s) };
        let tokens = request.and_then(|request| prompt_tokens(request.prompt, parts, room)).map_err(refused)?;
        Ok(tokens.len())
    }

    /// The tokens of a text, in which special tokens are read as such.
    pub fn tokenize(&self, text: String) -> JsResult<Vec<u32>> {
        let parts = (&self.assistant.model as &dyn tilework_nn::generate::Vocabulary, &self.assistant.template);
        let room = Room { n_context: usize::MAX, ..self.room(0.0) };
        if text.is_empty() { Ok(Vec::new()) } else { prompt_tokens(Prompt::Text(text), parts, room).map_err(refused) }
    }

    /// The text of tokens.
    pub fn detokenize(&self, tokens: &[u32]) -> JsResult<String> {
        let tokenizer = self.assistant.model.tokenizer();
        match tokens.iter().find(|token| **token as usize >= tokenizer.n_tokens()) {
            Some(token) => Err(argument("detokenize", format!("there is no token {token}"))),
            None => Ok(tokenizer.decode(tokens)),
        }
    }

    /// Asks the browser to look for finished work now; see `Gpu::nudge`.
    pub fn nudge(&self) {
        if let Some(gpu) = self.opened.device.open_gpu() {
            gpu.nudge();
        }
    }
}

impl LanguageModel {
    fn room(&self, now_unix_s: f64) -> Room {
        Room { n_context: self.n_context, n_most: usize::MAX, now_unix_s: Some(now_unix_s as i64) }
    }
}

fn kind_of(kind: &str) -> JsResult<Kind> {
    match kind {
        "chat" => Ok(Kind::Chat),
        "completion" => Ok(Kind::Completion),
        _ => Err(argument("request", format!("there is no request \"{kind}\"; it is chat or completion"))),
    }
}

fn refused(error: RequestError) -> JsValue {
    to_js(&error.into_error())
}

/// What an answer needs to go on.
struct Running {
    writing: Writing,
    context: Context,
}

/// An answer being written. Freed, it gives the context back: also one that is not finished.
#[wasm_bindgen]
pub struct Answer {
    /// Not there while a step is on its way.
    state: Rc<RefCell<Option<Running>>>,
    home: Rc<RefCell<Option<Context>>>,
    assistant: Rc<Assistant>,
    head: Head,
}

#[wasm_bindgen]
impl Answer {
    /// The next step: JSON with `read` (tokens of the prompt in the context by now), or with `chunk`, in OpenAI's form, and
    /// perhaps `usage`, when it was the last one. Resolves to nothing afterwards.
    #[wasm_bindgen(unchecked_return_type = "Promise<string | undefined>")]
    pub fn next(&self) -> Promise {
        let (state, home) = (self.state.clone(), self.home.clone());
        let (assistant, head) = (self.assistant.clone(), self.head.clone());
        future_to_promise(async move {
            let busy = || argument("answer", "wait for the step before");
            let mut running = state.borrow_mut().take().ok_or_else(busy)?;
            let step = running.writing.next(&mut running.context).await;
            let told = step.map(|step| step.map(|step| told(&step, &running.writing, &assistant, &head)));
            // Nobody else knows the state if the answer was freed meanwhile.
            if Rc::strong_count(&state) == 1 {
                *home.borrow_mut() = Some(running.context);
            } else {
                *state.borrow_mut() = Some(running);
            }
            match told {
                Ok(told) => Ok(told.map_or(JsValue::UNDEFINED, |told| told.to_string().into())),
                Err(error) => Err(to_js(&error)),
            }
        })
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        if let Some(running) = self.state.borrow_mut().take() {
            *self.home.borrow_mut() = Some(running.context);
        }
    }
}

fn told(step: &Step, writing: &Writing, assistant: &Assistant, head: &Head) -> Value {
    let (n_prompt, n_cached) = (writing.n_prompt(), writing.n_cached());
    match step {
        Step::Read(n_read) => json!({ "read": n_read, "prompt": n_prompt, "cached": n_cached }),
        Step::Wrote(piece) => {
            let mut value = json!({ "chunk": head.piece(piece, &assistant.model), "generated": writing.n_generated() });
            if let Some(finish) = piece.finish {
                let usage = Usage { n_prompt, n_cached, n_generated: writing.n_generated(), finish };
                value["end"] = head.last(finish);
                value["usage"] = head.usage(usage)["usage"].take();
            }
            value
        }
    }
}
