//! Sketches as text: a line per point, line, circle and constraint.
//!
//! ```text
//! point a 0 0            # a name and where it is drawn
//! point b 4 1
//! line floor a b         # between two points
//! circle hole a 1.5      # about a point, with a radius
//! horizontal floor       # a constraint: its kind, what it is about, its numbers
//! distance a b 5
//! ```
//!
//! The kinds are those of [`KINDS`]; each takes points, then lines, then circles, then numbers. Angles are in degrees here.

use super::words::bad;
use crate::problems::sketch::{CircleId, Constraint, KINDS, LineId, PointId, Sketch};
use std::collections::HashMap;
use std::fmt::Write;
use tilework_core::{Error, Result};

const FORMAT: &str = "sketch";

/// A sketch whose parts have names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NamedSketch {
    /// The sketch.
    pub sketch: Sketch,
    /// Names of its points.
    pub points: Vec<String>,
    /// Names of its lines.
    pub lines: Vec<String>,
    /// Names of its circles.
    pub circles: Vec<String>,
}

impl NamedSketch {
    /// Reads the text format.
    pub fn parse(text: &str) -> Result<NamedSketch> {
        let mut reader = Reader::default();
        for (index, content) in text.lines().enumerate() {
            let words: Vec<&str> = content.split('#').next().unwrap_or("").split_whitespace().collect();
            reader.line(&words).map_err(|error| bad(FORMAT, index + 1, error.message()))?;
        }
        Ok(reader.named)
    }

    /// The text format.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let point = |id: PointId| &self.points[id.0 as usize];
        // Writing to a string cannot fail.
        for (name, [x, y]) in self.points.iter().zip(&self.sketch.points) {
            let _ = writeln!(text, "point {name} {x} {y}");
        }
        for (name, &[a, b]) in self.lines.iter().zip(&self.sketch.lines) {
            let _ = writeln!(text, "line {name} {} {}", point(a), point(b));
        }
        for ((name, &center), radius) in self.circles.iter().zip(&self.sketch.centers).zip(&self.sketch.radii) {
            let _ = writeln!(text, "circle {name} {} {radius}", point(center));
        }
        for constraint in &self.sketch.constraints {
            let _ = write!(text, "{}", constraint.kind());
            let (points, lines, circles) = constraint.parts();
            points.iter().for_each(|&id| _ = write!(text, " {}", point(id)));
            lines.iter().for_each(|id| _ = write!(text, " {}", self.lines[id.0 as usize]));
            circles.iter().for_each(|id| _ = write!(text, " {}", self.circles[id.0 as usize]));
            for number in constraint.numbers() {
                let number = if constraint.kind() == "angle" { number.to_degrees() } else { number };
                let _ = write!(text, " {number}");
            }
            text.push('\n');
        }
        text
    }
}

/// A sketch as far as it was read.
#[derive(Default)]
struct Reader {
    named: NamedSketch,
    points: HashMap<String, u32>,
    lines: HashMap<String, u32>,
    circles: HashMap<String, u32>,
}

impl Reader {
    fn line(&mut self, words: &[&str]) -> Result<()> {
        match *words {
            [] => Ok(()),
            ["point", name, x, y] => {
                let (x, y) = (number(x)?, number(y)?);
                self.named.sketch.point(x, y);
                add(&mut self.points, &mut self.named.points, name)
            }
            ["line", name, a, b] => {
                let (a, b) = (find(&self.points, "point", a)?, find(&self.points, "point", b)?);
                self.named.sketch.line(PointId(a), PointId(b));
                add(&mut self.lines, &mut self.named.lines, name)
            }
            ["circle", name, center, radius] => {
                let (center, radius) = (find(&self.points, "point", center)?, number(radius)?);
                self.named.sketch.circle(PointId(center), radius);
                add(&mut self.circles, &mut self.named.circles, name)
            }
            [kind, ref parts @ ..] => {
                let constraint = self.constraint(kind, parts)?;
                self.named.sketch.constrain(constraint);
                Ok(())
            }
        }
    }

    fn constraint(&self, name: &str, words: &[&str]) -> Result<Constraint> {
        let Some(kind) = KINDS.iter().find(|kind| kind.name == name) else {
            let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
            return Err(Error::argument(FORMAT, format!("there is no `{name}`; there are {}", names.join(", "))));
        };
        let [n_points, n_lines, n_circles] = kind.parts;
        let n_names = n_points + n_lines + n_circles;
        let usage = format!(
            "`{name}` has {n_points} points, {n_lines} lines, {n_circles} circles and {} numbers, in this order",
            kind.n_numbers
        );
        if words.len() != n_names + kind.n_numbers {
            return Err(Error::argument(FORMAT, usage));
        }
        let (points, rest) = words.split_at(n_points);
        let (lines, rest) = rest.split_at(n_lines);
        let (circles, numbers) = rest.split_at(n_circles);
        let all = |known: &HashMap<String, u32>, what: &str, names: &[&str]| -> Result<Vec<u32>> {
            names.iter().map(|name| find(known, what, name)).collect()
        };
        let points: Vec<PointId> = all(&self.points, "point", points)?.into_iter().map(PointId).collect();
        let lines: Vec<LineId> = all(&self.lines, "line", lines)?.into_iter().map(LineId).collect();
        let circles: Vec<CircleId> = all(&self.circles, "circle", circles)?.into_iter().map(CircleId).collect();
        let mut numbers = numbers.iter().map(|word| number(word)).collect::<Result<Vec<f64>>>()?;
        if name == "angle" {
            numbers.iter_mut().for_each(|number| *number = number.to_radians());
        }
        Constraint::by_kind(name, &points, &lines, &circles, &numbers).ok_or_else(|| Error::argument(FORMAT, usage))
    }
}

fn number(word: &str) -> Result<f64> {
    let value: f64 = word.parse().map_err(|_| Error::argument(FORMAT, format!("`{word}` is not a number")))?;
    if value.is_finite() { Ok(value) } else { Err(Error::argument(FORMAT, format!("a number is {value}"))) }
}

fn find(known: &HashMap<String, u32>, what: &str, name: &str) -> Result<u32> {
    known.get(name).copied().ok_or_else(|| Error::argument(FORMAT, format!("there is no {what} `{name}` so far")))
}

fn add(known: &mut HashMap<String, u32>, names: &mut Vec<String>, name: &str) -> Result<()> {
    if known.insert(name.to_owned(), names.len() as u32).is_some() {
        return Err(Error::argument(FORMAT, format!("there are two of the name `{name}`")));
    }
    names.push(name.to_owned());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "point a 0 0 # here\npoint b 4 1\nline floor a b\nline wall b a\ncircle hole a 1.5\n\n\
        horizontal floor\ndistance a b 5\nangle floor wall 180\ntangent floor hole\nfixed a 0 0\n";

    #[test]
    fn text_is_read_and_written() {
        let named = NamedSketch::parse(TEXT).unwrap();
        assert_eq!(named.sketch.constraints.len(), 5);
        assert_eq!(named.sketch.constraints[2], Constraint::Angle(LineId(0), LineId(1), std::f64::consts::PI));
        assert_eq!(NamedSketch::parse(&named.to_text()).unwrap(), named);
    }

    #[test]
    fn every_kind_is_read() {
        let parts = "point p 0 0\npoint q 1 0\nline l p q\nline m q p\ncircle c p 1\ncircle d q 1\n";
        for kind in KINDS {
            let [n_points, n_lines, n_circles] = kind.parts;
            let names = [&["p", "q"][..n_points], &["l", "m"][..n_lines], &["c", "d"][..n_circles]].concat();
            let line = format!("{} {}{}", kind.name, names.join(" "), " 1".repeat(kind.n_numbers));
            let named = NamedSketch::parse(&format!("{parts}{line}")).unwrap();
            assert_eq!(named.sketch.constraints[0].kind(), kind.name);
            assert_eq!(NamedSketch::parse(&named.to_text()).unwrap(), named);
        }
    }

    #[test]
    fn errors_name_the_line() {
        let message = |text: &str| NamedSketch::parse(text).unwrap_err().to_string();
        assert!(message("point a 0 0\ndistance a b 1").contains("line 2: there is no point `b`"));
        assert!(message("point a 0 zero").contains("line 1: `zero` is not a number"));
        assert!(message("point a 0 0\npoint a 1 1").contains("two of the name"));
        assert!(message("horizontul l").contains("there are coincident, horizontal"));
        assert!(message("horizontal").contains("1 lines"));
        (0..TEXT.len()).for_each(|end| drop(NamedSketch::parse(&TEXT[..end])));
    }
}
