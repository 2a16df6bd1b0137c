//! From a lazy graph to steps: what is computed together, in which order.
//!
//! Scheduling has three parts. `walk` flattens the graph below the requested outputs and spells it as a key: the same shape
//! of work has the same key, so everything after it happens once per shape of work and is cached. `roots` decides which nodes
//! are computed into memory and which are inlined into their users. `inline` builds the fused expression of each step.
//!
//! A [`Schedule`] knows nothing about devices: the GPU machine turns it into a Plan, the CPU machine runs it as it is.

mod inline;
mod roots;
mod walk;

pub(crate) use walk::{Flat, Walk};

use std::sync::Arc;
use tilework_core::Result;
use tilework_core::dtype::{DType, HAS_WIDE};
use tilework_core::fused::{Fused, LeafSource};
use tilework_core::pictures::Texels;
use tilework_ops::{Meta, Op};
use tilework_vm::Program;

/// Where the bytes of a value come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The caller's input of this number.
    Input(usize),
    /// The caller's output of this number.
    Output(usize),
    /// Needed only between steps.
    Temp,
}

/// A buffer that steps read and write.
#[derive(Clone, Debug)]
pub(crate) struct ValueInfo {
    pub(crate) meta: Meta,
    pub(crate) role: Role,
    /// What kernels know of it if it is a texture.
    pub(crate) texels: Option<Texels>,
}

/// A fused expression with its flattened form.
#[derive(Clone, Debug)]
pub(crate) struct Compiled {
    pub(crate) fused: Fused,
    pub(crate) program: Program,
}

impl Compiled {
    fn new(fused: Fused) -> Compiled {
        let program = Program::new(&fused.expr);
        Compiled { fused, program }
    }
}

/// What a step does.
#[derive(Clone, Debug)]
pub(crate) enum StepKind {
    /// A fused expression alone.
    Map(Compiled),
    /// A structured operation on fused inputs, with an optional expression applied to each result.
    Op { op: Arc<dyn Op>, inputs: Vec<Compiled>, metas: Vec<Meta>, result: Meta, epilogue: Option<Compiled> },
}

impl StepKind {
    /// The bytes it reads of input number `input`, view by view: a rectangle of a page is not the page.
    fn read_bytes(&self, input: usize) -> Option<u64> {
        let (inputs, last) = match self {
            StepKind::Map(compiled) => (&[][..], Some(compiled)),
            StepKind::Op { inputs, epilogue, .. } => (&inputs[..], epilogue.as_ref()),
        };
        let leaves = inputs.iter().chain(last).flat_map(|compiled| &compiled.fused.leaves);
        let bytes = leaves.filter_map(|leaf| match leaf.source {
            LeafSource::Buffer { input: read, dtype } if read == input => {
                let sizes = leaf.layout.shape.iter().zip(&leaf.layout.strides);
                let n: usize = sizes.filter(|(_, stride)| **stride != 0).map(|(size, _)| *size).product();
                Some((n * dtype.size_bytes()) as u64)
            }
            _ => None,
        });
        bytes.reduce(u64::saturating_add)
    }
}

/// One unit of work, writing one value.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) kind: StepKind,
    /// Values its fused expressions refer to by position.
    pub(crate) inputs: Vec<usize>,
    pub(crate) output: usize,
}

/// Steps in order, over values.
#[derive(Debug)]
pub(crate) struct Schedule {
    pub(crate) values: Vec<ValueInfo>,
    pub(crate) steps: Vec<Step>,
    pub(crate) n_outputs: usize,
    /// Index of the last step that reads each value.
    pub(crate) last_reads: Vec<Option<usize>>,
    /// How much there is to do, for placement.
    pub(crate) work: Work,
}

/// Why no GPU can do some work.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NeedsCpu {
    /// It has numbers of this type.
    Type(DType),
    /// It has an operation without a kernel, for this reason.
    Op(&'static str, &'static str),
}

impl std::fmt::Display for NeedsCpu {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NeedsCpu::Type(dtype) => write!(f, "no GPU has {dtype}"),
            NeedsCpu::Op(name, reason) => write!(f, "{name} has no GPU kernel ({reason})"),
        }
    }
}

/// An amount of work, by what limits its speed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Work {
    /// Operations on elements that are used once.
    pub(crate) element_ops: f64,
    /// Floating-point operations of products.
    pub(crate) dense_flops: f64,
    /// Bytes read and written by all steps.
    pub(crate) bytes: f64,
    /// Steps.
    pub(crate) n_steps: f64,
}

impl Schedule {
    /// Schedules a flattened graph.
    pub(crate) fn new(flat: &Flat) -> Result<Schedule> {
        let marks = roots::Marks::new(flat);
        inline::Builder::new(flat, &marks).run()
    }

    /// Name and reason of the first operation that no GPU can run.
    pub(crate) fn cpu_only(&self) -> Option<(&'static str, &'static str)> {
        // None of the core operations is one, and their module is to stay small.
        if !cfg!(feature = "extended") {
            return None;
        }
        self.steps.iter().find_map(|step| match &step.kind {
            StepKind::Op { op, .. } => op.cpu_only().map(|reason| (op.signature().name, reason)),
            StepKind::Map(_) => None,
        })
    }

    /// Why no GPU can do this work, if none can.
    pub(crate) fn needs_cpu(&self) -> Option<NeedsCpu> {
        if let Some(value) = self.values.iter().find(|value| !value.meta.dtype.is_on_gpu()) {
            return Some(NeedsCpu::Type(value.meta.dtype));
        }
        if HAS_WIDE && self.expressions().any(|fused| fused.expr.nodes.iter().any(|node| node.scalar().is_long())) {
            return Some(NeedsCpu::Type(DType::I64));
        }
        self.cpu_only().map(|(name, reason)| NeedsCpu::Op(name, reason))
    }

    /// Every expression of every step.
    fn expressions(&self) -> impl Iterator<Item = &Fused> {
        self.steps.iter().flat_map(|step| {
            let (inputs, last) = match &step.kind {
                StepKind::Map(compiled) => (&[][..], Some(compiled)),
                StepKind::Op { inputs, epilogue, .. } => (&inputs[..], epilogue.as_ref()),
            };
            inputs.iter().chain(last).map(|compiled| &compiled.fused)
        })
    }

    /// The value whose memory step `index` may take over for its result: it changes a part of it, all of it is there in order, and
    /// no later step reads it.
    pub(crate) fn taken_over(&self, index: usize) -> Option<usize> {
        // Only operations of language models change a part of an array; other modules are to stay small.
        if !cfg!(feature = "language") {
            return None;
        }
        let step = &self.steps[index];
        let StepKind::Op { op, inputs, .. } = &step.kind else { return None };
        let (input, _, layout) = inputs.get(op.updates()?)?.fused.as_read()?;
        let value = *step.inputs.get(input)?;
        let info = &self.values[value];
        let is_whole = layout.offset == 0
            && layout.is_contiguous()
            && layout.shape.n_elements() == info.meta.shape.n_elements()
            && info.meta.dtype == self.values[step.output].meta.dtype;
        let is_free = self.last_reads[value] == Some(index) && !matches!(info.role, Role::Output(_));
        (is_whole && is_free && info.texels.is_none()).then_some(value)
    }

    /// Whether some step may take over the memory of an input.
    pub(crate) fn takes_inputs(&self) -> bool {
        let mut taken = (0..self.steps.len()).filter_map(|index| self.taken_over(index));
        taken.any(|value| matches!(self.values[value].role, Role::Input(_)))
    }
}

/// Index of the last step that reads each of `n_values`.
fn last_reads(steps: &[Step], n_values: usize) -> Vec<Option<usize>> {
    let mut last = vec![None; n_values];
    for (index, step) in steps.iter().enumerate() {
        for &value in &step.inputs {
            last[value] = Some(index);
        }
    }
    last
}
