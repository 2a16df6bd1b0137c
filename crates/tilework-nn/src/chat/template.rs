//! A model's chat template.

use std::rc::Rc;

use tilework::{Error, ErrorKind, Result};

use super::jinja::{Failure, Limits, Template, Value};
use super::{Message, dates};

const OP: &str = "chat_template";
/// Longest template, in bytes.
const MAX_TEMPLATE_BYTES: usize = 1 << 18;
/// Longest prompt, in bytes.
const MAX_PROMPT_BYTES: usize = 1 << 25;
/// Steps that a rendering may take: what any conversation needs many times over, and a second or two at most.
const MAX_STEPS: u64 = 10_000_000;

/// The form of models that do not say theirs.
const CHATML: &str = "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + \
                      '<|im_end|>' + '\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}";

/// Turns conversations into prompts.
#[derive(Debug)]
pub struct ChatTemplate {
    /// The model's own; ChatML if it has none.
    own: Option<Template>,
    texts: SpecialTexts,
    problem: Option<Error>,
}

/// Texts of the tokens that begin and end what a model reads; empty where it has none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpecialTexts {
    /// `bos_token`.
    pub begin: String,
    /// `eos_token`.
    pub end: String,
}

/// How a prompt ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Turn {
    /// With the words that the model's answer follows.
    #[default]
    Assistant,
    /// With the last message.
    Nobody,
}

/// How to render a conversation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RenderOptions {
    /// Whose turn it is.
    pub turn: Turn,
    /// Seconds since 1970, in local time if dates are to be local; templates that ask for the date get none if left out.
    pub now_unix_s: Option<i64>,
}

impl ChatTemplate {
    /// The template of a model, or ChatML if there is none or it cannot be read; [`ChatTemplate::problem`] says why then.
    pub fn new(template: Option<&str>, texts: SpecialTexts) -> ChatTemplate {
        let (own, problem) = match template.map(parse) {
            None => (None, None),
            Some(Ok(own)) => (Some(own), None),
            Some(Err(problem)) => (None, Some(problem)),
        };
        ChatTemplate { own, texts, problem }
    }

    /// Why the model's own template is not used, if it has one.
    pub fn problem(&self) -> Option<&Error> {
        self.problem.as_ref()
    }

    /// Whether the template is the model's own, not ChatML for want of one.
    pub fn is_own(&self) -> bool {
        self.own.is_some()
    }

    /// The prompt of a conversation.
    ///
    /// # Errors
    /// `Argument` if the template refuses the conversation (such as two messages of a user in a row) or fails;
    /// `TooLarge` if it takes too long or writes too much.
    pub fn render(&self, messages: &[Message], options: RenderOptions) -> Result<String> {
        let message = |message: &Message| {
            let (role, content) = (Value::text(&message.role), Value::text(&message.content));
            Value::map(vec![(Value::text("role"), role), (Value::text("content"), content)])
        };
        let mut context = vec![
            ("messages", Value::list(messages.iter().map(message).collect())),
            ("bos_token", Value::text(&self.texts.begin)),
            ("eos_token", Value::text(&self.texts.end)),
            ("add_generation_prompt", Value::Bool(options.turn == Turn::Assistant)),
        ];
        if let Some(now) = options.now_unix_s {
            context.push(("strftime_now", Value::Host(Rc::new(move |format| dates::strftime(format, now)))));
        }
        let limits = Limits { n_steps: MAX_STEPS, n_bytes: MAX_PROMPT_BYTES };
        match &self.own {
            Some(own) => own.render(context, limits),
            None => Template::parse(CHATML).and_then(|template| template.render(context, limits)),
        }
        .map_err(refused)
    }
}

fn parse(template: &str) -> Result<Template> {
    if template.len() > MAX_TEMPLATE_BYTES {
        let message = format!("{} bytes; at most {MAX_TEMPLATE_BYTES}", template.len());
        return Err(Error::new(ErrorKind::TooLarge, OP, message));
    }
    Template::parse(template).map_err(refused)
}

fn refused(failure: Failure) -> Error {
    match failure {
        Failure::Wrong(message) => Error::argument(OP, message),
        Failure::Raised(message) => Error::argument(OP, format!("the template refuses: {message}")),
        Failure::TooLong => Error::new(ErrorKind::TooLarge, OP, "the template takes too long"),
        Failure::TooMuch => Error::new(ErrorKind::TooLarge, OP, "the template writes too much"),
    }
}
