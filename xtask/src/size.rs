//! `size`: the download of the browser module has a budget.

use std::fs;
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::Workspace;
use crate::process::{Failure, Result};
use crate::steps::Steps;
use crate::wasm;

/// Folder of the module with the operations of a first visit.
pub(crate) const CORE: &str = "core";
/// Folder of the module with what NumPy has.
pub(crate) const NUMPY: &str = "numpy";
/// Folder of the module with the models.
pub(crate) const MODELS: &str = "models";
/// Folder of the module with language models. With the JavaScript of the package a first visit stays under 500 000 bytes.
pub(crate) const LLM: &str = "llm";
/// Folder of the module with the solver.
pub(crate) const SOLVE: &str = "solve";
/// Modules below `target/web` and what a visitor may have to download of each, gzipped.
const BUDGETS_BYTES: [(&str, usize); 6] =
    [(CORE, 200_000), (NUMPY, 555_000), ("", 600_000), (MODELS, 490_000), (LLM, 425_000), (SOLVE, 275_000)];

/// Fails if a module in `target/web` is over its budget.
pub(crate) fn run(workspace: &Workspace, steps: &mut Steps) -> Result {
    steps.run("holding the module against its size budget", || {
        BUDGETS_BYTES.iter().try_for_each(|&(below, budget_bytes)| {
            let what = if below.is_empty() { "the whole module".to_owned() } else { format!("the {below} module") };
            let module = wasm::folder(workspace).join(below).join(wasm::FILE);
            within(&what, gzip_size_bytes(&read(&module)?), budget_bytes)
        })
    })
}

/// Prints the size of one file, raw and gzipped.
pub(crate) fn print(file: &Path) -> Result {
    let bytes = read(file)?;
    println!("    {}: {} raw, {} gzipped", name(file), kib(bytes.len()), kib(gzip_size_bytes(&bytes)));
    Ok(())
}

fn within(name: &str, size_bytes: usize, budget_bytes: usize) -> Result {
    let figure = format!("{name} is {} gzipped, the budget is {}", kib(size_bytes), kib(budget_bytes));
    if size_bytes > budget_bytes {
        return Err(Failure::new(figure).advice("Look for what came in: a new dependency, formatting code, panics."));
    }
    println!("    {figure}");
    Ok(())
}

/// Size as a static host would send it.
fn gzip_size_bytes(bytes: &[u8]) -> usize {
    gzip(bytes).len()
}

/// Compressed at the best level.
pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("writing to memory does not fail")
}

fn kib(size_bytes: usize) -> String {
    format!("{:.1} KiB", size_bytes as f64 / 1024.0)
}

fn read(file: &Path) -> Result<Vec<u8>> {
    fs::read(file).map_err(|error| {
        Failure::new(format!("cannot read {}: {error}", name(file))).advice("`cargo xtask wasm` builds it.")
    })
}

fn name(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_shrinks_repetition_and_keeps_noise() {
        assert!(gzip_size_bytes(&[7; 100_000]) < 300);
        // A linear congruential generator: no repetition that gzip could find.
        let noise: Vec<u8> = (0..10_000)
            .scan(1u32, |state, _| {
                *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                Some((*state >> 24) as u8)
            })
            .collect();
        assert!((10_000..10_100).contains(&gzip_size_bytes(&noise)));
        assert_eq!(gzip_size_bytes(&[]), 20, "header and trailer only");
    }

    #[test]
    fn the_budget_itself_is_still_within() {
        assert!(within("module", 250_000, 250_000).is_ok());
        let failure = within("module", 250_001, 250_000).unwrap_err().to_string();
        assert!(failure.contains("244.1 KiB"), "{failure}");
    }
}
