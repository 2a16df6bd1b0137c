//! Conformance cases as data.
//!
//! Every operation carries the cases it must pass. The same cases run on the CPU, on a GPU and in a browser against the
//! operation's reference, feed the gradient check and the benchmark, and are what a newcomer reads to learn the edges.

use crate::graph::{self, NodeRef, View};
use crate::op::Reference;
use std::sync::Arc;
use tilework_core::Result;
use tilework_core::dtype::DType;
use tilework_core::expr::Value;
use tilework_core::host::HostBuffer;
use tilework_core::layout::Layout;
use tilework_core::quant::Format;
use tilework_core::shape::Shape;

/// How the elements of a case's input are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fill {
    /// Even spread over −2 to 2, reproducible, no two inputs alike.
    Spread,
    /// Even spread over 0 to 4: sums do not cancel, so their relative error means something.
    Positive,
    /// Distinct values: no ties.
    Distinct,
    /// Integers 0 to `n − 1`.
    Below(u32),
    /// One value.
    All(f64),
    /// Spread with NaN, infinities and −0 in between.
    Special,
    /// Truth values.
    Truth,
    /// Between −2 and 2 without any pattern: matrices of full rank with singular values well apart.
    Noise,
    /// Spread, but with a diagonal that outweighs the rest of its row, in matrices of this many rows and columns.
    Dominant(u32),
    /// Ascending from about −2 to 2, some of them equal; integers from −20 (unsigned from 0) on.
    Ascending,
}

/// One input of a case: data and a view of it.
#[derive(Clone, Debug)]
pub struct CaseInput {
    /// The elements in memory.
    pub data: HostBuffer,
    /// Their shape.
    pub shape: Shape,
    /// Views taken one after the other; an expansion carries its sizes.
    pub views: Vec<(View, Vec<usize>)>,
}

impl CaseInput {
    /// Which elements the operation sees.
    pub fn layout(&self) -> Layout {
        self.views.iter().fold(Layout::contiguous(self.shape.clone()), |layout, (view, sizes)| match view {
            View::Permute(order) => layout.permuted(order),
            &View::Slice { axis, start, step, len } => layout.sliced(axis, start, step, len),
            View::Expand | View::Reshape => layout.expanded(&Shape::new("case", sizes.clone()).unwrap_or_default()),
        })
    }

    /// The same as a node over `source`, which holds the data in its shape.
    pub fn node(&self, source: NodeRef) -> Result<NodeRef> {
        self.views.iter().try_fold(source, |node, (view, sizes)| match view {
            View::Permute(order) => graph::permute(&node, &order.iter().map(|&axis| axis as isize).collect::<Vec<_>>()),
            &View::Slice { axis, start, step, len } => graph::slice(&node, axis, start, step, len),
            View::Expand | View::Reshape => graph::expand(&node, &Shape::new("case", sizes.clone())?),
        })
    }
}

/// One case.
#[derive(Clone, Debug)]
pub struct Case {
    /// What it is about.
    pub name: &'static str,
    /// The operation with its attributes.
    pub op: Arc<dyn Reference>,
    /// Its inputs.
    pub inputs: Vec<CaseInput>,
    /// Largest error allowed, relative to the larger of 1 and the largest result.
    pub tolerance: f64,
    /// Whether the derivative is defined here (no ties, no kinks) and should be checked.
    pub check_gradient: bool,
}

impl Case {
    /// A case with the default tolerance and a gradient check.
    pub fn new(name: &'static str, op: impl Reference) -> Case {
        Case { name, op: Arc::new(op), inputs: Vec::new(), tolerance: 2e-6, check_gradient: true }
    }

    /// Adds a contiguous input.
    #[must_use]
    pub fn input(mut self, dtype: DType, sizes: &[usize], fill: Fill) -> Case {
        let shape = Shape::new("case", sizes).unwrap_or_default();
        let data = filled(dtype, shape.n_elements(), fill, self.inputs.len() as u64);
        self.inputs.push(CaseInput { data, shape, views: Vec::new() });
        self
    }

    /// Adds packed weights of this format.
    #[must_use]
    pub fn weights(mut self, format: Format, n_rows: usize, n_cols: usize) -> Case {
        let (words, shape) = crate::packed_weights::sample(format, n_rows, n_cols);
        self.inputs.push(CaseInput { data: HostBuffer::U32(words), shape, views: Vec::new() });
        self
    }

    /// Reorders the axes of the last input.
    #[must_use]
    pub fn permuted(self, order: &[usize]) -> Case {
        self.viewed(View::Permute(order.to_vec()), Vec::new())
    }

    /// Swaps the first two axes of the first input.
    #[must_use]
    pub fn reversed_left(mut self) -> Case {
        if let Some(input) = self.inputs.first_mut() {
            input.views.push((View::Permute(vec![1, 0]), Vec::new()));
        }
        self
    }

    /// Takes `len` elements of an axis of the last input.
    #[must_use]
    pub fn sliced(self, axis: usize, start: usize, step: isize, len: usize) -> Case {
        self.viewed(View::Slice { axis, start, step, len }, Vec::new())
    }

    /// Broadcasts the last input.
    #[must_use]
    pub fn expanded(self, sizes: &[usize]) -> Case {
        self.viewed(View::Expand, sizes.to_vec())
    }

    fn viewed(mut self, view: View, sizes: Vec<usize>) -> Case {
        if let Some(input) = self.inputs.last_mut() {
            input.views.push((view, sizes));
        }
        self
    }

    /// Sets the tolerance.
    #[must_use]
    pub fn tolerance(mut self, tolerance: f64) -> Case {
        self.tolerance = tolerance;
        self
    }

    /// The same with 32-bit floats stored as 16-bit ones. Derivatives are those of the original.
    #[must_use]
    pub fn in_halves(mut self) -> Case {
        for input in self.inputs.iter_mut().filter(|input| input.data.dtype() == DType::F32) {
            let values = (0..input.data.len()).map(|i| input.data.value(i));
            input.data = HostBuffer::from_values(DType::F16, values);
        }
        self.without_gradient()
    }

    /// Leaves out the gradient check.
    #[must_use]
    pub fn without_gradient(mut self) -> Case {
        self.check_gradient = false;
        self
    }
}

fn filled(dtype: DType, n: usize, fill: Fill, seed: u64) -> HostBuffer {
    let spread = |i: usize| {
        // A Weyl sequence with an odd constant visits values evenly and never repeats.
        let word = (i as u64 + 1 + seed * 7919).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
        word as f64 / f64::from(1 << 22) - 2.0
    };
    let noise = |i: usize| {
        // The finalizer of splitmix64 (Steele, Lea and Flood 2014).
        let mut word = (i as u64 + 1 + seed * 7919).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((word ^ (word >> 31)) >> 40) as f64 / f64::from(1 << 22) - 2.0
    };
    let value = |i: usize| match fill {
        Fill::Noise => noise(i),
        Fill::Spread if dtype == DType::U32 => ((spread(i) + 2.0) * 10.0).floor(),
        Fill::Spread if dtype == DType::I32 => (spread(i) * 10.0).floor(),
        Fill::Spread => spread(i),
        Fill::Positive => spread(i) + 2.0,
        // 7919 is prime: a permutation of the positions for any smaller size.
        Fill::Distinct => ((i * 7919 + 13) % n.max(1)) as f64 - n as f64 / 2.0,
        Fill::Below(limit) => ((spread(i) + 2.0) / 4.0 * f64::from(limit)).floor().min(f64::from(limit.max(1) - 1)),
        Fill::All(value) => value,
        Fill::Dominant(side) if (i / side as usize) % side as usize == i % side as usize => {
            f64::from(2 * side + 2) + spread(i)
        }
        Fill::Dominant(_) => spread(i),
        Fill::Special => [f64::NAN, f64::INFINITY, -0.0, f64::NEG_INFINITY].get(i % 7).copied().unwrap_or(spread(i)),
        Fill::Ascending if dtype.is_float() => (i / 2) as f64 * 8.0 / n as f64 - 2.0,
        Fill::Ascending if dtype == DType::U32 => (i / 2) as f64,
        Fill::Ascending => (i / 2) as f64 - 20.0,
        Fill::Truth => f64::from(u8::from(spread(i) > 0.5)),
    };
    HostBuffer::from_values(dtype, (0..n).map(|i| Value::num(value(i))))
}
