//! The Gauss-Newton matrix by products against the matrix itself.

use super::*;
use crate::{Family, Loss, Manifold, Problem};

/// Points, some of them fixed, and directions that all meet, with robust residuals; every seventh instance meets one point twice.
fn problem() -> Problem {
    let mut problem = Problem::new();
    let n = 300u32;
    let points: Vec<f64> = (0..3 * n).map(|k| (f64::from(k) * 1.3).sin() * 2.0).collect();
    let points = problem.add_params(3, &points).unwrap();
    let directions = problem.add_params(3, &[0.6, 0.0, 0.8, 0.0, -0.8, 0.6]).unwrap();
    problem.set_manifold(directions, Manifold::Sphere).unwrap();
    problem.set_fixed(points, &[0, 17, 255]).unwrap();
    let first: Vec<u32> = (0..n).collect();
    let second: Vec<u32> = (0..n).map(|k| if k % 7 == 0 { k } else { (k * 31 + 5) % n }).collect();
    let hub: Vec<u32> = (0..n).map(|k| k % 2).collect();
    let params = [(points, &first[..]), (points, &second[..]), (directions, &hub[..])];
    let family = Family { name: "pairs", params: &params, loss: Loss::Huber { delta: 0.5 }, ..Family::default() };
    problem
        .add_residuals(family, |at| {
            let (a, b, d) = (at.vec3(0), at.vec3(1), at.vec3(2));
            vec![a.dot(d) * b.x - 0.3, (a + b * 2.0).dot(d) - b.y.sin(), a.z * b.z]
        })
        .unwrap();
    problem
}

fn linearized(linear: Linear, threads: Threads) -> System {
    let problem = problem();
    let mut compiled = Compiled::new(&problem);
    let mut system = System::new(&compiled, linear, Wanted::Normal);
    system.linearize(&mut compiled, Wanted::Normal, problem.all_values(), threads);
    system
}

fn assert_close(found: &[f64], wanted: &[f64]) {
    let largest = wanted.iter().fold(0.0f64, |max, x| max.max(x.abs()));
    assert!(largest > 0.0 && found.len() == wanted.len());
    for (k, (found, wanted)) in found.iter().zip(wanted).enumerate() {
        assert!((found - wanted).abs() <= 1e-12 * largest, "{k}: {found} instead of {wanted}");
    }
}

#[test]
fn products_are_those_of_the_matrix() {
    let mut free = linearized(Linear::Pcg, Threads::one());
    let mut direct = linearized(Linear::SparseCholesky, Threads::one());
    assert_close(&[free.cost], &[direct.cost]);
    assert_close(&free.gradient, &direct.gradient);
    assert_close(&free.diagonal, &direct.diagonal);
    let p: Vec<f64> = (0..free.gradient.len()).map(|k| (k as f64 * 0.9).cos()).collect();
    assert_close(&[free.curvature(&p)], &[direct.curvature(&p)]);
    let (Kind::MatrixFree(matrix), Kind::Direct { assembly, values, .. }) = (&mut free.kind, &direct.kind) else {
        panic!("neither matrix-free nor direct");
    };
    assert_close(&matrix.multiply(&p), &normal::multiply(&assembly.pattern, values, &p));
    // Damped well, so that conjugate gradients converge to what is compared.
    let damping: Vec<f64> = direct.diagonal.iter().map(|d| 0.1 + 0.1 * d).collect();
    let (found, wanted) = (free.step(&damping).unwrap(), direct.step(&damping).unwrap());
    // They stop at a residual of 1e-8, which the condition of the damped matrix (at most about 100) turns into an error of the step.
    let largest = wanted.iter().fold(0.0f64, |max, x| max.max(x.abs()));
    let worst = found.iter().zip(&wanted).map(|(a, b)| (a - b).abs() / largest).fold(0.0, f64::max);
    assert!(worst < 1e-6, "{worst:e}");
}

#[test]
fn products_are_the_same_bits_on_any_number_of_threads() {
    let steps = [Threads::one(), Threads::all()].map(|threads| {
        let mut system = linearized(Linear::Pcg, threads);
        let damping = vec![0.1; system.gradient.len()];
        system.step(&damping).unwrap().iter().map(|x| x.to_bits()).collect::<Vec<_>>()
    });
    assert_eq!(steps[0], steps[1]);
}
