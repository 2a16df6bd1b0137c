//! JSON schemas as grammars.
//!
//! Supported: `type` (one or several), `properties` with `required` and `additionalProperties`, `items`, `prefixItems`,
//! `minItems`, `maxItems`, `enum`, `const`, `minLength`, `maxLength`, `format` (date, time, date-time, uuid), `anyOf`, `oneOf`,
//! `allOf` of one, `$ref` into the schema itself. Properties are written in the order of the schema. Keywords that only
//! describe are passed over; any other is an error, since a promise that cannot be kept must not be made.

mod primitives;

use std::collections::HashMap;
use std::fmt::Write;

use serde_json::Value;
use tilework::{Error, ErrorKind, Result};

use super::json::Json;
use primitives::{FORMATS, PRIMITIVES, literal};

const OP: &str = "json_schema";
/// Most rules a schema may become.
const MAX_RULES: usize = 4096;
/// Keywords that say nothing about what is valid.
const DESCRIPTIVE: &[&str] = &[
    "title",
    "description",
    "default",
    "examples",
    "example",
    "deprecated",
    "readOnly",
    "writeOnly",
    "$schema",
    "$id",
    "$comment",
    "$defs",
    "definitions",
];

/// The grammar, in GBNF, of JSON texts that fit a schema.
///
/// # Errors
/// `Argument` for what is no JSON, keywords that are not supported (named), and references that lead nowhere.
pub fn json_schema_to_gbnf(schema: &str) -> Result<String> {
    schema_to_gbnf(&Json::parse(schema)?)
}

/// The same, of a schema that has been read already.
///
/// # Errors
/// As [`json_schema_to_gbnf`].
pub fn schema_to_gbnf(schema: &Json) -> Result<String> {
    let mut writer = Writer { root: schema, rules: Vec::new(), references: HashMap::new() };
    let body = writer.schema(schema)?;
    // Nothing may follow, so that the text ends where the value does.
    writer.rules.push(("root".to_owned(), body));
    for name in PRIMITIVES {
        writer.rules.push((name.0.to_owned(), name.1.to_owned()));
    }
    let mut gbnf = String::new();
    for (name, body) in &writer.rules {
        // Writing to a string cannot fail.
        let _ = writeln!(gbnf, "{name} ::= {body}");
    }
    Ok(gbnf)
}

struct Writer<'a> {
    root: &'a Json,
    rules: Vec<(String, String)>,
    /// Rules of references, by where they point.
    references: HashMap<String, String>,
}

/// The keywords of one schema; those that are used are crossed out, and what is left is not supported.
struct Keywords<'a> {
    left: Vec<(&'a str, &'a Json)>,
}

impl<'a> Keywords<'a> {
    fn of(schema: &'a Json) -> Result<Keywords<'a>> {
        let entries = schema.entries().ok_or_else(|| wrong(format!("a schema is an object, not {schema}")))?;
        let left = entries.iter().map(|(key, value)| (key.as_str(), value));
        Ok(Keywords { left: left.filter(|(key, _)| !DESCRIPTIVE.contains(key)).collect() })
    }

    fn take(&mut self, key: &str) -> Option<&'a Json> {
        let idx = self.left.iter().position(|(name, _)| *name == key)?;
        Some(self.left.swap_remove(idx).1)
    }

    fn count(&mut self, key: &str) -> Result<Option<u64>> {
        let Some(value) = self.take(key) else { return Ok(None) };
        let number = value.scalar().and_then(Value::as_u64);
        number.map(Some).ok_or_else(|| wrong(format!("`{key}` is {value}; a count is needed")))
    }

    fn finish(self, of: &str) -> Result<()> {
        match self.left.first() {
            None => Ok(()),
            Some((key, _)) => {
                Err(Error::new(ErrorKind::Unsupported, OP, format!("the keyword `{key}` of {of} is not supported")))
            }
        }
    }
}

fn wrong(message: String) -> Error {
    Error::argument(OP, message)
}

impl<'a> Writer<'a> {
    fn add(&mut self, name: &str, body: String) -> Result<String> {
        if self.rules.len() == MAX_RULES {
            return Err(Error::new(ErrorKind::TooLarge, OP, format!("more than {MAX_RULES} rules")));
        }
        let name = format!("{name}-{}", self.rules.len());
        self.rules.push((name.clone(), body));
        Ok(name)
    }

    /// What stands for a schema in a rule: a name or a group.
    fn schema(&mut self, schema: &'a Json) -> Result<String> {
        match schema.scalar() {
            Some(Value::Bool(true)) => return Ok("value".to_owned()),
            Some(Value::Bool(false)) => return Err(wrong("the schema `false` has no valid text".to_owned())),
            _ => {}
        }
        let mut keywords = Keywords::of(schema)?;
        if let Some(reference) = keywords.take("$ref") {
            keywords.finish("a `$ref`")?;
            return self.reference(reference);
        }
        if let Some(value) = keywords.take("const") {
            keywords.take("type");
            keywords.finish("a `const`")?;
            return Ok(literal(&value.to_string()));
        }
        if let Some(values) = keywords.take("enum") {
            keywords.take("type");
            keywords.finish("an `enum`")?;
            let values = values.elements().filter(|values| !values.is_empty());
            let values = values.ok_or_else(|| wrong("`enum` needs a list of values".to_owned()))?;
            return Ok(any_of(values.iter().map(|value| literal(&value.to_string())).collect()));
        }
        for key in ["anyOf", "oneOf", "allOf"] {
            if let Some(choices) = keywords.take(key) {
                return self.choices(key, choices, keywords);
            }
        }
        match keywords.take("type") {
            None => self.untyped(keywords),
            Some(Json::Array(types)) if !types.is_empty() => self.types(types, schema),
            Some(one) => self.typed(one, keywords),
        }
    }

    fn choices(&mut self, key: &str, choices: &'a Json, keywords: Keywords<'a>) -> Result<String> {
        keywords.finish(&format!("a schema with `{key}`"))?;
        let choices = choices.elements().filter(|choices| !choices.is_empty());
        let choices = choices.ok_or_else(|| wrong(format!("`{key}` needs a list of schemas")))?;
        if key == "allOf" && choices.len() > 1 {
            return Err(Error::new(ErrorKind::Unsupported, OP, "`allOf` of more than one schema is not supported"));
        }
        let choices = choices.iter().map(|choice| self.schema(choice)).collect::<Result<Vec<_>>>()?;
        Ok(any_of(choices))
    }

    /// A schema without a type: what its keywords are about, or anything.
    fn untyped(&mut self, keywords: Keywords<'a>) -> Result<String> {
        let has = |key: &str| keywords.left.iter().any(|(name, _)| *name == key);
        if has("properties") || has("required") || has("additionalProperties") {
            return self.object(keywords);
        }
        if has("items") || has("prefixItems") {
            return self.array(keywords);
        }
        keywords.finish("a schema without a `type`")?;
        Ok("value".to_owned())
    }

    /// Several types: each takes the keywords that are about it.
    fn types(&mut self, types: &'a [Json], schema: &'a Json) -> Result<String> {
        let mut choices = Vec::new();
        for one in types {
            let mut keywords = Keywords::of(schema)?;
            keywords.take("type");
            let name = one.as_str().unwrap_or_default();
            keywords.left.retain(|(key, _)| about(key).is_none_or(|about| about == name));
            choices.push(self.typed(one, keywords)?);
        }
        Ok(any_of(choices))
    }

    fn typed(&mut self, name: &Json, keywords: Keywords<'a>) -> Result<String> {
        match name.as_str() {
            Some("object") => self.object(keywords),
            Some("array") => self.array(keywords),
            Some("string") => self.string(keywords),
            Some(name @ ("number" | "integer" | "boolean" | "null")) => {
                keywords.finish(&format!("type `{name}`"))?;
                Ok(name.to_owned())
            }
            _ => Err(wrong(format!("there is no type {name}"))),
        }
    }

    fn string(&mut self, mut keywords: Keywords<'a>) -> Result<String> {
        let format = keywords.take("format");
        let (least, most) = (keywords.count("minLength")?, keywords.count("maxLength")?);
        keywords.finish("type `string`")?;
        if let Some(format) = format {
            let name = format.as_str().unwrap_or_default();
            let row = FORMATS.iter().find(|row| row.0 == name).filter(|_| least.or(most).is_none());
            let row = row.ok_or_else(|| {
                Error::new(
                    ErrorKind::Unsupported,
                    OP,
                    format!("the `format` {format} of type `string` is not supported"),
                )
            })?;
            return Ok(format!("( {} )", row.1));
        }
        if least.or(most).is_none() {
            return Ok("string".to_owned());
        }
        Ok(format!("( \"\\\"\" char{} \"\\\"\" )", braces(least.unwrap_or(0), most)?))
    }

    fn array(&mut self, mut keywords: Keywords<'a>) -> Result<String> {
        let (least, most) = (keywords.count("minItems")?.unwrap_or(0), keywords.count("maxItems")?);
        let prefix = keywords.take("prefixItems").and_then(Json::elements).unwrap_or_default();
        let items = keywords.take("items");
        keywords.finish("type `array`")?;
        let parts = prefix.iter().map(|item| self.schema(item)).collect::<Result<Vec<_>>>()?;
        if !parts.is_empty() {
            // Tuples: exactly these, unless something else may follow.
            if items.is_some_and(|items| items.scalar() != Some(&Value::Bool(false)))
                || least.max(most.unwrap_or(0)) > parts.len() as u64
            {
                return Err(Error::new(
                    ErrorKind::Unsupported,
                    OP,
                    "`prefixItems` with further items is not supported",
                ));
            }
            return Ok(format!(
                "( \"[\" space {} \"]\" )",
                parts.iter().map(|part| format!("{part} space")).collect::<Vec<_>>().join(" \",\" space ")
            ));
        }
        let item = match items {
            Some(items) => self.schema(items)?,
            None => "value".to_owned(),
        };
        if most == Some(0) {
            return Ok("( \"[\" space \"]\" )".to_owned());
        }
        let rest = braces(least.saturating_sub(1), most.map(|most| most - 1))?;
        let filled = format!("{item} space ( \",\" space {item} space ){rest}");
        let body = if least == 0 { format!("( {filled} )?") } else { filled };
        self.add("array", format!("\"[\" space {body} \"]\""))
    }

    fn object(&mut self, mut keywords: Keywords<'a>) -> Result<String> {
        let properties = match keywords.take("properties") {
            Some(properties) => properties.entries().ok_or_else(|| wrong("`properties` needs an object".to_owned()))?,
            None => &[],
        };
        let required: Vec<&str> = match keywords.take("required") {
            Some(list) => list.elements().unwrap_or_default().iter().filter_map(Json::as_str).collect(),
            None => Vec::new(),
        };
        let additional = keywords.take("additionalProperties");
        keywords.finish("type `object`")?;
        if let Some(name) = required.iter().find(|name| !properties.iter().any(|(key, _)| key == *name)) {
            return Err(wrong(format!("`{name}` is required but not one of `properties`")));
        }
        let others = match additional.map(|schema| (schema, schema.scalar())) {
            Some((_, Some(Value::Bool(false)))) => None,
            None if !properties.is_empty() => None,
            None | Some((_, Some(Value::Bool(true)))) => Some("value".to_owned()),
            Some((schema, _)) => Some(self.schema(schema)?),
        };
        let others = others.map(|value| format!("string space \":\" space {value} space"));
        let mut entries = Vec::new();
        for (key, schema) in properties {
            let key_text = literal(&Value::String(key.clone()).to_string());
            let body = format!("{key_text} space \":\" space {} space", self.schema(schema)?);
            entries.push((self.add("property", body)?, required.contains(&key.as_str())));
        }
        self.entries(&entries, others)
    }

    /// Commas stand between properties, whichever of them are there: `tail-i` is what may follow an earlier one.
    fn entries(&mut self, entries: &[(String, bool)], others: Option<String>) -> Result<String> {
        let mut firsts = Vec::new();
        let mut tail = match &others {
            Some(other) => {
                firsts.push(format!("{other} ( \",\" space {other} )*"));
                self.add("tail", format!("( \",\" space {other} )*"))?
            }
            None => "\"\"".to_owned(),
        };
        let mut may_be_empty = true;
        for (name, is_required) in entries.iter().rev() {
            if *is_required {
                // What begins later would leave this one out.
                firsts.clear();
                may_be_empty = false;
            }
            firsts.push(format!("{name} {tail}"));
            let own = if *is_required { format!("\",\" space {name}") } else { format!("( \",\" space {name} )?") };
            tail = self.add("tail", format!("{own} {tail}"))?;
        }
        if may_be_empty {
            firsts.push("\"\"".to_owned());
        }
        firsts.reverse();
        self.add("object", format!("\"{{\" space ( {} ) \"}}\"", firsts.join(" | ")))
    }

    /// `$ref`: a rule of its own, so that schemas may contain themselves.
    fn reference(&mut self, reference: &Json) -> Result<String> {
        let path = reference.as_str().ok_or_else(|| wrong(format!("`$ref` is {reference}; a string is needed")))?;
        if let Some(name) = self.references.get(path) {
            return Ok(name.clone());
        }
        let pointer = path.strip_prefix('#');
        let pointer = pointer.ok_or_else(|| {
            Error::new(
                ErrorKind::Unsupported,
                OP,
                format!("`$ref` to {path}: only parts of this schema (`#/…`) can be named"),
            )
        })?;
        let mut target = self.root;
        for part in pointer.split('/').skip(1) {
            let part = part.replace("~1", "/").replace("~0", "~");
            target = target.get(&part).ok_or_else(|| wrong(format!("`$ref` to {path} leads nowhere")))?;
        }
        let name = format!("reference-{}", self.references.len());
        self.references.insert(path.to_owned(), name.clone());
        let body = self.schema(target)?;
        self.rules.push((name.clone(), body));
        Ok(name)
    }
}

/// The type that a keyword is about.
fn about(key: &str) -> Option<&'static str> {
    match key {
        "properties" | "required" | "additionalProperties" => Some("object"),
        "items" | "prefixItems" | "minItems" | "maxItems" => Some("array"),
        "minLength" | "maxLength" | "format" | "pattern" => Some("string"),
        _ => None,
    }
}

fn any_of(choices: Vec<String>) -> String {
    format!("( {} )", choices.join(" | "))
}

fn braces(least: u64, most: Option<u64>) -> Result<String> {
    match most {
        Some(most) if most < least => Err(wrong(format!("at least {least} and at most {most} cannot both be"))),
        Some(most) => Ok(format!("{{{least},{most}}}")),
        None => Ok(format!("{{{least},}}")),
    }
}
