//! Numbers in text: CSV and its relatives.

use super::damaged;
use tilework_core::Result;
use tilework_core::dtype::DType;
use tilework_core::expr::Value;
use tilework_core::host::HostBuffer;

/// What a field without a number is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Blank {
    /// A mistake, as for NumPy's `loadtxt`.
    #[default]
    Refuse,
    /// This number, as for NumPy's `genfromtxt`, where it is NaN unless told.
    Fill(f64),
}

/// Whether the first row has names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Header {
    /// All rows are numbers.
    #[default]
    None,
    /// The first row that is neither skipped nor empty names the columns.
    Names,
}

/// How a text is read. The default is that of NumPy's `loadtxt`, except that numbers become 32-bit floats.
#[derive(Clone, Debug, PartialEq)]
pub struct TextOptions {
    /// What separates fields; any white space if there is none.
    pub delimiter: Option<char>,
    /// What begins a comment, which goes on to the end of the line; nothing if empty.
    pub comments: String,
    /// Lines to leave out at the beginning.
    pub skip_rows: usize,
    /// Rows to read at most.
    pub max_rows: Option<usize>,
    /// Which columns, in which order; negative counts from the last, and none means all.
    pub columns: Vec<isize>,
    /// What a field without a number is.
    pub blank: Blank,
    /// Whether the first row has names.
    pub header: Header,
    /// Type of the elements.
    pub dtype: DType,
    /// At least this many axes, up to two: axes of one element are left out otherwise.
    pub min_axes: usize,
}

impl Default for TextOptions {
    fn default() -> TextOptions {
        TextOptions {
            delimiter: None,
            comments: "#".to_owned(),
            skip_rows: 0,
            max_rows: None,
            columns: Vec::new(),
            blank: Blank::Refuse,
            header: Header::None,
            dtype: DType::F32,
            min_axes: 0,
        }
    }
}

/// What was in a text.
#[derive(Clone, Debug, PartialEq)]
pub struct TextTable {
    /// Names of the columns, if there was a row of them.
    pub names: Vec<String>,
    /// The numbers, row by row.
    pub data: HostBuffer,
    /// Rows and columns, without those of one element as far as `min_axes` allows.
    pub shape: Vec<usize>,
}

/// Reads rows of numbers.
pub fn read_txt(text: &str, options: &TextOptions) -> Result<TextTable> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = text.lines().enumerate().skip(options.skip_rows).map(|(number, line)| (number + 1, options.bare(line)));
    let mut lines = lines.filter(|(_, line)| !line.trim().is_empty());
    let names = match options.header {
        Header::None => Vec::new(),
        Header::Names => lines.next().map_or_else(Vec::new, |(_, line)| options.fields(line)),
    };
    let mut numbers: Vec<f64> = Vec::new();
    let (mut n_rows, mut n_fields) = (0, None);
    let mut columns = Vec::new();
    for (number, line) in lines.take(options.max_rows.unwrap_or(usize::MAX)) {
        let fields = options.fields(line);
        if *n_fields.get_or_insert(fields.len()) != fields.len() {
            let message =
                format!("line {number} has {} fields, those before it {}", fields.len(), n_fields.unwrap_or(0));
            return Err(damaged("load_txt", message));
        }
        if n_rows == 0 {
            columns = options.chosen(fields.len())?;
        }
        for &column in &columns {
            numbers.push(options.number(&fields[column]).ok_or_else(|| {
                damaged("load_txt", format!("line {number}, column {column}: \"{}\" is no number", fields[column]))
            })?);
        }
        n_rows += 1;
    }
    let names = if names.is_empty() || columns.is_empty() { names } else { picked(&names, &columns) };
    let data = HostBuffer::from_values(options.dtype, numbers.into_iter().map(Value::num));
    Ok(TextTable { names, data, shape: options.shape(n_rows, columns.len()) })
}

fn picked(names: &[String], columns: &[usize]) -> Vec<String> {
    columns.iter().map(|&column| names.get(column).cloned().unwrap_or_default()).collect()
}

impl TextOptions {
    /// A line without its comment.
    fn bare<'a>(&self, line: &'a str) -> &'a str {
        if self.comments.is_empty() { line } else { line.split(self.comments.as_str()).next().unwrap_or(line) }
    }

    fn fields(&self, line: &str) -> Vec<String> {
        match self.delimiter {
            Some(delimiter) => line.split(delimiter).map(|field| field.trim().to_owned()).collect(),
            None => line.split_whitespace().map(str::to_owned).collect(),
        }
    }

    /// Positions of the columns that are wanted.
    fn chosen(&self, n_fields: usize) -> Result<Vec<usize>> {
        if self.columns.is_empty() {
            return Ok((0..n_fields).collect());
        }
        let resolve = |&column: &isize| {
            let at = if column < 0 { column.checked_add_unsigned(n_fields) } else { Some(column) };
            let at = at.and_then(|at| usize::try_from(at).ok()).filter(|&at| at < n_fields);
            at.ok_or_else(|| damaged("load_txt", format!("there is no column {column} among {n_fields}")))
        };
        self.columns.iter().map(resolve).collect()
    }

    fn number(&self, field: &str) -> Option<f64> {
        match (field.parse(), self.blank) {
            (Ok(number), _) => Some(number),
            (Err(_), Blank::Fill(number)) => Some(number),
            (Err(_), Blank::Refuse) => None,
        }
    }

    fn shape(&self, n_rows: usize, n_columns: usize) -> Vec<usize> {
        match (n_rows, n_columns, self.min_axes) {
            (0, _, 2..) => vec![0, n_columns],
            (0, ..) => vec![0],
            (1, 1, 0) => vec![],
            (1, n, 0 | 1) | (n, 1, 0 | 1) => vec![n],
            (m, n, _) => vec![m, n],
        }
    }
}
