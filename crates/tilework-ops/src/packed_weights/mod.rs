//! What operations on packed weights share: how they are checked, and the kernels' modules that read them.
//!
//! A format is two modules for a GPU: one for the bits of its codes, one for its scales. A kernel calls `weights(row, group, part)`
//! and does not know which.

use crate::attrs::{AttrKind, Attribute, Given};
use crate::op::Meta;
use tilework_core::dtype::DType;
use tilework_core::emit::KernelBuilder;
use tilework_core::quant::Format;
use tilework_core::quant::packed::{Codes, GROUP, IQ4_VALUES, MXFP4_VALUES, Packing, Scales};
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};

const WEIGHTS: &str = tilework_core::wgsl!("weights.wgsl");
const ADD_FOUR: &str = tilework_core::wgsl!("add_four.wgsl");
const CODES_2: &str = tilework_core::wgsl!("codes_2.wgsl");
const CODES_2_1: &str = tilework_core::wgsl!("codes_2_1.wgsl");
const CODES_4: &str = tilework_core::wgsl!("codes_4.wgsl");
const CODES_4_1: &str = tilework_core::wgsl!("codes_4_1.wgsl");
const CODES_4_2: &str = tilework_core::wgsl!("codes_4_2.wgsl");
const CODES_8: &str = tilework_core::wgsl!("codes_8.wgsl");
const CODES_TABLE: &str = tilework_core::wgsl!("codes_table.wgsl");
const SCALES_HALF: &str = tilework_core::wgsl!("scales_half.wgsl");
const SCALES_HALF_PAIR: &str = tilework_core::wgsl!("scales_half_pair.wgsl");
const SCALES_FLOAT: &str = tilework_core::wgsl!("scales_float.wgsl");
const SCALES_BYTES_32_PAIR: &str = tilework_core::wgsl!("scales_bytes_32_pair.wgsl");
const SCALES_BYTES_32: &str = tilework_core::wgsl!("scales_bytes_32.wgsl");
const SCALES_BYTES_16: &str = tilework_core::wgsl!("scales_bytes_16.wgsl");
const SCALES_NIBBLES_16: &str = tilework_core::wgsl!("scales_nibbles_16.wgsl");
const FLOATS: &str = tilework_core::wgsl!("floats.wgsl");
const FLOATS_QUADS: &str = tilework_core::wgsl!("floats_quads.wgsl");
const FLOATS_SINGLE: &str = tilework_core::wgsl!("floats_single.wgsl");
const FLOAT_32: &str = tilework_core::wgsl!("float_32.wgsl");
const FLOAT_16: &str = tilework_core::wgsl!("float_16.wgsl");
const FLOAT_B16: &str = tilework_core::wgsl!("float_b16.wgsl");

/// The modules, by file name.
pub(crate) const KERNELS: [(&str, &str); 22] = [
    ("weights.wgsl", WEIGHTS),
    ("add_four.wgsl", ADD_FOUR),
    ("codes_2.wgsl", CODES_2),
    ("codes_2_1.wgsl", CODES_2_1),
    ("codes_4.wgsl", CODES_4),
    ("codes_4_1.wgsl", CODES_4_1),
    ("codes_4_2.wgsl", CODES_4_2),
    ("codes_8.wgsl", CODES_8),
    ("codes_table.wgsl", CODES_TABLE),
    ("scales_half.wgsl", SCALES_HALF),
    ("scales_half_pair.wgsl", SCALES_HALF_PAIR),
    ("scales_float.wgsl", SCALES_FLOAT),
    ("scales_bytes_32_pair.wgsl", SCALES_BYTES_32_PAIR),
    ("scales_bytes_32.wgsl", SCALES_BYTES_32),
    ("scales_bytes_16.wgsl", SCALES_BYTES_16),
    ("scales_nibbles_16.wgsl", SCALES_NIBBLES_16),
    ("floats.wgsl", FLOATS),
    ("floats_quads.wgsl", FLOATS_QUADS),
    ("floats_single.wgsl", FLOATS_SINGLE),
    ("float_32.wgsl", FLOAT_32),
    ("float_16.wgsl", FLOAT_16),
    ("float_b16.wgsl", FLOAT_B16),
];

/// Only tables of values need preparation.
const UNPREPARED: &str = "fn prepare(lane: u32) {}";

/// The attribute that names the format.
pub(crate) const FORMAT: Attribute = Attribute::required(
    "format",
    AttrKind::Choice(&[
        "F32", "F16", "BF16", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q2_K", "Q3_K", "Q4_K", "Q5_K", "Q6_K", "IQ4_NL",
        "IQ4_XS", "MXFP4",
    ]),
    "how weights are stored, by its name in GGUF files",
);

pub(crate) fn format_of(given: &Given<'_>) -> Result<Format> {
    let choices: Vec<(&str, Format)> = Format::all().map(|format| (format.name(), format)).collect();
    given.choice("format", &choices, None)
}

/// Groups of a row, the last of them perhaps not full.
pub(crate) fn n_groups(n_cols: usize) -> usize {
    n_cols.div_ceil(GROUP)
}

/// The words of a row; an error if `weights` is no matrix of packed rows of `n_cols` weights.
pub(crate) fn check(op: &str, format: Format, weights: &Meta, n_cols: usize) -> Result<usize> {
    let Some(row_words) = format.row_words(n_cols) else {
        let message = format!("{n_cols} columns are no multiple of the {} of a block of {format}", format.block_len());
        return Err(Error::shape(op, message));
    };
    if weights.dtype != DType::U32 {
        return Err(Error::dtype(op, format!("packed weights are uint32, got {}", weights.dtype)));
    }
    match weights.shape[..] {
        [_, words] if words == row_words => Ok(row_words),
        _ => {
            let message = format!("rows of {n_cols} weights as {format} are {row_words} words, got {}", weights.shape);
            Err(Error::shape(op, message))
        }
    }
}

/// Adds the modules that read `format` and their parameters. The kernel needs a source `w` of the words.
pub(crate) fn with_weights(builder: KernelBuilder, format: Format, n_cols: usize) -> KernelBuilder {
    let builder = builder.file(ADD_FOUR);
    let Some(packing) = Packing::of(format) else {
        let float = match format {
            Format::F32 => FLOAT_32,
            Format::F16 => FLOAT_16,
            _ => FLOAT_B16,
        };
        let several = if n_cols.is_multiple_of(4) { FLOATS_QUADS } else { FLOATS_SINGLE };
        return builder.file(FLOATS).file(several).file(float).prelude(UNPREPARED).param("n_cols", n_cols as u32);
    };
    let n_groups = n_groups(n_cols);
    let table = |values: &[i8; 16]| {
        let values = values.map(|value| format!("{value}.0"));
        format!("const VALUES = array<f32, 16>({});", values.join(", "))
    };
    let halves_differ = matches!(packing.scales, Scales::Bytes16 { .. } | Scales::Nibbles16);
    let builder = builder
        .file(WEIGHTS)
        .prelude(&format!("const HALVES_DIFFER: bool = {halves_differ};"))
        .param("n_cols", n_cols as u32)
        .param("high_at", packing.high_at(n_groups) as u32)
        .param("scales_at", packing.scales_at(n_groups) as u32);
    let has_table = matches!(packing.codes, Codes::Iq4 | Codes::Mxfp4);
    let builder = if has_table { builder } else { builder.prelude(UNPREPARED) };
    let builder = match (packing.codes, packing.low_bits, packing.high_bits) {
        (Codes::Iq4, ..) => builder.file(CODES_TABLE).prelude(&table(&IQ4_VALUES)),
        (Codes::Mxfp4, ..) => builder.file(CODES_TABLE).prelude(&table(&MXFP4_VALUES)),
        (_, 8, _) => builder.file(CODES_8),
        (_, 4, 0) => builder.file(CODES_4),
        (_, 4, 1) => builder.file(CODES_4_1),
        (_, 4, _) => builder.file(CODES_4_2),
        (_, _, 0) => builder.file(CODES_2),
        _ => builder.file(CODES_2_1),
    };
    let offset = |offset: i32| format!("const OFFSET: f32 = {offset}.0;");
    match packing.scales {
        Scales::Half { offset: by } => builder.file(SCALES_HALF).prelude(&offset(by)),
        Scales::HalfPair => builder.file(SCALES_HALF_PAIR),
        Scales::Float => builder.file(SCALES_FLOAT),
        Scales::Bytes32Pair => builder.file(SCALES_BYTES_32_PAIR),
        Scales::Bytes32 => builder.file(SCALES_BYTES_32),
        Scales::Bytes16 { offset: by } => builder.file(SCALES_BYTES_16).prelude(&offset(by)),
        Scales::Nibbles16 => builder.file(SCALES_NIBBLES_16),
    }
}

/// `[n_rows, row_words]` of packed weights that look like trained ones, for cases.
pub(crate) fn sample(format: Format, n_rows: usize, n_cols: usize) -> (Vec<u32>, Shape) {
    let row_words = format.row_words(n_cols).unwrap_or(0);
    let mut words = Vec::with_capacity(n_rows * row_words);
    for row in 0..n_rows {
        words.extend(format.sample_row(n_cols, row as u32 + 1));
    }
    (words, Shape::new("case", vec![n_rows, row_words]).unwrap_or_default())
}
