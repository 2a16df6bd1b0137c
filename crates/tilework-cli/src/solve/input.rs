//! Files that problems come from.

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, value_parser};

use crate::failure::{Failure, Outcome};
use crate::files;

const ADVICE: &str = "is the name right? `tilework solve <problem> --help` says what it reads";

/// Bytes of a file, unpacked if its name ends in `.bz2`.
pub(super) fn bytes(path: &Path) -> Outcome<Vec<u8>> {
    let found = files::read(path, ADVICE)?;
    if path.extension().is_none_or(|extension| extension != "bz2") {
        return Ok(found);
    }
    let mut unpacked = Vec::new();
    bzip2::read::BzDecoder::new(&found[..]).read_to_end(&mut unpacked).map_err(|error| {
        Failure::file(format!("cannot unpack {}: {error}", path.display()), "the file may be cut off: get it again")
    })?;
    Ok(unpacked)
}

/// Text of a file.
pub(super) fn text(path: &Path) -> Outcome<String> {
    String::from_utf8(bytes(path)?)
        .map_err(|_| Failure::file(format!("{} is no text", path.display()), "is it the right file?"))
}

/// What went wrong in a file, with its name.
pub(super) fn in_file(path: &Path) -> impl Fn(tilework::Error) -> Failure + '_ {
    move |error| Failure::file(format!("{}: {}", path.display(), error.message()), "the file may be damaged or cut off")
}

/// `FILE`.
pub(super) fn file_argument(help: &'static str) -> Arg {
    Arg::new("file").value_name("FILE").value_parser(value_parser!(PathBuf)).help(help)
}

/// `--out`.
pub(super) fn out_argument(help: &'static str) -> Arg {
    Arg::new("out").long("out").value_name("FILE").value_parser(value_parser!(PathBuf)).help(help)
}

/// Numbers separated by commas.
pub(super) fn numbers(text: &str) -> Option<Vec<f64>> {
    let parse = |word: &str| word.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    text.split(',').map(parse).collect()
}

/// Writes what `--out` asks for, if it does; says where it is.
pub(super) fn save(matches: &ArgMatches, content: impl FnOnce(&Path) -> Outcome<Vec<u8>>) -> Outcome<Option<PathBuf>> {
    let Some(path) = matches.get_one::<PathBuf>("out") else { return Ok(None) };
    files::write(path, &content(path)?)?;
    Ok(Some(path.clone()))
}
