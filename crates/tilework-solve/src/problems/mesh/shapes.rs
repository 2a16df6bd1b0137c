//! Meshes to begin with.

use crate::formats::Mesh;
use std::collections::HashMap;
use tilework_core::{Error, Result};

/// More levels would be more vertices than indices go round for.
const MAX_LEVEL: u32 = 10;
const MAX_SIDE: usize = 4000;

/// A sphere of radius 1: an icosahedron whose triangles are cut into four `level` times (12, 42, 162, 642, 2562, 10242 … vertices).
pub fn icosphere(level: u32) -> Result<Mesh> {
    if level > MAX_LEVEL {
        return Err(Error::argument("icosphere", format!("level {level}; {MAX_LEVEL} is the highest")));
    }
    let mut mesh = icosahedron();
    for _ in 0..level {
        mesh = cut_in_four(&mesh);
    }
    Ok(mesh)
}

fn icosahedron() -> Mesh {
    let golden = (1.0 + 5f64.sqrt()) / 2.0;
    // Three golden rectangles across each other.
    let signs = [(-1.0, 1.0), (1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)];
    let flat = signs.map(|(a, b)| [a, b * golden, 0.0]);
    let upright = flat.map(|[a, b, _]| [0.0, a, b]);
    let across = flat.map(|[a, b, _]| [b, 0.0, a]);
    let positions = [flat, upright, across].concat().into_iter().map(unit).collect::<Vec<_>>();
    let near = |a: usize, b: usize| {
        let square: f64 = (0..3).map(|k| (positions[a][k] - positions[b][k]).powi(2)).sum();
        // Edges are 1.05 long, the next distance is 1.7.
        square < 1.5
    };
    let mut faces = Vec::new();
    for a in 0..12 {
        for b in (a + 1..12).filter(|&b| near(a, b)) {
            for c in (b + 1..12).filter(|&c| near(a, c) && near(b, c)) {
                faces.push(outward(&positions, [a as u32, b as u32, c as u32]));
            }
        }
    }
    Mesh { positions, faces }
}

/// The face, counter-clockwise seen from outside.
fn outward(positions: &[[f64; 3]], [a, b, c]: [u32; 3]) -> [u32; 3] {
    let [p, q, r] = [a, b, c].map(|corner| positions[corner as usize]);
    if super::dot(p, super::cross(q, r)) > 0.0 { [a, b, c] } else { [a, c, b] }
}

fn cut_in_four(mesh: &Mesh) -> Mesh {
    let mut positions = mesh.positions.clone();
    let mut middles: HashMap<[u32; 2], u32> = HashMap::new();
    let mut middle = |a: u32, b: u32| {
        *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
            let (p, q) = (positions[a as usize], positions[b as usize]);
            positions.push(unit(std::array::from_fn(|k| p[k] + q[k])));
            positions.len() as u32 - 1
        })
    };
    let mut faces = Vec::with_capacity(mesh.faces.len() * 4);
    for &[a, b, c] in &mesh.faces {
        let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
        faces.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
    }
    Mesh { positions, faces }
}

fn unit(v: [f64; 3]) -> [f64; 3] {
    let norm = super::norm(v);
    v.map(|x| x / norm)
}

/// A square of `side` × `side` vertices bent into a saddle: a surface with a border that no plane has.
pub fn saddle(side: usize) -> Result<Mesh> {
    if !(2..=MAX_SIDE).contains(&side) {
        return Err(Error::argument("saddle", format!("{side} vertices on a side; 2 to {MAX_SIDE} are possible")));
    }
    let at = |k: usize| 2.0 * k as f64 / (side - 1) as f64 - 1.0;
    let place = |row: usize, col: usize| [at(col), at(row), 0.5 * (at(col).powi(2) - at(row).powi(2))];
    let positions = (0..side).flat_map(|row| (0..side).map(move |col| place(row, col))).collect();
    let mut faces = Vec::new();
    for row in 0..side - 1 {
        for col in 0..side - 1 {
            let corner = |down: usize, right: usize| ((row + down) * side + col + right) as u32;
            let [a, b, c, d] = [corner(0, 0), corner(0, 1), corner(1, 1), corner(1, 0)];
            // Diagonals in turns: no direction is preferred.
            if (row + col) % 2 == 0 {
                faces.extend([[a, b, c], [a, c, d]]);
            } else {
                faces.extend([[a, b, d], [b, c, d]]);
            }
        }
    }
    Ok(Mesh { positions, faces })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spheres_are_spheres() {
        for (level, n_vertices) in [(0, 12), (1, 42), (2, 162), (3, 642)] {
            let mesh = icosphere(level).unwrap();
            assert_eq!((mesh.positions.len(), mesh.faces.len()), (n_vertices, 2 * n_vertices - 4));
            assert!(mesh.positions.iter().all(|&p| (super::super::norm(p) - 1.0).abs() < 1e-15));
            let outward = |face: &[u32; 3]| super::outward(&mesh.positions, *face) == *face;
            assert!(mesh.faces.iter().all(outward), "a face looks inward");
        }
        assert!(icosphere(11).is_err());
    }

    #[test]
    fn saddles_are_whole() {
        let mesh = saddle(4).unwrap();
        assert_eq!((mesh.positions.len(), mesh.faces.len()), (16, 18));
        assert!(saddle(1).is_err());
    }
}
