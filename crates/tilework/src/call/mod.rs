//! Any operation by name, for callers that have names and not Rust, such as JavaScript.
//!
//! A name is looked for where a user would: among the methods below, which convert types and count axes from the end as those
//! of [`Array`] do; in the scalar table; in the registry of structured operations. Whatever the arguments, the answer is an array,
//! or the error it carries.

#[cfg(feature = "extended")]
mod extended;
#[cfg(feature = "numpy")]
mod library;

#[cfg(feature = "extended")]
use extended::{LINEAR, METHODS as EXTENDED};
#[cfg(feature = "numpy")]
pub use library::{Function, FunctionKind};

use crate::array::{Array, Operand, Range};
use crate::device::Device;
use tilework_core::dtype::DType;
use tilework_core::expr::ScalarOp;
use tilework_core::shape::KeepAxes;
use tilework_core::{Error, Result};
use tilework_ops::attrs::Given;
use tilework_ops::{Attrs, Meta, NodeRef, registry};

/// An argument: an array or a number.
#[derive(Clone)]
pub enum Input {
    /// An array.
    Array(Array),
    /// A number, which takes the type of the array it meets.
    Number(f64),
}

impl Operand for Input {
    fn to_node(&self, dtype: DType) -> Result<NodeRef> {
        match self {
            Input::Array(array) => array.to_node(dtype),
            Input::Number(number) => number.to_node(dtype),
        }
    }

    fn complex(&self) -> Option<&Array> {
        match self {
            Input::Array(array) => array.complex(),
            Input::Number(_) => None,
        }
    }
}

impl Device {
    /// The operation called `name` of `inputs`; `add` of an array and 2, `sum` of an array with `axes` 0 and 1, `arange` of
    /// nothing with `n` 5.
    ///
    /// Carries an error of kind `Argument` if there is no such operation, or if it does not take these inputs or attributes.
    pub fn call(&self, name: &str, inputs: &[Input], attrs: &Attrs) -> Array {
        self.call_of(name, inputs).run(attrs).unwrap_or_else(|error| Array::new(self, Err(error)))
    }

    fn call_of<'a>(&'a self, name: &'a str, inputs: &'a [Input]) -> Call<'a> {
        let as_array = |input: &Input| match input {
            Input::Array(array) => array.clone(),
            Input::Number(number) => self.scalar(*number),
        };
        Call { device: self, name, inputs, arrays: inputs.iter().map(as_array).collect() }
    }
}

struct Call<'a> {
    device: &'a Device,
    name: &'a str,
    inputs: &'a [Input],
    /// The inputs, with numbers as arrays.
    arrays: Vec<Array>,
}

/// A method as callers name it.
struct Method {
    name: &'static str,
    /// `None` for any number.
    n_inputs: Option<usize>,
    attributes: &'static [&'static str],
    run: fn(&Call<'_>, &Given<'_>) -> Result<Array>,
}

const fn method(
    name: &'static str,
    n_inputs: usize,
    attributes: &'static [&'static str],
    run: fn(&Call<'_>, &Given<'_>) -> Result<Array>,
) -> Method {
    Method { name, n_inputs: Some(n_inputs), attributes, run }
}

#[rustfmt::skip] // One row per method.
static METHODS: &[Method] = &[
    // creation
    method("full", 0, &["shape", "value", "dtype"], |c, g| {
        Ok(c.device.full_of(g.sizes("shape")?, g.number("value")?, dtype(g)?.unwrap_or(DType::F32)))
    }),
    method("arange", 0, &["n"], |c, g| Ok(c.device.arange(g.size("n")?))),
    method("linspace", 0, &["start", "stop", "n"], |c, g| {
        Ok(c.device.linspace(g.number("start")?, g.number("stop")?, g.size("n")?))
    }),
    method("eye", 0, &["n"], |c, g| Ok(c.device.eye(g.size("n")?))),

    // views
    method("reshape", 1, &["shape"], |c, g| Ok(c.x().reshape(g.sizes("shape")?))),
    method("flatten", 1, &[], |c, _| Ok(c.x().flatten())),
    method("permute", 1, &["order"], |c, g| Ok(c.x().permute(g.integers("order")?))),
    method("transpose", 1, &[], |c, _| Ok(c.x().t())),
    method("broadcast_to", 1, &["shape"], |c, g| Ok(c.x().broadcast_to(g.sizes("shape")?))),
    method("expand_dims", 1, &["axis"], |c, g| Ok(c.x().expand_dims(g.axis("axis")?))),
    method("squeeze", 1, &["axes"], |c, g| Ok(c.x().squeeze(g.integers("axes")?))),
    method("slice", 1, &["axis", "start", "stop", "step"], |c, g| {
        let step = g.integer("step")?.unwrap_or(1);
        Ok(c.x().slice(g.axis("axis")?, Range { start: g.integer("start")?, stop: g.integer("stop")?, step }))
    }),
    method("index", 1, &["axis", "position"], |c, g| Ok(c.x().index(g.axis("axis")?, g.axis("position")?))),
    method("flip", 1, &["axes"], |c, g| Ok(c.x().flip(g.integers("axes")?))),
    method("cast", 1, &["dtype"], |c, g| {
        let dtype = dtype(g)?.ok_or_else(|| Error::argument("cast", "needs the attribute \"dtype\""))?;
        Ok(c.x().cast(dtype))
    }),
    method("traced", 1, &[], |c, _| Ok(c.x().traced())),
    method("released", 1, &[], |c, _| Ok(c.x().released())),

    // reductions
    method("sum", 1, REDUCTION, |c, g| reduce(c, g, Array::sum, Array::sum_keep)),
    method("prod", 1, REDUCTION, |c, g| reduce(c, g, Array::prod, Array::prod_keep)),
    method("min", 1, REDUCTION, |c, g| reduce(c, g, Array::min, Array::min_keep)),
    method("max", 1, REDUCTION, |c, g| reduce(c, g, Array::max, Array::max_keep)),
    method("any", 1, REDUCTION, |c, g| reduce(c, g, Array::any, Array::any_keep)),
    method("all", 1, REDUCTION, |c, g| reduce(c, g, Array::all, Array::all_keep)),
    method("mean", 1, REDUCTION, |c, g| reduce(c, g, Array::mean, Array::mean_keep)),
    method("var", 1, SPREAD, |c, g| Ok(c.x().var_corrected(g.integers("axes")?, g.number_or("correction", 0.0)?, g.keep_axes()?))),
    method("std", 1, SPREAD, |c, g| Ok(c.x().std_corrected(g.integers("axes")?, g.number_or("correction", 0.0)?, g.keep_axes()?))),

    // structured operations, with the conversions of the array methods
    method("matmul", 2, &[], |c, _| Ok(c.x().matmul(&c.arrays[1]))),
    method("softmax", 1, &["axis", "output"], |c, g| {
        let softmax = g.choice("output", &[("probability", Array::softmax as fn(&Array, isize) -> Array), ("logarithm", Array::log_softmax)], Some(Array::softmax))?;
        Ok(softmax(c.x(), g.axis("axis")?))
    }),

    // functions made of scalar operations
    method("square", 1, &[], |c, _| Ok(c.x().square())),
    method("relu", 1, &[], |c, _| Ok(c.x().relu())),
    method("leaky_relu", 1, &["slope"], |c, g| Ok(c.x().leaky_relu(g.number("slope")?))),
    method("elu", 1, &["alpha"], |c, g| Ok(c.x().elu(g.number("alpha")?))),
    method("clamp", 3, &[], |c, _| Ok(c.x().clamp(&c.inputs[1], &c.inputs[2]))),
    method("select", 3, &[], |c, _| Ok(c.x().select(&c.inputs[1], &c.inputs[2]))),
];

/// Without the operations beyond the core there are no methods for them.
#[cfg(not(feature = "extended"))]
const EXTENDED: &[Method] = &[];
/// The same.
#[cfg(not(feature = "extended"))]
const LINEAR: &[Method] = &[];

const REDUCTION: &[&str] = &["axes", "keep_axes"];
const SPREAD: &[&str] = if cfg!(feature = "extended") { &["axes", "keep_axes", "correction"] } else { REDUCTION };

impl Call<'_> {
    fn run(&self, attrs: &Attrs) -> Result<Array> {
        // Where the library has a function of a method's name, it is that method with all the arguments NumPy's has.
        #[cfg(feature = "numpy")]
        if let Some(result) = self.library_one(attrs) {
            return result;
        }
        if let Some(method) = METHODS.iter().chain(EXTENDED).chain(LINEAR).find(|method| method.name == self.name) {
            self.expect_inputs(method.n_inputs.unwrap_or(self.inputs.len()))?;
            return (method.run)(self, &Given::new(self.name, method.attributes, attrs, &[])?);
        }
        #[cfg(feature = "numpy")]
        if let Some(error) = self.library_refusal() {
            return Err(error);
        }
        match ScalarOp::find(self.name) {
            Some(op) => self.scalar(op, attrs),
            None => self.registered(attrs),
        }
    }

    fn expect_inputs(&self, n: usize) -> Result<()> {
        if self.inputs.len() == n {
            return Ok(());
        }
        Err(Error::argument(self.name, format!("takes {n} inputs, {} were given", self.inputs.len())))
    }

    /// The first input, which [`Call::expect_inputs`] has made sure of.
    fn x(&self) -> &Array {
        &self.arrays[0]
    }

    fn list(&self) -> Vec<&Array> {
        self.arrays.iter().collect()
    }

    fn scalar(&self, op: ScalarOp, attrs: &Attrs) -> Result<Array> {
        self.expect_inputs(op.arity())?;
        Given::new(self.name, &[], attrs, &[])?;
        let rest: Vec<&dyn Operand> = self.inputs[1..].iter().map(|input| input as &dyn Operand).collect();
        Ok(self.x().map(op, &rest))
    }

    fn registered(&self, attrs: &Attrs) -> Result<Array> {
        let metas = self.arrays.iter().map(|array| Ok(array.node()?.meta.clone())).collect::<Result<Vec<Meta>>>()?;
        Ok(self.device.apply(registry::build(self.name, attrs, &metas)?, &self.list()))
    }
}

type Reduction = fn(&Array, Vec<isize>) -> Array;

fn reduce(call: &Call<'_>, given: &Given<'_>, plain: Reduction, keep: Reduction) -> Result<Array> {
    let reduction = if given.keep_axes()? == KeepAxes::Yes { keep } else { plain };
    Ok(reduction(call.x(), given.integers("axes")?))
}

fn dtype(given: &Given<'_>) -> Result<Option<DType>> {
    let parse =
        |name| DType::parse(name).ok_or_else(|| Error::dtype(given.op(), format!("there is no type \"{name}\"")));
    given.text("dtype")?.map(parse).transpose()
}
