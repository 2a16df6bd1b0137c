//! Vectors and similarities, for people and for programs.

use std::io::Write;

use serde_json::{Value, json};

use crate::failure::Outcome;
use crate::terminal::{Out, Paint};
use crate::timing;

/// What to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    Similarities,
    Vectors,
}

/// What came out.
pub(crate) struct Report<'a> {
    pub(crate) texts: &'a [&'a str],
    /// Of length 1 each, so that their products are cosines.
    pub(crate) vectors: &'a [Vec<f32>],
    pub(crate) device: String,
    /// Median time, if it was asked for.
    pub(crate) ms: Option<f64>,
}

/// A matrix of more columns is no table that anyone reads.
const MAX_COLUMNS: usize = 12;
/// Closest texts to list where there is no matrix.
const N_CLOSEST: usize = 3;
/// Characters of a text to show.
const MAX_TEXT_CHARS: usize = 60;

impl Report<'_> {
    pub(crate) fn json(&self, content: Content) -> Value {
        let mut object = json!({"device": self.device, "texts": self.texts});
        match content {
            Content::Vectors => object["vectors"] = self.vectors.iter().map(|vector| numbers(vector)).collect(),
            Content::Similarities => {
                let rows = self.vectors.iter().map(|a| self.similarities(a));
                object["similarities"] = rows.map(|row| numbers(&row)).collect();
            }
        }
        if let Some(ms) = self.ms {
            object["ms"] = json!(ms);
        }
        object
    }

    pub(crate) fn print(&self, content: Content, out: &mut Out) -> Outcome<()> {
        match content {
            Content::Vectors => self.print_vectors(out)?,
            Content::Similarities if self.texts.len() <= MAX_COLUMNS => self.print_matrix(out)?,
            Content::Similarities => self.print_closest(out)?,
        }
        if let Some(ms) = self.ms {
            let line = format!("{} texts in {} on {}", self.texts.len(), timing::format_ms(ms), self.device);
            let line = out.paint(Paint::Faint, &line);
            writeln!(out, "\n{line}")?;
        }
        Ok(())
    }

    fn print_vectors(&self, out: &mut Out) -> Outcome<()> {
        for vector in self.vectors {
            let numbers: Vec<String> = vector.iter().map(f32::to_string).collect();
            writeln!(out, "{}", numbers.join(" "))?;
        }
        Ok(())
    }

    fn print_matrix(&self, out: &mut Out) -> Outcome<()> {
        let heading: String = (1..=self.texts.len()).map(|number| format!("{number:>7}")).collect();
        let heading = out.paint(Paint::Faint, &format!("   {heading}"));
        writeln!(out, "{heading}")?;
        for (row, (text, vector)) in self.texts.iter().zip(self.vectors).enumerate() {
            let number = out.paint(Paint::Faint, &format!("{:>3}", row + 1));
            write!(out, "{number}")?;
            for (column, similarity) in self.similarities(vector).into_iter().enumerate() {
                let cell = format!("{similarity:>7.3}");
                let cell = if row == column { out.paint(Paint::Faint, &cell) } else { painted(out, similarity, &cell) };
                write!(out, "{cell}")?;
            }
            writeln!(out, "   {}", shortened(text))?;
        }
        Ok(())
    }

    fn print_closest(&self, out: &mut Out) -> Outcome<()> {
        for (row, (text, vector)) in self.texts.iter().zip(self.vectors).enumerate() {
            let title = out.paint(Paint::Title, &shortened(text));
            writeln!(out, "{:>5}  {title}", row + 1)?;
            let similarities = self.similarities(vector);
            let mut others: Vec<usize> = (0..self.texts.len()).filter(|&other| other != row).collect();
            others.sort_by(|&a, &b| similarities[b].total_cmp(&similarities[a]));
            for other in others.into_iter().take(N_CLOSEST) {
                let cell = painted(out, similarities[other], &format!("{:.3}", similarities[other]));
                writeln!(out, "       {cell} {:>5}  {}", other + 1, shortened(self.texts[other]))?;
            }
        }
        Ok(())
    }

    fn similarities(&self, vector: &[f32]) -> Vec<f32> {
        let dot = |other: &Vec<f32>| vector.iter().zip(other).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum::<f64>();
        self.vectors.iter().map(|other| dot(other) as f32).collect()
    }
}

/// The closer, the more visible.
fn painted(out: &Out, similarity: f32, cell: &str) -> String {
    match similarity {
        s if s >= 0.6 => out.paint(Paint::Good, cell),
        s if s < 0.2 => out.paint(Paint::Faint, cell),
        _ => cell.to_owned(),
    }
}

/// One line of a text, without anything that would disturb a terminal.
fn shortened(text: &str) -> String {
    let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(MAX_TEXT_CHARS + 1).collect();
    match plain.char_indices().nth(MAX_TEXT_CHARS) {
        Some((end, _)) => format!("{}…", &plain[..end]),
        None => plain,
    }
}

/// Floats with as many digits as they have: 0.1 and not the nearest double of it.
fn numbers(floats: &[f32]) -> Value {
    floats.iter().map(|float| float.to_string().parse::<f64>().map_or(Value::Null, Value::from)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_at_characters() {
        assert_eq!(shortened("a\u{1b}[31m\nb"), "a [31m b");
        let long = "ä".repeat(100);
        assert_eq!(shortened(&long).chars().count(), MAX_TEXT_CHARS + 1);
        assert_eq!(shortened(&"ä".repeat(MAX_TEXT_CHARS)), "ä".repeat(MAX_TEXT_CHARS));
    }

    #[test]
    fn json_has_what_was_asked_for() {
        let vectors = [vec![1.0, 0.0], vec![0.6, 0.8]];
        let report = Report { texts: &["a", "b"], vectors: &vectors, device: "cpu".to_owned(), ms: Some(2.0) };
        let similar = report.json(Content::Similarities);
        assert_eq!(similar["similarities"], json!([[1.0, 0.6], [0.6, 1.0]]));
        assert!(similar.get("vectors").is_none() && similar["ms"] == 2.0);
        assert_eq!(report.json(Content::Vectors)["vectors"][1], json!([0.6, 0.8]));
    }
}
