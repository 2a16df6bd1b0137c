//! A rope that lies between two pins without crossing itself.

use crate::graph::Vec2;
use crate::{Family, Params, Problem};
use tilework_core::{Error, Result};

/// How a rope is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rope {
    /// Beads it is made of.
    pub n_beads: usize,
    /// Its length.
    pub length: f64,
    /// How far apart it is pinned.
    pub span: f64,
    /// Its thickness: beads are not nearer than this.
    pub thickness: f64,
    /// How much it resists being bent, 0 for not at all.
    pub stiffness: f64,
}

/// A rope as a problem.
#[derive(Debug)]
pub struct RopeProblem {
    /// Segments keep their length, beads their distance, bends cost.
    pub problem: Problem,
    /// A block of two per bead; the ends are fixed.
    pub beads: Params,
}

/// A rope between `(0, 0)` and `(span, 0)` that begins as a wave.
pub fn rope(rope: Rope) -> Result<RopeProblem> {
    let Rope { n_beads, length, span, thickness, stiffness } = rope;
    if !(3..=10_000).contains(&n_beads) {
        return Err(Error::argument("rope", format!("{n_beads} beads; 3 to 10000 make a rope")));
    }
    if !(length.is_finite() && length > 0.0 && span.is_finite() && thickness >= 0.0 && stiffness >= 0.0) {
        return Err(Error::argument("rope", format!("{rope:?} is no rope")));
    }
    let mut start: Vec<f64> =
        (0..n_beads).flat_map(|bead| wave(bead as f64 / (n_beads - 1) as f64, span, length)).collect();
    // The sine of a multiple of π is not exactly 0.
    start[2 * n_beads - 1] = 0.0;
    let mut problem = Problem::new();
    let beads = problem.add_params(2, &start)?;
    problem.set_fixed(beads, &[0, n_beads - 1])?;
    let segment = length / (n_beads - 1) as f64;
    add_segments(&mut problem, beads, n_beads, segment)?;
    if thickness > 0.0 {
        // Neighbors along the rope are near each other by right.
        let apart = (thickness / segment).ceil() as usize + 1;
        add_distances(&mut problem, beads, n_beads, apart, thickness)?;
    }
    if stiffness > 0.0 {
        add_bends(&mut problem, beads, n_beads, stiffness)?;
    }
    Ok(RopeProblem { problem, beads })
}

fn wave(t: f64, span: f64, length: f64) -> [f64; 2] {
    let height = 0.25 * (length - span).max(0.1 * length);
    [t * span, height * (3.0 * std::f64::consts::PI * t).sin()]
}

fn add_segments(problem: &mut Problem, beads: Params, n_beads: usize, segment: f64) -> Result<()> {
    let left: Vec<u32> = (0..n_beads as u32 - 1).collect();
    let right: Vec<u32> = (1..n_beads as u32).collect();
    let lengths = vec![segment; left.len()];
    let family = Family {
        name: "segment",
        params: &[(beads, &left), (beads, &right)],
        data: &[(1, &lengths)],
        ..Family::default()
    };
    problem.add_residuals(family, |instance| {
        let length = instance.datum(0)[0];
        vec![(instance.vec2(0).distance(instance.vec2(1)) - length) / length]
    })
}

/// Beads that are `apart` or more along the rope push each other away where they are nearer than `thickness`.
fn add_distances(problem: &mut Problem, beads: Params, n_beads: usize, apart: usize, thickness: f64) -> Result<()> {
    let pairs = (0..n_beads).flat_map(|i| (i + apart..n_beads).map(move |j| (i as u32, j as u32)));
    let (first, second): (Vec<u32>, Vec<u32>) = pairs.unzip();
    let reach = vec![thickness; first.len()];
    let family = Family {
        name: "distance",
        params: &[(beads, &first), (beads, &second)],
        data: &[(1, &reach)],
        ..Family::default()
    };
    problem.add_residuals(family, |instance| {
        let reach = instance.datum(0)[0];
        vec![((reach - instance.vec2(0).distance(instance.vec2(1))) / reach).relu()]
    })
}

fn add_bends(problem: &mut Problem, beads: Params, n_beads: usize, stiffness: f64) -> Result<()> {
    let at = |shift: u32| -> Vec<u32> { (shift..n_beads as u32 - 2 + shift).collect() };
    let (left, middle, right) = (at(0), at(1), at(2));
    let family = Family {
        name: "bend",
        params: &[(beads, &left), (beads, &middle), (beads, &right)],
        data: &[],
        ..Family::default()
    };
    problem.add_residuals(family, |instance| {
        let [a, b, c] = [0, 1, 2].map(|k| instance.vec2(k));
        let bend: Vec2<'_> = a - b * 2.0 + c;
        (bend * stiffness).to_vec()
    })
}
