//! A model's chat template.

use std::io;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Kwargs, Rest, ValueKind};
use minijinja::{AutoEscape, Environment, ErrorKind as JinjaKind, Value};
use tilework::{Error, ErrorKind, Result};

use super::{Message, builtins, dates, methods};

const OP: &str = "chat_template";
/// Longest template, in bytes.
const MAX_TEMPLATE_BYTES: usize = 1 << 18;
/// Longest prompt, in bytes.
const MAX_PROMPT_BYTES: usize = 1 << 25;
/// Instructions that a rendering may take: what any conversation needs many times over, and a second at most.
const FUEL: u64 = 10_000_000;
const MAX_DEPTH: usize = 100;
const NAME: &str = "chat";

/// The form of models that do not say theirs.
const CHATML: &str = "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + \
                      '<|im_end|>' + '\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}";

/// Turns conversations into prompts.
#[derive(Debug)]
pub struct ChatTemplate {
    environment: Environment<'static>,
    texts: SpecialTexts,
    problem: Option<Error>,
    is_own: bool,
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
        let mut environment = environment();
        let problem = template.and_then(|template| add(&mut environment, template).err());
        let is_own = template.is_some() && problem.is_none();
        if !is_own {
            // A constant, which the tests render.
            let _ = environment.add_template(NAME, CHATML);
        }
        ChatTemplate { environment, texts, problem, is_own }
    }

    /// Why the model's own template is not used, if it has one.
    pub fn problem(&self) -> Option<&Error> {
        self.problem.as_ref()
    }

    /// Whether the template is the model's own, not ChatML for want of one.
    pub fn is_own(&self) -> bool {
        self.is_own
    }

    /// The prompt of a conversation.
    ///
    /// # Errors
    /// `Argument` if the template refuses the conversation (such as two messages of a user in a row) or fails;
    /// `TooLarge` if it takes too long or writes too much.
    pub fn render(&self, messages: &[Message], options: RenderOptions) -> Result<String> {
        let messages: Value = messages
            .iter()
            .map(|message| Value::from_pairs([("role", message.role.as_str()), ("content", message.content.as_str())]))
            .collect();
        let mut context = vec![
            ("messages", messages),
            ("bos_token", Value::from(self.texts.begin.as_str())),
            ("eos_token", Value::from(self.texts.end.as_str())),
            ("add_generation_prompt", Value::from(options.turn == Turn::Assistant)),
        ];
        if let Some(now) = options.now_unix_s {
            let strftime = move |format: &str| dates::strftime(format, now);
            context.push(("strftime_now", Value::from_function(strftime)));
        }
        let template = self.environment.get_template(NAME).map_err(refused)?;
        let mut prompt = Prompt { bytes: Vec::new() };
        template.render_captured_to(Value::from_pairs(context), &mut prompt).map_err(refused)?;
        String::from_utf8(prompt.bytes).map_err(|_| Error::argument(OP, "the template wrote something that is no text"))
    }
}

fn add(environment: &mut Environment<'static>, template: &str) -> Result<()> {
    if template.len() > MAX_TEMPLATE_BYTES {
        return Err(Error::new(
            ErrorKind::TooLarge,
            OP,
            format!("{} bytes; at most {MAX_TEMPLATE_BYTES}", template.len()),
        ));
    }
    environment.add_template_owned(NAME, template.to_owned()).map_err(refused)
}

/// As Hugging Face sets Jinja up.
fn environment() -> Environment<'static> {
    let mut environment = Environment::empty();
    builtins::add(&mut environment);
    if let Ok(syntax) = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build() {
        environment.set_syntax(syntax);
    }
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.set_fuel(Some(FUEL));
    environment.set_recursion_limit(MAX_DEPTH);
    environment.set_unknown_method_callback(|_, value, method, arguments| methods::call(value, method, arguments));
    environment.add_filter("tojson", tojson);
    environment.add_function("raise_exception", |message: &str| -> std::result::Result<Value, minijinja::Error> {
        Err(minijinja::Error::new(JinjaKind::InvalidOperation, format!("{RAISED}{message}")))
    });
    environment
}

/// Marks what a template says itself.
const RAISED: &str = "the template refuses: ";

fn refused(error: minijinja::Error) -> Error {
    let mut cause: &dyn std::error::Error = &error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    let text = cause.to_string();
    if error.kind() == JinjaKind::OutOfFuel {
        return Error::new(ErrorKind::TooLarge, OP, "the template takes too long");
    }
    if text.contains(TOO_LONG) {
        return Error::new(ErrorKind::TooLarge, OP, TOO_LONG);
    }
    match text.split_once(RAISED) {
        Some((_, message)) => Error::argument(OP, format!("{RAISED}{message}")),
        None => Error::argument(OP, text),
    }
}

const TOO_LONG: &str = "the template writes too much";

/// The prompt while it is written.
struct Prompt {
    bytes: Vec<u8>,
}

impl io::Write for Prompt {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes.len() + bytes.len() > MAX_PROMPT_BYTES {
            return Err(io::Error::other(TOO_LONG));
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// `tojson` as Python's `json.dumps(value, ensure_ascii=False)`: Jinja's own escapes `<` and `'` for web pages.
fn tojson(value: &Value, options: Kwargs, _rest: Rest<Value>) -> std::result::Result<Value, minijinja::Error> {
    let indent: Option<usize> = options.get("indent").unwrap_or(None);
    let mut text = String::new();
    write_json(value, Level { depth: 0, indent }, &mut text)?;
    Ok(Value::from(text))
}

/// How deep a value is, and by how much each level is indented; on one line if by nothing.
#[derive(Clone, Copy)]
struct Level {
    depth: usize,
    indent: Option<usize>,
}

impl Level {
    fn new_line(self, text: &mut String) {
        if let Some(indent) = self.indent {
            text.push('\n');
            text.extend(std::iter::repeat_n(' ', indent.min(16) * self.depth));
        }
    }
}

fn write_json(value: &Value, level: Level, text: &mut String) -> std::result::Result<(), minijinja::Error> {
    if level.depth > MAX_DEPTH {
        return Err(minijinja::Error::new(JinjaKind::InvalidOperation, "tojson: nested too deep"));
    }
    match value.kind() {
        ValueKind::Map => write_items(value, ('{', '}'), level, text)?,
        ValueKind::Seq | ValueKind::Iterable => write_items(value, ('[', ']'), level, text)?,
        ValueKind::Bool => text.push_str(if value.is_true() { "true" } else { "false" }),
        ValueKind::Number => text.push_str(&value.to_string()),
        ValueKind::None | ValueKind::Undefined => text.push_str("null"),
        _ => text.push_str(&serde_json::Value::from(value.to_string()).to_string()),
    }
    Ok(())
}

fn write_items(
    value: &Value,
    (open, close): (char, char),
    level: Level,
    text: &mut String,
) -> std::result::Result<(), minijinja::Error> {
    let inner = Level { depth: level.depth + 1, ..level };
    let comma = if level.indent.is_some() { "," } else { ", " };
    let mut is_empty = true;
    text.push(open);
    for item in value.try_iter()? {
        text.push_str(if is_empty { "" } else { comma });
        is_empty = false;
        inner.new_line(text);
        if value.kind() == ValueKind::Map {
            text.push_str(&serde_json::Value::from(item.to_string()).to_string());
            text.push_str(": ");
            write_json(&value.get_item(&item)?, inner, text)?;
        } else {
            write_json(&item, inner, text)?;
        }
    }
    if !is_empty {
        level.new_line(text);
    }
    text.push(close);
    Ok(())
}
