//! Inputs that are textures.
//!
//! A picture is bound as `texture_2d<u32>`, one texel a word, whatever its words stand for. Kernels read elements, pairs and quads of
//! it as they do of a buffer; only what is generated for it differs: a call of a function that looks up a word, or coordinates at
//! once where the layout allows it. The width of a texture is part of the text of a kernel, because division by a constant is a
//! product and a shift, and by a power of two a shift.

use super::{KernelBuilder, Slots, function};
use crate::dtype::DType;
use crate::fused::{Fused, LeafSource};
use crate::pictures::{HAS_PICTURES, Steps, Texels};
use crate::plan::{Access, Binding, Source};
use std::fmt::Write;

impl KernelBuilder {
    /// The expression that reads element `index`, of type `element`, of an input.
    pub(super) fn read(&mut self, source: Source, element: &'static str, index: &str) -> String {
        let Some(texels) = source.texels.filter(|_| HAS_PICTURES) else {
            let buffer = self.bind_as(source.slot, Access::Read, element.into());
            return format!("{buffer}[{index}]");
        };
        let texture = self.bind_texels(source.slot, texels);
        match element {
            "f32" | "i32" => format!("bitcast<{element}>({texture}_word({index}))"),
            "vec2<u32>" => format!("{texture}_pair({index})"),
            "vec4<f32>" => format!("bitcast<vec4<f32>>({texture}_quad({index}))"),
            _ => format!("{texture}_word({index})"),
        }
    }

    /// The word of leaf `slot` of `fused` in a texture by its coordinates, and the column of the element, if its layout has such.
    pub(super) fn texel(
        &mut self,
        name: &str,
        fused: &Fused,
        slots: Slots<'_>,
        grid: (&[usize], &[isize], usize),
    ) -> Option<(String, String)> {
        let (sizes, strides, slot) = grid;
        let leaf = &fused.leaves[slot];
        let LeafSource::Buffer { input, dtype } = leaf.source else { return None };
        let source = slots[input];
        let texels = source.texels.filter(|_| HAS_PICTURES)?;
        let n_in_word = if dtype == DType::F16 { 2 } else { 1 };
        let steps = Steps::new(texels.width() as usize * n_in_word, leaf.layout.offset, sizes, strides)?;
        let texture = self.bind_texels(source.slot, texels);
        let axis_name = |axis: usize| if sizes.len() == 1 { "i".to_owned() } else { format!("c{axis}") };
        let mut sum = |first: isize, step_of: &dyn Fn(usize) -> isize, what: &str| {
            let mut terms: Vec<String> = Vec::new();
            for axis in 0..sizes.len() {
                match step_of(axis) {
                    0 => {}
                    1 => terms.push(axis_name(axis)),
                    step => {
                        let field = format!("{name}_{what}{slot}_{axis}");
                        terms.push(format!("{} * params.{field}", axis_name(axis)));
                        self.field(field, "u32", step as i32 as u32);
                    }
                }
            }
            if first != 0 || terms.is_empty() {
                let field = format!("{name}_{what}{slot}");
                terms.push(format!("params.{field}"));
                self.field(field, "u32", first as u32);
            }
            terms.join(" + ")
        };
        let column = sum(steps.first.columns, &|axis| steps.axes[axis].columns, "column");
        let row = sum(steps.first.rows, &|axis| steps.axes[axis].rows, "row");
        let texel_x = if n_in_word == 2 { format!("({column}) >> 1u") } else { column.clone() };
        Some((format!("textureLoad({texture}, vec2<u32>({texel_x}, {row}), 0).x"), column))
    }

    /// The shader's name of a texture, bound once per pass, with the functions that look up its words.
    fn bind_texels(&mut self, slot: usize, texels: Texels) -> String {
        let binding = Binding { slot, access: Access::Texels };
        if let Some(known) = self.bindings.iter().position(|(bound, _)| *bound == binding) {
            return format!("in{known}");
        }
        let name = self.bind_as(slot, Access::Texels, "".into());
        let width = texels.width();
        let at = |first: &str| match width.is_power_of_two() {
            true => format!("vec2<u32>({first} & {}u, {first} >> {}u)", width - 1, width.ilog2()),
            false => format!("vec2<u32>({first} % {width}u, {first} / {width}u)"),
        };
        let mut several = |what: &str, n: u32| {
            let load = |k: u32| format!("textureLoad({name}, at + vec2<u32>({k}u, 0u), 0).x");
            let word = |k: u32| format!("{name}_word({n}u * i + {k}u)");
            // Where words never run across the end of a row, they share one division.
            let (begin, words): (String, Vec<String>) = match width.is_multiple_of(n) {
                true => (format!("    let at = {};\n", at(&format!("({n}u * i)"))), (0..n).map(load).collect()),
                false => (String::new(), (0..n).map(word).collect()),
            };
            let words = words.join(", ");
            _ = writeln!(
                self.lookups,
                "fn {name}_{what}(i: u32) -> vec{n}<u32> {{\n{begin}    return vec{n}<u32>({words});\n}}"
            );
        };
        several("pair", 2);
        several("quad", 4);
        _ = writeln!(
            self.lookups,
            "fn {name}_word(i: u32) -> u32 {{\n    return textureLoad({name}, {}, 0).x;\n}}",
            at("i")
        );
        name
    }
}

/// A leaf of type `dtype` in a texture.
pub(super) fn leaf(builder: &KernelBuilder, word: &str, column: &str, dtype: DType) -> String {
    match dtype {
        DType::F16 => format!("half_load({word}, {column})"),
        DType::F32 | DType::I32 => {
            let stored = function::storage_type(dtype, builder.format);
            function::from_storage(&format!("bitcast<{stored}>({word})"), dtype, builder.format)
        }
        _ => function::from_storage(word, dtype, builder.format),
    }
}
