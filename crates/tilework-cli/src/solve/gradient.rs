//! `tilework solve gradient`: how fast the gradient of a large mesh is.

use std::io::Write;
use std::time::Instant;

use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::json;
use tilework_solve::graph::interior_angle;
use tilework_solve::{CpuEvaluator, CpuPrecision, Family, Params, Problem};

use crate::failure::{Failure, Outcome, Verdict};
use crate::terminal::Out;

const EXAMPLES: &str = "\
Examples:
  tilework solve gradient
  tilework solve gradient --side 100 --json

The surface is a grid of side x side vertices with a diagonal in every square. Springs are its edges, angles two corners of its
triangles. Every figure is the fastest of several runs; walking evaluates the same expressions operation by operation.";

pub(super) fn command() -> Command {
    Command::new("gradient")
        .about("Measure gradients of a mesh: compiled to kernels, against walking the graph")
        .arg(
            Arg::new("side")
                .long("side")
                .value_name("N")
                .default_value("182")
                .help("Vertices along each side of the grid"),
        )
        .arg(Arg::new("json").long("json").action(ArgAction::SetTrue).help("Print JSON"))
        .after_help(EXAMPLES)
}

pub(super) fn run(matches: &ArgMatches, out: &mut Out) -> Outcome {
    let text = matches.get_one::<String>("side").map_or("", String::as_str);
    let side: u32 = text.parse().ok().filter(|side| (2..=2000).contains(side)).ok_or_else(|| {
        Failure::usage(format!("--side {text} is no number from 2 to 2000"), "for example --side 182")
    })?;
    let grid = Grid { side };
    let mut rows = Vec::new();
    for (name, problem, params) in [grid.springs()?, grid.angles()?] {
        let x = problem.values(params);
        let mut singles = CpuEvaluator::new(&problem, CpuPrecision::F32, 0);
        let mut doubles = CpuEvaluator::new(&problem, CpuPrecision::F64, 0);
        let in_singles = fastest(30, || singles.gradient(x))?;
        let in_doubles = fastest(30, || doubles.gradient(x))?;
        let walked = fastest(2, || doubles.gradient_by_walking(x))?;
        rows.push((name, problem.n_residuals(), [in_singles, in_doubles, walked]));
    }
    if matches.get_flag("json") {
        let row = |(name, n_residuals, [singles, doubles, walked]): &(&str, usize, [f64; 3])| json!({ "energy": name, "residuals": n_residuals, "f32_ms": singles, "f64_ms": doubles, "walking_ms": walked });
        out.json(&rows.iter().map(row).collect::<Vec<_>>().into())?;
        return Ok(Verdict::Fine);
    }
    writeln!(out, "energy    residuals    f32 ms    f64 ms    walking ms    walking/f64")?;
    for (name, n_residuals, [singles, doubles, walked]) in rows {
        let ratio = walked / doubles;
        writeln!(out, "{name:<9} {n_residuals:>9} {singles:>9.2} {doubles:>9.2} {walked:>13.1} {ratio:>14.0}")?;
    }
    Ok(Verdict::Fine)
}

/// Milliseconds of the fastest of some runs, after one that compiles.
fn fastest<R>(n_runs: usize, mut run: impl FnMut() -> tilework::Result<R>) -> tilework::Result<f64> {
    run()?;
    let mut best = f64::INFINITY;
    for _ in 0..n_runs {
        let start = Instant::now();
        run()?;
        best = best.min(start.elapsed().as_secs_f64() * 1e3);
    }
    Ok(best)
}

/// A wavy grid of vertices.
struct Grid {
    side: u32,
}

type Measured = (&'static str, Problem, Params);

impl Grid {
    fn at(&self, row: u32, col: u32) -> u32 {
        row * self.side + col
    }

    /// Pairs of rows and columns that have a square to their lower right.
    fn squares(&self) -> impl Iterator<Item = (u32, u32)> + use<> {
        let n = self.side - 1;
        (0..n).flat_map(move |row| (0..n).map(move |col| (row, col)))
    }

    fn vertices(&self, problem: &mut Problem) -> tilework::Result<Params> {
        let place = |k: u32| {
            let wave = |factor: u32| 0.1 * f64::from(k * factor % 1009).sin();
            [f64::from(k / self.side) + wave(1), f64::from(k % self.side) + wave(7), wave(3)]
        };
        let values: Vec<f64> = (0..self.side * self.side).flat_map(place).collect();
        problem.add_params(3, &values)
    }

    /// One spring of length 1 per edge.
    fn springs(&self) -> tilework::Result<Measured> {
        let mut problem = Problem::new();
        let vertices = self.vertices(&mut problem)?;
        let last = self.side - 1;
        let mut edges: Vec<(u32, u32)> = Vec::new();
        for (row, col) in self.squares() {
            edges.push((self.at(row, col), self.at(row, col + 1)));
            edges.push((self.at(row, col), self.at(row + 1, col)));
            edges.push((self.at(row, col), self.at(row + 1, col + 1)));
        }
        for k in 0..last {
            edges.push((self.at(last, k), self.at(last, k + 1)));
            edges.push((self.at(k, last), self.at(k + 1, last)));
        }
        let (from, to): (Vec<u32>, Vec<u32>) = edges.into_iter().unzip();
        let lengths = vec![1.0; from.len()];
        let family = Family {
            name: "springs",
            params: &[(vertices, &from), (vertices, &to)],
            data: &[(1, &lengths)],
            ..Family::default()
        };
        problem.add_residuals(family, |at| vec![(at.vec3(0) - at.vec3(1)).norm() - at.datum(0)[0]])?;
        Ok(("springs", problem, vertices))
    }

    /// Two corners of every triangle, which should have one radian.
    fn angles(&self) -> tilework::Result<Measured> {
        let mut problem = Problem::new();
        let vertices = self.vertices(&mut problem)?;
        let mut corners: [Vec<u32>; 3] = Default::default();
        for (row, col) in self.squares() {
            let [a, b, c, d] =
                [self.at(row, col), self.at(row + 1, col), self.at(row + 1, col + 1), self.at(row, col + 1)];
            for triangle in [[a, b, c], [b, c, a], [a, c, d]] {
                corners.iter_mut().zip(triangle).for_each(|(list, vertex)| list.push(vertex));
            }
        }
        let [a, b, c] = &corners;
        let family =
            Family { name: "angles", params: &[(vertices, a), (vertices, b), (vertices, c)], ..Family::default() };
        problem.add_residuals(family, |at| vec![interior_angle(at.vec3(0), at.vec3(1), at.vec3(2)) - 1.0])?;
        Ok(("angles", problem, vertices))
    }
}
