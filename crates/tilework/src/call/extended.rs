//! Methods of operations beyond the core: a module without those operations is without these rows.

pub(in crate::call) mod linear;

pub(super) use linear::METHODS as LINEAR;

use super::{Call, Method, method};
#[cfg(feature = "networks")]
use crate::PoolWindow;
use crate::array::Array;
use crate::{ConvOptions, Window};
#[cfg(feature = "numpy")]
use tilework_core::Error;
use tilework_core::Result;
use tilework_ops::attrs::Given;
use tilework_ops::ops::fft::Norm;
#[cfg(feature = "networks")]
use tilework_ops::ops::rope::{FREQUENCY_ATTRIBUTES, RopeFrequencies};
use tilework_ops::ops::sort::Order;

#[rustfmt::skip] // One row per method.
pub(super) static METHODS: &[Method] = &[
    #[cfg(feature = "networks")]
    method("rope_frequencies", 0, FREQUENCY_ATTRIBUTES, |c, g| Ok(c.device.rope_frequencies(&RopeFrequencies::from_attributes(g)?))),
    Method { name: "concat", n_inputs: None, attributes: &["axis"], run: |c, g| Ok(c.device.concat(&c.list(), g.axis("axis")?)) },
    Method { name: "stack", n_inputs: None, attributes: &["axis"], run: |c, g| Ok(c.device.stack(&c.list(), g.axis("axis")?)) },
    method("dot", 2, &[], |c, _| Ok(c.x().dot(&c.arrays[1]))),
    method("vdot", 2, &[], |c, _| Ok(c.x().vdot(&c.arrays[1]))),
    method("argmin", 1, &["axis"], |c, g| Ok(g.integer("axis")?.map_or_else(|| c.x().argmin_flat(), |axis| c.x().argmin(axis)))),
    method("argmax", 1, &["axis"], |c, g| Ok(g.integer("axis")?.map_or_else(|| c.x().argmax_flat(), |axis| c.x().argmax(axis)))),
    method("take", 2, &["axis"], |c, g| Ok(c.x().take(&c.arrays[1], g.axis("axis")?))),
    Method { name: "scatter", n_inputs: Some(3), attributes: &["axis"], run: |c, g| Ok(c.x().scatter(&c.arrays[1], &c.inputs[2], g.axis("axis")?)) },
    Method { name: "put_along", n_inputs: Some(3), attributes: &["axis"], run: |c, g| Ok(c.x().put_along(&c.arrays[1], &c.inputs[2], g.axis("axis")?)) },
    method("cumsum", 1, &["axis"], |c, g| Ok(c.x().cumsum(g.axis("axis")?))),
    method("cumprod", 1, &["axis"], |c, g| Ok(c.x().cumprod(g.axis("axis")?))),
    method("cummax", 1, &["axis"], |c, g| Ok(c.x().cummax(g.axis("axis")?))),
    method("cummin", 1, &["axis"], |c, g| Ok(c.x().cummin(g.axis("axis")?))),
    method("argsort", 1, &["axis", "order"], |c, g| {
        let orders = [("ascending", Order::Ascending), ("descending", Order::Descending)];
        Ok(c.x().argsort_in(g.axis("axis")?, g.choice("order", &orders, Some(Order::Ascending))?))
    }),
    method("bincount", 1, &["n_bins"], |c, g| Ok(c.x().bincount(g.size("n_bins")?))),
    method("histogram", 1, &["n_bins", "low", "high"], |c, g| {
        Ok(c.x().histogram(g.size("n_bins")?, g.number("low")?, g.number("high")?))
    }),
    Method { name: "conv1d", n_inputs: None, attributes: CONVOLUTION, run: |c, g| conv(c, g, Array::conv1d) },
    Method { name: "conv2d", n_inputs: None, attributes: CONVOLUTION, run: |c, g| conv(c, g, Array::conv2d) },
    #[cfg(feature = "networks")]
    method("max_pool", 1, POOLING, |c, g| Ok(c.x().max_pool(&PoolWindow::given(g)?))),
    #[cfg(feature = "networks")]
    method("mean_pool", 1, POOLING, |c, g| Ok(c.x().mean_pool(&PoolWindow::given(g)?))),
    // Fourier transforms of complex arrays, which real ones become; `n` points unless told
    method("fft", 1, &["axis", "norm", "n"], |c, g| Ok(points(c, g)?.fft(g.integer("axis")?.unwrap_or(-1), norm(g)?))),
    method("ifft", 1, &["axis", "norm", "n"], |c, g| Ok(points(c, g)?.ifft(g.integer("axis")?.unwrap_or(-1), norm(g)?))),
    method("rfft", 1, &["axis", "norm", "n"], |c, g| Ok(points(c, g)?.rfft(g.integer("axis")?.unwrap_or(-1), norm(g)?))),
    method("irfft", 1, &["axis", "norm", "n"], |c, g| Ok(c.x().irfft(n_real(c, g)?, g.integer("axis")?.unwrap_or(-1), norm(g)?))),
    method("hfft", 1, &["axis", "norm", "n"], |c, g| Ok(c.x().hfft(n_real(c, g)?, g.integer("axis")?.unwrap_or(-1), norm(g)?))),
    method("ihfft", 1, &["axis", "norm", "n"], |c, g| Ok(points(c, g)?.ihfft(g.integer("axis")?.unwrap_or(-1), norm(g)?))),
    method("fftn", 1, &["axes", "norm"], |c, g| Ok(c.x().fftn(g.integers("axes")?, norm(g)?))),
    method("ifftn", 1, &["axes", "norm"], |c, g| Ok(c.x().ifftn(g.integers("axes")?, norm(g)?))),
    method("rfftn", 1, &["axes", "norm"], |c, g| Ok(c.x().rfftn(g.integers("axes")?, norm(g)?))),
    method("irfftn", 1, &["n", "axes", "norm"], |c, g| {
        let axes = g.integers("axes")?;
        Ok(c.x().irfftn(n_last(c, g, &axes)?, axes, norm(g)?))
    }),
    method("fftshift", 1, &["axes"], |c, g| Ok(c.x().fftshift(g.integers("axes")?))),
    method("ifftshift", 1, &["axes"], |c, g| Ok(c.x().ifftshift(g.integers("axes")?))),
    method("fftfreq", 0, &["n", "spacing"], |c, g| Ok(c.device.fftfreq(g.size("n")?, g.number_or("spacing", 1.0)?))),
    method("rfftfreq", 0, &["n", "spacing"], |c, g| Ok(c.device.rfftfreq(g.size("n")?, g.number_or("spacing", 1.0)?))),
    // the two halves of `Device::vmap`, between which a caller's own function runs
    #[cfg(feature = "numpy")]
    method("stand_in", 1, &["axis"], |c, g| c.x().stand_in(g.axis("axis")?)),
    #[cfg(feature = "numpy")]
    Method { name: "batched", n_inputs: None, attributes: &["axis"], run: batched },

    // random arrays: what draw number `draw` (0 unless told) of the generator with this seed gives
    method("random_words", 0, &["shape", "seed", "draw"], |c, g| Ok(random(c, g)?.bits(g.sizes("shape")?))),
    method("random_uniform", 0, &["shape", "seed", "draw", "low", "high"], |c, g| {
        let (low, high) = (g.number_or("low", 0.0)?, g.number_or("high", 1.0)?);
        Ok(random(c, g)?.uniform_between(g.sizes("shape")?, low, high))
    }),
    method("random_normal", 0, &["shape", "seed", "draw", "mean", "deviation"], |c, g| {
        let (mean, deviation) = (g.number_or("mean", 0.0)?, g.number_or("deviation", 1.0)?);
        Ok(random(c, g)?.normal(g.sizes("shape")?, mean, deviation))
    }),
    method("random_exponential", 0, &["shape", "seed", "draw", "scale"], |c, g| {
        Ok(random(c, g)?.exponential(g.sizes("shape")?, g.number_or("scale", 1.0)?))
    }),
    method("random_bernoulli", 0, &["shape", "seed", "draw", "p"], |c, g| Ok(random(c, g)?.bernoulli(g.sizes("shape")?, g.number("p")?))),
    method("random_integers", 0, &["shape", "seed", "draw", "low", "high"], |c, g| {
        Ok(random(c, g)?.integers(g.sizes("shape")?, g.number("low")? as i32, g.number("high")? as i32))
    }),
    method("random_permutation", 0, &["n", "seed", "draw"], |c, g| Ok(random(c, g)?.permutation(g.size("n")?))),
    method("random_shuffle", 1, &["seed", "draw", "axis"], |c, g| {
        Ok(random(c, g)?.shuffle(c.x(), g.integer("axis")?.unwrap_or(0)))
    }),
    method("random_choice_distinct", 1, &["n", "seed", "draw", "axis"], |c, g| {
        Ok(random(c, g)?.choice_distinct(c.x(), g.size("n")?, g.integer("axis")?.unwrap_or(0)))
    }),
    method("random_choice", 1, &["shape", "seed", "draw", "axis"], |c, g| {
        Ok(random(c, g)?.choice(c.x(), g.sizes("shape")?, g.integer("axis")?.unwrap_or(0)))
    }),
];

/// The first input, made of stand-ins, for all slices: the stand-ins follow, then as many arrays.
#[cfg(feature = "numpy")]
fn batched(call: &Call<'_>, given: &Given<'_>) -> Result<Array> {
    let Some((result, arrays)) = call.arrays.split_first().filter(|(_, arrays)| arrays.len() % 2 == 0) else {
        return Err(Error::argument(call.name, "takes a result, stand-ins and as many arrays"));
    };
    let (slices, wholes) = arrays.split_at(arrays.len() / 2);
    call.device.batched(result, slices, wholes, given.axis("axis")?)
}

const CONVOLUTION: &[&str] = &["stride", "padding", "dilation", "groups"];
#[cfg(feature = "networks")]
const POOLING: &[&str] = &["kernel", "stride", "padding", "dilation"];

type Convolution = fn(&Array, &Array, Option<&Array>, &ConvOptions) -> Array;

/// A convolution of two inputs, or of three with a bias.
fn conv(call: &Call<'_>, given: &Given<'_>, convolution: Convolution) -> Result<Array> {
    if call.inputs.len() != 3 {
        call.expect_inputs(2)?;
    }
    let groups = if given.integer("groups")?.is_some() { given.size("groups")? } else { 1 };
    let options = ConvOptions { window: Window::given(given)?, groups, ..ConvOptions::default() };
    Ok(convolution(call.x(), &call.arrays[1], call.arrays.get(2), &options))
}

/// The input with `n` points along the axis, if that was asked for.
fn points(call: &Call<'_>, given: &Given<'_>) -> Result<Array> {
    let axis = given.integer("axis")?.unwrap_or(-1);
    Ok(match given.size_if_given("n")? {
        Some(n) => call.x().resized(n, axis, call.name),
        None => call.x().clone(),
    })
}

/// The number of real points that so many complex ones are the transform of, an even one unless told.
fn n_real(call: &Call<'_>, given: &Given<'_>) -> Result<usize> {
    let shape = call.x().points(call.name)?;
    let n = shape[shape.axis(call.name, given.integer("axis")?.unwrap_or(-1))?];
    Ok(given.size_if_given("n")?.unwrap_or(2 * n.saturating_sub(1)))
}

/// The same along the last of `axes`.
pub(in crate::call) fn n_last(call: &Call<'_>, given: &Given<'_>, axes: &[isize]) -> Result<usize> {
    let shape = call.x().points(call.name)?;
    let last = shape.axis(call.name, axes.last().copied().unwrap_or(-1))?;
    Ok(given.size_if_given("n")?.unwrap_or(2 * shape[last].saturating_sub(1)))
}

/// The method called `name`.
#[cfg(feature = "numpy")]
pub(in crate::call) fn run(name: &str, call: &Call<'_>, given: &Given<'_>) -> Result<Array> {
    let method = METHODS.iter().find(|method| method.name == name);
    method.map_or_else(|| Err(Error::argument(name, "there is no such method")), |method| (method.run)(call, given))
}

pub(in crate::call) fn norm(given: &Given<'_>) -> Result<Norm> {
    let choices = [("backward", Norm::Backward), ("ortho", Norm::Ortho), ("forward", Norm::Forward)];
    given.choice("norm", &choices, Some(Norm::Backward))
}

/// The generator that `seed` and `draw` name. They are numbers, which JavaScript has up to 2⁵³ on every machine.
pub(in crate::call) fn random(call: &Call<'_>, given: &Given<'_>) -> Result<crate::random::Random> {
    let mut random = call.device.random(given.number("seed")? as u64);
    random.seek(given.number_or("draw", 0.0)? as u64);
    Ok(random)
}
