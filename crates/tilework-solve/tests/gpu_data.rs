//! Public data sets on a device, read from the folder that TILEWORK_TEST_DATA names.
#![allow(clippy::print_stderr, reason = "what is not tested must say so, and others print what they measure")]

mod common;

use common::{bundle_text, data};
use tilework_gpu::{Gpu, GpuOptions, probe_double_float};
use tilework_solve::formats::bal::Bundle;
use tilework_solve::formats::g2o::PoseGraph;
use tilework_solve::formats::nist::Regression;
use tilework_solve::gpu::Precision;
use tilework_solve::problems::bundle::bundle;
use tilework_solve::problems::nist::{fit, mend, options};
use tilework_solve::problems::pose_graph::pose_graph;
use tilework_solve::{Linear, Loss, Problem, SolveOptions, Summary};

fn open() -> Option<Gpu> {
    match pollster::block_on(Gpu::open(GpuOptions::default())) {
        Ok(gpu) => Some(gpu),
        Err(error) => {
            assert!(std::env::var("CI").as_deref() != Ok("true"), "CI must have an adapter: {error}");
            eprintln!("skipped: {error}");
            None
        }
    }
}

fn double_float(gpu: &Gpu) -> Precision {
    pollster::block_on(probe_double_float(gpu)).unwrap().precision()
}

fn solve(problem: &mut Problem, gpu: &Gpu, precision: Precision, options: &SolveOptions<'_>) -> Summary {
    pollster::block_on(problem.solve_on(gpu, precision, options)).unwrap()
}

const NAMES: &[&str] = &[
    "Bennett5", "BoxBOD", "Chwirut1", "Chwirut2", "DanWood", "ENSO", "Eckerle4", "Gauss1", "Gauss2", "Gauss3", "Hahn1",
    "Kirby2", "Lanczos1", "Lanczos2", "Lanczos3", "MGH09", "MGH10", "MGH17", "Misra1a", "Misra1b", "Misra1c",
    "Misra1d", "Nelson", "Rat42", "Rat43", "Roszman1", "Thurber",
];

#[test]
fn double_floats_find_the_certified_digits_of_nist() {
    let Some(gpu) = open() else { return };
    let precision = double_float(&gpu);
    let mut n_good = [0, 0];
    for name in NAMES {
        let Some(bytes) = data(&format!("nist/{name}.dat")) else { return };
        let mut regression = Regression::parse(&String::from_utf8_lossy(&bytes)).unwrap();
        mend(&mut regression);
        for (number, start) in regression.starts.iter().enumerate() {
            let mut fit = fit(&regression, start).unwrap();
            let options = SolveOptions { linear: Linear::Auto, ..options() };
            let summary = pollster::block_on(fit.problem.solve_on(&gpu, precision, &options));
            let digits = regression.correct_digits(fit.problem.values(fit.parameters));
            n_good[number] += usize::from(digits >= 7.0);
            let said = summary.map(|summary| (summary.n_iterations(), summary.reason));
            eprintln!("{name:9} start {}: {digits:5.1} digits, {said:?}", number + 1);
        }
    }
    eprintln!("at least 7 digits: {n_good:?}");
    assert!(n_good[0] >= 25 && n_good[1] == 27, "{n_good:?}");
}

#[test]
fn a_small_grid_of_poses_costs_what_it_costs_on_the_cpu() {
    let (Some(gpu), Some(bytes)) = (open(), data("pose-graphs/smallGrid3D.g2o")) else { return };
    let graph = PoseGraph::parse(&String::from_utf8(bytes).unwrap()).unwrap();
    let options = SolveOptions { function_tolerance: 1e-9, max_iterations: 30, ..SolveOptions::default() };
    let cpu = pose_graph(&graph, Loss::Squared).unwrap().problem.solve(&options).unwrap();
    for precision in [Precision::F32, double_float(&gpu)] {
        let mut built = pose_graph(&graph, Loss::Squared).unwrap();
        let summary = solve(&mut built.problem, &gpu, precision, &options);
        let error = summary.final_cost / cpu.final_cost - 1.0;
        eprintln!(
            "{precision}: {} iterations, CPU {}, {error:.1e}, {:?}",
            summary.n_iterations(),
            cpu.n_iterations(),
            summary.reason
        );
        assert!(error.abs() < 1e-5, "{precision}: {} {}", summary.final_cost, cpu.final_cost);
    }
}

#[test]
fn ladybug_comes_near_what_the_cpu_finds() {
    let (Some(gpu), Some(text)) = (open(), bundle_text()) else { return };
    let given = Bundle::parse(&text).unwrap();
    let options = SolveOptions { max_iterations: 8, ..SolveOptions::default() };
    let cpu = bundle(&given, Loss::Squared).unwrap().problem.solve(&options).unwrap();
    let mut built = bundle(&given, Loss::Squared).unwrap();
    let summary = solve(&mut built.problem, &gpu, Precision::F32, &options);
    let error = summary.final_cost / cpu.final_cost - 1.0;
    eprintln!("{} after {} iterations, {error:.1e} above the CPU", summary.final_cost, summary.n_iterations());
    assert!(error.abs() < 0.01, "{} {}", summary.final_cost, cpu.final_cost);
    assert!((built.problem.cost() / summary.final_cost - 1.0).abs() < 1e-4);
}
