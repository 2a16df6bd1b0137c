//! Fused expressions to WGSL.
//!
//! A [`KernelBuilder`] puts a program together from three kinds of text: hand-written `.wgsl` files, functions generated from
//! [`Fused`] expressions, and whatever those use of a *number module* (`number_f32/`), which defines `Num` and `num_add`,
//! `num_sin` ... so that precision is one swapped list of files, see [`Precision`]. Bindings and the `Params` struct are generated too, from the same
//! lists that fill them: host and shader cannot disagree about a layout.
//!
//! A hand-written kernel therefore declares no bindings. It calls the sources and sinks it was built with, by name:
//! `x(i)` is element `i` of an input (an expression may be fused into it), `y(i, value)` stores a result (likewise).

mod function;
mod link;
mod pack;
mod precision;
mod probe;
mod statements;
mod texels;
mod text;

pub use link::link;
pub use pack::{QUAD, Sink};
pub use precision::{Eft, HAS_F64, NumFormat, Precision};
pub use probe::Probe;
pub use statements::{Element, statements};
pub use text::{len_shortened, shortened};

use crate::dtype::DType;
use crate::fused::Fused;
use crate::half::HAS_HALF;
use crate::pictures::HAS_PICTURES;
use crate::plan::{Access, Binding, KernelSource, Pass, Patch, Source};
use std::borrow::Cow;
use std::fmt::Write;
use std::sync::Arc;

/// What number modules of every precision are built on.
const BITS: &str = crate::wgsl!("number_f32/bits.wgsl");
/// Half precision in memory, in terms of any number module.
const HALF: &str = if HAS_HALF { crate::wgsl!("number_f32/half.wgsl") } else { "" };
/// The f32 number module.
pub const NUMBER_F32: &[&str] = &[
    BITS,
    crate::wgsl!("number_f32/basics.wgsl"),
    HALF,
    crate::wgsl!("number_f32/exponential.wgsl"),
    crate::wgsl!("number_f32/trigonometric.wgsl"),
    crate::wgsl!("number_f32/special.wgsl"),
];
/// Integers and truth values, the same in every precision.
pub const INTEGER: &str = crate::wgsl!("integer.wgsl");
/// The kernel of a fused expression alone.
pub const MAP: &str = crate::wgsl!("map.wgsl");

/// Invocations of a workgroup in kernels without workgroup memory.
pub const WORKGROUP: u32 = 256;

/// Where the inputs of a pass are: plan slot and form of every step input.
pub type Slots<'a> = &'a [Source];

/// Assembles one pass.
#[derive(Debug)]
pub struct KernelBuilder {
    label: String,
    files: Vec<&'static str>,
    number: &'static [&'static str],
    format: NumFormat,
    prelude: String,
    generated: String,
    /// Functions that look up the words of textures, of which a kernel uses some.
    lookups: String,
    fields: Vec<&'static str>,
    field_names: Vec<String>,
    params: Vec<u32>,
    patches: Vec<Patch>,
    /// With the element type each is declared with.
    bindings: Vec<(Binding, Cow<'static, str>)>,
}

impl KernelBuilder {
    /// A kernel called `label` in profiles and errors.
    pub fn new(label: impl Into<String>) -> KernelBuilder {
        KernelBuilder {
            label: label.into(),
            files: Vec::new(),
            number: NUMBER_F32,
            format: NumFormat::F32,
            prelude: String::new(),
            generated: String::new(),
            lookups: String::new(),
            fields: Vec::new(),
            field_names: Vec::new(),
            params: Vec::new(),
            patches: Vec::new(),
            bindings: Vec::new(),
        }
    }

    /// The kernel of `fused` alone: every root is stored to the plan slot of `outputs` with the same position.
    pub fn map(label: impl Into<String>, fused: &Fused, slots: Slots<'_>, outputs: &[(usize, DType)]) -> KernelBuilder {
        let n = fused.grid.n_elements();
        if let (true, &[(slot, DType::F16)]) = (HAS_HALF, outputs) {
            let words = n.div_ceil(2) as u32;
            let builder = KernelBuilder::new(label).file(MAP).param("n_elements", words).param("n_halves", n as u32);
            return builder.source("map_value", fused, slots).pairs("map_element", slot);
        }
        let mut builder = KernelBuilder::new(label).file(MAP).param("n_elements", n as u32);
        builder.element("map_element", fused, slots, outputs);
        builder
    }

    /// The same in another precision; buffers declared as `DType::F64` hold its numbers.
    pub fn map_in(
        precision: Precision,
        label: impl Into<String>,
        fused: &Fused,
        slots: Slots<'_>,
        outputs: &[(usize, DType)],
    ) -> KernelBuilder {
        let n = fused.grid.n_elements();
        let mut builder = KernelBuilder::new(label).precision(precision).file(MAP).param("n_elements", n as u32);
        builder.element("map_element", fused, slots, outputs);
        builder
    }

    /// Computes with `precision`: its number module, and buffers of its numbers. Must come before the sources and sinks.
    ///
    /// What is declared as `DType::F64` is then a number of the precision, and `DType::F32` stays a single, widened where it is
    /// read and rounded where it is stored. Beyond single precision, scalar `k` of a run takes its words `2·k` and `2·k + 1`
    /// ([`Precision::words`]), of which integers and truth values use the first.
    #[must_use]
    pub fn precision(mut self, precision: Precision) -> Self {
        (self.number, self.format) = (precision.module(), precision.format());
        // Only the guarded variant reads it.
        let is_missing = !self.field_names.iter().any(|name| name == "opaque_zero");
        if is_missing && precision == Precision::Df64(Eft::Guarded) { self.param("opaque_zero", 0) } else { self }
    }

    /// Replaces the number module by one of single precision in memory.
    #[must_use]
    pub fn number_module(mut self, module: &'static [&'static str]) -> Self {
        self.number = module;
        self
    }

    /// Adds a hand-written file.
    #[must_use]
    pub fn file(mut self, text: &'static str) -> Self {
        self.files.push(text);
        self
    }

    /// Adds a generated prelude line, such as an alias of an element type or a constant.
    #[must_use]
    pub fn prelude(mut self, line: &str) -> Self {
        self.prelude.push_str(line);
        self.prelude.push('\n');
        self
    }

    /// Adds the `u32` parameter `params.<name>`.
    #[must_use]
    pub fn param(mut self, name: &str, value: u32) -> Self {
        self.field(name.to_owned(), "u32", value);
        self
    }

    /// Defines `fn <name>(i: u32) -> T`: the first root of `fused` at grid element `i`.
    #[must_use]
    pub fn source(mut self, name: &str, fused: &Fused, slots: Slots<'_>) -> Self {
        let root = fused.expr.roots[0] as usize;
        let scalar = fused.expr.nodes[root].scalar();
        let body = self.body(name, fused, slots);
        _ = writeln!(self.generated, "fn {name}(i: u32) -> {} {{\n{body}    return v{root};\n}}", scalar.wgsl_type());
        self
    }

    /// Defines `fn <name>(i: u32) -> vec4<f32>`: four single floats of an input in one load, from element `4·i` on.
    #[must_use]
    pub fn quads(mut self, name: &str, source: impl Into<Source>) -> Self {
        let quad = self.read(source.into(), "vec4<f32>", "i");
        _ = writeln!(self.generated, "fn {name}(i: u32) -> vec4<f32> {{\n    return {quad};\n}}");
        self
    }

    /// Defines `fn <name>(i: u32)`: stores word `i` of a buffer of halves, which holds `map_value` at elements `2·i` and
    /// `2·i + 1`, the last of them 0 if there is none. No two invocations write into one word.
    fn pairs(mut self, name: &str, slot: usize) -> Self {
        let output = self.bind_as(slot, Access::Write, "u32".into());
        _ = writeln!(
            self.generated,
            "fn {name}(i: u32) {{\n    var high = num_of(0.0f);\n    if 2u * i + 1u < params.n_halves {{\n        \
             high = map_value(2u * i + 1u);\n    }}\n    {output}[i] = half_store(map_value(2u * i), high);\n}}"
        );
        self
    }

    /// Defines `fn <name>(i: u32) -> vec4<f32>`: four halves of an input in one load, from element `4·i` on.
    #[must_use]
    pub fn half_quads(mut self, name: &str, source: impl Into<Source>) -> Self {
        let quad = self.read(source.into(), "vec2<u32>", "i");
        _ = writeln!(self.generated, "fn {name}(i: u32) -> vec4<f32> {{\n    return half_quad({quad});\n}}");
        self
    }

    /// Defines `fn <name>(i: u32, result: T)`: stores a result of type `from` to plan slot `to` of type `stored`, passing it
    /// through `epilogue` first if there is one.
    #[must_use]
    pub fn sink(
        mut self,
        name: &str,
        from: DType,
        to: usize,
        stored: DType,
        epilogue: Option<(&Fused, Slots<'_>)>,
    ) -> Self {
        let output = self.bind(to, Access::Write, stored);
        let result_type = from.scalar().wgsl_type();
        let (body, value) = match epilogue {
            None => (String::new(), "result".to_owned()),
            Some((fused, slots)) => (self.body(name, fused, slots), format!("v{}", fused.expr.roots[0])),
        };
        _ = writeln!(
            self.generated,
            "fn {name}(i: u32, result: {result_type}) {{\n{body}    {output}[i] = {};\n}}",
            function::to_storage(&value, stored, self.format)
        );
        self
    }

    /// Defines `fn <name>(i: u32, value: u32)`, which raises word `i` of plan slot `slot` to `value` if it is below. The largest
    /// of integers does not depend on the order they come in, so that the result is the same every time.
    #[must_use]
    pub fn raise(mut self, name: &str, slot: usize) -> Self {
        let buffer = self.bind_as(slot, Access::Write, "atomic<u32>".into());
        _ = writeln!(self.generated, "fn {name}(i: u32, value: u32) {{\n    atomicMax(&{buffer}[i], value);\n}}");
        self
    }

    /// Finishes the pass. `workgroups` must respect the device's limits.
    pub fn build(self, workgroups: [u32; 3]) -> Pass {
        let mut head = self.declarations();
        head.push_str("struct Params {\n");
        for (name, wgsl_type) in self.field_names.iter().zip(&self.fields) {
            _ = writeln!(head, "    {name}: {wgsl_type},");
        }
        if self.fields.is_empty() {
            head.push_str("    unused: u32,\n");
        }
        _ = writeln!(head, "}}\n@group(0) @binding({}) var<uniform> params: Params;", self.bindings.len());
        head.push_str(&self.prelude);
        let program: String = [&self.prelude[..], &self.generated[..]]
            .into_iter()
            .chain(self.files.iter().copied())
            .collect::<Vec<_>>()
            .join("\n");
        let modules: Vec<&str> = self.number.iter().copied().chain([INTEGER]).collect();
        let mut linked = String::new();
        if HAS_PICTURES && !self.lookups.is_empty() {
            linked = link(&program, &[&self.lookups]);
        }
        linked.push_str(&link(&program, &modules));
        let mut parts: Vec<Cow<'static, str>> = vec![head.into(), self.generated.into()];
        parts.extend(self.files.into_iter().map(Cow::Borrowed));
        parts.push(linked.into());
        Pass {
            kernel: Arc::new(KernelSource { label: self.label, parts, overrides: Vec::new() }),
            bindings: self.bindings.into_iter().map(|(binding, _)| binding).collect(),
            params: if self.params.is_empty() { vec![0] } else { self.params },
            patches: self.patches,
            workgroups,
        }
    }

    /// The buffers and textures.
    fn declarations(&self) -> String {
        let mut text = String::new();
        for (index, (binding, element)) in self.bindings.iter().enumerate() {
            let (access, name) = match binding.access {
                Access::Texels if HAS_PICTURES => {
                    _ = writeln!(text, "@group(0) @binding({index}) var in{index}: texture_2d<u32>;");
                    continue;
                }
                Access::Read | Access::Texels => ("read", format!("in{index}")),
                Access::Write => ("read_write", format!("out{index}")),
            };
            _ = writeln!(text, "@group(0) @binding({index}) var<storage, {access}> {name}: array<{element}>;");
        }
        text
    }

    /// Defines `fn <name>(i: u32)`, which computes every root and stores it.
    fn element(&mut self, name: &str, fused: &Fused, slots: Slots<'_>, outputs: &[(usize, DType)]) {
        let body = self.body(name, fused, slots);
        let mut stores = String::new();
        for (&root, &(slot, dtype)) in fused.expr.roots.iter().zip(outputs) {
            let output = self.bind(slot, Access::Write, dtype);
            _ = writeln!(
                stores,
                "    {output}[i] = {};",
                function::to_storage(&format!("v{root}"), dtype, self.format)
            );
        }
        _ = writeln!(self.generated, "fn {name}(i: u32) {{\n{body}{stores}}}");
    }

    /// Statements that define `v<k>` for every node of `fused`.
    fn body(&mut self, name: &str, fused: &Fused, slots: Slots<'_>) -> String {
        let mut body = function::Body::new(name, fused);
        body.emit(self, slots)
    }

    /// The shader's name of a plan slot, bound once per pass as a buffer.
    fn bind(&mut self, slot: usize, access: Access, dtype: DType) -> String {
        self.bind_as(slot, access, function::storage_type(dtype, self.format).into())
    }

    /// The same, as an array of `element`.
    fn bind_as(&mut self, slot: usize, access: Access, element: Cow<'static, str>) -> String {
        let wanted = (Binding { slot, access }, element);
        let known = self.bindings.iter().position(|bound| *bound == wanted);
        let index = known.unwrap_or_else(|| {
            self.bindings.push(wanted);
            self.bindings.len() - 1
        });
        if access == Access::Write { format!("out{index}") } else { format!("in{index}") }
    }

    fn field(&mut self, name: String, wgsl_type: &'static str, value: u32) {
        self.field_names.push(name);
        self.fields.push(wgsl_type);
        self.params.push(value);
    }

    /// A parameter that is scalar `scalar` of the run; one of `n_words` words is aligned to them.
    fn patched_field(&mut self, name: String, wgsl_type: &'static str, scalar: usize, n_words: usize) {
        while !self.params.len().is_multiple_of(n_words) {
            self.field(format!("{name}_pad"), "u32", 0);
        }
        for k in 0..n_words {
            let first = scalar * self.format.n_words();
            self.patches.push(Patch { word: self.params.len() + k, scalar: first + k });
        }
        self.field(name, wgsl_type, 0);
        self.params.extend(std::iter::repeat_n(0, n_words - 1));
    }
}

#[cfg(test)]
mod tests;
