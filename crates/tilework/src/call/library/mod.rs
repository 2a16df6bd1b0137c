//! The library: functions NumPy has beyond the operations themselves, one row each.
//!
//! A row is all there is to know of a function from outside: names and kinds of its inputs and attributes, what it gives, a sentence.
//! The methods of the npm package, docs/coverage.md and the goldens that NumPy made are read off these rows.

mod algebra;
mod arranging;
mod measuring;

use super::{Call, Input};
use crate::array::Array;
use crate::device::Device;
use std::future::Future;
use std::pin::Pin;
use tilework_core::{Error, Result};
use tilework_ops::Attrs;
use tilework_ops::attrs::{AttrKind, Attribute, Given, Presence};

/// Every table but those of [`arranging`], which are several.
static TABLES: &[&[Function]] = &[
    measuring::ALIASES,
    measuring::ELEMENTWISE,
    measuring::STATISTICS,
    measuring::MISSING,
    measuring::CALCULUS,
    measuring::COMPLEX,
    measuring::POLYNOMIALS,
    algebra::FUNCTIONS,
    algebra::LINEAR,
    algebra::RANDOM,
];

/// A function of the library as callers see it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Function {
    /// Name in snake case.
    pub name: &'static str,
    /// Names of its inputs. One with `?` can be left out, one with `…` stands for any number. The first is `x` where the function is a
    /// method of an array.
    pub inputs: &'static [&'static str],
    /// The attributes it accepts.
    pub attributes: &'static [Attribute],
    /// Names of its results; one with `…` stands for any number.
    pub results: &'static [&'static str],
    /// A sentence or two. Empty in browsers.
    pub doc: &'static str,
    run: Run,
}

/// How a function answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunctionKind {
    /// With one array, at once.
    One,
    /// With several arrays, at once.
    Many,
    /// With arrays whose sizes depend on the data, once that is known.
    Later,
}

type One = fn(&Call<'_>, &Given<'_>) -> Result<Array>;
type Many = fn(&Call<'_>, &Given<'_>) -> Result<Vec<Array>>;
/// What a function that has to wait gives.
pub(super) type Awaited<'a> = Pin<Box<dyn Future<Output = Result<Vec<Array>>> + 'a>>;
type Later = for<'a> fn(&'a Call<'a>, &'a Given<'a>) -> Awaited<'a>;

#[derive(Clone, Copy, Debug)]
enum Run {
    One(One),
    Many(Many),
    Later(Later),
}

/// A sentence for readers, which browsers need not download.
macro_rules! says {
    ($text:expr) => {
        if cfg!(target_arch = "wasm32") { "" } else { $text }
    };
}
#[allow(unused_imports, reason = "rows use it")]
pub(super) use says;

type Names = &'static [&'static str];
type Attributes = &'static [Attribute];

impl Function {
    /// A row with one result.
    #[allow(dead_code, reason = "rows use it")]
    const fn one(name: &'static str, inputs: Names, attributes: Attributes, doc: &'static str, run: One) -> Function {
        Function { name, inputs, attributes, results: &["y"], doc, run: Run::One(run) }
    }

    /// A row with several results.
    #[allow(dead_code, reason = "rows use it")]
    const fn many(
        name: &'static str,
        inputs: Names,
        attributes: Attributes,
        results: Names,
        doc: &'static str,
        run: Many,
    ) -> Function {
        Function { name, inputs, attributes, results, doc, run: Run::Many(run) }
    }

    /// A row with results whose size depends on the data.
    #[allow(dead_code, reason = "rows use it")]
    const fn later(
        name: &'static str,
        inputs: Names,
        attributes: Attributes,
        results: Names,
        doc: &'static str,
        run: Later,
    ) -> Function {
        Function { name, inputs, attributes, results, doc, run: Run::Later(run) }
    }

    /// How it answers.
    pub fn kind(&self) -> FunctionKind {
        match self.run {
            Run::One(_) => FunctionKind::One,
            Run::Many(_) => FunctionKind::Many,
            Run::Later(_) => FunctionKind::Later,
        }
    }

    /// Every function of the library.
    pub fn all() -> impl Iterator<Item = &'static Function> {
        arranging::TABLES.iter().chain(TABLES).flat_map(|table| table.iter())
    }

    fn find(name: &str) -> Option<&'static Function> {
        Function::all().find(|function| function.name == name)
    }

    fn given<'a>(&self, call: &'a Call<'a>, attrs: &'a Attrs) -> Result<Given<'a>> {
        let n_required = self.inputs.iter().filter(|name| !name.ends_with(['?', '…'])).count();
        let is_open = self.inputs.iter().any(|name| name.ends_with('…'));
        let n = call.inputs.len();
        if n < n_required || (n > self.inputs.len() && !is_open) {
            let message = format!("takes {}, {n} inputs were given", self.inputs.join(", "));
            return Err(Error::argument(self.name, message));
        }
        let names: Vec<&str> = self.attributes.iter().map(|attribute| attribute.name).collect();
        Given::new(call.name, &names, attrs, &[])
    }
}

impl Device {
    /// Like [`Device::call`], for functions with several results.
    pub fn call_many(&self, name: &str, inputs: &[Input], attrs: &Attrs) -> Result<Vec<Array>> {
        match Function::find(name).map(|function| (function, function.run)) {
            Some((function, Run::Many(run))) => {
                let call = self.call_of(name, inputs);
                run(&call, &function.given(&call, attrs)?)
            }
            Some((_, Run::Later(_))) => Err(needs_await(name)),
            _ => Ok(vec![self.call(name, inputs, attrs)]),
        }
    }

    /// Like [`Device::call`], for any function: also for those whose results have a size that depends on the data.
    pub async fn call_later(&self, name: &str, inputs: &[Input], attrs: &Attrs) -> Result<Vec<Array>> {
        match Function::find(name).map(|function| (function, function.run)) {
            Some((function, Run::Later(run))) => {
                let call = self.call_of(name, inputs);
                let given = function.given(&call, attrs)?;
                run(&call, &given).await
            }
            _ => self.call_many(name, inputs, attrs),
        }
    }
}

fn needs_await(name: &str) -> Error {
    Error::argument(name, "has results whose size depends on the data: wait for them (call_later)")
}

impl Call<'_> {
    /// The answer of a function with one result, which may have more to it than the operation of the same name.
    pub(super) fn library_one(&self, attrs: &Attrs) -> Option<Result<Array>> {
        let function = Function::find(self.name)?;
        let Run::One(run) = function.run else { return None };
        Some(function.given(self, attrs).and_then(|given| run(self, &given)).map(|y| self.in_own_name(y)))
    }

    /// What to say of a function of the library that cannot answer with one array, if there is one of this name.
    pub(super) fn library_refusal(&self) -> Option<Error> {
        match Function::find(self.name)?.run {
            Run::One(_) => None,
            Run::Many(_) => Some(Error::argument(self.name, "has several results: ask for all of them (call_many)")),
            Run::Later(_) => Some(needs_await(self.name)),
        }
    }

    /// The result; a mistake made here, and not in an input, is told in the name of the function that was called.
    fn in_own_name(&self, result: Array) -> Array {
        match result.check() {
            Err(error) if self.arrays.iter().all(|array| array.check().is_ok()) => {
                Array::new(self.device, Err(Error::new(error.kind(), self.name, error.message())))
            }
            _ => result,
        }
    }

    /// Input `index`, if it was given.
    #[allow(dead_code, reason = "rows use it")]
    pub(super) fn optional(&self, index: usize) -> Option<&Array> {
        self.arrays.get(index)
    }
}

/// An axis that can be left out.
#[allow(dead_code, reason = "rows use it")]
const AXIS: Attribute = Attribute { name: "axis", kind: AttrKind::Axis, presence: Presence::Optional, doc: "axis" };
/// Axes, all of them if none is named.
#[allow(dead_code, reason = "rows use it")]
const AXES: Attribute = Attribute { name: "axes", kind: AttrKind::Axes, presence: Presence::Optional, doc: "axes" };
/// Whether reduced axes stay, with size 1.
#[allow(dead_code, reason = "rows use it")]
const KEEP_AXES: Attribute = Attribute {
    name: "keep_axes",
    kind: AttrKind::Truth,
    presence: Presence::Optional,
    doc: "whether reduced axes stay",
};
