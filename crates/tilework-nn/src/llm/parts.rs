//! What layers are made of: projections, the gated feed-forward layer, rotary positions.

use super::config::{Activation, Config, LayerKind, damaged};
use super::load::Loader;
use super::weights::{Around, Matrix};
use crate::gguf::TensorInfo;
use tilework::{Array, Device, Gate, Result, RopeFrequencies, RopePairing, RopeScaling};

/// Matrices of queries, keys and values: neighbours of one format are one matrix.
#[derive(Clone, Debug)]
pub(super) struct Projections {
    pub(super) matrices: Vec<Matrix>,
    pub(super) biases: Vec<Option<Array>>,
}

/// Both halves of the gated feed-forward layer.
#[derive(Clone, Debug)]
pub(super) enum Feed {
    /// Rows take turns.
    Pairs(Matrix),
    /// Two matrices of different formats.
    Apart(Matrix, Matrix),
}

#[derive(Clone, Debug)]
pub(super) struct Rope {
    pub(super) table: Array,
    pub(super) pairing: RopePairing,
    pub(super) amplitude: f64,
}

pub(super) fn span(start: usize, end: usize) -> std::ops::Range<isize> {
    start as isize..end as isize
}

/// Neighbours of one format.
struct Group<'a> {
    tensors: Vec<&'a TensorInfo>,
    biases: Vec<Option<Array>>,
    n_rows: usize,
}

impl Projections {
    pub(super) fn load(loader: &mut Loader<'_>, config: &Config, index: usize) -> Result<Projections> {
        let name = |part: &str| format!("blk.{index}.{part}");
        let rows = [config.n_heads, config.n_kv_heads, config.n_kv_heads].map(|n| n * config.head_dim);
        if let Some(joint) = loader.find(&name("attn_qkv.weight")) {
            let matrix = loader.matrix(&[joint], config.n_embd)?;
            check_rows(&matrix, &name("attn_qkv.weight"), rows.iter().sum())?;
            let bias = loader.vector_if_there(&name("attn_qkv.bias"), matrix.n_rows)?;
            return Ok(Projections { matrices: vec![matrix], biases: vec![bias] });
        }
        let names = ["attn_q", "attn_k", "attn_v"];
        let mut groups: Vec<Group<'_>> = Vec::new();
        for (part, n_rows) in names.into_iter().zip(rows) {
            let tensor = loader.tensor(&name(&format!("{part}.weight")))?;
            let bias = loader.vector_if_there(&name(&format!("{part}.bias")), n_rows)?;
            match groups.last_mut() {
                Some(group) if group.tensors[0].format == tensor.format => {
                    group.tensors.push(tensor);
                    group.biases.push(bias);
                    group.n_rows += n_rows;
                }
                _ => groups.push(Group { tensors: vec![tensor], biases: vec![bias], n_rows }),
            }
        }
        let (mut matrices, mut biases) = (Vec::new(), Vec::new());
        for group in groups {
            let matrix = loader.matrix(&group.tensors, config.n_embd)?;
            check_rows(&matrix, &group.tensors[0].name, group.n_rows)?;
            matrices.push(matrix);
            let parts: Option<Vec<Array>> = group.biases.into_iter().collect();
            biases.push(parts.map(|parts| loader.device.concat(&parts.iter().collect::<Vec<_>>(), 0)));
        }
        Ok(Projections { matrices, biases })
    }

    pub(super) fn apply(&self, x: &Array, around: Around<'_>) -> Vec<Array> {
        let products = self.matrices.iter().zip(&self.biases).map(|(matrix, bias)| {
            let product = matrix.apply(x, around);
            if let Some(bias) = bias { product + bias } else { product }
        });
        products.collect()
    }
}

fn check_rows(matrix: &Matrix, name: &str, n_rows: usize) -> Result<()> {
    if matrix.n_rows == n_rows {
        return Ok(());
    }
    Err(damaged(format!("`{name}` and what follows it have {} rows instead of {n_rows}", matrix.n_rows)))
}

impl Feed {
    pub(super) fn load(loader: &mut Loader<'_>, config: &Config, index: usize) -> Result<Feed> {
        let name = |part: &str| format!("blk.{index}.{part}");
        let up = loader.tensor(&name("ffn_up.weight"))?;
        let feed = match loader.find(&name("ffn_gate.weight")) {
            None => Feed::Pairs(loader.pairs(&[up], config.n_embd)?),
            Some(gate) if gate.format == up.format => Feed::Pairs(loader.pairs(&[gate, up], config.n_embd)?),
            Some(gate) => Feed::Apart(loader.matrix(&[gate], config.n_embd)?, loader.matrix(&[up], config.n_embd)?),
        };
        match &feed {
            Feed::Pairs(matrix) => check_rows(matrix, &up.name, 2 * config.n_ff)?,
            Feed::Apart(gate, up_rows) => {
                check_rows(gate, &name("ffn_gate.weight"), config.n_ff)?;
                check_rows(up_rows, &up.name, config.n_ff)?;
            }
        }
        Ok(feed)
    }

    pub(super) fn apply(&self, config: &Config, x: &Array, norm: &Array) -> Array {
        let gate = match config.activation {
            Activation::Silu => Gate::Silu,
            Activation::Gelu => Gate::Gelu,
        };
        let norm = Some((norm, config.epsilon));
        match self {
            Feed::Pairs(matrix) => matrix.apply(x, Around { norm, gate }),
            Feed::Apart(gate, up) => {
                let around = Around { norm, gate: Gate::None };
                let (gate, up) = (gate.apply(x, around), up.apply(x, around));
                let active = if config.activation == Activation::Silu { gate.silu() } else { gate.gelu_tanh() };
                active * up
            }
        }
    }
}

/// Factors that frequencies are divided by, where a file lists them (Llama 3.1, long contexts of Phi 3).
pub(super) fn rope_factors(loader: &mut Loader<'_>, config: &Config) -> Result<Option<Vec<f64>>> {
    let names = ["rope_freqs.weight", "rope_factors_short.weight"];
    let Some(tensor) = names.iter().find_map(|name| loader.find(name)) else { return Ok(None) };
    if tensor.n_elements() != config.rope_dims as u64 / 2 {
        return Err(damaged(format!("`{}` has {} factors", tensor.name, tensor.n_elements())));
    }
    loader.floats(tensor).map(|factors| Some(factors.into_iter().map(f64::from).collect()))
}

impl Rope {
    pub(super) fn new(device: &Device, config: &Config, kind: &LayerKind, factors: Option<&[f64]>) -> Result<Rope> {
        let mut frequencies = RopeFrequencies::new(config.rope_dims, kind.rope_base);
        if let Some(yarn) = config.yarn {
            frequencies = frequencies.scaled(RopeScaling::Yarn {
                factor: yarn.factor,
                original_context: yarn.original_context,
                beta_fast: 32.0,
                beta_slow: 1.0,
                attention_factor: yarn.attention_factor,
            });
        }
        let mut radians = frequencies.radians();
        for (pair, theta) in radians.iter_mut().enumerate() {
            *theta /= kind.rope_divisor * factors.map_or(1.0, |factors| factors[pair]);
        }
        let table = RopeFrequencies::table_of(&radians)?;
        let table = device.array(table, [2, config.rope_dims / 2]);
        Ok(Rope { table, pairing: config.rope_pairing, amplitude: frequencies.amplitude() })
    }

    pub(super) fn apply(&self, heads: &Array, positions: &Array) -> Array {
        heads.rope(positions, &self.table, self.pairing, self.amplitude)
    }
}
