//! Quaternions: rotations of space as four numbers.

use super::{Mat3, Scalar, Vec3, cos_and_sinc, direction};
use std::ops::{Add, Mul, Neg, Sub};
use tilework_core::expr::Graph;

/// A quaternion `w + xi + yj + zk`; a rotation if its norm is 1.
#[derive(Clone, Copy, Debug)]
pub struct Quaternion<'g> {
    /// The real part.
    pub w: Scalar<'g>,
    /// The part along `i`.
    pub x: Scalar<'g>,
    /// The part along `j`.
    pub y: Scalar<'g>,
    /// The part along `k`.
    pub z: Scalar<'g>,
}

impl<'g> Quaternion<'g> {
    /// From its parts, the real one first.
    pub fn new(w: Scalar<'g>, x: Scalar<'g>, y: Scalar<'g>, z: Scalar<'g>) -> Self {
        Quaternion { w, x, y, z }
    }

    /// From a list of its parts, the real one first.
    pub fn from_array([w, x, y, z]: [Scalar<'g>; 4]) -> Self {
        Quaternion { w, x, y, z }
    }

    /// From the real part and the vector of the others.
    pub fn from_parts(w: Scalar<'g>, vector: Vec3<'g>) -> Self {
        Quaternion { w, x: vector.x, y: vector.y, z: vector.z }
    }

    /// No rotation.
    pub fn identity(graph: &'g Graph) -> Self {
        Quaternion::from_array([1.0, 0.0, 0.0, 0.0].map(|number| graph.num(number)))
    }

    /// The rotation about `angle_axis` by as many radians as that is long.
    pub fn from_angle_axis(angle_axis: Vec3<'g>) -> Self {
        let (c, k) = cos_and_sinc(angle_axis.squared_norm() * 0.25);
        Quaternion::from_parts(c, angle_axis * (k * 0.5))
    }

    /// The parts without the real one.
    pub fn vector(self) -> Vec3<'g> {
        Vec3 { x: self.x, y: self.y, z: self.z }
    }

    /// Its parts, the real one first.
    pub fn to_vec(self) -> Vec<Scalar<'g>> {
        vec![self.w, self.x, self.y, self.z]
    }

    /// The inverse rotation.
    pub fn conjugate(self) -> Self {
        Quaternion::from_parts(self.w, -self.vector())
    }

    /// Square of the norm.
    pub fn squared_norm(self) -> Scalar<'g> {
        self.w * self.w + self.vector().squared_norm()
    }

    /// Norm: 1 for rotations.
    pub fn norm(self) -> Scalar<'g> {
        self.squared_norm().sqrt()
    }

    /// The rotation in its direction; zero for the zero quaternion.
    pub fn normalized(self) -> Self {
        Quaternion::from_array(direction([self.w, self.x, self.y, self.z], self.squared_norm()))
    }

    /// `v` turned by it, if it is a rotation.
    pub fn rotate(self, v: Vec3<'g>) -> Vec3<'g> {
        let twice = self.vector().cross(v) * 2.0;
        v + twice * self.w + self.vector().cross(twice)
    }

    /// The matrix of the rotation.
    pub fn to_mat3(self) -> Mat3<'g> {
        let graph = self.w.graph();
        let axis = |k: usize| Vec3::constant(graph, std::array::from_fn(|row| if row == k { 1.0 } else { 0.0 }));
        Mat3::from_columns(self.rotate(axis(0)), self.rotate(axis(1)), self.rotate(axis(2)))
    }
}

/// First the right rotation, then the left one.
impl<'g> Mul for Quaternion<'g> {
    type Output = Quaternion<'g>;
    fn mul(self, other: Quaternion<'g>) -> Quaternion<'g> {
        let (a, b) = (self.vector(), other.vector());
        Quaternion::from_parts(self.w * other.w - a.dot(b), b * self.w + a * other.w + a.cross(b))
    }
}

impl<'g> Mul<Scalar<'g>> for Quaternion<'g> {
    type Output = Quaternion<'g>;
    fn mul(self, by: Scalar<'g>) -> Quaternion<'g> {
        Quaternion::from_parts(self.w * by, self.vector() * by)
    }
}

impl<'g> Add for Quaternion<'g> {
    type Output = Quaternion<'g>;
    fn add(self, other: Quaternion<'g>) -> Quaternion<'g> {
        Quaternion::from_parts(self.w + other.w, self.vector() + other.vector())
    }
}

impl<'g> Sub for Quaternion<'g> {
    type Output = Quaternion<'g>;
    fn sub(self, other: Quaternion<'g>) -> Quaternion<'g> {
        Quaternion::from_parts(self.w - other.w, self.vector() - other.vector())
    }
}

impl<'g> Neg for Quaternion<'g> {
    type Output = Quaternion<'g>;
    fn neg(self) -> Quaternion<'g> {
        Quaternion::from_parts(-self.w, -self.vector())
    }
}

#[cfg(test)]
mod tests {
    use super::super::check::{assert_close, check, finite, value};
    use super::super::rotate_by_angle_axis;
    use super::*;

    #[test]
    fn it_turns_as_angle_axis_does() {
        for scale in [0.0, 1e-5, 0.1, 1.0, 3.0] {
            let x = [0.6 * scale, -0.48 * scale, 0.64 * scale, 1.0, -2.0, 0.5];
            let both = value(&x, |x| {
                let (w, p) = (Vec3::new(x[0], x[1], x[2]), Vec3::new(x[3], x[4], x[5]));
                let q = Quaternion::from_angle_axis(w);
                [q.rotate(p).to_vec(), (q.to_mat3() * p).to_vec(), rotate_by_angle_axis(w, p).to_vec()].concat()
            });
            assert_close(&both[..3], &both[6..], 1e-15);
            assert_close(&both[3..6], &both[6..], 1e-15);
        }
    }

    #[test]
    fn products_are_rotations_after_each_other() {
        let x = [0.3, 0.1, -0.7, -0.2, 0.9, 0.4, 1.0, -2.0, 0.5];
        let both = value(&x, |x| {
            let q = |k: usize| Quaternion::from_angle_axis(Vec3::new(x[k], x[k + 1], x[k + 2]));
            let (a, b, p) = (q(0), q(3), Vec3::new(x[6], x[7], x[8]));
            let back = (a * a.conjugate()).to_vec();
            [(a * b).rotate(p).to_vec(), a.rotate(b.rotate(p)).to_vec(), back].concat()
        });
        assert_close(&both[..3], &both[3..6], 1e-15);
        assert_close(&both[6..], &[1.0, 0.0, 0.0, 0.0], 1e-15);
    }

    #[test]
    fn derivatives_hold() {
        check(&[0.3, 0.1, -0.7, 0.4, 1.0, -2.0, 0.5], |x| {
            let q = Quaternion::new(x[0], x[1], x[2], x[3]);
            let p = Vec3::new(x[4], x[5], x[6]);
            [q.normalized().rotate(p).to_vec(), (q * -q + q).to_vec(), vec![q.norm()]].concat()
        });
        finite(&[0.0; 4], |x| Quaternion::new(x[0], x[1], x[2], x[3]).normalized().to_vec());
    }
}
