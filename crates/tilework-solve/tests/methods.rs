//! Every method on problems whose minimum is known.

use tilework_solve::graph::Scalar;
use tilework_solve::{Family, Instance, Linear, Loss, Manifold, Method, Problem, Reason, SolveOptions};

/// `10(y − x²)` and `1 − x`: the least squares form of Rosenbrock's function, with its minimum at (1, 1).
fn rosenbrock<'g>(at: &Instance<'g>) -> Vec<Scalar<'g>> {
    let (x, y) = (at.param(0)[0], at.param(0)[1]);
    vec![(y - x * x) * 10.0, 1.0 - x]
}

/// Options that go on until nothing moves any more.
fn exact(method: Method) -> SolveOptions<'static> {
    SolveOptions {
        method,
        max_iterations: 2000,
        function_tolerance: 0.0,
        gradient_tolerance: 1e-13,
        parameter_tolerance: 1e-15,
        ..SolveOptions::default()
    }
}

#[test]
fn every_method_finds_the_minimum() {
    for &(name, method) in Method::ALL {
        for &(linear_name, linear) in Linear::ALL {
            let mut problem = Problem::new();
            let points = problem.add_params(2, &[-1.2, 1.0, 2.0, -1.0]).unwrap();
            let family = Family { name: "valley", params: &[(points, &[0, 1])], ..Family::default() };
            problem.add_residuals(family, rosenbrock).unwrap();
            let summary = problem.solve(&SolveOptions { linear, ..exact(method) }).unwrap();
            let worst = problem.values(points).iter().map(|x| (x - 1.0).abs()).fold(0.0, f64::max);
            assert!(worst < 1e-8, "{name}, {linear_name}: {:?} {summary:?}", problem.values(points));
        }
    }
}

#[test]
fn newton_and_lbfgs_minimize_energies_and_others_refuse_them() {
    for &(name, method) in Method::ALL {
        let mut problem = Problem::new();
        let points = problem.add_params(2, &[-1.2, 1.0]).unwrap();
        let family = Family { name: "valley", params: &[(points, &[0])], ..Family::default() };
        problem
            .add_energy(family, |at| {
                let (x, y) = (at.param(0)[0], at.param(0)[1]);
                (y - x * x).square() * 50.0 + (1.0 - x).square() * 0.5
            })
            .unwrap();
        let summary = problem.solve(&exact(method));
        if matches!(method, Method::Newton | Method::Lbfgs) {
            summary.unwrap();
            let worst = problem.values(points).iter().map(|x| (x - 1.0).abs()).fold(0.0, f64::max);
            assert!(worst < 1e-7, "{name}: {:?}", problem.values(points));
        } else {
            assert!(summary.unwrap_err().message().contains("Lbfgs"), "{name}");
        }
    }
}

#[test]
fn bounds_hold_and_the_rest_still_moves() {
    for &(name, method) in Method::ALL {
        let mut problem = Problem::new();
        let points = problem.add_params(2, &[-1.2, 1.0]).unwrap();
        problem.set_bounds(points, 0, 0, -2.0..=0.5).unwrap();
        let family = Family { name: "valley", params: &[(points, &[0])], ..Family::default() };
        problem.add_residuals(family, rosenbrock).unwrap();
        problem.solve(&exact(method)).unwrap();
        let found = problem.values(points);
        assert!((found[0] - 0.5).abs() < 1e-9 && (found[1] - 0.25).abs() < 1e-6, "{name}: {found:?}");
    }
}

#[test]
fn fixed_blocks_stay() {
    let mut problem = Problem::new();
    let points = problem.add_params(1, &[0.0, 5.0]).unwrap();
    problem.set_fixed(points, &[0]).unwrap();
    let family = Family { name: "near", params: &[(points, &[0]), (points, &[1])], ..Family::default() };
    problem.add_residuals(family, |at| vec![at.param(0)[0] - at.param(1)[0]]).unwrap();
    problem.solve(&exact(Method::LevenbergMarquardt)).unwrap();
    assert_eq!(problem.values(points)[0], 0.0);
    assert!(problem.values(points)[1].abs() < 1e-12);
}

#[test]
fn a_robust_loss_ignores_the_outlier() {
    let mean = |loss: Loss| {
        let mut problem = Problem::new();
        let center = problem.add_params(1, &[0.0]).unwrap();
        let data = [1.0, 1.1, 0.9, 1.0, 100.0];
        let family = Family { name: "near", params: &[(center, &[0; 5])], data: &[(1, &data)], loss };
        problem.add_residuals(family, |at| vec![at.param(0)[0] - at.datum(0)[0]]).unwrap();
        problem.solve(&exact(Method::LevenbergMarquardt)).unwrap();
        problem.values(center)[0]
    };
    assert!((mean(Loss::Squared) - 20.8).abs() < 1e-9);
    assert!((mean(Loss::Cauchy { delta: 0.1 }) - 1.0).abs() < 1e-2);
    // Huber's minimum: the four near ones balance a constant pull of δ.
    assert!((mean(Loss::Huber { delta: 0.4 }) - 1.1).abs() < 1e-9);
}

#[test]
fn unit_vectors_stay_unit_vectors() {
    for &(name, method) in Method::ALL {
        let mut problem = Problem::new();
        let axis = problem.add_params(3, &[1.0, 0.0, 0.0]).unwrap();
        problem.set_manifold(axis, Manifold::Sphere).unwrap();
        let target = [0.0, 3.0, 4.0];
        let family = Family { name: "towards", params: &[(axis, &[0])], data: &[(3, &target)], ..Family::default() };
        problem.add_residuals(family, |at| (0..3).map(|k| at.param(0)[k] - at.datum(0)[k]).collect()).unwrap();
        problem.solve(&exact(method)).unwrap();
        let found = problem.values(axis);
        let wanted = [0.0, 0.6, 0.8];
        assert!(found.iter().zip(wanted).all(|(x, y)| (x - y).abs() < 1e-6), "{name}: {found:?}");
    }
}

#[test]
fn the_covariance_of_a_line_is_the_textbooks() {
    // y = a + b·x at x = 0, 1, 2, 3: (JᵀJ)⁻¹ = [[0.7, −0.3], [−0.3, 0.2]].
    let mut problem = Problem::new();
    let line = problem.add_params(2, &[0.0, 0.0]).unwrap();
    let data = [0.0, 1.0, 1.0, 2.0, 2.0, 2.0, 3.0, 5.0];
    let family = Family { name: "line", params: &[(line, &[0; 4])], data: &[(2, &data)], ..Family::default() };
    problem
        .add_residuals(family, |at| {
            let ([a, b], [x, y]) = (at.first(at.param(0)), at.first(at.datum(0)));
            vec![a + b * x - y]
        })
        .unwrap();
    let found = problem.covariance(line, &[0]).unwrap();
    let wanted = [0.7, -0.3, -0.3, 0.2];
    assert!(found[0].iter().zip(wanted).all(|(x, y)| (x - y).abs() < 1e-12), "{found:?}");
    assert!(problem.covariance(line, &[1]).is_err());
}

#[test]
fn undetermined_directions_have_no_covariance_but_a_solution() {
    let mut problem = Problem::new();
    let pair = problem.add_params(1, &[1.0, 3.0]).unwrap();
    let family = Family { name: "sum", params: &[(pair, &[0]), (pair, &[1])], ..Family::default() };
    problem.add_residuals(family, |at| vec![at.param(0)[0] + at.param(1)[0] - 10.0]).unwrap();
    assert!(problem.covariance(pair, &[0]).unwrap_err().message().contains("determine"));
    for &(name, method) in Method::ALL {
        problem.set_values(pair, &[1.0, 3.0]).unwrap();
        let summary = problem.solve(&exact(method)).unwrap();
        assert!(summary.final_cost < 1e-18, "{name}: {summary:?}");
    }
}

#[test]
fn what_cannot_be_solved_says_so_and_keeps_the_values() {
    let mut problem = Problem::new();
    let x = problem.add_params(1, &[-1.0, 7.0]).unwrap();
    assert_eq!(problem.solve(&SolveOptions::default()).unwrap().reason, Reason::Nothing);
    let family = Family { name: "roots", params: &[(x, &[0])], ..Family::default() };
    problem.add_residuals(family, |at| vec![at.param(0)[0].log()]).unwrap();
    let error = problem.solve(&SolveOptions::default()).unwrap_err();
    assert!(error.message().contains("instance 0 of 'roots'"), "{error}");
    assert_eq!(problem.values(x), [-1.0, 7.0]);
    problem.set_values(x, &[2.0, 7.0]).unwrap();
    problem.solve(&exact(Method::LevenbergMarquardt)).unwrap();
    // The second block is in no residual: it stays.
    assert!((problem.values(x)[0] - 1.0).abs() < 1e-9 && problem.values(x)[1] == 7.0);
    let bad = SolveOptions { function_tolerance: f64::NAN, ..SolveOptions::default() };
    assert!(problem.solve(&bad).is_err());
}

#[test]
fn results_are_the_same_bits_with_any_number_of_threads() {
    let solved = |n_threads: usize, linear: Linear| {
        let mut problem = Problem::new();
        let n = 3000u32;
        let values: Vec<f64> = (0..2 * n).map(|k| f64::from(k).sin()).collect();
        let points = problem.add_params(2, &values).unwrap();
        let (from, to): (Vec<u32>, Vec<u32>) = (0..n).map(|k| (k, (k * 7 + 1) % n)).unzip();
        let family = Family { name: "springs", params: &[(points, &from), (points, &to)], ..Family::default() };
        problem
            .add_residuals(family, |at| {
                let (a, b) = (at.vec2(0), at.vec2(1));
                vec![((a.x - b.x).square() + (a.y - b.y).square()).sqrt() - 0.5]
            })
            .unwrap();
        problem.solve(&SolveOptions { n_threads, linear, max_iterations: 5, ..SolveOptions::default() }).unwrap();
        problem.values(points).iter().map(|x| x.to_bits()).collect::<Vec<_>>()
    };
    for linear in [Linear::SparseCholesky, Linear::Pcg] {
        assert_eq!(solved(1, linear), solved(0, linear));
        assert_eq!(solved(0, linear), solved(0, linear));
    }
}
