//! Kernels of groups, gather lists and products on a device, against the CPU's doubles.
#![allow(clippy::print_stderr, reason = "a skipped test must say so")]

use super::iteration::Model;
use super::lbfgs::LbfgsModel;
use super::{Eft, GpuEvaluator, KernelOf, Precision, wgsl};
use crate::evaluate::{Compiled, Wanted};
use crate::graph::Scalar;
use crate::{Family, Instance, Loss, Manifold, Problem, SolveOptions};
use tilework_gpu::{Gpu, GpuOptions, probe_double_float};
use tilework_ops::threads::Threads;

const PRECISIONS: &[Precision] = &[
    Precision::F32,
    Precision::Df64(Eft::Classic),
    Precision::Df64(Eft::Guarded),
    Precision::Df64(Eft::Integer),
    Precision::F64,
];

/// What this device computes right.
fn precisions(gpu: &Gpu) -> Vec<Precision> {
    let double_float = pollster::block_on(probe_double_float(gpu)).unwrap().precision();
    let has_doubles = gpu.caps().shader_f64;
    [Precision::F32, double_float].into_iter().chain(has_doubles.then_some(Precision::F64)).collect()
}

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

/// Numbers between -1 and 1 that look random.
fn noise(seed: u32) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(12345);
    move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 8) / f64::from(1u32 << 23) - 1.0
    }
}

fn many(n: usize, mut number: impl FnMut() -> f64) -> Vec<f64> {
    (0..n).map(|_| number()).collect()
}

/// A chain of springs, some of its points held, all of them tied to one hub.
fn springs() -> Problem {
    let n = 700;
    let mut problem = Problem::new();
    let points = problem.add_params(3, &many(3 * n, noise(1))).unwrap();
    let hub = problem.add_params(3, &[0.1, 0.2, 0.3]).unwrap();
    problem.set_fixed(points, &[0, 17]).unwrap();
    let (left, right): (Vec<u32>, Vec<u32>) = ((0..n as u32 - 1).collect(), (1..n as u32).collect());
    let lengths: Vec<f64> = (0..n - 1).map(|k| 0.5 + 0.001 * k as f64).collect();
    let family = Family {
        name: "springs",
        params: &[(points, &left), (points, &right)],
        data: &[(1, &lengths)],
        ..Family::default()
    };
    problem.add_residuals(family, |at| vec![distance(at.param(0), at.param(1)) - at.datum(0)[0]]).unwrap();
    let (all, center): (Vec<u32>, Vec<u32>) = ((0..n as u32).collect(), vec![0; n]);
    let ties = Family {
        name: "ties to the hub",
        params: &[(points, &all), (hub, &center)],
        loss: Loss::Huber { delta: 0.5 },
        ..Family::default()
    };
    problem.add_residuals(ties, |at| (0..3).map(|k| at.param(0)[k] - at.param(1)[k]).collect()).unwrap();
    problem
}

fn distance<'g>(a: &[Scalar<'g>], b: &[Scalar<'g>]) -> Scalar<'g> {
    (0..3).map(|k| (a[k] - b[k]) * (a[k] - b[k])).reduce(|sum, x| sum + x).unwrap().sqrt()
}

/// Points seen by cameras `angle-axis, translation, focal length`.
fn bundle() -> Problem {
    let (n_cameras, n_points) = (5, 40);
    let mut problem = Problem::new();
    let mut number = noise(2);
    let cameras: Vec<f64> = (0..n_cameras)
        .flat_map(|_| {
            let small = many(6, &mut number);
            [small[0] * 0.3, small[1] * 0.3, small[2] * 0.3, small[3], small[4], small[5] - 5.0, 1.0 + 0.1 * small[0]]
        })
        .collect();
    let cameras = problem.add_params(7, &cameras).unwrap();
    let points = problem.add_params(3, &many(3 * n_points, noise(3))).unwrap();
    let pairs = (0..n_cameras as u32).flat_map(|c| (0..n_points as u32).map(move |p| (c, p)));
    let (camera, point): (Vec<u32>, Vec<u32>) = pairs.unzip();
    let seen = many(2 * camera.len(), noise(4));
    let family = Family {
        name: "reprojection",
        params: &[(cameras, &camera), (points, &point)],
        data: &[(2, &seen)],
        loss: Loss::Cauchy { delta: 0.3 },
    };
    problem.add_residuals(family, reprojection).unwrap();
    problem
}

fn reprojection<'g>(at: &Instance<'g>) -> Vec<Scalar<'g>> {
    let (camera, x) = (at.param(0), at.param(1));
    let r = &camera[..3];
    let theta = (r[0] * r[0] + r[1] * r[1] + r[2] * r[2]).sqrt();
    let k: Vec<Scalar<'g>> = r.iter().map(|&r| r / theta).collect();
    let (s, c) = (theta.sin(), theta.cos());
    let cross = [k[1] * x[2] - k[2] * x[1], k[2] * x[0] - k[0] * x[2], k[0] * x[1] - k[1] * x[0]];
    let along = (k[0] * x[0] + k[1] * x[1] + k[2] * x[2]) * (1.0 - c);
    let p: Vec<Scalar<'g>> = (0..3).map(|i| x[i] * c + cross[i] * s + k[i] * along + camera[3 + i]).collect();
    (0..2).map(|i| -p[i] / p[2] * camera[6] - at.datum(0)[i]).collect()
}

fn product<'g>(a: &[Scalar<'g>], b: &[Scalar<'g>]) -> [Scalar<'g>; 4] {
    [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ]
}

/// Poses in space with measured differences of position and rotation.
fn poses() -> Problem {
    let n = 30;
    let mut problem = Problem::new();
    let poses = problem.add_params(7, &many(7 * n, noise(5))).unwrap();
    problem.set_manifold(poses, Manifold::Se3).unwrap();
    problem.set_fixed(poses, &[0]).unwrap();
    let edges = (0..n as u32).flat_map(|i| [1, 5].map(|k| (i, (i + k) % n as u32)));
    let (from, to): (Vec<u32>, Vec<u32>) = edges.unzip();
    let measured = many(7 * from.len(), noise(6));
    let family =
        Family { name: "edges", params: &[(poses, &from), (poses, &to)], data: &[(7, &measured)], ..Family::default() };
    problem
        .add_residuals(family, |at| {
            let (a, b, m) = (at.param(0), at.param(1), at.datum(0));
            let inverse = [a[3], -a[4], -a[5], -a[6]];
            let turn = product(&inverse, &b[3..]);
            let difference: Vec<_> = (0..3).map(|k| b[k] - a[k]).collect();
            let zero = at.num(0.0);
            let moved = product(&product(&inverse, &[zero, difference[0], difference[1], difference[2]]), &a[3..]);
            let error = product(&turn, &m[3..]);
            (0..3).map(|k| moved[k + 1] - m[k]).chain((1..4).map(|k| error[k] * 2.0)).collect()
        })
        .unwrap();
    problem
}

/// An energy with all kinds of functions over unit vectors.
fn waves() -> Problem {
    let n = 50;
    let mut problem = Problem::new();
    let directions = problem.add_params(3, &many(3 * n, noise(7))).unwrap();
    problem.set_manifold(directions, Manifold::Sphere).unwrap();
    let sizes = problem.add_params(1, &many(n, noise(8))).unwrap();
    let (a, b): (Vec<u32>, Vec<u32>) = ((0..n as u32).collect(), (0..n as u32).map(|k| (k + 1) % n as u32).collect());
    let family =
        Family { name: "waves", params: &[(directions, &a), (directions, &b), (sizes, &b)], ..Family::default() };
    problem
        .add_energy(family, |at| {
            let (a, b, s) = (at.param(0), at.param(1), at.param(2)[0]);
            let along = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
            (along * 3.0).sin() * s.exp() + (a[0] * b[1]).cos() + (s * s + 1.0).log() + a[2].atan2(b[2] + 3.0)
        })
        .unwrap();
    problem
}

fn problems() -> Vec<(&'static str, Problem)> {
    vec![("springs", springs()), ("bundle", bundle()), ("poses", poses()), ("waves", waves())]
}

/// Largest difference, as part of the largest number.
fn error(found: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let scale = expected.iter().fold(1e-300f64, |max, x| max.max(x.abs()));
    found.iter().zip(expected).fold(0.0f64, |max, (a, b)| max.max((a - b).abs())) / scale
}

fn tolerance(precision: Precision) -> f64 {
    if precision == Precision::F32 { 2e-5 } else { 1e-10 }
}

#[test]
fn gradients_are_those_of_the_cpu_and_the_same_bits_on_every_run() {
    let Some(gpu) = open() else { return };
    for (name, problem) in problems() {
        let (cost, gradient) = Compiled::new(&problem).gradient(&problem.values, Threads::one(), &mut Vec::new());
        for precision in precisions(&gpu) {
            let mut evaluator = GpuEvaluator::new(&gpu, &problem, precision).unwrap();
            let (found_cost, found) = pollster::block_on(evaluator.gradient(&problem.values)).unwrap();
            let errors = [error(&[found_cost], &[cost]), error(&found, &gradient)];
            eprintln!("{name}, {precision}: cost {:.1e}, gradient {:.1e}", errors[0], errors[1]);
            assert!(
                errors[0] < tolerance(precision) && errors[1] < tolerance(precision),
                "{name}, {precision}: {errors:?}"
            );
            let again = pollster::block_on(evaluator.gradient(&problem.values)).unwrap();
            assert_eq!(again, (found_cost, found), "{name}, {precision}");
            let only_cost = pollster::block_on(evaluator.cost(&problem.values)).unwrap();
            assert!(error(&[only_cost], &[cost]) < tolerance(precision), "{name}, {precision}");
        }
    }
}

#[test]
fn products_agree_with_the_jacobian() {
    let Some(gpu) = open() else { return };
    for (name, problem) in problems().into_iter().take(3) {
        let mut compiled = Compiled::new(&problem);
        compiled.prepare(Wanted::Jacobian);
        let residuals = compiled.evaluate::<f64>(Wanted::Jacobian, &problem.values, Threads::one());
        let mut expected = Vec::new();
        for (group, outputs) in compiled.groups.iter().zip(&residuals) {
            let m = group.group.n_residuals();
            expected.extend(
                (0..outputs.n_instances).flat_map(|i| (0..m).map(move |k| (i, k))).map(|(i, k)| outputs.get(k, i)),
            );
        }
        for precision in precisions(&gpu) {
            let mut evaluator = GpuEvaluator::new(&gpu, &problem, precision).unwrap();
            let x = &problem.values;
            let found = pollster::block_on(evaluator.residuals(x)).unwrap();
            assert!(error(&found, &expected) < tolerance(precision), "{name}, {precision}");
            let v = many(evaluator.n_directions(), noise(9));
            let u = many(evaluator.n_residuals(), noise(10));
            let jv = pollster::block_on(evaluator.multiply(x, &v)).unwrap();
            let jtu = pollster::block_on(evaluator.multiply_transposed(x, &u)).unwrap();
            let [left, right] = [(&jv, &u), (&jtu, &v)].map(|(a, b)| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>());
            let scale = jv.iter().zip(&u).map(|(a, b)| (a * b).abs()).sum::<f64>();
            assert!((left - right).abs() < tolerance(precision) * scale, "{name}, {precision}: {left} {right}");
            check_jacobian(&mut evaluator, x, &u, if name == "poses" { Some(&jtu) } else { None }, precision);
        }
    }
}

/// Without losses, the products are those with the entries of the Jacobian, and the diagonal is the sum of their squares.
fn check_jacobian(evaluator: &mut GpuEvaluator, x: &[f64], u: &[f64], jtu: Option<&Vec<f64>>, precision: Precision) {
    let Some(jtu) = jtu else { return };
    let jacobian = pollster::block_on(evaluator.jacobian(x)).unwrap();
    let (mut product, mut squares) = (vec![0.0; jacobian.n_cols], vec![0.0; jacobian.n_cols]);
    for &(row, col, value) in &jacobian.entries {
        product[col as usize] += value * u[row as usize];
        squares[col as usize] += value * value;
    }
    assert!(error(jtu, &product) < tolerance(precision));
    let blocks = pollster::block_on(evaluator.diagonal_blocks(x)).unwrap();
    // All blocks have 6 directions: the diagonal of a packed triangle.
    let diagonal: Vec<f64> =
        blocks.chunks_exact(21).flat_map(|block| [0, 6, 11, 15, 18, 20].map(|at| block[at])).collect();
    assert!(error(&diagonal, &squares) < tolerance(precision));
}

#[test]
fn a_thousand_instances_are_one_dispatch_and_kernels_are_kept() {
    let Some(gpu) = open() else { return };
    let mut problem = Problem::new();
    let points = problem.add_params(1, &many(1000, noise(11))).unwrap();
    let all: Vec<u32> = (0..1000).collect();
    let family = Family { name: "wells", params: &[(points, &all)], ..Family::default() };
    problem.add_residuals(family, |at| vec![at.param(0)[0].cos()]).unwrap();
    let mut evaluator = GpuEvaluator::new(&gpu, &problem, Precision::F32).unwrap();
    let before = gpu.counters();
    pollster::block_on(evaluator.residuals(&problem.values)).unwrap();
    let used = gpu.counters().since(before);
    assert_eq!((used.dispatches, used.pipelines_built), (1, 1));
    let before = gpu.counters();
    pollster::block_on(evaluator.residuals(&problem.values)).unwrap();
    let mut other = GpuEvaluator::new(&gpu, &problem, Precision::F32).unwrap();
    pollster::block_on(other.residuals(&problem.values)).unwrap();
    let used = gpu.counters().since(before);
    assert_eq!((used.dispatches, used.pipelines_built, used.pipelines_reused), (2, 0, 1));
}

#[test]
fn kernels_read_like_their_expressions_and_naga_takes_them() {
    for (name, problem) in problems() {
        for &precision in PRECISIONS {
            for &(what, kernel) in KernelOf::ALL {
                for (label, text) in wgsl(&problem, kernel, precision) {
                    naga_check(&format!("{name}, {what}, {label}, {precision}"), &text);
                }
            }
        }
    }
    let (label, text) = wgsl(&springs(), KernelOf::Residuals, Precision::F32).remove(0);
    assert_eq!(label, "springs: residuals");
    for part in ["// springs: residuals", "let p0_x = x(at0 + 0u);", "let d0 = data(", "num_sqrt("] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
}

#[test]
fn naga_and_tint_take_the_kernels_of_the_solver() {
    let Some(gpu) = open() else { return };
    let has_tint = std::process::Command::new("tint").arg("--help").output().is_ok();
    if !has_tint {
        eprintln!("skipped: tint is not on the PATH");
    }
    let mut known = std::collections::HashSet::new();
    let f32_too = |precision| [precision, Precision::F32];
    let both =
        PRECISIONS.iter().map(|&precision| [precision, precision]).chain(PRECISIONS.iter().copied().map(f32_too));
    for precisions in both {
        for (name, problem) in problems().into_iter().take(3) {
            let model = Model::new(&gpu, Compiled::new(&problem), problem.values.len(), precisions).unwrap();
            let line_search =
                LbfgsModel::new(&gpu, Compiled::new(&problem), problem.values.len(), precisions[0]).unwrap();
            let options = SolveOptions::default();
            for (label, text) in model.texts(&options).into_iter().chain(line_search.texts(&options)) {
                if known.insert(text.clone()) {
                    naga_check(&format!("{name}, {label}, {precisions:?}"), &text);
                }
            }
        }
    }
    if has_tint {
        known.iter().for_each(|text| tint_check(text));
    }
}

/// tint finds barriers in divergent control flow that naga lets pass; it has no doubles.
fn tint_check(text: &str) {
    if text.contains("alias Num = f64;") {
        return;
    }
    let file = std::env::temp_dir().join(format!("tilework-solve-tint-{}.wgsl", std::process::id()));
    std::fs::write(&file, text).unwrap();
    let output = std::process::Command::new("tint").args(["--format", "wgsl", "-o", "/dev/null"]).arg(&file).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{}\n{text}", String::from_utf8_lossy(&output.stderr));
    std::fs::remove_file(&file).unwrap();
}

fn naga_check(label: &str, text: &str) {
    let module =
        naga::front::wgsl::parse_str(text).unwrap_or_else(|e| panic!("{label}: {}\n{text}", e.emit_to_string(text)));
    let capabilities = naga::valid::Capabilities::SHADER_FLOAT16_IN_FLOAT32 | naga::valid::Capabilities::FLOAT64;
    let mut validator = naga::valid::Validator::new(naga::valid::ValidationFlags::all(), capabilities);
    validator.validate(&module).unwrap_or_else(|e| panic!("{label}: {}\n{text}", e.emit_to_string(text)));
}

#[test]
fn wrong_lengths_are_refused() {
    let Some(gpu) = open() else { return };
    let problem = waves();
    let mut evaluator = GpuEvaluator::new(&gpu, &problem, Precision::F32).unwrap();
    assert!(pollster::block_on(evaluator.cost(&[1.0])).is_err());
    assert!(pollster::block_on(evaluator.multiply(&problem.values, &[1.0])).is_err());
    let empty = Problem::new();
    let mut evaluator = GpuEvaluator::new(&gpu, &empty, Precision::F32).unwrap();
    assert_eq!(pollster::block_on(evaluator.gradient(&[])).unwrap(), (0.0, vec![]));
}
