//! The families of models, one file each: what each does differently from the common decoder.

mod gemma2;
mod gemma3;
mod llama;
mod phi3;
mod qwen2;
mod qwen3;

use super::config::{Config, Keys};
use tilework::{Error, ErrorKind, Result};

/// Changes what the family does differently.
pub(super) type Describe = fn(&Keys<'_>, &mut Config) -> Result<()>;

/// The families by their name in GGUF files.
const ARCHITECTURES: &[(&str, Describe)] = &[
    ("gemma2", gemma2::describe),
    ("gemma3", gemma3::describe),
    ("llama", llama::describe),
    ("phi3", phi3::describe),
    ("qwen2", qwen2::describe),
    ("qwen3", qwen3::describe),
];

pub(super) fn find(name: &str) -> Result<Describe> {
    let found = ARCHITECTURES.iter().find(|(known, _)| *known == name).map(|(_, describe)| *describe);
    found.ok_or_else(|| {
        let known: Vec<&str> = ARCHITECTURES.iter().map(|(name, _)| *name).collect();
        let message = format!("there is no architecture `{name}` here; there are {}", known.join(", "));
        Error::new(ErrorKind::Unsupported, "model", message)
    })
}
