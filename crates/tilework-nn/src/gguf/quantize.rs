//! A model in fewer bits.

use tilework::layers::core::order;
use tilework::layers::core::quant::Format;
use tilework::layers::ops::threads::Threads;
use tilework::{Error, Result};

use super::recipe::{ModelShape, Place, Recipe, Role};
use super::{Files, Gguf, TensorInfo, Value, Writer};

/// Weights read at a time: bounds the memory whatever the tensor.
const N_PER_PIECE: u64 = 1 << 20;

/// Weights that a thread converts at a time; whole blocks of every format.
const N_PER_THREAD: usize = 1 << 14;

/// A tensor about to be written.
#[derive(Clone, Debug)]
pub struct QuantizeStep<'a> {
    /// The tensor as it is in the source.
    pub tensor: &'a TensorInfo,
    /// What it becomes.
    pub format: Format,
    /// Its place among all tensors.
    pub index: usize,
    /// Tensors in all.
    pub n_tensors: usize,
}

/// The format each tensor gets by `recipe`, in the order of the directory.
///
/// Vectors, norms and the few small matrices that llama.cpp leaves alone keep theirs.
pub fn plan(gguf: &Gguf, recipe: Recipe) -> Result<Vec<Format>> {
    let model = ModelShape::new(&gguf.metadata, &gguf.tensors)?;
    let places = places(&gguf.tensors);
    let formats = gguf.tensors.iter().zip(places).map(|(tensor, place)| {
        if is_quantized(tensor) { recipe.choose(&model, place, tensor.n_cols()) } else { tensor.format }
    });
    Ok(formats.collect())
}

/// Writes the model of `files` with the formats of `recipe`: the bytes of a whole GGUF file go to `sink` in order.
///
/// Metadata stay, but for `general.file_type`, `general.quantization_version` and what speaks of split files. Tensors that already
/// have their format are copied. `progress` hears of each tensor before it is written and may stop the work by an error.
/// Takes a few megabytes of memory besides the head.
pub fn quantize(
    files: &Files<'_>,
    recipe: Recipe,
    sink: &mut dyn FnMut(&[u8]) -> Result<()>,
    progress: &mut dyn FnMut(QuantizeStep<'_>) -> Result<()>,
) -> Result<()> {
    let gguf = files.gguf();
    let formats = plan(gguf, recipe)?;
    let mut metadata = gguf.metadata.clone();
    metadata.set("general.file_type", Value::U32(recipe.file_type()));
    metadata.set("general.quantization_version", Value::U32(2));
    ["split.no", "split.count", "split.tensors.count"].iter().for_each(|key| metadata.remove(key));
    let mut writer = Writer::new(metadata)?;
    for (tensor, &format) in gguf.tensors.iter().zip(&formats) {
        writer.add(tensor.name.as_str(), &tensor.shape, format)?;
    }
    sink(&writer.head())?;
    for (index, (tensor, written)) in gguf.tensors.iter().zip(writer.tensors()).enumerate() {
        progress(QuantizeStep { tensor, format: written.format, index, n_tensors: gguf.tensors.len() })?;
        convert(files, tensor, written.format, sink)?;
        sink(&vec![0; writer.padding(written)])?;
    }
    Ok(())
}

/// One tensor, piece by piece.
fn convert(
    files: &Files<'_>,
    tensor: &TensorInfo,
    format: Format,
    sink: &mut dyn FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    let n_elements = tensor.n_elements();
    let mut bytes = Vec::new();
    // Pieces are whole blocks of every format; only the last may be shorter, and then it ends where the tensor does.
    for start in (0..n_elements).step_by(N_PER_PIECE as usize) {
        let n = (n_elements - start).min(N_PER_PIECE) as usize;
        let unfit = || Error::shape("gguf", format!("tensor `{}` does not fit {}", tensor.name, tensor.format));
        bytes.resize(tensor.format.size_bytes(n).ok_or_else(unfit)?, 0);
        let before = start / tensor.format.block_len() as u64 * tensor.format.block_bytes() as u64;
        files.read(tensor, before, &mut bytes)?;
        if tensor.format == format {
            sink(&bytes)?;
            continue;
        }
        for part in converted(&bytes, tensor.format, format) {
            sink(&part)?;
        }
    }
    Ok(())
}

/// Blocks of `from` as blocks of `to`, in parts, by all threads.
fn converted(bytes: &[u8], from: Format, to: Format) -> Vec<Vec<u8>> {
    let part_bytes = N_PER_THREAD / from.block_len() * from.block_bytes();
    let sources: Vec<&[u8]> = bytes.chunks(part_bytes).collect();
    let mut parts = vec![Vec::new(); sources.len()];
    Threads::all().for_each_piece(&mut parts, 1, |first, parts| {
        let mut weights = Vec::new();
        for (part, source) in parts.iter_mut().zip(&sources[first..]) {
            weights.resize(source.len() / from.block_bytes() * from.block_len(), 0.0);
            from.decode(source, &mut weights);
            to.encode(&weights, part);
        }
    });
    parts
}

/// Whether a recipe speaks of the tensor: matrices of weights, except for those that are small and delicate.
fn is_quantized(tensor: &TensorInfo) -> bool {
    // A size of one outside does not make a vector a matrix.
    let n_dims = tensor.shape.iter().skip_while(|&&size| size == 1).count();
    let name = tensor.name.as_str();
    let kept = [
        "_norm.weight",
        "ffn_gate_inp.weight",
        "altup",
        "laurel",
        "per_layer_model_proj",
        "ssm_conv1d",
        "shortconv.conv.weight",
        "time_mix_first.weight",
        "time_mix_w1.weight",
        "time_mix_w2.weight",
        "time_mix_v1.weight",
        "time_mix_v2.weight",
        "time_mix_a1.weight",
        "time_mix_a2.weight",
        "time_mix_g1.weight",
        "time_mix_g2.weight",
        "time_mix_decay_w1.weight",
        "time_mix_decay_w2.weight",
        "time_mix_lerp_fused.weight",
        "attn_rel_b.weight",
        ".position_embd",
        ".patch_embd",
    ];
    let is_table = matches!(name, "position_embd.weight" | "token_types.weight");
    n_dims >= 2 && name.ends_with("weight") && !is_table && !kept.iter().any(|part| name.contains(part))
}

/// Where each tensor stands among those of its role, counted in the order of layers.
fn places(tensors: &[TensorInfo]) -> Vec<Place> {
    let mut order: Vec<usize> = (0..tensors.len()).collect();
    order::sort_by_key(&mut order, |&index| (layer(&tensors[index].name), &tensors[index].name));
    let roles: Vec<Role> = tensors.iter().map(|tensor| Role::of(&tensor.name)).collect();
    let n_values = roles.iter().filter(|role| role.is_values()).count();
    let mut places: Vec<Place> = roles.iter().map(|&role| Place { role, index: 0, n: n_values }).collect();
    let (mut n_values_before, mut n_down_before) = (0, 0);
    for index in order {
        let counter = match roles[index] {
            role if role.is_values() => &mut n_values_before,
            Role::FeedForwardDown => &mut n_down_before,
            _ => continue,
        };
        if is_quantized(&tensors[index]) {
            places[index].index = *counter;
            *counter += 1;
        }
    }
    places
}

/// The number in `blk.7.attn_v.weight`.
fn layer(name: &str) -> Option<u32> {
    name.strip_prefix("blk.")?.split('.').next()?.parse().ok()
}
