//! What expressions are worth, with Python's rules of truth, equality, order and print.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::fmt::Write;
use std::rc::Rc;

use super::{HostFunction, MAX_DEPTH};

/// A value. Cheap to clone.
#[derive(Clone)]
pub(in crate::chat) enum Value {
    /// What a name means that nobody gave a meaning.
    Undefined,
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(Rc<str>),
    List(Rc<List>),
    Map(Rc<Map>),
    /// What `namespace()` makes: its members can be set.
    Namespace(Rc<RefCell<Map>>),
    Loop(Rc<Loop>),
    /// A macro, by its number.
    Macro(usize),
    /// A function of the caller's.
    Host(HostFunction),
}

/// Values in a row.
pub(in crate::chat) struct List(Vec<Value>);

impl std::ops::Deref for List {
    type Target = Vec<Value>;

    fn deref(&self) -> &Vec<Value> {
        &self.0
    }
}

/// Keys with values, in the order they came.
#[derive(Clone, Default)]
pub(in crate::chat) struct Map(pub(in crate::chat) Vec<(Value, Value)>);

/// A repetition while it is at one of its items.
pub(in crate::chat) struct Loop {
    pub(super) index: usize,
    pub(super) n: usize,
    pub(super) previous: Value,
    pub(super) next: Value,
}

impl Map {
    fn take(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.0).into_iter().flat_map(|(key, value)| [key, value]).collect()
    }

    pub(super) fn get(&self, key: &Value) -> Option<&Value> {
        self.0.iter().find(|(own, _)| own.is_equal(key)).map(|(_, value)| value)
    }

    pub(super) fn named(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(own, _)| matches!(own, Value::Text(own) if **own == *name)).map(|(_, value)| value)
    }

    pub(super) fn set(&mut self, key: Value, value: Value) {
        match self.0.iter_mut().find(|(own, _)| own.is_equal(&key)) {
            Some((_, own)) => *own = value,
            None => self.0.push((key, value)),
        }
    }
}

impl Value {
    pub(in crate::chat) fn text(text: &str) -> Value {
        Value::Text(text.into())
    }

    pub(in crate::chat) fn list(items: Vec<Value>) -> Value {
        Value::List(Rc::new(List(items)))
    }

    pub(in crate::chat) fn map(entries: Vec<(Value, Value)>) -> Value {
        Value::Map(Rc::new(Map(entries)))
    }

    /// What values print, one after the other.
    pub(super) fn concatenated(values: &[Value]) -> Value {
        let mut out = String::new();
        values.iter().for_each(|value| value.print(&mut out));
        Value::Text(out.into())
    }

    pub(super) fn as_text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn as_int(&self) -> Option<i64> {
        match self {
            Value::Int(number) => Some(*number),
            Value::Bool(truth) => Some(i64::from(*truth)),
            _ => None,
        }
    }

    /// A number, of whole numbers those that floats hold.
    pub(super) fn as_float(&self) -> Option<f64> {
        match self {
            Value::Float(number) => Some(*number),
            other => other.as_int().map(|number| number as f64),
        }
    }

    pub(super) fn kind(&self) -> &'static str {
        match self {
            Value::Undefined => "undefined",
            Value::None => "none",
            Value::Bool(_) => "a truth value",
            Value::Int(_) | Value::Float(_) => "a number",
            Value::Text(_) => "a text",
            Value::List(_) => "a list",
            Value::Map(_) => "a mapping",
            Value::Namespace(_) => "a namespace",
            Value::Loop(_) => "a loop",
            Value::Macro(_) | Value::Host(_) => "a function",
        }
    }

    pub(super) fn is_true(&self) -> bool {
        match self {
            Value::Undefined | Value::None => false,
            Value::Bool(truth) => *truth,
            Value::Int(number) => *number != 0,
            Value::Float(number) => *number != 0.0,
            Value::Text(text) => !text.is_empty(),
            Value::List(items) => !items.is_empty(),
            Value::Map(map) => !map.0.is_empty(),
            Value::Namespace(_) | Value::Loop(_) | Value::Macro(_) | Value::Host(_) => true,
        }
    }

    pub(super) fn is_equal(&self, other: &Value) -> bool {
        self.equal(other, 0)
    }

    fn equal(&self, other: &Value, depth: usize) -> bool {
        match (self, other) {
            (Value::Undefined, Value::Undefined) | (Value::None, Value::None) => true,
            (Value::Text(a), Value::Text(b)) => a == b,
            (Value::List(a), Value::List(b)) => {
                depth < MAX_DEPTH && a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.equal(b, depth + 1))
            }
            (Value::Map(a), Value::Map(b)) => {
                let has = |key: &Value, value: &Value| b.get(key).is_some_and(|own| own.equal(value, depth + 1));
                depth < MAX_DEPTH && a.0.len() == b.0.len() && a.0.iter().all(|(key, value)| has(key, value))
            }
            (Value::Macro(a), Value::Macro(b)) => a == b,
            _ => match (self.as_int(), other.as_int()) {
                (Some(a), Some(b)) => a == b,
                _ => self.as_float().zip(other.as_float()).is_some_and(|(a, b)| a == b),
            },
        }
    }

    /// Which of two comes first, if they can be ordered.
    pub(super) fn order(&self, other: &Value) -> Option<Ordering> {
        match (self, other) {
            (Value::Text(a), Value::Text(b)) => Some(a.cmp(b)),
            _ => match (self.as_int(), other.as_int()) {
                (Some(a), Some(b)) => Some(a.cmp(&b)),
                _ => self.as_float().zip(other.as_float()).and_then(|(a, b)| a.partial_cmp(&b)),
            },
        }
    }

    /// As `{{ }}` prints it.
    pub(super) fn print(&self, out: &mut String) {
        match self {
            Value::Undefined => {}
            Value::Text(text) => out.push_str(text),
            other => other.represent(out, 0),
        }
    }

    pub(super) fn printed(&self) -> Rc<str> {
        if let Value::Text(text) = self {
            return text.clone();
        }
        let mut out = String::new();
        self.print(&mut out);
        out.into()
    }

    /// As Python's `repr` has it.
    fn represent(&self, out: &mut String, depth: usize) {
        if depth > MAX_DEPTH {
            out.push_str("...");
            return;
        }
        match self {
            Value::Undefined => out.push_str("Undefined"),
            Value::None => out.push_str("None"),
            Value::Bool(truth) => out.push_str(if *truth { "True" } else { "False" }),
            Value::Int(number) => _ = write!(out, "{number}"),
            Value::Float(number) => represent_float(*number, out),
            Value::Text(text) => represent_text(text, out),
            Value::List(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { ", " });
                    item.represent(out, depth + 1);
                }
                out.push(']');
            }
            Value::Map(map) => {
                out.push('{');
                for (index, (key, value)) in map.0.iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { ", " });
                    key.represent(out, depth + 1);
                    out.push_str(": ");
                    value.represent(out, depth + 1);
                }
                out.push('}');
            }
            other => {
                out.push('<');
                out.push_str(other.kind());
                out.push('>');
            }
        }
    }
}

/// Takes values apart one by one. A list in a list in a list, a million deep, would otherwise be forgotten by as many calls of calls,
/// for which no stack is deep enough.
fn forget(mut values: Vec<Value>) {
    while let Some(value) = values.pop() {
        match value {
            Value::List(list) => {
                values.extend(Rc::into_inner(list).map(|mut list| std::mem::take(&mut list.0)).unwrap_or_default())
            }
            Value::Map(map) => values.extend(Rc::into_inner(map).map(|mut map| map.take()).unwrap_or_default()),
            Value::Namespace(map) => {
                values.extend(Rc::into_inner(map).map(|map| map.into_inner().take()).unwrap_or_default());
            }
            Value::Loop(state) => {
                values.extend(Rc::into_inner(state).map(|mut state| state.take()).unwrap_or_default());
            }
            _ => {}
        }
    }
}

impl Drop for List {
    fn drop(&mut self) {
        forget(std::mem::take(&mut self.0));
    }
}

impl Drop for Map {
    fn drop(&mut self) {
        forget(self.take());
    }
}

impl Drop for Loop {
    fn drop(&mut self) {
        forget(self.take());
    }
}

impl Loop {
    fn take(&mut self) -> Vec<Value> {
        [&mut self.previous, &mut self.next].map(|value| std::mem::replace(value, Value::Undefined)).into()
    }
}

/// Digits as Python shows them: a fraction always, an exponent from 1e16 on.
pub(super) fn represent_float(number: f64, out: &mut String) {
    let text = format!("{number:?}");
    match text.split_once('e') {
        Some((digits, exponent)) => {
            let (sign, size) = exponent.strip_prefix('-').map_or(('+', exponent), |size| ('-', size));
            _ = write!(out, "{}e{sign}{size:0>2}", digits.strip_suffix(".0").unwrap_or(digits));
        }
        None => out.push_str(match text.as_str() {
            "NaN" => "nan",
            text => text,
        }),
    }
}

fn represent_text(text: &str, out: &mut String) {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    out.push(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => out.extend(['\\', c]),
            c if c.is_control() => _ = write!(out, "\\x{:02x}", u32::from(c)),
            c => out.push(c),
        }
    }
    out.push(quote);
}
