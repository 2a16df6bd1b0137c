//! Rotations by angles and by rotation vectors.

use super::{Scalar, Vec2, Vec3};

/// `cos √x` and `sin(√x)/√x` of a square `x ≥ 0`, smooth at 0, where the root is not.
///
/// Both are power series in `x`; theirs are used where it is small, with as many terms as `f64` has digits, so that derivatives of
/// every order are right there, too.
pub fn cos_and_sinc<'g>(x: Scalar<'g>) -> (Scalar<'g>, Scalar<'g>) {
    let is_small = x.lt(x.graph().num(0.01));
    let small = is_small.select(x, x.zero());
    let root = is_small.select(x.one(), x).sqrt();
    // 1/(2k)! and 1/(2k + 1)!, with alternating signs.
    let cos_series = series(small, &[1.0, -1.0 / 2.0, 1.0 / 24.0, -1.0 / 720.0, 1.0 / 40_320.0, -1.0 / 3_628_800.0]);
    let sinc_series =
        series(small, &[1.0, -1.0 / 6.0, 1.0 / 120.0, -1.0 / 5_040.0, 1.0 / 362_880.0, -1.0 / 39_916_800.0]);
    (is_small.select(cos_series, root.cos()), is_small.select(sinc_series, root.sin() / root))
}

/// A polynomial by Horner's rule, lowest power first.
fn series<'g>(x: Scalar<'g>, coefficients: &[f64]) -> Scalar<'g> {
    coefficients.iter().rev().fold(x.zero(), |sum, &coefficient| sum * x + coefficient)
}

/// `point` turned about `angle_axis` by as many radians as that is long (Rodrigues' formula).
pub fn rotate_by_angle_axis<'g>(angle_axis: Vec3<'g>, point: Vec3<'g>) -> Vec3<'g> {
    // With k = sin(θ/2)/(θ/2) and c = cos(θ/2): sin θ/θ = k·c and (1 − cos θ)/θ² = k²/2, without a difference of near numbers.
    let (c, k) = cos_and_sinc(angle_axis.squared_norm() * 0.25);
    let once = angle_axis.cross(point);
    point + once * (k * c) + angle_axis.cross(once) * (k * k * 0.5)
}

/// A vector of the plane turned left by `angle_rad`.
pub fn rotate2<'g>(angle_rad: Scalar<'g>, v: Vec2<'g>) -> Vec2<'g> {
    let (c, s) = (angle_rad.cos(), angle_rad.sin());
    Vec2 { x: v.x * c - v.y * s, y: v.x * s + v.y * c }
}

#[cfg(test)]
mod tests {
    use super::super::check::{assert_close, check, slopes, value};
    use super::*;

    fn rotated<'g>(x: &[Scalar<'g>]) -> Vec<Scalar<'g>> {
        rotate_by_angle_axis(Vec3::new(x[0], x[1], x[2]), Vec3::new(x[3], x[4], x[5])).to_vec()
    }

    #[test]
    fn quarter_turns_are_known() {
        let quarter = std::f64::consts::FRAC_PI_2;
        assert_close(&value(&[0.0, 0.0, quarter, 1.0, 2.0, 3.0], rotated), &[-2.0, 1.0, 3.0], 1e-15);
        assert_close(&value(&[quarter, 0.0, 0.0, 1.0, 2.0, 3.0], rotated), &[1.0, -3.0, 2.0], 1e-15);
        let turned = value(&[quarter, 1.0, 2.0], |x| rotate2(x[0], Vec2::new(x[1], x[2])).to_vec());
        assert_close(&turned, &[-2.0, 1.0], 1e-15);
    }

    #[test]
    fn no_rotation_has_the_right_derivative() {
        let slopes = slopes(&[0.0, 0.0, 0.0, 1.0, 2.0, 3.0], &rotated);
        // The derivative of w × p by w.
        assert_close(&slopes[0], &[0.0, 3.0, -2.0, 1.0, 0.0, 0.0], 0.0);
        assert_close(&slopes[1], &[-3.0, 0.0, 1.0, 0.0, 1.0, 0.0], 0.0);
    }

    #[test]
    fn derivatives_hold_on_both_sides_of_the_series() {
        for scale in [1e-3, 0.15, 0.199, 0.201, 0.5, 3.0] {
            check(&[0.6 * scale, -0.48 * scale, 0.64 * scale, 1.0, -2.0, 0.5], rotated);
        }
    }

    #[test]
    fn series_meet_the_functions() {
        for x in [0.0f64, 1e-8, 0.003, 0.009_999_999, 0.01, 0.3] {
            let found = value(&[x], |x| {
                let (c, k) = cos_and_sinc(x[0]);
                vec![c, k]
            });
            let root = x.sqrt();
            let sinc = if x == 0.0 { 1.0 } else { root.sin() / root };
            assert_close(&found, &[root.cos(), sinc], 2.3e-16);
        }
    }
}
