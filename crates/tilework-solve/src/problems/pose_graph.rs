//! Pose graphs: places of a robot, from what it measured between them.
//!
//! An edge's residuals are `U·e` with the information matrix `UᵀU` (`U` upper triangular), so that their square is the edge's χ². The
//! error `e` is the one of Ceres' examples: the difference of positions in the frame of the first pose, and the difference of
//! angles, or twice the vector part of the quaternion between what was measured and what is.

use crate::formats::g2o::{PoseGraph, Poses};
use crate::graph::{Quaternion, Scalar, Vec2, Vec3, rotate2};
use crate::loss::Loss;
use crate::manifold::Manifold;
use crate::{Family, Instance, Params, Problem};
use std::f64::consts::{PI, TAU};
use tilework_core::{Error, Result};

/// A pose graph as a problem.
#[derive(Debug)]
pub struct PoseProblem {
    /// Three or six residuals per edge.
    pub problem: Problem,
    /// A block per pose of the plane (`x, y, angle`).
    pub plane: Params,
    /// A block per pose of space (`x, y, z` and a quaternion `w, x, y, z`).
    pub space: Params,
}

/// The problem of a pose graph. Where the file holds no pose still, the first of each kind is: only differences are measured.
pub fn pose_graph(graph: &PoseGraph, loss: Loss) -> Result<PoseProblem> {
    let mut problem = Problem::new();
    let plane = problem.add_params(3, graph.plane.poses.as_flattened())?;
    problem.set_manifold(plane, Manifold::Se2)?;
    let space = problem.add_params(7, graph.space.poses.as_flattened())?;
    problem.set_manifold(space, Manifold::Se3)?;
    problem.set_fixed(plane, &held(&graph.plane, &graph.fixed))?;
    problem.set_fixed(space, &held(&graph.space, &graph.fixed))?;
    add_edges(&mut problem, "SE2 edge", plane, &graph.plane, loss, plane_error)?;
    add_edges(&mut problem, "SE3 edge", space, &graph.space, loss, space_error)?;
    Ok(PoseProblem { problem, plane, space })
}

impl PoseProblem {
    /// The graph with what was found.
    pub fn result(&self, given: &PoseGraph) -> PoseGraph {
        let mut graph = given.clone();
        graph.plane.poses = self.problem.values(self.plane).as_chunks().0.to_vec();
        graph.space.poses = self.problem.values(self.space).as_chunks().0.to_vec();
        graph
    }
}

/// Positions of the poses that stay where they are.
fn held<const N: usize, const I: usize>(poses: &Poses<N, I>, fixed: &[u64]) -> Vec<usize> {
    let is_held = |at: &usize| fixed.contains(&poses.ids[*at]);
    let named: Vec<usize> = if fixed.is_empty() { Vec::new() } else { (0..poses.ids.len()).filter(is_held).collect() };
    if named.is_empty() && !poses.ids.is_empty() { vec![0] } else { named }
}

/// What an edge got wrong.
type EdgeError = for<'g> fn(&Instance<'g>) -> Vec<Scalar<'g>>;

fn add_edges<const N: usize, const I: usize>(
    problem: &mut Problem,
    name: &str,
    params: Params,
    poses: &Poses<N, I>,
    loss: Loss,
    error: EdgeError,
) -> Result<()> {
    if poses.edges.is_empty() {
        return Ok(());
    }
    let from: Vec<u32> = poses.edges.iter().map(|edge| edge.from).collect();
    let to: Vec<u32> = poses.edges.iter().map(|edge| edge.to).collect();
    let measured: Vec<f64> = poses.edges.iter().flat_map(|edge| edge.measured).collect();
    let mut roots = Vec::with_capacity(poses.edges.len() * I);
    for (number, edge) in poses.edges.iter().enumerate() {
        let root = upper_root(&edge.information).ok_or_else(|| {
            let message = format!("edge {number}: its information matrix is not positive");
            Error::argument(name, message)
        })?;
        roots.extend(root);
    }
    // Entries that are 0 for all edges are no work: information matrices are diagonal more often than not.
    let is_used: Vec<bool> = (0..I).map(|entry| roots.iter().skip(entry).step_by(I).any(|&root| root != 0.0)).collect();
    let family = Family { name, params: &[(params, &from), (params, &to)], data: &[(N, &measured), (I, &roots)], loss };
    problem.add_residuals(family, |instance| weighed(&error(instance), instance.datum(1), &is_used))
}

/// `U·e`, with the packed entries of `U` that are used.
fn weighed<'g>(error: &[Scalar<'g>], root: &[Scalar<'g>], is_used: &[bool]) -> Vec<Scalar<'g>> {
    let mut entries = root.iter().zip(is_used);
    let row = |row: usize| {
        let terms = error[row..].iter().zip(entries.by_ref()).filter(|(_, (_, used))| **used);
        let terms: Vec<Scalar<'g>> = terms.map(|(&part, (&entry, _))| entry * part).collect();
        crate::graph::sum(error[0].graph(), terms)
    };
    (0..error.len()).map(row).collect()
}

fn plane_error<'g>(instance: &Instance<'g>) -> Vec<Scalar<'g>> {
    let [x, y, angle] = instance.first(instance.param(0));
    let [to_x, to_y, to_angle] = instance.first(instance.param(1));
    let [seen_x, seen_y, seen_angle] = instance.first(instance.datum(0));
    let offset = rotate2(-angle, Vec2::new(to_x, to_y) - Vec2::new(x, y)) - Vec2::new(seen_x, seen_y);
    let turn = to_angle - angle - seen_angle;
    // Within −π and π.
    vec![offset.x, offset.y, turn - ((turn + PI) / TAU).floor() * TAU]
}

fn space_error<'g>(instance: &Instance<'g>) -> Vec<Scalar<'g>> {
    let pose = |numbers: &[Scalar<'g>]| {
        let [x, y, z, qw, qx, qy, qz] = instance.first(numbers);
        (Vec3::new(x, y, z), Quaternion::new(qw, qx, qy, qz))
    };
    let (from, to) = (pose(instance.param(0)), pose(instance.param(1)));
    let seen = pose(instance.datum(0));
    let back = from.1.conjugate();
    let offset = back.rotate(to.0 - from.0) - seen.0;
    let turn = seen.1 * (back * to.1).conjugate();
    [offset.to_vec(), (turn.vector() * 2.0).to_vec()].concat()
}

/// The upper triangular `U` of `UᵀU`, packed as the upper triangle of the matrix is given; `None` if there is none.
fn upper_root<const I: usize>(information: &[f64; I]) -> Option<[f64; I]> {
    let n = (1..).find(|n| n * (n + 1) / 2 >= I)?;
    let at = |row: usize, col: usize| row * n - row * (row + 1) / 2 + col;
    let mut root = [0.0; I];
    for row in 0..n {
        for col in row..n {
            let known: f64 = (0..row).map(|k| root[at(k, row)] * root[at(k, col)]).sum();
            let rest = information[at(row, col)] - known;
            root[at(row, col)] = match col == row {
                true if rest > 0.0 => rest.sqrt(),
                true => return None,
                false => rest / root[at(row, row)],
            };
        }
    }
    Some(root)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_multiply_to_the_matrix() {
        // UᵀU with U = [[2, 1, 3], [0, 1, −1], [0, 0, 4]].
        let information = [4.0, 2.0, 6.0, 2.0, 2.0, 26.0];
        assert_eq!(upper_root(&information), Some([2.0, 1.0, 3.0, 1.0, -1.0, 4.0]));
        assert_eq!(upper_root(&[1.0, 2.0, 1.0]), None);
        assert_eq!(upper_root(&[f64::NAN, 0.0, 1.0]), None);
    }
}
