//! Models from the web: resumed where it broke off, checked, and moved into place as the last step.
//!
//! `https://host/some/name.gguf` becomes `name/name.gguf` in the folder of models, beside a note with its address. While it comes it is
//! `name.gguf.part`, locked against a second download; what the server called that version (its `ETag`) is kept beside it, so that
//! halves of two versions are never put together.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest, Sha256};
use ureq::http::{Response, StatusCode, header};
use ureq::{Agent, Body};

use super::models::{amount, parts};
use crate::failure::{Failure, Outcome};
use crate::files;
use crate::terminal::Progress;

/// How long a server may be silent.
const SILENCE: Duration = Duration::from_secs(60);
/// Attempts in a row that bring nothing.
const MAX_ATTEMPTS: usize = 3;
/// Between two attempts.
const PAUSE: Duration = Duration::from_millis(500);
const PIECE_BYTES: usize = 1 << 16;

const AGAIN: &str = "try again: it goes on where it stopped";
const ADVICE: &str = "name the address of a GGUF file, as in https://example.org/model.gguf";

/// Whether a model is named by its address.
pub(crate) fn is_url(name: &str) -> bool {
    name.starts_with("https://") || name.starts_with("http://")
}

/// A file to get, and where it goes.
struct Target {
    url: String,
    path: PathBuf,
}

/// Where the model at an address is on this machine once it is there: the first of its files.
pub(super) fn path_of(url: &str) -> Outcome<PathBuf> {
    Ok(targets(url)?.swap_remove(0).path)
}

/// Gets a model, unless it is there; `sha256` is of its only file.
pub(super) fn fetch(url: &str, sha256: Option<&str>, progress: &Progress) -> Outcome<PathBuf> {
    let targets = targets(url)?;
    if sha256.is_some() && targets.len() > 1 {
        return Err(Failure::usage("`--sha256` is of one file, and this model has several", "leave it out"));
    }
    for target in &targets {
        target.check_owner()?;
        if !target.path.is_file() {
            target.fetch(sha256, progress)?;
        } else if let Some(wanted) = sha256 {
            check_sum(&target.path, wanted, progress)?;
        }
    }
    Ok(targets[0].path.clone())
}

/// All files of the model at an address.
fn targets(url: &str) -> Outcome<Vec<Target>> {
    let wrong = |what: &str| Failure::usage(format!("{url}: {what}"), ADVICE);
    let (address, query) = match url.find(['?', '#']) {
        Some(at) => (&url[..at], url[at..].split('#').next().unwrap_or_default()),
        None => (url, ""),
    };
    let (base, name) = address
        .rsplit_once('/')
        .filter(|(base, _)| base.contains("://") && !base.ends_with('/'))
        .ok_or_else(|| wrong("no file is named"))?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-+".contains(c);
    let stem = name.strip_suffix(".gguf").filter(|stem| !stem.is_empty() && !stem.starts_with('.'));
    let stem =
        stem.filter(|_| name.chars().all(is_plain)).ok_or_else(|| wrong("this is no plain name of a GGUF file"))?;
    let folder = files::models_folder();
    let folder = folder.ok_or_else(|| Failure::file("there is no folder for models", "set TILEWORK_MODELS to one"))?;
    let all = parts(&folder.join(stem).join(name));
    let target = |path: PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        Target { url: format!("{base}/{name}{query}"), path: path.clone() }
    };
    Ok(all.into_iter().map(target).collect())
}

/// The file whose name is this one with something after it.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

fn cannot_write(path: &Path) -> impl Fn(io::Error) -> Failure {
    move |error| {
        Failure::file(format!("cannot write {}: {error}", path.display()), "is there room, and may you write there?")
    }
}

impl Target {
    /// Fails if the place belongs to a model from elsewhere, or to a part of one.
    fn check_owner(&self) -> Outcome<()> {
        if !self.path.exists() && !beside(&self.path, ".part").exists() {
            return Ok(());
        }
        match fs::read_to_string(beside(&self.path, ".url")) {
            Ok(owner) if owner != self.url => {
                let what = format!("{} is there already, from {owner}", self.path.display());
                Err(Failure::file(what, "remove its folder to get the other one"))
            }
            _ => Ok(()),
        }
    }

    fn fetch(&self, sha256: Option<&str>, progress: &Progress) -> Outcome<()> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder).map_err(cannot_write(folder))?;
        let part = beside(&self.path, ".part");
        let mut file =
            OpenOptions::new().create(true).append(true).read(true).open(&part).map_err(cannot_write(&part))?;
        if file.try_lock().is_err() {
            let what = format!("{} is being downloaded by another program", part.display());
            return Err(Failure::file(what, "wait for it"));
        }
        let note = beside(&self.path, ".url");
        fs::write(&note, &self.url).map_err(cannot_write(&note))?;
        let received = self.receive(&mut file, progress);
        progress.clear();
        if received.is_err() && len(&file)? == 0 {
            self.forget();
        }
        received?;
        let checked = check_magic(&mut file, &self.url).and_then(|()| match sha256 {
            Some(wanted) => check_sum(&part, wanted, progress),
            None => Ok(()),
        });
        if checked.is_err() {
            // What is not the right file is no beginning of it either.
            self.forget();
        }
        checked?;
        let write = || {
            file.sync_all()?;
            fs::rename(&part, &self.path)
        };
        write().map_err(cannot_write(&self.path))?;
        let _ = fs::remove_file(beside(&part, ".etag"));
        Ok(())
    }

    /// Takes away what is there of a file that cannot be had.
    fn forget(&self) {
        for ending in [".part.etag", ".url", ".part"] {
            let _ = fs::remove_file(beside(&self.path, ending));
        }
        // Not if there are other files, which may be parts of the model.
        let _ = self.path.parent().map(fs::remove_dir);
    }

    /// Receives what is missing, in as many attempts as it takes while each brings something.
    fn receive(&self, file: &mut File, progress: &Progress) -> Outcome<()> {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_connect(Some(SILENCE))
            .timeout_recv_response(Some(SILENCE))
            .timeout_per_read(Some(SILENCE));
        let agent: Agent = config.build().into();
        let mut n_failed = 0;
        loop {
            let n_before = len(file)?;
            match self.attempt(&agent, file, progress) {
                Ok(()) => return Ok(()),
                Err(Stop::Final(failure)) => return Err(failure),
                Err(Stop::Broken(why)) => {
                    n_failed = if len(file)? > n_before { 0 } else { n_failed + 1 };
                    if n_failed >= MAX_ATTEMPTS {
                        return Err(Failure::file(format!("cannot get {}: {why}", self.url), AGAIN));
                    }
                    progress.show(&format!("{why}; trying again ..."));
                    std::thread::sleep(PAUSE);
                }
            }
        }
    }

    fn attempt(&self, agent: &Agent, file: &mut File, progress: &Progress) -> Result<(), Stop> {
        let etag_path = beside(&beside(&self.path, ".part"), ".etag");
        let n_there = len(file)?;
        let mut request = agent.get(&self.url).header(header::ACCEPT_ENCODING, "identity");
        if n_there > 0 {
            request = request.header(header::RANGE, format!("bytes={n_there}-"));
            if let Ok(etag) = fs::read_to_string(&etag_path) {
                request = request.header(header::IF_RANGE, etag);
            }
        }
        let response = request.call().map_err(|error| Stop::Broken(error.to_string()))?;
        let total = match start_of(&response, n_there) {
            Start::Go(total) => total,
            Start::Whole => return Ok(()),
            Start::Refused(why) if response.status().is_server_error() => return Err(Stop::Broken(why)),
            Start::Refused(why) => {
                return Err(Stop::Final(Failure::file(format!("cannot get {}: {why}", self.url), ADVICE)));
            }
            Start::Over => {
                file.set_len(0).map_err(cannot_write(&self.path))?;
                content_length(&response)
            }
            Start::Mismatch => {
                file.set_len(0).map_err(cannot_write(&self.path))?;
                return Err(Stop::Broken("the server sent another part than the one asked for".to_owned()));
            }
        };
        // A weak tag does not promise the same bytes.
        let etag = text(&response, header::ETAG).filter(|etag| !etag.starts_with("W/"));
        let noted = match etag {
            Some(etag) => fs::write(&etag_path, etag),
            None => fs::remove_file(&etag_path).or(Ok(())),
        };
        noted.map_err(cannot_write(&etag_path))?;
        self.copy(response.into_body(), file, (total, progress))
    }

    fn copy(&self, body: Body, file: &mut File, (total, progress): (Option<u64>, &Progress)) -> Result<(), Stop> {
        let mut reader = body.into_with_config().limit(u64::MAX).reader();
        let mut piece = vec![0; PIECE_BYTES];
        let mut n_done = len(file)?;
        let name = self.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        loop {
            let n = reader.read(&mut piece).map_err(|error| Stop::Broken(error.to_string()))?;
            if n == 0 {
                break;
            }
            file.write_all(&piece[..n]).map_err(cannot_write(&self.path))?;
            n_done += n as u64;
            progress.show(&match total {
                Some(total) => {
                    format!("{name}: {} of {}, {} %", amount(n_done), amount(total), n_done * 100 / total.max(1))
                }
                None => format!("{name}: {}", amount(n_done)),
            });
        }
        match total {
            Some(total) if n_done < total => Err(Stop::Broken("the connection was closed early".to_owned())),
            Some(total) if n_done > total => {
                file.set_len(0).map_err(cannot_write(&self.path))?;
                Err(Stop::Broken("more came than was promised".to_owned()))
            }
            _ => Ok(()),
        }
    }
}

/// Why an attempt ended.
enum Stop {
    /// Another may go better.
    Broken(String),
    Final(Failure),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Stop {
        Stop::Final(failure)
    }
}

/// What an answer means for what is there already.
enum Start {
    /// It goes on from there, or from the start where nothing is there; so many bytes in all, if it says so.
    Go(Option<u64>),
    /// All of the file comes, from its first byte.
    Over,
    /// It is all there.
    Whole,
    /// Another part comes.
    Mismatch,
    Refused(String),
}

fn start_of(response: &Response<Body>, n_there: u64) -> Start {
    let range = text(response, header::CONTENT_RANGE).and_then(|range| range.strip_prefix("bytes "));
    let (span, total) = range.and_then(|range| range.split_once('/')).unwrap_or_default();
    let total = total.parse::<u64>().ok();
    match response.status() {
        StatusCode::OK if n_there == 0 => Start::Go(content_length(response)),
        StatusCode::OK => Start::Over,
        StatusCode::PARTIAL_CONTENT if span.split('-').next() == Some(&n_there.to_string()) => Start::Go(total),
        StatusCode::PARTIAL_CONTENT => Start::Mismatch,
        StatusCode::RANGE_NOT_SATISFIABLE if total == Some(n_there) => Start::Whole,
        StatusCode::RANGE_NOT_SATISFIABLE => Start::Mismatch,
        status => Start::Refused(format!("the server says {status}")),
    }
}

fn text(response: &Response<Body>, name: header::HeaderName) -> Option<&str> {
    response.headers().get(name)?.to_str().ok()
}

fn content_length(response: &Response<Body>) -> Option<u64> {
    text(response, header::CONTENT_LENGTH)?.parse().ok()
}

fn len(file: &File) -> Outcome<u64> {
    Ok(file.metadata().map_err(|error| Failure::file(format!("cannot read the file: {error}"), AGAIN))?.len())
}

/// Many servers answer with a page where there is no such file.
fn check_magic(file: &mut File, url: &str) -> Outcome<()> {
    let mut magic = [0; 4];
    let read = file.rewind().and_then(|()| file.read_exact(&mut magic));
    if read.is_ok() && &magic == b"GGUF" {
        return Ok(());
    }
    Err(Failure::file(format!("what came from {url} is no GGUF file"), ADVICE))
}

fn check_sum(path: &Path, wanted: &str, progress: &Progress) -> Outcome<()> {
    progress.show("checking the file ...");
    let sum = sha256(path);
    progress.clear();
    let sum = sum.map_err(|error| Failure::file(format!("cannot read {}: {error}", path.display()), AGAIN))?;
    if sum.eq_ignore_ascii_case(wanted) {
        return Ok(());
    }
    let what = format!("{} is not the file that was asked for: its SHA-256 is {sum}", path.display());
    Err(Failure::file(what, "check the address and `--sha256`"))
}

pub(super) fn sha256(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hash = Sha256::new();
    let mut piece = vec![0; 1 << 20];
    loop {
        let n_bytes = file.read(&mut piece)?;
        if n_bytes == 0 {
            return Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect());
        }
        hash.update(&piece[..n_bytes]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_become_files() {
        let names = |url: &str| -> Option<Vec<(String, String)>> {
            let name = |target: Target| (target.path.file_name().unwrap().to_string_lossy().into_owned(), target.url);
            Some(targets(url).ok()?.into_iter().map(name).collect())
        };
        let one = |name: &str, url: &str| Some(vec![(name.to_owned(), url.to_owned())]);
        assert_eq!(names("https://a.b/c/m-1.gguf"), one("m-1.gguf", "https://a.b/c/m-1.gguf"));
        assert_eq!(names("http://a.b/m.gguf?download=true#x"), one("m.gguf", "http://a.b/m.gguf?download=true"));
        let two = names("https://a.b/m-00002-of-00002.gguf").unwrap();
        assert_eq!(
            two.iter().map(|part| part.0.as_str()).collect::<Vec<_>>(),
            ["m-00001-of-00002.gguf", "m-00002-of-00002.gguf"]
        );
        for wrong in [
            "https://a.b",
            "https://m.gguf",
            "https://a.b/",
            "https://a.b/.gguf",
            "https://a.b/m.bin",
            "https://a.b/a%2Fm.gguf",
        ] {
            assert_eq!(names(wrong), None, "{wrong}");
        }
    }
}
