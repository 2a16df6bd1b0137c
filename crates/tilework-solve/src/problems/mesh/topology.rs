//! How the vertices, edges and faces of a mesh hang together.

use crate::formats::Mesh;
use std::collections::HashMap;
use tilework_core::{Error, Result};

/// An edge and the vertices that complete the triangles beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Its ends.
    pub ends: [u32; 2],
    /// The third vertex of the triangle on its left, seen from outside; there always is one, or one on its right.
    pub left: Option<u32>,
    /// The third vertex of the triangle on its right.
    pub right: Option<u32>,
}

/// Edges and neighborhoods of a mesh.
#[derive(Clone, Debug, Default)]
pub struct Topology {
    /// Every edge once, in the order faces name them.
    pub edges: Vec<Edge>,
    /// The neighbors of each vertex, counter-clockwise seen from outside; around a boundary vertex from border to border.
    pub rings: Vec<Vec<u32>>,
    /// Whether a vertex is on a border. Vertices without faces count as such.
    pub is_boundary: Vec<bool>,
}

/// The third vertex of the face an edge begins, by its ends in the face's order.
type HalfEdges = HashMap<[u32; 2], u32>;

impl Topology {
    /// Fails if a face names vertices that do not exist or one twice, or if more than two faces meet at an edge.
    pub fn new(mesh: &Mesh) -> Result<Topology> {
        let halves = half_edges(mesh)?;
        let mut edges = Vec::with_capacity(mesh.faces.len() * 3 / 2);
        for &[a, b, c] in &mesh.faces {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                let (left, right) = (halves.get(&[from, to]).copied(), halves.get(&[to, from]).copied());
                // The other face has named it, or will.
                if right.is_none() || from < to {
                    edges.push(Edge { ends: [from, to], left, right });
                }
            }
        }
        let n = mesh.positions.len();
        let mut is_boundary = vec![true; n];
        mesh.faces.iter().flatten().for_each(|&corner| is_boundary[corner as usize] = false);
        for edge in edges.iter().filter(|edge| edge.right.is_none()) {
            edge.ends.iter().for_each(|&end| is_boundary[end as usize] = true);
        }
        let rings = rings(mesh, &halves);
        Ok(Topology { edges, rings, is_boundary })
    }

    /// The border of the surface, vertex after vertex with the surface on the left; the longest if there are several, empty if
    /// there is none.
    pub fn boundary(&self) -> Vec<u32> {
        let border = self.edges.iter().filter(|edge| edge.right.is_none()).map(|edge| (edge.ends[0], edge.ends[1]));
        let mut next: HashMap<u32, u32> = border.clone().collect();
        let mut longest = Vec::new();
        for (start, _) in border {
            let mut path = Vec::new();
            let mut at = start;
            while let Some(to) = next.remove(&at) {
                path.push(at);
                at = to;
            }
            if path.len() > longest.len() {
                longest = path;
            }
        }
        longest
    }
}

fn half_edges(mesh: &Mesh) -> Result<HalfEdges> {
    let n = mesh.positions.len();
    let mut halves = HalfEdges::with_capacity(mesh.faces.len() * 3);
    for (number, &[a, b, c]) in mesh.faces.iter().enumerate() {
        if [a, b, c].iter().any(|corner| *corner as usize >= n) {
            return Err(Error::shape("mesh", format!("face {number} is {:?}, of {n} vertices", [a, b, c])));
        }
        if a == b || b == c || c == a {
            return Err(Error::argument("mesh", format!("face {number} has a vertex twice: {:?}", [a, b, c])));
        }
        for (edge, third) in [([a, b], c), ([b, c], a), ([c, a], b)] {
            if halves.insert(edge, third).is_some() {
                let message = format!("two faces have the edge {edge:?} in the same direction (face {number} is one)");
                return Err(Error::argument("mesh", message));
            }
        }
    }
    Ok(halves)
}

fn rings(mesh: &Mesh, halves: &HalfEdges) -> Vec<Vec<u32>> {
    // A neighbor to begin with: on a border the one that has no face before it.
    let mut first: Vec<Option<u32>> = vec![None; mesh.positions.len()];
    for &[a, b, c] in &mesh.faces {
        for (tip, from) in [(a, b), (b, c), (c, a)] {
            let is_start = !halves.contains_key(&[from, tip]);
            if is_start || first[tip as usize].is_none() {
                first[tip as usize] = Some(from);
            }
        }
    }
    let ring = |(tip, first): (usize, Option<u32>)| {
        let mut ring: Vec<u32> = first.into_iter().collect();
        while let Some(&next) = ring.last().and_then(|&last| halves.get(&[tip as u32, last])) {
            if Some(next) == first {
                break;
            }
            ring.push(next);
        }
        ring
    };
    first.into_iter().enumerate().map(ring).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{icosphere, saddle};
    use super::*;

    #[test]
    fn closed_surfaces_have_closed_rings() {
        let mesh = icosphere(2).unwrap();
        let topology = Topology::new(&mesh).unwrap();
        // Euler: V − E + F = 2.
        assert_eq!(mesh.positions.len() + mesh.faces.len(), topology.edges.len() + 2);
        assert!(topology.is_boundary.iter().all(|boundary| !boundary) && topology.boundary().is_empty());
        assert_eq!(topology.rings.iter().filter(|ring| ring.len() == 5).count(), 12);
        assert!(topology.rings.iter().all(|ring| ring.len() == 5 || ring.len() == 6));
        for (tip, ring) in topology.rings.iter().enumerate() {
            let has = |a: u32, b: u32| {
                let mut face = [tip as u32, a, b];
                let rotations = [0, 1, 2].map(|_| {
                    face.rotate_left(1);
                    face
                });
                rotations.iter().any(|face| mesh.faces.contains(face))
            };
            assert!((0..ring.len()).all(|k| has(ring[k], ring[(k + 1) % ring.len()])), "{tip}: {ring:?}");
        }
    }

    #[test]
    fn open_surfaces_have_a_border() {
        let mesh = saddle(5).unwrap();
        let topology = Topology::new(&mesh).unwrap();
        assert_eq!(mesh.positions.len() + mesh.faces.len(), topology.edges.len() + 1);
        assert_eq!(topology.boundary().len(), 16);
        assert_eq!(topology.is_boundary.iter().filter(|boundary| **boundary).count(), 16);
        assert!(topology.edges.iter().all(|edge| edge.left.is_some()));
        let corner_ring = topology.rings.iter().map(Vec::len).min();
        assert_eq!(corner_ring, Some(3));
    }

    #[test]
    fn impossible_faces_are_refused() {
        let positions = vec![[0.0; 3]; 4];
        let error = |faces: Vec<[u32; 3]>| {
            Topology::new(&Mesh { positions: positions.clone(), faces }).unwrap_err().to_string()
        };
        assert!(error(vec![[0, 1, 4]]).contains("of 4 vertices"));
        assert!(error(vec![[0, 1, 1]]).contains("twice"));
        assert!(error(vec![[0, 1, 2], [0, 1, 3]]).contains("same direction"));
    }
}
