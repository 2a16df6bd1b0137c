//! Robust losses: how much a residual counts.
//!
//! An instance with residuals `r` costs `½·ρ(s)` with `s = ‖r‖²`. Every loss here has `ρ(0) = 0` and `ρ'(0) = 1`, so that near zero it
//! is plain least squares, and `delta` is the residual at which it begins to differ.
//!
//! Losses are applied by *reweighting*: gradients are exact (`ρ'·Jᵀr`), and the Gauss-Newton matrix is `ρ'·JᵀJ`. The term with `ρ''`
//! that Triggs' correction adds is negative for every loss of this list, and would only make the matrix indefinite; Ceres drops
//! it in that case, too. (B. Triggs et al., *Bundle Adjustment, A Modern Synthesis*, 2000.)

use crate::graph::Scalar;
use tilework_core::dtype::Scalar as Kind;
use tilework_core::expr::{Graph, Value, eval_f64, gradient};
use tilework_core::{Error, Result};

/// A loss function of the squared norm of an instance's residuals.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Loss {
    /// `ρ(s) = s`.
    #[default]
    Squared,
    /// Quadratic below `delta`, linear above.
    Huber {
        /// Where it turns.
        delta: f64,
    },
    /// A smooth Huber: `2δ²(√(1 + s/δ²) − 1)`.
    SoftL1 {
        /// Where it turns.
        delta: f64,
    },
    /// `δ²·ln(1 + s/δ²)`.
    Cauchy {
        /// Where it turns.
        delta: f64,
    },
    /// `δ²·atan(s/δ²)`: bounded.
    Arctan {
        /// Where it turns.
        delta: f64,
    },
    /// Tukey's biweight: constant beyond `delta`.
    Tukey {
        /// Beyond it, a residual no longer counts.
        delta: f64,
    },
    /// `s/(1 + s/δ²)`: bounded.
    GemanMcClure {
        /// Where it turns.
        delta: f64,
    },
    /// `δ²(1 − exp(−s/δ²))`: bounded.
    Welsch {
        /// Where it turns.
        delta: f64,
    },
    /// Barron's family (CVPR 2019), which contains most of the others: 2 is squared, 1 soft L1, 0 Cauchy, −2 Geman-McClure.
    Barron {
        /// The shape.
        alpha: f64,
        /// Where it turns.
        delta: f64,
    },
}

/// Makes a loss that turns at `delta`.
type Make = fn(f64) -> Loss;

/// Names of the losses that take one number.
const BY_NAME: &[(&str, Make)] = &[
    ("huber", |delta| Loss::Huber { delta }),
    ("soft-l1", |delta| Loss::SoftL1 { delta }),
    ("cauchy", |delta| Loss::Cauchy { delta }),
    ("arctan", |delta| Loss::Arctan { delta }),
    ("tukey", |delta| Loss::Tukey { delta }),
    ("geman-mcclure", |delta| Loss::GemanMcClure { delta }),
    ("welsch", |delta| Loss::Welsch { delta }),
];

impl Loss {
    /// The loss called `name`: `squared`, or one of `huber`, `soft-l1`, `cauchy`, `arctan`, `tukey`, `geman-mcclure`, `welsch`
    /// with a `delta`.
    pub fn by_name(name: &str, delta: f64) -> Result<Loss> {
        if name == "squared" {
            return Ok(Loss::Squared);
        }
        let found = BY_NAME.iter().find(|(known, _)| *known == name);
        let names: Vec<&str> = BY_NAME.iter().map(|(name, _)| *name).collect();
        let (_, make) = found.ok_or_else(|| {
            Error::argument("loss", format!("there is no loss `{name}`; there are squared, {}", names.join(", ")))
        })?;
        let loss = make(delta);
        loss.check()?;
        Ok(loss)
    }

    /// Fails if a number of it is not one it can work with.
    pub fn check(self) -> Result<()> {
        let delta = self.delta();
        if !(delta.is_finite() && delta > 0.0) {
            return Err(Error::argument("loss", format!("delta must be positive and finite, given {delta}")));
        }
        match self {
            Loss::Barron { alpha, .. } if !alpha.is_finite() || alpha > 2.0 => {
                Err(Error::argument("loss", format!("the shape of Barron's loss must be at most 2, given {alpha}")))
            }
            _ => Ok(()),
        }
    }

    /// Whether it is plain least squares.
    pub fn is_squared(self) -> bool {
        matches!(self, Loss::Squared | Loss::Barron { alpha: 2.0, .. })
    }

    /// `ρ(s)` as an expression.
    pub fn rho<'g>(self, s: Scalar<'g>) -> Scalar<'g> {
        let square = self.delta() * self.delta();
        let scaled = s / square;
        match self {
            Loss::Squared => s,
            Loss::Huber { delta } => {
                let is_inside = s.le(s.graph().num(square));
                // The root of what is inside is not taken, so that its slope at 0 cannot matter.
                let outside = is_inside.select(s.graph().num(square), s).sqrt() * (2.0 * delta) - square;
                is_inside.select(s, outside)
            }
            Loss::SoftL1 { .. } => ((scaled + 1.0).sqrt() - 1.0) * (2.0 * square),
            Loss::Cauchy { .. } => scaled.log1p() * square,
            Loss::Arctan { .. } => scaled.atan() * square,
            Loss::Tukey { .. } => {
                let rest = (1.0 - scaled).maximum(s.zero());
                (1.0 - rest * rest * rest) * (square / 3.0)
            }
            Loss::GemanMcClure { .. } => s / (scaled + 1.0),
            Loss::Welsch { .. } => -(-scaled).expm1() * square,
            Loss::Barron { alpha, .. } => barron(alpha, scaled) * (2.0 * square),
        }
    }

    /// A function that gives `ρ(s)` and `ρ'(s)`.
    pub fn curve(self) -> impl Fn(f64) -> [f64; 2] {
        let graph = Graph::new();
        let leaf = graph.leaf(0, Kind::Num);
        let rho = self.rho(leaf);
        let roots = [rho.id(), gradient(rho, &[leaf])[0].id()];
        move |s| {
            if self.is_squared() {
                return [s, 1.0];
            }
            let values = eval_f64(&graph, &roots, &|_| Value::num(s), &|_| Value::num(0.0));
            [values[0].to_f64(), values[1].to_f64()]
        }
    }

    /// `ρ(s)` and `ρ'(s)`.
    pub fn at(self, s: f64) -> [f64; 2] {
        self.curve()(s)
    }

    /// The numbers it is made of, for keys.
    pub(crate) fn bits(self) -> [u64; 3] {
        let kind = match self {
            Loss::Squared => 0,
            Loss::Huber { .. } => 1,
            Loss::SoftL1 { .. } => 2,
            Loss::Cauchy { .. } => 3,
            Loss::Arctan { .. } => 4,
            Loss::Tukey { .. } => 5,
            Loss::GemanMcClure { .. } => 6,
            Loss::Welsch { .. } => 7,
            Loss::Barron { .. } => 8,
        };
        let alpha = if let Loss::Barron { alpha, .. } = self { alpha } else { 0.0 };
        [kind, self.delta().to_bits(), alpha.to_bits()]
    }

    fn delta(self) -> f64 {
        match self {
            Loss::Squared => 1.0,
            Loss::Huber { delta }
            | Loss::SoftL1 { delta }
            | Loss::Cauchy { delta }
            | Loss::Arctan { delta }
            | Loss::Tukey { delta }
            | Loss::GemanMcClure { delta }
            | Loss::Welsch { delta }
            | Loss::Barron { delta, .. } => delta,
        }
    }
}

/// Barron's loss of a residual whose square over `delta²` is `scaled`, halved at the origin as in his paper.
fn barron<'g>(alpha: f64, scaled: Scalar<'g>) -> Scalar<'g> {
    if alpha == 2.0 {
        scaled * 0.5
    } else if alpha == 0.0 {
        (scaled * 0.5).log1p()
    } else {
        let bend = (alpha - 2.0).abs();
        let power = (scaled / bend + 1.0).pow(scaled.graph().num(alpha / 2.0));
        (power - 1.0) * (bend / alpha)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: &[Loss] = &[
        Loss::Squared,
        Loss::Huber { delta: 1.5 },
        Loss::SoftL1 { delta: 1.5 },
        Loss::Cauchy { delta: 1.5 },
        Loss::Arctan { delta: 1.5 },
        Loss::Tukey { delta: 1.5 },
        Loss::GemanMcClure { delta: 1.5 },
        Loss::Welsch { delta: 1.5 },
        Loss::Barron { alpha: 2.0, delta: 1.5 },
        Loss::Barron { alpha: 0.0, delta: 1.5 },
        Loss::Barron { alpha: 1.0, delta: 1.5 },
        Loss::Barron { alpha: -2.0, delta: 1.5 },
    ];

    #[test]
    fn losses_are_squares_near_zero() {
        for &loss in ALL {
            let [value, slope] = loss.at(0.0);
            assert!(value.abs() < 1e-15 && (slope - 1.0).abs() < 1e-15, "{loss:?}: {value} {slope}");
        }
    }

    #[test]
    fn slopes_are_derivatives_and_never_negative() {
        for &loss in ALL {
            for s in [0.1, 1.0, 2.0, 2.3, 10.0, 1e4] {
                let step = 1e-5 * s;
                let numeric = (loss.at(s + step)[0] - loss.at(s - step)[0]) / (2.0 * step);
                let slope = loss.at(s)[1];
                assert!((slope - numeric).abs() < 1e-6 && slope >= 0.0, "{loss:?} at {s}: {slope} {numeric}");
            }
        }
    }

    #[test]
    fn known_values() {
        let close = |loss: Loss, s: f64, value: f64| assert!((loss.at(s)[0] - value).abs() < 1e-12, "{loss:?}");
        close(Loss::Huber { delta: 1.5 }, 16.0, 2.0 * 1.5 * 4.0 - 2.25);
        close(Loss::Tukey { delta: 1.5 }, 100.0, 0.75);
        close(Loss::Cauchy { delta: 2.0 }, 4.0, 4.0 * 2f64.ln());
        close(Loss::Arctan { delta: 1.0 }, 1.0, std::f64::consts::FRAC_PI_4);
        // Members of Barron's family that have names of their own.
        let s = 3.7;
        close(Loss::Barron { alpha: 1.0, delta: 1.5 }, s, Loss::SoftL1 { delta: 1.5 }.at(s)[0]);
        close(Loss::Barron { alpha: 0.0, delta: 1.5 }, s, Loss::Cauchy { delta: 1.5 * 2f64.sqrt() }.at(s)[0]);
        close(Loss::Barron { alpha: -2.0, delta: 1.5 }, s, Loss::GemanMcClure { delta: 3.0 }.at(s)[0]);
    }

    #[test]
    fn impossible_numbers_are_refused() {
        assert!(Loss::by_name("huber", 0.0).is_err());
        assert!(Loss::by_name("cauchy", f64::NAN).is_err());
        assert!(Loss::Barron { alpha: 3.0, delta: 1.0 }.check().is_err());
        let message = Loss::by_name("hubber", 1.0).unwrap_err().to_string();
        assert!(message.contains("huber, soft-l1"), "{message}");
    }
}
