//! Values of metadata.

use super::cursor::{Cursor, Stop};
use super::{MAX_DEPTH, MAX_HEAD_BYTES};

/// A value of metadata, by its type in the file.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Value {
    U8(u8),
    I8(i8),
    U16(u16),
    I16(i16),
    U32(u32),
    I32(i32),
    F32(f32),
    Bool(bool),
    String(String),
    Array(Values),
    U64(u64),
    I64(i64),
    F64(f64),
}

/// The elements of an array, all of one type.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Values {
    U8(Vec<u8>),
    I8(Vec<i8>),
    U16(Vec<u16>),
    I16(Vec<i16>),
    U32(Vec<u32>),
    I32(Vec<i32>),
    F32(Vec<f32>),
    Bool(Vec<bool>),
    String(Vec<String>),
    Array(Vec<Values>),
    U64(Vec<u64>),
    I64(Vec<i64>),
    F64(Vec<f64>),
}

/// Name of each type, by its number in the file.
const TYPES: [&str; 13] =
    ["u8", "i8", "u16", "i16", "u32", "i32", "f32", "bool", "string", "array", "u64", "i64", "f64"];

impl Value {
    /// The name of its type.
    pub fn type_name(&self) -> &'static str {
        TYPES[self.type_number() as usize]
    }

    pub(super) fn type_number(&self) -> u32 {
        match self {
            Value::U8(_) => 0,
            Value::I8(_) => 1,
            Value::U16(_) => 2,
            Value::I16(_) => 3,
            Value::U32(_) => 4,
            Value::I32(_) => 5,
            Value::F32(_) => 6,
            Value::Bool(_) => 7,
            Value::String(_) => 8,
            Value::Array(_) => 9,
            Value::U64(_) => 10,
            Value::I64(_) => 11,
            Value::F64(_) => 12,
        }
    }

    /// As a whole number, of whatever size it is stored in.
    pub fn as_i128(&self) -> Option<i128> {
        match *self {
            Value::U8(value) => Some(value.into()),
            Value::I8(value) => Some(value.into()),
            Value::U16(value) => Some(value.into()),
            Value::I16(value) => Some(value.into()),
            Value::U32(value) => Some(value.into()),
            Value::I32(value) => Some(value.into()),
            Value::U64(value) => Some(value.into()),
            Value::I64(value) => Some(value.into()),
            _ => None,
        }
    }

    pub(super) fn read(cursor: &mut Cursor<'_>) -> Result<Value, Stop> {
        Ok(match cursor.u32()? {
            0 => Value::U8(u8::from_le_bytes(cursor.array()?)),
            1 => Value::I8(i8::from_le_bytes(cursor.array()?)),
            2 => Value::U16(u16::from_le_bytes(cursor.array()?)),
            3 => Value::I16(i16::from_le_bytes(cursor.array()?)),
            4 => Value::U32(cursor.u32()?),
            5 => Value::I32(i32::from_le_bytes(cursor.array()?)),
            6 => Value::F32(f32::from_le_bytes(cursor.array()?)),
            7 => Value::Bool(read_bool(cursor)?),
            8 => Value::String(cursor.string(MAX_HEAD_BYTES)?),
            9 => Value::Array(Values::read(cursor, MAX_DEPTH)?),
            10 => Value::U64(cursor.u64()?),
            11 => Value::I64(i64::from_le_bytes(cursor.array()?)),
            12 => Value::F64(f64::from_le_bytes(cursor.array()?)),
            other => return Err(cursor.bad(format!("a value of type {other}; there are {}", TYPES.len()))),
        })
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        match self {
            Value::U8(value) => out.push(*value),
            Value::I8(value) => out.extend(value.to_le_bytes()),
            Value::U16(value) => out.extend(value.to_le_bytes()),
            Value::I16(value) => out.extend(value.to_le_bytes()),
            Value::U32(value) => out.extend(value.to_le_bytes()),
            Value::I32(value) => out.extend(value.to_le_bytes()),
            Value::F32(value) => out.extend(value.to_le_bytes()),
            Value::Bool(value) => out.push(u8::from(*value)),
            Value::String(value) => write_string(value, out),
            Value::Array(values) => values.write(out),
            Value::U64(value) => out.extend(value.to_le_bytes()),
            Value::I64(value) => out.extend(value.to_le_bytes()),
            Value::F64(value) => out.extend(value.to_le_bytes()),
        }
    }
}

fn read_bool(cursor: &mut Cursor<'_>) -> Result<bool, Stop> {
    match cursor.array()? {
        [0] => Ok(false),
        [1] => Ok(true),
        [other] => Err(cursor.bad(format!("a truth value of {other}"))),
    }
}

/// Length and bytes.
pub(super) fn write_string(text: &str, out: &mut Vec<u8>) {
    out.extend((text.len() as u64).to_le_bytes());
    out.extend(text.as_bytes());
}

impl Values {
    /// Its elements.
    pub fn len(&self) -> usize {
        match self {
            Values::U8(values) => values.len(),
            Values::I8(values) => values.len(),
            Values::U16(values) => values.len(),
            Values::I16(values) => values.len(),
            Values::U32(values) => values.len(),
            Values::I32(values) => values.len(),
            Values::F32(values) => values.len(),
            Values::Bool(values) => values.len(),
            Values::String(values) => values.len(),
            Values::Array(values) => values.len(),
            Values::U64(values) => values.len(),
            Values::I64(values) => values.len(),
            Values::F64(values) => values.len(),
        }
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The name of its elements' type.
    pub fn type_name(&self) -> &'static str {
        TYPES[self.type_number() as usize]
    }

    fn type_number(&self) -> u32 {
        match self {
            Values::U8(_) => 0,
            Values::I8(_) => 1,
            Values::U16(_) => 2,
            Values::I16(_) => 3,
            Values::U32(_) => 4,
            Values::I32(_) => 5,
            Values::F32(_) => 6,
            Values::Bool(_) => 7,
            Values::String(_) => 8,
            Values::Array(_) => 9,
            Values::U64(_) => 10,
            Values::I64(_) => 11,
            Values::F64(_) => 12,
        }
    }

    /// Element `index` as a value of its own.
    pub fn get(&self, index: usize) -> Option<Value> {
        Some(match self {
            Values::U8(values) => Value::U8(*values.get(index)?),
            Values::I8(values) => Value::I8(*values.get(index)?),
            Values::U16(values) => Value::U16(*values.get(index)?),
            Values::I16(values) => Value::I16(*values.get(index)?),
            Values::U32(values) => Value::U32(*values.get(index)?),
            Values::I32(values) => Value::I32(*values.get(index)?),
            Values::F32(values) => Value::F32(*values.get(index)?),
            Values::Bool(values) => Value::Bool(*values.get(index)?),
            Values::String(values) => Value::String(values.get(index)?.clone()),
            Values::Array(values) => Value::Array(values.get(index)?.clone()),
            Values::U64(values) => Value::U64(*values.get(index)?),
            Values::I64(values) => Value::I64(*values.get(index)?),
            Values::F64(values) => Value::F64(*values.get(index)?),
        })
    }

    fn read(cursor: &mut Cursor<'_>, depth: usize) -> Result<Values, Stop> {
        let (kind, n) = (cursor.u32()?, cursor.u64()?);
        Ok(match kind {
            0 => Values::U8(numbers(cursor, n, u8::from_le_bytes)?),
            1 => Values::I8(numbers(cursor, n, i8::from_le_bytes)?),
            2 => Values::U16(numbers(cursor, n, u16::from_le_bytes)?),
            3 => Values::I16(numbers(cursor, n, i16::from_le_bytes)?),
            4 => Values::U32(numbers(cursor, n, u32::from_le_bytes)?),
            5 => Values::I32(numbers(cursor, n, i32::from_le_bytes)?),
            6 => Values::F32(numbers(cursor, n, f32::from_le_bytes)?),
            7 => Values::Bool(items(cursor, (n, 1), read_bool)?),
            8 => Values::String(items(cursor, (n, 8), |cursor| cursor.string(MAX_HEAD_BYTES))?),
            9 if depth <= 1 => return Err(cursor.bad(format!("arrays are nested more than {MAX_DEPTH} deep"))),
            9 => Values::Array(items(cursor, (n, 12), |cursor| Values::read(cursor, depth - 1))?),
            10 => Values::U64(numbers(cursor, n, u64::from_le_bytes)?),
            11 => Values::I64(numbers(cursor, n, i64::from_le_bytes)?),
            12 => Values::F64(numbers(cursor, n, f64::from_le_bytes)?),
            other => return Err(cursor.bad(format!("an array of type {other}; there are {}", TYPES.len()))),
        })
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.type_number().to_le_bytes());
        out.extend((self.len() as u64).to_le_bytes());
        for value in (0..self.len()).filter_map(|index| self.get(index)) {
            value.write(out);
        }
    }
}

/// `n` numbers of `N` bytes each.
fn numbers<T, const N: usize>(cursor: &mut Cursor<'_>, n: u64, from: fn([u8; N]) -> T) -> Result<Vec<T>, Stop> {
    cursor.expect(n, N as u64)?;
    let bytes = cursor.take(n * N as u64)?;
    Ok(bytes.as_chunks::<N>().0.iter().map(|bytes| from(*bytes)).collect())
}

/// `n` things of at least `size_bytes` each.
fn items<T>(
    cursor: &mut Cursor<'_>,
    (n, size_bytes): (u64, u64),
    read: impl Fn(&mut Cursor<'_>) -> Result<T, Stop>,
) -> Result<Vec<T>, Stop> {
    cursor.expect(n, size_bytes)?;
    // Not reserved: an array of arrays of nothing would be larger in memory than in the file.
    let mut items = Vec::new();
    for _ in 0..n {
        items.push(read(cursor)?);
    }
    Ok(items)
}
