//! The parts of a split model as one directory.

use std::collections::HashMap;

use tilework::layers::core::order;
use tilework::{Error, Result};

use super::{Gguf, Metadata, Source, TensorInfo, damaged};

/// A model in one or several files.
///
/// Large models are split into `name-00001-of-00003.gguf` and so on; each part has a head of its own and says in `split.no` and
/// `split.count` which it is. The first part's metadata are those of the model.
pub struct Files<'a> {
    sources: Vec<&'a dyn Source>,
    data_offsets: Vec<u64>,
    gguf: Gguf,
}

impl<'a> Files<'a> {
    /// Reads the heads of all parts, in any order.
    ///
    /// Fails if a part is missing, there twice or of another model, or if a tensor does not lie inside its file.
    pub fn open(sources: &[&'a dyn Source]) -> Result<Files<'a>> {
        let mut parts = Vec::new();
        for &source in sources {
            let gguf = Gguf::read(source)?;
            let number = gguf.metadata.u64("split.no")?.unwrap_or(0);
            let count = gguf.metadata.u64("split.count")?.unwrap_or(0).max(1);
            if count != sources.len() as u64 {
                return Err(damaged(format!("this is one of {count} files and {} were given", sources.len())));
            }
            parts.push((number, gguf, source));
        }
        order::sort_by_key(&mut parts, |part| part.0);
        if let Some(missing) = (0..).zip(&parts).find(|(index, part)| *index != part.0) {
            return Err(damaged(format!("file {} of {} is missing or there twice", missing.0 + 1, parts.len())));
        }
        let sources = parts.iter().map(|part| part.2).collect();
        let data_offsets = parts.iter().map(|part| part.1.data_offset).collect();
        Ok(Files { sources, data_offsets, gguf: merge(parts.into_iter().map(|part| part.1))? })
    }

    /// Metadata of the first part and the tensors of all.
    pub fn gguf(&self) -> &Gguf {
        &self.gguf
    }

    /// Takes the metadata out, which leaves none here.
    pub fn take_metadata(&mut self) -> Metadata {
        std::mem::take(&mut self.gguf.metadata)
    }

    /// Reads bytes of a tensor, from byte `start` of it on.
    pub fn read(&self, tensor: &TensorInfo, start: u64, out: &mut [u8]) -> Result<()> {
        let beyond =
            || Error::argument("gguf", format!("tensor `{}` has no {} bytes at {start}", tensor.name, out.len()));
        let end = start.checked_add(out.len() as u64).filter(|&end| end <= tensor.size_bytes);
        let at = self
            .data_offsets
            .get(tensor.split)
            .and_then(|offset| offset.checked_add(tensor.offset)?.checked_add(start));
        let (Some(_), Some(at), Some(source)) = (end, at, self.sources.get(tensor.split)) else { return Err(beyond()) };
        source.read_at(at, out)
    }
}

/// The directory of all parts; the others' metadata only speak of the part.
fn merge(parts: impl Iterator<Item = Gguf>) -> Result<Gguf> {
    let mut merged: Option<Gguf> = None;
    for (split, mut part) in parts.enumerate() {
        part.tensors.iter_mut().for_each(|tensor| tensor.split = split);
        match &mut merged {
            None => merged = Some(part),
            Some(merged) => merged.tensors.append(&mut part.tensors),
        }
    }
    let mut merged = merged.ok_or_else(|| Error::argument("gguf", "no file was given"))?;
    merged.by_name = HashMap::new();
    for (index, tensor) in merged.tensors.iter().enumerate() {
        if merged.by_name.insert(tensor.name.clone(), index).is_some() {
            return Err(damaged(format!("tensor `{}` is in two of the files", tensor.name)));
        }
    }
    let promised = merged.metadata.u64("split.tensors.count")?;
    if promised.is_some_and(|promised| promised != merged.tensors.len() as u64) {
        return Err(damaged(format!("the files have {} tensors instead of {promised:?}", merged.tensors.len())));
    }
    Ok(merged)
}
