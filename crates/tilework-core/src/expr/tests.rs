//! Tests of building, simplifying, differentiating and recognising expressions.

use super::*;

fn eval(root: Expr<'_>, x: &[f64]) -> f64 {
    eval_f64(root.graph(), &[root.id()], &|slot| Value::num(x[slot as usize]), &|_| Value::num(0.0))[0].to_f64()
}

/// Points that keep every operation inside its domain, its kinks and poles at a distance.
fn sample(op: ScalarOp) -> Vec<[f64; 2]> {
    use ScalarOp::*;
    match op {
        Acosh => vec![[1.5, 0.0], [4.0, 0.0]],
        Log | Log1p | Log2 | Log10 | Sqrt | Rsqrt | Pow => vec![[0.3, 1.7], [2.5, -0.6]],
        Asin | Acos | Atanh => vec![[-0.7, 0.0], [0.2, 0.0]],
        _ => vec![[0.3, -1.7], [-1.2, 0.7], [2.4, 3.1]],
    }
}

#[test]
fn derivatives_agree_with_finite_differences_to_second_order() {
    // Rounding to a narrower type passes the adjoint on, as conversions do; differences see its steps.
    let is_smooth = |op: &&ScalarOp| {
        op.kind() != Kind::Cast(Scalar::Num) && !matches!(op, ScalarOp::RoundHalf | ScalarOp::RoundBfloat)
    };
    for &op in ScalarOp::ALL.iter().filter(|op| op.is_differentiable()).filter(is_smooth) {
        let graph = Graph::new();
        let x = [graph.leaf(0, Scalar::Num), graph.leaf(1, Scalar::Num)];
        let root = match op {
            ScalarOp::Select => x[0].lt(x[1]).select(x[0].sin(), x[1].cos()),
            _ => graph.apply(op, &x[..op.arity()]),
        };
        let first = gradient(root, &x);
        for (axis, &derivative) in first.iter().enumerate() {
            let second = gradient(derivative, &x);
            for point in sample(op) {
                check(root, derivative, &point, axis, op);
                check(derivative, second[axis], &point, axis, op);
            }
        }
    }
}

fn check(function: Expr<'_>, derivative: Expr<'_>, point: &[f64; 2], axis: usize, op: ScalarOp) {
    let h = 1e-5;
    let at = |shift: f64| {
        let mut moved = *point;
        moved[axis] += shift;
        eval(function, &moved)
    };
    let want = (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h);
    let got = eval(derivative, point);
    assert!((got - want).abs() <= 1e-7 * want.abs().max(1.0), "{} d/d{axis} at {point:?}: {got} for {want}", op.name());
}

#[test]
fn sub_gradients_at_kinks_are_finite_and_shared() {
    let graph = Graph::new();
    let x = [graph.leaf(0, Scalar::Num), graph.leaf(1, Scalar::Num)];
    let slope = |root: Expr<'_>, point: [f64; 2]| eval(gradient(root, &x)[0], &point);
    assert_eq!(slope(x[0].minimum(x[1]), [2.0, 2.0]), 0.5);
    assert_eq!(slope(x[0].maximum(x[1]), [2.0, 2.0]), 0.5);
    assert_eq!(slope(x[0].sqrt(), [0.0, 0.0]), 0.0);
    assert_eq!(slope(x[0].abs(), [0.0, 0.0]), 0.0);
    assert_eq!(slope(x[0].acos(), [1.0, 0.0]), 0.0);
    assert_eq!(slope(x[0].hypot(x[1]), [0.0, 0.0]), 0.0);
    assert_eq!(slope(x[0].atan2(x[1]), [0.0, 0.0]), 0.0);
    assert_eq!(slope(x[0].relu(), [0.0, 0.0]), 0.0);
    // A branch not taken contributes nothing, even at its pole.
    let guarded = x[0].gt(x[0].zero()).select(x[0].log(), x[0]);
    assert_eq!(slope(guarded, [0.0, 0.0]), 1.0);
    let guarded = x[0].gt(x[0].zero()).select(x[1] / x[0], x[0]);
    assert_eq!(slope(guarded, [0.0, 1.0]), 1.0);
}

/// The slope of `y·log(x)` by x is y/x, and that by y again 1/x, also where y is 0; at a pole a zero stays zero.
#[test]
fn mixed_second_derivatives_where_an_adjoint_is_zero() {
    let graph = Graph::new();
    let x = [graph.leaf(0, Scalar::Num), graph.leaf(1, Scalar::Num)];
    let slope = gradient(x[1] * x[0].log(), &x)[0];
    assert_eq!(eval(slope, &[4.0, 0.0]), 0.0);
    assert_eq!(eval(gradient(slope, &x)[1], &[4.0, 0.0]), 0.25);
    assert_eq!(eval(slope, &[0.0, 0.0]), 0.0);
}

#[test]
fn equal_expressions_are_one_node_and_constants_fold() {
    let graph = Graph::new();
    let (x, y) = (graph.leaf(0, Scalar::Num), graph.leaf(1, Scalar::Num));
    assert_eq!((x * y).id(), (y * x).id());
    assert_eq!((x * 1.0).id(), x.id());
    assert_eq!((-(-x)).id(), x.id());
    assert_eq!(x.pow(graph.num(2.0)).id(), (x * x).id());
    assert_eq!((graph.num(2.0).sqrt() * 3.0).constant(), Some(Value::num(2f64.sqrt() * 3.0)));
    // These are not identities: −0 + 0 is +0, and 0·∞ is NaN.
    assert_ne!((x + 0.0).id(), x.id());
    assert_ne!((x * 0.0).constant(), Some(Value::num(0.0)));
}

#[test]
fn signatures_ignore_which_leaf_but_not_which_constant() {
    let graph = Graph::new();
    let leaf = |slot| graph.leaf(slot, Scalar::Num);
    let edge = |i, j| ((leaf(i) - leaf(j)).square() + 1e-12).sqrt();
    let of = |e: Expr<'_>| signature(&graph, &[e.id()]);
    let (forward, leaves, _) = of(edge(3, 7));
    let (backward, swapped, _) = of(edge(7, 3));
    assert_eq!(forward, backward);
    assert_eq!((leaves, swapped), (vec![3, 7], vec![7, 3]));
    let clamp = |low, high| leaf(0).clamp(graph.num(low), graph.num(high));
    assert_ne!(of(clamp(0.0, 1.0)).0, of(clamp(-1.0, 1.0)).0);
    assert_ne!(of(leaf(0) - leaf(0) * 2.0).0, of(leaf(0) - leaf(1) * 2.0).0);
}

#[test]
fn mixed_types_are_converted_not_refused() {
    let graph = Graph::new();
    let i = graph.leaf(0, Scalar::Int);
    assert_eq!((i + graph.num(1.0)).scalar(), Scalar::Num);
    assert_eq!(i.sin().scalar(), Scalar::Num);
    assert_eq!(i.lt(graph.leaf(1, Scalar::Uint)).scalar(), Scalar::Bool);
    assert_eq!(graph.leaf(2, Scalar::Num).bit_and(i).scalar(), Scalar::Uint.min(Scalar::Uint));
    assert_eq!(i.floor_div(graph.constant(Value::Int(0))).scalar(), Scalar::Int);
}
