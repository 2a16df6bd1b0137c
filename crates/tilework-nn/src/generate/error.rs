//! Why a request is refused.

use std::fmt;

use tilework::{Error, ErrorKind};

/// What is wrong with a request, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestError {
    /// What kind of mistake it is.
    pub kind: ErrorKind,
    /// In words.
    pub message: String,
    /// The field at fault.
    pub field: Option<&'static str>,
    /// OpenAI's word for it, where there is one.
    pub code: Option<&'static str>,
}

impl RequestError {
    /// A request that makes no sense.
    pub fn bad(message: impl Into<String>) -> RequestError {
        RequestError { kind: ErrorKind::Argument, message: message.into(), field: None, code: None }
    }

    /// A request that makes no sense because of one field.
    pub fn field(field: &'static str, message: impl fmt::Display) -> RequestError {
        RequestError { field: Some(field), ..RequestError::bad(format!("`{field}`: {message}")) }
    }

    /// The same as any other mistake.
    pub fn into_error(self) -> Error {
        Error::new(self.kind, "request", self.message)
    }
}

impl From<Error> for RequestError {
    fn from(error: Error) -> RequestError {
        RequestError { kind: error.kind(), ..RequestError::bad(error.to_string()) }
    }
}
