//! "pixels": a model as pictures, looked at, measured, compared, painted over and saved.
//!
//! Files: `model` (a PNG page, safetensors or GGUF), for further pages of a picture `model.2`, `model.3` ... Option: `name`, what to
//! call a file that is no picture. Methods:
//!
//! - `info`: pages, tensors with their places, metadata, and `digits`, the network that these are the weights of, if it is one.
//! - `tile` (`page`, `level`, `column`, `row`, `colors`: "exact", "heat" or "difference"): a file of RGBA bytes; see [`render`].
//! - `values` (`tensor`, `start`, `count`, `lines`, `step`): weights, NaN beyond the last one.
//! - `sheet` (`tensor`, `parts`): groups of rows side by side, as RGBA bytes.
//! - `histogram` (`tensor`, or all; `bins`; `of`: "values" or "difference"), `spectrum` (`tensor`): numbers about weights.
//! - `compare` (file: another model) and `changes` (with itself as it was opened): what differs, which "difference" then means.
//! - `edit` (`tensor`, `spans` of start and count, `value`; answer: `painted`, the weights set so far), `replace` (file: the same
//!   tensors), `reset`.
//! - `save` (`compress`): PNG pages one after the other, and where each ends. `verify`: what the checksums say.
//! - `classify` (data: images; `original`) and `prepare`, as of "digits".

mod compare;
mod describe;
mod files;
mod render;
mod spectrum;
mod weights;

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::{Value, json};
use tilework::{Device, Error, Result};

use self::compare::{Comparison, Spread, Zeros};
use self::describe::{described, metadata};
use self::files::{picture, save, verified};
use self::render::{Colors, Image, Place};
use self::weights::{Painted, Side};
use super::digits::{classify, prepared};
use super::{Answer, Answering, Files, Opening, Question, Served, count, no_method};
use crate::models::{DIGIT_NETWORKS, digit_network};
use crate::pixels::{Encoding, PixelFile, block_of};
use crate::{Classifier, Network, Weights};

const METHODS: &[&str] = &[
    "info",
    "tile",
    "values",
    "sheet",
    "histogram",
    "spectrum",
    "compare",
    "changes",
    "edit",
    "replace",
    "reset",
    "save",
    "verify",
    "classify",
    "prepare",
];
/// Numbers of one answer, at most.
const MAX_VALUES: u64 = 1 << 26;
const MAX_BINS: u64 = 4096;

struct Pixels {
    device: Device,
    source: &'static str,
    name: String,
    painted: RefCell<Painted>,
    compared: RefCell<Option<Compared>>,
    /// The network with the weights of now, and with those it was opened with; made when it is first asked.
    readers: RefCell<[Option<Rc<Classifier>>; 2]>,
}

/// What differences are to.
struct Compared {
    /// Another model; `None` is this one as it was opened.
    other: Option<PixelFile>,
    comparison: Comparison,
}

pub(super) fn open<'a>(device: &'a Device, files: &'a Files, options: &'a Value) -> Opening<'a> {
    Box::pin(async move {
        let mut pages = vec![files.get("model")?.to_vec()];
        for number in 2.. {
            match files.0.get(&format!("model.{number}")) {
                Some(page) => pages.push(page.clone()),
                None => break,
            }
        }
        let name = options.get("name").and_then(Value::as_str).unwrap_or("model");
        let (source, file) = picture(pages, name)?;
        Ok(Rc::new(Pixels {
            device: device.clone(),
            source,
            name: name.to_owned(),
            painted: RefCell::new(Painted::new(file)?),
            compared: RefCell::default(),
            readers: RefCell::default(),
        }) as Rc<dyn Served>)
    })
}

impl Served for Pixels {
    fn ask(&self, question: Question) -> Answering<'_> {
        Box::pin(async move {
            match question.method.as_str() {
                "classify" => {
                    let reader = self.reader(flag(&question.options, "original")).await?;
                    classify(&reader, question.data).await
                }
                "prepare" => prepared(question),
                "compare" | "changes" | "edit" | "replace" | "reset" | "save" => self.change(question),
                _ => self.look(&question),
            }
        })
    }
}

impl Pixels {
    /// Questions that change nothing.
    fn look(&self, question: &Question) -> Result<Answer> {
        let Question { method, options, .. } = question;
        let painted = self.painted.borrow();
        match method.as_str() {
            "info" => Ok(Answer { value: self.info(&painted)?, ..Answer::default() }),
            "tile" => self.tile(&painted, options),
            "values" => stretch(painted.now(), options),
            "sheet" => sheet(&painted, options),
            "histogram" => self.histogram(&painted, options),
            "spectrum" => {
                let index = tensor(&painted.file, options)?;
                let tile = painted.tile(index)?;
                let n_cols = usize::try_from(tile.n_cols()).unwrap_or(0);
                let weights = painted.now().weights(index, 0..tile.n_elements())?;
                Ok(Answer { data: spectrum::singular_values(&weights, n_cols)?, ..Answer::default() })
            }
            "verify" => verified(&painted.file),
            method => Err(no_method(method, METHODS)),
        }
    }

    /// Questions that change what is asked later.
    fn change(&self, question: Question) -> Result<Answer> {
        let Question { method, options, file, .. } = question;
        let mut painted = self.painted.borrow_mut();
        match method.as_str() {
            "compare" => {
                let (_, other) = picture(vec![file], "other")?;
                let comparison = compare::compare(painted.now(), Side::of(&other))?;
                return Ok(self.keep(Some(other), comparison));
            }
            "changes" => return Ok(self.keep(None, compare::compare(painted.now(), painted.original())?)),
            "save" => {
                let is_small = flag(&options, "compress");
                return save(&mut painted, if is_small { Encoding::Deflate } else { Encoding::Stored });
            }
            "edit" => edit(&mut painted, &options)?,
            "replace" => painted.take(&picture(vec![file], "weights")?.1)?,
            _ => painted.reset()?,
        }
        self.readers.borrow_mut()[0] = None;
        Ok(Answer { value: json!({ "painted": painted.n_touched() }), ..Answer::default() })
    }

    fn keep(&self, other: Option<PixelFile>, comparison: Comparison) -> Answer {
        let value = comparison.to_json();
        *self.compared.borrow_mut() = Some(Compared { other, comparison });
        Answer { value, ..Answer::default() }
    }

    fn info(&self, painted: &Painted) -> Result<Value> {
        let tensors = painted.file.tensors().iter().zip(&painted.scales).map(|(tile, scale)| described(tile, *scale));
        let pages: Vec<Value> =
            painted.file.pages().iter().map(|page| json!({ "width": page.width, "height": page.height })).collect();
        let title = painted.file.title();
        Ok(json!({
            "name": if title.is_empty() { &self.name } else { title },
            "source": self.source,
            "pages": pages,
            "tensors": tensors.collect::<Vec<_>>(),
            "metadata": metadata(&painted.file)?,
            "digits": self.network(painted.original()).ok().map(|(network, _)| network.name()),
        }))
    }

    fn tile(&self, painted: &Painted, options: &Value) -> Result<Answer> {
        let number = |name| count(options, name, 0, 0);
        let place = Place {
            page: number("page")? as usize,
            level: number("level")?.min(64) as u32,
            column: number("column")?,
            row: number("row")?,
        };
        let compared = self.compared.borrow();
        let colors = match options.get("colors").and_then(Value::as_str) {
            Some("exact") => Colors::Exact,
            Some("difference") => {
                let compared = compared.as_ref().ok_or_else(nothing_compared)?;
                let other = compared.other.as_ref().map_or_else(|| painted.original(), Side::of);
                Colors::Difference(other, &compared.comparison.largest)
            }
            _ => Colors::Heat(&painted.scales),
        };
        Ok(pictured(render::tile(painted.now(), place, colors)?, json!({})))
    }

    /// Of a tensor or of all, the values or the differences.
    fn histogram(&self, painted: &Painted, options: &Value) -> Result<Answer> {
        let n_bins = count(options, "bins", 64, 1)?.min(MAX_BINS) as usize;
        let one = options.get("tensor").filter(|name| !name.is_null()).map(|_| tensor(&painted.file, options));
        let one = one.transpose()?;
        let compared = self.compared.borrow();
        let is_difference = options.get("of").and_then(Value::as_str) == Some("difference");
        let compared = match (is_difference, compared.as_ref()) {
            (true, None) => return Err(nothing_compared()),
            (true, compared) => compared,
            (false, _) => None,
        };
        let mut spread = Spread::new(n_bins, if is_difference { Zeros::CountedApart } else { Zeros::Binned });
        for see in [Spread::measure, Spread::count] {
            for index in (0..painted.file.tensors().len()).filter(|index| one.is_none_or(|one| one == *index)) {
                if block_of(&painted.tile(index)?.dtype).is_none() {
                    continue;
                }
                match compared {
                    None => painted.now().each(index, |_, weights| see(&mut spread, weights))?,
                    Some(compared) => compared.each(painted, index, |difference| see(&mut spread, difference))?,
                }
            }
        }
        Ok(Answer { value: spread.to_json(), ..Answer::default() })
    }

    /// The network that these are the weights of, and its weights.
    fn network(&self, side: Side<'_>) -> Result<(&'static dyn Network, Weights)> {
        let mut weights = Weights::new(&self.device);
        for (index, tile) in side.file.tensors().iter().enumerate() {
            // Digit networks are small; nothing large needs to be read to see that this is none.
            let shape: Vec<usize> = tile.shape.iter().map(|&size| size as usize).collect();
            if is_digit_parameter(&tile.name) && tile.n_elements() < 1 << 24 && block_of(&tile.dtype).is_some() {
                let array = self.device.array(side.weights(index, 0..tile.n_elements())?, shape.as_slice());
                weights.insert(tile.name.clone(), array);
            }
        }
        let network = digit_network(&weights)?;
        network.parameters_of(&weights)?;
        Ok((network, weights))
    }

    async fn reader(&self, is_original: bool) -> Result<Rc<Classifier>> {
        let at = usize::from(is_original);
        if let Some(reader) = &self.readers.borrow()[at] {
            return Ok(reader.clone());
        }
        let (network, weights) = {
            let painted = self.painted.borrow();
            self.network(if is_original { painted.original() } else { painted.now() })?
        };
        let reader = Rc::new(Classifier::new(network, &weights).await?);
        self.readers.borrow_mut()[at] = Some(reader.clone());
        Ok(reader)
    }
}

impl Compared {
    /// Differences of a tensor, some at a time; none if it was not compared.
    fn each(&self, painted: &Painted, index: usize, mut see: impl FnMut(&[f32])) -> Result<()> {
        if self.comparison.largest.get(index).copied().flatten().is_none() {
            return Ok(());
        }
        let other = self.other.as_ref().map_or_else(|| painted.original(), Side::of);
        let at = other.file.find(&painted.tile(index)?.name)?;
        let mut failure = None;
        painted.now().each(index, |start, weights| {
            match other.weights(at, start..start + weights.len() as u64) {
                Ok(theirs) => see(&weights.iter().zip(&theirs).map(|(a, b)| a - b).collect::<Vec<_>>()),
                Err(error) => failure = Some(error),
            };
        })?;
        failure.map_or(Ok(()), Err)
    }
}

fn is_digit_parameter(name: &str) -> bool {
    DIGIT_NETWORKS.iter().any(|network| network.parameters().iter().any(|parameter| parameter.name == name))
}

fn nothing_compared() -> Error {
    Error::argument("pixels", "there is nothing to compare with yet; ask for `compare` or `changes` first")
}

fn flag(options: &Value, name: &str) -> bool {
    options.get(name).and_then(Value::as_bool).unwrap_or(false)
}

/// The place of the tensor that the options name.
fn tensor(file: &PixelFile, options: &Value) -> Result<usize> {
    let name = options.get("tensor").and_then(Value::as_str);
    file.find(name.ok_or_else(|| Error::argument("pixels", "`tensor` must be a name"))?)
}

fn pictured(image: Image, mut value: Value) -> Answer {
    value["width"] = image.width.into();
    value["height"] = image.height.into();
    Answer { value, file: image.rgba, ..Answer::default() }
}

fn sheet(painted: &Painted, options: &Value) -> Result<Answer> {
    let index = tensor(&painted.file, options)?;
    let n_parts = count(options, "parts", 1, 1)?;
    let scale = painted.scales.get(index).copied().unwrap_or(1.0);
    let sheet = render::sheet(painted.now(), index, n_parts, scale)?;
    let value = json!({
        "columns": sheet.n_across, "partWidth": sheet.part_width, "partHeight": sheet.part_height, "parts": n_parts,
    });
    Ok(pictured(sheet.image, value))
}

/// `lines` times `count` weights from `start` on, `step` apart.
fn stretch(side: Side<'_>, options: &Value) -> Result<Answer> {
    let index = tensor(side.file, options)?;
    let (start, n) = (count(options, "start", 0, 0)?, count(options, "count", 0, 0)?);
    let (n_lines, step) = (count(options, "lines", 1, 0)?, count(options, "step", 0, 0)?);
    if n.checked_mul(n_lines).is_none_or(|n| n > MAX_VALUES) {
        return Err(Error::argument("pixels", format!("{n_lines} times {n} weights are too many for one answer")));
    }
    let mut data = Vec::new();
    for line in 0..if n == 0 { 0 } else { n_lines } {
        let from = line.saturating_mul(step).saturating_add(start);
        let weights = side.weights(index, from..from.saturating_add(n))?;
        let n_missing = n as usize - weights.len();
        data.extend(weights);
        data.extend(std::iter::repeat_n(f32::NAN, n_missing));
    }
    Ok(Answer { data, ..Answer::default() })
}

fn edit(painted: &mut Painted, options: &Value) -> Result<()> {
    let index = tensor(&painted.file, options)?;
    let wrong = || Error::argument("pixels", "`spans` must be pairs of a start and a count, and `value` a number");
    let value = options.get("value").and_then(Value::as_f64).ok_or_else(wrong)?;
    let span = |span: &Value| {
        let [start, count] = span.as_array()?.as_slice() else { return None };
        Some((start.as_u64()?, count.as_u64()?))
    };
    let spans = options.get("spans").and_then(Value::as_array).ok_or_else(wrong)?;
    let spans: Vec<(u64, u64)> = spans.iter().map(span).collect::<Option<_>>().ok_or_else(wrong)?;
    painted.set(index, &spans, value)
}
