//! Running the built program.

#![allow(dead_code, reason = "every test file uses a part of this")]

use std::process::{Command, Output};

use serde_json::Value;

pub(crate) fn tilework(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tilework")).args(arguments).output().expect("the program starts")
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("the output is text")
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("the output is text")
}

/// Standard output of a run that must succeed, as JSON.
pub(crate) fn json(arguments: &[&str]) -> Value {
    let output = tilework(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    serde_json::from_str(&stdout(&output)).unwrap_or_else(|error| panic!("{arguments:?}: {error}"))
}
