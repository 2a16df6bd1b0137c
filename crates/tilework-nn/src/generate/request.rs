//! From the body of a request in OpenAI's form to what is to be done.

use crate::chat::Message;
use crate::grammar::{Grammar, Json, schema_to_gbnf};
use crate::sample::SampleOptions;
use serde_json::{Map, Value};

use super::error::RequestError;
use super::generation::{AtEnd, GenerationOptions};

type Result<T> = std::result::Result<T, RequestError>;

/// Most messages of a conversation.
const MAX_MESSAGES: usize = 4096;

/// What to continue.
#[derive(Clone, Debug, PartialEq)]
pub enum Prompt {
    /// A conversation, which the model's template makes a text of.
    Messages(Vec<Message>),
    /// A text, special tokens and all.
    Text(String),
    /// Tokens.
    Tokens(Vec<u32>),
}

/// A request for an answer.
pub struct Request {
    /// What to continue.
    pub prompt: Prompt,
    /// Its `n_most` is what the request asks for, or no limit.
    pub options: GenerationOptions,
    /// How the answer is sent.
    pub delivery: Delivery,
}

/// How the answer is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// All at once.
    Whole,
    /// Piece by piece.
    Stream {
        /// Whether the tokens are counted at the end.
        with_usage: bool,
    },
}

/// A body as JSON, twice: once sorted, once in its own order.
pub struct Body<'a> {
    text: &'a str,
    fields: Map<String, Value>,
}

impl<'a> Body<'a> {
    /// Reads a body; it must be a JSON object.
    pub fn parse(bytes: &'a [u8]) -> Result<Body<'a>> {
        let text = std::str::from_utf8(bytes).map_err(|_| RequestError::bad("the body is not UTF-8"))?;
        match serde_json::from_str(text) {
            Ok(Value::Object(fields)) => Ok(Body { text, fields }),
            Ok(_) => Err(RequestError::bad("the body must be a JSON object")),
            Err(error) => Err(RequestError::bad(format!("the body is not JSON: {error}"))),
        }
    }

    /// A field that is there and not `null`.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.fields.get(name).filter(|value| !value.is_null())
    }

    fn number(&self, name: &'static str) -> Result<Option<f32>> {
        let Some(value) = self.get(name) else { return Ok(None) };
        value.as_f64().map(|number| Some(number as f32)).ok_or_else(|| RequestError::field(name, "a number is needed"))
    }

    fn count(&self, name: &'static str) -> Result<Option<usize>> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let count = value.as_u64().and_then(|count| usize::try_from(count).ok());
        count.map(Some).ok_or_else(|| RequestError::field(name, "a whole number, at least 0, is needed"))
    }

    fn flag(&self, name: &'static str) -> Result<bool> {
        let Some(value) = self.get(name) else { return Ok(false) };
        value.as_bool().ok_or_else(|| RequestError::field(name, "true or false is needed"))
    }

    /// A request for the next message of a conversation. `seed` is for those that name none.
    pub fn chat(&self, seed: u64) -> Result<Request> {
        for name in ["tools", "functions"] {
            if self.get(name).and_then(Value::as_array).is_some_and(|list| !list.is_empty()) {
                return Err(RequestError::bad(format!("`{name}` are not supported")));
            }
        }
        let logprobs = match (self.flag("logprobs")?, self.count("top_logprobs")?) {
            (false, None | Some(0)) => None,
            (false, Some(_)) => return Err(RequestError::field("top_logprobs", "needs `logprobs` to be true")),
            (true, n) => Some(n.unwrap_or(0)),
        };
        self.request(Prompt::Messages(self.messages()?), logprobs, seed)
    }

    /// A request for more of a text. `seed` is for those that name none.
    pub fn completion(&self, seed: u64) -> Result<Request> {
        if self.flag("echo")? || self.get("suffix").is_some() || self.count("best_of")?.is_some_and(|n| n != 1) {
            return Err(RequestError::bad("`echo`, `suffix` and `best_of` are not supported"));
        }
        self.request(self.prompt("prompt")?, self.count("logprobs")?, seed)
    }

    /// `prompt` or `input`: a text, a list of one, or tokens.
    pub fn prompt(&self, name: &'static str) -> Result<Prompt> {
        let wrong = || RequestError::field(name, "one text, or the numbers of its tokens, is needed");
        match self.get(name).ok_or_else(|| RequestError::field(name, "is missing"))? {
            Value::String(text) => Ok(Prompt::Text(text.clone())),
            Value::Array(list) => match &list[..] {
                [Value::String(text)] => Ok(Prompt::Text(text.clone())),
                [] => Err(wrong()),
                tokens => {
                    let token = |token: &Value| token.as_u64().and_then(|token| u32::try_from(token).ok());
                    Ok(Prompt::Tokens(tokens.iter().map(token).collect::<Option<_>>().ok_or_else(wrong)?))
                }
            },
            _ => Err(wrong()),
        }
    }

    fn request(&self, prompt: Prompt, logprobs: Option<usize>, seed: u64) -> Result<Request> {
        if self.count("n")?.is_some_and(|n| n != 1) {
            return Err(RequestError::field("n", "only 1 answer per request is supported"));
        }
        if logprobs.is_some_and(|n| n > 20) {
            return Err(RequestError::field("top_logprobs", "at most 20 are reported"));
        }
        let sample = self.sampling(logprobs, seed)?;
        sample.check()?;
        let n_most = self.count("max_completion_tokens")?.or(self.count("max_tokens")?).unwrap_or(usize::MAX);
        if n_most == 0 {
            return Err(RequestError::field("max_tokens", "at least 1 is needed"));
        }
        let at_end = if self.flag("ignore_eos")? { AtEnd::Ignore } else { AtEnd::Stop };
        let options = GenerationOptions { sample, grammar: self.grammar()?, stops: self.stops()?, n_most, at_end };
        let with_usage =
            self.get("stream_options").and_then(|options| options["include_usage"].as_bool()).unwrap_or(false);
        let delivery = if self.flag("stream")? { Delivery::Stream { with_usage } } else { Delivery::Whole };
        Ok(Request { prompt, options, delivery })
    }

    fn sampling(&self, logprobs: Option<usize>, seed: u64) -> Result<SampleOptions> {
        let usual = SampleOptions::default();
        let seed = match self.get("seed") {
            None => seed,
            // Negative seeds are seeds, too.
            Some(value) => {
                let seed = value.as_u64().or(value.as_i64().map(i64::cast_unsigned));
                seed.ok_or_else(|| RequestError::field("seed", "a whole number is needed"))?
            }
        };
        Ok(SampleOptions {
            temperature: self.number("temperature")?.unwrap_or(usual.temperature),
            top_k: self.count("top_k")?.unwrap_or(usual.top_k),
            top_p: self.number("top_p")?.unwrap_or(usual.top_p),
            min_p: self.number("min_p")?.unwrap_or(usual.min_p),
            typical_p: self.number("typical_p")?.unwrap_or(usual.typical_p),
            repetition_penalty: self
                .number("repeat_penalty")?
                .or(self.number("repetition_penalty")?)
                .unwrap_or(usual.repetition_penalty),
            frequency_penalty: self.number("frequency_penalty")?.unwrap_or(usual.frequency_penalty),
            presence_penalty: self.number("presence_penalty")?.unwrap_or(usual.presence_penalty),
            logit_bias: self.biases()?,
            seed,
            logprobs,
            ..usual
        })
    }

    fn biases(&self) -> Result<Vec<(u32, f32)>> {
        let Some(value) = self.get("logit_bias") else { return Ok(Vec::new()) };
        let wrong = || RequestError::field("logit_bias", "an object from token numbers to numbers is needed");
        let bias = |(token, bias): (&String, &Value)| Some((token.parse().ok()?, bias.as_f64()? as f32));
        value.as_object().ok_or_else(wrong)?.iter().map(|entry| bias(entry).ok_or_else(wrong)).collect()
    }

    fn stops(&self) -> Result<Vec<String>> {
        let wrong = || RequestError::field("stop", "a text or a list of texts is needed");
        match self.get("stop") {
            None => Ok(Vec::new()),
            Some(Value::String(stop)) => Ok(vec![stop.clone()]),
            Some(Value::Array(stops)) => {
                stops.iter().map(|stop| stop.as_str().map(str::to_owned).ok_or_else(wrong)).collect()
            }
            Some(_) => Err(wrong()),
        }
    }

    fn grammar(&self) -> Result<Option<Grammar>> {
        if let Some(grammar) = self.get("grammar") {
            let gbnf = grammar.as_str().ok_or_else(|| RequestError::field("grammar", "a text in GBNF is needed"))?;
            return Ok(Some(Grammar::parse(gbnf).map_err(|error| RequestError::field("grammar", error))?));
        }
        let Some(format) = self.get("response_format") else { return Ok(None) };
        let wrong = |error: tilework::Error| RequestError::field("response_format", error);
        match format["type"].as_str() {
            Some("text") => Ok(None),
            Some("json_object") => Ok(Some(Grammar::json_object().map_err(wrong)?)),
            Some("json_schema") => {
                // The order of properties is the order they are written in, so the schema is read in its own order.
                let body = Json::parse(self.text).map_err(wrong)?;
                let schema = body.get("response_format").and_then(|format| format.get("json_schema")?.get("schema"));
                let schema =
                    schema.ok_or_else(|| RequestError::field("response_format", "`json_schema.schema` is missing"))?;
                let gbnf = schema_to_gbnf(schema).map_err(wrong)?;
                Ok(Some(Grammar::parse(&gbnf).map_err(wrong)?))
            }
            _ => Err(RequestError::field("response_format", "`type` must be text, json_object or json_schema")),
        }
    }

    fn messages(&self) -> Result<Vec<Message>> {
        let wrong = |message: &str| RequestError::field("messages", message);
        let list = self.get("messages").and_then(Value::as_array).filter(|list| !list.is_empty());
        let list = list.ok_or_else(|| wrong("a list of at least one message is needed"))?;
        if list.len() > MAX_MESSAGES {
            return Err(wrong("too many messages"));
        }
        let message = |message: &Value| {
            let role = message["role"].as_str().ok_or_else(|| wrong("each needs a `role`"))?;
            Ok(Message::new(role, content(&message["content"])?))
        };
        list.iter().map(message).collect()
    }
}

/// A text, or parts that are texts.
fn content(value: &Value) -> Result<String> {
    let wrong = || RequestError::field("messages", "`content` must be text; pictures and sound are not supported");
    match value {
        Value::Null => Ok(String::new()),
        Value::String(text) => Ok(text.clone()),
        Value::Array(parts) => parts.iter().map(|part| part["text"].as_str().ok_or_else(wrong)).collect(),
        _ => Err(wrong()),
    }
}
