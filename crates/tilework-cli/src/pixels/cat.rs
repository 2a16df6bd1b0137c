//! `tilework pixels cat`: bytes of a file or tensor inside a picture.

use std::io::Write;

use clap::{Arg, ArgAction, ArgMatches, Command};
use tilework_nn::gguf::Source;
use tilework_nn::pixels::{PixelFile, values};

use super::{pages, path_of, picture_argument, range};
use crate::failure::{Outcome, Verdict};
use crate::terminal::Out;

const EXAMPLES: &str = "\
Examples:
  tilework pixels cat m.png config.json                     a file, without unpacking the others
  tilework pixels cat m.png fc1.weight > fc1.bin            the bytes of a tensor
  tilework pixels cat m.png fc1.weight --rows 0..2 --values its numbers, a line per row of pixels
  tilework pixels cat m.png model.gguf --range 0..64 | xxd  some bytes of a file";

/// Bytes that are written at a time.
const CHUNK_BYTES: u64 = 1 << 20;

pub(super) fn command() -> Command {
    Command::new("cat")
        .about("Write bytes of a file or tensor of a picture to standard output")
        .arg(picture_argument("picture"))
        .arg(Arg::new("name").value_name("NAME").required(true).help("A file or a tensor, as `ls` lists them"))
        .arg(Arg::new("range").long("range").value_name("A..B").help("Only these bytes"))
        .arg(
            Arg::new("rows")
                .long("rows")
                .value_name("A..B")
                .conflicts_with("range")
                .help("Only these rows of a tensor"),
        )
        .arg(
            Arg::new("values")
                .long("values")
                .action(ArgAction::SetTrue)
                .conflicts_with("range")
                .help("Numbers instead of bytes, a line per row of a tensor"),
        )
        .after_help(EXAMPLES)
}

pub(super) fn run(matches: &ArgMatches, out: &mut Out) -> Outcome {
    let path = path_of(matches, "picture");
    let picture = pages::open(path)?;
    let name = matches.get_one::<String>("name").map_or("", String::as_str);
    let is_tensor = matches.contains_id("rows") || matches.get_flag("values");
    let explain = |error| pages::explained(path, error);
    let wanted = matches.get_one::<String>("range").map_or("..", String::as_str);
    let has_file = picture.files().any(|file| file.0 == name);
    if has_file && !is_tensor {
        let file = picture.file(name).map_err(explain)?;
        for (start, n) in chunks(range(wanted, file.len())?) {
            let mut bytes = vec![0; n];
            file.read_at(start, &mut bytes).map_err(explain)?;
            out.write_all(&bytes)?;
        }
        return Ok(Verdict::Fine);
    }
    let index = picture.find(name).map_err(explain)?;
    let tile = &picture.tensors()[index];
    if is_tensor {
        let rows = matches.get_one::<String>("rows").map_or("..", String::as_str);
        let rows = range(rows, tile.n_rows())?;
        return print_rows(&picture, index, rows, matches.get_flag("values"), out).map(|()| Verdict::Fine);
    }
    for (start, n) in chunks(range(wanted, tile.size_bytes)?) {
        let mut bytes = vec![0; n];
        picture.read_range(index, start, &mut bytes).map_err(explain)?;
        out.write_all(&bytes)?;
    }
    Ok(Verdict::Fine)
}

fn chunks(range: std::ops::Range<u64>) -> impl Iterator<Item = (u64, usize)> {
    let end = range.end;
    range.step_by(CHUNK_BYTES as usize).map(move |start| (start, CHUNK_BYTES.min(end - start) as usize))
}

fn print_rows(
    picture: &PixelFile,
    index: usize,
    rows: std::ops::Range<u64>,
    is_values: bool,
    out: &mut Out,
) -> Outcome<()> {
    let tile = &picture.tensors()[index];
    for row in rows {
        let bytes = picture.read_rows(&tile.name, row..row + 1)?;
        if is_values {
            let numbers: Vec<String> = values(&tile.dtype, &bytes)?.iter().map(f32::to_string).collect();
            writeln!(out, "{}", numbers.join(" "))?;
        } else {
            out.write_all(&bytes)?;
        }
    }
    Ok(())
}
