//! `tilework pixels info` and `ls`: what is in a picture.

use std::collections::BTreeMap;
use std::io::Write;

use clap::{ArgMatches, Command};
use serde_json::{Value, json};
use tilework_nn::pixels::{PixelFile, Tile};

use super::{pages, path_of, picture_argument};
use crate::device_choice::json_argument;
use crate::failure::{Outcome, Verdict};
use crate::llm::amount;
use crate::terminal::{Out, Paint};

const INFO_EXAMPLES: &str = "\
Examples:
  tilework pixels info m.png
  tilework pixels info m.png --json      sizes for scripts";

const LS_EXAMPLES: &str = "\
Examples:
  tilework pixels ls m.png
  tilework pixels ls m.png --json | jq '.tensors[0].rects'     where a tensor lies: page, x, y, width, height";

pub(super) fn info_command() -> Command {
    Command::new("info")
        .about("What a picture holds, and how")
        .arg(picture_argument("picture"))
        .arg(json_argument())
        .after_help(INFO_EXAMPLES)
}

pub(super) fn ls_command() -> Command {
    Command::new("ls")
        .about("List the files and tensors of a picture")
        .arg(picture_argument("picture"))
        .arg(json_argument())
        .after_help(LS_EXAMPLES)
}

pub(super) fn run_info(matches: &ArgMatches, out: &mut Out) -> Outcome {
    let picture = pages::open(path_of(matches, "picture"))?;
    let tensor_bytes: u64 = picture.tensors().iter().map(|tile| tile.size_bytes).sum();
    let n_weights: u64 = picture.tensors().iter().map(Tile::n_elements).sum();
    if matches.get_flag("json") {
        let pages: Vec<Value> = picture
            .pages()
            .iter()
            .map(|page| json!({ "width": page.width, "height": page.height, "rewritten": page.is_rewritten }))
            .collect();
        out.json(&json!({
            "title": picture.title(), "model": format!("{:016x}", picture.model_id()), "pages": pages,
            "encoding": picture.encoding().name(), "png_bytes": picture.size_bytes(), "tensor_bytes": tensor_bytes,
            "overhead": picture.size_bytes() as f64 / tensor_bytes.max(1) as f64 - 1.0,
            "n_tensors": picture.tensors().len(), "n_elements": n_weights, "types": types(&picture),
            "metadata": picture.metadata(), "files": files(&picture),
        }))?;
        return Ok(Verdict::Fine);
    }
    let title = out.paint(Paint::Title, picture.title());
    writeln!(out, "{title}")?;
    for (number, page) in picture.pages().iter().enumerate() {
        let anew = if page.is_rewritten { ", written anew by another program" } else { "" };
        out.row(&format!("page {}", number + 1), &format!("{} × {} pixels{anew}", page.width, page.height))?;
    }
    let more = (picture.size_bytes() as f64 / tensor_bytes.max(1) as f64 - 1.0) * 100.0;
    let sizes = format!("{}, {more:+.2} % next to the tensors", amount(picture.size_bytes()));
    out.row("size", &format!("{sizes}, {}", picture.encoding().name()))?;
    let n = picture.tensors().len();
    out.row("tensors", &format!("{n} of {} elements in all, {}", n_weights, amount(tensor_bytes)))?;
    for (dtype, (n, size_bytes)) in types(&picture) {
        out.row("", &format!("{dtype:<6} {n:>5}  {}", amount(size_bytes)))?;
    }
    out.row("files", &picture.files().map(|file| file.0).take(8).collect::<Vec<_>>().join(", "))?;
    Ok(Verdict::Fine)
}

/// Tensors and bytes by type.
fn types(picture: &PixelFile) -> BTreeMap<&str, (u64, u64)> {
    let mut types = BTreeMap::new();
    for tile in picture.tensors() {
        let row: &mut (u64, u64) = types.entry(tile.dtype.as_str()).or_default();
        *row = (row.0 + 1, row.1 + tile.size_bytes);
    }
    types
}

fn files(picture: &PixelFile) -> Vec<Value> {
    let file = |(name, kind, size): (&str, tilework_nn::pixels::FileKind, u64)| json!({ "name": name, "kind": kind.name(), "bytes": size });
    picture.files().map(file).collect()
}

pub(super) fn run_ls(matches: &ArgMatches, out: &mut Out) -> Outcome {
    let picture = pages::open(path_of(matches, "picture"))?;
    if matches.get_flag("json") {
        let tensors: Vec<Value> = picture.tensors().iter().map(tensor_json).collect();
        out.json(&json!({ "files": files(&picture), "tensors": tensors }))?;
        return Ok(Verdict::Fine);
    }
    for (name, kind, size) in picture.files() {
        let kind = out.paint(Paint::Faint, &format!("{:<12}", kind.name()));
        writeln!(out, "{kind} {:>10}  {name}", amount(size))?;
    }
    for tile in picture.tensors() {
        let dtype = out.paint(Paint::Faint, &format!("{:<12}", tile.dtype));
        let place = tile
            .rects
            .first()
            .map_or_else(String::new, |rect| format!("  at {},{} {} × {}", rect.x, rect.y, rect.width, rect.height));
        let more = if tile.rects.len() > 1 { format!(" and {} more", tile.rects.len() - 1) } else { String::new() };
        let place = out.paint(Paint::Faint, &format!("{place}{more}"));
        writeln!(out, "{dtype} {:>10}  {} {:?}{place}", amount(tile.size_bytes), tile.name, tile.shape)?;
    }
    Ok(Verdict::Fine)
}

fn tensor_json(tile: &Tile) -> Value {
    let rects: Vec<[u64; 5]> = tile
        .rects
        .iter()
        .map(|rect| [rect.page as u64, rect.x.into(), rect.y.into(), rect.width.into(), rect.height.into()])
        .collect();
    json!({
        "name": tile.name, "dtype": tile.dtype, "shape": tile.shape, "bytes": tile.size_bytes,
        "row_bytes": tile.row_bytes, "rects": rects, "xxh64": format!("{:016x}", tile.checksum),
    })
}
