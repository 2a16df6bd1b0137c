//! Flattening: a surface with a border laid into the plane with little distortion and no triangle turned over.

use super::{Topology, cross, dot, face_area, minus, norm};
use crate::formats::Mesh;
use crate::{Family, Linear, Method, Params, Problem, SolveOptions};
use std::f64::consts::{PI, TAU};
use tilework_core::{Error, Result};

/// A flattening as a problem.
#[derive(Debug)]
pub struct Parameterization {
    /// The symmetric Dirichlet energy of every triangle.
    pub problem: Problem,
    /// A block of two per vertex: its place in the plane.
    pub places: Params,
    faces: Vec<[u32; 3]>,
}

/// The problem of flattening a surface that is a disk: one piece, one border, no handles.
///
/// The energy is `½·Σ A·(‖J‖² + ‖J⁻¹‖²)`, with the part of the area a triangle has and the matrix that maps it into the plane; it is 2
/// where nothing is distorted, and infinite where a triangle has no area or is turned over, so that no line search goes
/// there. It begins where W. T. Tutte (1963) puts the vertices: the border on a circle, every other one in the middle of its
/// neighbors, which turns no triangle over.
pub fn parameterize(mesh: &Mesh) -> Result<Parameterization> {
    let topology = Topology::new(mesh)?;
    let start = tutte(mesh, &topology)?;
    let mut problem = Problem::new();
    let places = problem.add_params(2, start.as_flattened())?;
    let columns: [Vec<u32>; 3] = [0, 1, 2].map(|k| mesh.faces.iter().map(|face| face[k]).collect());
    let total: f64 = mesh.faces.iter().map(|&face| face_area(mesh, face)).sum();
    let (mut shapes, mut areas) = (Vec::new(), Vec::new());
    for (number, &face) in mesh.faces.iter().enumerate() {
        let shape = inverse_shape(face.map(|corner| mesh.positions[corner as usize]));
        shapes.extend(shape.ok_or_else(|| Error::argument("parameterize", format!("face {number} has no area")))?);
        areas.push(face_area(mesh, face) / total);
    }
    let params = columns.each_ref().map(|column| (places, column.as_slice()));
    let family = Family {
        name: "symmetric Dirichlet",
        params: &params,
        data: &[(4, &shapes), (1, &areas)],
        ..Family::default()
    };
    problem.add_energy(family, |instance| {
        let (u, v) = (instance.vec2(1) - instance.vec2(0), instance.vec2(2) - instance.vec2(0));
        let [a, b, c, d] = instance.first(instance.datum(0));
        let (first, second) = (u * a + v * c, u * b + v * d);
        // Of a turned triangle it is 0, and what is divided by it infinite.
        let determinant = first.cross(second).maximum(instance.num(0.0));
        let square = first.squared_norm() + second.squared_norm();
        (square + square / (determinant * determinant)) * instance.datum(1)[0] * 0.5
    })?;
    Ok(Parameterization { problem, places, faces: mesh.faces.clone() })
}

impl Parameterization {
    /// The flattened surface, as a mesh in the plane `z = 0`.
    pub fn result(&self) -> Mesh {
        let places = self.problem.values(self.places).as_chunks::<2>().0;
        Mesh { positions: places.iter().map(|&[u, v]| [u, v, 0.0]).collect(), faces: self.faces.clone() }
    }
}

/// The inverse, by rows, of the matrix whose columns are two edges of a triangle in a frame of its plane.
fn inverse_shape([p, q, r]: [[f64; 3]; 3]) -> Option<[f64; 4]> {
    let (u, v) = (minus(q, p), minus(r, p));
    let length = norm(u);
    let (along, across) = (dot(u, v) / length, norm(cross(u, v)) / length);
    // Columns (length, 0) and (along, across).
    let inverse = [1.0 / length, -along / (length * across), 0.0, 1.0 / across];
    inverse.iter().all(|entry| entry.is_finite()).then_some(inverse)
}

/// Places by Tutte's embedding, on a disk of the surface's area.
fn tutte(mesh: &Mesh, topology: &Topology) -> Result<Vec<[f64; 2]>> {
    let refused = |message: &str| Err(Error::argument("parameterize", message));
    let n = mesh.positions.len();
    let border = topology.boundary();
    if border.is_empty() {
        return refused("the surface has no border: cut it open first");
    }
    // Euler: vertices − edges + faces is 1 for a disk and nothing else that is in one piece.
    let n_border = topology.edges.iter().filter(|edge| edge.right.is_none()).count();
    let is_disk = n + mesh.faces.len() == topology.edges.len() + 1 && n_border == border.len();
    if !is_disk || topology.rings.iter().any(Vec::is_empty) {
        return refused("the surface is no disk: it has holes, handles or several pieces");
    }
    let area: f64 = mesh.faces.iter().map(|&face| face_area(mesh, face)).sum();
    let radius = (area / PI).sqrt();
    let at = |k: usize| mesh.positions[border[k % border.len()] as usize];
    let lengths: Vec<f64> = (0..border.len()).map(|k| norm(minus(at(k + 1), at(k)))).collect();
    let around: f64 = lengths.iter().sum();
    let mut start = vec![[0.0; 2]; n];
    let mut way = 0.0;
    for (&vertex, length) in border.iter().zip(&lengths) {
        let angle = TAU * way / around;
        start[vertex as usize] = [radius * angle.cos(), radius * angle.sin()];
        way += length;
    }
    middles(topology, &border, start)
}

/// Moves all but the border to the middle of their neighbors: the minimum of springs without length, a linear problem.
fn middles(topology: &Topology, border: &[u32], start: Vec<[f64; 2]>) -> Result<Vec<[f64; 2]>> {
    let mut problem = Problem::new();
    let places = problem.add_params(2, start.as_flattened())?;
    let held: Vec<usize> = border.iter().map(|&vertex| vertex as usize).collect();
    problem.set_fixed(places, &held)?;
    let [from, to]: [Vec<u32>; 2] = [0, 1].map(|k| topology.edges.iter().map(|edge| edge.ends[k]).collect());
    let family = Family { name: "tutte", params: &[(places, &from), (places, &to)], ..Family::default() };
    problem.add_residuals(family, |instance| (instance.vec2(0) - instance.vec2(1)).to_vec())?;
    let options = SolveOptions {
        method: Method::GaussNewton,
        linear: Linear::SparseCholesky,
        max_iterations: 3,
        ..SolveOptions::default()
    };
    problem.solve(&options)?;
    Ok(problem.values(places).as_chunks().0.to_vec())
}
