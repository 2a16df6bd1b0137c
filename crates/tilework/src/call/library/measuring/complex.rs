//! Rows of complex numbers and Fourier transforms.

use crate::array::Array;
use crate::call::library::{AXES, AXIS, Function, says};
use crate::call::{Call, extended};
use tilework_core::Result;
use tilework_ops::attrs::{AttrKind, Attribute, Given};

const NORM: Attribute = Attribute::optional(
    "norm",
    AttrKind::Choice(&["backward", "ortho", "forward"]),
    "which direction carries the factor 1/n (both, with its root: ortho); backward unless told",
);
const N: Attribute = Attribute::optional(
    "n",
    AttrKind::Size,
    "number of points: more are left out, missing ones are 0; as many as there are unless told",
);
const N_REAL: Attribute =
    Attribute::optional("n", AttrKind::Size, "number of real points; 2 (m - 1) for m complex ones unless told");
const ONE_AXIS: &[Attribute] = &[N, AXIS, NORM];
const ONE_REAL_AXIS: &[Attribute] = &[N_REAL, AXIS, NORM];
const MANY_AXES: &[Attribute] = &[AXES, NORM];
const MANY_REAL_AXES: &[Attribute] = &[N_REAL, AXES, NORM];

#[rustfmt::skip] // One row per function.
pub(in crate::call::library) static FUNCTIONS: &[Function] = &[
    Function::one("real", &["x"], &[], says!("The real parts; real numbers as they are."), |c, _| Ok(c.x().real())),
    Function::one("imag", &["x"], &[], says!("The imaginary parts; zeros for real numbers."), |c, _| Ok(c.x().imag())),
    Function::one("conj", &["x"], &[], says!("The complex conjugates; real numbers as they are."), |c, _| Ok(c.x().conj())),
    Function::one("conjugate", &["x"], &[], says!("The same as conj."), |c, _| Ok(c.x().conj())),
    Function::one("angle", &["x"], const { &[Attribute::optional("deg", AttrKind::Truth, "in degrees")] }, says!("The angles of complex numbers from the positive real axis, in radians unless told."), |c, g| {
        let radians = c.x().angle();
        Ok(if g.truth_or("deg", false)? { radians * 1f64.to_degrees() } else { radians })
    }),
    Function::one("complex", &["real", "imaginary"], &[], says!("Complex numbers of real and imaginary parts, which broadcast."), |c, _| Ok(c.device.complex(&c.arrays[0], &c.arrays[1]))),
    Function::one("as_complex", &["x"], &[], says!("Pairs of floats in the last axis as complex numbers."), |c, _| Ok(c.x().as_complex())),
    Function::one("as_pairs", &["x"], &[], says!("The parts of complex numbers as floats, in a new last axis: real, then imaginary."), |c, _| Ok(c.x().as_pairs())),
    Function::one("fft", &["x"], ONE_AXIS, says!("Fourier transform along an axis, the last unless told, as complex numbers."), same),
    Function::one("ifft", &["x"], ONE_AXIS, says!("The inverse of fft."), same),
    Function::one("rfft", &["x"], ONE_AXIS, says!("Fourier transform of n real numbers along an axis, the last unless told: the first n/2 + 1 points, as complex numbers. The others are their conjugates."), same),
    Function::one("irfft", &["x"], ONE_REAL_AXIS, says!("The real numbers whose rfft this is."), same),
    Function::one("hfft", &["x"], ONE_REAL_AXIS, says!("The real spectrum of a signal of which this is one half, the other being its conjugate."), same),
    Function::one("ihfft", &["x"], ONE_AXIS, says!("The inverse of hfft."), same),
    Function::one("fftn", &["x"], MANY_AXES, says!("Fourier transform along several axes, all of them unless told."), same),
    Function::one("ifftn", &["x"], MANY_AXES, says!("The inverse of fftn."), same),
    Function::one("rfftn", &["x"], MANY_AXES, says!("rfft along the last of several axes, then fft along the others."), same),
    Function::one("irfftn", &["x"], MANY_REAL_AXES, says!("The inverse of rfftn; n is the number of real points along the last axis."), same),
    Function::one("fft2", &["x"], MANY_AXES, says!("fftn along two axes, the last two unless told."), two),
    Function::one("ifft2", &["x"], MANY_AXES, says!("The inverse of fft2."), two),
    Function::one("rfft2", &["x"], MANY_AXES, says!("rfftn along two axes, the last two unless told."), two),
    Function::one("irfft2", &["x"], MANY_REAL_AXES, says!("The inverse of rfft2; n is the number of real points along the last axis."), two),
    Function::one("fftshift", &["x"], &[AXES], says!("The frequency 0 moved from the beginning to the middle of axes, all of them unless told."), same),
    Function::one("ifftshift", &["x"], &[AXES], says!("The inverse of fftshift."), same),
];

/// The method of this name, which the library has the words for.
fn same(call: &Call<'_>, given: &Given<'_>) -> Result<Array> {
    extended::run(call.name, call, given)
}

/// The transform of several axes that this is one of two axes of.
fn two(call: &Call<'_>, given: &Given<'_>) -> Result<Array> {
    let axes = if given.has("axes") { given.integers("axes")? } else { vec![-2, -1] };
    let (x, norm) = (call.x(), extended::norm(given)?);
    Ok(match call.name {
        "fft2" => x.fftn(axes, norm),
        "ifft2" => x.ifftn(axes, norm),
        "rfft2" => x.rfftn(axes, norm),
        _ => x.irfftn(extended::n_last(call, given, &axes)?, axes, norm),
    })
}
