//! An index as text: `"1, ::2, ..., None, @1, @2"`, where `@k` is input `k` of a call. This is how languages without Rust's types send
//! one.

use super::Index;
use crate::array::{Array, Range};
use tilework_core::{Error, Result};

/// The entries of `text`; `inputs` are those of the call, so that the array that is indexed is `@0`.
pub(crate) fn parse(op: &str, text: &str, inputs: &[Array]) -> Result<Vec<Index>> {
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    text.split(',').map(|entry| parse_entry(op, entry.trim(), inputs)).collect()
}

fn parse_entry(op: &str, entry: &str, inputs: &[Array]) -> Result<Index> {
    let wrong = || Error::argument(op, format!("\"{entry}\" is no entry of an index"));
    match entry {
        "..." | "…" => return Ok(Index::Ellipsis),
        "None" | "null" | "newaxis" => return Ok(Index::NewAxis),
        _ => {}
    }
    if let Some(number) = entry.strip_prefix('@') {
        let number: usize = number.parse().map_err(|_| wrong())?;
        let array = inputs.get(number).filter(|_| number > 0);
        return array
            .map(Index::from)
            .ok_or_else(|| Error::argument(op, format!("there is no input {number} for \"{entry}\"")));
    }
    let whole = |text: &str| -> Result<Option<isize>> {
        if text.trim().is_empty() {
            return Ok(None);
        }
        let value: i64 = text.trim().parse().map_err(|_| wrong())?;
        // Beyond any axis, and far from where sums overflow.
        Ok(Some(value.clamp(-(1 << 30), 1 << 30) as isize))
    };
    let parts: Vec<&str> = entry.split(':').collect();
    match parts[..] {
        [at] => Ok(Index::At(whole(at)?.ok_or_else(wrong)?)),
        [start, stop] => Ok(Index::Slice(Range { start: whole(start)?, stop: whole(stop)?, step: 1 })),
        [start, stop, step] => {
            let step = whole(step)?.unwrap_or(1);
            Ok(Index::Slice(Range { start: whole(start)?, stop: whole(stop)?, step }))
        }
        _ => Err(wrong()),
    }
}
