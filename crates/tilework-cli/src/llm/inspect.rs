//! `tilework inspect`: what is in a model file, and what it needs.

use std::collections::BTreeMap;
use std::io::Write;

use clap::{Arg, ArgMatches, Command, value_parser};
use serde_json::{Map, Value as Json, json};
use tilework_nn::gguf::{Gguf, Metadata, Recipe, Value, Values};
use tilework_nn::llm::CacheType;

use super::models::amount;
use super::{ModelFiles, model_path};
use crate::device_choice::json_argument;
use crate::failure::{Outcome, Verdict};
use crate::terminal::{Out, Progress};

const EXAMPLES: &str = "\
Examples:
  tilework inspect smollm2
  tilework inspect model.gguf --context 8192      memory for a context of 8192 tokens
  tilework inspect model-00001-of-00003.gguf      all parts of a split model
  tilework inspect model.gguf --json              everything, for programs";

pub(crate) fn command() -> Command {
    Command::new("inspect")
        .about("Show what a GGUF model file is made of, and the memory it needs")
        .arg(
            Arg::new("file")
                .value_name("FILE")
                .required(true)
                .help("A GGUF file, or the name of a model that was pulled"),
        )
        .arg(
            Arg::new("context")
                .long("context")
                .value_name("N")
                .value_parser(value_parser!(u64).range(1..=1 << 32))
                .help("Tokens of context to say the memory of; what the model was trained with if left out"),
        )
        .arg(json_argument())
        .after_help(EXAMPLES)
}

pub(crate) fn run(matches: &ArgMatches, out: &mut Out) -> Outcome {
    let name = matches.get_one::<String>("file").map_or("", String::as_str);
    let model = ModelFiles::open(&model_path(name, &Progress::new())?)?;
    let files = model.read()?;
    let gguf = files.gguf();
    let summary = Summary::new(gguf, model.size_bytes(), matches.get_one::<u64>("context").copied())?;
    if matches.get_flag("json") {
        out.json(&summary.json(gguf))?;
    } else {
        summary.print(gguf, out)?;
    }
    Ok(Verdict::Fine)
}

struct Summary {
    architecture: String,
    size_bytes: u64,
    n_weights: u64,
    weights_bytes: u64,
    /// Tensors, weights and bytes by format.
    formats: BTreeMap<&'static str, (u64, u64, u64)>,
    cache: Option<Cache>,
}

/// Tokens of a context that many people ask for.
const USUAL_CONTEXT: u64 = 2048;

/// Keys and values that are kept for every token of a context.
struct Cache {
    n_layers: u64,
    /// Heads of keys and values, of all layers together.
    n_kv_heads: u64,
    key_size: u64,
    value_size: u64,
    n_context: u64,
}

impl Cache {
    fn new(metadata: &Metadata, architecture: &str, context: Option<u64>) -> tilework::Result<Option<Cache>> {
        let key = |name: &str| format!("{architecture}.{name}");
        let first = |name: &str| metadata.u64(&key(name));
        let (Some(n_layers), Some(n_embedding)) = (first("block_count")?, first("embedding_length")?) else {
            return Ok(None);
        };
        let Some(heads) = metadata.u32s(&key("attention.head_count"))? else { return Ok(None) };
        let kv_heads = metadata.u32s(&key("attention.head_count_kv"))?.unwrap_or_else(|| heads.clone());
        let n_heads = u64::from(heads.iter().copied().max().unwrap_or(1)).max(1);
        // One number is for every layer.
        let n_kv_heads = match kv_heads.as_slice() {
            [one] => u64::from(*one).saturating_mul(n_layers),
            all => all.iter().map(|&n| u64::from(n)).sum(),
        };
        let head_size = n_embedding / n_heads;
        let n_context = context.or(first("context_length")?).unwrap_or(2048);
        let (key_size, value_size) = (first("attention.key_length")?, first("attention.value_length")?);
        let (key_size, value_size) = (key_size.unwrap_or(head_size), value_size.unwrap_or(head_size));
        Ok(Some(Cache { n_layers, n_kv_heads, key_size, value_size, n_context }))
    }

    fn bytes(&self) -> u64 {
        self.bytes_of(self.n_context)
    }

    fn bytes_of(&self, n_context: u64) -> u64 {
        let per_token = self.n_kv_heads.saturating_mul(self.key_size.saturating_add(self.value_size));
        per_token.saturating_mul(n_context).saturating_mul(self.bytes_per_number())
    }

    /// What the program keeps unless told otherwise.
    fn bytes_per_number(&self) -> u64 {
        CacheType::default().dtype(usize::try_from(self.key_size).unwrap_or_default()).size_bytes() as u64
    }

    /// The sum written out.
    fn formula(&self) -> String {
        let Cache { n_layers, n_kv_heads, key_size, value_size, n_context } = self;
        let sizes =
            if key_size == value_size { format!("2 × {key_size}") } else { format!("({key_size} + {value_size})") };
        let is_even = n_kv_heads.is_multiple_of((*n_layers).max(1));
        let heads = if is_even {
            format!("{n_layers} layers × {} KV heads", n_kv_heads / n_layers.max(&1))
        } else {
            format!("{n_kv_heads} KV heads")
        };
        format!("{heads} × {sizes} × {n_context} tokens × {} bytes", self.bytes_per_number())
    }
}

impl Summary {
    fn new(gguf: &Gguf, size_bytes: u64, context: Option<u64>) -> tilework::Result<Summary> {
        let architecture = gguf.metadata.string("general.architecture")?.unwrap_or("unknown").to_owned();
        let mut formats = BTreeMap::new();
        for tensor in &gguf.tensors {
            let row: &mut (u64, u64, u64) = formats.entry(tensor.format.name()).or_default();
            *row = (row.0 + 1, row.1.saturating_add(tensor.n_elements()), row.2.saturating_add(tensor.size_bytes));
        }
        let sum = |part: fn(&(u64, u64, u64)) -> u64| formats.values().map(part).fold(0, u64::saturating_add);
        let cache = Cache::new(&gguf.metadata, &architecture, context)?;
        let (n_weights, weights_bytes) = (sum(|row| row.1), sum(|row| row.2));
        Ok(Summary { architecture, size_bytes, n_weights, weights_bytes, formats, cache })
    }

    fn kind(gguf: &Gguf) -> tilework::Result<String> {
        let Some(number) = gguf.metadata.u32("general.file_type")? else { return Ok("not said".to_owned()) };
        Ok(Recipe::from_file_type(number).map_or_else(|| format!("number {number}"), |recipe| recipe.name().to_owned()))
    }

    fn print(&self, gguf: &Gguf, out: &mut Out) -> Outcome<()> {
        let name = gguf.metadata.string("general.name")?.unwrap_or("a model without a name");
        let title = out.paint(crate::terminal::Paint::Title, &shortened(name));
        writeln!(out, "{title}")?;
        out.row("architecture", &self.architecture)?;
        out.row(
            "file",
            &format!("{}, GGUF version {}, type {}", amount(self.size_bytes), gguf.version, Summary::kind(gguf)?),
        )?;
        let bits = self.weights_bytes as f64 * 8.0 / self.n_weights.max(1) as f64;
        out.row(
            "weights",
            &format!(
                "{:.1} million in {} tensors, {bits:.2} bits each",
                self.n_weights as f64 / 1e6,
                gguf.tensors.len()
            ),
        )?;
        for (format, (n, n_weights, n_bytes)) in &self.formats {
            out.row(
                &format!("  {format}"),
                &format!("{n} tensors, {:.1} million, {}", *n_weights as f64 / 1e6, amount(*n_bytes)),
            )?;
        }
        self.print_memory(out)?;
        out.title("metadata")?;
        for (key, value) in gguf.metadata.iter() {
            writeln!(out, "  {key} = {}", described(value))?;
        }
        Ok(())
    }

    fn print_memory(&self, out: &mut Out) -> Outcome<()> {
        out.title("memory")?;
        out.row("weights", &amount(self.weights_bytes))?;
        if let Some(cache) = &self.cache {
            out.row("KV cache", &format!("{}, if the context is full", amount(cache.bytes())))?;
            out.row("", &cache.formula())?;
            if cache.n_context != USUAL_CONTEXT {
                let usual = amount(cache.bytes_of(USUAL_CONTEXT));
                out.row("", &format!("{usual} for a context of {USUAL_CONTEXT} tokens"))?;
            }
            out.row("together", &amount(self.weights_bytes.saturating_add(cache.bytes())))?;
        }
        Ok(())
    }

    fn json(&self, gguf: &Gguf) -> Json {
        let formats: Map<String, Json> = self
            .formats
            .iter()
            .map(|(format, (n, n_weights, n_bytes))| {
                ((*format).to_owned(), json!({ "n_tensors": n, "n_weights": n_weights, "size_bytes": n_bytes }))
            })
            .collect();
        let tensors: Vec<Json> = gguf.tensors.iter().map(|tensor| {
            json!({ "name": tensor.name, "shape": tensor.shape, "format": tensor.format.name(), "size_bytes": tensor.size_bytes })
        }).collect();
        let metadata: Map<String, Json> =
            gguf.metadata.iter().map(|(key, value)| (key.to_owned(), as_json(value))).collect();
        let memory = self.cache.as_ref().map(|cache| {
            let usual = cache.bytes_of(USUAL_CONTEXT);
            json!({
                "n_context": cache.n_context, "kv_cache_bytes": cache.bytes(), "formula": cache.formula(),
                "kv_cache_bytes_2048": usual,
            })
        });
        json!({
            "architecture": self.architecture, "version": gguf.version, "size_bytes": self.size_bytes, "n_weights": self.n_weights,
            "weights_bytes": self.weights_bytes, "formats": formats, "memory": memory, "metadata": metadata, "tensors": tensors,
        })
    }
}

/// A value in one line, long ones cut.
fn described(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{:?}", shortened(text)),
        Value::Array(values) => {
            let first: Vec<String> =
                (0..3).filter_map(|index| values.get(index)).map(|value| described(&value)).collect();
            let more = if values.len() > 3 { ", ..." } else { "" };
            format!("{} {}: [{}{more}]", values.len(), values.type_name(), first.join(", "))
        }
        Value::F32(value) => value.to_string(),
        Value::F64(value) => value.to_string(),
        Value::Bool(value) => value.to_string(),
        value => value.as_i128().map_or_else(String::new, |value| value.to_string()),
    }
}

/// At most 60 characters of one line.
fn shortened(text: &str) -> String {
    let mut characters = text.chars();
    let first: String = characters.by_ref().take(60).collect();
    if characters.next().is_some() { format!("{first}...") } else { first }
}

/// A value for programs; arrays of more than 16 only by their length, as a vocabulary would bury everything else.
fn as_json(value: &Value) -> Json {
    let number = |value: i128| i64::try_from(value).map(Json::from).or_else(|_| u64::try_from(value).map(Json::from));
    match value {
        Value::String(text) => json!(text),
        Value::F32(value) => json!(value),
        Value::F64(value) => json!(value),
        Value::Bool(value) => json!(value),
        Value::Array(values) if values.len() > 16 => json!({ "type": values.type_name(), "n": values.len() }),
        Value::Array(values) => array_as_json(values),
        value => value.as_i128().and_then(|value| number(value).ok()).unwrap_or(Json::Null),
    }
}

fn array_as_json(values: &Values) -> Json {
    (0..values.len()).filter_map(|index| values.get(index)).map(|value| as_json(&value)).collect()
}
