//! `tilework pixels`: models as pictures that are the model.
//!
//! One file per command, as everywhere; `pages` finds and opens the files of a picture.

mod cat;
mod diff;
mod info;
mod mask;
mod pack;
mod pages;
mod run;
mod unpack;
mod verify;
mod view;

use clap::{Arg, ArgMatches, Command, value_parser};
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Outcome};
use crate::files;
use crate::mnist::picture;
use crate::terminal::Out;
use tilework_nn::pixels::Picture;

const EXAMPLES: &str = "\
Examples:
  tilework pixels pack model.safetensors -o m.png     the model as a PNG file that any viewer shows
  tilework pixels run m.png drawing.png               what the network in the picture reads
  tilework pixels view m.png -o heat.png              the weights as colors
  tilework pixels verify m.png                        is it still the model, bit for bit?
  tilework pixels unpack m.png -o folder              the same files again

Every pixel is four bytes of weights; nothing is rounded. docs/pixel-format.md describes the format.";

pub(crate) fn command() -> Command {
    Command::new("pixels")
        .about("Models as pictures: PNG files that are the weights, bit for bit")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands([
            pack::command(),
            unpack::command(),
            verify::command(),
            info::info_command(),
            info::ls_command(),
            cat::command(),
            view::command(),
            diff::command(),
            run::command(),
        ])
        .after_help(EXAMPLES)
}

pub(crate) fn run(matches: &ArgMatches, out: &mut Out) -> Outcome {
    match matches.subcommand() {
        Some(("pack", matches)) => pack::run(matches, out),
        Some(("unpack", matches)) => unpack::run(matches, out),
        Some(("verify", matches)) => verify::run(matches, out),
        Some(("info", matches)) => info::run_info(matches, out),
        Some(("ls", matches)) => info::run_ls(matches, out),
        Some(("cat", matches)) => cat::run(matches, out),
        Some(("view", matches)) => view::run(matches, out),
        Some(("diff", matches)) => diff::run(matches, out),
        Some((_, matches)) => run::run(matches, out),
        None => Err(Failure::usage("pixels needs a command", "`tilework pixels --help` lists them")),
    }
}

/// The picture a command reads.
fn picture_argument(name: &'static str) -> Arg {
    Arg::new(name)
        .value_name("M.png")
        .required(true)
        .value_parser(value_parser!(PathBuf))
        .help("The picture; of several pages, the first")
}

fn out_argument(help: &'static str) -> Arg {
    Arg::new("out").short('o').long("out").value_name("PATH").value_parser(value_parser!(PathBuf)).help(help)
}

/// `--size`.
fn size_argument() -> Arg {
    Arg::new("size")
        .long("size")
        .value_name("PX")
        .default_value("1024")
        .value_parser(value_parser!(u16).range(16..=8192))
        .help("The picture is no wider or higher")
}

fn size_of(matches: &ArgMatches) -> usize {
    matches.get_one::<u16>("size").map_or(1024, |&size| size.into())
}

fn path_of<'a>(matches: &'a ArgMatches, name: &str) -> &'a Path {
    matches.get_one::<PathBuf>(name).map_or(Path::new(""), PathBuf::as_path)
}

/// Writes a picture for people.
fn write_picture(path: &Path, made: &Picture) -> Outcome<()> {
    let size = |px: usize| u32::try_from(px).unwrap_or(u32::MAX);
    files::write(path, &picture::encode(size(made.width), size(made.height), &made.rgb))
}

/// `a..b`, `a..`, `..b` or one number, of at most `n`.
fn range(text: &str, n: u64) -> Outcome<std::ops::Range<u64>> {
    let wrong = || Failure::usage(format!("`{text}` is no range inside 0..{n}"), "write it like `0..10`, `5..` or `7`");
    let number = |text: &str, usual: u64| if text.is_empty() { Some(usual) } else { text.parse().ok() };
    let found = match text.split_once("..") {
        Some((start, end)) => number(start, 0).zip(number(end, n)),
        None => text.parse::<u64>().ok().and_then(|only| Some((only, only.checked_add(1)?))),
    };
    let (start, end) = found.filter(|(start, end)| start <= end && *end <= n).ok_or_else(wrong)?;
    Ok(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_as_people_write_them() {
        let read = |text: &str| range(text, 10).ok();
        assert_eq!(
            [read("2..5"), read("..5"), read("7.."), read("..")],
            [Some(2..5), Some(0..5), Some(7..10), Some(0..10)]
        );
        assert_eq!([read("3"), read("9")], [Some(3..4), Some(9..10)]);
        assert_eq!([read("10"), read("5..2"), read("1..11"), read("x"), read("-1..2")], [const { None }; 5]);
    }
}
