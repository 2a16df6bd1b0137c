//! Compiled residuals: the CPU against finite differences, a GPU against the CPU, and who is chosen.

use std::cell::RefCell;
use tilework_gpu::{Gpu, GpuOptions};
use tilework_solve::gpu::{Eft, Precision};
use tilework_solve::{Backend, CompileOptions, CompiledResiduals, CpuEvaluator, CpuPrecision, Family, Params, Problem};

const N: u32 = 1000;

/// Springs between neighbors of a wavy ring, all of one kind, and an angle for every third point.
fn ring() -> (Problem, Params) {
    let mut problem = Problem::new();
    let values: Vec<f64> =
        (0..N).flat_map(|k| [f64::from(k).sin() * 2.0, f64::from(k * k % 97) / 50.0, f64::from(k).cos()]).collect();
    let points = problem.add_params(3, &values).unwrap();
    problem.set_fixed(points, &[5]).unwrap();
    let (from, to): (Vec<u32>, Vec<u32>) = (0..N).map(|k| (k, (k + 1) % N)).unzip();
    let rest: Vec<f64> = (0..N).map(|k| 0.5 + 0.001 * f64::from(k)).collect();
    let springs =
        Family { name: "springs", params: &[(points, &from), (points, &to)], data: &[(1, &rest)], ..Family::default() };
    problem.add_residuals(springs, |at| vec![(at.vec3(0) - at.vec3(1)).norm() - at.datum(0)[0]]).unwrap();
    let thirds: Vec<u32> = (0..N).step_by(3).collect();
    let turns = Family { name: "turns", params: &[(points, &thirds)], ..Family::default() };
    problem.add_residuals(turns, |at| vec![at.vec3(0).x.atan2(at.vec3(0).y), at.vec3(0).z.sin()]).unwrap();
    (problem, points)
}

fn compile(problem: &Problem, options: &CompileOptions<'_>) -> CompiledResiduals {
    pollster::block_on(CompiledResiduals::compile(problem, options)).unwrap()
}

fn cpu() -> CompileOptions<'static> {
    CompileOptions { backend: Backend::Cpu, ..CompileOptions::default() }
}

#[test]
fn gradients_and_jacobians_agree_with_finite_differences() {
    let (problem, points) = ring();
    let mut compiled = compile(&problem, &cpu());
    let x = problem.values(points).to_vec();
    let (cost, gradient) = pollster::block_on(compiled.evaluate_sum_with_gradient(&x)).unwrap();
    let residuals = pollster::block_on(compiled.evaluate(&x)).unwrap();
    let jacobian = pollster::block_on(compiled.evaluate_jacobian(&x)).unwrap();
    assert!((cost - 0.5 * residuals.iter().map(|r| r * r).sum::<f64>()).abs() < 1e-9 * cost);
    assert_eq!((jacobian.n_rows, jacobian.n_cols), (residuals.len(), gradient.len()));
    // The gradient is the Jacobian's transpose times the residuals.
    let mut product = vec![0.0; gradient.len()];
    jacobian.entries.iter().for_each(|&(row, col, slope)| product[col as usize] += slope * residuals[row as usize]);
    assert!(product.iter().zip(&gradient).all(|(a, b)| (a - b).abs() < 1e-10 * (1.0 + b.abs())));
    // Block 5 is fixed, so that directions after it come three earlier than their numbers.
    for number in [0, 7, 20, 2999] {
        let shifted = |by: f64| {
            let mut x = x.clone();
            x[number] += by;
            x
        };
        let mut cost_at = |by: f64| pollster::block_on(compiled.evaluate_sum_with_gradient(&shifted(by))).unwrap().0;
        let numeric = (cost_at(1e-5) - cost_at(-1e-5)) / 2e-5;
        let exact = gradient[if number >= 18 { number - 3 } else { number }];
        assert!((numeric - exact).abs() < 1e-5 * (1.0 + exact.abs()), "{number}: {numeric} {exact}");
    }
}

#[test]
fn fast_gradients_are_those_of_walking_the_graph() {
    let (problem, points) = ring();
    let x = problem.values(points);
    let mut evaluator = CpuEvaluator::new(&problem, CpuPrecision::F64, 0);
    let (cost, gradient) = evaluator.gradient(x).unwrap();
    let (walked_cost, walked) = evaluator.gradient_by_walking(x).unwrap();
    assert!((cost - walked_cost).abs() < 1e-12 * cost);
    assert!(gradient.iter().zip(&walked).all(|(a, b)| (a - b).abs() < 1e-12 * (1.0 + b.abs())));
    let (_, single) = CpuEvaluator::new(&problem, CpuPrecision::F32, 0).gradient(x).unwrap();
    assert!(single.iter().zip(&walked).all(|(a, b)| (a - b).abs() < 1e-4 * (1.0 + b.abs())));
}

#[test]
fn batches_change_nothing_but_the_number_of_pieces() {
    let (problem, points) = ring();
    let mut whole = compile(&problem, &cpu());
    let mut cut = compile(&problem, &CompileOptions { batch_size: 300, ..cpu() });
    let x = problem.values(points);
    let all = |compiled: &mut CompiledResiduals| {
        (pollster::block_on(compiled.evaluate(x)).unwrap(), pollster::block_on(compiled.evaluate_jacobian(x)).unwrap())
    };
    assert_eq!(all(&mut whole), all(&mut cut));
    assert_eq!(whole.counts().n_kernels, 2);
    assert_eq!(cut.counts().n_kernels, 2);
    let none = CompileOptions { batch_size: 0, ..cpu() };
    assert!(pollster::block_on(CompiledResiduals::compile(&problem, &none)).is_err());
}

#[test]
fn a_gpu_computes_the_same_in_one_dispatch_per_kernel() {
    let Ok(gpu) = pollster::block_on(Gpu::open(GpuOptions::default())) else {
        assert!(std::env::var("CI").as_deref() != Ok("true"), "CI must have an adapter");
        return;
    };
    let (problem, points) = ring();
    let x = problem.values(points);
    let (_, exact) = pollster::block_on(compile(&problem, &cpu()).evaluate_sum_with_gradient(x)).unwrap();
    let scale = exact.iter().fold(0.0f64, |max, slope| max.max(slope.abs()));
    for (precision, tolerance) in
        [(Precision::F32, 1e-5), (Precision::Df64(Eft::Integer), 1e-10), (Precision::F64, 1e-10)]
    {
        if precision == Precision::F64 && !gpu.caps().shader_f64 {
            continue;
        }
        let options = CompileOptions { backend: Backend::Gpu, gpu: Some(&gpu), precision, ..CompileOptions::default() };
        let mut compiled = compile(&problem, &options);
        let first = pollster::block_on(compiled.evaluate_gradient(x)).unwrap();
        let worst = first.iter().zip(&exact).map(|(a, b)| (a - b).abs() / scale).fold(0.0, f64::max);
        assert!(worst < tolerance, "{precision}: {worst:e}");
        let before = compiled.counts();
        assert_eq!(first, pollster::block_on(compiled.evaluate_gradient(x)).unwrap(), "{precision}");
        pollster::block_on(compiled.evaluate(x)).unwrap();
        let after = compiled.counts();
        assert_eq!((after.backend, after.n_evaluations, after.n_cache_hits), ("gpu", 3, 1));
        assert!(after.n_dispatches > before.n_dispatches && after.n_bytes > before.n_bytes);
    }
}

#[test]
fn auto_never_takes_a_program_for_a_gpu_and_small_problems_stay() {
    let (problem, _) = ring();
    let told = RefCell::new(Vec::new());
    let on_progress = |progress: tilework_solve::CompileProgress| told.borrow_mut().push(progress.done);
    let gpu = pollster::block_on(Gpu::open(GpuOptions::default())).ok();
    let options = CompileOptions { gpu: gpu.as_ref(), on_progress: Some(&on_progress), ..CompileOptions::default() };
    let compiled = compile(&problem, &options);
    if gpu.as_ref().is_none_or(|gpu| gpu.caps().software) {
        assert_eq!(compiled.counts().backend, "cpu");
    }
    assert_eq!(*told.borrow(), [0, 1, 2, 3]);
    let small = CompileOptions { fallback_threshold: 10_000, ..options };
    assert_eq!(compile(&problem, &small).counts().backend, "cpu");
    let forced = CompileOptions { backend: Backend::Gpu, gpu: None, ..CompileOptions::default() };
    assert!(pollster::block_on(CompiledResiduals::compile(&problem, &forced)).unwrap_err().message().contains("gpu"));
}

#[test]
fn wrong_lengths_are_refused() {
    let (problem, _) = ring();
    let mut compiled = compile(&problem, &cpu());
    assert!(pollster::block_on(compiled.evaluate(&[1.0])).is_err());
    assert!(pollster::block_on(compiled.evaluate_gradient(&[])).is_err());
    assert!(pollster::block_on(compiled.evaluate_jacobian(&[0.0; 4])).is_err());
}
