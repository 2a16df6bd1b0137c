//! docs/ops.md is generated from the table and the registry; this test keeps it fresh. Refresh it with `TILEWORK_UPDATE=1`.

use std::fmt::Write;
use std::path::Path;
use tilework::layers::core::expr::{Kind, ScalarOp};
use tilework::layers::ops::attrs::{AttrKind, Presence};
use tilework::layers::ops::registry::OPS;

const KINDS: [(&str, &str); 8] = [
    ("Arith", "floats and integers; operands are converted to a common type"),
    ("Float", "floats; integers are converted first"),
    ("Compare", "floats and integers; gives a truth value"),
    ("Test", "floats; gives a truth value"),
    ("Logic", "truth values"),
    ("Bits", "integers"),
    ("Select", "a truth value and two values of any one type"),
    ("Cast", "any type"),
];

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Arith => "Arith",
        Kind::Float => "Float",
        Kind::Compare => "Compare",
        Kind::Test => "Test",
        Kind::Logic => "Logic",
        Kind::Bits => "Bits",
        Kind::Select => "Select",
        Kind::Cast(_) => "Cast",
    }
}

fn ops_md() -> String {
    let mut text = String::from(
        "# Operations\n\nGenerated from the scalar table and the registry of structured operations; a test keeps it fresh.\n\n\
         ## Scalar operations\n\nApplied to every element; operands broadcast. How accurate each is: [numerics.md](numerics.md).\n",
    );
    for (kind, takes) in KINDS {
        let ops: Vec<&ScalarOp> = ScalarOp::ALL.iter().filter(|op| kind_name(op.kind()) == kind).collect();
        _ = writeln!(text, "\n### {takes}\n\n| operation | arguments | differentiable |\n|---|---|---|");
        for op in ops {
            let differentiable = if op.is_differentiable() { "yes" } else { "" };
            _ = writeln!(text, "| `{}` | {} | {differentiable} |", op.name(), op.arity());
        }
    }
    text.push_str("\n## Structured operations\n");
    for entry in OPS {
        let signature = entry.signature;
        _ = writeln!(text, "\n### {}({})\n\n{}\n", signature.name, signature.inputs.join(", "), signature.doc);
        for attribute in signature.attributes {
            let kind = match attribute.kind {
                AttrKind::Axis => "an axis".to_owned(),
                AttrKind::Axes => "axes".to_owned(),
                AttrKind::Size => "a size".to_owned(),
                AttrKind::Sizes => "sizes".to_owned(),
                AttrKind::Choice(names) => names.join(" | "),
                AttrKind::Truth => "true or false".to_owned(),
                AttrKind::Number => "a number".to_owned(),
                AttrKind::Text => "text".to_owned(),
            };
            let optional = if attribute.presence == Presence::Optional { ", optional" } else { "" };
            _ = writeln!(text, "- `{}` ({kind}{optional}): {}", attribute.name, attribute.doc);
        }
        let kernels: Vec<String> = entry.kernels.iter().map(|(file, _)| format!("`{file}`")).collect();
        let kernels = if kernels.is_empty() { "none (CPU only)".to_owned() } else { kernels.join(", ") };
        _ = writeln!(text, "- {} conformance cases; kernels: {kernels}", (entry.cases)().len());
    }
    text
}

#[test]
fn ops_md_is_fresh() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/ops.md");
    let fresh = ops_md();
    if std::env::var_os("TILEWORK_UPDATE").is_some() {
        std::fs::write(&file, &fresh).unwrap();
    }
    let committed = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        committed == fresh,
        "docs/ops.md is stale: run TILEWORK_UPDATE=1 cargo test -p tilework-conformance --test docs"
    );
}
