//! Attributes by name: how operations are made from outside of Rust, where there are names and values but no constructors.
//!
//! [`Attrs`] is what a caller sends, [`Attribute`] what an operation accepts, [`Given`] the one seen through the other. Whatever
//! is sent, reading it gives a value of the right kind or an error that names the operation and the attribute.

use crate::op::Meta;
use tilework_core::shape::{KeepAxes, Shape};
use tilework_core::{Error, Result};

/// A value of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum Attr {
    /// A whole number.
    Integer(i64),
    /// Any other number.
    Number(f64),
    /// Whole numbers.
    Integers(Vec<i64>),
    /// A name.
    Text(String),
    /// Yes or no.
    Truth(bool),
}

/// Attributes as a caller sends them; the last of several with one name counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attrs(Vec<(String, Attr)>);

impl Attrs {
    /// With `name` set to `value`.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: Attr) -> Attrs {
        self.0.push((name.into(), value));
        self
    }

    fn get(&self, name: &str) -> Option<&Attr> {
        self.0.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value)
    }
}

/// What an attribute can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttrKind {
    /// An axis of the first input; negative counts from the end.
    Axis,
    /// Axes of the first input, each as above; none means all of them.
    Axes,
    /// A number of elements.
    Size,
    /// Numbers of elements; a single one stands for all.
    Sizes,
    /// One of these names.
    Choice(&'static [&'static str]),
    /// Yes or no.
    Truth,
    /// Any number.
    Number,
    /// A word or a short text, which the documentation explains.
    Text,
}

/// Whether an attribute can be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// It has to be there.
    Required,
    /// There is a default, which the documentation names.
    Optional,
}

/// An attribute that an operation accepts.
#[derive(Clone, Copy, Debug)]
pub struct Attribute {
    /// Name in snake case.
    pub name: &'static str,
    /// What it can be.
    pub kind: AttrKind,
    /// Whether it can be left out.
    pub presence: Presence,
    /// What it means, for the docs. Empty in browsers.
    pub doc: &'static str,
}

impl Attribute {
    /// One that has to be there.
    pub const fn required(name: &'static str, kind: AttrKind, doc: &'static str) -> Attribute {
        Attribute { name, kind, presence: Presence::Required, doc: said(doc) }
    }

    /// One that can be left out.
    pub const fn optional(name: &'static str, kind: AttrKind, doc: &'static str) -> Attribute {
        Attribute { name, kind, presence: Presence::Optional, doc: said(doc) }
    }
}

/// A sentence for readers, which browsers need not download.
const fn said(doc: &'static str) -> &'static str {
    if cfg!(target_arch = "wasm32") { "" } else { doc }
}

/// The attributes of one call of an operation. Every question can be answered with an error.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    op: &'a str,
    attrs: &'a Attrs,
    /// Of the first input, whose axes are meant.
    shape: Option<&'a Shape>,
}

impl<'a> Given<'a> {
    /// The attributes of `op`, which accepts those in `known`.
    pub fn new(op: &'a str, known: &[&str], attrs: &'a Attrs, inputs: &'a [Meta]) -> Result<Given<'a>> {
        match attrs.0.iter().find(|(name, _)| !known.contains(&name.as_str())) {
            Some((name, _)) => Err(Error::argument(op, format!("has no attribute \"{name}\""))),
            None => Ok(Given { op, attrs, shape: inputs.first().map(|meta| &meta.shape) }),
        }
    }

    /// The operation, for errors.
    pub fn op(&self) -> &'a str {
        self.op
    }

    fn required<T>(&self, name: &str, value: Option<T>) -> Result<T> {
        value.ok_or_else(|| Error::argument(self.op, format!("needs the attribute \"{name}\"")))
    }

    fn wrong(&self, name: &str, what: &str) -> Error {
        Error::argument(self.op, format!("attribute \"{name}\" must be {what}"))
    }

    /// A whole number, if there is one.
    pub fn integer(&self, name: &str) -> Result<Option<isize>> {
        match self.attrs.get(name) {
            None => Ok(None),
            Some(&Attr::Integer(value)) => Ok(Some(saturating(value))),
            Some(_) => Err(self.wrong(name, "a whole number")),
        }
    }

    /// A number.
    pub fn number(&self, name: &str) -> Result<f64> {
        match self.required(name, self.attrs.get(name))? {
            Attr::Number(value) => Ok(*value),
            Attr::Integer(value) => Ok(*value as f64),
            _ => Err(self.wrong(name, "a number")),
        }
    }

    /// A number, or `default` if it was left out.
    pub fn number_or(&self, name: &str, default: f64) -> Result<f64> {
        if self.attrs.get(name).is_some() { self.number(name) } else { Ok(default) }
    }

    /// A number of elements, if there is one.
    pub fn size_if_given(&self, name: &str) -> Result<Option<usize>> {
        if self.attrs.get(name).is_some() { self.size(name).map(Some) } else { Ok(None) }
    }

    /// Whole numbers; none if there are none.
    pub fn integers(&self, name: &str) -> Result<Vec<isize>> {
        match self.attrs.get(name) {
            None => Ok(Vec::new()),
            Some(Attr::Integers(values)) => Ok(values.iter().map(|&value| saturating(value)).collect()),
            Some(_) => Err(self.wrong(name, "a list of whole numbers")),
        }
    }

    /// An axis as it was sent.
    pub fn axis(&self, name: &str) -> Result<isize> {
        self.required(name, self.integer(name)?)
    }

    /// An axis of the first input, counted from the start; `None` if it was left out.
    pub fn resolved_axis(&self, name: &str) -> Result<Option<usize>> {
        let shape = self.required("an input", self.shape)?;
        self.integer(name)?.map(|axis| shape.axis(self.op, axis)).transpose()
    }

    /// The same, for an axis that cannot be left out.
    pub fn required_axis(&self, name: &str) -> Result<usize> {
        self.required(name, self.resolved_axis(name)?)
    }

    /// The same, for an axis that is the last one unless told.
    pub fn axis_or_last(&self, name: &str) -> Result<usize> {
        match self.resolved_axis(name)? {
            Some(axis) => Ok(axis),
            None => self.required("an input", self.shape)?.axis(self.op, -1),
        }
    }

    /// An axis of the first input that has `n_last` more axes behind those that are counted, which negative axes ignore.
    pub fn axis_before(&self, name: &str, n_last: usize) -> Result<usize> {
        let shape = self.required("an input", self.shape)?;
        let counted = Shape::new(self.op, &shape[..shape.rank().saturating_sub(n_last)])?;
        counted.axis(self.op, self.axis(name)?)
    }

    /// Axes of the first input in increasing order, all of them if none is named.
    pub fn resolved_axes(&self, name: &str) -> Result<Vec<usize>> {
        let shape = self.required("an input", self.shape)?;
        shape.axes(self.op, &self.integers(name)?)
    }

    /// A number of elements.
    pub fn size(&self, name: &str) -> Result<usize> {
        let value = self.required(name, self.integer(name)?)?;
        usize::try_from(value).map_err(|_| self.wrong(name, "0 or more"))
    }

    /// Sizes of axes.
    pub fn sizes(&self, name: &str) -> Result<Vec<usize>> {
        self.required(name, self.attrs.get(name))?;
        let sizes = self.integers(name)?.into_iter().map(|size| usize::try_from(size).ok());
        sizes.collect::<Option<_>>().ok_or_else(|| self.wrong(name, "sizes of 0 or more"))
    }

    /// Numbers of elements, given as a list or as one number; none if there are none.
    pub fn counts(&self, name: &str) -> Result<Vec<usize>> {
        let values = match self.attrs.get(name) {
            Some(&Attr::Integer(value)) => vec![saturating(value)],
            _ => self.integers(name)?,
        };
        let counts = values.into_iter().map(|value| usize::try_from(value).ok());
        counts.collect::<Option<_>>().ok_or_else(|| self.wrong(name, "numbers of 0 or more"))
    }

    /// The same, for numbers that cannot be left out.
    pub fn required_counts(&self, name: &str) -> Result<Vec<usize>> {
        self.required(name, self.attrs.get(name))?;
        self.counts(name)
    }

    /// A name, if there is one.
    pub fn text(&self, name: &str) -> Result<Option<&'a str>> {
        match self.attrs.get(name) {
            None => Ok(None),
            Some(Attr::Text(text)) => Ok(Some(text)),
            Some(_) => Err(self.wrong(name, "a name")),
        }
    }

    /// The value of the choice that was made, or `default`.
    pub fn choice<T: Copy>(&self, name: &str, choices: &[(&str, T)], default: Option<T>) -> Result<T> {
        let Some(text) = self.text(name)? else { return self.required(name, default) };
        let found = choices.iter().find(|(choice, _)| *choice == text).map(|&(_, value)| value);
        found.ok_or_else(|| {
            let names: Vec<&str> = choices.iter().map(|(choice, _)| *choice).collect();
            self.wrong(name, &format!("one of {}, not \"{text}\"", names.join(", ")))
        })
    }

    /// Yes or no, or `default` if it was left out.
    pub fn truth_or(&self, name: &str, default: bool) -> Result<bool> {
        match self.attrs.get(name) {
            None => Ok(default),
            Some(&Attr::Truth(truth)) => Ok(truth),
            Some(_) => Err(self.wrong(name, "true or false")),
        }
    }

    /// Whether the attribute was given.
    pub fn has(&self, name: &str) -> bool {
        self.attrs.get(name).is_some()
    }

    /// Whole numbers, given as a list or as one number; none if there are none.
    pub fn integers_or_one(&self, name: &str) -> Result<Vec<isize>> {
        match self.attrs.get(name) {
            Some(&Attr::Integer(value)) => Ok(vec![saturating(value)]),
            _ => self.integers(name),
        }
    }

    /// Whether reduced axes stay; no, unless told.
    pub fn keep_axes(&self) -> Result<KeepAxes> {
        match self.attrs.get("keep_axes") {
            None | Some(Attr::Truth(false)) => Ok(KeepAxes::No),
            Some(Attr::Truth(true)) => Ok(KeepAxes::Yes),
            Some(_) => Err(self.wrong("keep_axes", "true or false")),
        }
    }
}

/// Beyond half of the range a number is out of every axis, size and step anyway, and arithmetic on it could overflow.
fn saturating(value: i64) -> isize {
    const LIMIT: i64 = (isize::MAX / 2) as i64;
    value.clamp(-LIMIT, LIMIT) as isize
}
