//! Filters: `x | trim`.

use super::json;
use super::methods::{self, capitalized};
use super::render::{Given, Run};
use super::value::{Value, represent_float};
use super::{Result, wrong};

impl Run<'_> {
    pub(super) fn filter(&mut self, name: &str, value: Value, given: Given) -> Result<Value> {
        self.pay_for_lookup(&value)?;
        let made = match name {
            "safe" | "e" | "escape" if matches!(value, Value::Text(_)) => value,
            "trim" => {
                let characters = given.get(0, "chars");
                methods::stripped(&self.printed(&value)?, "strip", characters.as_text())
            }
            "upper" => Value::Text(self.printed(&value)?.to_uppercase().into()),
            "lower" => Value::Text(self.printed(&value)?.to_lowercase().into()),
            "capitalize" | "title" => Value::Text(capitalized(&self.printed(&value)?, name).into()),
            "string" | "safe" | "e" | "escape" => Value::Text(self.printed(&value)?),
            "replace" => {
                let (from, to) = (self.printed(&given.get(0, "old"))?, self.printed(&given.get(1, "new"))?);
                let text = self.printed(&value)?;
                methods::replaced(self, &text, (&from, &to), given.get(2, "count").as_int())?
            }
            "indent" => {
                let text = self.printed(&value)?;
                self.indented(&text, &given)?
            }
            "tojson" => {
                let indent = given.get(0, "indent").as_int().and_then(|indent| usize::try_from(indent).ok());
                self.pay_for_all(&value, json::indent(indent))?;
                Value::Text(json::text(&value, indent)?.into())
            }
            "default" | "d" => {
                let takes_false = given.get(1, "boolean").is_true();
                let is_missing = matches!(value, Value::Undefined) || takes_false && !value.is_true();
                let usual = given.positional.first().or(given
                    .named
                    .iter()
                    .find(|(own, _)| own == "default_value")
                    .map(|(_, v)| v));
                if is_missing { usual.cloned().unwrap_or(Value::text("")) } else { value }
            }
            "int" | "float" | "abs" | "round" => number(name, &value, &given)?,
            "length" | "count" => Value::Int(self.length(&value)?),
            "items" => methods::call(self, &value, "items", &given)?,
            _ => return self.list_filter(name, value, given),
        };
        self.pay(made)
    }

    fn indented(&mut self, text: &str, given: &Given) -> Result<Value> {
        let width = match given.get(0, "width") {
            Value::Text(text) => text.to_string(),
            other => " ".repeat(other.as_int().unwrap_or(4).clamp(0, 1000) as usize),
        };
        let n_lines = text.bytes().filter(|&byte| byte == b'\n').count() + 1;
        self.pay_bytes(text.len().saturating_add(n_lines.saturating_mul(width.len())))?;
        let (first, blank) = (given.get(1, "first").is_true(), given.get(2, "blank").is_true());
        let mut out = String::new();
        for (index, line) in text.split('\n').enumerate() {
            out.push_str(if index == 0 { "" } else { "\n" });
            if (index > 0 || first) && (blank || !line.is_empty()) {
                out.push_str(&width);
            }
            out.push_str(line);
        }
        Ok(Value::Text(out.into()))
    }

    fn length(&mut self, value: &Value) -> Result<i64> {
        match value {
            Value::Map(map) => Ok(map.0.len() as i64),
            Value::Text(text) => Ok(text.chars().count() as i64),
            other => Ok(self.items(other)?.len() as i64),
        }
    }

    /// Filters of lists.
    fn list_filter(&mut self, name: &str, value: Value, given: Given) -> Result<Value> {
        let mut items = match (name, &value) {
            ("dictsort", Value::Map(_)) => {
                let entries = methods::call(self, &value, "items", &Given::default())?;
                self.items(&entries)?
            }
            _ => self.items(&value)?,
        };
        Ok(match name {
            "list" => Value::list(items),
            "first" => items.into_iter().next().unwrap_or(Value::Undefined),
            "last" => items.pop().unwrap_or(Value::Undefined),
            "reverse" => {
                items.reverse();
                match value {
                    Value::Text(_) => Value::concatenated(&items),
                    _ => Value::list(items),
                }
            }
            "join" => {
                let attribute = given.get(1, "attribute");
                let separator = self.printed(&given.get(0, "d"))?;
                let mut joined = String::new();
                for (index, item) in items.iter().enumerate() {
                    let part = self.printed(&picked(item, &attribute))?;
                    self.pay_bytes(part.len() + separator.len())?;
                    joined.push_str(if index == 0 { "" } else { &separator });
                    joined.push_str(&part);
                    // What is made must be no longer than what may be printed.
                    self.check_len(joined.len())?;
                }
                Value::Text(joined.into())
            }
            "unique" => {
                let mut kept: Vec<Value> = Vec::new();
                for item in items {
                    let mut is_new = true;
                    for own in &kept {
                        self.steps(1)?;
                        is_new = is_new && !self.equal(own, &item)?;
                    }
                    if is_new {
                        kept.push(item);
                    }
                }
                Value::list(kept)
            }
            "sort" | "dictsort" | "min" | "max" | "sum" => return self.ordering(name, items, &given),
            "map" => self.mapped(items, given)?,
            "select" | "reject" | "selectattr" | "rejectattr" => self.selected(name, items, given)?,
            _ => return wrong(format!("there is no filter `{name}`")),
        })
    }

    fn ordering(&mut self, name: &str, items: Vec<Value>, given: &Given) -> Result<Value> {
        if name == "sum" {
            let mut sum = Value::Int(0);
            for item in items {
                sum = match (&sum, &item) {
                    (Value::Int(a), Value::Int(b)) => Value::Int(a.saturating_add(*b)),
                    (a, b) => match (a.as_float(), b.as_float()) {
                        (Some(a), Some(b)) => Value::Float(a + b),
                        _ => return wrong(format!("{} cannot be added", b.kind())),
                    },
                };
            }
            return Ok(sum);
        }
        let attribute = if name == "dictsort" { Value::Int(0) } else { given.get(2, "attribute") };
        let folded = |value: Value| match value {
            // Letters are equal to capitals, as Jinja orders them.
            Value::Text(text) => Value::Text(text.to_lowercase().into()),
            other => other,
        };
        // By insertion: lists of templates are short, and a sort by a rule that may fail would be a page of code.
        let mut sorted: Vec<(Value, Value)> = Vec::new();
        for item in items {
            let key = folded(picked(&item, &attribute));
            let mut at = sorted.len();
            while at > 0 {
                self.steps(1)?;
                self.pay_for_lookup(&key)?;
                match key.order(&sorted[at - 1].0) {
                    Some(std::cmp::Ordering::Less) => at -= 1,
                    Some(_) => break,
                    None => return wrong(format!("{} and {} have no order", key.kind(), sorted[at - 1].0.kind())),
                }
            }
            sorted.insert(at, (key, item));
        }
        let mut sorted: Vec<Value> = sorted.into_iter().map(|(_, item)| item).collect();
        if given.get(0, "reverse").is_true() {
            sorted.reverse();
        }
        Ok(match name {
            "min" => sorted.into_iter().next().unwrap_or(Value::Undefined),
            "max" => sorted.pop().unwrap_or(Value::Undefined),
            _ => Value::list(sorted),
        })
    }

    /// `map(attribute="x")` or `map("filter", ...)`.
    fn mapped(&mut self, items: Vec<Value>, given: Given) -> Result<Value> {
        let attribute = given.get(usize::MAX, "attribute");
        let usual = given.get(usize::MAX, "default");
        let filter = given.get(0, "");
        let mut mapped = Vec::with_capacity(items.len());
        for item in items {
            let Value::Text(filter) = &filter else {
                let found = picked(&item, &attribute);
                mapped.push(if matches!(found, Value::Undefined) { usual.clone() } else { found });
                continue;
            };
            let arguments = Given { positional: given.positional[1..].to_vec(), named: given.named.clone() };
            mapped.push(self.filter(filter, item, arguments)?);
        }
        Ok(Value::list(mapped))
    }

    fn selected(&mut self, name: &str, items: Vec<Value>, given: Given) -> Result<Value> {
        let by_attribute = name.ends_with("attr");
        let attribute = if by_attribute { given.get(0, "") } else { Value::Undefined };
        let given = if by_attribute { given.after(1) } else { given };
        let test = given.get(0, "");
        let arguments = given.after(1);
        let mut kept = Vec::new();
        for item in items {
            let value = picked(&item, &attribute);
            let is_so = match &test {
                Value::Text(test) => self.test(test, &value, &arguments)?,
                _ => value.is_true(),
            };
            if is_so == name.starts_with("select") {
                kept.push(item);
            }
        }
        Ok(Value::list(kept))
    }
}

/// A part of a value by its name, perhaps a path of names; the value itself if there is none.
fn picked(value: &Value, attribute: &Value) -> Value {
    let part = |value: &Value, name: &str| match value {
        Value::Map(map) => map.named(name).cloned().unwrap_or(Value::Undefined),
        Value::List(items) => {
            name.parse().ok().and_then(|at: usize| items.get(at).cloned()).unwrap_or(Value::Undefined)
        }
        _ => Value::Undefined,
    };
    match attribute {
        Value::Text(path) => path.split('.').fold(value.clone(), |value, name| part(&value, name)),
        Value::Int(index) => part(value, &index.to_string()),
        _ => value.clone(),
    }
}

fn number(name: &str, value: &Value, given: &Given) -> Result<Value> {
    let parsed = match value {
        Value::Text(text) => text.trim().parse::<f64>().ok(),
        other => other.as_float(),
    };
    match name {
        "int" => Ok(match (value, parsed) {
            (Value::Text(text), _) if text.trim().parse::<i64>().is_ok() => {
                Value::Int(text.trim().parse().unwrap_or(0))
            }
            (Value::Int(number), _) => Value::Int(*number),
            (_, Some(number)) => Value::Int(number as i64),
            _ => default(given, Value::Int(0)),
        }),
        "float" => Ok(parsed.map_or_else(|| default(given, Value::Float(0.0)), Value::Float)),
        "abs" => match value {
            Value::Int(number) => Ok(Value::Int(number.saturating_abs())),
            other => other.as_float().map(|x| Value::Float(x.abs())).map_or_else(|| wrong("abs needs a number"), Ok),
        },
        _ => {
            let scale = 10f64.powi(given.get(0, "precision").as_int().unwrap_or(0).clamp(-300, 300) as i32);
            match parsed {
                // Through its digits, so that 2.675 is what Python takes it for.
                Some(number) if scale >= 1.0 => {
                    let digits = given.get(0, "precision").as_int().unwrap_or(0).clamp(0, 300) as usize;
                    Ok(Value::Float(format!("{number:.digits$}").parse().unwrap_or(number)))
                }
                Some(number) => Ok(Value::Float((number * scale).round() / scale)),
                None => wrong("round needs a number"),
            }
        }
    }
}

fn default(given: &Given, usual: Value) -> Value {
    match given.get(0, "default") {
        Value::Undefined => usual,
        other => other,
    }
}

/// A number as JSON and Python both write it.
pub(super) fn float_text(number: f64) -> String {
    let mut out = String::new();
    represent_float(number, &mut out);
    out
}
