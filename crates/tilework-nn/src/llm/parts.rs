//! What layers are made of: projections, the gated feed-forward layer, rotary positions.

use super::config::{Activation, Config, LayerKind, Reach, damaged};
use super::load::Loader;
use super::weights::{Around, Matrix};
use crate::gguf::TensorInfo;
use tilework::{Array, Device, Gate, Result, RopeFrequencies, RopePairing};

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
    /// Two matrices of different formats, or with biases.
    Apart([Matrix; 2], [Option<Array>; 2]),
}

#[derive(Clone, Debug)]
pub(super) struct Rope {
    pub(super) table: Array,
    /// The same for longer contexts, if they have one of their own.
    pub(super) long_table: Option<Array>,
    pub(super) pairing: RopePairing,
    pub(super) amplitude: f64,
}

pub(super) fn span(start: usize, end: usize) -> std::ops::Range<isize> {
    start as isize..end as isize
}

/// Where tokens are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Positions<'a> {
    /// That of the first token, or of each.
    pub(super) at: &'a Array,
    pub(super) reach: Reach,
}

/// Factors that frequencies are divided by, where a file lists them (Llama 3.1, long contexts of Phi 3).
#[derive(Debug, Default)]
pub(super) struct RopeFactors {
    short: Option<Vec<f64>>,
    long: Option<Vec<f64>>,
}

/// Neighbours of one format.
struct Group<'a> {
    tensors: Vec<&'a TensorInfo>,
    /// A bias, if there is one, and how many elements it has.
    biases: Vec<(Option<Array>, usize)>,
    n_rows: usize,
}

impl Group<'_> {
    /// All biases in a row; zeros where there is none.
    fn bias(&self, device: &Device) -> Option<Array> {
        self.biases.iter().find_map(|(bias, _)| bias.as_ref())?;
        let part = |(bias, n): &(Option<Array>, usize)| bias.clone().unwrap_or_else(|| device.zeros([*n]));
        let parts: Vec<Array> = self.biases.iter().map(part).collect();
        Some(device.concat(&parts.iter().collect::<Vec<_>>(), 0))
    }
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
                    group.biases.push((bias, n_rows));
                    group.n_rows += n_rows;
                }
                _ => groups.push(Group { tensors: vec![tensor], biases: vec![(bias, n_rows)], n_rows }),
            }
        }
        let (mut matrices, mut biases) = (Vec::new(), Vec::new());
        for group in groups {
            let matrix = loader.matrix(&group.tensors, config.n_embd)?;
            check_rows(&matrix, &group.tensors[0].name, group.n_rows)?;
            matrices.push(matrix);
            biases.push(group.bias(loader.device));
        }
        Ok(Projections { matrices, biases })
    }

    pub(super) fn apply(&self, x: &Array, around: Around<'_>) -> Vec<Array> {
        let pairs = self.matrices.iter().zip(&self.biases);
        pairs.map(|(matrix, bias)| biased(matrix.apply(x, around), bias)).collect()
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
        let Some(gate) = loader.find(&name("ffn_gate.weight")) else {
            let matrix = loader.pairs(&[up], config.n_embd)?;
            check_rows(&matrix, &up.name, 2 * config.n_ff)?;
            return Ok(Feed::Pairs(matrix));
        };
        let mut bias = |part: &str| loader.vector_if_there(&name(part), config.n_ff);
        let biases = [bias("ffn_gate.bias")?, bias("ffn_up.bias")?];
        let feed = if gate.format == up.format && biases.iter().all(Option::is_none) {
            Feed::Pairs(loader.pairs(&[gate, up], config.n_embd)?)
        } else {
            let gate = loader.matrix(&[gate], config.n_embd)?;
            Feed::Apart([gate, loader.matrix(&[up], config.n_embd)?], biases)
        };
        match &feed {
            Feed::Pairs(matrix) => check_rows(matrix, &up.name, 2 * config.n_ff)?,
            Feed::Apart([gate, up_rows], _) => {
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
            Feed::Apart(matrices, biases) => {
                let around = Around { norm, gate: Gate::None };
                let [gate, up] = [0, 1].map(|half| biased(matrices[half].apply(x, around), &biases[half]));
                let active = if config.activation == Activation::Silu { gate.silu() } else { gate.gelu_tanh() };
                active * up
            }
        }
    }
}

/// A product with its bias, where a model has one.
pub(super) fn biased(product: Array, bias: &Option<Array>) -> Array {
    match bias {
        Some(bias) => product + bias,
        None => product,
    }
}

impl RopeFactors {
    pub(super) fn load(loader: &mut Loader<'_>, config: &Config) -> Result<RopeFactors> {
        let mut list = |name: &str| {
            let Some(tensor) = loader.find(name) else { return Ok(None) };
            if tensor.n_elements() != config.rope_dims as u64 / 2 {
                return Err(damaged(format!("`{}` has {} factors", tensor.name, tensor.n_elements())));
            }
            loader.floats(tensor).map(|factors| Some(factors.into_iter().map(f64::from).collect()))
        };
        let always = list("rope_freqs.weight")?;
        let short = if always.is_some() { always } else { list("rope_factors_short.weight")? };
        Ok(RopeFactors { short, long: list("rope_factors_long.weight")? })
    }
}

impl Rope {
    pub(super) fn new(device: &Device, config: &Config, kind: &LayerKind, factors: &RopeFactors) -> Result<Rope> {
        let frequencies = RopeFrequencies::new(config.rope_dims, kind.rope_base).scaled(kind.rope_scaling);
        let table = |factors: Option<&Vec<f64>>| {
            let mut radians = frequencies.radians();
            if let Some(factors) = factors {
                radians.iter_mut().zip(factors).for_each(|(theta, factor)| *theta /= factor);
            }
            Ok(device.array(RopeFrequencies::table_of(&radians)?, [2, config.rope_dims / 2]))
        };
        Ok(Rope {
            table: table(factors.short.as_ref())?,
            long_table: factors.long.as_ref().map(|long| table(Some(long))).transpose()?,
            pairing: config.rope_pairing,
            amplitude: config.rope_amplitude * frequencies.amplitude(),
        })
    }

    pub(super) fn apply(&self, heads: &Array, positions: Positions<'_>) -> Array {
        let table = match (positions.reach, &self.long_table) {
            (Reach::Long, Some(table)) => table,
            _ => &self.table,
        };
        heads.rope(positions.at, table, self.pairing, self.amplitude)
    }
}
