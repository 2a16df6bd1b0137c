//! Problems with known answers.

use std::f64::consts::PI;
use tilework_solve::formats::Mesh;
use tilework_solve::problems::arm::{Joint, end_of, reach};
use tilework_solve::problems::circles::fit_circles;
use tilework_solve::problems::mesh::{Energy, MeshProblem, icosphere, parameterize, saddle};
use tilework_solve::problems::rope::{Rope, rope};
use tilework_solve::problems::sketch::{CircleId, Constraint, LineId, PointId, Sketch};
use tilework_solve::{Loss, Method, Problem, SolveOptions};

fn options() -> SolveOptions<'static> {
    SolveOptions { max_iterations: 200, function_tolerance: 1e-12, n_threads: 1, ..SolveOptions::default() }
}

#[test]
fn circles_are_found_among_outliers() {
    let on_circle = |x: f64, y: f64, radius: f64| -> Vec<[f64; 2]> {
        (0..12).map(|k| f64::from(k) * 0.4).map(|a| [x + radius * a.cos(), y + radius * a.sin()]).collect()
    };
    let mut sets = vec![on_circle(1.0, 2.0, 3.0), on_circle(-4.0, 0.5, 0.25)];
    let mut fit = fit_circles(&sets, Loss::Squared).unwrap();
    fit.problem.solve(&options()).unwrap();
    let close = |found: &[f64], wanted: &[f64], tolerance: f64| {
        assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < tolerance), "{found:?} {wanted:?}");
    };
    close(fit.problem.values(fit.circles), &[1.0, 2.0, 3.0, -4.0, 0.5, 0.25], 1e-9);
    sets[0].push([30.0, 2.0]);
    let mut robust = fit_circles(&sets[..1], Loss::Cauchy { delta: 0.01 }).unwrap();
    robust.problem.solve(&options()).unwrap();
    close(robust.problem.values(robust.circles), &[1.0, 2.0, 3.0], 1e-3);
    assert!(fit_circles(&[vec![[0.0, 0.0]]], Loss::Squared).is_err());
}

#[test]
fn arms_reach_what_is_within_reach() {
    let joint = |axis: [f64; 3], link: f64| Joint { axis, link, limits_rad: -2.5..=2.5 };
    let joints = [
        joint([0.0, 0.0, 1.0], 0.0),
        joint([0.0, 1.0, 0.0], 1.0),
        joint([0.0, 1.0, 0.0], 0.8),
        joint([0.0, 1.0, 0.0], 0.4),
    ];
    let misses = |targets: &[[f64; 3]]| -> Vec<f64> {
        let mut arms = reach(&joints, targets, &[0.1, 0.2, 0.3, 0.4], 1e-6).unwrap();
        assert_eq!(arms.problem.n_groups(), 1);
        arms.problem.solve(&options()).unwrap();
        let angles = arms.problem.values(arms.angles);
        assert!(angles.iter().all(|angle| angle.abs() <= 2.5), "{angles:?}");
        let miss = |(angles, target): (&[f64], &[f64; 3])| {
            let end = end_of(&joints, angles);
            (0..3).map(|axis| (end[axis] - target[axis]).powi(2)).sum::<f64>().sqrt()
        };
        angles.chunks(4).zip(targets).map(miss).collect()
    };
    let within = misses(&[[1.2, 0.6, 0.5], [0.2, -0.9, -0.7]]);
    assert!(within.iter().all(|&miss| miss < 1e-6), "{within:?}");
    // Out of reach it stretches towards the target.
    let beyond = misses(&[[9.0, 0.0, 0.0]]);
    assert!((beyond[0] - (9.0 - 2.2)).abs() < 1e-4, "{beyond:?}");
}

#[test]
fn ropes_keep_their_length_and_do_not_cross() {
    let shape = Rope { n_beads: 40, length: 6.0, span: 2.0, thickness: 0.35, stiffness: 0.05 };
    let mut problem = rope(shape).unwrap();
    let summary = problem.problem.solve(&options()).unwrap();
    assert!(summary.final_cost < 0.02 * summary.initial_cost, "{summary:?}");
    let beads: Vec<[f64; 2]> = problem.problem.values(problem.beads).as_chunks().0.to_vec();
    assert_eq!((beads[0], beads[39]), ([0.0, 0.0], [2.0, 0.0]));
    let distance = |a: usize, b: usize| (beads[a][0] - beads[b][0]).hypot(beads[a][1] - beads[b][1]);
    let length: f64 = (1..40).map(|k| distance(k - 1, k)).sum();
    assert!((length - 6.0).abs() < 0.3, "{length}");
    let nearest = (0..40).flat_map(|a| (a + 4..40).map(move |b| (a, b))).map(|(a, b)| distance(a, b));
    let nearest = nearest.fold(f64::INFINITY, f64::min);
    assert!(nearest > 0.8 * 0.35, "{nearest}");
}

/// A rectangle with a rounded hole: every kind of constraint, three times or so.
fn sketch() -> (Sketch, usize) {
    let mut sketch = Sketch::new();
    for copy in 0..3 {
        let x = 20.0 * f64::from(copy);
        let p: Vec<PointId> =
            [[0.1, 0.0], [4.2, 0.3], [3.8, 2.9], [-0.2, 3.1], [2.1, 1.4], [6.0, 1.0], [0.1, 0.2], [2.0, -0.3]]
                .iter()
                .map(|&[px, py]| sketch.point(x + px, py))
                .collect();
        let lines: Vec<LineId> = (0..4).map(|k| sketch.line(p[k], p[(k + 1) % 4])).collect();
        let (c, d) = (sketch.circle(p[4], 0.7), sketch.circle(p[5], 0.9));
        for constraint in [
            Constraint::Fixed(p[0], [x, 0.0]),
            Constraint::Coincident(p[6], p[0]),
            Constraint::Horizontal(lines[0]),
            Constraint::Vertical(lines[1]),
            Constraint::Parallel(lines[0], lines[2]),
            Constraint::Perpendicular(lines[2], lines[3]),
            Constraint::Distance(p[0], p[1], 4.0),
            Constraint::EqualLength(lines[0], lines[1]),
            Constraint::Angle(lines[0], lines[1], PI / 2.0),
            Constraint::Midpoint(p[7], lines[0]),
            Constraint::Radius(c, 1.0),
            Constraint::EqualRadius(c, d),
            Constraint::TangentCircles(c, d),
            Constraint::Tangent(lines[0], c),
            Constraint::PointOnLine(p[5], lines[0]),
        ] {
            sketch.constrain(constraint);
        }
    }
    (sketch, 15)
}

#[test]
fn sketches_have_as_many_groups_as_kinds_and_are_solved() {
    let (sketch, n_kinds) = sketch();
    assert_eq!(sketch.constraints.len(), 45);
    let mut built = sketch.problem(0.0).unwrap();
    assert_eq!(built.problem.n_groups(), n_kinds);
    let summary = built.problem.solve(&options()).unwrap();
    assert!(summary.final_cost < 1e-16, "{} {:?}", summary.final_cost, summary.reason);
    let found = built.result(&sketch);
    for (at, wanted) in
        [([0.0, 0.0], 0), ([4.0, 0.0], 1), ([4.0, 4.0], 2), ([0.0, 4.0], 3)].map(|(at, k)| (at, found.points[k]))
    {
        assert!((at[0] - wanted[0]).hypot(at[1] - wanted[1]) < 1e-7, "{at:?} {wanted:?}");
    }
    assert!((found.radii[1] - 1.0).abs() < 1e-7);
}

#[test]
fn every_other_kind_of_constraint_holds_in_the_end() {
    let mut sketch = Sketch::new();
    let p: Vec<PointId> = [[0.0, 0.1], [3.0, 0.2], [5.0, 1.0], [7.0, 1.2], [1.0, 2.0], [1.5, -1.0], [2.0, 2.0]]
        .iter()
        .map(|&[x, y]| sketch.point(x, y))
        .collect();
    let (l, m) = (sketch.line(p[0], p[1]), sketch.line(p[2], p[3]));
    let (c, d) = (sketch.circle(p[4], 1.0), sketch.circle(p[6], 2.0));
    sketch.constrain(Constraint::Collinear(l, m));
    sketch.constrain(Constraint::Symmetric(p[4], p[5], l));
    sketch.constrain(Constraint::Concentric(c, d));
    sketch.constrain(Constraint::PointOnCircle(p[2], d));
    sketch.constrain(Constraint::DistanceToLine(p[4], l, 1.5));
    let mut built = sketch.problem(0.0).unwrap();
    let summary = built.problem.solve(&options()).unwrap();
    assert!(summary.final_cost < 1e-16, "{} {:?}", summary.final_cost, summary.reason);
    // What constraints leave open stays near where it was drawn.
    let mut held = sketch.problem(1e-3).unwrap();
    held.problem.solve(&options()).unwrap();
    let moved = held.result(&sketch).points[3];
    assert!((moved[0] - 7.0).hypot(moved[1] - 1.2) < 2.0, "{moved:?}");
}

#[test]
fn sketches_with_missing_parts_are_refused() {
    let mut sketch = Sketch::new();
    sketch.point(0.0, 0.0);
    for constraint in [
        Constraint::Horizontal(LineId(3)),
        Constraint::Radius(CircleId(0), 1.0),
        Constraint::Coincident(PointId(0), PointId(7)),
    ] {
        let broken = Sketch { constraints: vec![constraint], ..sketch.clone() };
        assert!(broken.problem(0.0).is_err(), "{constraint:?}");
    }
}

#[test]
fn a_thousand_instances_are_one_group() {
    let mut problem = Problem::new();
    let values: Vec<f64> = (0..1001).map(f64::from).collect();
    let params = problem.add_params(1, &values).unwrap();
    problem
        .record_residuals(1000, Loss::Squared, |record, k| {
            // Both orders of the pair are the same maths.
            let (a, b) = if k % 2 == 0 { (k, k + 1) } else { (k + 1, k) };
            vec![(record.param(params, a)[0] - record.param(params, b)[0]).square() - record.data(k as f64)]
        })
        .unwrap();
    assert_eq!((problem.n_groups(), problem.n_instances()), (1, 1000));
}

fn spread_of_edges(mesh: &Mesh) -> f64 {
    let length = |a: u32, b: u32| -> f64 {
        let (p, q) = (mesh.positions[a as usize], mesh.positions[b as usize]);
        (0..3).map(|k| (p[k] - q[k]).powi(2)).sum::<f64>().sqrt()
    };
    let lengths: Vec<f64> =
        mesh.faces.iter().flat_map(|&[a, b, c]| [length(a, b), length(b, c), length(c, a)]).collect();
    let (low, high) = lengths.iter().fold((f64::INFINITY, 0.0f64), |(low, high), &l| (low.min(l), high.max(l)));
    high / low
}

#[test]
fn springs_make_edges_even_and_keep_lengths() {
    let sphere = icosphere(2).unwrap();
    let mut even = MeshProblem::new(&sphere).unwrap();
    even.add(Energy::EvenEdges, 1.0).unwrap();
    let summary = even.problem.solve(&options()).unwrap();
    assert!(summary.final_cost < 0.1 * summary.initial_cost, "{summary:?}");
    assert!(spread_of_edges(&even.result()) < spread_of_edges(&sphere));
    // Somebody pulls a vertex away; its neighbors follow, and lengths are nearly kept.
    let mut pulled = MeshProblem::new(&sphere).unwrap();
    pulled.add(Energy::Springs, 1.0).unwrap();
    pulled.fix(0, Some(sphere.positions[0].map(|x| 1.2 * x))).unwrap();
    let summary = pulled.problem.solve(&options()).unwrap();
    assert!(summary.final_cost < 1e-2 * summary.initial_cost, "{summary:?}");
}

#[test]
fn arap_follows_a_rotation_rigidly() {
    let sphere = icosphere(1).unwrap();
    let mut problem = MeshProblem::new(&sphere).unwrap();
    problem.add(Energy::Arap, 1.0).unwrap();
    // Three vertices turned by 60° about z determine the rest.
    let (s, c) = (PI / 3.0).sin_cos();
    let turned = |p: [f64; 3]| [c * p[0] - s * p[1], s * p[0] + c * p[1], p[2]];
    for vertex in [0, 5, 9] {
        problem.fix(vertex, Some(turned(sphere.positions[vertex]))).unwrap();
    }
    let summary = problem.problem.solve(&options()).unwrap();
    assert!(summary.final_cost < 1e-12, "{} {:?}", summary.final_cost, summary.reason);
    for (found, &at_rest) in problem.result().positions.iter().zip(&sphere.positions) {
        let wanted = turned(at_rest);
        assert!((0..3).all(|k| (found[k] - wanted[k]).abs() < 1e-5), "{found:?} {wanted:?}");
    }
}

#[test]
fn developability_falls_and_has_a_group_per_ring_size() {
    let mut problem = MeshProblem::new(&icosphere(2).unwrap()).unwrap();
    problem.add(Energy::Developability, 1.0).unwrap();
    assert_eq!((problem.problem.n_groups(), problem.problem.n_instances()), (2, 162));
    assert_eq!(problem.method(), Method::Lbfgs);
    let summary =
        problem.problem.solve(&SolveOptions { method: Method::Lbfgs, max_iterations: 60, ..options() }).unwrap();
    assert!(summary.final_cost < 0.5 * summary.initial_cost, "{} {}", summary.initial_cost, summary.final_cost);
    let cost_after: Vec<f64> = summary.iterations.iter().map(|iteration| iteration.cost).collect();
    assert!(cost_after.windows(2).all(|pair| pair[1] <= pair[0]), "{cost_after:?}");
}

#[test]
fn every_energy_of_meshes_is_lowered_or_at_rest() {
    let sphere = icosphere(1).unwrap();
    for &(name, energy, _) in Energy::ALL {
        let mut problem = MeshProblem::new(&sphere).unwrap();
        problem.add(energy, 1.0).unwrap();
        let bumped: Vec<f64> = sphere
            .positions
            .iter()
            .enumerate()
            .flat_map(|(k, p)| p.map(|x| x * (1.1 + 0.1 * (k as f64).sin())))
            .collect();
        let vertices = problem.vertices;
        problem.problem.set_values(vertices, &bumped).unwrap();
        let options = SolveOptions { method: problem.method(), max_iterations: 20, ..options() };
        let summary = problem.problem.solve(&options).unwrap();
        assert!(summary.final_cost < summary.initial_cost, "{name}: {summary:?}");
        assert!(problem.result().positions.iter().flatten().all(|x| x.is_finite()), "{name}");
    }
}

#[test]
fn balloons_and_films_find_the_sphere() {
    // Area less volume is smallest, of what is near, at a sphere of radius 2·weight ratio; from 1 with ratio 1 it must change.
    let mut film = MeshProblem::new(&icosphere(2).unwrap()).unwrap();
    film.add(Energy::Shrink, 1.0).unwrap();
    film.add(Energy::Hold, 10.0).unwrap();
    film.problem.solve(&SolveOptions { method: Method::Lbfgs, ..options() }).unwrap();
    let radius =
        |mesh: &Mesh| mesh.positions.iter().map(|p| p.iter().map(|x| x * x).sum::<f64>().sqrt()).sum::<f64>() / 162.0;
    let shrunk = radius(&film.result());
    assert!(shrunk < 1.0 && shrunk > 0.5, "{shrunk}");
}

#[test]
fn a_saddle_is_flattened_without_turning_triangles_over() {
    let mesh = saddle(9).unwrap();
    let mut flat = parameterize(&mesh).unwrap();
    let options = SolveOptions { method: Method::Lbfgs, max_iterations: 100, ..options() };
    let summary = flat.problem.solve(&options).unwrap();
    // 2 is no distortion at all, which a saddle cannot have.
    assert!(summary.final_cost < summary.initial_cost && summary.final_cost > 2.0, "{summary:?}");
    assert!(summary.final_cost < 2.2, "{}", summary.final_cost);
    let result = flat.result();
    for &[a, b, c] in &result.faces {
        let [p, q, r] = [a, b, c].map(|k| result.positions[k as usize]);
        let area = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
        assert!(area > 0.0, "{area}");
    }
    let closed = parameterize(&icosphere(1).unwrap()).unwrap_err().to_string();
    assert!(closed.contains("no border"), "{closed}");
}
