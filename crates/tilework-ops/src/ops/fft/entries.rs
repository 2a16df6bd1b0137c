//! The three transforms as the registry knows them.

use super::{Direction, Fft, Form, Norm, cases, gpu};
use crate::attrs::{AttrKind, Attribute, Given};
use crate::op::{Op, OpSignature};
use crate::registry::Entry;
use std::sync::Arc;
use tilework_core::{Error, Result};

const AXIS: Attribute = Attribute::required(
    "axis",
    AttrKind::Axis,
    "axis of the points; the axis of the two parts is not counted, so that -1 is the last axis of points",
);

const NORM: Attribute = Attribute::optional(
    "norm",
    AttrKind::Choice(&["backward", "ortho", "forward"]),
    "which direction carries the factor 1/n (both, with its root: ortho); backward unless told",
);

static COMPLEX: OpSignature = OpSignature {
    name: "fft",
    inputs: &["x"],
    attributes: &[
        AXIS,
        Attribute::optional(
            "direction",
            AttrKind::Choice(&["forward", "inverse"]),
            "sign of the exponent; forward unless told",
        ),
        NORM,
    ],
    doc: crate::op::said(
        "Fourier transform of complex numbers along an axis. A complex array is a float array whose last axis has size 2: real and imaginary part. Any length of at least 1.",
    ),
};

static REAL: OpSignature = OpSignature {
    name: "rfft",
    inputs: &["x"],
    attributes: &[AXIS, NORM],
    doc: crate::op::said(
        "Fourier transform of n real numbers along an axis: the first n/2 + 1 points, complex, as a new last axis of size 2 (real and imaginary part). The others are their conjugates.",
    ),
};

static REAL_INVERSE: OpSignature = OpSignature {
    name: "irfft",
    inputs: &["x"],
    attributes: &[
        AXIS,
        Attribute::required("n", AttrKind::Size, "number of real points; the axis must have n/2 + 1"),
        NORM,
    ],
    doc: crate::op::said(
        "Real numbers from the first n/2 + 1 points of their Fourier transform (complex: the last axis has size 2). The imaginary part of the first point, and of the last if n is even, does not matter.",
    ),
};

pub(super) fn signature(form: Form) -> &'static OpSignature {
    match form {
        Form::Complex(_) => &COMPLEX,
        Form::Real => &REAL,
        Form::RealInverse(_) => &REAL_INVERSE,
    }
}

fn build(given: &Given<'_>, form: Form) -> Result<Arc<dyn Op>> {
    let choices = [("backward", Norm::Backward), ("ortho", Norm::Ortho), ("forward", Norm::Forward)];
    let norm = given.choice("norm", &choices, Some(Norm::Backward))?;
    Ok(Arc::new(Fft::new(form, given.axis_before("axis", usize::from(form != Form::Real))?, norm)))
}

fn build_complex(given: &Given<'_>) -> Result<Arc<dyn Op>> {
    let choices = [("forward", Direction::Forward), ("inverse", Direction::Inverse)];
    build(given, Form::Complex(given.choice("direction", &choices, Some(Direction::Forward))?))
}

fn build_real_inverse(given: &Given<'_>) -> Result<Arc<dyn Op>> {
    let n = given.size("n")?;
    if n > u32::MAX as usize {
        return Err(Error::argument(given.op(), format!("{n} points are too many")));
    }
    build(given, Form::RealInverse(n))
}

/// The line of the complex transform in the registry.
pub const FFT: Entry =
    Entry { signature: &COMPLEX, build: build_complex, cases: cases::complex, kernels: gpu::KERNELS };

/// That of the transform of real numbers.
pub const RFFT: Entry = Entry {
    signature: &REAL,
    build: |given| build(given, Form::Real),
    cases: cases::real,
    kernels: &[("split_real.wgsl", gpu::SPLIT_REAL)],
};

/// That of the transform back to real numbers.
pub const IRFFT: Entry = Entry {
    signature: &REAL_INVERSE,
    build: build_real_inverse,
    cases: cases::real_inverse,
    kernels: &[("join_real.wgsl", gpu::JOIN_REAL)],
};
