//! Why a command could not do its work, and what the reader can do about it.

use std::{fmt, io};

use tilework::ErrorKind;

/// How a command ended.
pub(crate) type Outcome<T = Verdict> = Result<T, Failure>;

/// What a command that ran to its end found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Exit code 0.
    Fine,
    /// Something that was checked is wrong: exit code 1. What it is has been printed.
    Bad,
}

/// Why a command ended early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command line asks for something that makes no sense.
    Usage { what: String, advice: &'static str },
    /// A file is missing or not what it should be.
    File { what: String, advice: &'static str },
    /// The library refused.
    Tilework(tilework::Error),
    /// The output could not be written.
    Output(io::Error),
}

impl Failure {
    pub(crate) fn usage(what: impl Into<String>, advice: &'static str) -> Failure {
        Failure::Usage { what: what.into(), advice }
    }

    pub(crate) fn file(what: impl Into<String>, advice: &'static str) -> Failure {
        Failure::File { what: what.into(), advice }
    }

    pub(crate) fn exit_code(&self) -> u8 {
        if matches!(self, Failure::Usage { .. }) { 2 } else { 1 }
    }

    pub(crate) fn is_closed_pipe(&self) -> bool {
        matches!(self, Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    fn advice(&self) -> &'static str {
        match self {
            Failure::Usage { advice, .. } | Failure::File { advice, .. } => advice,
            Failure::Tilework(error) => match error.kind() {
                ErrorKind::NoDevice => "`--device cpu` needs no GPU; `tilework doctor` says what is missing",
                ErrorKind::OutOfMemory | ErrorKind::TooLarge => "try smaller sizes: `--sizes 1024`",
                ErrorKind::Io => "the file may be damaged or cut off: get it again",
                _ => "`tilework doctor` checks the devices of this machine",
            },
            Failure::Output(_) => "is the disk full?",
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Usage { what, .. } | Failure::File { what, .. } => f.write_str(what)?,
            Failure::Tilework(error) if error.kind() == ErrorKind::NoDevice => {
                write!(f, "no GPU: {}", error.message())?
            }
            Failure::Tilework(error) => write!(f, "{error}")?,
            Failure::Output(error) => write!(f, "cannot write the output: {error}")?,
        }
        write!(f, "\n help: {}", self.advice())
    }
}

impl From<tilework::Error> for Failure {
    fn from(error: tilework::Error) -> Failure {
        Failure::Tilework(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_gpu_says_what_to_do() {
        let failure = Failure::from(tilework::Error::new(ErrorKind::NoDevice, "open", "no adapter"));
        assert_eq!(failure.exit_code(), 1);
        let text = failure.to_string();
        assert!(text.starts_with("no GPU: no adapter") && text.contains("--device cpu"), "{text}");
    }

    #[test]
    fn only_a_closed_pipe_is_forgiven() {
        assert!(Failure::from(io::Error::from(io::ErrorKind::BrokenPipe)).is_closed_pipe());
        assert!(!Failure::from(io::Error::from(io::ErrorKind::StorageFull)).is_closed_pipe());
        assert_eq!(Failure::usage("no", "yes").exit_code(), 2);
    }
}
