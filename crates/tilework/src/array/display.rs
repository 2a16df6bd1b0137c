//! Printing like NumPy.

use super::Array;
use std::fmt;
use tilework_core::Result;
use tilework_core::dtype::HAS_WIDE;
use tilework_core::half::{self, HAS_HALF, shortest};
use tilework_core::host::HostBuffer;

/// Arrays with more elements are summarised.
const THRESHOLD: usize = 1000;
/// Elements shown at each end of a summarised axis.
const EDGE: usize = 3;
/// Digits after the point, at most.
const PRECISION: usize = 8;
/// Columns of a line.
const LINE_WIDTH: usize = 75;

impl Array {
    /// Computes the array and prints it as NumPy would.
    pub async fn show(&self) -> Result<String> {
        self.with_host(|host| self.format(host)).await
    }
}

impl Array {
    fn format(&self, host: &HostBuffer) -> String {
        if self.is_complex() { format_complex(host, self.shape()) } else { format_array(host, self.shape()) }
    }
}

impl fmt::Debug for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.stored() {
            Ok(_) => write!(
                f,
                "Array({:?}, {}, {})",
                self.shape(),
                self.dtype(),
                if self.is_evaluated() { "computed" } else { "lazy" }
            ),
            Err(error) => write!(f, "Array({error})"),
        }
    }
}

/// Values that are in host memory are printed; others are described, because reading them must be awaited ([`Array::show`]).
impl fmt::Display for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.stored().ok().and_then(crate::value::Value::of);
        match value {
            Some(crate::value::Value::Host(value)) => f.write_str(&self.format(&value.buffer())),
            _ => fmt::Debug::fmt(self, f),
        }
    }
}

/// Formats `data` of `shape` as NumPy prints it with default options.
pub(crate) fn format_array(data: &HostBuffer, shape: &[usize]) -> String {
    let shown = shown_elements(shape);
    layout_elements(format_elements(data, &shown), shape)
}

/// The same for pairs of real and imaginary parts.
fn format_complex(data: &HostBuffer, shape: &[usize]) -> String {
    let shown = shown_elements(shape);
    let part = |which: usize| format_elements(data, &shown.iter().map(|&i| 2 * i + which).collect::<Vec<_>>());
    let joined = part(0).into_iter().zip(part(1)).map(|(re, im)| {
        let trimmed = im.trim_start();
        let signed = if trimmed.starts_with('-') { trimmed.to_owned() } else { format!("+{trimmed}") };
        let padding = signed.len() - signed.trim_end().len();
        format!("{re}{}j{}", signed.trim_end(), " ".repeat(padding))
    });
    let texts: Vec<String> = joined.collect();
    let width = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0);
    layout_elements(texts.into_iter().map(|text| format!("{text:<width$}")).collect(), shape)
}

fn layout_elements(texts: Vec<String>, shape: &[usize]) -> String {
    if shape.is_empty() {
        return texts.first().map(|text| text.trim().to_owned()).unwrap_or_default();
    }
    let mut texts = texts.into_iter();
    let is_summarized = shape.iter().product::<usize>() > THRESHOLD;
    format_axis(shape, is_summarized, &mut texts, 1)
}

/// Row-major positions of the elements that are printed.
fn shown_elements(shape: &[usize]) -> Vec<usize> {
    let is_summarized = shape.iter().product::<usize>() > THRESHOLD;
    let mut positions = vec![0];
    for &size in shape {
        let kept: Vec<usize> = if is_summarized && size > 2 * EDGE {
            (0..EDGE).chain(size - EDGE..size).collect()
        } else {
            (0..size).collect()
        };
        positions = positions.iter().flat_map(|&base| kept.iter().map(move |&k| base * size + k)).collect();
    }
    positions
}

fn format_axis(shape: &[usize], is_summarized: bool, texts: &mut impl Iterator<Item = String>, depth: usize) -> String {
    let (size, inner) = (shape[0], &shape[1..]);
    let skips = is_summarized && size > 2 * EDGE;
    let n_shown = if skips { 2 * EDGE } else { size };
    let mut items: Vec<String> = Vec::new();
    for k in 0..n_shown {
        if skips && k == EDGE {
            items.push("...".to_owned());
        }
        items.push(if inner.is_empty() {
            texts.next().unwrap_or_default()
        } else {
            format_axis(inner, is_summarized, texts, depth + 1)
        });
    }
    if inner.is_empty() {
        return wrap_line(&items, depth);
    }
    let separator = format!("{}{}", "\n".repeat(inner.len()), " ".repeat(depth));
    format!("[{}]", items.join(&separator))
}

/// One innermost row, broken into lines of bounded width.
fn wrap_line(items: &[String], depth: usize) -> String {
    let mut lines: Vec<String> = vec!["[".to_owned()];
    for (k, item) in items.iter().enumerate() {
        let is_first = k == 0;
        let width = lines.last().map_or(0, |line| line.chars().count()) + if lines.len() == 1 { depth - 1 } else { 0 };
        if !is_first && width + 1 + item.chars().count() > LINE_WIDTH - 1 {
            if let Some(line) = lines.last_mut() {
                line.truncate(line.trim_end().len());
            }
            lines.push(format!("{}{item}", " ".repeat(depth)));
        } else if let Some(line) = lines.last_mut() {
            line.push_str(if is_first { "" } else { " " });
            line.push_str(item);
        }
    }
    lines.join("\n") + "]"
}

fn format_elements(data: &HostBuffer, shown: &[usize]) -> Vec<String> {
    let floats = |digits: Digits, value: &dyn Fn(usize) -> f64| {
        format_floats(&shown.iter().map(|&i| value(i)).collect::<Vec<f64>>(), digits)
    };
    let texts: Vec<String> = match data {
        HostBuffer::F16(_) if !HAS_HALF => Vec::new(),
        HostBuffer::F16(values) => return floats(Digits::Double, &|i| shortest(values[i])),
        HostBuffer::F32(values) => return floats(Digits::Single, &|i| f64::from(values[i])),
        HostBuffer::F64(values) => return floats(Digits::Double, &|i| values[i]),
        HostBuffer::BF16(_) if !HAS_WIDE => Vec::new(),
        HostBuffer::BF16(values) => {
            // Four digits tell bfloat16 numbers apart.
            let rounded = |i: usize| format!("{:.3e}", half::widen_bfloat(values[i])).parse().unwrap_or(f64::NAN);
            return floats(Digits::Double, &rounded);
        }
        HostBuffer::Bool(values) => {
            shown.iter().map(|&i| if values[i] != 0 { "True" } else { "False" }.to_owned()).collect()
        }
        whole if !HAS_WIDE => shown.iter().map(|&i| (whole.f64_at(i) as i64).to_string()).collect(),
        whole => shown.iter().map(|&i| whole.value(i).to_i128().to_string()).collect(),
    };
    pad_left(texts)
}

fn pad_left(texts: Vec<String>) -> Vec<String> {
    let width = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0);
    texts.into_iter().map(|text| format!("{text:>width$}")).collect()
}

/// Among which numbers the fewest digits have to identify one.
#[derive(Clone, Copy)]
enum Digits {
    /// Those of single precision.
    Single,
    /// Those of double precision.
    Double,
}

impl Digits {
    /// Whether numbers are written in double precision. A module without it has no code that does.
    fn is_double(self) -> bool {
        (HAS_WIDE || HAS_HALF) && matches!(self, Digits::Double)
    }

    fn plain(self, value: f64) -> String {
        if self.is_double() { format!("{value}") } else { format!("{}", value as f32) }
    }

    fn rounded(self, value: f64) -> String {
        if self.is_double() { format!("{value:.PRECISION$}") } else { format!("{:.PRECISION$}", value as f32) }
    }

    fn scientific(self, value: f64) -> String {
        if self.is_double() { format!("{value:e}") } else { format!("{:e}", value as f32) }
    }

    fn rounded_scientific(self, value: f64, n_fraction: usize) -> String {
        if self.is_double() { format!("{value:.n_fraction$e}") } else { format!("{:.n_fraction$e}", value as f32) }
    }
}

fn format_floats(values: &[f64], digits: Digits) -> Vec<String> {
    let finite = values.iter().filter(|v| v.is_finite());
    let magnitudes = finite.map(|v| v.abs()).filter(|&v| v != 0.0);
    let (largest, smallest) = magnitudes.fold((0.0f64, f64::INFINITY), |(l, s), v| (l.max(v), s.min(v)));
    let is_scientific = largest >= 1e8 || (largest > 0.0 && (smallest < 1e-4 || largest / smallest > 1e3));
    pad_left(if is_scientific { format_scientific(values, digits) } else { format_fixed(values, digits) })
}

/// Numbers line up at the point: fractions are padded on the right with spaces.
fn format_fixed(values: &[f64], digits: Digits) -> Vec<String> {
    let parts: Vec<(String, String)> = values.iter().map(|&value| fixed_parts(value, digits)).collect();
    let n_fraction = parts.iter().map(|(_, fraction)| fraction.len()).max().unwrap_or(0);
    let joined = parts.into_iter().zip(values).map(|((whole, fraction), value)| {
        if value.is_finite() { format!("{whole}.{fraction:<n_fraction$}") } else { whole }
    });
    joined.collect()
}

/// All mantissas get as many digits as the longest needs to be told apart.
fn format_scientific(values: &[f64], digits: Digits) -> Vec<String> {
    let n_digits = |&value: &f64| {
        let shortest = digits.scientific(value);
        shortest
            .split_once('e')
            .and_then(|(mantissa, _)| mantissa.split_once('.'))
            .map_or(0, |(_, fraction)| fraction.len())
    };
    let finite = values.iter().filter(|value| value.is_finite());
    let most = finite.map(n_digits).max().unwrap_or(0).min(PRECISION);
    values
        .iter()
        .map(|&value| {
            special(value).unwrap_or_else(|| {
                let text = digits.rounded_scientific(value, most);
                let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
                let exponent: i32 = exponent.parse().unwrap_or(0);
                let point = if most == 0 { "." } else { "" };
                format!("{mantissa}{point}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
            })
        })
        .collect()
}

fn special(value: f64) -> Option<String> {
    match value {
        v if v.is_nan() => Some("nan".to_owned()),
        v if v.is_infinite() => Some(if v > 0.0 { "inf" } else { "-inf" }.to_owned()),
        _ => None,
    }
}

fn fixed_parts(value: f64, digits: Digits) -> (String, String) {
    if let Some(text) = special(value) {
        return (text, String::new());
    }
    let shortest = digits.plain(value);
    let (whole, fraction) = shortest.split_once('.').unwrap_or((&shortest, ""));
    if fraction.len() <= PRECISION {
        return (whole.to_owned(), fraction.to_owned());
    }
    let rounded = digits.rounded(value);
    let (whole, fraction) = rounded.split_once('.').unwrap_or((&rounded, ""));
    (whole.to_owned(), fraction.trim_end_matches('0').to_owned())
}
