//! Files that commands read and write.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tilework::{Error, ErrorKind};
use tilework_nn::gguf::Source;

use crate::failure::{Failure, Outcome};

/// Tilework's folder in this user's cache.
pub(crate) fn cache_folder() -> Option<PathBuf> {
    let from = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache =
        from("XDG_CACHE_HOME").or_else(|| from("LOCALAPPDATA")).or_else(|| Some(from("HOME")?.join(".cache")))?;
    Some(cache.join("tilework"))
}

/// Where fetched models are kept: `TILEWORK_MODELS`, or `models` in this user's cache.
pub(crate) fn models_folder() -> Option<PathBuf> {
    let own = std::env::var_os("TILEWORK_MODELS").filter(|value| !value.is_empty()).map(PathBuf::from);
    own.or_else(|| Some(cache_folder()?.join("models")))
}

/// Reads a file, or says which one could not be read and why.
pub(crate) fn read(path: &Path, advice: &'static str) -> Outcome<Vec<u8>> {
    fs::read(path).map_err(|error| Failure::file(format!("cannot read {}: {error}", path.display()), advice))
}

/// Writes a file, whole or not at all.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Outcome<()> {
    write_by(path, |file| Ok(file.write_all(bytes)?))
}

/// The same for what is written piece by piece.
pub(crate) fn write_by(path: &Path, fill: impl FnOnce(&mut BufWriter<File>) -> Outcome<()>) -> Outcome<()> {
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(".unfinished");
    let unfinished = PathBuf::from(unfinished);
    let failed = |error: io::Error| {
        Failure::file(format!("cannot write {}: {error}", path.display()), "is the folder there, and is there room?")
    };
    let outcome = File::create(&unfinished).map_err(failed).and_then(|file| {
        let mut file = BufWriter::new(file);
        // What cannot be written here is no broken pipe of standard output.
        fill(&mut file)
            .map_err(|failure| if let Failure::Output(error) = failure { failed(error) } else { failure })?;
        file.flush()
            .and_then(|()| file.get_ref().sync_all())
            .and_then(|()| fs::rename(&unfinished, path))
            .map_err(failed)
    });
    if outcome.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    outcome
}

/// A file that is read in pieces.
pub(crate) struct FileSource {
    file: File,
    len: u64,
    path: PathBuf,
    /// Where there is no reading at an offset, only one may move the file's own.
    #[cfg(not(unix))]
    turn: std::sync::Mutex<()>,
}

impl FileSource {
    pub(crate) fn open(path: &Path, advice: &'static str) -> Outcome<FileSource> {
        let opened = File::open(path).and_then(|file| Ok((file.metadata()?.len(), file)));
        let (len, file) =
            opened.map_err(|error| Failure::file(format!("cannot read {}: {error}", path.display()), advice))?;
        Ok(FileSource {
            file,
            len,
            path: path.to_owned(),
            #[cfg(not(unix))]
            turn: std::sync::Mutex::default(),
        })
    }

    #[cfg(unix)]
    fn read_exact_at(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.file, out, offset)
    }

    #[cfg(not(unix))]
    fn read_exact_at(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        use std::io::{Read, Seek, SeekFrom};
        let _turn = self.turn.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut file = &self.file;
        file.seek(SeekFrom::Start(offset)).and_then(|_| file.read_exact(out))
    }
}

impl Source for FileSource {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> tilework::Result<()> {
        self.read_exact_at(offset, out)
            .map_err(|error| Error::new(ErrorKind::Io, "file", format!("cannot read {}: {error}", self.path.display())))
    }
}
