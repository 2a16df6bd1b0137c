//! Keys and values of new tokens, written into a cache where earlier ones end.
//!
//! `cache: [2, n_heads, n_places, d]`, keys first; `keys`, `values: [n_heads, n_new, d]`. Place `n_past + i` of every head becomes row `i`;
//! rows that would fall outside are left out. `n_past` is an input and no attribute, so that a captured step can be replayed at the
//! next position.
//!
//! A cache may be one of 16-bit floats, to which what is written is rounded; its rows are whole quads then, so that no two invocations
//! write into one word.
//!
//! The result is the changed cache. Where nobody else holds the old one it is changed in place (see [`Op::updates`]): a step of a
//! language model then writes a few rows and copies nothing.

mod reference;

use crate::attrs::Given;
use crate::case::{Case, Fill};
use crate::cpu::{CpuCx, Element};
use crate::graph::NodeRef;
use crate::op::{InputForm, Meta, Op, OpSignature, PlanCx, Reference, VjpCx};
use crate::ops::gather::indices_of;
use crate::registry::Entry;
use std::sync::Arc;
use tilework_core::dtype::DType;
use tilework_core::emit::{KernelBuilder, QUAD};
use tilework_core::half::HAS_HALF;
use tilework_core::host::{HostBuffer, HostView};
use tilework_core::plan::Pass;
use tilework_core::{Error, ErrorKind, Result};
use tilework_vm::Float;

const APPEND: &str = tilework_core::wgsl!("append.wgsl");

/// Writes keys and values into a cache.
#[derive(Clone, Copy, Debug)]
pub struct CacheAppend;

/// Sizes of the inputs.
struct Sizes {
    n_heads: usize,
    n_places: usize,
    n_new: usize,
    d: usize,
}

impl Sizes {
    fn of(cache: &[usize], keys: &[usize]) -> Option<Sizes> {
        match (cache, keys) {
            (&[2, n_heads, n_places, d], &[k_heads, n_new, k_d]) if (k_heads, k_d) == (n_heads, d) => {
                Some(Sizes { n_heads, n_places, n_new, d })
            }
            _ => None,
        }
    }

    /// Where row `row` of keys (part 0) or values (part 1) goes, in rows of the cache.
    fn place(&self, part: usize, row: usize, past: i64) -> Option<usize> {
        let (head, i) = (row / self.n_new.max(1), row % self.n_new.max(1));
        let place = usize::try_from(past.checked_add(i as i64)?).ok().filter(|&place| place < self.n_places)?;
        Some((part * self.n_heads + head) * self.n_places + place)
    }
}

impl Op for CacheAppend {
    fn signature(&self) -> &'static OpSignature {
        &SIGNATURE
    }

    fn encode(&self, _words: &mut Vec<u32>) {}

    fn infer(&self, inputs: &[Meta]) -> Result<Meta> {
        let name = SIGNATURE.name;
        let [cache, keys, values, n_past] = inputs else {
            return Err(Error::argument(name, "takes a cache, keys, values and how many places are filled"));
        };
        if Sizes::of(&cache.shape, &keys.shape).is_none() || keys.shape != values.shape {
            let message = format!(
                "needs [2, heads, places, elements] and twice [heads, new, elements], got {}, {} and {}",
                cache.shape, keys.shape, values.shape
            );
            return Err(Error::shape(name, message));
        }
        let is_cache = cache.dtype == DType::F32 || (HAS_HALF && cache.dtype == DType::F16);
        if !is_cache || [keys, values].iter().any(|meta| meta.dtype != DType::F32) {
            let types = format!("{}, {} and {}", cache.dtype, keys.dtype, values.dtype);
            let message = format!("needs a cache of float16 or float32, and the rest of float32; got {types}");
            return Err(Error::dtype(name, message));
        }
        if cache.dtype == DType::F16 && !cache.shape[3].is_multiple_of(QUAD) {
            let message = format!("a cache of float16 needs a multiple of four elements, got {}", cache.shape);
            return Err(Error::shape(name, message));
        }
        if !n_past.dtype.is_integer() || n_past.shape.n_elements() != 1 {
            let message = format!("n_past must be one integer, got {} of {}", n_past.shape, n_past.dtype);
            return Err(Error::shape(name, message));
        }
        Ok(cache.clone())
    }

    fn input_form(&self, index: usize) -> InputForm {
        if index == 0 { InputForm::Strided } else { InputForm::Elements { n_reads: 1 } }
    }

    fn updates(&self) -> Option<usize> {
        Some(0)
    }

    fn cpu(&self, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
        let wrong = || Error::shape(SIGNATURE.name, "inputs changed their shapes");
        let sizes = Sizes::of(&cx.inputs[0].fused.grid, &cx.inputs[1].fused.grid).ok_or_else(wrong)?;
        let past = indices_of(&cx.inputs[3]).first().map_or(0, |&past| i64::from(past));
        let mut rounded = vec![0.0; if matches!(out, HostBuffer::F32(_)) { 0 } else { sizes.d }];
        for part in 0..2 {
            let input = &cx.inputs[1 + part];
            for row in 0..sizes.n_heads * sizes.n_new {
                let Some(place) = sizes.place(part, row, past) else { continue };
                match out {
                    HostBuffer::F32(out) => f32::read(input, row * sizes.d, &mut out[place * sizes.d..][..sizes.d]),
                    HostBuffer::F16(out) if HAS_HALF => {
                        f32::read(input, row * sizes.d, &mut rounded);
                        f32::narrow(&rounded, &mut out[place * sizes.d..][..sizes.d]);
                    }
                    _ => return Err(Error::dtype(SIGNATURE.name, "gives float16 or float32")),
                }
            }
        }
        Ok(())
    }

    fn plan(&self, cx: &mut PlanCx<'_>) -> Result<Vec<Pass>> {
        let wrong = || Error::shape(SIGNATURE.name, "inputs changed their shapes");
        let sizes = Sizes::of(&cx.inputs[0].grid, &cx.inputs[1].grid).ok_or_else(wrong)?;
        let n_half = sizes.n_heads * sizes.n_new * sizes.d;
        if cx.out.shape.n_elements() == 0 {
            return Ok(Vec::new());
        }
        let width = if sizes.d.is_multiple_of(QUAD) { QUAD } else { 1 };
        let builder = KernelBuilder::new("cache append")
            .file(APPEND)
            .prelude(&format!("const WIDTH: u32 = {width}u;"))
            .param("n_half", n_half as u32)
            .param("n_heads", sizes.n_heads as u32)
            .param("n_places", sizes.n_places as u32)
            .param("n_new", sizes.n_new.max(1) as u32)
            .param("d", sizes.d.max(1) as u32);
        let builder = cx.pack_source(cx.pack_source(builder, "key", 1, width), "value", 2, width);
        let builder = cx.pack_sink(cx.source(builder, "past", 3), "y", width);
        Ok(vec![builder.build(cx.workgroups((2 * n_half).div_ceil(256 * width)))])
    }

    #[cfg(feature = "grad")]
    fn vjp(&self, _cx: &VjpCx<'_>) -> Result<Vec<Option<NodeRef>>> {
        Err(Error::new(ErrorKind::Unsupported, SIGNATURE.name, "has no derivative"))
    }

    fn flops(&self, inputs: &[Meta], _out: &Meta) -> f64 {
        2.0 * inputs[1].shape.n_elements() as f64
    }
}

impl Reference for CacheAppend {
    fn reference(&self, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
        reference::cache_append(inputs, out)
    }
}

static SIGNATURE: OpSignature = OpSignature {
    name: "cache_append",
    inputs: &["cache", "keys", "values", "n_past"],
    attributes: &[],
    doc: crate::op::said(
        "A cache [2, heads, places, elements] of 16 or 32-bit floats with keys and values [heads, new, elements] written from place n_past on; rows that fall outside are left out. The cache is changed in place where nobody else holds it.",
    ),
};

fn build(_given: &Given<'_>) -> Result<Arc<dyn Op>> {
    Ok(Arc::new(CacheAppend))
}

fn cases() -> Vec<Case> {
    let case = |name, cache: &[usize], new: &[usize], past: f64| case_of(DType::F32, name, cache, new, past);
    let half = |name, cache: &[usize], new: &[usize], past: f64| case_of(DType::F16, name, cache, new, past);
    vec![
        case("one element", &[2, 1, 1, 1], &[1, 1, 1], 0.0),
        case("in the middle", &[2, 3, 40, 20], &[3, 5, 20], 17.0),
        case("rows of an odd number", &[2, 3, 40, 7], &[3, 5, 7], 17.0),
        case("the last place", &[2, 2, 7, 4], &[2, 1, 4], 6.0),
        case("past the end", &[2, 2, 7, 4], &[2, 4, 4], 5.0),
        case("before the start", &[2, 2, 7, 4], &[2, 4, 4], -2.0),
        case("nothing new", &[2, 2, 7, 4], &[2, 0, 4], 1.0),
        case("no places", &[2, 2, 0, 4], &[2, 1, 4], 0.0),
        half("halves", &[2, 3, 40, 20], &[3, 5, 20], 17.0),
        half("halves past the end", &[2, 2, 7, 4], &[2, 4, 4], 5.0),
        half("no halves", &[2, 2, 7, 4], &[2, 0, 4], 1.0),
        Case::new("heads after the tokens in memory", CacheAppend)
            .input(DType::F32, &[2, 3, 9, 8], Fill::Spread)
            .input(DType::F32, &[4, 3, 8], Fill::Spread)
            .permuted(&[1, 0, 2])
            .input(DType::F32, &[4, 3, 8], Fill::Spread)
            .permuted(&[1, 0, 2])
            .input(DType::I32, &[1], Fill::All(3.0))
            .without_gradient()
            .tolerance(0.0),
        Case::new("a cache of another order", CacheAppend)
            .input(DType::F32, &[3, 2, 9, 8], Fill::Spread)
            .permuted(&[1, 0, 2, 3])
            .input(DType::F32, &[3, 2, 8], Fill::Spread)
            .input(DType::F32, &[3, 2, 8], Fill::Spread)
            .input(DType::U32, &[1], Fill::All(3.0))
            .without_gradient()
            .tolerance(0.0),
    ]
}

fn case_of(dtype: DType, name: &'static str, cache: &[usize], new: &[usize], past: f64) -> Case {
    Case::new(name, CacheAppend)
        .input(dtype, cache, Fill::Spread)
        .input(DType::F32, new, Fill::Spread)
        .input(DType::F32, new, Fill::Spread)
        .input(DType::I32, &[], Fill::All(past))
        .without_gradient()
        .tolerance(0.0)
}

/// This operation's line in the registry.
pub const ENTRY: Entry = Entry { signature: &SIGNATURE, build, cases, kernels: &[("append.wgsl", APPEND)] };
