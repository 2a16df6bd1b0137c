//! `numerics`: the worst error of every scalar operation on the machines at hand, kept in docs/numerics.md.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

use crate::process::{Failure, Program, Result};
use crate::steps::Steps;
use crate::{Workspace, document, up};

const BEGIN: &str = "<!-- errors: begin (written by `cargo xtask numerics`) -->";
const END: &str = "<!-- errors: end -->";
const WIDE_BEGIN: &str = "<!-- wide errors: begin (written by `cargo xtask numerics`) -->";
const WIDE_END: &str = "<!-- wide errors: end -->";

/// What `cargo xtask browser` leaves behind.
const BROWSER_REPORT: &str = "browser-report-gpu.json";

/// Measures on the CPU and on the GPU, takes the browser's newest report, and writes the table.
pub(crate) fn run(workspace: &Workspace, steps: &mut Steps) -> Result {
    up::build(workspace, steps)?;
    let mut machines = Vec::new();
    for device in ["cpu", "gpu"] {
        let json = steps.run(&format!("measuring every scalar operation on the {device}"), || {
            let arguments = ["conformance", "scalar", "--density", "full", "--json", "--device", device];
            Program::new(workspace, up::program(workspace)).args(arguments).output()
        })?;
        machines.push(errors(&json)?);
    }
    let file = workspace.target.join(BROWSER_REPORT);
    let json = fs::read_to_string(&file).map_err(|_| {
        Failure::new("there is no report from a browser")
            .advice("Run `cargo xtask wasm` and `cargo xtask browser` first.")
    })?;
    machines.push(errors(&json)?);
    let table = table(&machines);
    println!("{table}");
    let wide = steps.run("measuring double-floats and native doubles", || {
        let arguments = ["run", "--quiet", "-p", "tilework-gpu", "--example", "precision_table"];
        Program::cargo(workspace).args(arguments).output()
    })?;
    steps.run("writing docs/numerics.md", || {
        let file = workspace.root.join("docs/numerics.md");
        document::replace(&file, BEGIN, END, &table)?;
        document::replace(&file, WIDE_BEGIN, WIDE_END, &wide)
    })
}

/// A machine's name and the worst error of each operation.
struct Machine {
    name: String,
    worst_ulp: BTreeMap<String, f64>,
}

fn errors(json: &str) -> Result<Machine> {
    let unreadable = || Failure::new("the conformance report cannot be read");
    let report: serde_json::Value = serde_json::from_str(json).map_err(|_| unreadable())?;
    let name = report["device"].as_str().ok_or_else(unreadable)?.to_owned();
    let rows = report["scalar_errors"].as_array().ok_or_else(unreadable)?;
    let row = |row: &serde_json::Value| Some((row["op"].as_str()?.to_owned(), row["worst_ulp"].as_f64()?));
    Ok(Machine { name, worst_ulp: rows.iter().filter_map(row).collect() })
}

fn table(machines: &[Machine]) -> String {
    let mut text = String::from("| operation |");
    machines.iter().for_each(|machine| _ = write!(text, " {} |", machine.name));
    text.push_str("\n|---|");
    machines.iter().for_each(|_| text.push_str("--:|"));
    for op in machines[0].worst_ulp.keys() {
        _ = write!(text, "\n| `{op}` |");
        for machine in machines {
            match machine.worst_ulp.get(op) {
                Some(ulp) => _ = write!(text, " {ulp:.2} |"),
                None => text.push_str(" – |"),
            }
        }
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_become_a_table() {
        let json = r#"{"device":"cpu","scalar_errors":[{"op":"sin","worst_ulp":1.5},{"op":"exp","worst_ulp":0.97}]}"#;
        let table = table(&[errors(json).unwrap()]);
        assert_eq!(table, "| operation | cpu |\n|---|--:|\n| `exp` | 0.97 |\n| `sin` | 1.50 |\n");
        assert!(errors("{}").is_err());
    }
}
