//! Complex arrays: pairs of floats.
//!
//! A complex array is an array of floats with one more axis, the last, of size two, real part first: as it lies in memory in NumPy, too.
//! No layer below knows of it. Views move the pairs; element-wise functions are formulas over the two parts, which fuse into one kernel
//! like any other: a result reads as "the real part at even places, the imaginary part at odd ones". Functions that are not made for
//! complex numbers find no node in such an array but an error that says so, so nothing ever computes with pairs by mistake.

use super::{Array, Operand};
use tilework_core::dtype::{DType, HAS_WIDE};
use tilework_core::expr::ScalarOp;
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};
use tilework_ops::graph;

impl Array {
    /// Whether its elements are complex numbers.
    pub fn is_complex(&self) -> bool {
        self.holds_pairs() && self.node.is_ok()
    }

    /// Whether the last axis of its node are the parts of complex numbers, which a module without them knows it is not.
    pub(super) fn holds_pairs(&self) -> bool {
        HAS_WIDE && self.is_complex
    }

    /// The parts of complex numbers as floats, in a new last axis of size two: real, then imaginary. Real numbers get imaginary parts of 0.
    /// The same memory, not a copy, for complex arrays.
    pub fn as_pairs(&self) -> Array {
        if self.holds_pairs() { Array { is_complex: false, ..self.clone() } } else { self.to_complex().as_pairs() }
    }

    /// Pairs of floats in the last axis as complex numbers: the inverse of [`Array::as_pairs`].
    pub fn as_complex(&self) -> Array {
        if !HAS_WIDE {
            return Array::new(self.device(), Err(Error::dtype("as_complex", "this module has no complex numbers")));
        }
        let node = self.node().and_then(|node| {
            if node.shape().last() != Some(&2) {
                let message = format!("needs pairs in a last axis of size 2, got {}", node.shape());
                return Err(Error::shape("as_complex", message));
            }
            Ok(graph::cast(node, node.dtype().complex().part()))
        });
        Array { device: self.device().clone(), node, is_complex: true }
    }

    /// The real parts; real numbers as they are.
    pub fn real(&self) -> Array {
        if self.holds_pairs() { self.as_pairs().index(-1, 0) } else { self.clone() }
    }

    /// The imaginary parts, zeros for real numbers.
    pub fn imag(&self) -> Array {
        if self.holds_pairs() { self.as_pairs().index(-1, 1) } else { self.full_like(0.0) }
    }

    /// The complex conjugates; real numbers as they are.
    pub fn conj(&self) -> Array {
        if self.holds_pairs() { self.device().complex(&self.real(), &-self.imag()) } else { self.clone() }
    }

    /// The angles of complex numbers from the positive real axis, in radians; 0 or π for real numbers.
    pub fn angle(&self) -> Array {
        self.imag().atan2(self.real())
    }

    /// Elements as complex numbers, of two 64-bit floats if they have 64 bits and of two 32-bit floats otherwise.
    pub fn to_complex(&self) -> Array {
        if self.holds_pairs() { self.clone() } else { self.device().complex(self, &self.full_like(0.0)) }
    }

    /// The axes without that of the pairs.
    pub(crate) fn points(&self, op: &str) -> Result<Shape> {
        self.check()?;
        Shape::new(op, self.shape())
    }

    /// What `f` makes of the pairs and the shape of the points, as complex numbers again.
    pub(crate) fn through_pairs(&self, op: &str, f: impl FnOnce(&Array, &Shape) -> Result<Array>) -> Array {
        if !HAS_WIDE {
            return self.as_complex();
        }
        let result = self.points(op).and_then(|shape| f(&self.as_pairs(), &shape));
        match result {
            Ok(pairs) => Array { is_complex: true, ..pairs },
            Err(error) => Array::new(self.device(), Err(error)),
        }
    }

    /// A scalar operation of which at least one argument is complex.
    pub(super) fn map_complex(op: ScalarOp, arguments: &[Array]) -> Array {
        let mut parts = arguments.iter().map(|x| Parts { re: x.real(), im: x.imag() });
        let (Some(a), b) = (parts.next(), parts.next()) else {
            return arguments[0].clone();
        };
        let device = arguments[0].device();
        let b = b.unwrap_or_else(|| a.clone());
        match function(op, &a, &b) {
            Answer::Complex(y) => device.complex(&y.re, &y.im),
            Answer::Real(y) => y,
            Answer::None => Array::new(
                device,
                Err(Error::dtype(op.name(), "is not defined for complex numbers; take real, imag or abs")),
            ),
        }
    }

    /// The operand as an array beside this one.
    pub(super) fn beside(&self, operand: &dyn Operand) -> Array {
        match operand.complex() {
            Some(array) => array.clone(),
            None => Array::new(self.device(), operand.to_node(self.dtype().part())),
        }
    }
}

impl crate::Device {
    /// Complex numbers from real and imaginary parts, which broadcast.
    pub fn complex(&self, real: &Array, imaginary: &Array) -> Array {
        if !HAS_WIDE {
            return real.as_complex();
        }
        let dtype = real.dtype().promote(imaginary.dtype()).complex().part();
        let part = |x: &Array| x.cast(dtype).expand_dims(-1);
        // Which part a place of the last axis holds is a matter of counting: no concatenation, so this fuses with what it is made of.
        let is_imaginary = self.arange(2).eq(1);
        is_imaginary.select(part(imaginary), part(real)).as_complex()
    }
}

/// A complex number by its parts, element by element.
#[derive(Clone)]
struct Parts {
    re: Array,
    im: Array,
}

enum Answer {
    Complex(Parts),
    Real(Array),
    None,
}

impl Parts {
    fn new(re: Array, im: Array) -> Parts {
        Parts { re, im }
    }

    fn one(&self) -> Parts {
        Parts::new(self.re.full_like(1.0), self.im.full_like(0.0))
    }

    fn add(&self, b: &Parts) -> Parts {
        Parts::new(&self.re + &b.re, &self.im + &b.im)
    }

    fn sub(&self, b: &Parts) -> Parts {
        Parts::new(&self.re - &b.re, &self.im - &b.im)
    }

    fn mul(&self, b: &Parts) -> Parts {
        Parts::new(&self.re * &b.re - &self.im * &b.im, &self.re * &b.im + &self.im * &b.re)
    }

    /// Smith's way (1962), which does not overflow where the quotient does not.
    fn div(&self, b: &Parts) -> Parts {
        let is_steep = b.im.abs().gt(b.re.abs());
        let (large, small) = (is_steep.select(&b.im, &b.re), is_steep.select(&b.re, &b.im));
        let ratio = is_steep.or(large.ne(0.0)).select(&small / &large, b.re.full_like(0.0));
        let scale = &large + &small * &ratio;
        let re = is_steep.select(&self.re * &ratio + &self.im, &self.re + &self.im * &ratio);
        let im = is_steep.select(&self.im * &ratio - &self.re, &self.im - &self.re * &ratio);
        Parts::new(re / &scale, im / &scale)
    }

    fn scale(&self, by: f64) -> Parts {
        Parts::new(&self.re * by, &self.im * by)
    }

    /// `i·z`.
    fn turned(&self) -> Parts {
        Parts::new(-&self.im, self.re.clone())
    }

    /// `−i·z`.
    fn turned_back(&self) -> Parts {
        Parts::new(self.im.clone(), -&self.re)
    }

    fn abs(&self) -> Array {
        self.re.hypot(&self.im)
    }

    fn exp(&self) -> Parts {
        let size = self.re.exp();
        let is_real = self.im.eq(0.0);
        Parts::new(is_real.select(&size, &size * self.im.cos()), is_real.select(&self.im, &size * self.im.sin()))
    }

    fn log(&self) -> Parts {
        Parts::new(self.abs().log(), self.im.atan2(&self.re))
    }

    /// The root with a real part that is not negative; the imaginary part has the sign of the number's.
    fn sqrt(&self) -> Parts {
        let t = ((self.abs() + self.re.abs()) * 0.5).sqrt();
        let u = t.gt(0.0).select(&self.im / (&t * 2.0), &self.im);
        let is_right = self.re.ge(0.0);
        Parts::new(is_right.select(&t, u.abs()), is_right.select(&u, t.copysign(&self.im)))
    }

    fn sinh(&self) -> Parts {
        Parts::new(self.re.sinh() * self.im.cos(), self.re.cosh() * self.im.sin())
    }

    fn cosh(&self) -> Parts {
        Parts::new(self.re.cosh() * self.im.cos(), self.re.sinh() * self.im.sin())
    }

    /// Kahan's formula (1987), in which no part grows with the real part.
    fn tanh(&self) -> Parts {
        let (t, s) = (self.im.tan(), self.re.sinh());
        let beta = t.square() + 1.0;
        let rho = (s.square() + 1.0).sqrt();
        let scale = &beta * s.square() + 1.0;
        let is_far = self.re.abs().gt(20.0);
        let near = Parts::new(&beta * &rho * &s / &scale, &t / &scale);
        let far_im = (self.im.sin() * self.im.cos() * 4.0) * (self.re.abs() * -2.0).exp();
        Parts::new(is_far.select(self.re.sign(), near.re), is_far.select(far_im, near.im))
    }

    fn asinh(&self) -> Parts {
        // asinh(z) = −i·asin(i·z), and asin by Kahan's formulas.
        self.turned().asin().turned_back()
    }

    /// `√(1 − z)` and `√(1 + z)`. The sign of a zero says on which side of a branch cut a number lies, so it must survive.
    fn roots_around(&self) -> (Parts, Parts) {
        let below = Parts::new(-&self.re + 1.0, -&self.im).sqrt();
        (below, Parts::new(&self.re + 1.0, self.im.clone()).sqrt())
    }

    fn asin(&self) -> Parts {
        let (below, above) = self.roots_around();
        let re = self.re.atan2(&below.mul(&above).re);
        let im = (&below.re * &above.im - &below.im * &above.re).asinh();
        Parts::new(re, im)
    }

    fn acos(&self) -> Parts {
        let (below, above) = self.roots_around();
        let re = below.re.atan2(&above.re) * 2.0;
        let im = (&above.re * &below.im - &above.im * &below.re).asinh();
        Parts::new(re, im)
    }

    fn acosh(&self) -> Parts {
        let below = Parts::new(&self.re - 1.0, self.im.clone()).sqrt();
        let above = Parts::new(&self.re + 1.0, self.im.clone()).sqrt();
        let re = (&below.re * &above.re + &below.im * &above.im).asinh();
        let im = below.im.atan2(&above.re) * 2.0;
        Parts::new(re, im)
    }

    /// `½·(log(1 + z) − log(1 − z))`.
    fn atanh(&self) -> Parts {
        let (x, y) = (&self.re, &self.im);
        let (above, below) = (x + 1.0, -x + 1.0);
        let re = ((above.square() + y.square()) / (below.square() + y.square())).log() * 0.25;
        let im = (y * 2.0).atan2(&(below * above - y.square())) * 0.5;
        Parts::new(re, im)
    }

    /// Zero to the power of zero is one, to any other zero.
    fn pow(&self, y: &Parts) -> Parts {
        let power = y.mul(&self.log()).exp();
        let is_zero = self.abs().eq(0.0);
        let at_zero = y.re.eq(0.0).and(y.im.eq(0.0)).select(1.0, 0.0);
        Parts::new(is_zero.select(&at_zero, &power.re), is_zero.select(0.0, &power.im))
    }

    fn sign(&self) -> Parts {
        let size = self.abs();
        let divisor = size.eq(0.0).select(1.0, &size);
        Parts::new(&self.re / &divisor, &self.im / &divisor)
    }

    fn each(&self, f: impl Fn(&Array) -> Array) -> Parts {
        Parts::new(f(&self.re), f(&self.im))
    }
}

/// The operations of the table that are defined for complex numbers.
fn function(op: ScalarOp, a: &Parts, b: &Parts) -> Answer {
    use ScalarOp::*;
    let log_scaled = |base: f64| a.log().scale(1.0 / base.ln());
    Answer::Complex(match op {
        Add => a.add(b),
        Sub => a.sub(b),
        Mul => a.mul(b),
        Div => a.div(b),
        Neg => a.each(|x| -x),
        Recip => a.one().div(a),
        Sign => a.sign(),
        Round => a.each(Array::round),
        Sqrt => a.sqrt(),
        Pow => a.pow(b),
        Exp => a.exp(),
        Exp2 => a.scale(std::f64::consts::LN_2).exp(),
        Expm1 => Parts::new(a.re.expm1() - (a.im.cos() * -1.0 + 1.0) * a.re.exp(), a.re.exp() * a.im.sin()),
        Log => a.log(),
        Log2 => log_scaled(2.0),
        Log10 => log_scaled(10.0),
        Log1p => Parts::new(&a.re + 1.0, a.im.clone()).log(),
        Sin => a.turned().sinh().turned_back(),
        Cos => a.turned().cosh(),
        Tan => a.turned().tanh().turned_back(),
        Sinh => a.sinh(),
        Cosh => a.cosh(),
        Tanh => a.tanh(),
        Asin => a.asin(),
        Acos => a.acos(),
        Atan => a.turned().atanh().turned_back(),
        Asinh => a.asinh(),
        Acosh => a.acosh(),
        Atanh => a.atanh(),
        Abs => return Answer::Real(a.abs()),
        Eq => return Answer::Real(a.re.eq(&b.re).and(a.im.eq(&b.im))),
        Ne => return Answer::Real(a.re.ne(&b.re).or(a.im.ne(&b.im))),
        IsNan => return Answer::Real(a.re.is_nan().or(a.im.is_nan())),
        IsInf => return Answer::Real(a.re.is_inf().or(a.im.is_inf())),
        IsFinite => return Answer::Real(a.re.is_finite().and(a.im.is_finite())),
        _ => return Answer::None,
    })
}

/// The type that arrays of these types become when they are joined, and whether that is complex.
pub(crate) fn joined_type(arrays: &[&Array]) -> (Option<DType>, bool) {
    let dtype = DType::result_type(arrays.iter().map(|array| array.dtype()));
    (dtype, HAS_WIDE && dtype.is_some_and(DType::is_complex))
}
