//! Inputs that have no good answer: a clear outcome, and nothing lost.

use tilework_solve::formats::Mesh;
use tilework_solve::problems::mesh::{Energy, MeshProblem, icosphere};
use tilework_solve::{Family, Linear, Loss, Method, Problem, Reason, SolveOptions};

const ALL_METHODS: [Method; 5] =
    [Method::LevenbergMarquardt, Method::Dogleg, Method::GaussNewton, Method::Lbfgs, Method::Newton];

fn by(method: Method) -> SolveOptions<'static> {
    SolveOptions { method, n_threads: 1, ..SolveOptions::default() }
}

#[test]
fn an_empty_problem_has_nothing_to_minimize() {
    for method in ALL_METHODS {
        let summary = Problem::new().solve(&by(method)).unwrap();
        assert_eq!((summary.reason, summary.final_cost), (Reason::Nothing, 0.0), "{method:?}");
        assert!(summary.final_cost.is_sign_positive(), "{method:?}");
        let mut unused = Problem::new();
        let params = unused.add_params(2, &[1.0, 2.0]).unwrap();
        assert_eq!(unused.solve(&by(method)).unwrap().reason, Reason::Nothing);
        assert_eq!(unused.values(params), [1.0, 2.0]);
    }
}

#[test]
fn a_parameter_no_residual_uses_keeps_its_value() {
    for method in ALL_METHODS {
        let mut problem = Problem::new();
        let params = problem.add_params(1, &[5.0, 7.0, 9.0]).unwrap();
        let family = Family { name: "to one", params: &[(params, &[0, 2])], ..Family::default() };
        problem.add_residuals(family, |at| vec![at.param(0)[0] - 1.0]).unwrap();
        let summary = problem.solve(&by(method)).unwrap();
        let found = problem.values(params);
        assert!((found[0] - 1.0).abs() < 1e-6 && (found[2] - 1.0).abs() < 1e-6, "{method:?}: {found:?} {summary:?}");
        assert_eq!(found[1], 7.0);
    }
}

#[test]
fn residuals_that_are_no_numbers_at_the_start_are_named() {
    for (start, said) in [(-1.0, "NaN"), (0.0, "inf")] {
        for method in ALL_METHODS {
            let mut problem = Problem::new();
            let params = problem.add_params(1, &[1.0, start]).unwrap();
            let family = Family { name: "logarithm", params: &[(params, &[0, 1])], ..Family::default() };
            problem.add_residuals(family, |at| vec![at.param(0)[0].log()]).unwrap();
            let message = problem.solve(&by(method)).unwrap_err().to_string();
            assert!(message.contains("instance 1 of 'logarithm'") && message.contains(said), "{message}");
            assert_eq!(problem.values(params), [1.0, start]);
        }
    }
}

#[test]
fn steps_into_what_is_not_finite_are_not_taken() {
    for method in ALL_METHODS {
        let mut problem = Problem::new();
        let params = problem.add_params(1, &[3.0]).unwrap();
        let family = Family { name: "edge", params: &[(params, &[0])], ..Family::default() };
        // Its minimum would be at −1, where there is no logarithm: a full step from 3 lands there.
        problem.add_residuals(family, |at| vec![at.param(0)[0] + 1.0, at.param(0)[0].log() * 1e-3]).unwrap();
        let summary = problem.solve(&by(method)).unwrap();
        let found = problem.values(params)[0];
        assert!(found > 0.0 && found < 3.0, "{method:?}: {found}");
        assert!(summary.final_cost.is_finite() && summary.final_cost < summary.initial_cost, "{summary:?}");
    }
}

#[test]
fn singular_systems_are_solved_as_far_as_they_go() {
    for linear in [Linear::DenseQr, Linear::SparseCholesky, Linear::Pcg] {
        for method in [Method::LevenbergMarquardt, Method::Dogleg, Method::GaussNewton] {
            let mut problem = Problem::new();
            let params = problem.add_params(2, &[1.0, 5.0]).unwrap();
            let family = Family { name: "sum", params: &[(params, &[0])], ..Family::default() };
            // Only the sum matters: one direction has no curvature at all.
            problem.add_residuals(family, |at| vec![at.param(0)[0] + at.param(0)[1] - 2.0]).unwrap();
            let summary = problem.solve(&SolveOptions { linear, ..by(method) }).unwrap();
            let found = problem.values(params);
            assert!((found[0] + found[1] - 2.0).abs() < 1e-4, "{method:?} {linear:?}: {found:?} {:?}", summary.reason);
        }
    }
}

#[test]
fn zero_length_edges_and_flat_triangles_stay_finite() {
    // Two vertices in one place, and three on a line.
    let mut mesh = icosphere(1).unwrap();
    mesh.positions[13] = mesh.positions[12];
    let [a, b, c] = mesh.faces[60];
    mesh.positions[c as usize] =
        std::array::from_fn(|k| 0.5 * (mesh.positions[a as usize][k] + mesh.positions[b as usize][k]));
    for &(name, energy, _) in Energy::ALL {
        let mut problem = MeshProblem::new(&mesh).unwrap();
        problem.add(energy, 1.0).unwrap();
        problem.add(Energy::Hold, 0.1).unwrap();
        let options = SolveOptions { max_iterations: 10, ..by(problem.method()) };
        let summary = problem.problem.solve(&options).unwrap();
        assert!(summary.final_cost <= summary.initial_cost && summary.final_cost.is_finite(), "{name}: {summary:?}");
        assert!(problem.result().positions.iter().flatten().all(|x| x.is_finite()), "{name}");
    }
    let point = Mesh { positions: vec![[1.0; 3]; 3], faces: vec![[0, 1, 2]] };
    let mut collapsed = MeshProblem::new(&point).unwrap();
    Energy::ALL.iter().for_each(|&(_, energy, _)| collapsed.add(energy, 1.0).unwrap());
    let summary = collapsed.problem.solve(&by(Method::Lbfgs)).unwrap();
    assert!(summary.final_cost.is_finite(), "{summary:?}");
}

#[test]
fn a_callback_may_stop_it_and_keeps_what_there_is() {
    let mut problem = Problem::new();
    let params = problem.add_params(1, &[10.0]).unwrap();
    let family = Family { name: "square", params: &[(params, &[0])], loss: Loss::Squared, ..Family::default() };
    problem.add_residuals(family, |at| vec![at.param(0)[0].square() - 2.0]).unwrap();
    let stop = |iteration: &tilework_solve::Iteration| match iteration.number {
        2.. => tilework_solve::Control::Stop,
        _ => tilework_solve::Control::Continue,
    };
    let summary = problem.solve(&SolveOptions { on_iteration: Some(&stop), ..SolveOptions::default() }).unwrap();
    assert_eq!((summary.reason, summary.n_iterations()), (Reason::Stopped, 2));
    assert!(problem.values(params)[0] < 10.0);
}
