//! `tilework solve fetch`: NIST's regressions, out of the source package of lmfit, which carries them.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{ArgMatches, Command};
use tilework_solve::formats::nist::Regression;

use super::input;
use super::settings::option;
use crate::failure::{Failure, Outcome, Verdict};
use crate::files;
use crate::pip;
use crate::terminal::{Out, Paint};

/// Name, version and SHA-256 of the package, as pip reads them.
const REQUIREMENT: &str =
    "lmfit==1.3.4 --hash=sha256:3c22c28c43f717f6c5b4a3bd81e893a2149739c26a592c046f2e33c23cfbe497\n";
/// Where the package has the files.
const INSIDE: &str = "lmfit-1.3.4/NIST_STRD";
const N_FILES: usize = 27;

pub(super) const ADVICE: &str = "`tilework solve fetch` gets NIST's files, or name your own";

const EXAMPLES: &str = "\
Examples:
  tilework solve fetch
  tilework solve fetch --to ./nist

The files are public data of NIST (www.itl.nist.gov/div898/strd); they come inside the source package of lmfit, through pip.";

pub(super) fn command() -> Command {
    Command::new("fetch")
        .about("Get the 27 regressions of NIST by pip")
        .arg(option("to", "DIR", "Where to put them; where `tilework solve nist` looks if left out"))
        .after_help(EXAMPLES)
}

/// Where they are, if they are.
pub(super) fn fetched() -> Outcome<PathBuf> {
    let folder = usual_folder()?;
    if folder.is_dir() { Ok(folder) } else { Err(Failure::file("NIST's regressions are not here yet", ADVICE)) }
}

fn usual_folder() -> Outcome<PathBuf> {
    let folder = files::cache_folder().map(|cache| cache.join("nist"));
    folder.ok_or_else(|| Failure::file("there is no folder for data", "name one by `--to`"))
}

pub(super) fn run(matches: &ArgMatches, out: &mut Out) -> Outcome {
    let folder = match matches.get_one::<String>("to") {
        Some(folder) => PathBuf::from(folder),
        None => usual_folder()?,
    };
    if regressions(&folder).len() < N_FILES {
        let parts = folder.with_extension("part");
        let outcome = pip::unpack_source(REQUIREMENT, &parts).and_then(|()| copy(&parts.join(INSIDE), &folder));
        // What is left of a broken-off attempt is of no use to the next.
        let _ = fs::remove_dir_all(&parts);
        outcome?;
    }
    let done = out.paint(Paint::Good, "done");
    writeln!(out, "{done}: {} has the {N_FILES} regressions", folder.display())?;
    Ok(Verdict::Fine)
}

/// The files of a folder that are regressions.
fn regressions(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let is_regression = |path: &PathBuf| {
        path.extension().is_some_and(|ending| ending == "dat")
            && input::text(path).is_ok_and(|text| Regression::parse(&text).is_ok())
    };
    entries.filter(is_regression).collect()
}

fn copy(from: &Path, to: &Path) -> Outcome<()> {
    let failed = |what: String| Failure::file(what, "remove the folder and try again");
    let found = regressions(from);
    if found.len() < N_FILES {
        return Err(failed(format!("the package has {} of the {N_FILES} regressions", found.len())));
    }
    fs::create_dir_all(to).map_err(|error| failed(format!("cannot make {}: {error}", to.display())))?;
    for path in found {
        let name = path.file_name().unwrap_or_default();
        fs::copy(&path, to.join(name)).map_err(|error| failed(format!("cannot copy {}: {error}", path.display())))?;
    }
    Ok(())
}
