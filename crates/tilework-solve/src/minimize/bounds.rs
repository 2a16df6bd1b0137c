//! Numbers with a lower and an upper bound: steps are cut at them, and directions that lead out of them are held.

use crate::evaluate::{FIXED, Layout};
use crate::problem::Problem;

/// One bounded number that moves.
#[derive(Clone, Copy, Debug)]
struct Bound {
    value: usize,
    tangent: usize,
    low: f64,
    high: f64,
}

/// The bounds of a problem.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bounds(Vec<Bound>);

impl Bounds {
    pub(crate) fn new(problem: &Problem, layout: &Layout) -> Bounds {
        let mut bounds = Vec::new();
        for block in layout.blocks.iter().filter(|block| block.tangent != FIXED) {
            for component in 0..block.dim as usize {
                let value = block.value as usize + component;
                if let Some(&(low, high)) = problem.bounds.get(&value) {
                    bounds.push(Bound { value, tangent: block.tangent as usize + component, low, high });
                }
            }
        }
        Bounds(bounds)
    }

    /// Directions that stay where they are: at a bound, and downhill is beyond it.
    pub(super) fn held(&self, x: &[f64], gradient: &[f64]) -> Vec<bool> {
        let mut held = vec![false; gradient.len()];
        for bound in &self.0 {
            let (x, slope) = (x[bound.value], gradient[bound.tangent]);
            held[bound.tangent] = (x <= bound.low && slope > 0.0) || (x >= bound.high && slope < 0.0);
        }
        held
    }

    /// Keeps `moved`, which is `x` moved by `step`, within bounds, and says so in `step`.
    pub(super) fn clamp(&self, x: &[f64], moved: &mut [f64], step: &mut [f64]) {
        for bound in &self.0 {
            let clamped = moved[bound.value].clamp(bound.low, bound.high);
            if clamped != moved[bound.value] {
                moved[bound.value] = clamped;
                step[bound.tangent] = clamped - x[bound.value];
            }
        }
    }
}
