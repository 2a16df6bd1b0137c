//! Levenberg and Marquardt on a device, against the CPU and against certified values.
#![allow(clippy::print_stderr, reason = "a skipped test must say so, and others print what they measure")]

mod device;

use device::{double_float, open};
use tilework_gpu::Gpu;
use tilework_solve::gpu::{GpuSolver, Precision};
use tilework_solve::{Control, Family, Linear, Loss, Manifold, Method, Params, Problem, Reason, SolveOptions, Summary};

/// What this device computes right.
fn precisions(gpu: &Gpu) -> Vec<Precision> {
    let has_doubles = gpu.caps().shader_f64;
    [Precision::F32, double_float(gpu)].into_iter().chain(has_doubles.then_some(Precision::F64)).collect()
}

/// Numbers between -1 and 1 that look random.
fn noise(seed: u32) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(12345);
    move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 8) / f64::from(1u32 << 23) - 1.0
    }
}

fn exact() -> SolveOptions<'static> {
    SolveOptions {
        max_iterations: 300,
        function_tolerance: 1e-16,
        gradient_tolerance: 1e-14,
        parameter_tolerance: 1e-14,
        ..SolveOptions::default()
    }
}

fn solve(problem: &mut Problem, gpu: &Gpu, precision: Precision, options: &SolveOptions<'_>) -> Summary {
    pollster::block_on(problem.solve_on(gpu, precision, options)).unwrap()
}

/// Points near a circle of radius 2 around (1, -0.5), with a few outliers that Cauchy's loss forgives.
fn circle() -> (Problem, Params) {
    let mut problem = Problem::new();
    let circle = problem.add_params(3, &[0.0, 0.0, 1.0]).unwrap();
    let mut number = noise(1);
    let points: Vec<f64> = (0..300)
        .flat_map(|k| {
            let angle = f64::from(k) * 0.1;
            let r = 2.0 + 0.01 * number() + if k % 37 == 0 { 3.0 } else { 0.0 };
            [1.0 + r * angle.cos(), -0.5 + r * angle.sin()]
        })
        .collect();
    let family = Family {
        name: "circle",
        params: &[(circle, &[0; 300])],
        data: &[(2, &points)],
        loss: Loss::Cauchy { delta: 0.05 },
    };
    problem
        .add_residuals(family, |at| {
            let (c, p) = (at.param(0), at.datum(0));
            vec![((p[0] - c[0]).square() + (p[1] - c[1]).square()).sqrt() - c[2]]
        })
        .unwrap();
    (problem, circle)
}

#[test]
fn a_circle_is_fitted_as_on_the_cpu() {
    let Some(gpu) = open() else { return };
    let (mut expected, params) = circle();
    let cpu = expected.solve(&exact()).unwrap();
    for precision in precisions(&gpu) {
        let (mut problem, _) = circle();
        let summary = solve(&mut problem, &gpu, precision, &exact());
        let tolerance = if precision == Precision::F32 { 1e-4 } else { 1e-9 };
        for (found, expected) in problem.values(params).iter().zip(expected.values(params)) {
            assert!((found - expected).abs() < tolerance, "{precision}: {found} {expected} {:?}", summary.reason);
        }
        assert!((summary.final_cost - cpu.final_cost).abs() < tolerance * cpu.final_cost, "{precision}");
        assert!(summary.reason.is_converged(), "{precision}: {:?}", summary.reason);
        eprintln!("circle, {precision}: {} iterations, CPU {}", summary.n_iterations(), cpu.n_iterations());
    }
}

#[test]
fn valleys_are_followed_to_their_minimum() {
    let Some(gpu) = open() else { return };
    for precision in precisions(&gpu) {
        let mut problem = Problem::new();
        let points = problem.add_params(2, &[-1.2, 1.0, 2.0, -1.0, 5.0, 6.0]).unwrap();
        problem.set_fixed(points, &[2]).unwrap();
        let family = Family { name: "valley", params: &[(points, &[0, 1, 2])], ..Family::default() };
        problem
            .add_residuals(family, |at| {
                let (x, y) = (at.param(0)[0], at.param(0)[1]);
                vec![(y - x * x) * 10.0, 1.0 - x]
            })
            .unwrap();
        let summary = solve(&mut problem, &gpu, precision, &exact());
        let tolerance = if precision == Precision::F32 { 1e-4 } else { 1e-9 };
        let found = problem.values(points);
        assert!(found[..4].iter().all(|x| (x - 1.0).abs() < tolerance), "{precision}: {found:?} {:?}", summary.reason);
        assert_eq!(found[4..], [5.0, 6.0], "{precision}: fixed");
    }
}

/// Poses of a robot that drives two rounds and knows some of its places again.
fn pose_graph() -> Problem {
    let n = 40;
    let mut number = noise(2);
    let truth: Vec<[f64; 3]> = (0..n)
        .map(|k| {
            let angle = f64::from(k) * std::f64::consts::TAU / 20.0;
            [3.0 * angle.cos(), 3.0 * angle.sin(), angle]
        })
        .collect();
    let start: Vec<f64> = truth.iter().flatten().map(|x| x + 0.1 * number()).collect();
    let mut problem = Problem::new();
    let poses = problem.add_params(3, &start).unwrap();
    problem.set_manifold(poses, Manifold::Se2).unwrap();
    problem.set_fixed(poses, &[0]).unwrap();
    let (mut from, mut to, mut measured) = (Vec::new(), Vec::new(), Vec::new());
    for i in 0..n as usize {
        for j in [i + 1, i + 20].into_iter().filter(|j| *j < n as usize) {
            let ([xa, ya, ta], [xb, yb, tb]) = (truth[i], truth[j]);
            let (c, s) = (ta.cos(), ta.sin());
            let exact = [c * (xb - xa) + s * (yb - ya), c * (yb - ya) - s * (xb - xa), tb - ta];
            measured.extend(exact.map(|x| x + 0.02 * number()));
            from.push(i as u32);
            to.push(j as u32);
        }
    }
    let family =
        Family { name: "edges", params: &[(poses, &from), (poses, &to)], data: &[(3, &measured)], ..Family::default() };
    problem
        .add_residuals(family, |at| {
            let (a, b, m) = (at.param(0), at.param(1), at.datum(0));
            let (c, s) = (a[2].cos(), a[2].sin());
            let (x, y) = (b[0] - a[0], b[1] - a[1]);
            let turn = b[2] - a[2] - m[2];
            vec![c * x + s * y - m[0], c * y - s * x - m[1], turn.sin().atan2(turn.cos())]
        })
        .unwrap();
    problem
}

#[test]
fn a_pose_graph_costs_what_it_costs_on_the_cpu() {
    let Some(gpu) = open() else { return };
    let cpu = pose_graph().solve(&exact()).unwrap();
    for precision in precisions(&gpu) {
        let mut problem = pose_graph();
        let options = SolveOptions { max_iterations: 60, function_tolerance: 1e-12, ..exact() };
        let summary = solve(&mut problem, &gpu, precision, &options);
        let tolerance = if precision == Precision::F32 { 1e-3 } else { 1e-9 };
        let error = (summary.final_cost - cpu.final_cost).abs() / cpu.final_cost;
        eprintln!(
            "pose graph, {precision}: {} iterations, CPU {}, {error:.1e}",
            summary.n_iterations(),
            cpu.n_iterations()
        );
        assert!(error < tolerance, "{precision}: {} {} {:?}", summary.final_cost, cpu.final_cost, summary.reason);
        // The host knows the cost of what it was given, not only what the device said.
        assert!((problem.cost() - cpu.final_cost).abs() < tolerance * cpu.final_cost, "{precision}");
    }
}

/// A net of springs over a sphere, poles held and one of them pulled; every point is on the sphere.
fn net() -> Problem {
    let (n_rings, n_around) = (6, 12);
    let mut points = vec![0.0, 0.0, 1.0, 0.0, 0.3, -0.9];
    let mut number = noise(3);
    for ring in 1..n_rings {
        for k in 0..n_around {
            let (theta, phi) = (
                std::f64::consts::PI * f64::from(ring) / f64::from(n_rings),
                std::f64::consts::TAU * f64::from(k) / f64::from(n_around),
            );
            points.extend([theta.sin() * phi.cos(), theta.sin() * phi.sin(), theta.cos()].map(|x| x + 0.1 * number()));
        }
    }
    let (mut a, mut b) = (Vec::new(), Vec::new());
    let at = |ring: i32, k: i32| match ring {
        0 => 0,
        ring if ring == n_rings => 1,
        ring => (2 + (ring - 1) * n_around + k.rem_euclid(n_around)) as u32,
    };
    for ring in 0..n_rings {
        for k in 0..n_around {
            for (i, j) in [(at(ring, k), at(ring + 1, k)), (at(ring, k), at(ring, k + 1))] {
                if i != j {
                    a.push(i);
                    b.push(j);
                }
            }
        }
    }
    let mut problem = Problem::new();
    let points = problem.add_params(3, &points).unwrap();
    problem.set_manifold(points, Manifold::Sphere).unwrap();
    problem.set_fixed(points, &[0, 1]).unwrap();
    let family = Family { name: "springs", params: &[(points, &a), (points, &b)], ..Family::default() };
    problem.add_residuals(family, |at| (0..3).map(|k| at.param(0)[k] - at.param(1)[k]).collect()).unwrap();
    problem
}

#[test]
fn springs_on_a_sphere_come_to_rest_as_on_the_cpu_and_on_every_run_alike() {
    let Some(gpu) = open() else { return };
    let options = SolveOptions { max_iterations: 60, function_tolerance: 1e-10, ..exact() };
    let cpu = net().solve(&options).unwrap();
    for precision in precisions(&gpu) {
        let mut problem = net();
        let summary = solve(&mut problem, &gpu, precision, &options);
        let tolerance = if precision == Precision::F32 { 1e-4 } else { 1e-7 };
        let error = (summary.final_cost - cpu.final_cost).abs() / cpu.final_cost;
        eprintln!(
            "springs, {precision}: {} iterations, CPU {}, {error:.1e}",
            summary.n_iterations(),
            cpu.n_iterations()
        );
        assert!(error < tolerance, "{precision}: {} {}", summary.final_cost, cpu.final_cost);
        let mut again = net();
        let second = solve(&mut again, &gpu, precision, &options);
        assert_eq!(second.final_cost.to_bits(), summary.final_cost.to_bits());
        assert_eq!(again.cost().to_bits(), problem.cost().to_bits());
    }
}

/// Misra1a of NIST's Statistical Reference Datasets (https://www.itl.nist.gov/div898/strd/nls/data/misra1a.shtml): y = b1(1 − exp(−b2·x)),
/// with its certified parameters.
#[test]
fn misra1a_to_its_certified_digits() {
    let Some(gpu) = open() else { return };
    let y = [10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02, 44.82, 50.76, 55.05, 61.01, 66.40, 75.47, 81.78];
    let x = [77.6, 114.9, 141.1, 190.8, 239.9, 289.0, 332.8, 378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760.0];
    let certified = [2.3894212918e2, 5.5015643181e-4];
    for start in [[500.0, 1e-4], [250.0, 5e-4]] {
        for precision in precisions(&gpu).into_iter().skip(1) {
            let mut problem = Problem::new();
            let b = problem.add_params(2, &start).unwrap();
            let family =
                Family { name: "misra1a", params: &[(b, &[0; 14])], data: &[(1, &x), (1, &y)], ..Family::default() };
            problem
                .add_residuals(family, |at| {
                    let (b, x, y) = (at.param(0), at.datum(0)[0], at.datum(1)[0]);
                    vec![b[0] * (1.0 - (-(b[1] * x)).exp()) - y]
                })
                .unwrap();
            let options =
                SolveOptions { max_iterations: 200, parameter_tolerance: 1e-13, function_tolerance: 0.0, ..exact() };
            let summary = solve(&mut problem, &gpu, precision, &options);
            for (found, certified) in problem.values(b).iter().zip(certified) {
                let digits = -((found - certified).abs() / certified).log10();
                eprintln!(
                    "misra1a, {precision}: {digits:.1} digits, {} iterations, {:?}",
                    summary.n_iterations(),
                    summary.reason
                );
                assert!(digits >= 7.0, "{precision}: {found} {certified} {:?}", summary.reason);
            }
        }
    }
}

#[test]
fn what_a_device_does_not_do_is_refused_and_nothing_is_lost() {
    let Some(gpu) = open() else { return };
    let (mut problem, params) = circle();
    let refused = |problem: &mut Problem, options: &SolveOptions<'_>| {
        pollster::block_on(problem.solve_on(&gpu, Precision::F32, options)).unwrap_err()
    };
    refused(&mut problem, &SolveOptions { method: Method::Dogleg, ..exact() });
    refused(&mut problem, &SolveOptions { linear: Linear::Schur, ..exact() });
    problem.set_bounds(params, 0, 2, 0.0..=1.0).unwrap();
    assert!(refused(&mut problem, &exact()).message().contains("bounds"));
    assert_eq!(problem.values(params), [0.0, 0.0, 1.0]);

    let mut empty = Problem::new();
    let unused = empty.add_params(1, &[3.0]).unwrap();
    assert_eq!(solve(&mut empty, &gpu, Precision::F32, &exact()).reason, Reason::Nothing);
    assert_eq!(empty.values(unused), [3.0]);

    let mut infinite = Problem::new();
    let x = infinite.add_params(1, &[0.0]).unwrap();
    let family = Family { name: "pole", params: &[(x, &[0])], ..Family::default() };
    infinite.add_residuals(family, |at| vec![1.0 / at.param(0)[0]]).unwrap();
    assert!(refused(&mut infinite, &exact()).message().contains("pole"));
    // Finite for a double, not for a single.
    infinite.set_values(x, &[1e-30]).unwrap();
    refused(&mut infinite, &exact());
    assert_eq!(infinite.values(x), [1e-30]);
}

#[test]
fn callbacks_see_every_iteration_and_may_stop() {
    let Some(gpu) = open() else { return };
    let (mut problem, _) = circle();
    let seen = std::cell::RefCell::new(Vec::new());
    let on_iteration = |iteration: &tilework_solve::Iteration| {
        seen.borrow_mut().push(iteration.cost);
        if iteration.number == 3 { Control::Stop } else { Control::Continue }
    };
    let options = SolveOptions { on_iteration: Some(&on_iteration), ..exact() };
    let summary = solve(&mut problem, &gpu, Precision::F64, &options);
    assert_eq!((summary.reason, summary.n_iterations()), (Reason::Stopped, 3));
    assert_eq!(seen.borrow().len(), 4);
    assert!((problem.cost() - seen.borrow()[3]).abs() < 1e-9 * summary.final_cost);
}

#[test]
fn an_iteration_is_one_submit_and_kernels_are_shared() {
    let Some(gpu) = open() else { return };
    let problem = net();
    let options = exact();
    let mut solver = GpuSolver::new(&gpu, &problem, Precision::F64, &options).unwrap();
    pollster::block_on(solver.advance(1, &options)).unwrap();
    pollster::block_on(solver.advance(1, &options)).unwrap();
    let before = gpu.counters();
    pollster::block_on(solver.advance(4, &options)).unwrap();
    let used = gpu.counters().since(before);
    // Four iterations, and the one that reads their status.
    assert_eq!((used.submits, used.pipelines_built), (5, 0));
    assert!(used.bytes_down < 1000 && used.bytes_up == 0, "{used:?}");
}

#[test]
fn a_lost_device_is_an_error_and_values_stay() {
    let Some(gpu) = open() else { return };
    let (mut problem, params) = circle();
    gpu.destroy();
    let error = pollster::block_on(problem.solve_on(&gpu, Precision::F32, &exact())).unwrap_err();
    assert_eq!(error.kind(), tilework_core::ErrorKind::DeviceLost);
    assert_eq!(problem.values(params), [0.0, 0.0, 1.0]);
}

#[test]
fn points_may_be_moved_between_steps() {
    let Some(gpu) = open() else { return };
    let problem = pose_graph();
    let options = exact();
    let mut solver = GpuSolver::new(&gpu, &problem, Precision::F32, &options).unwrap();
    pollster::block_on(solver.advance(3, &options)).unwrap();
    let cost = solver.cost();
    let mut values = pollster::block_on(solver.values()).unwrap();
    values[30] += 1.0;
    assert!(solver.set_values(&values[1..], &options).is_err());
    solver.set_values(&values, &options).unwrap();
    assert_eq!(pollster::block_on(solver.values()).unwrap(), values);
    pollster::block_on(solver.advance(4, &options)).unwrap();
    let summary = solver.summary(Reason::Iterations);
    assert_eq!(summary.n_iterations(), 7);
    assert!(summary.final_cost < 1.01 * cost, "{cost}: {summary:?}");
    assert!(summary.telemetry.n_dispatches > 100 && summary.telemetry.n_kernels_reused > 0);
}

/// What has no derivative, and what nothing depends on, ends as on the CPU.
#[test]
fn degenerate_problems_end_as_on_the_cpu() {
    let Some(gpu) = open() else { return };
    let degenerate = || {
        let mut problem = Problem::new();
        let points = problem.add_params(2, &[0.0, 0.0, 0.0, 0.0, 3.0, 4.0]).unwrap();
        let idle = problem.add_params(1, &[7.0]).unwrap();
        let family = Family {
            name: "lengths",
            params: &[(points, &[0, 1]), (points, &[1, 2]), (idle, &[0, 0])],
            ..Family::default()
        };
        problem
            .add_residuals(family, |at| {
                let (a, b) = (at.param(0), at.param(1));
                let square = (a[0] - b[0]).square() + (a[1] - b[1]).square();
                vec![square.sqrt() - 1.0 + at.param(2)[0] * 0.0]
            })
            .unwrap();
        problem
    };
    let cpu = degenerate().solve(&SolveOptions { linear: Linear::Pcg, ..SolveOptions::default() }).unwrap();
    for precision in precisions(&gpu) {
        let mut problem = degenerate();
        let summary = solve(&mut problem, &gpu, precision, &SolveOptions::default());
        eprintln!("{precision}: {:?} {}, CPU {:?} {}", summary.reason, summary.final_cost, cpu.reason, cpu.final_cost);
        assert_eq!(summary.reason.is_converged(), cpu.reason.is_converged(), "{precision}: {:?}", summary.reason);
        assert!((summary.final_cost - cpu.final_cost).abs() < 1e-5 * (1.0 + cpu.final_cost), "{precision}");
        assert!(problem.cost().is_finite());
    }
}

/// A block with more directions than one piece of the preconditioner has, some of them shared by an instance's two arguments.
#[test]
fn a_large_block_is_fitted_as_on_the_cpu() {
    let Some(gpu) = open() else { return };
    let (n_terms, n_points) = (20, 70);
    let mut number = noise(4);
    let cosines: Vec<f64> =
        (0..n_points).flat_map(|i| (0..n_terms).map(move |k| (f64::from(i) * 0.09 * k as f64).cos())).collect();
    let heights: Vec<f64> = (0..n_points).map(|_| number()).collect();
    let wave = || {
        let mut problem = Problem::new();
        let terms = problem.add_params(n_terms, &vec![0.1; n_terms]).unwrap();
        let first = vec![0; n_points as usize];
        let family = Family {
            name: "wave",
            params: &[(terms, &first), (terms, &first)],
            data: &[(n_terms, &cosines), (1, &heights)],
            ..Family::default()
        };
        problem
            .add_residuals(family, |at| {
                let (a, b, c) = (at.param(0), at.param(1), at.datum(0));
                let terms = (0..n_terms).map(|k| (if k < 10 { a[k] } else { b[k] }) * c[k]);
                vec![terms.reduce(|sum, term| sum + term).unwrap() - at.datum(1)[0] + a[0] * b[1] * 0.1]
            })
            .unwrap();
        (problem, terms)
    };
    let (mut expected, terms) = wave();
    let cpu = expected.solve(&exact()).unwrap();
    for precision in precisions(&gpu).into_iter().skip(1) {
        let (mut problem, _) = wave();
        let summary = solve(&mut problem, &gpu, precision, &exact());
        eprintln!(
            "wave, {precision}: {} iterations, CPU {}, {:?}",
            summary.n_iterations(),
            cpu.n_iterations(),
            summary.reason
        );
        for (found, expected) in problem.values(terms).iter().zip(expected.values(terms)) {
            assert!((found - expected).abs() < 1e-8, "{precision}: {found} {expected}");
        }
    }
}
