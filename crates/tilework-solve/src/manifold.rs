//! Manifolds: parameters that are not free in all directions.
//!
//! A block on a manifold has `dim` numbers and fewer *tangent* directions, in which a step is taken: `plus(x, δ)` walks from `x` along
//! `δ` and stays on the manifold. Kernels differentiate by `δ` at 0: the derivative by the numbers times `∂plus/∂δ`, which is what
//! [`Manifold::basis`] gives as expressions, so that derivatives by tangents are computed where residuals are.

use crate::graph::Scalar;
use tilework_core::{Error, Result};

/// Where the blocks of a set of parameters live.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Manifold {
    /// All numbers are free.
    #[default]
    Euclidean,
    /// Unit vectors of any dimension above 1.
    Sphere,
    /// Unit quaternions `w, x, y, z`; a step is a rotation vector in the body's frame.
    Quaternion,
    /// An angle in radians, kept within (−π, π].
    So2,
    /// Rotations in space, stored as unit quaternions.
    So3,
    /// `x, y, angle`: rigid motions of the plane.
    Se2,
    /// `x, y, z` and a unit quaternion `w, x, y, z`: rigid motions of space.
    Se3,
}

impl Manifold {
    /// Fails if blocks of `dim` numbers cannot live on it.
    pub fn check(self, dim: usize) -> Result<()> {
        let wanted = match self {
            Manifold::Euclidean => return Ok(()),
            Manifold::Sphere if dim >= 2 => return Ok(()),
            Manifold::Sphere => "at least 2",
            Manifold::Quaternion | Manifold::So3 => "4",
            Manifold::So2 => "1",
            Manifold::Se2 => "3",
            Manifold::Se3 => "7",
        };
        if wanted == dim.to_string() {
            return Ok(());
        }
        Err(Error::argument("set_manifold", format!("{self:?} has {wanted} numbers to a block, these have {dim}")))
    }

    /// Directions a block of `dim` numbers can move in.
    pub fn tangent_dim(self, dim: usize) -> usize {
        match self {
            Manifold::Euclidean | Manifold::So2 | Manifold::Se2 => dim,
            Manifold::Sphere | Manifold::Quaternion | Manifold::So3 | Manifold::Se3 => dim - 1,
        }
    }

    /// Whether a step is simply added to the numbers.
    pub fn is_flat(self) -> bool {
        matches!(self, Manifold::Euclidean | Manifold::So2 | Manifold::Se2)
    }

    /// Walks from `x` along `step` (of [`Self::tangent_dim`] numbers).
    pub fn plus(self, x: &mut [f64], step: &[f64]) {
        match self {
            Manifold::Euclidean => add(x, step),
            Manifold::So2 => {
                add(x, step);
                x[0] = wrapped(x[0]);
            }
            Manifold::Se2 => {
                add(x, step);
                x[2] = wrapped(x[2]);
            }
            Manifold::Sphere => sphere_plus(x, step),
            Manifold::Quaternion | Manifold::So3 => quaternion_plus(x, step),
            Manifold::Se3 => {
                let (position, rotation) = x.split_at_mut(3);
                add(position, &step[..3]);
                quaternion_plus(rotation, &step[3..]);
            }
        }
    }

    /// `x` moved onto the manifold, if it is only nearly there; false if it is nowhere near (a quaternion of zeros).
    pub fn project(self, x: &mut [f64]) -> bool {
        match self {
            Manifold::Euclidean => true,
            Manifold::So2 | Manifold::Se2 => {
                let angle = x.len() - 1;
                x[angle] = wrapped(x[angle]);
                true
            }
            Manifold::Sphere | Manifold::Quaternion | Manifold::So3 => normalize(x),
            Manifold::Se3 => normalize(&mut x[3..]),
        }
    }

    /// `∂plus(x, δ)/∂δ` at 0: row by number, column by tangent; `None` where it is 0 whatever `x` is. Flat manifolds have no basis:
    /// theirs is the identity.
    pub(crate) fn basis<'g>(self, x: &[Scalar<'g>]) -> Option<Vec<Vec<Option<Scalar<'g>>>>> {
        match self {
            Manifold::Euclidean | Manifold::So2 | Manifold::Se2 => None,
            Manifold::Sphere => Some(sphere_basis(x)),
            Manifold::Quaternion | Manifold::So3 => Some(quaternion_basis(x)),
            Manifold::Se3 => {
                let one = x[0].graph().num(1.0);
                let straight = |row: usize| (0..6).map(|col| (row == col).then_some(one)).collect();
                let mut rows: Vec<Vec<_>> = (0..3).map(straight).collect();
                rows.extend(quaternion_basis(&x[3..]).into_iter().map(|row| [vec![None; 3], row].concat()));
                Some(rows)
            }
        }
    }
}

fn add(x: &mut [f64], step: &[f64]) {
    x.iter_mut().zip(step).for_each(|(x, step)| *x += step);
}

/// The same angle within (−π, π].
fn wrapped(angle_rad: f64) -> f64 {
    use std::f64::consts::{PI, TAU};
    if angle_rad.abs() <= PI {
        return angle_rad;
    }
    let rest = angle_rad.rem_euclid(TAU);
    if rest > PI { rest - TAU } else { rest }
}

fn normalize(x: &mut [f64]) -> bool {
    let norm = x.iter().map(|x| x * x).sum::<f64>().sqrt();
    let is_direction = norm.is_finite() && norm > 0.0;
    if is_direction {
        x.iter_mut().for_each(|x| *x /= norm);
    }
    is_direction
}

/// `q·exp(δ/2)`.
fn quaternion_plus(q: &mut [f64], step: &[f64]) {
    let angle = step.iter().map(|s| s * s).sum::<f64>().sqrt();
    // sin(angle/2)/angle, by its series where the division would lose digits.
    let half = if angle < 1e-4 { 0.5 - angle * angle / 48.0 } else { (angle / 2.0).sin() / angle };
    let (c, [a, b, d]) = ((angle / 2.0).cos(), [step[0] * half, step[1] * half, step[2] * half]);
    let [w, x, y, z] = [q[0], q[1], q[2], q[3]];
    q[0] = w * c - x * a - y * b - z * d;
    q[1] = w * a + x * c + y * d - z * b;
    q[2] = w * b - x * d + y * c + z * a;
    q[3] = w * d + x * b - y * a + z * c;
    normalize(q);
}

fn quaternion_basis<'g>(q: &[Scalar<'g>]) -> Vec<Vec<Option<Scalar<'g>>>> {
    let half: Vec<Scalar<'g>> = q.iter().map(|&q| q * 0.5).collect();
    let [w, x, y, z] = [half[0], half[1], half[2], half[3]];
    vec![
        vec![Some(-x), Some(-y), Some(-z)],
        vec![Some(w), Some(-z), Some(y)],
        vec![Some(z), Some(w), Some(-x)],
        vec![Some(-y), Some(x), Some(w)],
    ]
}

/// The directions orthogonal to `x`: columns of the reflection that takes the last axis to ∓`x`.
fn sphere_columns(x: &[f64]) -> impl Fn(usize, usize) -> f64 + '_ {
    let last = x.len() - 1;
    let sign = if x[last] < 0.0 { -1.0 } else { 1.0 };
    let v = move |k: usize| if k == last { x[k] + sign } else { x[k] };
    let scale = 1.0 + x[last].abs();
    move |row, col| f64::from(u8::from(row == col)) - v(row) * v(col) / scale
}

fn sphere_plus(x: &mut [f64], step: &[f64]) {
    let angle = step.iter().map(|s| s * s).sum::<f64>().sqrt();
    let sinc = if angle < 1e-4 { 1.0 - angle * angle / 6.0 } else { angle.sin() / angle };
    let column = sphere_columns(x);
    let moved: Vec<f64> = (0..x.len())
        .map(|row| {
            let across: f64 = step.iter().enumerate().map(|(col, step)| column(row, col) * step).sum();
            x[row] * angle.cos() + across * sinc
        })
        .collect();
    drop(column);
    x.copy_from_slice(&moved);
    normalize(x);
}

fn sphere_basis<'g>(x: &[Scalar<'g>]) -> Vec<Vec<Option<Scalar<'g>>>> {
    let last = x.len() - 1;
    let graph = x[0].graph();
    let sign = x[last].lt(x[last].zero()).select(graph.num(-1.0), graph.num(1.0));
    let v: Vec<Scalar<'g>> = (0..x.len()).map(|k| if k == last { x[k] + sign } else { x[k] }).collect();
    let scale = (x[last].abs() + 1.0).recip();
    let entry = |row: usize, col: usize| {
        let across = v[row] * v[col] * scale;
        Some(if row == col { 1.0 - across } else { -across })
    };
    (0..x.len()).map(|row| (0..last).map(|col| entry(row, col)).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilework_core::dtype::Scalar as Kind;
    use tilework_core::expr::{Graph, Value, eval_f64};

    const SOME: &[(Manifold, &[f64])] = &[
        (Manifold::Sphere, &[0.6, 0.0, 0.8]),
        (Manifold::Sphere, &[0.6, 0.0, -0.8]),
        (Manifold::Sphere, &[0.0, 0.0, 0.0, -1.0]),
        (Manifold::Quaternion, &[0.5, -0.5, 0.5, 0.5]),
        (Manifold::Se3, &[1.0, 2.0, 3.0, 0.6, 0.0, 0.8, 0.0]),
    ];

    #[test]
    fn the_basis_is_the_derivative_of_a_step() {
        for &(manifold, x) in SOME {
            let graph = Graph::new();
            let leaves: Vec<_> = (0..x.len()).map(|k| graph.leaf(k as u32, Kind::Num)).collect();
            let basis = manifold.basis(&leaves).unwrap();
            let n_tangents = manifold.tangent_dim(x.len());
            for col in 0..n_tangents {
                let step = |h: f64| {
                    let mut step = vec![0.0; n_tangents];
                    step[col] = h;
                    let mut moved = x.to_vec();
                    manifold.plus(&mut moved, &step);
                    moved
                };
                let (up, down) = (step(1e-5), step(-1e-5));
                for row in 0..x.len() {
                    let numeric = (up[row] - down[row]) / 2e-5;
                    let exact = basis[row][col].map_or(0.0, |entry| {
                        let leaf = |slot: u32| Value::num(x[slot as usize]);
                        eval_f64(&graph, &[entry.id()], &leaf, &|_| Value::num(0.0))[0].to_f64()
                    });
                    assert!((exact - numeric).abs() < 1e-9, "{manifold:?} [{row}, {col}]: {exact} {numeric}");
                }
            }
        }
    }

    #[test]
    fn steps_stay_on_the_manifold() {
        for &(manifold, x) in SOME {
            let mut moved = x.to_vec();
            manifold.plus(&mut moved, &vec![0.7; manifold.tangent_dim(x.len())]);
            let direction = if manifold == Manifold::Se3 { &moved[3..] } else { &moved };
            let norm: f64 = direction.iter().map(|x| x * x).sum();
            assert!((norm - 1.0).abs() < 1e-14, "{manifold:?}");
            assert_ne!(moved, x);
        }
        let mut pose = [1.0, 2.0, 3.0];
        Manifold::Se2.plus(&mut pose, &[0.0, 0.0, 1.0]);
        assert!((pose[2] - (4.0 - std::f64::consts::TAU)).abs() < 1e-15);
    }

    #[test]
    fn what_is_no_direction_is_refused() {
        assert!(!Manifold::Quaternion.project(&mut [0.0; 4]));
        assert!(!Manifold::Sphere.project(&mut [f64::NAN, 1.0]));
        assert!(Manifold::Quaternion.check(3).is_err() && Manifold::Sphere.check(1).is_err());
    }
}
