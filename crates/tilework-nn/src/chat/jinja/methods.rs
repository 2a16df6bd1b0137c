//! Python's methods of texts and mappings, which templates written for Hugging Face call.

use super::render::{Given, Run};
use super::value::Value;
use super::{Result, wrong};

pub(super) fn call(run: &mut Run<'_>, value: &Value, method: &str, given: &Given) -> Result<Value> {
    match value {
        Value::Text(text) => string(run, text, method, given),
        Value::Map(map) => {
            let entries = map.0.iter();
            match method {
                "items" => Ok(Value::list(entries.map(|(k, v)| Value::list(vec![k.clone(), v.clone()])).collect())),
                "keys" => Ok(Value::list(entries.map(|(key, _)| key.clone()).collect())),
                "values" => Ok(Value::list(entries.map(|(_, value)| value.clone()).collect())),
                "get" => {
                    let usual = || match given.get(1, "default") {
                        Value::Undefined => Value::None,
                        usual => usual,
                    };
                    Ok(map.get(&given.get(0, "key")).cloned().unwrap_or_else(usual))
                }
                _ => wrong(format!("a mapping has no method `{method}`")),
            }
        }
        other => wrong(format!("{} has no method `{method}`", other.kind())),
    }
}

fn string(run: &mut Run<'_>, text: &str, method: &str, given: &Given) -> Result<Value> {
    run.steps((text.len() / 8) as u64)?;
    let first = given.get(0, "");
    let needed = || match &first {
        Value::Text(part) => Ok(part.clone()),
        other => wrong(format!("`{method}` needs a text, not {}", other.kind())),
    };
    let made = |text: String| Ok(Value::Text(text.into()));
    match method {
        "strip" | "lstrip" | "rstrip" => Ok(stripped(text, method, first.as_text())),
        "split" | "rsplit" => split(run, text, method, given),
        "splitlines" => Ok(Value::list(text.lines().map(Value::text).collect())),
        "startswith" => affix(run, &first, |part| text.starts_with(part)),
        "endswith" => affix(run, &first, |part| text.ends_with(part)),
        "removeprefix" => Ok(Value::text(text.strip_prefix(&*needed()?).unwrap_or(text))),
        "removesuffix" => Ok(Value::text(text.strip_suffix(&*needed()?).unwrap_or(text))),
        "upper" => made(text.to_uppercase()),
        "lower" => made(text.to_lowercase()),
        "capitalize" | "title" => made(capitalized(text, method)),
        "replace" => {
            let to = run.printed(&given.get(1, ""))?;
            replaced(run, text, (&needed()?, &to), given.get(2, "count").as_int())
        }
        "find" => {
            let at = text.find(&*needed()?);
            Ok(Value::Int(at.map_or(-1, |at| text[..at].chars().count() as i64)))
        }
        "count" => Ok(Value::Int(text.matches(&*needed()?).count() as i64)),
        "isdigit" => Ok(Value::Bool(!text.is_empty() && text.chars().all(char::is_numeric))),
        "isspace" => Ok(Value::Bool(!text.is_empty() && text.chars().all(char::is_whitespace))),
        "join" => run.filter("join", first.clone(), Given { positional: vec![Value::text(text)], named: Vec::new() }),
        _ => wrong(format!("a text has no method `{method}`")),
    }
}

/// A text without what surrounds it: space, or any of `characters`.
pub(super) fn stripped(text: &str, method: &str, characters: Option<&str>) -> Value {
    let is_cut = |c: char| characters.map_or(c.is_whitespace(), |characters| characters.contains(c));
    let text = if method == "rstrip" { text } else { text.trim_start_matches(is_cut) };
    Value::text(if method == "lstrip" { text } else { text.trim_end_matches(is_cut) })
}

/// A text with some of its parts replaced, all of them unless `most` says how many.
pub(super) fn replaced(run: &mut Run<'_>, text: &str, (from, to): (&str, &str), most: Option<i64>) -> Result<Value> {
    let n_most = most.and_then(|most| usize::try_from(most).ok()).unwrap_or(usize::MAX);
    let n = text.matches(from).take(n_most).count();
    run.pay_bytes((text.len()).saturating_add(n.saturating_mul(to.len())))?;
    Ok(Value::Text(text.replacen(from, to, n).into()))
}

/// A text or several of them.
fn affix(run: &mut Run<'_>, parts: &Value, has: impl Fn(&str) -> bool) -> Result<Value> {
    if let Value::Text(part) = parts {
        return Ok(Value::Bool(has(part)));
    }
    Ok(Value::Bool(run.items(parts)?.iter().any(|part| part.as_text().is_some_and(&has))))
}

fn split(run: &mut Run<'_>, text: &str, method: &str, given: &Given) -> Result<Value> {
    let most = given.get(1, "maxsplit").as_int().and_then(|most| usize::try_from(most).ok());
    let n_parts = most.map_or(usize::MAX, |most| most.saturating_add(1));
    let separator = given.get(0, "sep");
    let parts: Vec<&str> = match &separator {
        Value::Text(separator) if separator.is_empty() => return wrong("an empty text separates nothing"),
        Value::Text(separator) if method == "rsplit" => {
            let mut parts: Vec<&str> = text.rsplitn(n_parts, &**separator).collect();
            parts.reverse();
            parts
        }
        Value::Text(separator) => text.splitn(n_parts, &**separator).collect(),
        _ if most.is_none() => text.split_whitespace().collect(),
        _ => return wrong("split() with a limit needs a separator"),
    };
    run.steps(parts.len() as u64)?;
    Ok(Value::list(parts.into_iter().map(Value::text).collect()))
}

pub(super) fn capitalized(text: &str, method: &str) -> String {
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
