//! Every energy of meshes and every kind of problem on a device: gradients against the CPU's doubles, in every precision.
#![allow(clippy::print_stderr, reason = "errors of single precision are told, not judged; a skipped test must say so")]

mod device;

use device::{double_float, open};
use tilework_gpu::Gpu;
use tilework_solve::gpu::{GpuEvaluator, Precision};
use tilework_solve::problems::mesh::{Energy, MeshProblem, icosphere, parameterize, saddle};
use tilework_solve::{CpuEvaluator, CpuPrecision, Problem};

/// What double-floats and doubles must reach, relative to the largest derivative.
const TOLERANCE: f64 = 1e-10;

/// Double-floats as this device computes them right, and native doubles if it has some.
fn precise(gpu: &Gpu) -> Vec<Precision> {
    let native = gpu.caps().shader_f64.then_some(Precision::F64);
    [double_float(gpu)].into_iter().chain(native).collect()
}

/// The largest error of a gradient at `x`, relative to the largest derivative.
fn error(gpu: &Gpu, precision: Precision, problem: &Problem, x: &[f64]) -> f64 {
    let (_, exact) = CpuEvaluator::new(problem, CpuPrecision::F64, 1).gradient(x).unwrap();
    let (_, found) = pollster::block_on(GpuEvaluator::new(gpu, problem, precision).unwrap().gradient(x)).unwrap();
    let largest = exact.iter().fold(0.0f64, |max, slope| max.max(slope.abs()));
    assert!(largest > 0.0, "a gradient of zeros tells nothing");
    exact.iter().zip(&found).map(|(a, b)| (a - b).abs() / largest).fold(0.0, f64::max)
}

/// A sphere that is none, so that no energy is at its minimum.
fn bumpy(energy: Energy) -> (Problem, Vec<f64>) {
    let mut mesh = MeshProblem::new(&icosphere(1).unwrap()).unwrap();
    mesh.add(energy, 1.0).unwrap();
    let problem = mesh.problem;
    let n_vertex_numbers = problem.values(mesh.vertices).len();
    // Vertices come first; rotations, where there are some, turn a little and stay rotations.
    let mut x = problem.all_values().to_vec();
    for (k, x) in x.iter_mut().enumerate().take(n_vertex_numbers) {
        *x *= 1.1 + 0.2 * (k as f64 * 1.7).sin();
    }
    for quaternion in x[n_vertex_numbers..].chunks_exact_mut(4) {
        quaternion.copy_from_slice(&[0.8, 0.36, -0.48, 0.0]);
    }
    (problem, x)
}

#[test]
fn every_energy_has_the_gradient_of_the_cpu() {
    let Some(gpu) = open() else { return };
    let precise = precise(&gpu);
    for &(name, energy, _) in Energy::ALL {
        let (problem, x) = bumpy(energy);
        let single = error(&gpu, Precision::F32, &problem, &x);
        assert!(single < 1e-3, "{name} in f32: {single:e}");
        let errors: Vec<(Precision, f64)> =
            precise.iter().map(|&precision| (precision, error(&gpu, precision, &problem, &x))).collect();
        eprintln!(
            "{name}: f32 {single:.1e}, {}",
            errors.iter().map(|(p, e)| format!("{p} {e:.1e}")).collect::<Vec<_>>().join(", ")
        );
        assert!(errors.iter().all(|(_, error)| *error < TOLERANCE), "{name}: {errors:?}");
    }
}

#[test]
fn flattening_has_the_gradient_of_the_cpu() {
    let Some(gpu) = open() else { return };
    let flattened = parameterize(&saddle(6).unwrap()).unwrap();
    let x = flattened.problem.all_values();
    for precision in precise(&gpu) {
        let error = error(&gpu, precision, &flattened.problem, x);
        assert!(error < TOLERANCE, "{precision}: {error:e}");
    }
}
