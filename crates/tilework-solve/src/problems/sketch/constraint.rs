//! What can be asked of a sketch: one row of [`KINDS`] per kind.
//!
//! Residuals are lengths, or sines of angles: both are small near a solution, smooth, and of comparable size.

use super::{CircleId, LineId, PointId};
use crate::Instance;
use crate::graph::{Scalar, Vec2};

/// Something that must hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Constraint {
    /// Two points are one.
    Coincident(PointId, PointId),
    /// A line is parallel to the first axis.
    Horizontal(LineId),
    /// A line is parallel to the second axis.
    Vertical(LineId),
    /// Two lines are parallel.
    Parallel(LineId, LineId),
    /// Two lines meet at a right angle.
    Perpendicular(LineId, LineId),
    /// The second line is turned left against the first by so many radians.
    Angle(LineId, LineId, f64),
    /// Two lines lie on one.
    Collinear(LineId, LineId),
    /// A line touches a circle.
    Tangent(LineId, CircleId),
    /// Two circles touch from outside.
    TangentCircles(CircleId, CircleId),
    /// Two lines are equally long.
    EqualLength(LineId, LineId),
    /// Two circles are equally large.
    EqualRadius(CircleId, CircleId),
    /// Two points are so far apart.
    Distance(PointId, PointId, f64),
    /// A point is so far left of a line.
    DistanceToLine(PointId, LineId, f64),
    /// A point is on a line.
    PointOnLine(PointId, LineId),
    /// A point is on a circle.
    PointOnCircle(PointId, CircleId),
    /// A point is the middle of a line.
    Midpoint(PointId, LineId),
    /// Two points are mirror images in a line.
    Symmetric(PointId, PointId, LineId),
    /// Two circles have one center.
    Concentric(CircleId, CircleId),
    /// A circle is so large.
    Radius(CircleId, f64),
    /// A point is here.
    Fixed(PointId, [f64; 2]),
}

/// What a kind of constraint reads, and the residuals it is.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Its name in files and telemetry.
    pub name: &'static str,
    /// Points it reads: its own, then the ends of its lines, then the centers of its circles.
    pub n_points: usize,
    /// Radii it reads.
    pub n_radii: usize,
    /// Numbers it has.
    pub n_numbers: usize,
    /// Points, lines and circles it is written with.
    pub parts: [usize; 3],
    /// Its residuals.
    pub residuals: for<'a, 'g> fn(&'a Instance<'g>) -> Vec<Scalar<'g>>,
}

const fn kind(
    name: &'static str,
    parts: [usize; 3],
    n_numbers: usize,
    residuals: for<'a, 'g> fn(&'a Instance<'g>) -> Vec<Scalar<'g>>,
) -> Kind {
    let [points, lines, circles] = parts;
    Kind { name, n_points: points + 2 * lines + circles, n_radii: circles, n_numbers, parts, residuals }
}

/// Every kind there is.
pub const KINDS: &[Kind] = &[
    kind("coincident", [2, 0, 0], 0, |s| (s.vec2(0) - s.vec2(1)).to_vec()),
    kind("horizontal", [0, 1, 0], 0, |s| vec![s.vec2(1).y - s.vec2(0).y]),
    kind("vertical", [0, 1, 0], 0, |s| vec![s.vec2(1).x - s.vec2(0).x]),
    kind("parallel", [0, 2, 0], 0, |s| vec![unit(s, 0).cross(unit(s, 2))]),
    kind("perpendicular", [0, 2, 0], 0, |s| vec![unit(s, 0).dot(unit(s, 2))]),
    kind("angle", [0, 2, 0], 1, angle),
    kind("collinear", [0, 2, 0], 0, |s| [2, 3].map(|k| s.vec2(k).distance_to_line(s.vec2(0), s.vec2(1))).to_vec()),
    kind("tangent", [0, 1, 1], 0, |s| vec![s.vec2(2).distance_to_line(s.vec2(0), s.vec2(1)).abs() - s.param(3)[0]]),
    kind("tangent-circles", [0, 0, 2], 0, |s| vec![s.vec2(0).distance(s.vec2(1)) - (s.param(2)[0] + s.param(3)[0])]),
    kind("equal-length", [0, 2, 0], 0, |s| vec![s.vec2(0).distance(s.vec2(1)) - s.vec2(2).distance(s.vec2(3))]),
    kind("equal-radius", [0, 0, 2], 0, |s| vec![s.param(2)[0] - s.param(3)[0]]),
    kind("distance", [2, 0, 0], 1, |s| vec![s.vec2(0).distance(s.vec2(1)) - s.datum(0)[0]]),
    kind("distance-to-line", [1, 1, 0], 1, |s| vec![s.vec2(0).distance_to_line(s.vec2(1), s.vec2(2)) - s.datum(0)[0]]),
    kind("point-on-line", [1, 1, 0], 0, |s| vec![s.vec2(0).distance_to_line(s.vec2(1), s.vec2(2))]),
    kind("point-on-circle", [1, 0, 1], 0, |s| vec![s.vec2(0).distance(s.vec2(1)) - s.param(2)[0]]),
    kind("midpoint", [1, 1, 0], 0, |s| (s.vec2(0) - (s.vec2(1) + s.vec2(2)) * 0.5).to_vec()),
    kind("symmetric", [2, 1, 0], 0, symmetric),
    kind("concentric", [0, 0, 2], 0, |s| (s.vec2(0) - s.vec2(1)).to_vec()),
    kind("radius", [0, 0, 1], 1, |s| vec![s.param(1)[0] - s.datum(0)[0]]),
    kind("fixed", [1, 0, 0], 2, |s| (s.vec2(0) - Vec2::from_array(s.first(s.datum(0)))).to_vec()),
];

/// Direction of the line whose ends are arguments `first` and `first + 1`.
fn unit<'g>(instance: &Instance<'g>, first: usize) -> Vec2<'g> {
    (instance.vec2(first + 1) - instance.vec2(first)).normalized()
}

/// The second direction in the frame of the first, against the wanted one: zero at no other angle, and smooth at all of them.
fn angle<'g>(instance: &Instance<'g>) -> Vec<Scalar<'g>> {
    let (a, b) = (unit(instance, 0), unit(instance, 2));
    let wanted = instance.datum(0)[0];
    vec![a.dot(b) - wanted.cos(), a.cross(b) - wanted.sin()]
}

/// The middle is on the mirror, and the way across is at a right angle to it.
fn symmetric<'g>(instance: &Instance<'g>) -> Vec<Scalar<'g>> {
    let [p, q, a, b] = [0, 1, 2, 3].map(|k| instance.vec2(k));
    vec![((p + q) * 0.5).distance_to_line(a, b), (q - p).dot((b - a).normalized())]
}

impl Constraint {
    /// The name of its kind.
    pub fn kind(&self) -> &'static str {
        match self {
            Constraint::Coincident(..) => "coincident",
            Constraint::Horizontal(..) => "horizontal",
            Constraint::Vertical(..) => "vertical",
            Constraint::Parallel(..) => "parallel",
            Constraint::Perpendicular(..) => "perpendicular",
            Constraint::Angle(..) => "angle",
            Constraint::Collinear(..) => "collinear",
            Constraint::Tangent(..) => "tangent",
            Constraint::TangentCircles(..) => "tangent-circles",
            Constraint::EqualLength(..) => "equal-length",
            Constraint::EqualRadius(..) => "equal-radius",
            Constraint::Distance(..) => "distance",
            Constraint::DistanceToLine(..) => "distance-to-line",
            Constraint::PointOnLine(..) => "point-on-line",
            Constraint::PointOnCircle(..) => "point-on-circle",
            Constraint::Midpoint(..) => "midpoint",
            Constraint::Symmetric(..) => "symmetric",
            Constraint::Concentric(..) => "concentric",
            Constraint::Radius(..) => "radius",
            Constraint::Fixed(..) => "fixed",
        }
    }

    /// The constraint of a kind with these parts and numbers; `None` if their counts are not the kind's, or there is no such kind.
    pub fn by_kind(
        name: &str,
        points: &[PointId],
        lines: &[LineId],
        circles: &[CircleId],
        numbers: &[f64],
    ) -> Option<Constraint> {
        Some(match (name, points, lines, circles, numbers) {
            ("coincident", &[p, q], [], [], []) => Constraint::Coincident(p, q),
            ("horizontal", [], &[l], [], []) => Constraint::Horizontal(l),
            ("vertical", [], &[l], [], []) => Constraint::Vertical(l),
            ("parallel", [], &[l, m], [], []) => Constraint::Parallel(l, m),
            ("perpendicular", [], &[l, m], [], []) => Constraint::Perpendicular(l, m),
            ("angle", [], &[l, m], [], &[angle]) => Constraint::Angle(l, m, angle),
            ("collinear", [], &[l, m], [], []) => Constraint::Collinear(l, m),
            ("tangent", [], &[l], &[c], []) => Constraint::Tangent(l, c),
            ("tangent-circles", [], [], &[c, d], []) => Constraint::TangentCircles(c, d),
            ("equal-length", [], &[l, m], [], []) => Constraint::EqualLength(l, m),
            ("equal-radius", [], [], &[c, d], []) => Constraint::EqualRadius(c, d),
            ("distance", &[p, q], [], [], &[distance]) => Constraint::Distance(p, q, distance),
            ("distance-to-line", &[p], &[l], [], &[distance]) => Constraint::DistanceToLine(p, l, distance),
            ("point-on-line", &[p], &[l], [], []) => Constraint::PointOnLine(p, l),
            ("point-on-circle", &[p], [], &[c], []) => Constraint::PointOnCircle(p, c),
            ("midpoint", &[p], &[l], [], []) => Constraint::Midpoint(p, l),
            ("symmetric", &[p, q], &[l], [], []) => Constraint::Symmetric(p, q, l),
            ("concentric", [], [], &[c, d], []) => Constraint::Concentric(c, d),
            ("radius", [], [], &[c], &[radius]) => Constraint::Radius(c, radius),
            ("fixed", &[p], [], [], &[x, y]) => Constraint::Fixed(p, [x, y]),
            _ => return None,
        })
    }

    /// Its points, lines and circles.
    pub fn parts(&self) -> (Vec<PointId>, Vec<LineId>, Vec<CircleId>) {
        match *self {
            Constraint::Coincident(p, q) | Constraint::Distance(p, q, _) => (vec![p, q], vec![], vec![]),
            Constraint::Fixed(p, _) => (vec![p], vec![], vec![]),
            Constraint::Horizontal(l) | Constraint::Vertical(l) => (vec![], vec![l], vec![]),
            Constraint::Parallel(l, m)
            | Constraint::Perpendicular(l, m)
            | Constraint::Angle(l, m, _)
            | Constraint::Collinear(l, m)
            | Constraint::EqualLength(l, m) => (vec![], vec![l, m], vec![]),
            Constraint::Tangent(l, c) => (vec![], vec![l], vec![c]),
            Constraint::TangentCircles(c, d) | Constraint::EqualRadius(c, d) | Constraint::Concentric(c, d) => {
                (vec![], vec![], vec![c, d])
            }
            Constraint::PointOnLine(p, l) | Constraint::Midpoint(p, l) | Constraint::DistanceToLine(p, l, _) => {
                (vec![p], vec![l], vec![])
            }
            Constraint::PointOnCircle(p, c) => (vec![p], vec![], vec![c]),
            Constraint::Symmetric(p, q, l) => (vec![p, q], vec![l], vec![]),
            Constraint::Radius(c, _) => (vec![], vec![], vec![c]),
        }
    }

    /// Its numbers.
    pub fn numbers(&self) -> Vec<f64> {
        match *self {
            Constraint::Angle(_, _, number)
            | Constraint::Distance(_, _, number)
            | Constraint::DistanceToLine(_, _, number)
            | Constraint::Radius(_, number) => vec![number],
            Constraint::Fixed(_, [x, y]) => vec![x, y],
            _ => Vec::new(),
        }
    }
}
