//! Numbers as text.

use super::damaged;
use tilework_core::Result;
use tilework_core::host::HostBuffer;

/// How a number is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberFormat {
    /// With an exponent and this many digits after the point: `%.18e` with 18.
    Exponent(usize),
    /// With this many digits after the point: `%.3f` with 3.
    Fixed(usize),
    /// Without a fraction: `%d`.
    Whole,
    /// With as few digits as give the number back.
    Shortest,
}

/// How a text is written. The default is that of NumPy's `savetxt`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteOptions {
    /// How a number is written.
    pub format: NumberFormat,
    /// What stands between numbers.
    pub delimiter: String,
    /// What ends a line.
    pub newline: String,
    /// Lines at the beginning, each after `comments`; none if empty.
    pub header: String,
    /// Lines at the end, each after `comments`; none if empty.
    pub footer: String,
    /// What begins the lines of header and footer.
    pub comments: String,
}

impl Default for WriteOptions {
    fn default() -> WriteOptions {
        WriteOptions {
            format: NumberFormat::Exponent(18),
            delimiter: " ".to_owned(),
            newline: "\n".to_owned(),
            header: String::new(),
            footer: String::new(),
            comments: "# ".to_owned(),
        }
    }
}

/// More digits than a float has are zeros, and a format that asks for millions of them is a mistake.
const MAX_DIGITS: usize = 1100;

/// An array of one axis as a column, or of two as rows.
pub fn write_txt(data: &HostBuffer, shape: &[usize], options: &WriteOptions) -> Result<String> {
    let n_columns = match shape {
        [] | [_] => 1,
        [_, n_columns] => *n_columns,
        _ => return Err(damaged("to_txt", format!("needs one or two axes, got {shape:?}"))),
    };
    if let NumberFormat::Exponent(digits) | NumberFormat::Fixed(digits) = options.format
        && digits > MAX_DIGITS
    {
        return Err(damaged("to_txt", format!("{digits} digits are more than a number has")));
    }
    let mut text = noted(&options.header, options);
    let is_single = matches!(data, HostBuffer::F32(_));
    for start in (0..data.len()).step_by(n_columns.max(1)) {
        for column in 0..n_columns {
            if column > 0 {
                text.push_str(&options.delimiter);
            }
            text.push_str(&options.format.written(data.f64_at(start + column), is_single));
        }
        text.push_str(&options.newline);
    }
    text.push_str(&noted(&options.footer, options));
    Ok(text)
}

/// Lines that are no data.
fn noted(lines: &str, options: &WriteOptions) -> String {
    if lines.is_empty() {
        return String::new();
    }
    lines.lines().map(|line| format!("{}{line}{}", options.comments, options.newline)).collect()
}

impl NumberFormat {
    fn written(self, number: f64, is_single: bool) -> String {
        if number.is_nan() {
            return "nan".to_owned();
        }
        match self {
            _ if number.is_infinite() => if number > 0.0 { "inf" } else { "-inf" }.to_owned(),
            NumberFormat::Exponent(digits) => {
                let text = format!("{number:.digits$e}");
                let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
                let (sign, size) = exponent.strip_prefix('-').map_or(('+', exponent), |size| ('-', size));
                format!("{mantissa}e{sign}{size:0>2}")
            }
            NumberFormat::Fixed(digits) => format!("{number:.digits$}"),
            NumberFormat::Whole => format!("{:.0}", number.trunc()),
            NumberFormat::Shortest if is_single => format!("{}", number as f32),
            NumberFormat::Shortest => format!("{number}"),
        }
    }
}
