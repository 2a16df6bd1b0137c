//! The search for the factor of a group of weights.
//!
//! Rounding to the levels that the extremes of a group suggest is rarely best: moving the factor a little makes a few weights round
//! elsewhere and the others fit better. For fixed integers the best factor (and offset) is a weighted least-squares fit; the searches
//! try some starting factors, round, fit, and keep the least error. They are ggml's `make_qkx2_quants` (factor and offset),
//! `make_qx_quants` and `make_q3_quants` (factor only), sums in single precision and in their order.

use super::nearest;

/// A group whose weights are all smaller than this is zero.
const TINY: f32 = 1e-15;

/// What `affine` searches.
pub(super) struct Affine {
    /// Integers are 0 to this.
    pub(super) n_max: i32,
    /// The first try divides the range into `n_max` plus this many steps; each next try into 0.1 more.
    pub(super) first: f32,
    /// Tries after the first.
    pub(super) n_steps: u8,
    /// What makes a fit good.
    pub(super) error: Measure,
}

/// How distances are counted.
#[derive(Clone, Copy)]
pub(super) enum Measure {
    Absolute,
    Squared,
}

impl Measure {
    fn of(self, difference: f32) -> f32 {
        match self {
            Measure::Absolute => difference.abs(),
            Measure::Squared => difference * difference,
        }
    }
}

/// Sums of a weighted fit of `x ≈ scale · level + offset`.
struct Sums {
    weight: f32,
    x: f32,
    level: f32,
    level2: f32,
    x_level: f32,
}

impl Affine {
    /// Factor and (not negative) amount to subtract for the group `x` of at most 32, whose element `i` counts `importance[i]`.
    pub(super) fn fit(&self, x: &[f32], importance: &[f32]) -> (f32, f32) {
        let (least, greatest) = x.iter().fold((x[0], x[0]), |(least, greatest), &x| {
            (if x < least { x } else { least }, if x > greatest { x } else { greatest })
        });
        let least = if least > 0.0 { 0.0 } else { least };
        if greatest == least {
            return (0.0, -least);
        }
        let mut levels = [0.0; 32];
        let levels = &mut levels[..x.len().min(32)];
        let n_max = self.n_max as f32;
        let inverse = n_max / (greatest - least);
        let mut best = (1.0 / inverse, least);
        self.round(x, (inverse, least), levels);
        let mut best_error = self.error_of((x, importance), best, levels);
        for step in 0..=self.n_steps {
            // A try starts from the best offset so far, not from the least element.
            let inverse = (self.first + 0.1 * f32::from(step) + n_max) / (greatest - best.1);
            self.round(x, (inverse, best.1), levels);
            if let Some(fit) = sums(x, importance, levels).solve() {
                let error = self.error_of((x, importance), fit, levels);
                if error < best_error {
                    (best, best_error) = (fit, error);
                }
            }
        }
        (best.0, -best.1)
    }

    fn round(&self, x: &[f32], (inverse, offset): (f32, f32), levels: &mut [f32]) {
        for (level, &x) in levels.iter_mut().zip(x) {
            *level = nearest(inverse * (x - offset)).clamp(0, self.n_max) as f32;
        }
    }

    fn error_of(&self, (x, importance): (&[f32], &[f32]), (scale, offset): (f32, f32), levels: &[f32]) -> f32 {
        let terms = x.iter().zip(importance).zip(levels);
        terms.fold(0.0, |error, ((&x, &weight), &level)| error + weight * self.error.of(scale * level + offset - x))
    }
}

fn sums(x: &[f32], importance: &[f32], levels: &[f32]) -> Sums {
    let mut sums = Sums { weight: 0.0, x: 0.0, level: 0.0, level2: 0.0, x_level: 0.0 };
    for ((&x, &weight), &level) in x.iter().zip(importance).zip(levels) {
        sums.weight += weight;
        sums.x += weight * x;
        sums.level += weight * level;
        sums.level2 += weight * level * level;
        sums.x_level += weight * level * x;
    }
    sums
}

impl Sums {
    /// Factor and offset of the normal equations; the offset is not above zero.
    fn solve(&self) -> Option<(f32, f32)> {
        let determinant = self.weight * self.level2 - self.level * self.level;
        let scale = (self.weight * self.x_level - self.x * self.level) / determinant;
        let offset = (self.level2 * self.x - self.level * self.x_level) / determinant;
        let fit = if offset > 0.0 { (self.x_level / self.level2, 0.0) } else { (scale, offset) };
        (determinant > 0.0).then_some(fit)
    }
}

/// The element of the largest magnitude, `None` if all are as good as zero.
fn extreme(x: &[f32]) -> Option<f32> {
    let extreme = x.iter().fold(0.0, |extreme: f32, &x| if x.abs() > extreme.abs() { x } else { extreme });
    (extreme.abs() >= TINY).then_some(extreme)
}

/// The factor for integers −`n_max` to `n_max` − 1, elements counting by their squares: 19 tries around the obvious one.
pub(super) fn symmetric(x: &[f32], n_max: i32) -> f32 {
    let Some(extreme) = extreme(x) else { return 0.0 };
    let sums = |inverse: f32| {
        x.iter().fold((0.0, 0.0), |(x_level, level2), &x| {
            let level = nearest(inverse * x).clamp(-n_max, n_max - 1) as f32;
            let weight = x * x;
            (x_level + weight * x * level, level2 + weight * level * level)
        })
    };
    let n_max = n_max as f32;
    let (x_level, level2) = sums(-n_max / extreme);
    let mut scale = if level2 != 0.0 { x_level / level2 } else { 0.0 };
    let mut best = scale * x_level;
    for step in (-9i8..=9).filter(|&step| step != 0) {
        let (x_level, level2) = sums(-(n_max + 0.1 * f32::from(step)) / extreme);
        if level2 > 0.0 && x_level * x_level > best * level2 {
            scale = x_level / level2;
            best = scale * x_level;
        }
    }
    scale
}

/// The factor for integers −`n_max` to `n_max` − 1: one element after the other is moved to where it fits best while the others
/// stay, up to five rounds.
pub(super) fn coordinate_descent(x: &[f32; 16], n_max: i32) -> f32 {
    let Some(extreme) = extreme(x) else { return 0.0 };
    let inverse = -(n_max as f32) / extreme;
    let clamped = |value: f32| nearest(value).clamp(-n_max, n_max - 1) as f32;
    let mut level = x.map(|x| clamped(inverse * x));
    let (mut x_level, mut level2) = (0.0, 0.0);
    for i in 0..16 {
        let weight = x[i] * x[i];
        x_level += weight * x[i] * level[i];
        level2 += weight * level[i] * level[i];
    }
    for _ in 0..5 {
        let mut has_changed = false;
        for i in 0..16 {
            let weight = x[i] * x[i];
            let (mut rest_x, mut rest2) = (x_level - weight * x[i] * level[i], level2 - weight * level[i] * level[i]);
            let moved = clamped(x[i] * rest2 / rest_x);
            let may_move = rest_x > 0.0 && moved != level[i];
            rest_x += weight * x[i] * moved;
            rest2 += weight * moved * moved;
            if may_move && rest2 > 0.0 && rest_x * rest_x * level2 > x_level * x_level * rest2 {
                (level[i], x_level, level2) = (moved, rest_x, rest2);
                has_changed = true;
            }
        }
        if !has_changed {
            break;
        }
    }
    if level2 > 0.0 { x_level / level2 } else { 0.0 }
}
