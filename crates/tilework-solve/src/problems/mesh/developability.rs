//! Developability: how far the normals around a vertex are from lying in one plane.

use super::{MeshProblem, weights};
use crate::graph::{Mat3, Scalar, Vec3};
use crate::{Family, Params};
use std::collections::BTreeMap;
use tilework_core::Result;

impl MeshProblem {
    /// The sum over inner vertices of the smallest eigenvalue of `Σ θ·n·nᵀ`, with the normals of the faces around and their angles at the
    /// vertex. 0 where the faces are two flat pieces that meet in a crease. One group per number of neighbors.
    pub(super) fn add_developability(&mut self, weight: f64) -> Result<()> {
        let mut by_size: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (vertex, ring) in self.topology.rings.iter().enumerate() {
            // With three faces or fewer nothing is left to be flattened but a corner.
            if !self.topology.is_boundary[vertex] && ring.len() >= 3 {
                by_size.entry(ring.len()).or_default().push(vertex);
            }
        }
        for (size, tips) in by_size {
            let neighbor = |k: usize| tips.iter().map(|&tip| self.topology.rings[tip][k]).collect::<Vec<u32>>();
            let mut columns = vec![tips.iter().map(|&tip| tip as u32).collect::<Vec<u32>>()];
            columns.extend((0..size).map(neighbor));
            let params: Vec<(Params, &[u32])> =
                columns.iter().map(|column| (self.vertices, column.as_slice())).collect();
            let weights = weights(tips.len(), weight);
            let family =
                Family { name: "developability", params: &params, data: &[(1, &weights)], ..Family::default() };
            self.problem.add_energy(family, |instance| {
                let ring: Vec<Vec3<'_>> = (1..=size).map(|k| instance.vec3(k)).collect();
                smallest_spread(instance.vec3(0), &ring) * instance.datum(0)[0]
            })?;
        }
        Ok(())
    }
}

fn smallest_spread<'g>(tip: Vec3<'g>, ring: &[Vec3<'g>]) -> Scalar<'g> {
    let graph = tip.x.graph();
    let to: Vec<Vec3<'g>> = ring.iter().map(|&neighbor| neighbor - tip).collect();
    let spreads = (0..to.len()).map(|k| {
        let (a, b) = (to[k], to[(k + 1) % to.len()]);
        let across = a.cross(b);
        let angle = across.norm().atan2(a.dot(b));
        let normal = across.normalized();
        Mat3::outer(normal * angle, normal)
    });
    let covariance = spreads.reduce(|sum, spread| sum + spread);
    covariance.map_or_else(|| graph.num(0.0), Mat3::smallest_eigenvalue)
}
