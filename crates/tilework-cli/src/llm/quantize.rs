//! `tilework quantize`: a model in fewer bits.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches, Command};
use tilework::{Error, ErrorKind};
use tilework_nn::gguf::{Files, Recipe, plan, quantize};

use super::models::amount;
use super::{ModelFiles, model_path};
use crate::failure::{Failure, Outcome, Verdict};
use crate::terminal::{Out, Paint, Progress};

const EXAMPLES: &str = "\
Examples:
  tilework quantize model-f16.gguf model-q4.gguf --type Q4_K_M
  tilework quantize smollm2 smollm2-q8.gguf --type Q8_0
  tilework inspect model-q4.gguf           what became of it

Types are those of llama.cpp: _S, _M and _L are mixes that keep more bits where errors hurt. Rows that are no multiple of 256 get the
next larger format of blocks of 32. The file is written under another name and renamed when it is whole.";

pub(crate) fn command() -> Command {
    let recipes: Vec<&str> = Recipe::all().map(Recipe::name).collect();
    Command::new("quantize")
        .about("Write a GGUF model with fewer (or more) bits per weight")
        .arg(Arg::new("in").value_name("IN").required(true).help("A GGUF file, or the name of a model that was pulled"))
        .arg(Arg::new("out").value_name("OUT").required(true).help("The file to write"))
        .arg(
            Arg::new("type")
                .short('t')
                .long("type")
                .value_name("TYPE")
                .default_value("Q4_K_M")
                .ignore_case(true)
                .value_parser(recipes)
                .help("How many bits"),
        )
        .arg(Arg::new("force").long("force").action(ArgAction::SetTrue).help("Replace OUT if it is there"))
        .after_help(EXAMPLES)
}

pub(crate) fn run(matches: &ArgMatches, out: &mut Out) -> Outcome {
    let text = |name: &str| matches.get_one::<String>(name).map_or("", String::as_str);
    let recipe = Recipe::from_name(text("type"));
    let recipe =
        recipe.ok_or_else(|| Failure::usage("there is no such type", "`tilework quantize --help` lists them"))?;
    let (source, target) = (model_path(text("in"), &Progress::new())?, PathBuf::from(text("out")));
    if target.exists() && !matches.get_flag("force") {
        let what = format!("{} is there already", target.display());
        return Err(Failure::usage(what, "name another file, or replace it by `--force`"));
    }
    let model = ModelFiles::open(&source)?;
    let files = model.read()?;
    let size_bytes = write(&files, recipe, &target)?;
    let n_weights: u64 = files.gguf().tensors.iter().map(|tensor| tensor.n_elements()).sum();
    let done = out.paint(Paint::Good, "done");
    let bits = size_bytes as f64 * 8.0 / n_weights.max(1) as f64;
    let sizes = format!("{} from {}, {bits:.2} bits per weight", amount(size_bytes), amount(model.size_bytes()));
    writeln!(out, "{done}: {} ({}), {sizes}", target.display(), recipe.name())?;
    for note in notes(&files, recipe)? {
        let note = out.paint(Paint::Faint, &format!("note: {note}"));
        writeln!(out, "{note}")?;
    }
    Ok(Verdict::Fine)
}

/// Writes under another name and renames; returns the size. A file that could not be finished is removed.
fn write(files: &Files<'_>, recipe: Recipe, target: &Path) -> Outcome<u64> {
    let unfinished = {
        let mut name = target.as_os_str().to_owned();
        name.push(".unfinished");
        PathBuf::from(name)
    };
    let cannot = |error: std::io::Error| {
        Failure::file(format!("cannot write {}: {error}", target.display()), "is the folder there, and is there room?")
    };
    let mut file = BufWriter::with_capacity(1 << 20, File::create(&unfinished).map_err(cannot)?);
    let progress = Progress::new();
    let mut size_bytes = 0;
    let written = quantize(
        files,
        recipe,
        &mut |bytes| {
            size_bytes += bytes.len() as u64;
            let failed =
                |error| Error::new(ErrorKind::Io, "quantize", format!("cannot write: {error}; is the disk full?"));
            file.write_all(bytes).map_err(failed)
        },
        &mut |step| {
            let (name, from, to) = (&step.tensor.name, step.tensor.format, step.format);
            progress.show(&format!("{}/{} {name}: {from} to {to}", step.index + 1, step.n_tensors));
            Ok(())
        },
    );
    progress.clear();
    let finished = written.map_err(Failure::from).and_then(|()| {
        let file = file.into_inner().map_err(|error| cannot(error.into_error()))?;
        file.sync_all().and_then(|()| fs::rename(&unfinished, target)).map_err(cannot)
    });
    if finished.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    finished.map(|()| size_bytes)
}

/// What the user may not expect.
fn notes(files: &Files<'_>, recipe: Recipe) -> Outcome<Vec<String>> {
    let gguf = files.gguf();
    let formats = plan(gguf, recipe)?;
    let mut notes = Vec::new();
    let pairs = || gguf.tensors.iter().zip(&formats);
    let n_uneven = pairs().filter(|(tensor, _)| tensor.shape.len() > 1 && tensor.n_cols() % 256 != 0).count();
    if recipe.format().block_len() == 256 && n_uneven > 0 {
        notes.push(format!(
            "{n_uneven} matrices have rows that are no multiple of 256; they got formats of smaller blocks"
        ));
    }
    let n_again = pairs().filter(|(tensor, format)| tensor.format != **format && tensor.format.block_len() > 1).count();
    if n_again > 0 {
        notes.push(format!("{n_again} tensors were quantized already; results are better from F16 or F32"));
    }
    Ok(notes)
}
