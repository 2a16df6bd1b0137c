//! Inputs that are textures.
//!
//! A picture is bound as `texture_2d<u32>`, a texel one word or four, whatever its words stand for. Kernels read elements, pairs and quads of
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
        let column = self.coordinate(
            &format!("{name}_column{slot}"),
            steps.first.columns,
            steps.axes.iter().map(|step| step.columns),
        );
        let row =
            self.coordinate(&format!("{name}_row{slot}"), steps.first.rows, steps.axes.iter().map(|step| step.rows));
        let word_column = if n_in_word == 2 { format!("(({column}) >> 1u)") } else { format!("({column})") };
        let word = match texels.n_words() {
            4 => format!("textureLoad({texture}, vec2<u32>({word_column} >> 2u, {row}), 0)[{word_column} & 3u]"),
            _ => format!("textureLoad({texture}, vec2<u32>({word_column}, {row}), 0).x"),
        };
        Some((word, column))
    }

    /// The sum of `first` and of a step for each axis times the place on it; parameters are called `field` and after their axis.
    fn coordinate(&mut self, field: &str, first: isize, steps: impl ExactSizeIterator<Item = isize>) -> String {
        let rank = steps.len();
        let mut terms: Vec<String> = Vec::new();
        for (axis, step) in steps.enumerate() {
            let place = if rank == 1 { "i".to_owned() } else { format!("c{axis}") };
            match step {
                0 => {}
                1 => terms.push(place),
                _ => {
                    terms.push(format!("{place} * params.{field}_{axis}"));
                    // A negative step wraps around 2³² and the sum wraps back.
                    self.field(format!("{field}_{axis}"), "u32", step as i32 as u32);
                }
            }
        }
        if first != 0 || terms.is_empty() {
            terms.push(format!("params.{field}"));
            self.field(field.to_owned(), "u32", first as u32);
        }
        terms.join(" + ")
    }

    /// The shader's name of a texture, bound once per pass, with the functions that look up its words.
    fn bind_texels(&mut self, slot: usize, texels: Texels) -> String {
        let binding = Binding { slot, access: Access::Texels };
        if let Some(known) = self.bindings.iter().position(|(bound, _)| *bound == binding) {
            return format!("in{known}");
        }
        let name = self.bind_as(slot, Access::Texels, "".into());
        let n_columns = texels.width() / texels.n_words();
        let texel = |index: &str| match n_columns.is_power_of_two() {
            true => {
                let (mask, shift) = (n_columns - 1, n_columns.ilog2());
                format!("textureLoad({name}, vec2<u32>(({index}) & {mask}u, ({index}) >> {shift}u), 0)")
            }
            false => format!("textureLoad({name}, vec2<u32>(({index}) % {n_columns}u, ({index}) / {n_columns}u), 0)"),
        };
        let [word, pair, quad] = match texels.n_words() {
            4 => {
                let half =
                    format!("let quad = {};\n    return select(quad.xy, quad.zw, (i & 1u) != 0u)", texel("i >> 1u"));
                [format!("return {}[i & 3u]", texel("i >> 2u")), half, format!("return {}", texel("i"))]
            }
            _ => {
                let words =
                    |n: u32| (0..n).map(|k| format!("{name}_word({n}u * i + {k}u)")).collect::<Vec<_>>().join(", ");
                let several = |n: u32| format!("return vec{n}<u32>({})", words(n));
                [format!("return {}.x", texel("i")), several(2), several(4)]
            }
        };
        for (what, wgsl_type, body) in [("word", "u32", word), ("pair", "vec2<u32>", pair), ("quad", "vec4<u32>", quad)]
        {
            _ = writeln!(self.lookups, "fn {name}_{what}(i: u32) -> {wgsl_type} {{\n    {body};\n}}");
        }
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
