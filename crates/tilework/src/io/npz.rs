//! `.npz`: a zip archive of `.npy` files, as `numpy.savez` and `numpy.savez_compressed` write it.

use super::{Content, damaged, read_npy, write_npy, zip};
use std::collections::BTreeMap;
use tilework_core::{Error, Result};

/// Whether the files of an archive are made smaller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compression {
    /// They are stored as they are (`savez`).
    #[default]
    None,
    /// They are deflated (`savez_compressed`).
    Deflate,
}

/// The level of compression that zip has as its default.
const LEVEL: u8 = 6;

/// Whether a file begins like an archive.
pub fn is_npz(bytes: &[u8]) -> bool {
    bytes.starts_with(&zip::LOCAL_FILE)
}

/// The arrays of an archive by name, without `.npy`.
pub fn read_npz(bytes: &[u8]) -> Result<BTreeMap<String, Content>> {
    let broken = || damaged("load_npz", "the .npz archive is damaged or cut off");
    let mut arrays = BTreeMap::new();
    for entry in zip::directory(bytes).ok_or_else(broken)? {
        let npy = entry.content(bytes).ok_or_else(broken)?;
        let name = entry.name.strip_suffix(".npy").unwrap_or(&entry.name);
        let array = read_npy(&npy)
            .map_err(|error| Error::new(error.kind(), "load_npz", format!("`{name}`: {}", error.message())))?;
        arrays.insert(name.to_owned(), array);
    }
    Ok(arrays)
}

/// An archive of these arrays.
pub fn write_npz(arrays: &BTreeMap<String, Content>, compression: Compression) -> Result<Vec<u8>> {
    let too_large = || damaged("to_npz", "an archive holds 65535 arrays and 4 GB at most");
    let mut archive = zip::Writer::default();
    for (name, content) in arrays {
        let level = (compression == Compression::Deflate).then_some(LEVEL);
        archive.add(&format!("{name}.npy"), &write_npy(content)?, level).ok_or_else(too_large)?;
    }
    archive.finish().ok_or_else(too_large)
}
