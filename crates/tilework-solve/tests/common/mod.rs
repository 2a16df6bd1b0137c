//! Data of tests.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use std::io::Read;
use std::path::Path;

/// A file of the test data; says so and gives none where there are none.
pub(crate) fn data(path: &str) -> Option<Vec<u8>> {
    let Some(folder) = std::env::var_os("TILEWORK_TEST_DATA") else {
        eprintln!("NOT TESTED: TILEWORK_TEST_DATA is not set");
        return None;
    };
    Some(std::fs::read(Path::new(&folder).join(path)).unwrap_or_else(|error| panic!("{path}: {error}")))
}

/// The bundle Ladybug-49, unpacked.
pub(crate) fn bundle_text() -> Option<String> {
    let packed = data("bal/problem-49-7776-pre.txt.bz2")?;
    let mut text = String::new();
    bzip2::read::BzDecoder::new(&packed[..]).read_to_string(&mut text).unwrap();
    Some(text)
}
