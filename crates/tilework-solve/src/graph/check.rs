//! Helpers of the tests of this folder: values and derivatives of expressions, against finite differences.

use super::Scalar;
use tilework_core::dtype::Scalar as Kind;
use tilework_core::expr::{Graph, Value, eval_f64, gradient};

/// A function that is not generic over graphs could not be evaluated in several.
pub(crate) trait Function: for<'g> Fn(&[Scalar<'g>]) -> Vec<Scalar<'g>> {}
impl<F: for<'g> Fn(&[Scalar<'g>]) -> Vec<Scalar<'g>>> Function for F {}

/// What `function` is at `x`.
pub(crate) fn value(x: &[f64], function: impl Function) -> Vec<f64> {
    let graph = Graph::new();
    let leaves: Vec<_> = (0..x.len() as u32).map(|slot| graph.leaf(slot, Kind::Num)).collect();
    let roots: Vec<_> = function(&leaves).iter().map(|root| root.id()).collect();
    numbers(&graph, &roots, x)
}

/// Its derivatives at `x`, row by result.
pub(crate) fn slopes(x: &[f64], function: &impl Function) -> Vec<Vec<f64>> {
    let graph = Graph::new();
    let leaves: Vec<_> = (0..x.len() as u32).map(|slot| graph.leaf(slot, Kind::Num)).collect();
    let rows = function(&leaves).into_iter().map(|root| {
        let slopes: Vec<_> = gradient(root, &leaves).iter().map(|slope| slope.id()).collect();
        numbers(&graph, &slopes, x)
    });
    rows.collect()
}

fn numbers(graph: &Graph, roots: &[tilework_core::expr::Id], x: &[f64]) -> Vec<f64> {
    let leaf = |slot: u32| Value::num(x[slot as usize]);
    eval_f64(graph, roots, &leaf, &|_| Value::num(0.0)).iter().map(|value| value.to_f64()).collect()
}

/// Fails unless derivatives at `x` are those of finite differences of fourth order.
pub(crate) fn check(x: &[f64], function: impl Function) {
    let exact = slopes(x, &function);
    for column in 0..x.len() {
        let step = 1e-3 * x[column].abs().max(0.1);
        let at = |steps: f64| {
            let mut moved = x.to_vec();
            moved[column] += steps * step;
            value(&moved, &function)
        };
        let [far_left, left, right, far_right] = [-2.0, -1.0, 1.0, 2.0].map(at);
        for row in 0..exact.len() {
            let numeric = (far_left[row] - 8.0 * left[row] + 8.0 * right[row] - far_right[row]) / (12.0 * step);
            let error = (exact[row][column] - numeric).abs();
            let scale = numeric.abs().max(1.0);
            assert!(error < 1e-7 * scale, "result {row} by {column}: {} but {numeric}", exact[row][column]);
        }
    }
}

/// Fails unless values and derivatives at `x` are finite.
pub(crate) fn finite(x: &[f64], function: impl Function) {
    let values = value(x, &function);
    assert!(values.iter().all(|value| value.is_finite()), "{values:?} at {x:?}");
    let slopes = slopes(x, &function);
    assert!(slopes.iter().flatten().all(|slope| slope.is_finite()), "{slopes:?} at {x:?}");
}

pub(crate) fn assert_close(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (found_one, expected_one) in found.iter().zip(expected) {
        assert!((found_one - expected_one).abs() <= tolerance, "{found:?} but {expected:?}");
    }
}
