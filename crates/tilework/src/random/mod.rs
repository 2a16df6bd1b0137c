//! Random arrays.
//!
//! A [`Random`] is a seed and a count of draws. Each draw is a stream of its own of the counter-based generator Philox4x32-10
//! (Salmon, Moraes, Dror and Shaw, 2011), so that what comes out depends on the seed, the number of the draw and the position
//! alone: the same words on the CPU, on any GPU and in a browser. Uniform numbers, integers and truth values are therefore
//! equal everywhere too; those that go through logarithms and cosines (normal, exponential, gamma) agree to a few units in the
//! last place.

mod continuous;
mod discrete;

use crate::array::Array;
use crate::device::Device;
use tilework_core::dtype::DType;
use tilework_core::shape::{IntoSizes, Shape};
use tilework_core::{Error, Result};
use tilework_ops::graph;
use tilework_ops::ops::random_bits::RandomBits;
use tilework_ops::ops::random_gamma::RandomGamma;

/// 2⁻²⁴: uniform numbers are multiples of it.
const STEP: f64 = 1.0 / 16_777_216.0;

/// A generator of random arrays. Every method gives the next draw.
#[derive(Clone)]
pub struct Random {
    device: Device,
    seed: u64,
    n_draws: u64,
}

impl Device {
    /// A generator that starts from `seed`.
    pub fn random(&self, seed: u64) -> Random {
        Random { device: self.clone(), seed, n_draws: 0 }
    }
}

impl Random {
    /// Continues with draw number `draw`, wherever it was.
    pub fn seek(&mut self, draw: u64) {
        self.n_draws = draw;
    }

    /// The state of the next draw as an array of four words, for the operations `random_bits` and `random_gamma`: a captured
    /// program that takes it as an input gives other numbers for another state.
    pub fn state(&mut self) -> Array {
        let draw = self.n_draws;
        self.n_draws = draw.wrapping_add(1);
        let halves = |word: u64| [word as u32, (word >> 32) as u32];
        self.device.array([halves(self.seed), halves(draw)].concat(), [4])
    }

    /// Random 32-bit words.
    pub fn bits(&mut self, shape: impl IntoSizes) -> Array {
        let [words] = self.words(&shape.into_sizes());
        words
    }

    /// Arrays of words; those of one element follow each other in the stream.
    fn words<const N: usize>(&mut self, sizes: &[usize]) -> [Array; N] {
        let state = self.state();
        let all = Shape::new("random", sizes).and_then(|shape| {
            let n = shape.n_elements();
            let pairs = Shape::new("random", vec![n, N])?;
            let words = graph::apply(RandomBits::new(pairs.n_elements()), &[state.graph_node()?])?;
            graph::reshape(&words, &pairs)
        });
        let all = Array::new(&self.device, all);
        std::array::from_fn(|part| all.index(1, part as isize).reshape(sizes))
    }

    /// Even over [0, 1), in steps of 2⁻²⁴.
    pub fn uniform(&mut self, shape: impl IntoSizes) -> Array {
        self.bits(shape).shift_right(8).to_f32() * STEP
    }

    /// Even over [low, high), up to rounding.
    pub fn uniform_between(&mut self, shape: impl IntoSizes, low: f64, high: f64) -> Array {
        self.uniform(shape) * (high - low) + low
    }

    /// Normal with the given mean and standard deviation (Box and Muller, 1958). Two words make one number; the largest
    /// deviation there can be is 5.8.
    pub fn normal(&mut self, shape: impl IntoSizes, mean: f64, deviation: f64) -> Array {
        let [first, second] = self.words(&shape.into_sizes());
        let radius = (above_zero(&first).log() * -2.0).sqrt();
        let turn = second.shift_right(8).to_f32() * STEP;
        radius * (turn * std::f64::consts::TAU).cos() * deviation + mean
    }

    /// Exponential with mean `scale`.
    pub fn exponential(&mut self, shape: impl IntoSizes, scale: f64) -> Array {
        above_zero(&self.bits(shape)).log() * -scale
    }

    /// True with probability `p`, which counts in steps of 2⁻²⁴.
    pub fn bernoulli(&mut self, shape: impl IntoSizes, p: f64) -> Array {
        self.uniform(shape).lt(p)
    }

    /// Whole numbers from `low` up to, not including, `high`, as 32-bit integers. A number is the high word of a 64-bit product,
    /// so that no two probabilities differ by more than 2⁻³².
    pub fn integers(&mut self, shape: impl IntoSizes, low: i32, high: i32) -> Array {
        if low >= high {
            let message = format!("there is no integer from {low} up to, not including, {high}");
            return Array::new(&self.device, Err(Error::argument("integers", message)));
        }
        let range = high.wrapping_sub(low) as u32;
        let offset = high_product(&self.bits(shape), range) + f64::from(low as u32);
        offset.cast(DType::I32)
    }

    /// Elements of `axis` of `array` picked evenly, with replacement; `shape` takes the axis' place.
    pub fn choice(&mut self, array: &Array, shape: impl IntoSizes, axis: isize) -> Array {
        match size_of_axis("choice", array, axis) {
            Err(error) => Array::new(&self.device, Err(error)),
            Ok(size) => array.take(&self.integers(shape, 0, i32::try_from(size).unwrap_or(i32::MAX)), axis),
        }
    }

    /// The numbers `0 … n − 1` in random order, as 32-bit integers: positions sorted by 64 random bits each, which are equal for
    /// two of them with probability n²/2⁶⁵.
    pub fn permutation(&mut self, n: usize) -> Array {
        let [first, second] = self.words(&[n]);
        let by_second = second.argsort(0);
        // The sort is stable: what is equal in the first words stays in the order of the second.
        by_second.take(&first.take(&by_second, 0).argsort(0), 0)
    }

    /// The array with its elements along `axis` in random order; what belongs to one position stays together.
    pub fn shuffle(&mut self, array: &Array, axis: isize) -> Array {
        match size_of_axis("shuffle", array, axis) {
            Err(error) => Array::new(&self.device, Err(error)),
            Ok(size) => array.take(&self.permutation(size), axis),
        }
    }

    /// `n` elements of `axis` of `array`, no position twice, every choice and every order of them equally likely.
    pub fn choice_distinct(&mut self, array: &Array, n: usize, axis: isize) -> Array {
        let size = size_of_axis("choice_distinct", array, axis).and_then(|size| {
            let message = || format!("{n} of {size} positions cannot be different");
            if n <= size { Ok(size) } else { Err(Error::argument("choice_distinct", message())) }
        });
        match size {
            Err(error) => Array::new(&self.device, Err(error)),
            Ok(size) => array.take(&self.permutation(size).slice(0, ..n as isize), axis),
        }
    }

    /// Gamma with scale 1 and one shape parameter for each element of `alpha`. A shape that is not positive gives NaN.
    pub fn gamma(&mut self, alpha: &Array) -> Array {
        let state = self.state();
        let nodes = |state: Result<_>| Ok([state?, graph::cast(alpha.node()?, DType::F32)]);
        Array::new(&self.device, nodes(state.graph_node()).and_then(|nodes| graph::apply(RandomGamma, &nodes)))
    }
}

fn size_of_axis(op: &str, array: &Array, axis: isize) -> Result<usize> {
    let node = array.node()?;
    Ok(node.shape()[node.shape().axis(op, axis)?])
}

/// Words as numbers in (0, 1], in steps of 2⁻²⁴, which have a logarithm.
fn above_zero(words: &Array) -> Array {
    (words.shift_right(8) + 1).to_f32() * STEP
}

/// The high word of each product with `factor`, by products of half words.
fn high_product(words: &Array, factor: u32) -> Array {
    let (low, high) = (f64::from(factor & 0xffff), f64::from(factor >> 16));
    let (words_low, words_high) = (words.bit_and(0xffff), words.shift_right(16));
    let cross = &words_high * low + (&words_low * low).shift_right(16);
    let middle = &words_low * high + cross.bit_and(0xffff);
    &words_high * high + cross.shift_right(16) + middle.shift_right(16)
}
