//! Energies of edges: springs, smoothing, bending.

use super::{MeshProblem, face_area, minus, norm, weights};
use crate::Family;
use crate::formats::Mesh;
use crate::graph::dihedral_angle;
use tilework_core::Result;

/// Cotangent weights below this are raised to it: angles above 90° would make them negative, and squares cannot weigh that.
const LEAST_WEIGHT: f64 = 1e-3;

impl MeshProblem {
    pub(super) fn add_springs(&mut self, weight: f64) -> Result<()> {
        let lengths = self.edge_lengths();
        self.add_lengths(&lengths, weight)
    }

    pub(super) fn add_even_edges(&mut self, weight: f64) -> Result<()> {
        let lengths = self.edge_lengths();
        let mean = lengths.iter().sum::<f64>() / lengths.len().max(1) as f64;
        self.add_lengths(&weights(lengths.len(), mean), weight)
    }

    fn add_lengths(&mut self, lengths: &[f64], weight: f64) -> Result<()> {
        let [from, to] = self.edge_ends();
        let roots = weights(lengths.len(), weight.sqrt());
        let family = Family {
            name: "springs",
            params: &[(self.vertices, &from), (self.vertices, &to)],
            data: &[(1, lengths), (1, &roots)],
            ..Family::default()
        };
        self.problem.add_residuals(family, |instance| {
            let length = instance.vec3(0).distance(instance.vec3(1));
            vec![(length - instance.datum(0)[0]) * instance.datum(1)[0]]
        })
    }

    /// `½·t·Σ w‖pᵢ − pⱼ‖² + ½·Σ A‖p − p₀‖²`: its minimum is one implicit step of the flow by mean curvature over the time `t`, here
    /// `weight` times the mean square of edges.
    pub(super) fn add_smoothing(&mut self, weight: f64) -> Result<()> {
        let lengths = self.edge_lengths();
        let mean_square = lengths.iter().map(|length| length * length).sum::<f64>() / lengths.len().max(1) as f64;
        let time = weight * mean_square;
        let roots: Vec<f64> = cotangent_weights(self).iter().map(|w| (w * time).sqrt()).collect();
        let [from, to] = self.edge_ends();
        let family = Family {
            name: "smoothing",
            params: &[(self.vertices, &from), (self.vertices, &to)],
            data: &[(1, &roots)],
            ..Family::default()
        };
        self.problem.add_residuals(family, |instance| {
            ((instance.vec3(0) - instance.vec3(1)) * instance.datum(0)[0]).to_vec()
        })?;
        let areas: Vec<f64> = vertex_areas(&self.rest).iter().map(|area| area.sqrt()).collect();
        self.add_pulls("fidelity", &areas)
    }

    /// `½·Σ 3ℓ²/A·θ²`, with the length of the edge and the area of its two triangles at rest.
    pub(super) fn add_bending(&mut self, weight: f64) -> Result<()> {
        let mut ends: [Vec<u32>; 4] = Default::default();
        let mut roots = Vec::new();
        for edge in &self.topology.edges {
            let (Some(left), Some(right)) = (edge.left, edge.right) else { continue };
            let [a, b] = edge.ends;
            let area = face_area(&self.rest, [a, b, left]) + face_area(&self.rest, [b, a, right]);
            let length = norm(minus(self.rest.positions[b as usize], self.rest.positions[a as usize]));
            // Two triangles without area bend for nothing.
            let root = if area > 0.0 { (3.0 * weight / area).sqrt() * length } else { 0.0 };
            ends.iter_mut().zip([a, b, left, right]).for_each(|(list, vertex)| list.push(vertex));
            roots.push(root);
        }
        let params = ends.each_ref().map(|list| (self.vertices, list.as_slice()));
        let family = Family { name: "bending", params: &params, data: &[(1, &roots)], ..Family::default() };
        self.problem.add_residuals(family, |instance| {
            let [a, b, left, right] = [0, 1, 2, 3].map(|k| instance.vec3(k));
            vec![dihedral_angle(a, b, left, right) * instance.datum(0)[0]]
        })
    }

    pub(super) fn edge_ends(&self) -> [Vec<u32>; 2] {
        [0, 1].map(|k| self.topology.edges.iter().map(|edge| edge.ends[k]).collect())
    }

    fn edge_lengths(&self) -> Vec<f64> {
        let at = |vertex: u32| self.rest.positions[vertex as usize];
        self.topology.edges.iter().map(|edge| norm(minus(at(edge.ends[0]), at(edge.ends[1])))).collect()
    }
}

/// Half the sum of the cotangents of the angles opposite to each edge, at rest.
pub(super) fn cotangent_weights(mesh: &MeshProblem) -> Vec<f64> {
    let at = |vertex: u32| mesh.rest.positions[vertex as usize];
    let cotangent = |tip: u32, [a, b]: [u32; 2]| {
        let (u, v) = (minus(at(a), at(tip)), minus(at(b), at(tip)));
        let sine = norm(super::cross(u, v));
        if sine > 0.0 { super::dot(u, v) / sine } else { 0.0 }
    };
    let weight = |edge: &super::Edge| {
        let both = [edge.left, edge.right].into_iter().flatten();
        let sum: f64 = both.map(|tip| cotangent(tip, edge.ends)).sum();
        (0.5 * sum).max(LEAST_WEIGHT)
    };
    mesh.topology.edges.iter().map(weight).collect()
}

/// A third of the area of the faces at each vertex.
fn vertex_areas(mesh: &Mesh) -> Vec<f64> {
    let mut areas = vec![0.0; mesh.positions.len()];
    for &face in &mesh.faces {
        let third = face_area(mesh, face) / 3.0;
        face.iter().for_each(|&corner| areas[corner as usize] += third);
    }
    areas
}
