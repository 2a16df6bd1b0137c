//! Newton's and Gauss and Newton's steps, shortened until they lower the cost enough.

use super::{Minimizer, Point, Progress, Work, distance, largest};
use crate::evaluate::Wanted;
use crate::linear::{System, dot};
use crate::summary::Reason;

/// A step is long enough if it lowers the cost by this part of what its slope promises (Armijo's rule).
const MIN_DECREASE: f64 = 1e-4;
/// Halvings of a step before it is given up.
const MAX_HALVINGS: usize = 40;

/// Full steps where they work, shorter ones where not.
#[derive(Debug)]
pub(super) struct LineSearch {
    system: System,
    /// Where the matrix comes from.
    second: Wanted,
    /// Part of the diagonal that is added; grows where the matrix has no factor.
    damping: f64,
}

const MIN_DAMPING: f64 = 1e-12;

impl LineSearch {
    pub(super) fn new(system: System, second: Wanted) -> LineSearch {
        LineSearch { system, second, damping: MIN_DAMPING }
    }

    /// A direction that goes downhill.
    fn direction(&mut self, work: &mut Work<'_>, held: &[bool]) -> Option<Vec<f64>> {
        let largest = self.system.diagonal.iter().copied().fold(0.0, f64::max);
        while self.damping <= 1e8 {
            let one = |(&diagonal, &held): (&f64, &bool)| {
                // A direction without curvature is damped like the others, so that it stays within reason.
                if held { f64::INFINITY } else { self.damping * diagonal.max(1e-6 * largest).max(f64::MIN_POSITIVE) }
            };
            let added: Vec<f64> = self.system.diagonal.iter().zip(held).map(one).collect();
            let step = work.solve(&mut self.system, &added);
            let is_downhill = |step: &Vec<f64>| dot(&self.system.gradient, step) < 0.0;
            if let Some(step) = step.filter(is_downhill) {
                self.damping = (self.damping / 10.0).max(MIN_DAMPING);
                return Some(step);
            }
            self.damping *= 100.0;
        }
        None
    }
}

impl Minimizer for LineSearch {
    fn step(&mut self, at: &mut Point, work: &mut Work<'_>) -> Progress {
        work.linearize(&mut self.system, self.second, &at.x);
        let held = work.bounds.held(&at.x, &self.system.gradient);
        let gradient_max = largest(&self.system.gradient, &held);
        let mut progress = Progress { gradient_max, ..Progress::default() };
        if let Some(reason) = work.tolerances.at_gradient(gradient_max) {
            return progress.done(reason);
        }
        let Some(direction) = self.direction(work, &held) else {
            self.damping = MIN_DAMPING;
            return progress.done(Reason::NoProgress);
        };
        let slope = dot(&self.system.gradient, &direction);
        let mut length = 1.0;
        for _ in 0..MAX_HALVINGS {
            let mut step: Vec<f64> = direction.iter().map(|d| d * length).collect();
            let moved = work.moved(&at.x, &mut step);
            let cost = work.cost(&moved);
            let decrease = at.cost - cost;
            progress.step_norm = distance(&moved, &at.x);
            progress.radius = length;
            let done = work.tolerances.after(progress.step_norm, &at.x, at.cost, decrease);
            if decrease > 0.0 && (decrease >= -MIN_DECREASE * length * slope || done.is_some()) {
                *at = Point { x: moved, cost };
                return Progress { decrease, is_accepted: true, done, ..progress };
            }
            if done == Some(Reason::Step) {
                return progress.done(Reason::Step);
            }
            length *= 0.5;
        }
        progress.done(Reason::NoProgress)
    }

    fn restart(&mut self) {
        self.damping = MIN_DAMPING;
    }

    fn linear(&self) -> &'static str {
        self.system.name
    }
}
