//! Tests: `x is defined`.

use super::evaluate::ordered;
use super::render::{Given, Run};
use super::value::Value;
use super::{Result, wrong};

impl Run<'_> {
    pub(super) fn test(&mut self, name: &str, value: &Value, given: &Given) -> Result<bool> {
        let other = || given.get(0, "other");
        self.pay_for_lookup(value)?;
        Ok(match name {
            "defined" => !matches!(value, Value::Undefined),
            "undefined" => matches!(value, Value::Undefined),
            "none" => matches!(value, Value::None),
            "boolean" => matches!(value, Value::Bool(_)),
            "true" => matches!(value, Value::Bool(true)),
            "false" => matches!(value, Value::Bool(false)),
            "integer" => matches!(value, Value::Int(_)),
            "float" => matches!(value, Value::Float(_)),
            "number" => matches!(value, Value::Int(_) | Value::Float(_) | Value::Bool(_)),
            "string" => matches!(value, Value::Text(_)),
            "mapping" => matches!(value, Value::Map(_)),
            "sequence" | "iterable" => {
                matches!(value, Value::List(_) | Value::Text(_) | Value::Map(_) | Value::Undefined)
            }
            "callable" => matches!(value, Value::Macro(_) | Value::Host(_)),
            "odd" | "even" => match value.as_int() {
                Some(number) => (number % 2 != 0) == (name == "odd"),
                None => return wrong(format!("{} is neither odd nor even", value.kind())),
            },
            "divisibleby" => match (value.as_int(), other().as_int()) {
                (Some(a), Some(b)) if b != 0 => a.checked_rem(b) == Some(0),
                _ => return wrong("divisibleby needs whole numbers"),
            },
            "lower" => value.as_text().is_some_and(|text| text == text.to_lowercase()),
            "upper" => value.as_text().is_some_and(|text| text == text.to_uppercase()),
            "in" => self.contains(&other(), value)?,
            "eq" | "equalto" | "==" | "sameas" => self.equal(value, &other())?,
            "ne" | "!=" => !self.equal(value, &other())?,
            "lt" | "lessthan" | "<" => ordered("<", value, &other())?,
            "le" | "<=" => ordered("<=", value, &other())?,
            "gt" | "greaterthan" | ">" => ordered(">", value, &other())?,
            "ge" | ">=" => ordered(">=", value, &other())?,
            _ => return wrong(format!("there is no test `{name}`")),
        })
    }
}
