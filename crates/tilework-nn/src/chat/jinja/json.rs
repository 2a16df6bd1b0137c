//! `tojson` as Hugging Face has it, which is Python's `json.dumps(value, ensure_ascii=False)`: Jinja's own escapes `<` and `'`.

use std::fmt::Write;

use super::filters::float_text;
use super::value::Value;
use super::{MAX_DEPTH, Result, wrong};

/// A value as JSON: on one line, or indented by so many spaces per level.
pub(super) fn text(value: &Value, indent: Option<usize>) -> Result<String> {
    let mut out = String::new();
    write(value, Level { depth: 0, indent: indent.map(|_| self::indent(indent)) }, &mut out)?;
    Ok(out)
}

/// By how much each level is indented.
pub(super) fn indent(wish: Option<usize>) -> usize {
    wish.unwrap_or(0).min(16)
}

/// How deep a value is, and by how much each level is indented.
#[derive(Clone, Copy)]
struct Level {
    depth: usize,
    indent: Option<usize>,
}

impl Level {
    fn new_line(self, out: &mut String) {
        if let Some(indent) = self.indent {
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', indent * self.depth));
        }
    }
}

fn write(value: &Value, level: Level, out: &mut String) -> Result<()> {
    if level.depth > MAX_DEPTH {
        return wrong("tojson: nested too deep");
    }
    let inner = Level { depth: level.depth + 1, ..level };
    let comma = if level.indent.is_some() { "," } else { ", " };
    match value {
        Value::None | Value::Undefined => out.push_str("null"),
        Value::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Value::Int(number) => _ = write!(out, "{number}"),
        Value::Float(number) => out.push_str(&float_text(*number)),
        Value::Text(text) => write_text(text, out),
        Value::List(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { comma });
                inner.new_line(out);
                write(item, inner, out)?;
            }
            if !items.is_empty() {
                level.new_line(out);
            }
            out.push(']');
        }
        Value::Map(map) => {
            out.push('{');
            for (index, (key, item)) in map.0.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { comma });
                inner.new_line(out);
                write_text(&key.printed(), out);
                out.push_str(": ");
                write(item, inner, out)?;
            }
            if !map.0.is_empty() {
                level.new_line(out);
            }
            out.push('}');
        }
        other => return wrong(format!("{} is no JSON", other.kind())),
    }
    Ok(())
}

fn write_text(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            c if u32::from(c) < 0x20 => _ = write!(out, "\\u{:04x}", u32::from(c)),
            c => out.push(c),
        }
    }
    out.push('"');
}
