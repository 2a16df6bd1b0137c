//! Meshes that are changed until an energy is small.
//!
//! A [`MeshProblem`] has the vertices of a mesh as parameters and any number of [`Energy`]s, each with a weight. Those that are sums of
//! squares are residuals, for every method; the others are energies, for L-BFGS and Newton's method. Flattening a surface
//! ([`parameterize`]) has parameters of its own: the places of vertices in the plane.

mod arap;
mod developability;
mod dirichlet;
mod edges;
mod regularizers;
mod shapes;
mod topology;

pub use dirichlet::{Parameterization, parameterize};
pub use shapes::{icosphere, saddle};
pub use topology::{Edge, Topology};

use crate::formats::Mesh;
use crate::{Method, Params, Problem};
use tilework_core::{Error, Result};

/// What can be asked of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Energy {
    /// Edges keep their lengths.
    Springs,
    /// Edges become equally long.
    EvenEdges,
    /// Neighborhoods keep their shape but may turn: as rigid as possible (O. Sorkine, M. Alexa, 2007), a rotation per vertex
    /// being a parameter, too.
    Arap,
    /// A step of the flow that makes surfaces smooth, by cotangent weights (M. Desbrun et al., 1999).
    Smoothing,
    /// Edges become flat: squares of dihedral angles (E. Grinspun et al., 2003).
    Bending,
    /// Vertices become seams of developable pieces: the smallest eigenvalue of the covariance of normals (O. Stein, E. Grinspun,
    /// K. Crane, 2018).
    Developability,
    /// Triangles keep their areas.
    Area,
    /// Triangles keep the volume between them and the origin.
    Volume,
    /// The whole area becomes small, as that of a soap film.
    Shrink,
    /// The enclosed volume becomes large, as that of a balloon.
    Inflate,
    /// Vertices stay within the box the mesh had at first.
    Box,
    /// Vertices stay near where they were.
    Hold,
}

impl Energy {
    /// All, with the names programs know them by and what they do in a few words.
    pub const ALL: &[(&str, Energy, &str)] = &[
        ("springs", Energy::Springs, "edges keep their lengths"),
        ("even-edges", Energy::EvenEdges, "edges become equally long"),
        ("arap", Energy::Arap, "neighborhoods keep their shape but may turn"),
        ("smoothing", Energy::Smoothing, "a step of cotangent-weighted smoothing"),
        ("bending", Energy::Bending, "dihedral angles become flat"),
        ("developability", Energy::Developability, "pieces become developable"),
        ("area", Energy::Area, "triangles keep their areas"),
        ("volume", Energy::Volume, "triangles keep the volume below them"),
        ("shrink", Energy::Shrink, "the area becomes small"),
        ("inflate", Energy::Inflate, "the volume becomes large"),
        ("box", Energy::Box, "vertices stay within the first bounding box"),
        ("hold", Energy::Hold, "vertices stay near where they were"),
    ];

    /// Whether it is a sum of squares.
    pub fn is_residuals(self) -> bool {
        !matches!(self, Energy::Developability | Energy::Shrink | Energy::Inflate)
    }
}

/// A mesh whose vertices are parameters.
#[derive(Debug)]
pub struct MeshProblem {
    /// Energies that were added.
    pub problem: Problem,
    /// A block of three per vertex.
    pub vertices: Params,
    rest: Mesh,
    topology: Topology,
    has_energies: bool,
}

impl MeshProblem {
    /// The vertices of `mesh`, without energies yet. `mesh` is also the shape that energies refer to.
    pub fn new(mesh: &Mesh) -> Result<MeshProblem> {
        let mut problem = Problem::new();
        let vertices = problem.add_params(3, mesh.positions.as_flattened())?;
        MeshProblem::over(problem, vertices, mesh)
    }

    /// A mesh whose vertices are parameters of `problem` already, wherever they are; `mesh` is the shape that energies refer to.
    pub fn over(problem: Problem, vertices: Params, mesh: &Mesh) -> Result<MeshProblem> {
        let n_numbers = problem.values(vertices).len();
        if n_numbers != 3 * mesh.positions.len() {
            let message = format!("{n_numbers} numbers are no places of {} vertices", mesh.positions.len());
            return Err(Error::shape("mesh", message));
        }
        Ok(MeshProblem { problem, vertices, rest: mesh.clone(), topology: Topology::new(mesh)?, has_energies: false })
    }

    /// Adds an energy, times `weight`.
    pub fn add(&mut self, energy: Energy, weight: f64) -> Result<()> {
        if !(weight.is_finite() && weight >= 0.0) {
            return Err(Error::argument("mesh", format!("a weight of {weight}")));
        }
        self.has_energies |= !energy.is_residuals();
        match energy {
            Energy::Springs => self.add_springs(weight),
            Energy::EvenEdges => self.add_even_edges(weight),
            Energy::Arap => self.add_arap(weight),
            Energy::Smoothing => self.add_smoothing(weight),
            Energy::Bending => self.add_bending(weight),
            Energy::Developability => self.add_developability(weight),
            Energy::Area => self.add_area(weight),
            Energy::Volume => self.add_volume(weight),
            Energy::Shrink => self.add_shrink(weight),
            Energy::Inflate => self.add_inflate(weight),
            Energy::Box => self.add_box(weight),
            Energy::Hold => self.add_hold(weight),
        }
    }

    /// Holds a vertex, at `place` or where it is.
    pub fn fix(&mut self, vertex: usize, place: Option<[f64; 3]>) -> Result<()> {
        self.problem.set_fixed(self.vertices, &[vertex])?;
        if let Some(place) = place {
            let mut positions = self.problem.values(self.vertices).to_vec();
            positions[3 * vertex..][..3].copy_from_slice(&place);
            self.problem.set_values(self.vertices, &positions)?;
        }
        Ok(())
    }

    /// The method that suits what was added.
    pub fn method(&self) -> Method {
        if self.has_energies { Method::Lbfgs } else { Method::LevenbergMarquardt }
    }

    /// How vertices, edges and faces hang together.
    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// The mesh as it is now.
    pub fn result(&self) -> Mesh {
        let positions = self.problem.values(self.vertices).as_chunks().0.to_vec();
        Mesh { positions, faces: self.rest.faces.clone() }
    }
}

/// A number of instances of one weight, as data.
fn weights(n: usize, weight: f64) -> Vec<f64> {
    vec![weight; n]
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| a[k] - b[k])
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn norm(a: [f64; 3]) -> f64 {
    dot(a, a).sqrt()
}

fn face_area(mesh: &Mesh, face: [u32; 3]) -> f64 {
    let [a, b, c] = face.map(|corner| mesh.positions[corner as usize]);
    0.5 * norm(cross(minus(b, a), minus(c, a)))
}
