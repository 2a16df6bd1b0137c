//! Circles through points, nearest in the sense of distances.

use crate::graph::Vec2;
use crate::loss::Loss;
use crate::{Family, Params, Problem};
use tilework_core::{Error, Result};

/// Circles as a problem.
#[derive(Debug)]
pub struct CircleFit {
    /// A residual per point: its distance to the circle.
    pub problem: Problem,
    /// A block per circle: center and radius.
    pub circles: Params,
}

/// Fits one circle to each set of points, from the mean of the points and their mean distance to it.
pub fn fit_circles(sets: &[Vec<[f64; 2]>], loss: Loss) -> Result<CircleFit> {
    let mut start = Vec::new();
    let (mut of_circle, mut points) = (Vec::new(), Vec::new());
    for (number, set) in sets.iter().enumerate() {
        if set.len() < 3 {
            return Err(Error::argument("circles", format!("circle {number} has {} points; 3 make one", set.len())));
        }
        start.extend(guess(set));
        of_circle.extend(std::iter::repeat_n(number as u32, set.len()));
        points.extend(set.iter().flatten());
    }
    let mut problem = Problem::new();
    let circles = problem.add_params(3, &start)?;
    let family = Family { name: "circle", params: &[(circles, &of_circle)], data: &[(2, &points)], loss };
    problem.add_residuals(family, |instance| {
        let [x, y, radius] = instance.first(instance.param(0));
        let [u, v] = instance.first(instance.datum(0));
        vec![Vec2::new(x, y).distance(Vec2::new(u, v)) - radius]
    })?;
    Ok(CircleFit { problem, circles })
}

fn guess(set: &[[f64; 2]]) -> [f64; 3] {
    let n = set.len() as f64;
    let center = [0, 1].map(|axis| set.iter().map(|point| point[axis]).sum::<f64>() / n);
    let radius = set.iter().map(|point| (point[0] - center[0]).hypot(point[1] - center[1])).sum::<f64>() / n;
    [center[0], center[1], radius]
}
