//! `tilework pixels pack`: files into a picture.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use serde_json::json;
use tilework_nn::pixels::{Encoding, FileKind, ModelFile, PackOptions, PackSummary, overview, pack};

use super::pages::{self, Unfinished};
use super::{out_argument, path_of, size_argument, size_of, write_picture};
use crate::device_choice::json_argument;
use crate::failure::{Failure, Outcome, Verdict};
use crate::files::FileSource;
use crate::llm::{amount, model_path, parts};
use crate::terminal::{Out, Paint, Progress};

const EXAMPLES: &str = "\
Examples:
  tilework pixels pack model.safetensors -o m.png
  tilework pixels pack smollm2 -o smollm2.png              a model that was pulled, or any GGUF file
  tilework pixels pack all-MiniLM-L6-v2/ -o minilm.png     a folder: weights, settings and vocabulary
  tilework pixels pack a.pdf b.mp3 -o files.png            any files
  tilework pixels pack m.gguf -o m.png --compress          some percent smaller, slower to read
  tilework pixels pack m.gguf -o m.png --picture heat.png  also a picture for people

Models larger than 128 MiB take several pages: m.png, m.2.png, ... Files are written under other names and renamed when whole.";

pub(super) fn command() -> Command {
    let flag = |name: &'static str, help: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue).help(help);
    Command::new("pack")
        .about("Make a PNG file that is a model, or any files, bit for bit")
        .arg(
            Arg::new("files")
                .value_name("FILE")
                .required(true)
                .num_args(1..)
                .help("Safetensors or GGUF files, folders, any other files, or the name of a model that was pulled"),
        )
        .arg(out_argument("The picture to write").required(true))
        .arg(flag("compress", "Compress pixels instead of storing them as they are"))
        .arg(flag("raw", "Take files as bytes, without looking for tensors in them"))
        .arg(flag("force", "Replace files that are there"))
        .arg(Arg::new("title").long("title").value_name("TEXT").help("Name of the model [default: its own]"))
        .arg(
            Arg::new("picture")
                .long("picture")
                .value_name("HEAT.png")
                .value_parser(value_parser!(PathBuf))
                .help("Also write the weights as colors"),
        )
        .arg(size_argument())
        .arg(json_argument())
        .after_help(EXAMPLES)
}

pub(super) fn run(matches: &ArgMatches, out: &mut Out) -> Outcome {
    let target = path_of(matches, "out");
    pages::check_free(target, matches.get_flag("force"))?;
    let progress = if matches.get_flag("json") { Progress::silent() } else { Progress::new() };
    let start = Instant::now();
    let mut inputs = Vec::new();
    let named: Vec<&String> = matches.get_many("files").unwrap_or_default().collect();
    for name in &named {
        find(name, named.len() == 1, &progress, &mut inputs)?;
    }
    let sources: Vec<(String, FileSource)> = inputs
        .into_iter()
        .map(|(name, path)| Ok((name, FileSource::open(&path, "is the file there?")?)))
        .collect::<Outcome<_>>()?;
    let files: Vec<ModelFile<'_>> =
        sources.iter().map(|(name, source)| ModelFile { name: name.clone(), source }).collect();
    let options = PackOptions {
        encoding: if matches.get_flag("compress") { Encoding::Deflate } else { Encoding::Stored },
        title: title(matches),
        kind: matches.get_flag("raw").then_some(FileKind::Bytes),
        ..PackOptions::default()
    };
    let summary = write(&files, &options, target, &progress)?;
    progress.clear();
    let seconds = start.elapsed().as_secs_f64();
    if let Some(path) = matches.get_one::<PathBuf>("picture") {
        let picture = pages::open(target)?;
        write_picture(path, &overview(&picture, 0, size_of(matches))?)?;
    }
    report(matches, target, &summary, seconds, out)?;
    Ok(Verdict::Fine)
}

fn write(files: &[ModelFile<'_>], options: &PackOptions, target: &Path, progress: &Progress) -> Outcome<PackSummary> {
    let total: u64 = files.iter().map(|file| file.source.len()).sum();
    let mut unfinished = Unfinished::new();
    let mut done = 0u64;
    progress.show("laying out ...");
    let summary = pack(files, options, &mut |page, bytes| {
        done += bytes.len() as u64;
        if done.is_multiple_of(1 << 22) || bytes.len() < 1 << 20 {
            progress.show(&format!("page {}: {} of about {}", page + 1, amount(done), amount(total)));
        }
        unfinished.write(&pages::page_path(target, page), bytes)
    });
    let summary = summary.map_err(|error| {
        if error.message() == pages::STOPPED {
            return pages::explained(target, error);
        }
        let advice = "is each file whole? `--raw` packs any file as bytes";
        Failure::file(error.message().to_owned(), advice)
    })?;
    unfinished.finish()?;
    Ok(summary)
}

/// What was asked for, or the name of the only folder; otherwise the model's own.
fn title(matches: &ArgMatches) -> String {
    let named: Vec<&String> = matches.get_many("files").unwrap_or_default().collect();
    let folder = match named.as_slice() {
        [one] if Path::new(one).is_dir() => Path::new(one).canonicalize().ok(),
        _ => None,
    };
    let folder = folder.and_then(|folder| Some(folder.file_name()?.to_string_lossy().into_owned()));
    matches.get_one::<String>("title").cloned().or(folder).unwrap_or_default()
}

/// Names inside the picture and paths of what the user named. The files of a folder among others keep its name before theirs.
fn find(name: &str, is_only: bool, progress: &Progress, found: &mut Vec<(String, PathBuf)>) -> Outcome<()> {
    let path = Path::new(name);
    if path.is_dir() {
        let n_before = found.len();
        let own = path.file_name().filter(|_| !is_only).map(|name| format!("{}/", name.to_string_lossy()));
        walk(path, &own.unwrap_or_default(), found)?;
        if found.len() == n_before {
            return Err(Failure::file(format!("there is no file in {name}"), "name a folder with files, or files"));
        }
        return Ok(());
    }
    let path = if path.is_file() { path.to_owned() } else { model_path(name, progress)? };
    for path in parts(&path) {
        let own = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        found.push((own, path));
    }
    Ok(())
}

/// All files of a folder, sorted; hidden ones are left out.
fn walk(folder: &Path, prefix: &str, found: &mut Vec<(String, PathBuf)>) -> Outcome<()> {
    let cannot = |error: std::io::Error| {
        Failure::file(format!("cannot read {}: {error}", folder.display()), "is the folder readable?")
    };
    let entries = fs::read_dir(folder).map_err(cannot)?.collect::<Result<Vec<_>, _>>().map_err(cannot)?;
    let mut paths: Vec<PathBuf> = entries.iter().map(fs::DirEntry::path).collect();
    paths.sort();
    for path in paths {
        let own = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        // A link could lead back to the folder.
        let is_link = path.symlink_metadata().is_ok_and(|data| data.is_symlink());
        if own.starts_with('.') {
            continue;
        }
        if path.is_dir() && !is_link {
            walk(&path, &format!("{prefix}{own}/"), found)?;
        } else if path.is_file() {
            found.push((format!("{prefix}{own}"), path));
        }
    }
    Ok(())
}

fn report(matches: &ArgMatches, target: &Path, summary: &PackSummary, seconds: f64, out: &mut Out) -> Outcome<()> {
    let png_bytes: u64 = summary.page_bytes.iter().sum();
    let rate = summary.file_bytes as f64 / 1e6 / seconds;
    if matches.get_flag("json") {
        out.json(&json!({
            "picture": target.display().to_string(), "pages": summary.pages, "page_bytes": summary.page_bytes,
            "png_bytes": png_bytes, "file_bytes": summary.file_bytes, "tensor_bytes": summary.tensor_bytes,
            "n_tensors": summary.n_tensors, "seconds": seconds, "megabytes_per_s": rate,
        }))?;
        return Ok(());
    }
    let done = out.paint(Paint::Good, "done");
    let sizes: Vec<String> = summary.pages.iter().map(|(width, height)| format!("{width} × {height}")).collect();
    writeln!(out, "{done}: {}, {} of {} pixels", target.display(), amount(png_bytes), sizes.join(", "))?;
    out.row("from", &format!("{} in {} tensors and the rest", amount(summary.file_bytes), summary.n_tensors))?;
    out.row("time", &format!("{seconds:.2} s, {rate:.0} MB a second"))?;
    Ok(())
}
