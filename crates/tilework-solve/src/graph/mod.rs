//! What residuals are written with: numbers, vectors, matrices and rotations that are expressions.
//!
//! A [`Scalar`] is a handle to a node of an expression graph; the types here are small bundles of them with the operators and functions
//! of geometry. Nothing is computed while they are used: the graph they leave behind becomes a kernel.
//!
//! Everything is *safe*: where a formula has no value (the direction of a zero vector, the normal of a triangle without area) the
//! value is 0 and derivatives are finite, since one such instance would otherwise turn the whole gradient into NaN.

mod geometry;
mod matrix;
mod quaternion;
mod rotation;
mod vector;

#[cfg(test)]
mod check;

pub use geometry::{
    angle_defect, centroid, dihedral_angle, distance_to_line, distance_to_plane, interior_angle, triangle_area,
    triangle_area_vector, triangle_normal,
};
pub use matrix::Mat3;
pub use quaternion::Quaternion;
pub use rotation::{cos_and_sinc, rotate_by_angle_axis, rotate2};
pub use vector::{Vec2, Vec3, Vec4};

/// A number of an expression: a parameter, a datum or what was computed from them.
pub type Scalar<'g> = tilework_core::expr::Expr<'g>;

/// `a/b`, 0 where `b` is 0.
pub fn safe_div<'g>(a: Scalar<'g>, b: Scalar<'g>) -> Scalar<'g> {
    // The division that is not wanted divides by 1, so that it is finite, and so are its derivatives.
    let is_pole = b.eq(b.zero());
    is_pole.select(a.zero(), a / is_pole.select(b.one(), b))
}

/// Squares of lengths up to this count as 0 where a direction is wanted: the derivative's `1/‖v‖²` must stay finite. (In `f32` this
/// is 0, and a square above 0 has a finite reciprocal there.)
const NO_LENGTH: f64 = 1e-280;

/// `parts` over the root of their squares' sum; zeros where that is none.
fn direction<'g, const N: usize>(parts: [Scalar<'g>; N], squares: Scalar<'g>) -> [Scalar<'g>; N] {
    let is_zero = squares.le(squares.graph().num(NO_LENGTH));
    let norm = is_zero.select(squares.one(), squares).sqrt();
    parts.map(|part| is_zero.select(part.zero(), part / norm))
}

/// The sum of `terms`; 0 if there are none.
pub fn sum<'g>(graph: &'g tilework_core::expr::Graph, terms: impl IntoIterator<Item = Scalar<'g>>) -> Scalar<'g> {
    terms.into_iter().reduce(|sum, term| sum + term).unwrap_or_else(|| graph.num(0.0))
}
