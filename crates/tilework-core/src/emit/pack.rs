//! Sources and sinks of several neighbouring elements at a time.
//!
//! A device moves 16 bytes with one instruction if it knows that they lie together, and a buffer declared as vectors says so.
//! A kernel written over packs of [`QUAD`] (or of 1, where a size does not allow more) reads `x_pack(i)` and stores
//! `y_pack(i, results)`; whether that is one wide access or four narrow ones is decided here.

use super::{KernelBuilder, Slots, function};
use crate::dtype::DType;
use crate::fused::Fused;
use crate::half::HAS_HALF;
use crate::plan::Access;
use std::fmt::Write;

/// Elements of a wide access.
pub const QUAD: usize = 4;

impl KernelBuilder {
    /// Defines `fn <name>_pack(i: u32) -> array<T, width>`: elements `i..i + width` of `fused`, for `i` a multiple of `width`.
    #[must_use]
    pub fn pack_source(mut self, name: &str, fused: &Fused, slots: Slots<'_>, width: usize) -> Self {
        let scalar = fused.scalar().wgsl_type();
        if let (QUAD, Some((input, dtype, offset))) = (width, quads(fused)) {
            let (element, load) = if dtype == DType::F16 { ("vec2<u32>", "half_quad") } else { ("vec4<f32>", "") };
            let field = format!("{name}_first_quad");
            let quad = self.read(slots[input], element, &format!("i / 4u + params.{field}"));
            _ = writeln!(
                self.generated,
                "fn {name}_pack(i: u32) -> array<{scalar}, 4> {{\n    let quad = {load}({quad});\n    \
                 return array<{scalar}, 4>(num_of(quad.x), num_of(quad.y), num_of(quad.z), num_of(quad.w));\n}}"
            );
            self.field(field, "u32", (offset / QUAD) as u32);
            return self;
        }
        let mut builder = self.source(name, fused, slots);
        let reads: Vec<String> = (0..width).map(|k| format!("{name}(i + {k}u)")).collect();
        _ = writeln!(
            builder.generated,
            "fn {name}_pack(i: u32) -> array<{scalar}, {width}> {{\n    return array<{scalar}, {width}>({});\n}}",
            reads.join(", ")
        );
        builder
    }

    /// Defines `fn <name>_pack(i: u32, results: array<T, width>)`: what [`KernelBuilder::sink`] does for elements
    /// `i..i + width`, for `i` a multiple of `width`.
    #[must_use]
    pub fn pack_sink(mut self, name: &str, sink: Sink<'_>, width: usize) -> Self {
        let result_type = sink.from.scalar().wgsl_type();
        let (body, value) = match sink.epilogue {
            None => (String::new(), "result".to_owned()),
            Some((fused, slots)) => (self.body(name, fused, slots), format!("v{}", fused.expr.roots[0])),
        };
        if HAS_HALF && sink.stored == DType::F16 {
            return self.half_quad_sink(name, (&body, &value), sink, result_type);
        }
        let stored = function::storage_type(sink.stored, self.format);
        _ = writeln!(
            self.generated,
            "fn {name}_value(i: u32, result: {result_type}) -> {stored} {{\n{body}    return {};\n}}",
            function::to_storage(&value, sink.stored, self.format)
        );
        let (element, at) =
            if width == QUAD { (format!("vec4<{stored}>"), "i / 4u") } else { (stored.to_owned(), "i") };
        let output = self.bind_as(sink.to, Access::Write, element.clone().into());
        let values: Vec<String> = (0..width).map(|k| format!("{name}_value(i + {k}u, results[{k}])")).collect();
        _ = writeln!(
            self.generated,
            "fn {name}_pack(i: u32, results: array<{result_type}, {width}>) {{\n    {output}[{at}] = {element}({});\n}}",
            values.join(", ")
        );
        self
    }

    /// The same for four halves, which are two words: other widths would have invocations write into one word.
    fn half_quad_sink(mut self, name: &str, (body, value): (&str, &str), sink: Sink<'_>, result_type: &str) -> Self {
        let output = self.bind_as(sink.to, Access::Write, "vec2<u32>".into());
        _ = writeln!(
            self.generated,
            "fn {name}_value(i: u32, result: {result_type}) -> {result_type} {{\n{body}    return {value};\n}}\n\
             fn {name}_pack(i: u32, results: array<{result_type}, 4>) {{\n    \
             let low = half_store({name}_value(i, results[0]), {name}_value(i + 1u, results[1]));\n    \
             let high = half_store({name}_value(i + 2u, results[2]), {name}_value(i + 3u, results[3]));\n    \
             {output}[i / 4u] = vec2<u32>(low, high);\n}}"
        );
        self
    }
}

/// Where results go.
#[derive(Clone, Copy, Debug)]
pub struct Sink<'a> {
    /// Type of a result.
    pub from: DType,
    /// Plan slot.
    pub to: usize,
    /// Type it is stored as.
    pub stored: DType,
    /// What each result passes through before.
    pub epilogue: Option<(&'a Fused, Slots<'a>)>,
}

/// The input, type and offset of an expression that only reads floats that follow each other, in whole quads.
fn quads(fused: &Fused) -> Option<(usize, DType, usize)> {
    let (input, dtype, layout) = fused.as_read()?;
    let n = layout.shape.n_elements();
    let is_float = dtype == DType::F32 || (HAS_HALF && dtype == DType::F16);
    let is_even = is_float && layout.is_contiguous() && layout.offset % QUAD == 0 && n % QUAD == 0 && n > 0;
    is_even.then_some((input, dtype, layout.offset))
}
