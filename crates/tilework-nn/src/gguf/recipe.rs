//! Which tensor gets how many bits.
//!
//! A recipe is a format for most matrices and exceptions for those that errors hurt most: the output (and the embedding where it is
//! the output too), values of attention and the last matrix of feed-forward blocks in the first and last layers. Names, numbers and
//! exceptions are those of llama.cpp (`llama_tensor_get_type_impl` in llama-quant.cpp, without importance matrices).

use tilework::layers::core::quant::Format;

use super::{Metadata, TensorInfo};

/// A mix of formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of llama.cpp")]
#[allow(non_camel_case_types, reason = "the names are those of llama.cpp")]
pub enum Recipe {
    F32,
    F16,
    BF16,
    Q4_0,
    Q4_1,
    Q5_0,
    Q5_1,
    Q8_0,
    Q2_K,
    Q3_K_S,
    Q3_K_M,
    Q3_K_L,
    Q4_K_S,
    Q4_K_M,
    Q5_K_S,
    Q5_K_M,
    Q6_K,
    IQ4_NL,
    IQ4_XS,
}

/// Recipe, name, number (`general.file_type`), format of most matrices.
const TABLE: &[(Recipe, &str, u32, Format)] = &[
    (Recipe::F32, "F32", 0, Format::F32),
    (Recipe::F16, "F16", 1, Format::F16),
    (Recipe::BF16, "BF16", 32, Format::Bf16),
    (Recipe::Q4_0, "Q4_0", 2, Format::Q4_0),
    (Recipe::Q4_1, "Q4_1", 3, Format::Q4_1),
    (Recipe::Q5_0, "Q5_0", 8, Format::Q5_0),
    (Recipe::Q5_1, "Q5_1", 9, Format::Q5_1),
    (Recipe::Q8_0, "Q8_0", 7, Format::Q8_0),
    (Recipe::Q2_K, "Q2_K", 10, Format::Q2K),
    (Recipe::Q3_K_S, "Q3_K_S", 11, Format::Q3K),
    (Recipe::Q3_K_M, "Q3_K_M", 12, Format::Q3K),
    (Recipe::Q3_K_L, "Q3_K_L", 13, Format::Q3K),
    (Recipe::Q4_K_S, "Q4_K_S", 14, Format::Q4K),
    (Recipe::Q4_K_M, "Q4_K_M", 15, Format::Q4K),
    (Recipe::Q5_K_S, "Q5_K_S", 16, Format::Q5K),
    (Recipe::Q5_K_M, "Q5_K_M", 17, Format::Q5K),
    (Recipe::Q6_K, "Q6_K", 18, Format::Q6K),
    (Recipe::IQ4_NL, "IQ4_NL", 25, Format::Iq4Nl),
    (Recipe::IQ4_XS, "IQ4_XS", 30, Format::Iq4Xs),
];

impl Recipe {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Recipe> {
        TABLE.iter().map(|row| row.0)
    }

    fn row(self) -> &'static (Recipe, &'static str, u32, Format) {
        &TABLE[self as usize]
    }

    /// The name llama.cpp uses.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// The recipe of this name, in any case.
    pub fn from_name(name: &str) -> Option<Recipe> {
        TABLE.iter().find(|row| row.1.eq_ignore_ascii_case(name)).map(|row| row.0)
    }

    /// The value of `general.file_type`.
    pub fn file_type(self) -> u32 {
        self.row().2
    }

    /// The recipe with this number, as files have it in `general.file_type`.
    pub fn from_file_type(number: u32) -> Option<Recipe> {
        TABLE.iter().find(|row| row.2 == number).map(|row| row.0)
    }

    /// The format of most matrices.
    pub fn format(self) -> Format {
        self.row().3
    }
}

/// What the recipe has to know of a model.
pub(super) struct ModelShape {
    n_layers: usize,
    /// Heads of queries for one of keys.
    n_shared: u32,
    n_experts: u32,
    is_falcon: bool,
    is_tied: bool,
}

impl ModelShape {
    pub(super) fn new(metadata: &Metadata, tensors: &[TensorInfo]) -> tilework::Result<ModelShape> {
        let architecture = metadata.string("general.architecture")?.unwrap_or_default();
        let number =
            |key: &str| metadata.u32s(&format!("{architecture}.{key}")).map(|values| values.unwrap_or_default());
        let first = |values: Vec<u32>| values.iter().copied().find(|&value| value > 0).unwrap_or(0);
        let n_heads = first(number("attention.head_count")?);
        let n_kv_heads = first(number("attention.head_count_kv")?);
        Ok(ModelShape {
            n_layers: first(number("block_count")?) as usize,
            n_shared: n_heads.checked_div(n_kv_heads).unwrap_or(1),
            n_experts: first(number("expert_count")?),
            is_falcon: architecture == "falcon",
            is_tied: tensors.iter().all(|tensor| tensor.name != "output.weight"),
        })
    }
}

/// What a matrix does, as far as recipes care.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Output,
    Embedding,
    AttentionQkv,
    AttentionV,
    AttentionK,
    AttentionOutput,
    FeedForwardDown,
    Other,
}

impl Role {
    pub(super) fn of(name: &str) -> Role {
        let roles = [
            ("attn_qkv.weight", Role::AttentionQkv),
            ("attn_kv_b.weight", Role::AttentionV),
            ("attn_v.weight", Role::AttentionV),
            ("attn_k.weight", Role::AttentionK),
            ("attn_output.weight", Role::AttentionOutput),
            ("ffn_down", Role::FeedForwardDown),
        ];
        match name {
            "output.weight" => Role::Output,
            "token_embd.weight" | "per_layer_token_embd.weight" => Role::Embedding,
            _ => roles.iter().find(|role| name.contains(role.0)).map_or(Role::Other, |role| role.1),
        }
    }

    pub(super) fn is_values(self) -> bool {
        matches!(self, Role::AttentionV | Role::AttentionQkv)
    }
}

/// A matrix among those of its role: in layers' order the `index`-th of `n`.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) role: Role,
    pub(super) index: usize,
    pub(super) n: usize,
}

impl Place {
    fn is_before(self, part: usize) -> bool {
        self.index < self.n / part
    }

    /// The first and the last eighth of layers, and every third between.
    fn gets_more_bits(self) -> bool {
        let eighth = self.n / 8;
        self.index < eighth || self.index >= 7 * self.n / 8 || (self.index - eighth) % 3 == 2
    }
}

impl Recipe {
    /// The format of a matrix of rows of `n_cols`.
    pub(super) fn choose(self, model: &ModelShape, place: Place, n_cols: u64) -> Format {
        if matches!(self, Recipe::F32 | Recipe::F16 | Recipe::BF16) {
            return self.format();
        }
        let format = match place.role {
            Role::Output => self.output(model, n_cols),
            Role::Embedding if model.is_tied => self.output(model, n_cols),
            Role::Embedding | Role::Other => self.format(),
            Role::AttentionV | Role::AttentionQkv => self.values(model, place),
            Role::AttentionK if model.n_experts == 8 => Format::Q8_0,
            Role::AttentionK => self.format(),
            Role::FeedForwardDown => self.feed_forward(model, Place { n: model.n_layers, ..place }),
            Role::AttentionOutput => self.attention_output(model),
        };
        that_fits(format, n_cols)
    }

    fn output(self, model: &ModelShape, n_cols: u64) -> Format {
        let format = self.format();
        if model.is_falcon || !n_cols.is_multiple_of(format.block_len() as u64) || format == Format::Q8_0 {
            Format::Q8_0
        } else {
            Format::Q6K
        }
    }

    fn values(self, model: &ModelShape, place: Place) -> Format {
        let is_shared = model.n_shared >= 4;
        let format = match self {
            Recipe::Q2_K if is_shared => Format::Q4K,
            Recipe::Q2_K => Format::Q3K,
            Recipe::Q3_K_M if place.index < 2 => Format::Q5K,
            Recipe::Q3_K_M => Format::Q4K,
            Recipe::Q3_K_L => Format::Q5K,
            Recipe::IQ4_NL | Recipe::IQ4_XS if is_shared => Format::Q5K,
            Recipe::Q4_K_M | Recipe::Q5_K_M if place.gets_more_bits() => Format::Q6K,
            Recipe::Q4_K_S if place.index < 4 => Format::Q5K,
            _ => self.format(),
        };
        let is_large = model.n_layers == 80 && model.n_shared > 1;
        match format {
            _ if model.n_experts == 8 => Format::Q8_0,
            Format::Q3K | Format::Q4K if is_large => Format::Q5K,
            format => format,
        }
    }

    fn feed_forward(self, model: &ModelShape, place: Place) -> Format {
        match self {
            Recipe::Q2_K => Format::Q3K,
            Recipe::Q3_K_M if place.is_before(16) => Format::Q5K,
            Recipe::Q3_K_M if !model.is_falcon || place.gets_more_bits() => Format::Q4K,
            Recipe::Q3_K_L if model.is_falcon => Format::Q4K,
            Recipe::Q3_K_L => Format::Q5K,
            Recipe::Q4_K_M if model.is_falcon && place.is_before(16) => Format::Q6K,
            Recipe::Q4_K_M if model.is_falcon && place.gets_more_bits() => Format::Q5K,
            Recipe::Q4_K_M if model.is_falcon => Format::Q4K,
            Recipe::Q4_K_M | Recipe::Q5_K_M if place.gets_more_bits() => Format::Q6K,
            Recipe::IQ4_NL | Recipe::IQ4_XS if place.is_before(8) => Format::Q5K,
            Recipe::Q4_K_S if !model.is_falcon && place.is_before(8) => Format::Q5K,
            _ => self.format(),
        }
    }

    fn attention_output(self, model: &ModelShape) -> Format {
        match self {
            Recipe::Q3_K_L if model.is_falcon => Format::Q4K,
            _ if model.is_falcon => self.format(),
            Recipe::Q2_K | Recipe::Q3_K_S | Recipe::Q3_K_M | Recipe::IQ4_NL if model.n_experts == 8 => Format::Q5K,
            Recipe::Q4_K_S | Recipe::Q4_K_M | Recipe::IQ4_XS if model.n_experts == 8 => Format::Q5K,
            _ if model.n_experts == 8 => self.format(),
            Recipe::Q2_K => Format::Q3K,
            Recipe::Q3_K_M => Format::Q4K,
            Recipe::Q3_K_L => Format::Q5K,
            _ => self.format(),
        }
    }
}

/// `format`, or the nearest of smaller blocks if rows are not whole blocks of it.
fn that_fits(format: Format, n_cols: u64) -> Format {
    let fits = |format: Format| n_cols.is_multiple_of(format.block_len() as u64);
    let smaller = match format {
        format if fits(format) => return format,
        Format::Iq4Xs => Format::Iq4Nl,
        Format::Q2K | Format::Q3K => Format::Q4_0,
        Format::Q4K => Format::Q5_0,
        Format::Q5K => Format::Q5_1,
        Format::Q6K => Format::Q8_0,
        _ => Format::F16,
    };
    if fits(smaller) { smaller } else { Format::F16 }
}
