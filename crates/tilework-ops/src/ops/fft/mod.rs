//! Fourier transforms along one axis, of complex numbers (`fft`), of real ones (`rfft`) and back to real ones (`irfft`).
//!
//! There is no complex element type: a complex array is a float array whose last axis has size 2, the real and the imaginary
//! part. A transform of `[.., n, .., 2]` along its axis of `n` points is
//! `X_k = scale · Σ_j x_j · exp(∓2πi·jk/n)`, minus forward and plus inverse; the scale follows `norm` as in `numpy.fft`.
//! Real numbers have a transform with `X_{n−k} = conj(X_k)`, so `rfft` gives only the first `n/2 + 1` and `irfft` takes those.
//!
//! Any length of at least 1 works; the time grows as n·log n for every length, primes included.

mod cases;
mod cpu;
mod entries;
mod gpu;
mod long;
mod plans;
mod reference;

pub use entries::{FFT, IRFFT, RFFT};
pub use tilework_vm::fft::Direction;

use crate::cpu::CpuCx;
use crate::graph::{self, NodeRef};
#[cfg(feature = "batch")]
use crate::op::Batched;
use crate::op::{InputForm, Meta, Op, OpSignature, PlanCx, Reference, VjpCx};
#[cfg(feature = "batch")]
use std::sync::Arc;
use tilework_core::dtype::DType;
use tilework_core::expr::{ScalarOp, Value};
use tilework_core::host::{HostBuffer, HostView};
use tilework_core::plan::Pass;
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};

/// Which direction carries the factor 1/n.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Norm {
    /// The inverse, as in most books.
    #[default]
    Backward,
    /// Both, as 1/√n.
    Ortho,
    /// The forward transform.
    Forward,
}

/// What is transformed into what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// Complex points into as many complex points.
    Complex(Direction),
    /// n real points into n/2 + 1 complex ones.
    Real,
    /// n/2 + 1 complex points into this many real ones.
    RealInverse(usize),
}

/// A transform along `axis`.
#[derive(Clone, Debug)]
pub struct Fft {
    form: Form,
    axis: usize,
    norm: Norm,
}

/// The lines of one transform: `n` points each, of which `n_in` items are read and `n_out` stored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lines {
    pub(crate) n_outer: usize,
    pub(crate) n_inner: usize,
    /// Length of the transform.
    pub(crate) n: usize,
    pub(crate) n_in: usize,
    /// Floats of an item that is read: 1 or 2.
    pub(crate) in_width: usize,
    pub(crate) n_out: usize,
    pub(crate) out_width: usize,
}

impl Lines {
    pub(crate) fn count(&self) -> usize {
        self.n_outer * self.n_inner
    }
}

impl Fft {
    /// Transforms along `axis`, which is not the last one of a complex array.
    pub fn new(form: Form, axis: usize, norm: Norm) -> Fft {
        Fft { form, axis, norm }
    }

    fn name(&self) -> &'static str {
        self.signature().name
    }

    fn direction(&self) -> Direction {
        match self.form {
            Form::Complex(direction) => direction,
            Form::Real => Direction::Forward,
            Form::RealInverse(_) => Direction::Inverse,
        }
    }

    /// The factor of every result.
    fn scale(&self, n: usize) -> f64 {
        match (self.norm, self.direction()) {
            (Norm::Ortho, _) => 1.0 / (n as f64).sqrt(),
            (Norm::Backward, Direction::Forward) | (Norm::Forward, Direction::Inverse) => 1.0,
            (Norm::Backward, Direction::Inverse) | (Norm::Forward, Direction::Forward) => 1.0 / n as f64,
        }
    }

    fn lines(&self, input: &[usize]) -> Lines {
        let n_in = input[self.axis];
        let (n, n_out, in_width, out_width) = match self.form {
            Form::Complex(_) => (n_in, n_in, 2, 2),
            Form::Real => (n_in, n_in / 2 + 1, 1, 2),
            Form::RealInverse(n) => (n, n, 2, 1),
        };
        let rest = &input[self.axis + 1..];
        let n_inner = rest[..rest.len() + 1 - in_width].iter().product();
        Lines { n_outer: input[..self.axis].iter().product(), n_inner, n, n_in, in_width, n_out, out_width }
    }

    /// The axes with the transformed one behind the others (before that of the two parts).
    fn order(&self, rank: usize) -> Vec<usize> {
        let n_parts = usize::from(self.form != Form::Real);
        let others = (0..rank - n_parts).filter(|&axis| axis != self.axis);
        others.chain([self.axis]).chain(rank - n_parts..rank).collect()
    }

    /// 1 for the first and (if `n` is even) the last of the n/2 + 1 points that stand for n, `inside` for the others, which
    /// stand for two each.
    fn weights(&self, n: usize, inside: f64, like: &NodeRef) -> Result<NodeRef> {
        let index = graph::iota(Shape::new(self.name(), vec![n / 2 + 1])?);
        let is =
            |k: usize| graph::map(ScalarOp::Eq, &[index.clone(), graph::constant(DType::U32, Value::Uint(k as u32))]);
        let is_edge = if n.is_multiple_of(2) { graph::map(ScalarOp::Or, &[is(0)?, is(n / 2)?])? } else { is(0)? };
        let number = |value: f64| graph::constant(like.dtype(), Value::num(value));
        let weights = graph::map(ScalarOp::Select, &[is_edge, number(1.0), number(inside)])?;
        let mut sizes = vec![1; like.shape().rank()];
        sizes[self.axis] = n / 2 + 1;
        graph::reshape(&weights, &Shape::new(self.name(), sizes)?)
    }
}

impl Op for Fft {
    fn signature(&self) -> &'static OpSignature {
        entries::signature(self.form)
    }

    fn encode(&self, words: &mut Vec<u32>) {
        let (form, n) = match self.form {
            Form::Complex(Direction::Forward) => (0, 0),
            Form::Complex(Direction::Inverse) => (1, 0),
            Form::Real => (2, 0),
            Form::RealInverse(n) => (3, n as u32),
        };
        words.extend([form, n, self.axis as u32, self.norm as u32]);
    }

    fn infer(&self, inputs: &[Meta]) -> Result<Meta> {
        let [x] = inputs else { return Err(Error::argument(self.name(), "takes one input")) };
        let (name, rank) = (self.name(), x.shape.rank());
        if !x.dtype.is_float() {
            return Err(Error::dtype(name, format!("needs floats, got {}", x.dtype)));
        }
        let is_complex = self.form != Form::Real;
        if is_complex && x.shape.last() != Some(&2) {
            return Err(Error::shape(
                name,
                format!("needs complex numbers: the last axis of {} must have size 2", x.shape),
            ));
        }
        if self.axis + usize::from(is_complex) >= rank {
            return Err(Error::shape(name, format!("axis {} is out of range for {}", self.axis, x.shape)));
        }
        let lines = self.lines(&x.shape);
        if lines.n == 0 {
            return Err(Error::shape(
                name,
                format!("axis {} of {} gives a transform of no points", self.axis, x.shape),
            ));
        }
        let mut sizes = x.shape.to_vec();
        match self.form {
            Form::Complex(_) => {}
            Form::Real => sizes.push(2),
            Form::RealInverse(n) if lines.n_in != n / 2 + 1 => {
                let (axis, wanted) = (self.axis, n / 2 + 1);
                let message = format!(
                    "{n} real points need {wanted} complex ones along axis {axis}, {} has {}",
                    x.shape, lines.n_in
                );
                return Err(Error::shape(name, message));
            }
            Form::RealInverse(_) => _ = sizes.pop(),
        }
        sizes[self.axis] = lines.n_out;
        Ok(Meta { shape: Shape::new(name, sizes)?, dtype: x.dtype })
    }

    fn input_form(&self, _index: usize) -> InputForm {
        // The points of a half-length inverse are made of two items each.
        InputForm::Elements { n_reads: if matches!(self.form, Form::RealInverse(_)) { 2 } else { 1 } }
    }

    fn cpu(&self, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
        cpu::transform(self, cx, out)
    }

    fn plan(&self, cx: &mut PlanCx<'_>) -> Result<Vec<Pass>> {
        gpu::plan(self, cx)
    }

    #[cfg(feature = "grad")]
    fn vjp(&self, cx: &VjpCx<'_>) -> Result<Vec<Option<NodeRef>>> {
        // The adjoint of a transform is the one in the other direction with the same factor.
        let norm = match self.norm {
            Norm::Backward => Norm::Forward,
            Norm::Ortho => Norm::Ortho,
            Norm::Forward => Norm::Backward,
        };
        let d = cx.adjoint;
        let mul = |a: NodeRef, b: NodeRef| graph::map(ScalarOp::Mul, &[a, b]);
        let rule = match self.form {
            Form::Complex(direction) => {
                let back = if direction == Direction::Forward { Direction::Inverse } else { Direction::Forward };
                graph::apply(Fft::new(Form::Complex(back), self.axis, norm), std::slice::from_ref(d))?
            }
            Form::Real => {
                let n = cx.inputs[0].shape()[self.axis];
                let weighted = mul(d.clone(), self.weights(n, 0.5, d)?)?;
                graph::apply(Fft::new(Form::RealInverse(n), self.axis, norm), &[weighted])?
            }
            Form::RealInverse(n) => {
                let points = graph::apply(Fft::new(Form::Real, self.axis, norm), std::slice::from_ref(d))?;
                let weights = self.weights(n, 2.0, &points)?;
                mul(points, weights)?
            }
        };
        Ok(vec![Some(rule)])
    }

    #[cfg(feature = "batch")]
    fn batched(&self, _has_axis: &[bool]) -> Batched {
        Batched::Each(Arc::new(Fft { axis: self.axis + 1, ..self.clone() }))
    }

    fn flops(&self, inputs: &[Meta], _out: &Meta) -> f64 {
        let lines = self.lines(&inputs[0].shape);
        let parts = if matches!(self.form, Form::Complex(_)) { 5.0 } else { 2.5 };
        parts * (lines.count() * lines.n) as f64 * (lines.n as f64).log2().max(1.0)
    }
}

impl Reference for Fft {
    fn reference(&self, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
        reference::transform(self, &inputs[0], out)
    }
}
