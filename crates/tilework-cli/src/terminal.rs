//! Writing to people and to pipes.
//!
//! Colors and the progress line appear on terminals only, and colors only if `NO_COLOR` is not set.

use std::io::{self, IsTerminal, StdoutLock, Write};

use serde_json::Value;

use crate::failure::Failure;

/// Standard output, locked, with colors if it can show them.
pub(crate) struct Out {
    stdout: StdoutLock<'static>,
    colors: Colors,
}

/// Whether text is painted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Colors {
    On,
    Off,
}

/// What a piece of text is, which decides its color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paint {
    Title,
    Good,
    Warning,
    Bad,
    Faint,
    Code,
}

impl Out {
    pub(crate) fn stdout() -> Out {
        let stdout = io::stdout().lock();
        let colors = Colors::of(&stdout);
        Out { stdout, colors }
    }

    pub(crate) fn paint(&self, paint: Paint, text: &str) -> String {
        self.colors.paint(paint, text)
    }

    /// A title with an empty line before it.
    pub(crate) fn title(&mut self, text: &str) -> io::Result<()> {
        let text = self.paint(Paint::Title, text);
        writeln!(self, "\n{text}")
    }

    /// A name and its value, aligned with other such rows.
    pub(crate) fn row(&mut self, name: &str, value: &str) -> io::Result<()> {
        let name = self.paint(Paint::Faint, &format!("{name:<12}"));
        writeln!(self, "  {name} {value}")
    }

    pub(crate) fn json(&mut self, value: &Value) -> io::Result<()> {
        writeln!(self, "{value:#}")
    }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stdout.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stdout.flush()
    }
}

impl Colors {
    fn of(stream: &impl IsTerminal) -> Colors {
        let is_refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
            || std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
        if stream.is_terminal() && !is_refused { Colors::On } else { Colors::Off }
    }

    fn paint(self, paint: Paint, text: &str) -> String {
        if self == Colors::Off {
            return text.to_owned();
        }
        let code = match paint {
            Paint::Title => "1",
            Paint::Good => "32",
            Paint::Warning => "33",
            Paint::Bad => "1;31",
            Paint::Faint => "2",
            Paint::Code => "36",
        };
        format!("\x1b[{code}m{text}\x1b[0m")
    }
}

/// `error: …` on standard error.
pub(crate) fn print_error(failure: &Failure) {
    let mut stderr = io::stderr().lock();
    let label = Colors::of(&stderr).paint(Paint::Bad, "error:");
    // If nobody can read the message, nobody can be told that either.
    let _ = writeln!(stderr, "{label} {failure}");
}

/// One line on standard error that is written over and over; silent where there is no terminal.
pub(crate) struct Progress {
    is_shown: bool,
}

/// Columns that any terminal has; a longer line would wrap and could not be overwritten.
const PROGRESS_COLUMNS: usize = 78;

impl Progress {
    pub(crate) fn new() -> Progress {
        Progress { is_shown: io::stderr().is_terminal() }
    }

    pub(crate) fn silent() -> Progress {
        Progress { is_shown: false }
    }

    pub(crate) fn show(&self, text: &str) {
        self.replace(&text.chars().take(PROGRESS_COLUMNS).collect::<String>());
    }

    pub(crate) fn clear(&self) {
        self.replace("");
    }

    fn replace(&self, line: &str) {
        if self.is_shown {
            // Progress is a courtesy: a terminal that went away must not end the work.
            let _ = write!(io::stderr().lock(), "\r\x1b[K{line}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_painted_only_in_color() {
        assert_eq!(Colors::Off.paint(Paint::Bad, "no"), "no");
        assert_eq!(Colors::On.paint(Paint::Good, "yes"), "\x1b[32myes\x1b[0m");
    }
}
