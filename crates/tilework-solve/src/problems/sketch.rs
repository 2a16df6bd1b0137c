//! Sketches: points, lines and circles of the plane, and what must hold between them.
//!
//! Each kind of constraint is one group, whatever it is applied to: constraints that share a point read it twice.

mod constraint;

pub use constraint::{Constraint, KINDS};

use crate::loss::Loss;
use crate::{Family, Params, Problem};
use tilework_core::{Error, Result};

/// A point of a sketch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PointId(pub u32);

/// A line of a sketch, through two points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LineId(pub u32);

/// A circle of a sketch, about a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CircleId(pub u32);

/// Points, lines, circles and constraints.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sketch {
    /// Where points are.
    pub points: Vec<[f64; 2]>,
    /// The ends of lines.
    pub lines: Vec<[PointId; 2]>,
    /// Centers of circles.
    pub centers: Vec<PointId>,
    /// Radii of circles.
    pub radii: Vec<f64>,
    /// What must hold.
    pub constraints: Vec<Constraint>,
}

/// A sketch as a problem.
#[derive(Debug)]
pub struct SketchProblem {
    /// Residuals that are 0 where all constraints hold.
    pub problem: Problem,
    /// A block of two per point.
    pub points: Params,
    /// A block of one per circle.
    pub radii: Params,
}

impl Sketch {
    /// An empty sketch.
    pub fn new() -> Sketch {
        Sketch::default()
    }

    /// Adds a point.
    pub fn point(&mut self, x: f64, y: f64) -> PointId {
        self.points.push([x, y]);
        PointId(self.points.len() as u32 - 1)
    }

    /// Adds a line between two points.
    pub fn line(&mut self, a: PointId, b: PointId) -> LineId {
        self.lines.push([a, b]);
        LineId(self.lines.len() as u32 - 1)
    }

    /// Adds a circle.
    pub fn circle(&mut self, center: PointId, radius: f64) -> CircleId {
        self.centers.push(center);
        self.radii.push(radius);
        CircleId(self.centers.len() as u32 - 1)
    }

    /// Adds a constraint.
    pub fn constrain(&mut self, constraint: Constraint) {
        self.constraints.push(constraint);
    }

    /// The problem of satisfying all constraints. A weak pull (`stiffness`, 0 for none) keeps points and radii where they are
    /// drawn, so that what constraints leave open stays as it is.
    pub fn problem(&self, stiffness: f64) -> Result<SketchProblem> {
        let mut problem = Problem::new();
        let points = problem.add_params(2, self.points.as_flattened())?;
        let radii = problem.add_params(1, &self.radii)?;
        for kind in KINDS {
            let of_kind: Vec<&Constraint> = self.constraints.iter().filter(|c| c.kind() == kind.name).collect();
            if of_kind.is_empty() {
                continue;
            }
            let uses = of_kind.iter().map(|constraint| self.uses(constraint)).collect::<Result<Vec<_>>>()?;
            let column =
                |of: fn(&Uses) -> &Vec<u32>, k: usize| uses.iter().map(|uses| of(uses)[k]).collect::<Vec<u32>>();
            let columns: Vec<Vec<u32>> = (0..kind.n_points)
                .map(|k| column(|uses| &uses.points, k))
                .chain((0..kind.n_radii).map(|k| column(|uses| &uses.radii, k)))
                .collect();
            let sets = (0..columns.len()).map(|k| if k < kind.n_points { points } else { radii });
            let params: Vec<(Params, &[u32])> = sets.zip(columns.iter().map(Vec::as_slice)).collect();
            let numbers: Vec<f64> = of_kind.iter().flat_map(|constraint| constraint.numbers()).collect();
            let data: &[(usize, &[f64])] = if kind.n_numbers == 0 { &[] } else { &[(kind.n_numbers, &numbers)] };
            problem.add_residuals(
                Family { name: kind.name, params: &params, data, loss: Loss::Squared },
                kind.residuals,
            )?;
        }
        if stiffness > 0.0 {
            hold(&mut problem, points, self.points.as_flattened(), 2, stiffness)?;
            hold(&mut problem, radii, &self.radii, 1, stiffness)?;
        }
        Ok(SketchProblem { problem, points, radii })
    }

    /// The points and radii a constraint reads, in the order of its residual function.
    fn uses(&self, constraint: &Constraint) -> Result<Uses> {
        let mut uses = Uses::default();
        let (points, lines, circles) = constraint.parts();
        let missing =
            |what: &str, number: u32| Error::argument(constraint.kind(), format!("there is no {what} {number}"));
        uses.points.extend(points.iter().map(|point| point.0));
        for line in lines {
            let ends = self.lines.get(line.0 as usize).ok_or_else(|| missing("line", line.0))?;
            uses.points.extend(ends.iter().map(|point| point.0));
        }
        for circle in circles {
            let center = self.centers.get(circle.0 as usize).ok_or_else(|| missing("circle", circle.0))?;
            uses.points.push(center.0);
            uses.radii.push(circle.0);
        }
        Ok(uses)
    }
}

impl SketchProblem {
    /// The sketch with what was found.
    pub fn result(&self, given: &Sketch) -> Sketch {
        let points = self.problem.values(self.points).as_chunks().0.to_vec();
        Sketch { points, radii: self.problem.values(self.radii).to_vec(), ..given.clone() }
    }
}

#[derive(Default)]
struct Uses {
    points: Vec<u32>,
    radii: Vec<u32>,
}

/// Pulls the blocks of a set towards where they are.
fn hold(problem: &mut Problem, set: Params, values: &[f64], dim: usize, stiffness: f64) -> Result<()> {
    let each: Vec<u32> = (0..(values.len() / dim) as u32).collect();
    let family = Family { name: "as drawn", params: &[(set, &each)], data: &[(dim, values)], loss: Loss::Squared };
    problem.add_residuals(family, |instance| {
        let pairs = instance.param(0).iter().zip(instance.datum(0));
        pairs.map(|(&is, &drawn)| (is - drawn) * stiffness).collect()
    })
}
