//! The files of a picture on this machine.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use tilework::{Error, ErrorKind};
use tilework_nn::gguf::Source;
use tilework_nn::pixels::PixelFile;

use crate::failure::{Failure, Outcome};
use crate::files::FileSource;
use crate::llm::interrupt::Interrupt;

pub(super) const ADVICE: &str = "name a picture that `tilework pixels pack` made, of several pages the first";
const DAMAGED_ADVICE: &str =
    "`tilework pixels pack` makes pictures of models; take the file as it was made, not a converted copy";

/// What Ctrl-C makes of the work.
pub(super) const STOPPED: &str = "stopped; nothing was written";

/// The file of page `number`, from 0: `m.png`, `m.2.png` and so on.
pub(super) fn page_path(first: &Path, number: usize) -> PathBuf {
    if number == 0 {
        return first.to_owned();
    }
    let extension = first.extension().map(|extension| extension.to_string_lossy().into_owned());
    first.with_extension(format!("{}.{}", number + 1, extension.unwrap_or_else(|| "png".to_owned())))
}

/// Opens a picture with all its pages.
pub(super) fn open(path: &Path) -> Outcome<PixelFile> {
    let first = FileSource::open(path, ADVICE)?;
    let explain = |error: Error| explained(path, error);
    let (page, n_pages) = PixelFile::page_number(&first).map_err(explain)?;
    if page != 0 {
        let what = format!("{} is page {} of {n_pages}", path.display(), page + 1);
        return Err(Failure::file(what, "name the first page; the others are found by their names: m.2.png, m.3.png"));
    }
    let mut sources: Vec<Box<dyn Source>> = vec![Box::new(first)];
    for number in 1..n_pages {
        let advice = "all pages of a picture belong into one folder";
        sources.push(Box::new(FileSource::open(&page_path(path, number), advice)?));
    }
    PixelFile::open(sources).map_err(explain)
}

/// An error with the name of the file that it is about.
pub(super) fn explained(path: &Path, error: Error) -> Failure {
    match error.kind() {
        ErrorKind::Io if error.message() == STOPPED => Failure::file(STOPPED, "run it again when there is time"),
        ErrorKind::Io => Failure::file(format!("{}: {}", path.display(), error.message()), DAMAGED_ADVICE),
        ErrorKind::Argument => Failure::usage(error.message().to_owned(), "`tilework pixels ls` lists what there is"),
        _ => Failure::from(error),
    }
}

/// Files that are written under other names and get their own when all are whole. What is left unfinished is removed.
pub(super) struct Unfinished {
    files: Vec<(PathBuf, BufWriter<File>)>,
    interrupt: Interrupt,
}

impl Unfinished {
    pub(super) fn new() -> Unfinished {
        let interrupt = Interrupt::listen();
        interrupt.begin();
        Unfinished { files: Vec::new(), interrupt }
    }

    /// Appends to the file that will be called `path`. Fails if Ctrl-C was pressed.
    pub(super) fn write(&mut self, path: &Path, bytes: &[u8]) -> tilework::Result<()> {
        let failed = |error: std::io::Error| {
            let message = format!("cannot write {}: {error}; is there room?", path.display());
            Error::new(ErrorKind::Io, "pixels", message)
        };
        if self.interrupt.is_asked() {
            return Err(Error::new(ErrorKind::Io, "pixels", STOPPED));
        }
        // Mostly the last one is written to.
        let at = self.files.iter().rposition(|file| file.0 == path);
        let at = if let Some(at) = at {
            at
        } else {
            if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
                fs::create_dir_all(folder).map_err(failed)?;
            }
            let file = BufWriter::with_capacity(1 << 16, File::create(unfinished(path)).map_err(failed)?);
            self.files.push((path.to_owned(), file));
            self.files.len() - 1
        };
        self.files[at].1.write_all(bytes).map_err(failed)
    }

    /// Gives all files their names, in the order they were begun: the first page of a picture comes last.
    pub(super) fn finish(mut self) -> Outcome<()> {
        for (path, file) in &mut self.files {
            let written = file.flush().and_then(|()| file.get_ref().sync_all());
            written.map_err(|error| cannot(path, &error))?;
        }
        for (path, _) in &self.files {
            fs::rename(unfinished(path), path).map_err(|error| cannot(path, &error))?;
        }
        self.files.clear();
        self.interrupt.end();
        Ok(())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        for (path, _) in &self.files {
            let _ = fs::remove_file(unfinished(path));
        }
    }
}

fn cannot(path: &Path, error: &std::io::Error) -> Failure {
    Failure::file(format!("cannot write {}: {error}", path.display()), "is the folder there, and is there room?")
}

fn unfinished(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".unfinished");
    PathBuf::from(name)
}

/// Refuses to replace a file unless that was asked for.
pub(super) fn check_free(path: &Path, is_forced: bool) -> Outcome<()> {
    if path.exists() && !is_forced {
        let what = format!("{} is there already", path.display());
        return Err(Failure::usage(what, "name another place, or replace it by `--force`"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_numbered_from_the_second_on() {
        let name = |first: &str, number| page_path(Path::new(first), number).display().to_string();
        assert_eq!(
            [name("a/m.png", 0), name("a/m.png", 1), name("m.v1.png", 2)],
            ["a/m.png", "a/m.2.png", "m.v1.3.png"]
        );
    }
}
