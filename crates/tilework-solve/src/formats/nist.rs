//! The nonlinear regressions of NIST's Statistical Reference Datasets (StRD): data, two starts and certified answers.

use super::words::bad;
use tilework_core::Result;

const FORMAT: &str = "NIST StRD";

/// One regression.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Regression {
    /// Name of the data set.
    pub name: String,
    /// How hard NIST says it is: `Lower`, `Average` or `Higher`.
    pub difficulty: String,
    /// The model as the file writes it.
    pub model: String,
    /// The two starting points.
    pub starts: [Vec<f64>; 2],
    /// Certified parameters.
    pub certified: Vec<f64>,
    /// Certified standard deviations of the parameters.
    pub deviations: Vec<f64>,
    /// Certified sum of the squares of the residuals.
    pub sum_of_squares: f64,
    /// Observations: the response, then the predictors.
    pub data: Vec<Vec<f64>>,
}

impl Regression {
    /// Reads a `.dat` file.
    pub fn parse(text: &str) -> Result<Regression> {
        let mut regression = Regression::default();
        let mut place = Place::Header;
        for (index, content) in text.lines().enumerate() {
            regression.line(index + 1, content.trim(), &mut place)?;
        }
        let n_lines = text.lines().count();
        if regression.name.is_empty() {
            return Err(bad(FORMAT, 1, "there is no line `Dataset Name:`"));
        }
        if regression.certified.is_empty() || regression.data.is_empty() {
            return Err(bad(FORMAT, n_lines, "the file ends before its parameters and data"));
        }
        let width = regression.data[0].len();
        if width < 2 || regression.data.iter().any(|row| row.len() != width) {
            return Err(bad(FORMAT, n_lines, "rows of data are not of one length"));
        }
        Ok(regression)
    }

    /// Correct digits of `found`: the least over the parameters of `−log10` of the relative error, 0 to 11, as many as NIST certifies.
    pub fn correct_digits(&self, found: &[f64]) -> f64 {
        let digits = |(&found, &certified): (&f64, &f64)| {
            let error = if certified == 0.0 { found.abs() } else { ((found - certified) / certified).abs() };
            if error.is_nan() { 0.0 } else { (-error.log10()).clamp(0.0, CERTIFIED_DIGITS) }
        };
        let least = found.iter().zip(&self.certified).map(digits).fold(CERTIFIED_DIGITS, f64::min);
        if found.len() == self.certified.len() { least } else { 0.0 }
    }

    fn line(&mut self, line: usize, content: &str, place: &mut Place) -> Result<()> {
        if let Some(rest) = content.strip_prefix("Dataset Name:") {
            self.name = rest.split_whitespace().next().unwrap_or("").to_owned();
        } else if let Some(rest) = content.strip_prefix("Residual Sum of Squares:") {
            self.sum_of_squares = number(line, rest)?;
        } else if content.starts_with("Model:") {
            *place = Place::Model;
        } else if content.starts_with("Starting") && *place == Place::Model {
            *place = Place::Parameters;
        } else if content.starts_with("Data:") && *place == Place::Parameters {
            *place = Place::Data;
        } else if let Some((level, _)) = content.split_once("Level of Difficulty") {
            self.difficulty = level.trim().to_owned();
        } else {
            self.content(line, content, *place)?;
        }
        Ok(())
    }

    fn content(&mut self, line: usize, content: &str, place: Place) -> Result<()> {
        match place {
            Place::Model if !content.is_empty() && !content.contains("Parameters (") => {
                let gap = if self.model.is_empty() { "" } else { " " };
                self.model.extend([gap, content]);
            }
            Place::Parameters => {
                let Some((name, numbers)) = content.split_once('=') else { return Ok(()) };
                if !name.trim().starts_with('b') {
                    return Ok(());
                }
                let row = row(line, numbers)?;
                let [first, second, certified, deviation] = row[..] else {
                    return Err(bad(FORMAT, line, format!("a parameter has {} numbers, should have 4", row.len())));
                };
                self.starts[0].push(first);
                self.starts[1].push(second);
                self.certified.push(certified);
                self.deviations.push(deviation);
            }
            Place::Data if !content.is_empty() => self.data.push(row(line, content)?),
            _ => {}
        }
        Ok(())
    }
}

/// No more digits than these are certified.
const CERTIFIED_DIGITS: f64 = 11.0;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Header,
    Model,
    Parameters,
    Data,
}

fn row(line: usize, content: &str) -> Result<Vec<f64>> {
    content.split_whitespace().map(|word| number(line, word)).collect()
}

fn number(line: usize, word: &str) -> Result<f64> {
    let value: f64 = word.trim().parse().map_err(|_| bad(FORMAT, line, format!("`{word}` is not a number")))?;
    if value.is_finite() { Ok(value) } else { Err(bad(FORMAT, line, format!("a number is {value}"))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "NIST/ITL StRD\nDataset Name:  Line (Line.dat)\nData:  1 Response Variable  (y)\n  Lower Level of Difficulty\n\
        Model: Linear\n 2 Parameters (b1 and b2)\n\n y = b1 + b2*x + e\n\n  Starting values   Certified Values\n\
        \n  b1 = 500 250 2.5E+00 1E-1\n  b2 = 1 2 -3.0 0.2\n\nResidual Sum of Squares:  1.5E-01\n\nData:   y     x\n  1.5E0 1\n 2 2\n";

    #[test]
    fn a_file_is_read() {
        let regression = Regression::parse(SMALL).unwrap();
        assert_eq!(regression.name, "Line");
        assert_eq!(regression.difficulty, "Lower");
        assert!(regression.model.contains("y = b1 + b2*x + e"), "{}", regression.model);
        assert_eq!(regression.starts, [vec![500.0, 1.0], vec![250.0, 2.0]]);
        assert_eq!(regression.certified, [2.5, -3.0]);
        assert_eq!(regression.data, [[1.5, 1.0], [2.0, 2.0]]);
        assert_eq!(regression.sum_of_squares, 0.15);
    }

    #[test]
    fn digits_are_those_of_the_worst_parameter() {
        let regression = Regression::parse(SMALL).unwrap();
        assert_eq!(regression.correct_digits(&[2.5, -3.0]), 11.0);
        let digits = regression.correct_digits(&[2.5 * (1.0 + 1e-6), -3.0 * (1.0 + 1e-9)]);
        assert!((digits - 6.0).abs() < 1e-6, "{digits}");
        assert_eq!(regression.correct_digits(&[25.0, -3.0]), 0.0);
        assert_eq!(regression.correct_digits(&[f64::NAN, -3.0]), 0.0);
        assert_eq!(regression.correct_digits(&[2.5]), 0.0);
    }

    #[test]
    fn errors_name_the_line_and_nothing_panics() {
        let wrong = SMALL.replace(" 2 2\n", " 2 two\n");
        let message = Regression::parse(&wrong).unwrap_err().to_string();
        assert!(message.contains("`two` is not a number") && message.contains("line 19"), "{message}");
        assert!(Regression::parse("hello").is_err());
        (0..SMALL.len()).for_each(|end| drop(Regression::parse(&SMALL[..end])));
    }
}
