//! Wavefront's OBJ: `v x y z` and `f a b c …`, where a corner is `vertex`, `vertex/texture`, or with a normal after another slash.

use super::mesh::{Mesh, push_fan};
use super::words::{bad, numbers};
use std::fmt::Write;
use tilework_core::Result;

const FORMAT: &str = "OBJ";

/// Reads positions and faces; everything else a file may have (textures, normals, materials, groups) is skipped.
pub(super) fn parse(text: &str) -> Result<Mesh> {
    let mut mesh = Mesh::default();
    let mut corners = Vec::new();
    for (index, content) in text.lines().enumerate() {
        let line = index + 1;
        let mut words = content.split('#').next().unwrap_or("").split_whitespace();
        match words.next() {
            Some("v") => mesh.positions.push(numbers(FORMAT, line, words)?),
            Some("f") => {
                corners.clear();
                for word in words {
                    corners.push(corner(line, word, mesh.positions.len())?);
                }
                if corners.len() < 3 {
                    return Err(bad(FORMAT, line, format!("a face has {} corners", corners.len())));
                }
                push_fan(&mut mesh.faces, &corners);
            }
            _ => {}
        }
    }
    // A face may come before its vertices.
    let n = mesh.positions.len();
    match mesh.faces.iter().flatten().find(|corner| **corner as usize >= n) {
        Some(corner) => Err(bad(FORMAT, text.lines().count(), format!("a face has vertex {}, of {n}", corner + 1))),
        None => Ok(mesh),
    }
}

/// The vertex of a corner: counted from 1, or backwards from the last one so far.
fn corner(line: usize, word: &str, n_so_far: usize) -> Result<u32> {
    let number = word.split('/').next().unwrap_or("");
    let index: i64 = number.parse().map_err(|_| bad(FORMAT, line, format!("`{word}` is no corner of a face")))?;
    let vertex = if index < 0 { n_so_far as i64 + index } else { index - 1 };
    u32::try_from(vertex).map_err(|_| bad(FORMAT, line, format!("there is no vertex {index}")))
}

pub(super) fn write(mesh: &Mesh) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    for [x, y, z] in &mesh.positions {
        let _ = writeln!(text, "v {x} {y} {z}");
    }
    for [a, b, c] in mesh.faces.iter().map(|face| face.map(|corner| corner + 1)) {
        let _ = writeln!(text, "f {a} {b} {c}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_come_in_many_forms() {
        let text = "# a quad\nv 0 0 0\nv 1 0 0 1\nv 1 1 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\no thing\nf 1/1/1 2//1 3/1 4\nf -4 -3 -2\n";
        let mesh = parse(text).unwrap();
        assert_eq!(mesh.faces, [[0, 1, 2], [0, 2, 3], [0, 1, 2]]);
    }

    #[test]
    fn errors_name_the_line() {
        let message = |text: &str| parse(text).unwrap_err().to_string();
        assert!(message("v 0 0").contains("line 1: 2 numbers where 3"));
        assert!(message("v 0 0 0\nf 1 2").contains("line 2: a face has 2 corners"));
        assert!(message("v 0 0 0\nf 1 1 2").contains("vertex 2, of 1"));
        assert!(message("v 0 0 0\nf 1 1 0").contains("no vertex 0"));
        assert!(message("v 0 0 0\nf 1 1 -9").contains("no vertex -9"));
        assert!(message("f a b c").contains("`a` is no corner"));
    }
}
