//! Metadata by key.

use std::collections::HashMap;

use tilework::{Error, Result};

use super::{Value, Values, damaged};

/// What a file says about itself: values by key, in the order of the file.
///
/// The readers by type return nothing if there is no such key, and an error that names key and types if its value is of another.
#[derive(Clone, Debug, Default)]
pub struct Metadata {
    entries: Vec<(String, Value)>,
    by_key: HashMap<String, usize>,
}

impl PartialEq for Metadata {
    fn eq(&self, other: &Metadata) -> bool {
        self.entries == other.entries
    }
}

impl Metadata {
    /// Nothing yet.
    pub fn new() -> Metadata {
        Metadata::default()
    }

    /// Its entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Keys and values in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.entries.iter().map(|(key, value)| (key.as_str(), value))
    }

    /// The value of `key`.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.by_key.get(key).and_then(|&index| self.entries.get(index)).map(|(_, value)| value)
    }

    /// Sets the value of `key`, at the end if it is new.
    pub fn set(&mut self, key: impl Into<String>, value: Value) {
        let key = key.into();
        match self.by_key.get(&key).and_then(|&index| self.entries.get_mut(index)) {
            Some(entry) => entry.1 = value,
            None => {
                self.by_key.insert(key.clone(), self.entries.len());
                self.entries.push((key, value));
            }
        }
    }

    /// Takes `key` out.
    pub fn remove(&mut self, key: &str) {
        self.entries.retain(|entry| entry.0 != key);
        self.by_key = self.entries.iter().enumerate().map(|(index, entry)| (entry.0.clone(), index)).collect();
    }

    /// Adds a key that must be new; `false` if it is not.
    pub(super) fn insert_new(&mut self, key: String, value: Value) -> bool {
        let is_new = !self.by_key.contains_key(&key);
        if is_new {
            self.set(key, value);
        }
        is_new
    }

    /// A text.
    pub fn string(&self, key: &str) -> Result<Option<&str>> {
        self.typed(key, "string", |value| match value {
            Value::String(text) => Some(text.as_str()),
            _ => None,
        })
    }

    /// A whole number of any stored size that fits 32 bits.
    pub fn u32(&self, key: &str) -> Result<Option<u32>> {
        self.typed(key, "u32", |value| value.as_i128().and_then(|value| u32::try_from(value).ok()))
    }

    /// A whole number of any stored size that fits 64 bits.
    pub fn u64(&self, key: &str) -> Result<Option<u64>> {
        self.typed(key, "u64", |value| value.as_i128().and_then(|value| u64::try_from(value).ok()))
    }

    /// A number of 32 or 64 bits.
    pub fn f32(&self, key: &str) -> Result<Option<f32>> {
        self.typed(key, "f32", |value| match value {
            Value::F32(value) => Some(*value),
            Value::F64(value) => Some(*value as f32),
            _ => None,
        })
    }

    /// A truth value.
    pub fn bool(&self, key: &str) -> Result<Option<bool>> {
        self.typed(key, "bool", |value| match value {
            Value::Bool(value) => Some(*value),
            _ => None,
        })
    }

    /// An array of texts.
    pub fn strings(&self, key: &str) -> Result<Option<&[String]>> {
        self.typed(key, "array of strings", |value| match value {
            Value::Array(Values::String(values)) => Some(values.as_slice()),
            _ => None,
        })
    }

    /// An array of 32-bit floats.
    pub fn f32s(&self, key: &str) -> Result<Option<&[f32]>> {
        self.typed(key, "array of f32", |value| match value {
            Value::Array(Values::F32(values)) => Some(values.as_slice()),
            _ => None,
        })
    }

    /// An array of signed 32-bit integers.
    pub fn i32s(&self, key: &str) -> Result<Option<&[i32]>> {
        self.typed(key, "array of i32", |value| match value {
            Value::Array(Values::I32(values)) => Some(values.as_slice()),
            _ => None,
        })
    }

    /// A whole number, or an array of them: some models have one number for all layers, others one for each.
    pub fn u32s(&self, key: &str) -> Result<Option<Vec<u32>>> {
        let fits = |value: &Value| value.as_i128().and_then(|value| u32::try_from(value).ok());
        self.typed(key, "u32 or array of u32", |value| match value {
            Value::Array(values) => (0..values.len()).map(|index| fits(&values.get(index)?)).collect(),
            value => fits(value).map(|value| vec![value]),
        })
    }

    /// What `reader` found, which must be there: an error that names the key if not.
    pub fn required<T>(key: &str, found: Option<T>) -> Result<T> {
        found.ok_or_else(|| damaged(format!("the metadata has no `{key}`")))
    }

    fn typed<'a, T>(&'a self, key: &str, wanted: &str, read: impl Fn(&'a Value) -> Option<T>) -> Result<Option<T>> {
        let Some(value) = self.get(key) else { return Ok(None) };
        match read(value) {
            Some(read) => Ok(Some(read)),
            None => Err(wrong_type(key, wanted, value)),
        }
    }
}

fn wrong_type(key: &str, wanted: &str, value: &Value) -> Error {
    let found = match value {
        Value::Array(values) => format!("array of {}", values.type_name()),
        value => match value.as_i128() {
            Some(number) => format!("{} {number}", value.type_name()),
            None => value.type_name().to_owned(),
        },
    };
    damaged(format!("`{key}` should be {wanted} and is {found}"))
}
