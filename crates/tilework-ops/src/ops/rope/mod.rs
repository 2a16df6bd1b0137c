//! Rotary position embedding: pairs of elements of a row are turned by an angle that grows with the row's position.
//!
//! `x: [.., n_seq, n_dims]`: the sequence is the second last axis, heads and batches come before it. The first `2·n_pairs` elements
//! of a row are turned, the others stay. Pairs are neighbours (`interleaved`: 2p and 2p + 1, as in the original and in Llama's own
//! code) or lie half of the turned elements apart (`half`: p and p + n_pairs, as in GPT-NeoX and Hugging Face's Llama).
//!
//! Positions are an input, so that a captured step can be replayed at another position: one number without axes is the position
//! of the first row, the others following it; an array has the position of each place of the sequence.
//!
//! Frequencies are an input too: a table of turns per position in fixed point (see [`RopeFrequencies::table`]). A product of a
//! position and a fraction in fixed point loses nothing modulo a whole turn; in floats, half a unit in the last place of a frequency
//! is 4 milliradians at position 131 072.

mod cases;
mod cpu;
mod frequencies;
mod reference;

pub use frequencies::{FREQUENCY_ATTRIBUTES, RopeFrequencies, RopeScaling};

use crate::attrs::{AttrKind, Attribute, Given};
use crate::cpu::CpuCx;
use crate::graph::{self, NodeRef};
use crate::op::{InputForm, Meta, Op, OpSignature, PlanCx, Reference, VjpCx};
use crate::registry::Entry;
use std::sync::Arc;
use tilework_core::dtype::DType;
use tilework_core::emit::{KernelBuilder, QUAD};
use tilework_core::host::{HostBuffer, HostView};
use tilework_core::plan::Pass;
use tilework_core::{Error, Result};

const ROPE: &str = tilework_core::wgsl!("rope.wgsl");

/// Which elements of a row are a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pairing {
    /// Neighbours: 2p and 2p + 1.
    Interleaved,
    /// p and p + n_pairs.
    Half,
}

/// Which way pairs are turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Forward,
    Backward,
}

/// Turns pairs by their position.
#[derive(Clone, Debug)]
pub struct Rope {
    pairing: Pairing,
    /// What turned elements are multiplied with.
    amplitude: f64,
    direction: Direction,
}

impl Rope {
    /// Turns pairs, and multiplies them by `amplitude` (1 unless frequencies were scaled by YaRN).
    pub fn new(pairing: Pairing, amplitude: f64) -> Rope {
        Rope { pairing, amplitude, direction: Direction::Forward }
    }
}

impl Op for Rope {
    fn signature(&self) -> &'static OpSignature {
        &SIGNATURE
    }

    fn encode(&self, words: &mut Vec<u32>) {
        let bits = self.amplitude.to_bits();
        words.extend([self.pairing as u32, self.direction as u32, bits as u32, (bits >> 32) as u32]);
    }

    fn infer(&self, inputs: &[Meta]) -> Result<Meta> {
        let [x, positions, table] = inputs else { return Err(Error::argument("rope", "takes three inputs")) };
        let &[.., n_seq, n_dims] = &x.shape[..] else {
            return Err(Error::shape("rope", format!("needs [.., sequence, elements], got {}", x.shape)));
        };
        if !x.dtype.is_float() || !positions.dtype.is_integer() || table.dtype != DType::U32 {
            let message = format!(
                "needs floats, integer positions and a table of uint32, got {}, {} and {}",
                x.dtype, positions.dtype, table.dtype
            );
            return Err(Error::dtype("rope", message));
        }
        if positions.shape.rank() != 0 && positions.shape[..] != [n_seq] {
            let message = format!("positions of {} must be one number or [{n_seq}], got {}", x.shape, positions.shape);
            return Err(Error::shape("rope", message));
        }
        match table.shape[..] {
            [2, n_pairs] if 2 * n_pairs <= n_dims => Ok(x.clone()),
            _ => Err(Error::shape("rope", format!("no table of {}: needs [2, pairs], got {}", x.shape, table.shape))),
        }
    }

    fn input_form(&self, index: usize) -> InputForm {
        if index == 2 { InputForm::Strided } else { InputForm::Elements { n_reads: 1 } }
    }

    fn cpu(&self, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
        cpu::rope(self, cx, out)
    }

    fn plan(&self, cx: &mut PlanCx<'_>) -> Result<Vec<Pass>> {
        let grid = &cx.inputs[0].grid;
        let (n_seq, n_dims) = (grid[grid.rank() - 2], grid[grid.rank() - 1]);
        let n_pairs = cx.inputs[2].grid[1];
        let in_quads = n_dims.is_multiple_of(QUAD) && n_pairs.is_multiple_of(QUAD) && grid.n_elements() > 0;
        let pack = if in_quads { QUAD } else { 1 };
        let n_rows = grid.n_elements() / n_dims.max(1);
        let n_units = n_rows * (n_dims - n_pairs) / pack;
        let builder = KernelBuilder::new("rope")
            .file(ROPE)
            .prelude(&format!("const PACK: u32 = {pack}u;"))
            .prelude(&format!("const INTERLEAVED: bool = {};", self.pairing == Pairing::Interleaved))
            .prelude(&format!("const BACKWARD: bool = {};", self.direction == Direction::Backward))
            .prelude(&format!("const IS_START: bool = {};", cx.inputs[1].grid.rank() == 0))
            .param("n_units", n_units as u32)
            .param("n_seq", n_seq.max(1) as u32)
            .param("n_dims", n_dims as u32)
            .param("n_pairs", n_pairs as u32)
            .param("amplitude", (self.amplitude as f32).to_bits());
        let builder = cx.source(cx.source(builder, "position", 1), "turns", 2);
        let builder = cx.pack_sink(cx.pack_source(builder, "x", 0, pack), "y", pack);
        Ok(vec![builder.build(cx.workgroups(n_units.div_ceil(256)))])
    }

    #[cfg(feature = "grad")]
    fn vjp(&self, cx: &VjpCx<'_>) -> Result<Vec<Option<NodeRef>>> {
        let direction = if self.direction == Direction::Forward { Direction::Backward } else { Direction::Forward };
        let back = Rope { direction, ..self.clone() };
        let inputs = [cx.adjoint.clone(), cx.inputs[1].clone(), cx.inputs[2].clone()];
        // The part that is not turned is not multiplied either, so the transposed operation is exactly this one turned back.
        Ok(vec![Some(graph::apply(back, &inputs)?), None, None])
    }

    fn flops(&self, inputs: &[Meta], _out: &Meta) -> f64 {
        20.0 * inputs[0].shape.n_elements() as f64
    }
}

impl Reference for Rope {
    fn reference(&self, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
        reference::rope(self, inputs, out)
    }
}

static SIGNATURE: OpSignature = OpSignature {
    name: "rope",
    inputs: &["x", "positions", "frequencies"],
    attributes: &[
        Attribute::required(
            "pairing",
            AttrKind::Choice(&["interleaved", "half"]),
            "whether neighbours are a pair, or elements half of the turned ones apart",
        ),
        Attribute::optional("amplitude", AttrKind::Number, "what turned elements are multiplied with; 1 unless told"),
    ],
    doc: crate::op::said(
        "Rotary position embedding of [.., sequence, elements]: pairs of elements are turned by position times frequency. Positions are one integer, that of the first place, or one for each place; frequencies are a table made by rope_frequencies. Elements beyond its pairs stay.",
    ),
};

fn build(given: &Given<'_>) -> Result<Arc<dyn Op>> {
    let choices = [("interleaved", Pairing::Interleaved), ("half", Pairing::Half)];
    Ok(Arc::new(Rope::new(given.choice("pairing", &choices, None)?, given.number_or("amplitude", 1.0)?)))
}

/// This operation's line in the registry.
pub const ENTRY: Entry = Entry { signature: &SIGNATURE, build, cases: cases::cases, kernels: &[("rope.wgsl", ROPE)] };
