//! Limited-memory BFGS: a direction from the last few changes of the gradient, and a length that satisfies the weak Wolfe conditions.
//!
//! J. Nocedal, *Updating quasi-Newton matrices with limited storage*, 1980; the search by bisection is that of A. Lewis and M. Overton,
//! *Nonsmooth optimization via quasi-Newton methods*, 2013, which needs no smoothness.

use super::{Minimizer, Point, Progress, Work, distance, largest, norm};
use crate::linear::{add, dot};
use crate::summary::Reason;
use std::collections::VecDeque;

/// Changes that are remembered.
pub(crate) const MEMORY: usize = 12;
/// Part of the promised decrease a step must bring.
pub(crate) const MIN_DECREASE: f64 = 1e-4;
/// Part of the slope that may be left after it.
pub(crate) const MAX_SLOPE: f64 = 0.9;
/// Lengths that are tried.
pub(crate) const MAX_TRIALS: usize = 40;

/// A step and the change of the gradient along it.
#[derive(Debug)]
struct Change {
    step: Vec<f64>,
    gradient: Vec<f64>,
    /// `1/(stepᵀgradient)`.
    inverse: f64,
}

/// Quasi-Newton steps.
#[derive(Debug, Default)]
pub(super) struct Lbfgs {
    changes: VecDeque<Change>,
    /// Where the last step ended.
    gradient: Option<Vec<f64>>,
}

/// A point along the line that will do.
struct Found {
    moved: Vec<f64>,
    step: Vec<f64>,
    cost: f64,
    gradient: Vec<f64>,
    length: f64,
}

impl Lbfgs {
    /// `−H⁻¹·gradient` by the two loops of the method, where `H` is what the changes say.
    fn direction(&self, gradient: &[f64]) -> Vec<f64> {
        let mut q: Vec<f64> = gradient.iter().map(|g| -g).collect();
        let mut factors = Vec::with_capacity(self.changes.len());
        for change in self.changes.iter().rev() {
            let factor = change.inverse * dot(&change.step, &q);
            add(&mut q, -factor, &change.gradient);
            factors.push(factor);
        }
        if let Some(last) = self.changes.back() {
            let scale = 1.0 / (last.inverse * dot(&last.gradient, &last.gradient));
            q.iter_mut().for_each(|q| *q *= scale);
        }
        for (change, factor) in self.changes.iter().zip(factors.into_iter().rev()) {
            let back = change.inverse * dot(&change.gradient, &q);
            add(&mut q, factor - back, &change.step);
        }
        q
    }

    fn remember(&mut self, step: Vec<f64>, gradient: Vec<f64>) {
        let curvature = dot(&step, &gradient);
        // Without curvature along the step the matrix would not stay positive.
        if curvature <= 1e-12 * norm(&step) * norm(&gradient) {
            return;
        }
        if self.changes.len() == MEMORY {
            self.changes.pop_front();
        }
        self.changes.push_back(Change { step, gradient, inverse: 1.0 / curvature });
    }

    /// A downhill direction that leaves held ones alone.
    fn downhill(&mut self, gradient: &[f64], held: &[bool]) -> Vec<f64> {
        let free: Vec<f64> = gradient.iter().zip(held).map(|(&g, &held)| if held { 0.0 } else { g }).collect();
        let mut direction = self.direction(&free);
        direction.iter_mut().zip(held).filter(|(_, held)| **held).for_each(|(d, _)| *d = 0.0);
        let slope = dot(&free, &direction);
        if slope < 0.0 && slope.is_finite() {
            return direction;
        }
        self.changes.clear();
        free.iter().map(|g| -g).collect()
    }
}

/// Finds a length that lowers the cost enough and leaves a flatter slope: doubles while it does not reach far enough, then halves the
/// interval. The best of all that lower the cost if there is none in time.
fn search(at: &Point, direction: &[f64], slope: f64, first: f64, work: &mut Work<'_>) -> Option<Found> {
    let (mut low, mut high, mut length) = (0.0, f64::INFINITY, first);
    let mut best: Option<Found> = None;
    for _ in 0..MAX_TRIALS {
        let mut step: Vec<f64> = direction.iter().map(|d| d * length).collect();
        let moved = work.moved(&at.x, &mut step);
        let (cost, gradient) = work.gradient(&moved);
        let is_lower = cost <= at.cost + MIN_DECREASE * length * slope && gradient.iter().all(|g| g.is_finite());
        let is_flat = dot(&gradient, direction) >= MAX_SLOPE * slope;
        if is_lower {
            best = Some(Found { moved, step, cost, gradient, length });
            if is_flat {
                break;
            }
            low = length;
        } else {
            high = length;
        }
        length = if high.is_finite() { 0.5 * (low + high) } else { 2.0 * length };
        // The interval has no room left: either way the point is as good as it gets.
        if length == low || length == high || length < 1e-300 {
            break;
        }
    }
    best
}

impl Minimizer for Lbfgs {
    fn step(&mut self, at: &mut Point, work: &mut Work<'_>) -> Progress {
        let gradient = match self.gradient.take() {
            Some(gradient) => gradient,
            None => work.gradient(&at.x).1,
        };
        let held = work.bounds.held(&at.x, &gradient);
        let gradient_max = largest(&gradient, &held);
        let mut progress = Progress { gradient_max, ..Progress::default() };
        if let Some(reason) = work.tolerances.at_gradient(gradient_max) {
            self.gradient = Some(gradient);
            return progress.done(reason);
        }
        let direction = self.downhill(&gradient, &held);
        let slope = dot(&gradient, &direction);
        // Nothing is known of the scale at first: begin with a step of moderate length.
        let first = if self.changes.is_empty() { (1.0 / norm(&gradient)).min(1.0) } else { 1.0 };
        let Some(found) = search(at, &direction, slope, first, work) else {
            self.gradient = Some(gradient);
            if self.changes.is_empty() {
                return progress.done(Reason::NoProgress);
            }
            // Perhaps the memory misleads; the next step begins anew.
            self.changes.clear();
            return progress;
        };
        let change: Vec<f64> = found.gradient.iter().zip(&gradient).map(|(new, old)| new - old).collect();
        self.remember(found.step, change);
        progress.decrease = at.cost - found.cost;
        progress.step_norm = distance(&found.moved, &at.x);
        progress.radius = found.length;
        progress.is_accepted = true;
        progress.done = work.tolerances.after(progress.step_norm, &at.x, at.cost, progress.decrease);
        *at = Point { x: found.moved, cost: found.cost };
        self.gradient = Some(found.gradient);
        progress
    }

    fn restart(&mut self) {
        self.changes.clear();
        self.gradient = None;
    }
}
