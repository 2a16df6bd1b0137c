//! Geomview's OFF: the word `OFF`, counts, positions, then faces with their number of corners.

use super::mesh::{Mesh, push_fan};
use super::words::{Words, list};
use std::fmt::Write;
use tilework_core::Result;

pub(super) fn parse(text: &str) -> Result<Mesh> {
    let mut words = Words::new("OFF", text, Some('#'));
    let first = words.word("the word OFF")?;
    if first != "OFF" {
        return Err(words.error(format!("the file begins with `{first}`, should with OFF")));
    }
    let n_vertices: usize = words.next("the number of vertices")?;
    let n_faces: usize = words.next("the number of faces")?;
    let _n_edges: usize = words.next("the number of edges")?;
    let mut mesh = Mesh { positions: list(n_vertices, text.len()), faces: list(n_faces, text.len()) };
    for _ in 0..n_vertices {
        let mut position = [0.0; 3];
        for coordinate in &mut position {
            *coordinate = words.number("a coordinate")?;
        }
        mesh.positions.push(position);
    }
    for _ in 0..n_faces {
        let n_corners: usize = words.next("the number of corners of a face")?;
        if n_corners < 3 {
            return Err(words.error(format!("a face has {n_corners} corners")));
        }
        let mut corners = list(n_corners, text.len());
        for _ in 0..n_corners {
            let corner: u32 = words.next("a corner of a face")?;
            if corner as usize >= n_vertices {
                return Err(words.error(format!("a face has vertex {corner}, of {n_vertices}")));
            }
            corners.push(corner);
        }
        push_fan(&mut mesh.faces, &corners);
    }
    Ok(mesh)
}

pub(super) fn write(mesh: &Mesh) -> String {
    let mut text = format!("OFF\n{} {} 0\n", mesh.positions.len(), mesh.faces.len());
    // Writing to a string cannot fail.
    for [x, y, z] in &mesh.positions {
        let _ = writeln!(text, "{x} {y} {z}");
    }
    for [a, b, c] in &mesh.faces {
        let _ = writeln!(text, "3 {a} {b} {c}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quads_and_comments_are_read() {
        let mesh = parse("OFF # a square\n4 1 4\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n# faces\n4 0 1 2 3\n").unwrap();
        assert_eq!(mesh.faces, [[0, 1, 2], [0, 2, 3]]);
    }

    #[test]
    fn errors_name_the_line() {
        let message = |text: &str| parse(text).unwrap_err().to_string();
        assert!(message("PLY").contains("line 1: the file begins with `PLY`"));
        assert!(message("OFF\n1 1 0\n0 0 0\n3 0 0 1").contains("line 4: a face has vertex 1, of 1"));
        assert!(message("OFF\n1 1 0\n0 0 0\n2 0 0").contains("2 corners"));
        assert!(message("OFF\n9 1 0\n0 0 0\n").contains("the file ends"));
    }
}
