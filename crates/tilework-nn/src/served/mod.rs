//! Models behind one door: opened by kind from named files, asked by method with JSON and arrays.
//!
//! A page reaches every model through this, from another thread and another language, so that a new model needs no new
//! binding. One file per kind and one line in [`KINDS`].

#[cfg(feature = "train")]
mod digit_trainer;
mod digits;
mod embedder;
mod pixels;

use std::collections::BTreeMap;
use std::pin::Pin;
use std::rc::Rc;

use serde_json::Value;
use tilework::{Device, Error, ErrorKind, Result};

/// The files of a model, by name.
#[derive(Debug, Default)]
pub struct Files(pub BTreeMap<String, Vec<u8>>);

impl Files {
    /// The bytes of the file called `name`.
    pub fn get(&self, name: &str) -> Result<&[u8]> {
        self.0.get(name).map(Vec::as_slice).ok_or_else(|| {
            let names: Vec<&str> = self.0.keys().map(String::as_str).collect();
            let given = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            Error::new(ErrorKind::Io, "model", format!("the file `{name}` is needed; given: {given}"))
        })
    }
}

/// What is asked of a model.
#[derive(Debug)]
pub struct Question {
    /// What to do.
    pub method: String,
    /// How, as a JSON object.
    pub options: Value,
    /// Numbers that would be too many for JSON.
    pub data: Vec<f32>,
    /// A file, if the method takes one.
    pub file: Vec<u8>,
}

/// What a model answers.
#[derive(Debug, Default)]
pub struct Answer {
    /// As JSON.
    pub value: Value,
    /// Numbers that would be too many for JSON.
    pub data: Vec<f32>,
    /// A file, if one was asked for.
    pub file: Vec<u8>,
}

/// An answer that is on its way.
pub type Answering<'a> = Pin<Box<dyn Future<Output = Result<Answer>> + 'a>>;

/// A model that answers.
pub trait Served {
    /// Answers a question. A method that there is not is an error that lists those there are.
    fn ask(&self, question: Question) -> Answering<'_>;
}

/// A model on its way.
type Opening<'a> = Pin<Box<dyn Future<Output = Result<Rc<dyn Served>>> + 'a>>;

/// How a kind is opened.
type Open = for<'a> fn(&'a Device, &'a Files, &'a Value) -> Opening<'a>;

/// Every kind of model.
static KINDS: &[(&str, Open)] = &[
    ("digits", digits::open),
    #[cfg(feature = "train")]
    ("digit_trainer", digit_trainer::open),
    ("embedder", embedder::open),
    ("pixels", pixels::open),
];

/// Opens a model of a kind from its files.
pub async fn open(device: &Device, kind: &str, files: &Files, options: &Value) -> Result<Rc<dyn Served>> {
    match KINDS.iter().find(|(name, _)| *name == kind) {
        Some((_, open)) => open(device, files, options).await,
        None => {
            let names: Vec<&str> = KINDS.iter().map(|(name, _)| *name).collect();
            Err(Error::argument("model", format!("there is no kind `{kind}`; there are {}", names.join(", "))))
        }
    }
}

/// The error for a method that a model does not have.
fn no_method(method: &str, methods: &[&str]) -> Error {
    Error::argument("model", format!("there is no method `{method}`; there are {}", methods.join(", ")))
}

/// A whole number from the options, at least `least`.
fn count(options: &Value, name: &str, default: u64, least: u64) -> Result<u64> {
    let given = match options.get(name) {
        None | Some(Value::Null) => return Ok(default),
        Some(value) => {
            value.as_u64().or_else(|| value.as_f64().filter(|x| x.fract() == 0.0 && *x >= 0.0).map(|x| x as u64))
        }
    };
    given.filter(|&n| n >= least).ok_or_else(|| {
        Error::argument("model", format!("`{name}` must be a whole number of at least {least}, not {}", options[name]))
    })
}
