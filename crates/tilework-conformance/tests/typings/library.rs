//! The functions of the library as TypeScript: methods of arrays, of devices and of random generators.
//!
//! A function whose first input is `x` is a method of `NdArray`; one that draws (`random_…` with a seed and a draw) is one of `Random`; any other
//! is one of `Tilework`. Inputs that can be left out are fields of the options, together with the attributes; without attributes they
//! are the last parameters. What is written by hand under the same name stays.

use super::{attribute_type, camel};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use tilework::layers::ops::attrs::{AttrKind, Attribute, Presence};
use tilework::{Function, FunctionKind};

const HEAD: &str = r#"// Generated from the functions of the library by crates/tilework-conformance/tests/typings.rs, which fails if this file is stale.
// Do not edit.

"#;

/// What methods may need, with a word that tells whether they do.
const IMPORTS: [(&str, &str); 6] = [
    ("Operand", r#"import type { Attrs, Operand } from "../backend.js";"#),
    (": DType", r#"import type { DType } from "../dtypes.js";"#),
    ("axesOf(", r#"import { axesOf } from "../axes_of.js";"#),
    ("given(", r#"import { given } from "../given.js";"#),
    ("NdArray", r#"import type { NdArray } from "../nd_array.js";"#),
    ("Operations", r#"import { Operations } from "./ops.js";"#),
];

const ARRAYS: &str = r#"
/** The functions that start from an array. */
export abstract class LibraryMethods extends Operations {
  /** @internal */
  abstract callMany(name: string, inputs?: readonly Operand[], attrs?: Attrs): NdArray[];
  /** @internal */
  abstract callLater(name: string, inputs?: readonly Operand[], attrs?: Attrs): Promise<NdArray[]>;
"#;

const DEVICES: &str = r#"
/** The functions that start from nothing, or from several arrays alike. */
export abstract class LibraryFunctions {
  /** @internal */
  abstract call(name: string, inputs: readonly Operand[], attrs?: Attrs): NdArray;
  /** @internal */
  abstract callMany(name: string, inputs: readonly Operand[], attrs?: Attrs): NdArray[];
  /** @internal */
  abstract callLater(name: string, inputs: readonly Operand[], attrs?: Attrs): Promise<NdArray[]>;
"#;

const GENERATORS: &str = r#"
/** The functions that draw. */
export abstract class LibraryDraws {
  /** @internal The next draw. */
  protected abstract next(name: string, attrs: Attrs, inputs?: readonly Operand[]): NdArray;
"#;

/// Whose method a function is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    Array,
    Device,
    Generator,
}

impl Owner {
    pub(super) fn of(function: &Function) -> Owner {
        let draws = ["seed", "draw"].iter().all(|name| function.attributes.iter().any(|known| known.name == *name));
        match function.inputs.first() {
            _ if draws && function.kind() == FunctionKind::One => Owner::Generator,
            Some(&"x") => Owner::Array,
            _ => Owner::Device,
        }
    }

    /// The files in which methods of it are written by hand.
    fn files(self) -> &'static [&'static str] {
        match self {
            Owner::Array => &["nd_array.ts", "composed.ts", "indexing.ts"],
            Owner::Device => &["tilework.ts"],
            Owner::Generator => &["random.ts"],
        }
    }

    /// Names of methods that are written by hand.
    pub(super) fn by_hand(self) -> BTreeSet<String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packages/tilework/src");
        let read = |file: &&str| std::fs::read_to_string(folder.join(file)).unwrap_or_default();
        self.files()
            .iter()
            .map(read)
            .flat_map(|text| text.lines().filter_map(method_name).collect::<Vec<_>>())
            .collect()
    }
}

/// The name of the method or getter that a line of TypeScript begins.
fn method_name(line: &str) -> Option<String> {
    let line = line.strip_prefix("  ").filter(|line| !line.starts_with(' '))?;
    let line = ["override ", "async ", "get "].iter().fold(line, |line, word| line.strip_prefix(word).unwrap_or(line));
    let end = line.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    (end > 0 && matches!(&line[end..=end], "(" | "<")).then(|| line[..end].to_owned())
}

/// The name of a function in JavaScript.
pub(super) fn name_of(function: &Function) -> String {
    match Owner::of(function) {
        Owner::Generator => camel(function.name.strip_prefix("random_").unwrap_or(function.name)),
        _ => camel(function.name),
    }
}

/// Whether a method is generated for `function`.
fn is_generated(function: &Function) -> bool {
    !Owner::of(function).by_hand().contains(&name_of(function))
}

/// Names of the methods of arrays that come from the library, so that operations of the same name leave them to it.
pub(super) fn array_methods() -> BTreeSet<String> {
    let of_arrays = |function: &&Function| Owner::of(function) == Owner::Array && is_generated(function);
    Function::all().filter(of_arrays).map(name_of).collect()
}

pub(super) fn library_ts() -> String {
    let mut text = String::new();
    for (head, owner) in [(ARRAYS, Owner::Array), (DEVICES, Owner::Device), (GENERATORS, Owner::Generator)] {
        text.push_str(head);
        Function::all()
            .filter(|function| Owner::of(function) == owner && is_generated(function))
            .for_each(|function| method(&mut text, function));
        text.push_str("}\n");
    }
    let imports: Vec<&str> = IMPORTS.iter().filter(|(word, _)| text.contains(word)).map(|(_, line)| *line).collect();
    format!("{HEAD}{}\n{text}", imports.join("\n"))
}

fn method(text: &mut String, function: &Function) {
    let shape = Shape::of(function);
    let doc = if function.doc.is_empty() { function.name } else { function.doc };
    _ = write!(text, "\n  /**\n   * {doc}\n");
    for attribute in shape.attributes() {
        _ = writeln!(text, "   *\n   * - `{}`: {}", camel(attribute.name), attribute.doc);
    }
    let (keyword, answer) = (if shape.waits() { "async " } else { "" }, shape.answer());
    let parameters = shape.parameters().join(", ");
    _ = write!(text, "   */\n  {keyword}{}({parameters}): {answer} {{\n{}  }}\n", name_of(function), shape.body());
}

/// A function, seen as a method.
struct Shape<'a> {
    function: &'a Function,
    owner: Owner,
}

impl<'a> Shape<'a> {
    fn of(function: &'a Function) -> Shape<'a> {
        Shape { function, owner: Owner::of(function) }
    }

    /// The inputs that callers pass; the first of a method is the array itself.
    fn inputs(&self) -> &'a [&'static str] {
        &self.function.inputs[usize::from(self.owner == Owner::Array)..]
    }

    fn attributes(&self) -> impl Iterator<Item = &'a Attribute> {
        let is_hidden = |name| self.owner == Owner::Generator && ["seed", "draw"].contains(&name);
        self.function.attributes.iter().filter(move |attribute| !is_hidden(attribute.name))
    }

    fn has_attributes(&self) -> bool {
        self.attributes().next().is_some()
    }

    fn waits(&self) -> bool {
        self.function.kind() == FunctionKind::Later
    }

    fn parameters(&self) -> Vec<String> {
        let (optional, required): (Vec<&str>, Vec<&str>) = self.inputs().iter().partition(|name| name.ends_with('?'));
        let mut parameters: Vec<String> = required.into_iter().map(parameter).collect();
        if !self.has_attributes() {
            parameters.extend(optional.into_iter().map(|name| format!("{}?: Operand", plain(name))));
            return parameters;
        }
        let mut fields: Vec<String> =
            optional.into_iter().map(|name| format!("readonly {}?: Operand | undefined", plain(name))).collect();
        fields.extend(self.attributes().map(|attribute| self.field(attribute)));
        let needed = self.attributes().any(|attribute| attribute.presence == Presence::Required);
        parameters.push(format!("options: {{ {} }}{}", fields.join("; "), if needed { "" } else { " = {}" }));
        parameters
    }

    fn field(&self, attribute: &Attribute) -> String {
        let is_optional = attribute.presence == Presence::Optional;
        let (mark, undefined) = if is_optional { ("?", " | undefined") } else { ("", "") };
        let field = format!("readonly {}{mark}: {}{undefined}", camel(attribute.name), type_of(attribute));
        if self.takes_axis_for_axes(attribute) {
            // NumPy calls it `axis`, be it one or several.
            return format!("readonly axis?: number | readonly number[] | undefined; {field}");
        }
        field
    }

    fn takes_axis_for_axes(&self, attribute: &Attribute) -> bool {
        let is_axes = attribute.name == "axes" && matches!(attribute.kind, AttrKind::Axes);
        is_axes && attribute.presence == Presence::Optional && self.attributes().all(|other| other.name != "axis")
    }

    /// The list of inputs as an expression.
    fn list(&self) -> String {
        let field = |name: &str| {
            if self.has_attributes() && name.ends_with('?') {
                format!("options.{}", camel(name.trim_end_matches('?')))
            } else {
                plain(name)
            }
        };
        let items = self
            .inputs()
            .iter()
            .map(|name| if name.ends_with('…') { format!("...{}", plain(name)) } else { field(name) });
        let list = format!("[{}]", items.collect::<Vec<_>>().join(", "));
        let any_optional = self.inputs().iter().any(|name| name.ends_with('?'));
        if any_optional { format!("given(\"{}\", {list})", self.function.name) } else { list }
    }

    fn attrs(&self) -> String {
        let value = |attribute: &Attribute| match self.takes_axis_for_axes(attribute) {
            true => format!("axes: axesOf(\"{}\", options)", self.function.name),
            false => format!("{}: options.{}", attribute.name, camel(attribute.name)),
        };
        let pairs: Vec<String> = self.attributes().map(value).collect();
        if pairs.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", pairs.join(", ")) }
    }

    fn body(&self) -> String {
        let (name, list, attrs) = (self.function.name, self.list(), self.attrs());
        if self.owner == Owner::Generator {
            return format!("    return this.next(\"{name}\", {attrs}, {list});\n");
        }
        match self.function.kind() {
            FunctionKind::One => format!("    return this.call(\"{name}\", {list}, {attrs});\n"),
            FunctionKind::Many => self.unpacked(&format!("this.callMany(\"{name}\", {list}, {attrs})")),
            FunctionKind::Later => self.unpacked(&format!("await this.callLater(\"{name}\", {list}, {attrs})")),
        }
    }

    /// The results under their names.
    fn unpacked(&self, call: &str) -> String {
        let names = self.function.results;
        match names {
            [only] if only.ends_with('…') => format!("    return {call};\n"),
            [_] => format!("    const [only] = {call};\n    return only as NdArray;\n"),
            _ => {
                let pattern = names
                    .iter()
                    .map(|name| if name.ends_with('…') { format!("...{}", plain(name)) } else { plain(name) });
                let pattern = pattern.collect::<Vec<_>>().join(", ");
                let types: Vec<String> = names.iter().map(|name| tuple_type(name)).collect();
                let fields = names.iter().map(|name| plain(name)).collect::<Vec<_>>().join(", ");
                format!("    const [{pattern}] = ({call}) as [{}];\n    return {{ {fields} }};\n", types.join(", "))
            }
        }
    }

    fn answer(&self) -> String {
        let names = if self.function.kind() == FunctionKind::One { &["y"][..] } else { self.function.results };
        let answer = match names {
            [only] => if only.ends_with('…') { "NdArray[]" } else { "NdArray" }.to_owned(),
            _ => {
                let fields: Vec<String> =
                    names.iter().map(|name| format!("{}: {}", plain(name), field_type(name))).collect();
                format!("{{ {} }}", fields.join("; "))
            }
        };
        if self.waits() { format!("Promise<{answer}>") } else { answer }
    }
}

fn field_type(result: &str) -> &'static str {
    match result.chars().last() {
        Some('…') => "NdArray[]",
        Some('?') => "NdArray | undefined",
        _ => "NdArray",
    }
}

fn tuple_type(result: &str) -> String {
    match result.chars().last() {
        Some('…') => "...NdArray[]".to_owned(),
        Some('?') => "(NdArray | undefined)?".to_owned(),
        _ => "NdArray".to_owned(),
    }
}

fn type_of(attribute: &Attribute) -> String {
    match (attribute.name, attribute.kind) {
        ("dtype", _) => "DType".to_owned(),
        // Lists that are no axes may be one number: how far to roll, where to split.
        (name, AttrKind::Axes) if name != "axes" => "number | readonly number[]".to_owned(),
        _ => attribute_type(attribute),
    }
}

/// A name without its mark, as JavaScript can have it.
fn plain(name: &str) -> String {
    let name = camel(name.trim_end_matches(['?', '…']));
    if ["case", "default", "function", "if", "in", "new", "this", "var", "with"].contains(&name.as_str()) {
        name + "Value"
    } else {
        name
    }
}

fn parameter(name: &str) -> String {
    let kind = if name.ends_with('…') { "readonly Operand[]" } else { "Operand" };
    format!("{}: {kind}", plain(name))
}
