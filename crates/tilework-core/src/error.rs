//! The one error type of the workspace.
//!
//! Every layer reports failures as the same [`Error`], so that a caller matches on one [`ErrorKind`] whether the mistake
//! was found while building a graph, planning it or running it. `op` names the operation a user would recognise, and the
//! message carries the shapes or values that did not fit.

use std::fmt;

/// Result of everything fallible in Tilework.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What kind of thing went wrong; `code()` is its stable name in JSON and JavaScript.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Shapes, axes or indices do not fit together.
    Shape,
    /// The operation is not defined for this element type.
    DType,
    /// An argument is outside what the operation accepts.
    Argument,
    /// The operation exists but this device or build cannot run it.
    Unsupported,
    /// A buffer or dispatch is larger than the device allows.
    TooLarge,
    /// No usable adapter, or the device request was refused.
    NoDevice,
    /// The device was lost; open a new one and go on.
    DeviceLost,
    /// The device or host ran out of memory.
    OutOfMemory,
    /// A kernel was refused by the driver's or browser's compiler.
    Kernel,
    /// A file could not be read or written.
    Io,
}

impl ErrorKind {
    /// Stable lower-case name, for JSON and JavaScript.
    pub fn code(self) -> &'static str {
        match self {
            ErrorKind::Shape => "shape",
            ErrorKind::DType => "dtype",
            ErrorKind::Argument => "argument",
            ErrorKind::Unsupported => "unsupported",
            ErrorKind::TooLarge => "too_large",
            ErrorKind::NoDevice => "no_device",
            ErrorKind::DeviceLost => "device_lost",
            ErrorKind::OutOfMemory => "out_of_memory",
            ErrorKind::Kernel => "kernel",
            ErrorKind::Io => "io",
        }
    }
}

/// A failure: its kind, the operation it happened in and what did not fit.
#[derive(Clone, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    op: String,
    message: String,
}

impl Error {
    /// An error of `kind` inside operation `op`.
    pub fn new(kind: ErrorKind, op: impl Into<String>, message: impl Into<String>) -> Self {
        Error { kind, op: op.into(), message: message.into() }
    }

    /// Shapes, axes or indices that do not fit.
    pub fn shape(op: impl Into<String>, message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Shape, op, message)
    }

    /// An element type the operation is not defined for.
    pub fn dtype(op: impl Into<String>, message: impl Into<String>) -> Self {
        Error::new(ErrorKind::DType, op, message)
    }

    /// An argument out of range.
    pub fn argument(op: impl Into<String>, message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Argument, op, message)
    }

    /// What went wrong, for matching.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The operation that failed, as the user would name it.
    pub fn op(&self) -> &str {
        &self.op
    }

    /// The explanation without the operation's name.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.op, self.message)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}({self})", self.kind)
    }
}

impl std::error::Error for Error {}
