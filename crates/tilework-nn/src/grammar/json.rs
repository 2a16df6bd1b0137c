//! JSON with its keys in the order they were written in.
//!
//! The order of a schema's properties is the order a model writes them in, and it matters: a model that is to reason before it
//! answers needs `reasoning` to come before `answer`. `serde_json` sorts keys.

use serde_json::Value;
use tilework::{Error, Result};

/// Deepest nesting.
const MAX_DEPTH: usize = 96;

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    /// An array.
    Array(Vec<Json>),
    /// An object, in the order it was written in.
    Object(Vec<(String, Json)>),
    /// `null`, `true`, `false`, a number or a string.
    Scalar(Value),
}

impl Json {
    /// Reads one JSON text.
    ///
    /// # Errors
    /// `Argument` if it is none, or nested more than 96 deep.
    pub fn parse(text: &str) -> Result<Json> {
        // serde_json knows the grammar; the reader below relies on it.
        serde_json::from_str::<Value>(text).map_err(|error| Error::argument("json", error.to_string()))?;
        let mut reader = Reader { text, at: 0 };
        reader.value(0)
    }

    /// The value of a key of an object.
    pub fn get(&self, key: &str) -> Option<&Json> {
        // The last of several wins, as in most readers.
        self.entries()?.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// Keys and values of an object.
    pub fn entries(&self) -> Option<&[(String, Json)]> {
        match self {
            Json::Object(entries) => Some(entries),
            _ => None,
        }
    }

    /// The elements of an array.
    pub fn elements(&self) -> Option<&[Json]> {
        match self {
            Json::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// A string.
    pub fn as_str(&self) -> Option<&str> {
        self.scalar()?.as_str()
    }

    /// What is neither an array nor an object.
    pub fn scalar(&self) -> Option<&Value> {
        match self {
            Json::Scalar(value) => Some(value),
            _ => None,
        }
    }
}

impl std::fmt::Display for Json {
    /// Without any space.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Json::Scalar(value) => write!(f, "{value}"),
            Json::Array(elements) => {
                f.write_str("[")?;
                for (idx, element) in elements.iter().enumerate() {
                    write!(f, "{}{element}", if idx > 0 { "," } else { "" })?;
                }
                f.write_str("]")
            }
            Json::Object(entries) => {
                f.write_str("{")?;
                for (idx, (key, value)) in entries.iter().enumerate() {
                    let comma = if idx > 0 { "," } else { "" };
                    write!(f, "{comma}{}:{value}", Value::String(key.clone()))?;
                }
                f.write_str("}")
            }
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn error(&self) -> Error {
        Error::argument("json", format!("cannot be read at byte {}", self.at))
    }

    /// The next byte that is not space.
    fn next(&mut self) -> Result<u8> {
        let bytes = self.text.as_bytes();
        while bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        bytes.get(self.at).copied().ok_or_else(|| self.error())
    }

    fn value(&mut self, depth: usize) -> Result<Json> {
        if depth > MAX_DEPTH {
            return Err(Error::argument("json", format!("nested more than {MAX_DEPTH} deep")));
        }
        match self.next()? {
            b'[' => self.list(b']', |reader| reader.value(depth + 1)).map(Json::Array),
            b'{' => {
                let entry = |reader: &mut Self| {
                    let Json::Scalar(Value::String(key)) = reader.value(depth + 1)? else { return Err(reader.error()) };
                    reader.next()?;
                    reader.at += 1;
                    Ok((key, reader.value(depth + 1)?))
                };
                self.list(b'}', entry).map(Json::Object)
            }
            _ => self.scalar(),
        }
    }

    fn list<T>(&mut self, end: u8, mut item: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let mut items = Vec::new();
        self.at += 1;
        while self.next()? != end {
            if self.next()? == b',' {
                self.at += 1;
            }
            items.push(item(self)?);
        }
        self.at += 1;
        Ok(items)
    }

    fn scalar(&mut self) -> Result<Json> {
        let start = self.at;
        let bytes = self.text.as_bytes();
        if bytes.get(start) == Some(&b'"') {
            self.at += 1;
            while let Some(&byte) = bytes.get(self.at).filter(|byte| **byte != b'"') {
                self.at += if byte == b'\\' { 2 } else { 1 };
            }
            self.at += 1;
        } else {
            while bytes.get(self.at).is_some_and(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte)) {
                self.at += 1;
            }
        }
        let text = self.text.get(start..self.at).ok_or_else(|| self.error())?;
        serde_json::from_str(text).map(Json::Scalar).map_err(|_| self.error())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stay_in_order() {
        let text = r#"{"z":[1,-2.5e3,"a\"]\\",{}],"a":{"c":null,"b":true},"é\n":[]}"#;
        let json = Json::parse(&text.replace(',', " ,\n ").replace(':', " : ")).unwrap();
        assert_eq!(json.to_string(), text.replace("-2.5e3", "-2500.0"));
        assert_eq!(json.get("a").and_then(|a| a.get("b")), Some(&Json::Scalar(Value::Bool(true))));
        for broken in [
            "",
            "[",
            "{\"a\" 1}",
            "[1 2]",
            "{\"a\":1,}",
            &"[".repeat(1 << 20),
            &format!("{}{}", "[".repeat(120), "]".repeat(120)),
        ] {
            Json::parse(broken).unwrap_err();
        }
    }
}
