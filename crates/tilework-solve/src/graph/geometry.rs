//! Triangles, angles, lines and planes.

use super::{Scalar, Vec3, safe_div, sum};
use std::f64::consts::TAU;

/// Half of the vector product of two edges: normal times area of a triangle.
pub fn triangle_area_vector<'g>(a: Vec3<'g>, b: Vec3<'g>, c: Vec3<'g>) -> Vec3<'g> {
    (b - a).cross(c - a) * 0.5
}

/// Unit normal of a triangle, towards those who see it counter-clockwise; zero if it has no area.
pub fn triangle_normal<'g>(a: Vec3<'g>, b: Vec3<'g>, c: Vec3<'g>) -> Vec3<'g> {
    (b - a).cross(c - a).normalized()
}

/// Area of a triangle.
pub fn triangle_area<'g>(a: Vec3<'g>, b: Vec3<'g>, c: Vec3<'g>) -> Scalar<'g> {
    triangle_area_vector(a, b, c).norm()
}

/// Angle at `tip` between the directions to `a` and `b`, in radians; 0 if one of them is the tip itself.
pub fn interior_angle<'g>(tip: Vec3<'g>, a: Vec3<'g>, b: Vec3<'g>) -> Scalar<'g> {
    (a - tip).angle_to(b - tip)
}

/// Signed angle between the normals of two triangles that share the edge from `a` to `b`: `left` completes the one on the left of
/// the edge, seen from outside, `right` the other. 0 if they lie in one plane, positive if the edge is a ridge, negative in a valley.
pub fn dihedral_angle<'g>(a: Vec3<'g>, b: Vec3<'g>, left: Vec3<'g>, right: Vec3<'g>) -> Scalar<'g> {
    let edge = b - a;
    let left_normal = edge.cross(left - a);
    let right_normal = (right - a).cross(edge);
    // Across the edge the normal turns about it: the sine has the edge's direction, or the opposite one.
    let sine = left_normal.cross(right_normal).dot(edge.normalized());
    sine.atan2(left_normal.dot(right_normal))
}

/// What the angles at a vertex inside a surface lack of a full turn, in radians: 0 where it can be laid flat. `ring` has the
/// neighbors in order.
pub fn angle_defect<'g>(tip: Vec3<'g>, ring: &[Vec3<'g>]) -> Scalar<'g> {
    let graph = tip.x.graph();
    let angles = (0..ring.len()).map(|k| interior_angle(tip, ring[k], ring[(k + 1) % ring.len()]));
    TAU - sum(graph, angles)
}

/// Distance of `point` to the line through `a` and `b`; 0 if these are one point.
pub fn distance_to_line<'g>(point: Vec3<'g>, a: Vec3<'g>, b: Vec3<'g>) -> Scalar<'g> {
    let along = b - a;
    safe_div(along.cross(point - a).norm(), along.norm())
}

/// Signed distance of `point` to the plane through `origin` across `normal` (of any length), positive on the side it points to.
pub fn distance_to_plane<'g>(point: Vec3<'g>, origin: Vec3<'g>, normal: Vec3<'g>) -> Scalar<'g> {
    (point - origin).dot(normal.normalized())
}

/// The mean of points; `None` if there are none.
pub fn centroid<'g>(points: &[Vec3<'g>]) -> Option<Vec3<'g>> {
    let total = points.iter().copied().reduce(|sum, point| sum + point)?;
    Some(total / points.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::super::check::{assert_close, check, finite, value};
    use super::*;
    use std::f64::consts::{FRAC_PI_2, PI};

    fn points<'g>(x: &[Scalar<'g>]) -> Vec<Vec3<'g>> {
        x.chunks(3).map(|p| Vec3::new(p[0], p[1], p[2])).collect()
    }

    fn everything<'g>(x: &[Scalar<'g>]) -> Vec<Scalar<'g>> {
        let [a, b, c, d] = [0, 1, 2, 3].map(|k| points(x)[k]);
        let numbers = vec![
            triangle_area(a, b, c),
            interior_angle(a, b, c),
            dihedral_angle(a, b, c, d),
            angle_defect(a, &[b, c, d]),
            distance_to_line(a, b, c),
            distance_to_plane(a, b, c - d),
        ];
        let mean = centroid(&[a, b, c, d]).map_or_else(Vec::new, |mean| mean.to_vec());
        [numbers, triangle_normal(a, b, c).to_vec(), mean].concat()
    }

    #[test]
    fn known_values() {
        // A corner of the unit cube.
        let x = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
        let found = value(&x, |x| {
            let [o, i, j, k] = [0, 1, 2, 3].map(|at| points(x)[at]);
            let far = i + j;
            vec![
                triangle_area(o, i, j),
                interior_angle(o, i, j),
                angle_defect(o, &[i, j, k]),
                distance_to_line(k, i, j),
                distance_to_plane(k, i, k * 5.0),
                triangle_normal(o, i, j).z,
                // The floor's edge along i, between the floor and a wall: inside the corner a valley, outside a ridge.
                dihedral_angle(o, i, j, k),
                dihedral_angle(o, i, j, -k),
                dihedral_angle(o, i, far, -j),
            ]
        });
        let expected = [0.5, FRAC_PI_2, FRAC_PI_2, 1.5f64.sqrt(), 1.0, 1.0, -FRAC_PI_2, FRAC_PI_2, 0.0];
        assert_close(&found, &expected, 1e-15);
    }

    #[test]
    fn angles_of_a_triangle_are_half_a_turn() {
        let total = value(&[0.3, 0.2, 0.9, -1.0, 2.0, 0.1, 0.4, -0.5, 3.0], |x| {
            let [a, b, c] = [0, 1, 2].map(|k| points(x)[k]);
            vec![interior_angle(a, b, c) + interior_angle(b, c, a) + interior_angle(c, a, b)]
        });
        assert_close(&total, &[PI], 1e-15);
    }

    #[test]
    fn derivatives_hold() {
        check(&[0.3, 0.2, 0.9, -1.0, 0.8, 0.1, 0.4, -0.5, 1.4, 0.7, 0.6, -0.2], everything);
    }

    #[test]
    fn degenerate_triangles_have_values_and_derivatives() {
        let line = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 3.0, 0.0, 0.0];
        let zero_edge = [1.0, 2.0, 3.0, 1.0, 2.0, 3.0, 0.5, 0.0, 0.0, 0.0, 1.0, 0.0];
        let folded = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0];
        for x in [[0.0; 12], line, zero_edge, folded] {
            finite(&x, everything);
        }
    }
}
