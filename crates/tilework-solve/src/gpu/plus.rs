//! Steps on manifolds, as expressions: what `Manifold::plus` does with numbers, for kernels of any precision.

use super::kernels::one_line;
use super::lists::LANES;
use super::number::{self, element};
use super::passes::{PAIR, Passes, upload};
use crate::evaluate::{Compiled, FIXED};
use crate::graph::Scalar;
use crate::manifold::Manifold;
use std::f64::consts::TAU;
use std::fmt::Write;
use tilework_core::Result;
use tilework_core::dtype::Scalar as Kind;
use tilework_core::emit::Precision;
use tilework_core::emit::{Element, statements};
use tilework_core::expr::{Graph, Id, signature};
use tilework_gpu::{Buffer, Gpu};

const INSTANCES_WGSL: &str = tilework_core::wgsl!("wgsl/instances.wgsl");

/// Blocks that move in the same way.
#[derive(Debug)]
pub(crate) struct Movers {
    manifold: Manifold,
    dim: usize,
    n_blocks: usize,
    /// Where the numbers and the directions of each block begin.
    places: Buffer,
}

impl Movers {
    /// All blocks that move, by manifold and dimension.
    pub(crate) fn upload(gpu: &Gpu, compiled: &Compiled) -> Result<Vec<Movers>> {
        let mut kinds: Vec<(Manifold, u32, Vec<[u32; 2]>)> = Vec::new();
        for block in compiled.layout.blocks.iter().filter(|block| block.tangent != FIXED) {
            let place = [block.value, block.tangent];
            match kinds.iter_mut().find(|kind| (kind.0, kind.1) == (block.manifold, block.dim)) {
                Some(kind) => kind.2.push(place),
                None => kinds.push((block.manifold, block.dim, vec![place])),
            }
        }
        let mut movers = Vec::new();
        for (manifold, dim, places) in kinds {
            let list = upload(gpu, bytemuck::cast_slice(&places))?;
            movers.push(Movers { manifold, dim: dim as usize, n_blocks: places.len(), places: list });
        }
        Ok(movers)
    }

    /// Adds the pass that moves these blocks of slot `x` along slot `step` into slot `moved`.
    pub(crate) fn push<'a>(
        &'a self,
        passes: &mut Passes<'a>,
        precision: Precision,
        x: usize,
        (step, step_element): (usize, Element),
        moved: usize,
    ) {
        let places = passes.constant(&self.places);
        let builder = number::kernel(precision, format!("step on {:?}", self.manifold))
            .param("n_instances", self.n_blocks as u32)
            .load("places", places, PAIR)
            .load("x", x, element(precision))
            .load("steps", step, step_element)
            .store("moved", moved, element(precision));
        let text = text(self.manifold, self.dim, precision);
        passes.push(builder.text(&text).file(INSTANCES_WGSL), self.n_blocks.div_ceil(LANES));
    }
}

/// The generated function of a block.
fn text(manifold: Manifold, dim: usize, precision: Precision) -> String {
    let graph = Graph::new();
    let mut slot = 0;
    let mut leaves = |n: usize| -> Vec<Scalar<'_>> {
        let first = slot;
        slot += n as u32;
        (first..slot).map(|slot| graph.leaf(slot, Kind::Num)).collect()
    };
    let (x, step) = (leaves(dim), leaves(manifold.tangent_dim(dim)));
    let roots: Vec<Id> = plus(manifold, &x, &step).iter().map(|root| root.id()).collect();
    let (expr, slots, _) = signature(&graph, &roots);
    let (body, roots) = statements(&expr, precision.format(), |leaf| match slots[leaf as usize] as usize {
        number if number < dim => (format!("x{number}"), format!("x(place.x + {number}u)")),
        number => (format!("s{}", number - dim), format!("steps(place.y + {}u)", number - dim)),
    });
    let mut text =
        format!("// A block of {dim} numbers moved along a step on {}.\n", one_line(&format!("{manifold:?}")));
    text.push_str("fn instance(i: u32) {\n    let place = places(i);\n");
    text.push_str(&body);
    for (number, root) in roots.iter().enumerate() {
        _ = writeln!(text, "    moved(place.x + {number}u, {root});");
    }
    text.push_str("}\n");
    text
}

/// `x` moved along `step`.
fn plus<'g>(manifold: Manifold, x: &[Scalar<'g>], step: &[Scalar<'g>]) -> Vec<Scalar<'g>> {
    let mut moved: Vec<Scalar<'g>> = x.iter().zip(step).map(|(&x, &step)| x + step).collect();
    match manifold {
        Manifold::Euclidean => {}
        Manifold::So2 => moved[0] = wrapped(moved[0]),
        Manifold::Se2 => moved[2] = wrapped(moved[2]),
        Manifold::Sphere => moved = sphere_plus(x, step),
        Manifold::Quaternion | Manifold::So3 => moved = quaternion_plus(x, step),
        Manifold::Se3 => {
            moved.truncate(3);
            moved.extend(quaternion_plus(&x[3..], &step[3..]));
        }
    }
    moved
}

/// An angle within half a turn of 0; one that already is stays as it is.
fn wrapped(angle: Scalar<'_>) -> Scalar<'_> {
    let turns = (angle * (1.0 / TAU) + 0.5).floor();
    turns.eq(turns.zero()).select(angle, angle - turns * TAU)
}

fn squared_norm<'g>(x: &[Scalar<'g>]) -> Scalar<'g> {
    x[1..].iter().fold(x[0] * x[0], |sum, &x| sum + x * x)
}

fn normalized<'g>(x: &[Scalar<'g>]) -> Vec<Scalar<'g>> {
    let norm = squared_norm(x).sqrt();
    x.iter().map(|&x| x / norm).collect()
}

/// sin(factor·angle)/angle and cos(factor·angle) of the angle whose square this is; the first by its series where the division would lose digits.
fn sine_and_cosine(square: Scalar<'_>, factor: f64) -> (Scalar<'_>, Scalar<'_>) {
    let is_small = square.lt(square.graph().num(1e-8));
    // The branch that is not taken must not divide by 0.
    let angle = is_small.select(square.graph().num(1.0), square).sqrt();
    let series = factor - square * (factor.powi(3) / 6.0);
    let cosine_series = 1.0 - square * (factor.powi(2) / 2.0);
    let scaled = angle * factor;
    (is_small.select(series, scaled.sin() / angle), is_small.select(cosine_series, scaled.cos()))
}

/// `q·exp(δ/2)`.
fn quaternion_plus<'g>(q: &[Scalar<'g>], step: &[Scalar<'g>]) -> Vec<Scalar<'g>> {
    let (sine, c) = sine_and_cosine(squared_norm(step), 0.5);
    let [a, b, d] = [step[0] * sine, step[1] * sine, step[2] * sine];
    let [w, x, y, z] = [q[0], q[1], q[2], q[3]];
    normalized(&[
        w * c - x * a - y * b - z * d,
        w * a + x * c + y * d - z * b,
        w * b - x * d + y * c + z * a,
        w * d + x * b - y * a + z * c,
    ])
}

/// Along a great circle; the directions are those of `Manifold::basis`.
fn sphere_plus<'g>(x: &[Scalar<'g>], step: &[Scalar<'g>]) -> Vec<Scalar<'g>> {
    let (sine, cosine) = sine_and_cosine(squared_norm(step), 1.0);
    let basis = Manifold::Sphere.basis(x).unwrap_or_default();
    let across = |row: &Vec<Option<Scalar<'g>>>| {
        let terms = row.iter().zip(step).filter_map(|(entry, &step)| entry.map(|entry| entry * step));
        terms.reduce(|sum, term| sum + term).unwrap_or_else(|| step[0].zero())
    };
    let moved: Vec<Scalar<'g>> = x.iter().zip(&basis).map(|(&x, row)| x * cosine + across(row) * sine).collect();
    normalized(&moved)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilework_core::expr::{Value, eval_f64};

    #[test]
    fn steps_are_those_of_the_cpu() {
        let starts: &[(Manifold, &[f64])] = &[
            (Manifold::Euclidean, &[1.0, 2.0]),
            (Manifold::So2, &[3.0]),
            (Manifold::Se2, &[1.0, 2.0, -3.0]),
            (Manifold::Sphere, &[0.6, 0.0, -0.8]),
            (Manifold::Quaternion, &[0.5, -0.5, 0.5, 0.5]),
            (Manifold::Se3, &[1.0, 2.0, 3.0, 0.6, 0.0, 0.8, 0.0]),
        ];
        for &(manifold, x) in starts {
            for size in [0.0, 1e-6, 0.7] {
                let n_tangents = manifold.tangent_dim(x.len());
                let step: Vec<f64> = (0..n_tangents).map(|k| size * (1.0 - 0.4 * k as f64)).collect();
                let mut expected = x.to_vec();
                manifold.plus(&mut expected, &step);
                let graph = Graph::new();
                let leaves: Vec<_> = (0..x.len() + n_tangents).map(|k| graph.leaf(k as u32, Kind::Num)).collect();
                let moved = plus(manifold, &leaves[..x.len()], &leaves[x.len()..]);
                let numbers = [x, &step].concat();
                let leaf = |slot: u32| Value::num(numbers[slot as usize]);
                for (root, expected) in moved.iter().zip(expected) {
                    let found = eval_f64(&graph, &[root.id()], &leaf, &|_| Value::num(0.0))[0].to_f64();
                    assert!((found - expected).abs() < 1e-14, "{manifold:?} {size}: {found} {expected}");
                }
            }
        }
    }
}
