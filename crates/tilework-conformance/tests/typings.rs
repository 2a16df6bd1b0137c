//! The methods of the npm package are generated from the table, the registry and the library; this test keeps them fresh. Refresh them with
//! `TILEWORK_UPDATE=1`.

#[path = "typings/library.rs"]
mod library;

use std::fmt::Write;
use std::path::Path;
use tilework::layers::core::expr::{Kind, ScalarOp};
use tilework::layers::ops::OpSignature;
use tilework::layers::ops::attrs::{AttrKind, Attribute, Presence};
use tilework::layers::ops::registry::{LANGUAGE, OPS};

const HEAD: &str = r#"// Generated from the scalar table and the registry of structured operations by
// crates/tilework-conformance/tests/typings.rs, which fails if this file is stale. Do not edit.

import type { Attrs, Operand } from "../backend.js";
import type { NdArray } from "../nd_array.js";

/** The inputs that were not left out. */
function given(inputs: readonly (NdArray | undefined)[]): NdArray[] {
  return inputs.filter((input): input is NdArray => input !== undefined);
}

/** A method for every scalar and every structured operation. */
export abstract class Operations {
  /** @internal Runs an operation with this array as the first input. */
  abstract call(name: string, inputs?: readonly Operand[], attrs?: Attrs): NdArray;
"#;

/// `log_softmax` becomes `logSoftmax`.
fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |text, word| text + &word[..1].to_ascii_uppercase() + &word[1..])
}

fn scalar_doc(op: ScalarOp) -> String {
    let of = match op.kind() {
        Kind::Arith => "for floats and integers",
        Kind::Float => "for floats; integers are converted",
        Kind::Compare => "compares floats or integers; gives truth values",
        Kind::Test => "tests floats; gives truth values",
        Kind::Logic => "of truth values",
        Kind::Bits => "of integers",
        Kind::Select => return "The first operand where this array is true, else the second.".to_owned(),
        Kind::Cast(_) => unreachable!("conversions are no methods"),
    };
    let derivative = if op.is_differentiable() { " Differentiable." } else { "" };
    format!("`{}` of every element, {of}.{derivative}", op.name())
}

fn scalar_method(text: &mut String, op: ScalarOp) {
    let others: &[&str] = match op.arity() {
        1 => &[],
        2 => &["other"],
        _ => &["ifTrue", "ifFalse"],
    };
    let parameters: Vec<String> = others.iter().map(|name| format!("{name}: Operand")).collect();
    let inputs = if others.is_empty() { String::new() } else { format!(", [{}]", others.join(", ")) };
    _ = write!(
        text,
        "\n  /** {} */\n  {}({}): NdArray {{\n    return this.call(\"{}\"{inputs});\n  }}\n",
        scalar_doc(op),
        camel(op.name()),
        parameters.join(", "),
        op.name()
    );
}

fn attribute_type(attribute: &Attribute) -> String {
    #[allow(unreachable_patterns, reason = "kinds that are texts may come")]
    match attribute.kind {
        AttrKind::Axis | AttrKind::Size | AttrKind::Number => "number".to_owned(),
        AttrKind::Axes => "readonly number[]".to_owned(),
        AttrKind::Sizes => "number | readonly number[]".to_owned(),
        AttrKind::Choice(names) => names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(" | "),
        AttrKind::Truth => "boolean".to_owned(),
        AttrKind::Text => "string".to_owned(),
    }
}

/// The inputs after the first, as parameters and as the list that is passed on. A name with "…" stands for any number, one
/// with "?" can be left out.
fn other_inputs(signature: &OpSignature) -> (Vec<String>, String) {
    if signature.inputs[0].ends_with('…') {
        return (vec!["others: readonly NdArray[]".to_owned()], "others".to_owned());
    }
    let others = &signature.inputs[1..];
    // A parameter that has to be there cannot follow one that can be left out, so there the latter can only be undefined.
    let needs_options = signature.attributes.iter().any(|attribute| attribute.presence == Presence::Required);
    let parameter = |name: &&str| match name.strip_suffix('?') {
        Some(name) if needs_options => format!("{}: NdArray | undefined", camel(name)),
        _ => format!("{}: NdArray", camel(name)),
    };
    let parameters = others.iter().map(parameter).collect();
    let names: Vec<String> = others.iter().map(|name| camel(name.trim_end_matches('?'))).collect();
    let list = format!("[{}]", names.join(", "));
    let any_optional = others.iter().any(|name| name.ends_with('?'));
    (parameters, if any_optional { format!("given({list})") } else { list })
}

fn options(signature: &OpSignature) -> Option<String> {
    if signature.attributes.is_empty() {
        return None;
    }
    let fields: Vec<String> = signature
        .attributes
        .iter()
        .map(|attribute| {
            let optional = if attribute.presence == Presence::Optional { "?" } else { "" };
            format!("{}{optional}: {}", camel(attribute.name), attribute_type(attribute))
        })
        .collect();
    let may_be_left_out = signature.attributes.iter().all(|attribute| attribute.presence == Presence::Optional);
    Some(format!("options: {{ {} }}{}", fields.join("; "), if may_be_left_out { " = {}" } else { "" }))
}

fn structured_method(text: &mut String, signature: &OpSignature) {
    let (mut parameters, inputs) = other_inputs(signature);
    parameters.extend(options(signature));
    let attrs: Vec<String> = signature
        .attributes
        .iter()
        .map(|attribute| format!("{}: options.{}", attribute.name, camel(attribute.name)))
        .collect();
    let attrs = if attrs.is_empty() { String::new() } else { format!(", {{ {} }}", attrs.join(", ")) };
    _ = write!(text, "\n  /**\n   * {}\n", signature.doc);
    for attribute in signature.attributes {
        _ = writeln!(text, "   *\n   * - `{}`: {}", camel(attribute.name), attribute.doc);
    }
    let name = signature.name;
    _ = write!(
        text,
        "   */\n  {}({}): NdArray {{\n    return this.call(\"{name}\", {inputs}{attrs});\n  }}\n",
        camel(name),
        parameters.join(", "),
    );
}

fn ops_ts() -> String {
    let mut text = HEAD.to_owned();
    // A function of the library replaces an operation of its name.
    let library = library::array_methods();
    let is_free = |name: &str| !library.contains(&camel(name));
    for &op in ScalarOp::ALL.iter().filter(|op| !matches!(op.kind(), Kind::Cast(_)) && is_free(op.name())) {
        scalar_method(&mut text, op);
    }
    let is_method = |name: &str| !LANGUAGE.contains(&name) && is_free(name);
    for entry in OPS.iter().filter(|entry| is_method(entry.signature.name)) {
        structured_method(&mut text, entry.signature);
    }
    text.push_str("}\n");
    text
}

#[test]
fn methods_of_the_package_are_fresh() {
    assert_fresh("ops.ts", &ops_ts());
    assert_fresh("library.ts", &library::library_ts());
}

fn assert_fresh(name: &str, fresh: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packages/tilework/src/generated").join(name);
    if std::env::var_os("TILEWORK_UPDATE").is_some() {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, fresh).unwrap();
    }
    let committed = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        committed == fresh,
        "{} is stale: run TILEWORK_UPDATE=1 cargo test -p tilework-conformance --test typings",
        file.display()
    );
}
