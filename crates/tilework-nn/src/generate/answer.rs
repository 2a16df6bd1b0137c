//! Answers in OpenAI's shapes: whole, or as pieces of a stream.

use crate::sample::{Logprob, Logprobs};
use serde_json::{Value, json};

use super::generation::{Finish, Piece};
use super::vocabulary::Vocabulary;

/// Tokens of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// Tokens of the prompt.
    pub n_prompt: usize,
    /// How many of the prompt were still known.
    pub n_cached: usize,
    /// Tokens of the answer.
    pub n_generated: usize,
    /// Why it ended.
    pub finish: Finish,
}

/// Which of the two interfaces was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Messages in, a message out.
    Chat,
    /// Text in, more of it out.
    Completion,
}

/// What all parts of one answer share.
#[derive(Clone, Debug)]
pub struct Head {
    /// Which interface it is of.
    pub kind: Kind,
    /// Its name.
    pub id: String,
    /// Seconds since 1970.
    pub created_unix_s: u64,
    /// The model's name.
    pub model: String,
}

impl Head {
    /// A whole answer.
    pub fn whole(&self, pieces: &[Piece], usage: Usage, vocabulary: &dyn Vocabulary) -> Value {
        let text: String = pieces.iter().map(|piece| piece.text.as_str()).collect();
        let logprobs = self.logprobs(pieces, vocabulary);
        let finish = usage.finish.name();
        let choice = match self.kind {
            Kind::Chat => json!({
                "index": 0, "message": { "role": "assistant", "content": text }, "logprobs": logprobs, "finish_reason": finish,
            }),
            Kind::Completion => json!({ "index": 0, "text": text, "logprobs": logprobs, "finish_reason": finish }),
        };
        let object = if self.kind == Kind::Chat { "chat.completion" } else { "text_completion" };
        self.wrap(object, vec![choice], Some(usage))
    }

    /// The beginning of a stream; a completion has none.
    pub fn first(&self) -> Option<Value> {
        (self.kind == Kind::Chat).then(|| {
            let delta = json!({ "role": "assistant", "content": "" });
            let choice = json!({ "index": 0, "delta": delta, "logprobs": null, "finish_reason": null });
            self.wrap("chat.completion.chunk", vec![choice], None)
        })
    }

    /// A piece of a stream.
    pub fn piece(&self, piece: &Piece, vocabulary: &dyn Vocabulary) -> Value {
        let logprobs = self.logprobs(std::slice::from_ref(piece), vocabulary);
        self.part(&piece.text, logprobs, None)
    }

    /// The end of a stream, which says why.
    pub fn last(&self, finish: Finish) -> Value {
        self.part("", Value::Null, Some(finish.name()))
    }

    /// The tokens counted, for streams that ask for it.
    pub fn usage(&self, usage: Usage) -> Value {
        let object = if self.kind == Kind::Chat { "chat.completion.chunk" } else { "text_completion" };
        self.wrap(object, Vec::new(), Some(usage))
    }

    fn part(&self, text: &str, logprobs: Value, finish: Option<&str>) -> Value {
        match self.kind {
            Kind::Chat => {
                let delta = if finish.is_some() { json!({}) } else { json!({ "content": text }) };
                let choice = json!({ "index": 0, "delta": delta, "logprobs": logprobs, "finish_reason": finish });
                self.wrap("chat.completion.chunk", vec![choice], None)
            }
            Kind::Completion => {
                let choice = json!({ "index": 0, "text": text, "logprobs": logprobs, "finish_reason": finish });
                self.wrap("text_completion", vec![choice], None)
            }
        }
    }

    fn wrap(&self, object: &str, choices: Vec<Value>, usage: Option<Usage>) -> Value {
        let mut value = json!({
            "id": self.id, "object": object, "created": self.created_unix_s, "model": self.model, "choices": choices,
        });
        if let Some(usage) = usage {
            value["usage"] = json!({
                "prompt_tokens": usage.n_prompt,
                "completion_tokens": usage.n_generated,
                "total_tokens": usage.n_prompt + usage.n_generated,
                "prompt_tokens_details": { "cached_tokens": usage.n_cached },
            });
        }
        value
    }

    fn logprobs(&self, pieces: &[Piece], vocabulary: &dyn Vocabulary) -> Value {
        let tokens: Vec<&Logprobs> = pieces.iter().filter_map(|piece| piece.logprobs.as_ref()).collect();
        if tokens.is_empty() {
            return Value::Null;
        }
        let text = |logprob: &Logprob| String::from_utf8_lossy(&vocabulary.bytes(logprob.token)).into_owned();
        if self.kind == Kind::Completion {
            let best = |token: &&Logprobs| -> Value {
                token
                    .best
                    .iter()
                    .map(|best| (text(best), json!(best.logprob)))
                    .collect::<serde_json::Map<_, _>>()
                    .into()
            };
            return json!({
                "tokens": tokens.iter().map(|token| text(&token.chosen)).collect::<Vec<_>>(),
                "token_logprobs": tokens.iter().map(|token| token.chosen.logprob).collect::<Vec<_>>(),
                "top_logprobs": tokens.iter().map(best).collect::<Vec<_>>(),
            });
        }
        let entry = |logprob: &Logprob| json!({ "token": text(logprob), "logprob": logprob.logprob, "bytes": vocabulary.bytes(logprob.token) });
        let content = tokens.iter().map(|token| {
            let mut value = entry(&token.chosen);
            value["top_logprobs"] = token.best.iter().map(entry).collect();
            value
        });
        json!({ "content": content.collect::<Vec<_>>() })
    }
}
