//! Trust regions: a step minimizes the linearized problem within a region around the point, whose size follows how well the last
//! steps were predicted.
//!
//! Two rules say how the region bounds a step. *Levenberg and Marquardt's* adds a damping to the diagonal (J. Moré, *The
//! Levenberg-Marquardt algorithm*, 1978; the damping follows K. Madsen et al., *Methods for non-linear least squares problems*,
//! 2004). *Powell's dogleg* walks from the minimum along the steepest descent towards Gauss and Newton's step (M. Powell, 1970).

use super::{Minimizer, Point, Progress, Work, distance, largest};
use crate::evaluate::Wanted;
use crate::linear::{System, add, dot};
use crate::summary::Reason;

/// A step is taken if it lowers the cost by this part of what was predicted.
const MIN_QUALITY: f64 = 1e-3;
const MAX_RADIUS: f64 = 1e16;
const MIN_RADIUS: f64 = 1e-32;
/// The scaled diagonal is kept within these, so that directions without curvature are damped, too.
const MIN_DIAGONAL: f64 = 1e-6;
const MAX_DIAGONAL: f64 = 1e32;
/// Differences of costs below this part of them are rounding.
const ROUNDING: f64 = 1e-14;
/// Below this part they may be: residuals are themselves differences of larger numbers.
const NOISE: f64 = 1e-9;

/// Steps within a region of trust.
#[derive(Debug)]
pub(super) struct TrustRegion {
    system: System,
    rule: Rule,
    initial_radius: f64,
    radius: f64,
    is_linearized: bool,
    /// Makes the diagonal about 1 where the solver began.
    scale: Vec<f64>,
    held: Vec<bool>,
    /// Length of the last step whose effect drowned in rounding.
    last_blind_step: f64,
}

/// How a region bounds a step.
#[derive(Debug)]
enum Rule {
    Marquardt {
        /// What the radius is divided by next time a step fails; doubles with every failure.
        decrease: f64,
    },
    Dogleg {
        /// Damping that Gauss and Newton's step needs to exist.
        damping: f64,
        /// That step, as long as the linearization holds.
        newton: Option<Vec<f64>>,
    },
}

impl TrustRegion {
    pub(super) fn marquardt(system: System, radius: f64) -> TrustRegion {
        TrustRegion::new(system, Rule::Marquardt { decrease: 2.0 }, radius)
    }

    pub(super) fn dogleg(system: System, radius: f64) -> TrustRegion {
        TrustRegion::new(system, Rule::Dogleg { damping: 1e-8, newton: None }, radius)
    }

    fn new(system: System, rule: Rule, radius: f64) -> TrustRegion {
        TrustRegion {
            system,
            rule,
            initial_radius: radius,
            radius,
            is_linearized: false,
            scale: Vec::new(),
            held: Vec::new(),
            last_blind_step: f64::INFINITY,
        }
    }

    fn linearize(&mut self, at: &mut Point, work: &mut Work<'_>) {
        work.linearize(&mut self.system, Wanted::Normal, &at.x);
        self.is_linearized = true;
        if self.scale.is_empty() {
            self.scale = self.system.diagonal.iter().map(|d| 1.0 / (1.0 + d.sqrt()).powi(2)).collect();
        }
        self.held = work.bounds.held(&at.x, &self.system.gradient);
        if let Rule::Dogleg { newton, .. } = &mut self.rule {
            *newton = None;
        }
    }

    /// The squared length of each axis of the region, times the radius: the scaled diagonal. Infinite for directions that are held.
    fn metric(&self) -> Vec<f64> {
        let one = |((&diagonal, &scale), &held): ((&f64, &f64), &bool)| match held {
            true => f64::INFINITY,
            false => (diagonal * scale).clamp(MIN_DIAGONAL, MAX_DIAGONAL) / scale,
        };
        self.system.diagonal.iter().zip(&self.scale).zip(&self.held).map(one).collect()
    }

    fn trial(&mut self, work: &mut Work<'_>) -> Option<Vec<f64>> {
        let metric = self.metric();
        let radius = self.radius;
        match &mut self.rule {
            Rule::Marquardt { .. } => {
                let damping: Vec<f64> = metric.iter().map(|metric| metric / radius).collect();
                work.solve(&mut self.system, &damping)
            }
            Rule::Dogleg { damping, newton } => {
                if newton.is_none() {
                    *newton = newton_step(&mut self.system, work, &metric, damping);
                }
                newton.as_ref().map(|newton| dogleg(&self.system, newton, &metric, radius))
            }
        }
    }

    /// How much lower the cost should be after `step`.
    fn predicted(&self, step: &[f64]) -> f64 {
        -dot(&self.system.gradient, step) - 0.5 * self.system.curvature(step)
    }

    fn accept(&mut self, quality: f64, step: &[f64]) {
        match &mut self.rule {
            Rule::Marquardt { decrease } => {
                self.radius /= (1.0 - (2.0 * quality - 1.0).powi(3)).max(1.0 / 3.0);
                *decrease = 2.0;
            }
            Rule::Dogleg { .. } => {
                let length = length_by(&self.metric(), step);
                if quality < 0.25 {
                    self.radius *= 0.5;
                } else if quality > 0.75 {
                    self.radius = self.radius.max(3.0 * length);
                }
            }
        }
        self.radius = self.radius.min(MAX_RADIUS);
        self.is_linearized = false;
    }

    /// Whether to take a step whose effect on the cost drowns in rounding. Close to a minimum the cost is flat, and half of the digits
    /// of the parameters are found by such steps: as long as they become shorter quickly, the linearized problem is to be trusted.
    fn takes_blind_step(&mut self, progress: &mut Progress) -> bool {
        let is_shorter = progress.step_norm < 0.9 * self.last_blind_step;
        if is_shorter {
            self.last_blind_step = progress.step_norm;
            progress.done = progress.done.filter(|reason| *reason != Reason::Cost);
        }
        is_shorter
    }

    fn reject(&mut self) {
        match &mut self.rule {
            Rule::Marquardt { decrease } => {
                self.radius /= *decrease;
                *decrease *= 2.0;
            }
            Rule::Dogleg { .. } => self.radius *= 0.5,
        }
    }
}

impl Minimizer for TrustRegion {
    fn step(&mut self, at: &mut Point, work: &mut Work<'_>) -> Progress {
        if !self.is_linearized {
            self.linearize(at, work);
        }
        let gradient_max = largest(&self.system.gradient, &self.held);
        let mut progress = Progress { gradient_max, radius: self.radius, ..Progress::default() };
        if let Some(reason) = work.tolerances.at_gradient(gradient_max) {
            return progress.done(reason);
        }
        let Some(mut step) = self.trial(work) else {
            self.reject();
            return if self.radius < MIN_RADIUS { progress.done(Reason::NoProgress) } else { progress };
        };
        let moved = work.moved(&at.x, &mut step);
        let cost = work.cost(&moved);
        let decrease = at.cost - cost;
        let predicted = self.predicted(&step);
        let quality = decrease / predicted;
        progress.step_norm = distance(&moved, &at.x);
        progress.done = work.tolerances.after(progress.step_norm, &at.x, at.cost, decrease);
        let effect = decrease.abs().max(predicted) / at.cost;
        let is_blind = effect <= NOISE && work.tolerances.function < ROUNDING;
        if is_blind && self.takes_blind_step(&mut progress) {
            (progress.decrease, progress.is_accepted) = (decrease, true);
            *at = Point { x: moved, cost };
            self.accept(1.0, &step);
        } else if decrease > 0.0 && (quality > MIN_QUALITY || progress.done.is_some()) {
            (progress.decrease, progress.is_accepted) = (decrease, true);
            *at = Point { x: moved, cost };
            self.accept(quality, &step);
        } else {
            self.reject();
            if is_blind && effect <= ROUNDING {
                progress.done = progress.done.or(Some(Reason::Cost));
            } else if self.radius < MIN_RADIUS {
                progress.done = progress.done.or(Some(Reason::NoProgress));
            }
        }
        progress.radius = self.radius;
        progress
    }

    fn restart(&mut self) {
        self.is_linearized = false;
        self.radius = self.initial_radius;
        self.last_blind_step = f64::INFINITY;
        if let Rule::Marquardt { decrease } = &mut self.rule {
            *decrease = 2.0;
        }
    }

    fn linear(&self) -> &'static str {
        self.system.name
    }
}

/// Gauss and Newton's step, damped as little as it takes to exist.
fn newton_step(system: &mut System, work: &mut Work<'_>, metric: &[f64], damping: &mut f64) -> Option<Vec<f64>> {
    while *damping <= 1.0 {
        let added: Vec<f64> = metric.iter().map(|metric| metric * *damping).collect();
        if let Some(step) = work.solve(system, &added) {
            *damping = (*damping / 5.0).max(1e-8);
            return Some(step);
        }
        *damping *= 10.0;
    }
    *damping = 1.0;
    None
}

/// The point of the dogleg path at distance `radius`, measured by `metric`.
fn dogleg(system: &System, newton: &[f64], metric: &[f64], radius: f64) -> Vec<f64> {
    if length_by(metric, newton) <= radius {
        return newton.to_vec();
    }
    // Held directions have an infinite metric, and no part in the descent.
    let descent: Vec<f64> = system.gradient.iter().zip(metric).map(|(slope, metric)| -slope / metric).collect();
    let along = -dot(&system.gradient, &descent);
    let mut cauchy: Vec<f64> = descent.iter().map(|d| d * along / system.curvature(&descent)).collect();
    let length = length_by(metric, &cauchy);
    if length >= radius {
        cauchy.iter_mut().for_each(|x| *x *= radius / length);
        return cauchy;
    }
    // Where the way from the one to the other leaves the region: a root of |cauchy + t·rest|² = radius².
    let rest: Vec<f64> = newton.iter().zip(&cauchy).map(|(newton, cauchy)| newton - cauchy).collect();
    let finite = |metric: f64| if metric.is_finite() { metric } else { 0.0 };
    let cross: f64 = rest.iter().zip(&cauchy).zip(metric).map(|((r, c), &m)| r * c * finite(m)).sum();
    let square = length_by(metric, &rest).powi(2);
    let gap = radius * radius - length * length;
    let t = gap / (cross + (cross * cross + square * gap).sqrt());
    add(&mut cauchy, t, &rest);
    cauchy
}

fn length_by(metric: &[f64], step: &[f64]) -> f64 {
    let square = |(&metric, &step): (&f64, &f64)| if metric.is_finite() { metric * step * step } else { 0.0 };
    metric.iter().zip(step).map(square).sum::<f64>().sqrt()
}
