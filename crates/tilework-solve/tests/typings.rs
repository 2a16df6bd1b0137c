//! What the npm package records with is generated from the table and the lists of the solver; this test keeps it fresh. Refresh it
//! with `TILEWORK_UPDATE=1`.

use std::fmt::Write;
use std::path::Path;
use tilework_core::expr::{Kind, ScalarOp};
use tilework_solve::problems::mesh::Energy;
use tilework_solve::wire::{FIRST_OP, LOSSES, MAGIC, MANIFOLDS, fingerprint};
use tilework_solve::{Linear, Method};

const HEAD: &str = r#"// Generated from the scalar table and the lists of the solver by crates/tilework-solve/tests/typings.rs, which fails if this
// file is stale. Do not edit.

import type { Operand, Scalar } from "../solve/scalar.js";
"#;

/// `floor_div` becomes `floorDiv`.
fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |text, word| text + &word[..1].to_ascii_uppercase() + &word[1..])
}

fn doc(op: ScalarOp) -> String {
    let gives = match op.kind() {
        Kind::Compare | Kind::Test | Kind::Logic => "; a truth value",
        Kind::Bits => "; of integers",
        Kind::Select => return "`ifTrue` where this is true, else `ifFalse`.".to_owned(),
        _ => "",
    };
    let derivative = if op.is_differentiable() { "" } else { " Its derivative is 0." };
    format!("`{}`{gives}.{derivative}", op.name())
}

/// Names of the arguments after the first.
fn others(op: ScalarOp) -> &'static [&'static str] {
    match op.arity() {
        1 => &[],
        2 => &["other"],
        _ => &["ifTrue", "ifFalse"],
    }
}

fn typed(names: &[&str]) -> String {
    names.iter().map(|name| format!("{name}: Operand")).collect::<Vec<_>>().join(", ")
}

fn methods(text: &mut String, ops: &[(u32, ScalarOp)]) {
    text.push_str("\n/** A method for every operation of the table. */\nexport abstract class ScalarOps {\n");
    text.push_str("  /** @internal Records an operation with this as its first argument. */\n");
    text.push_str("  abstract apply(code: number, others: readonly Operand[]): Scalar;\n");
    for &(code, op) in ops {
        let names = others(op);
        _ = write!(
            text,
            "\n  /** {} */\n  {}({}): Scalar {{\n    return this.apply({code}, [{}]);\n  }}\n",
            doc(op),
            camel(op.name()),
            typed(names),
            names.join(", ")
        );
    }
    text.push_str("}\n");
}

fn functions(text: &mut String, ops: &[(u32, ScalarOp)]) {
    text.push_str("\n/** A function for every operation of the table. */\nexport interface ScalarFunctions {\n");
    for &(_, op) in ops {
        let names: Vec<&str> = [&["x"], others(op)].concat();
        let names: Vec<&str> = names.iter().map(|name| if *name == "other" { "y" } else { name }).collect();
        _ = writeln!(
            text,
            "  /** {} */\n  {}({}): Scalar;",
            doc(op).replace("this", "`x`"),
            camel(op.name()),
            typed(&names)
        );
    }
    text.push_str("}\n\n/** Names and codes of the functions. */\nexport const CODES: Readonly<Record<keyof ScalarFunctions, number>> = {\n");
    for &(code, op) in ops {
        _ = writeln!(text, "  {}: {code},", camel(op.name()));
    }
    text.push_str("};\n");
}

fn names<T>(text: &mut String, what: &str, doc: &str, names: &[(&str, T)]) {
    let list: Vec<String> = names.iter().map(|(name, _)| format!("\"{name}\"")).collect();
    _ = write!(text, "\n/** {doc} */\nexport type {what} = {};\n", list.join(" | "));
}

fn graph_ops_ts() -> String {
    let mut text = HEAD.to_owned();
    let codes = ScalarOp::ALL.iter().enumerate().map(|(k, &op)| (FIRST_OP + k as u32, op));
    let ops: Vec<(u32, ScalarOp)> = codes.filter(|(_, op)| !matches!(op.kind(), Kind::Cast(_))).collect();
    _ = write!(
        text,
        "\n/** The first words of a recording: what it is, and which list of operations its codes belong to. */\n"
    );
    _ = writeln!(text, "export const [MAGIC, FINGERPRINT] = [0x{MAGIC:08x}, 0x{:08x}];", fingerprint());
    let losses: Vec<String> = LOSSES.iter().map(|(name, _)| format!("\"{name}\"")).collect();
    _ = write!(
        text,
        "\n/** Losses in the order of their codes. */\nexport const LOSSES = [{}] as const;\n",
        losses.join(", ")
    );
    let energies: Vec<(&str, Energy)> = Energy::ALL.iter().map(|&(name, energy, _)| (name, energy)).collect();
    names(&mut text, "MeshEnergyName", "What can be asked of a mesh.", &energies);
    names(&mut text, "ManifoldName", "Where blocks of parameters live.", MANIFOLDS);
    names(&mut text, "MethodName", "Ways to a minimum.", Method::ALL);
    names(&mut text, "LinearName", "Ways to solve linear systems.", Linear::ALL);
    methods(&mut text, &ops);
    functions(&mut text, &ops);
    text
}

#[test]
fn operations_of_the_package_are_fresh() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packages/tilework/src/generated/graph_ops.ts");
    let fresh = graph_ops_ts();
    if std::env::var_os("TILEWORK_UPDATE").is_some() {
        std::fs::write(&file, &fresh).unwrap();
    }
    let committed = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        committed == fresh,
        "{} is stale: run TILEWORK_UPDATE=1 cargo test -p tilework-solve --test typings",
        file.display()
    );
}
