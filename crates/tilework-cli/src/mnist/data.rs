//! Where the images are, and whether they are the right ones.

use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches};
use sha2::{Digest, Sha256};
use tilework_nn::digits::Digits;

use crate::failure::{Failure, Outcome};
use crate::files;

/// One of the four files.
pub(super) struct File {
    pub(super) name: &'static str,
    size_bytes: u64,
    sha256: &'static str,
}

/// The files as they were published, unpacked.
pub(super) const FILES: [File; 4] = [
    File {
        name: "train-images-idx3-ubyte",
        size_bytes: 47_040_016,
        sha256: "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db",
    },
    File {
        name: "train-labels-idx1-ubyte",
        size_bytes: 60_008,
        sha256: "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5",
    },
    File {
        name: "t10k-images-idx3-ubyte",
        size_bytes: 7_840_016,
        sha256: "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7",
    },
    File {
        name: "t10k-labels-idx1-ubyte",
        size_bytes: 10_008,
        sha256: "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2",
    },
];

/// Which half of the data.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    Train,
    Test,
}

const FETCH_ADVICE: &str = "`tilework mnist fetch` gets the images; `--data` names a folder that has them";
pub(super) const WEIGHTS_ADVICE: &str = "`tilework mnist train --out FILE` makes weights";

/// `--data`.
pub(crate) fn argument() -> Arg {
    Arg::new("data").long("data").value_name("FOLDER").help("Folder of the images, if not where `fetch` puts them")
}

/// The folder that `matches` names, or where `fetch` puts the files.
pub(crate) fn folder(matches: &ArgMatches, id: &str) -> Outcome<PathBuf> {
    match matches.get_one::<String>(id) {
        Some(folder) => Ok(PathBuf::from(folder)),
        None => files::cache_folder()
            .map(|folder| folder.join("mnist"))
            .ok_or_else(|| Failure::file("there is no folder for the images", "name one")),
    }
}

/// Reads one half.
pub(crate) fn load(folder: &Path, part: Part) -> Outcome<Digits> {
    let [images, labels] = match part {
        Part::Train => [&FILES[0], &FILES[1]],
        Part::Test => [&FILES[2], &FILES[3]],
    };
    let read = |file: &File| files::read(&folder.join(file.name), FETCH_ADVICE);
    Ok(Digits::from_idx(&read(images)?, &read(labels)?)?)
}

impl File {
    /// What is wrong with `bytes`, if they are not this file.
    pub(super) fn problem(&self, bytes: &[u8]) -> Option<String> {
        if bytes.len() as u64 != self.size_bytes {
            return Some(format!("{} has {} bytes instead of {}", self.name, bytes.len(), self.size_bytes));
        }
        let digest: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        (digest != self.sha256).then(|| format!("{} has the checksum {digest} instead of {}", self.name, self.sha256))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_file_is_noticed() {
        let labels = &FILES[3];
        assert!(labels.problem(&[0; 10_007]).unwrap().contains("bytes instead of 10008"));
        assert!(labels.problem(&[0; 10_008]).unwrap().contains("checksum"));
    }
}
