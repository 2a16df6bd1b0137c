//! Python's methods of strings and dictionaries, which templates written for Hugging Face call.

use minijinja::value::{ValueKind, from_args};
use minijinja::{Error, ErrorKind, Value};

pub(super) fn call(value: &Value, method: &str, arguments: &[Value]) -> Result<Value, Error> {
    if let Some(text) = value.as_str() {
        return string(text, method, arguments);
    }
    match (value.kind(), method) {
        (ValueKind::Map, "items") => {
            let entry = |key: Value| Ok(Value::from(vec![key.clone(), value.get_item(&key)?]));
            value.try_iter()?.map(entry).collect()
        }
        (ValueKind::Map, "keys") => Ok(value.try_iter()?.collect()),
        (ValueKind::Map, "values") => value.try_iter()?.map(|key| value.get_item(&key)).collect(),
        (ValueKind::Map, "get") => {
            let (key, default): (Value, Option<Value>) = from_args(arguments)?;
            let found = value.get_item(&key)?;
            Ok(if found.is_undefined() { default.unwrap_or(Value::from(())) } else { found })
        }
        _ => Err(Error::from(ErrorKind::UnknownMethod)),
    }
}

fn string(text: &str, method: &str, arguments: &[Value]) -> Result<Value, Error> {
    match method {
        "strip" | "lstrip" | "rstrip" => {
            let (characters,): (Option<&str>,) = from_args(arguments)?;
            let is_cut = |c: char| characters.map_or(c.is_whitespace(), |characters| characters.contains(c));
            let text = if method == "rstrip" { text } else { text.trim_start_matches(is_cut) };
            Ok(Value::from(if method == "lstrip" { text } else { text.trim_end_matches(is_cut) }))
        }
        "split" | "rsplit" => split(text, method, arguments),
        "splitlines" => Ok(text.lines().map(Value::from).collect()),
        "startswith" => affix(arguments, |part| text.starts_with(part)),
        "endswith" => affix(arguments, |part| text.ends_with(part)),
        "upper" => Ok(Value::from(text.to_uppercase())),
        "lower" => Ok(Value::from(text.to_lowercase())),
        "capitalize" | "title" => Ok(Value::from(capitalized(text, method))),
        "replace" => {
            let (from, to): (&str, &str) = from_args(arguments)?;
            Ok(Value::from(text.replace(from, to)))
        }
        "find" => {
            let (part,): (&str,) = from_args(arguments)?;
            let at = text.find(part).map_or(-1, |at| text[..at].chars().count() as i64);
            Ok(Value::from(at))
        }
        "count" => {
            let (part,): (&str,) = from_args(arguments)?;
            Ok(Value::from(text.matches(part).count()))
        }
        "isdigit" => Ok(Value::from(!text.is_empty() && text.chars().all(char::is_numeric))),
        "join" => {
            let (parts,): (Value,) = from_args(arguments)?;
            let parts: Vec<String> = parts.try_iter()?.map(|part| part.to_string()).collect();
            Ok(Value::from(parts.join(text)))
        }
        _ => Err(Error::from(ErrorKind::UnknownMethod)),
    }
}

/// A string or several of them.
fn affix(arguments: &[Value], has: impl Fn(&str) -> bool) -> Result<Value, Error> {
    let (parts,): (Value,) = from_args(arguments)?;
    if let Some(part) = parts.as_str() {
        return Ok(Value::from(has(part)));
    }
    Ok(Value::from(parts.try_iter()?.any(|part| part.as_str().is_some_and(&has))))
}

fn split(text: &str, method: &str, arguments: &[Value]) -> Result<Value, Error> {
    let (separator, most): (Option<&str>, Option<i64>) = from_args(arguments)?;
    let n_parts = most.and_then(|most| usize::try_from(most).ok()).map_or(usize::MAX, |most| most.saturating_add(1));
    match separator {
        Some("") => Err(Error::new(ErrorKind::InvalidOperation, "empty separator")),
        Some(separator) if method == "rsplit" => {
            let mut parts: Vec<&str> = text.rsplitn(n_parts, separator).collect();
            parts.reverse();
            Ok(parts.into_iter().map(Value::from).collect())
        }
        Some(separator) => Ok(text.splitn(n_parts, separator).map(Value::from).collect()),
        // Space of any length; a limit on the number of parts is then not supported.
        None if most.is_none_or(|most| most < 0) => Ok(text.split_whitespace().map(Value::from).collect()),
        None => Err(Error::new(ErrorKind::InvalidOperation, "split() with a limit needs a separator")),
    }
}

fn capitalized(text: &str, method: &str) -> String {
    let mut is_start = true;
    let mut changed = String::with_capacity(text.len());
    for c in text.chars() {
        if is_start {
            changed.extend(c.to_uppercase());
        } else {
            changed.extend(c.to_lowercase());
        }
        is_start = method == "title" && !c.is_alphabetic();
    }
    changed
}
