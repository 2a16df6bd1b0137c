//! `--mask`: a part of the picture that is set to zero in memory.

use clap::{Arg, ArgAction, ArgMatches};
use tilework_nn::pixels::{PixelFile, Rect, Tile};

use super::range;
use crate::failure::{Failure, Outcome};

const ADVICE: &str =
    "`--mask x,y,width,height` is in pixels of the page; `--mask TENSOR:rows 0..10:cols 5..` in elements";

pub(super) fn argument() -> Arg {
    Arg::new("mask").long("mask").value_name("PART").action(ArgAction::Append).help(
        "Set a part to zero in memory and compare: TENSOR, TENSOR:rows A..B:cols C..D, or x,y,width,height (perhaps :page K)",
    )
}

/// Sets the parts to zero; how many bytes of tensors that were.
pub(super) fn apply(matches: &ArgMatches, picture: &mut PixelFile) -> Outcome<u64> {
    let mut n_bytes = 0;
    for text in matches.get_many::<String>("mask").unwrap_or_default() {
        n_bytes += match rectangle(text, picture)? {
            Some(rect) => picture.mask(rect),
            None => mask_tensor(text, picture)?,
        };
    }
    if matches.contains_id("mask") && n_bytes == 0 {
        return Err(Failure::usage("there are no weights in this part of the picture", ADVICE));
    }
    Ok(n_bytes)
}

/// `x,y,width,height`, perhaps with `:page K` behind it.
fn rectangle(text: &str, picture: &PixelFile) -> Outcome<Option<Rect>> {
    let (text, page) = match text.split_once(":page") {
        Some((text, page)) => (text, page.trim().parse::<usize>().ok()),
        None => (text, Some(1)),
    };
    let numbers: Vec<Option<u32>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
    let &[Some(x), Some(y), Some(width), Some(height)] = numbers.as_slice() else { return Ok(None) };
    let wrong = || Failure::usage(format!("there is no such page for `{text}`"), ADVICE);
    let page = page.and_then(|page| page.checked_sub(1)).filter(|&page| page < picture.pages().len());
    Ok(Some(Rect { page: page.ok_or_else(wrong)?, x, y, width, height }))
}

fn mask_tensor(text: &str, picture: &mut PixelFile) -> Outcome<u64> {
    // Names may have colons, so a name is what is left when known parts are taken off the end.
    let (mut name, mut rows, mut cols) = (text, "..", "..");
    while let Some((before, last)) = name.rsplit_once(':') {
        if let Some(found) = last.strip_prefix("rows") {
            rows = found.trim_start_matches([' ', '=']);
        } else if let Some(found) = last.strip_prefix("cols") {
            cols = found.trim_start_matches([' ', '=']);
        } else {
            break;
        }
        name = before;
    }
    let index = picture.find(name).map_err(|error| Failure::usage(error.message().to_owned(), ADVICE))?;
    let tile = picture.tensors()[index].clone();
    let is_whole = cols == "..";
    if !is_whole && !tile.is_matrix() {
        let what = format!("rows of `{name}` are not rows of pixels, so it has no columns to choose");
        return Err(Failure::usage(what, "leave `:cols` out, or name a rectangle of the page"));
    }
    let rows = range(rows, tile.n_rows())?;
    let (from, to) = if is_whole { (0, tile.row_bytes) } else { column_bytes(&tile, cols)? };
    let n = (rows.end - rows.start) * (to - from);
    picture.mask_rows(index, rows, from, to)?;
    Ok(n)
}

/// Bytes of some columns of a row; of packed blocks, those of all blocks they are in.
fn column_bytes(tile: &Tile, cols: &str) -> Outcome<(u64, u64)> {
    let cols = range(cols, tile.n_cols())?;
    // A row of a matrix is whole blocks, so a part of it is a part of its bytes.
    let format = tilework::quant::Format::from_name(&tile.dtype);
    let (block_len, block_bytes) = match format {
        Some(format) => (format.block_len() as u64, format.block_bytes() as u64),
        None => (1, tile.row_bytes / tile.n_cols().max(1)),
    };
    Ok((cols.start / block_len * block_bytes, cols.end.div_ceil(block_len) * block_bytes))
}
