//! L-BFGS on a device: the CPU's iterations, one after the other, and energies to their minimum.
#![allow(clippy::print_stderr, reason = "a skipped test must say so, and others print what they measure")]

mod device;

use device::{double_float, open};
use tilework_gpu::Gpu;
use tilework_solve::gpu::Precision;
use tilework_solve::problems::mesh::{Energy, MeshProblem, icosphere};
use tilework_solve::{Family, Method, Params, Problem, Reason, SolveOptions, Summary};

fn options(max_iterations: usize) -> SolveOptions<'static> {
    SolveOptions {
        method: Method::Lbfgs,
        max_iterations,
        function_tolerance: 0.0,
        gradient_tolerance: 1e-9,
        parameter_tolerance: 0.0,
        ..SolveOptions::default()
    }
}

/// What this device computes right, and how close to a minimum it gets.
fn precisions(gpu: &Gpu) -> Vec<(Precision, f64)> {
    let native = gpu.caps().shader_f64.then_some((Precision::F64, 1e-8));
    [(Precision::F32, 2e-2), (double_float(gpu), 1e-8)].into_iter().chain(native).collect()
}

fn solve_on(problem: &mut Problem, gpu: &Gpu, precision: Precision, options: &SolveOptions<'_>) -> Summary {
    pollster::block_on(problem.solve_on(gpu, precision, options)).unwrap()
}

/// Rosenbrock's valley as an energy, from several starts at once.
fn valleys(n: u32) -> (Problem, Params) {
    let mut problem = Problem::new();
    let starts: Vec<f64> =
        (0..n).flat_map(|k| [-1.2 + 0.1 * f64::from(k % 20), 1.0 - 0.05 * f64::from(k % 7)]).collect();
    let points = problem.add_params(2, &starts).unwrap();
    let all: Vec<u32> = (0..n).collect();
    let family = Family { name: "valley", params: &[(points, &all)], ..Family::default() };
    problem
        .add_energy(family, |at| {
            let (x, y) = (at.param(0)[0], at.param(0)[1]);
            (y - x * x).square() * 50.0 + (1.0 - x).square() * 0.5
        })
        .unwrap();
    (problem, points)
}

/// A sphere out of shape, with an energy.
fn bumpy(energy: Energy) -> Problem {
    let mut sphere = icosphere(1).unwrap();
    sphere.positions.iter_mut().flatten().enumerate().for_each(|(k, x)| *x *= 1.0 + 0.1 * (k as f64 * 1.7).sin());
    let mut mesh = MeshProblem::new(&icosphere(1).unwrap()).unwrap();
    mesh.add(energy, 1.0).unwrap();
    let vertices = mesh.vertices;
    mesh.problem.set_values(vertices, sphere.positions.as_flattened()).unwrap();
    mesh.problem
}

#[test]
fn energies_find_their_minimum() {
    let Some(gpu) = open() else { return };
    for (precision, tolerance) in precisions(&gpu) {
        for n in [1, 300] {
            let (mut problem, points) = valleys(n);
            let summary = solve_on(&mut problem, &gpu, precision, &options(2000));
            let worst = problem.values(points).iter().map(|x| (x - 1.0).abs()).fold(0.0, f64::max);
            eprintln!("{precision}, {n}: {worst:.1e} after {} steps, {:?}", summary.iterations.len(), summary.reason);
            assert!(worst < tolerance, "{precision}: {worst:e}, {:?}", summary.reason);
            assert!(summary.final_cost < summary.initial_cost);
        }
    }
}

#[test]
fn iterations_are_those_of_the_cpu() {
    let Some(gpu) = open() else { return };
    if !gpu.caps().shader_f64 {
        eprintln!("skipped: this device has no doubles, and others round differently");
        return;
    }
    // A volume that wants to grow has no minimum.
    for &(name, energy, _) in Energy::ALL.iter().filter(|(name, ..)| *name != "inflate") {
        let (mut here, mut there) = (bumpy(energy), bumpy(energy));
        let (cpu, gpu) = (here.solve(&options(15)).unwrap(), solve_on(&mut there, &gpu, Precision::F64, &options(15)));
        assert!(gpu.iterations.len() > 3 || cpu.iterations.len() <= 3, "{name}: {gpu:?}");
        // Rounding grows from step to step, so the first ones are compared closely.
        for (at, (cpu, gpu)) in cpu.iterations.iter().zip(&gpu.iterations).enumerate().take(10) {
            let error = (cpu.cost - gpu.cost).abs() / (cpu.cost.abs() + 1e-12 * here.n_instances() as f64);
            assert!(error < 1e-6, "{name}, step {at}: {} instead of {}", gpu.cost, cpu.cost);
        }
    }
}

#[test]
fn results_are_the_same_bits_on_every_run() {
    let Some(gpu) = open() else { return };
    let run = || {
        let mut problem = bumpy(Energy::ALL[0].1);
        solve_on(&mut problem, &gpu, Precision::F32, &options(12));
        problem.all_values().iter().map(|x| x.to_bits()).collect::<Vec<_>>()
    };
    assert_eq!(run(), run());
}

#[test]
fn a_trial_is_one_submit_and_its_memory_stays_in_place() {
    let Some(gpu) = open() else { return };
    let (mut problem, _) = valleys(64);
    let before = gpu.counters();
    let summary = solve_on(&mut problem, &gpu, Precision::F32, &options(40));
    let used = gpu.counters().since(before);
    assert_eq!(summary.iterations.len(), 41);
    // Every trial is a submit, and so is every read.
    assert!(used.dispatches / used.submits.max(1) >= 10, "{used:?}");
    assert_eq!(used.buffer_copies, 0, "steps are remembered in place");
    // A status of a few hundred bytes at a time, and the parameters at the end.
    assert!(used.bytes_down < 41 * 1024, "{used:?}");
}

#[test]
fn what_has_no_way_down_says_so() {
    let Some(gpu) = open() else { return };
    let (mut at_rest, points) = valleys(3);
    at_rest.set_values(points, &[1.0; 6]).unwrap();
    assert_eq!(solve_on(&mut at_rest, &gpu, Precision::F32, &options(10)).reason, Reason::Gradient);
    assert_eq!(at_rest.values(points), &[1.0; 6]);
    // Nothing but a slope that the cost does not follow: the search gives up, and nothing is lost.
    let mut stuck = Problem::new();
    let x = stuck.add_params(1, &[0.5]).unwrap();
    let family = Family { name: "stairs", params: &[(x, &[0])], ..Family::default() };
    stuck
        .add_energy(family, |at| at.param(0)[0].floor() + at.param(0)[0] * 0.0 + (at.param(0)[0] - 0.5).abs())
        .unwrap();
    let summary = solve_on(&mut stuck, &gpu, Precision::F32, &options(10));
    assert!(summary.final_cost <= summary.initial_cost && stuck.values(x)[0].is_finite(), "{summary:?}");
}
