//! Vectors of two, three and four numbers.

use super::{Scalar, direction, safe_div};
use std::ops::{Add, Div, Mul, Neg, Sub};
use tilework_core::expr::Graph;

macro_rules! vector {
    ($(#[$doc:meta])* $Vector:ident, $n:literal, $($field:ident)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $Vector<'g> {
            $(#[doc = concat!("Component `", stringify!($field), "`.")] pub $field: Scalar<'g>,)*
        }

        impl<'g> $Vector<'g> {
            /// From its components.
            pub fn new($($field: Scalar<'g>),*) -> Self {
                $Vector { $($field),* }
            }

            /// From a list of components.
            pub fn from_array([$($field),*]: [Scalar<'g>; $n]) -> Self {
                $Vector { $($field),* }
            }

            /// A vector that is part of the function.
            pub fn constant(graph: &'g Graph, numbers: [f64; $n]) -> Self {
                $Vector::from_array(numbers.map(|number| graph.num(number)))
            }

            /// The zero vector.
            pub fn zero(graph: &'g Graph) -> Self {
                $Vector::constant(graph, [0.0; $n])
            }

            /// Its components.
            pub fn to_array(self) -> [Scalar<'g>; $n] {
                [$(self.$field),*]
            }

            /// Its components, as residuals are given.
            pub fn to_vec(self) -> Vec<Scalar<'g>> {
                vec![$(self.$field),*]
            }

            /// Scalar product.
            pub fn dot(self, other: Self) -> Scalar<'g> {
                let products = [$(self.$field * other.$field),*];
                products[1..].iter().fold(products[0], |sum, &product| sum + product)
            }

            /// Square of the length.
            pub fn squared_norm(self) -> Scalar<'g> {
                self.dot(self)
            }

            /// Length; its derivative at the zero vector is 0.
            pub fn norm(self) -> Scalar<'g> {
                self.squared_norm().sqrt()
            }

            /// The vector of length 1 in the same direction; zero for the zero vector.
            pub fn normalized(self) -> Self {
                $Vector::from_array(direction(self.to_array(), self.squared_norm()))
            }

            /// Distance to another point.
            pub fn distance(self, other: Self) -> Scalar<'g> {
                (self - other).norm()
            }

            /// Square of the distance to another point.
            pub fn squared_distance(self, other: Self) -> Scalar<'g> {
                (self - other).squared_norm()
            }

            /// `self` at 0, `other` at 1, a straight line between.
            pub fn lerp(self, other: Self, t: Scalar<'g>) -> Self {
                self + (other - self) * t
            }

            /// The part of it along `direction`; zero if that is the zero vector.
            pub fn project(self, direction: Self) -> Self {
                direction * safe_div(self.dot(direction), direction.squared_norm())
            }

            /// The part of it across `direction`.
            pub fn reject(self, direction: Self) -> Self {
                self - self.project(direction)
            }

            /// The smaller of each pair of components.
            pub fn minimum(self, other: Self) -> Self {
                $Vector { $($field: self.$field.minimum(other.$field)),* }
            }

            /// The larger of each pair of components.
            pub fn maximum(self, other: Self) -> Self {
                $Vector { $($field: self.$field.maximum(other.$field)),* }
            }
        }

        vector!(@between $Vector Add add $($field)*);
        vector!(@between $Vector Sub sub $($field)*);
        vector!(@scale $Vector Mul mul (Scalar<'g>) $($field)*);
        vector!(@scale $Vector Mul mul (f64) $($field)*);
        vector!(@scale $Vector Div div (Scalar<'g>) $($field)*);
        vector!(@scale $Vector Div div (f64) $($field)*);

        impl<'g> Mul<$Vector<'g>> for f64 {
            type Output = $Vector<'g>;
            fn mul(self, vector: $Vector<'g>) -> $Vector<'g> {
                vector * self
            }
        }

        impl<'g> Mul<$Vector<'g>> for Scalar<'g> {
            type Output = $Vector<'g>;
            fn mul(self, vector: $Vector<'g>) -> $Vector<'g> {
                vector * self
            }
        }

        impl<'g> Neg for $Vector<'g> {
            type Output = $Vector<'g>;
            fn neg(self) -> $Vector<'g> {
                $Vector { $($field: -self.$field),* }
            }
        }
    };
    (@between $Vector:ident $Trait:ident $method:ident $($field:ident)*) => {
        impl<'g> $Trait for $Vector<'g> {
            type Output = $Vector<'g>;
            fn $method(self, other: $Vector<'g>) -> $Vector<'g> {
                $Vector { $($field: $Trait::$method(self.$field, other.$field)),* }
            }
        }
    };
    (@scale $Vector:ident $Trait:ident $method:ident ($By:ty) $($field:ident)*) => {
        impl<'g> $Trait<$By> for $Vector<'g> {
            type Output = $Vector<'g>;
            fn $method(self, by: $By) -> $Vector<'g> {
                $Vector { $($field: $Trait::$method(self.$field, by)),* }
            }
        }
    };
}

vector! {
    /// A vector of the plane.
    Vec2, 2, x y
}
vector! {
    /// A vector of space.
    Vec3, 3, x y z
}
vector! {
    /// A vector of four numbers.
    Vec4, 4, x y z w
}

impl<'g> Vec2<'g> {
    /// The third component of the product as vectors of space: twice the signed area of the triangle they span.
    pub fn cross(self, other: Self) -> Scalar<'g> {
        self.x * other.y - self.y * other.x
    }

    /// Turned left by a right angle.
    pub fn perpendicular(self) -> Self {
        Vec2 { x: -self.y, y: self.x }
    }

    /// Angle from this to the other in radians, positive to the left; 0 if one of them is the zero vector.
    pub fn angle_to(self, other: Self) -> Scalar<'g> {
        self.cross(other).atan2(self.dot(other))
    }

    /// Signed distance to the line from `a` to `b`, positive on its left; 0 if these are one point.
    pub fn distance_to_line(self, a: Self, b: Self) -> Scalar<'g> {
        let along = b - a;
        safe_div(along.cross(self - a), along.norm())
    }
}

impl<'g> Vec3<'g> {
    /// Vector product.
    pub fn cross(self, other: Self) -> Self {
        Vec3 {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }

    /// Angle between two vectors in radians, 0 to π; 0 if one of them is the zero vector.
    pub fn angle_to(self, other: Self) -> Scalar<'g> {
        // By atan2: acos loses half of the digits of small angles, and has no derivative at them.
        self.cross(other).norm().atan2(self.dot(other))
    }
}

#[cfg(test)]
mod tests {
    use super::super::check::{assert_close, check, value};
    use super::*;

    #[test]
    fn operators_work_on_components() {
        let numbers = value(&[1.0, 2.0, 3.0, -4.0, 5.0, 6.0], |x| {
            let (a, b) = (Vec3::new(x[0], x[1], x[2]), Vec3::new(x[3], x[4], x[5]));
            let mixed = (a + b * 2.0 - a / 4.0) * x[0] - (-b) / x[1];
            [mixed.to_vec(), a.cross(b).to_vec(), vec![a.dot(b), a.distance(b)]].concat()
        });
        let expected = [-7.25 - 2.0, 11.5 + 2.5, 14.25 + 3.0, -3.0, -18.0, 13.0, 24.0, 43f64.sqrt()];
        assert_close(&numbers, &expected, 1e-14);
    }

    #[test]
    fn derivatives_are_those_of_finite_differences() {
        check(&[0.3, -0.7, 1.1, 0.4], |x| {
            let (a, b) = (Vec2::new(x[0], x[1]), Vec2::new(x[2], x[3]));
            let turned = a.perpendicular().lerp(b, x[0]);
            let lengths = vec![a.angle_to(b), a.distance_to_line(b, turned), a.norm(), a.squared_distance(b)];
            [lengths, a.normalized().to_vec(), a.project(b).to_vec(), a.reject(b).to_vec()].concat()
        });
        check(&[0.3, -0.7, 1.1, 0.4, 0.9, -0.2], |x| {
            let (a, b) = (Vec3::new(x[0], x[1], x[2]), Vec3::new(x[3], x[4], x[5]));
            [vec![a.angle_to(b)], a.minimum(b).to_vec(), a.maximum(b).to_vec(), a.normalized().to_vec()].concat()
        });
    }

    #[test]
    fn zero_vectors_have_values_and_derivatives() {
        super::super::check::finite(&[0.0; 4], |x| {
            let (a, b) = (Vec2::new(x[0], x[1]), Vec2::new(x[2], x[3]));
            let numbers = vec![a.norm(), a.distance(b), a.angle_to(b), a.distance_to_line(a, b)];
            [numbers, a.normalized().to_vec(), a.project(b).to_vec()].concat()
        });
        let unit = value(&[0.0, 0.0, 0.0, 0.0], |x| Vec4::new(x[0], x[1], x[2], x[3]).normalized().to_vec());
        assert_close(&unit, &[0.0; 4], 0.0);
        // Lengths whose squares are no longer numbers of full precision.
        super::super::check::finite(&[1e-160, 0.0, -1e-155], |x| Vec3::new(x[0], x[1], x[2]).normalized().to_vec());
    }
}
