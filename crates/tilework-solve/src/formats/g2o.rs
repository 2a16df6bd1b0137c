//! Pose graphs: where a robot thinks it was, and how places relate, in the text format of g2o.
//!
//! A line is a tag and its numbers. Poses are `VERTEX_SE2 id x y angle` or `VERTEX_SE3:QUAT id x y z qx qy qz qw`; relations are
//! `EDGE_SE2` and `EDGE_SE3:QUAT` with two ids, the second pose as seen from the first, and the upper triangle of
//! the information matrix, row by row; `FIX id` holds a pose still. Quaternions are kept as `w, x, y, z` here.

use super::words::{bad, numbers};
use std::collections::HashMap;
use std::fmt::Write;
use tilework_core::Result;

const FORMAT: &str = "g2o";

/// A relation between two poses of `N` numbers, known with an information matrix of `I` entries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge<const N: usize, const I: usize> {
    /// Position of the first pose in the list.
    pub from: u32,
    /// Position of the second.
    pub to: u32,
    /// The second as seen from the first.
    pub measured: [f64; N],
    /// Upper triangle of the information matrix, row by row.
    pub information: [f64; I],
}

/// Poses of one kind and their relations.
#[derive(Clone, Debug, PartialEq)]
pub struct Poses<const N: usize, const I: usize> {
    /// The name of each in the file.
    pub ids: Vec<u64>,
    /// `x, y, angle`, or `x, y, z` and a quaternion `w, x, y, z`.
    pub poses: Vec<[f64; N]>,
    /// What is known of them.
    pub edges: Vec<Edge<N, I>>,
}

impl<const N: usize, const I: usize> Default for Poses<N, I> {
    fn default() -> Self {
        Poses { ids: Vec::new(), poses: Vec::new(), edges: Vec::new() }
    }
}

/// Poses of the plane: `x, y, angle`.
pub type Poses2 = Poses<3, 6>;
/// Poses of space: `x, y, z` and a quaternion `w, x, y, z`.
pub type Poses3 = Poses<7, 21>;

/// The poses and relations of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PoseGraph {
    /// Those of the plane.
    pub plane: Poses2,
    /// Those of space.
    pub space: Poses3,
    /// Ids of poses that are held.
    pub fixed: Vec<u64>,
}

/// The second kind of lines refers to the first, wherever that is in the file.
struct Relation<const N: usize, const I: usize> {
    line: usize,
    ids: [u64; 2],
    measured: [f64; N],
    information: [f64; I],
}

impl PoseGraph {
    /// Reads the text format. Tags it does not know are an error: what they say would be missing from the problem.
    pub fn parse(text: &str) -> Result<PoseGraph> {
        let mut graph = PoseGraph::default();
        let (mut plane, mut space) = (Vec::new(), Vec::new());
        for (index, content) in text.lines().enumerate() {
            let line = index + 1;
            let mut words = content.split('#').next().unwrap_or("").split_whitespace();
            let Some(tag) = words.next() else { continue };
            match tag {
                "VERTEX_SE2" => {
                    graph.plane.ids.push(id(line, words.next())?);
                    graph.plane.poses.push(numbers(FORMAT, line, words)?);
                }
                "VERTEX_SE3:QUAT" => {
                    graph.space.ids.push(id(line, words.next())?);
                    graph.space.poses.push(reordered(line, numbers(FORMAT, line, words)?)?);
                }
                "EDGE_SE2" => plane.push(relation(line, &mut words)?),
                "EDGE_SE3:QUAT" => {
                    let mut edge: Relation<7, 21> = relation(line, &mut words)?;
                    edge.measured = reordered(line, edge.measured)?;
                    space.push(edge);
                }
                "FIX" => {
                    for word in words {
                        graph.fixed.push(id(line, Some(word))?);
                    }
                }
                _ => return Err(bad(FORMAT, line, format!("there is no tag `{tag}` here"))),
            }
        }
        graph.plane.edges = resolved(&graph.plane.ids, plane)?;
        graph.space.edges = resolved(&graph.space.ids, space)?;
        Ok(graph)
    }

    /// The text format.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        for (id, pose) in self.plane.ids.iter().zip(&self.plane.poses) {
            let _ = writeln!(text, "VERTEX_SE2 {id}{}", joined(pose));
        }
        for (id, pose) in self.space.ids.iter().zip(&self.space.poses) {
            let _ = writeln!(text, "VERTEX_SE3:QUAT {id}{}", joined(&file_order(*pose)));
        }
        for id in &self.fixed {
            let _ = writeln!(text, "FIX {id}");
        }
        for edge in &self.plane.edges {
            let ids = [edge.from, edge.to].map(|at| self.plane.ids[at as usize]);
            let _ = write!(text, "EDGE_SE2 {} {}", ids[0], ids[1]);
            let _ = writeln!(text, "{}{}", joined(&edge.measured), joined(&edge.information));
        }
        for edge in &self.space.edges {
            let ids = [edge.from, edge.to].map(|at| self.space.ids[at as usize]);
            let _ = write!(text, "EDGE_SE3:QUAT {} {}", ids[0], ids[1]);
            let _ = writeln!(text, "{}{}", joined(&file_order(edge.measured)), joined(&edge.information));
        }
        text
    }
}

fn joined(numbers: &[f64]) -> String {
    numbers.iter().map(|number| format!(" {number}")).collect()
}

fn id(line: usize, word: Option<&str>) -> Result<u64> {
    let word = word.ok_or_else(|| bad(FORMAT, line, "the id is missing"))?;
    word.parse().map_err(|_| bad(FORMAT, line, format!("`{word}` is no id")))
}

fn relation<'a, const N: usize, const I: usize>(
    line: usize,
    words: &mut impl Iterator<Item = &'a str>,
) -> Result<Relation<N, I>> {
    let ids = [id(line, words.next())?, id(line, words.next())?];
    let measured = numbers(FORMAT, line, &mut *words)?;
    Ok(Relation { line, ids, measured, information: numbers(FORMAT, line, words)? })
}

/// The quaternion `x, y, z, w` of the file as `w, x, y, z` of length 1.
fn reordered(line: usize, [x, y, z, qx, qy, qz, qw]: [f64; 7]) -> Result<[f64; 7]> {
    let norm = (qx * qx + qy * qy + qz * qz + qw * qw).sqrt();
    if norm.is_finite() && norm > 0.0 {
        Ok([x, y, z, qw / norm, qx / norm, qy / norm, qz / norm])
    } else {
        Err(bad(FORMAT, line, "a quaternion of length 0 is no rotation"))
    }
}

fn file_order([x, y, z, qw, qx, qy, qz]: [f64; 7]) -> [f64; 7] {
    [x, y, z, qx, qy, qz, qw]
}

/// Relations with positions in place of ids.
fn resolved<const N: usize, const I: usize>(ids: &[u64], relations: Vec<Relation<N, I>>) -> Result<Vec<Edge<N, I>>> {
    let position: HashMap<u64, u32> = ids.iter().enumerate().map(|(at, &id)| (id, at as u32)).collect();
    if position.len() < ids.len() {
        return Err(bad(FORMAT, 1, "a pose is there twice"));
    }
    let edge = |Relation { line, ids, measured, information }: Relation<N, I>| {
        let find =
            |id: u64| position.get(&id).copied().ok_or_else(|| bad(FORMAT, line, format!("there is no pose {id}")));
        Ok(Edge { from: find(ids[0])?, to: find(ids[1])?, measured, information })
    };
    relations.into_iter().map(edge).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLANE: &str =
        "VERTEX_SE2 7 0 0 0\n# nothing\nVERTEX_SE2 9 1 2 0.5\nFIX 7\n\nEDGE_SE2 7 9 1 2 .5 1 0 0 2 0 3\n";
    const SPACE: &str = "EDGE_SE3:QUAT 0 1 1 2 3 0 0 0 1 1 0 0 0 0 0 1 0 0 0 0 1 0 0 0 1 0 0 1 0 1\n\
                         VERTEX_SE3:QUAT 0 0 0 0 0 0 0 2\nVERTEX_SE3:QUAT 1 1 2 3 0.5 0.5 0.5 -0.5\n";

    #[test]
    fn text_is_read_and_written() {
        let plane = PoseGraph::parse(PLANE).unwrap();
        assert_eq!((plane.plane.edges[0].from, plane.plane.edges[0].to, plane.fixed[0]), (0, 1, 7));
        assert_eq!(plane.plane.edges[0].information, [1.0, 0.0, 0.0, 2.0, 0.0, 3.0]);
        let space = PoseGraph::parse(SPACE).unwrap();
        assert_eq!(space.space.poses[0], [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
        assert_eq!(space.space.poses[1][3..], [-0.5, 0.5, 0.5, 0.5]);
        for graph in [plane, space] {
            assert_eq!(PoseGraph::parse(&graph.to_text()).unwrap(), graph);
        }
    }

    #[test]
    fn errors_name_the_line() {
        let message = |text: &str| PoseGraph::parse(text).unwrap_err().to_string();
        assert!(message("VERTEX_XY 1 2 3").contains("line 1: there is no tag `VERTEX_XY`"));
        assert!(message("VERTEX_SE2 1 2 3").contains("line 1: 2 numbers where 3"));
        assert!(message("\nVERTEX_SE2 1 2 3 inf").contains("line 2: a number is inf"));
        assert!(message("VERTEX_SE3:QUAT 1 2 3 4 0 0 0 0").contains("is no rotation"));
        assert!(message("VERTEX_SE2 1 0 0 0\nEDGE_SE2 1 5 0 0 0 1 0 0 1 0 1").contains("line 2: there is no pose 5"));
        assert!(message("VERTEX_SE2 1 0 0 0\nVERTEX_SE2 1 0 0 0\n").contains("twice"));
        assert!(message("FIX -3").contains("is no id"));
    }

    #[test]
    fn cut_off_text_never_panics() {
        for text in [PLANE, SPACE] {
            (0..text.len()).for_each(|end| drop(PoseGraph::parse(&text[..end])));
        }
    }
}
