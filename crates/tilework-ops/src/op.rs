//! What an operation is.

use crate::attrs::Attribute;
use crate::cpu::CpuCx;
use crate::graph::NodeRef;
use std::fmt;
#[cfg(feature = "batch")]
use std::sync::Arc;
use tilework_core::dtype::DType;
use tilework_core::emit::{KernelBuilder, Sink, Slots};
use tilework_core::fused::Fused;
use tilework_core::host::{HostBuffer, HostView};
use tilework_core::plan::{Caps, Pass, fold_workgroups};
use tilework_core::shape::Shape;
use tilework_core::{Error, ErrorKind, Result};

pub use crate::cpu::CpuInput;

/// Shape and element type of an array that need not exist yet.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Meta {
    /// Axis sizes.
    pub shape: Shape,
    /// Element type.
    pub dtype: DType,
}

impl Meta {
    /// Number of bytes of such an array.
    pub fn size_bytes(&self) -> u64 {
        (self.shape.n_elements() * self.dtype.size_bytes()) as u64
    }
}

/// Name and documentation of an operation, as docs, CLI and JavaScript show them.
#[derive(Debug)]
pub struct OpSignature {
    /// Name in the registry, the folder, Rust and (in camel case) JavaScript.
    pub name: &'static str,
    /// Names of its inputs.
    pub inputs: &'static [&'static str],
    /// The attributes it accepts.
    pub attributes: &'static [Attribute],
    /// One or two sentences.
    pub doc: &'static str,
}

/// A sentence for readers, which browsers need not download.
pub(crate) const fn said(text: &'static str) -> &'static str {
    if cfg!(target_arch = "wasm32") { "" } else { text }
}

/// How an operation reads an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputForm {
    /// Element by element, this many times: any fused expression can stand in for it.
    Elements {
        /// Passes over the input; a costly expression is computed beforehand if there are several.
        n_reads: usize,
    },
    /// By address: a buffer with any strides.
    Strided,
}

/// What an operation means and how to run it. Pure: no device, no I/O.
pub trait Op: Send + Sync + 'static {
    /// Name and documentation.
    fn signature(&self) -> &'static OpSignature;

    /// Appends everything that distinguishes this instance from others of the same name: plans are cached by it.
    fn encode(&self, words: &mut Vec<u32>);

    /// Shape and element type of the result, or a typed error naming the operation and the shapes.
    fn infer(&self, inputs: &[Meta]) -> Result<Meta>;

    /// How input `index` is read.
    fn input_form(&self, index: usize) -> InputForm;

    /// The same for inputs of these shapes, where it depends on them.
    fn input_form_of(&self, index: usize, _inputs: &[Meta]) -> InputForm {
        self.input_form(index)
    }

    /// Whether input `index`, if it is read by address, may lie in memory as 16-bit floats: kernels then widen what they read.
    /// Otherwise it is converted beforehand.
    fn reads_halves(&self, _index: usize) -> bool {
        false
    }

    /// The fast CPU kernel. `out` has the right length and type and is not cleared.
    fn cpu(&self, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()>;

    /// The WGSL passes.
    fn plan(&self, cx: &mut PlanCx<'_>) -> Result<Vec<Pass>>;

    /// Adjoints of the inputs, written with other operations; `None` for an input without derivative.
    #[cfg(feature = "grad")]
    fn vjp(&self, cx: &VjpCx<'_>) -> Result<Vec<Option<NodeRef>>>;

    /// How it takes inputs of which those marked in `has_axis` have one more axis in front, and gives a result that has it too.
    #[cfg(feature = "batch")]
    fn batched(&self, _has_axis: &[bool]) -> Batched {
        Batched::Slices
    }

    /// Floating-point operations, for placement and benchmarks.
    fn flops(&self, inputs: &[Meta], out: &Meta) -> f64;

    /// The kernels that could run this on a GPU. None: there is only one way.
    fn variants(&self, _inputs: &[Meta], _caps: &Caps) -> Variants {
        Variants::default()
    }

    /// Why it cannot run on a GPU, if it cannot. A GPU refuses it with this reason, and a device that may choose takes the CPU.
    fn cpu_only(&self) -> Option<&'static str> {
        None
    }

    /// The input that the result is a changed version of, if there is one: same shape and type, and memory that is taken over
    /// where nobody else needs it. Kernels find the input's elements in the result and write only those that change; they do
    /// not read that input.
    fn updates(&self) -> Option<usize> {
        None
    }

    /// Buffers that one of its passes binds besides those of inputs and result: an epilogue has to do with that many fewer.
    fn n_scratch_buffers(&self) -> usize {
        0
    }

    /// Whether each element is used many times (a product), so that arithmetic and not memory decides the time.
    fn is_dense(&self) -> bool {
        false
    }
}

/// Its name: what an operation holds besides is in what it [encodes](Op::encode).
impl fmt::Debug for dyn Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.signature().name)
    }
}

/// How an operation takes an axis more in front of some of its inputs.
#[cfg(feature = "batch")]
#[derive(Clone, Debug)]
pub enum Batched {
    /// Not at all: it is applied to each slice.
    Slices,
    /// As this operation, if every input has that axis.
    Each(Arc<dyn Op>),
    /// As this operation, whose inputs broadcast along it.
    Broadcast(Arc<dyn Op>),
    /// As this operation, with these inputs.
    AsTheyAre(Arc<dyn Op>),
}

/// What a GPU answers to an operation that is [`Op::cpu_only`].
pub fn no_gpu_kernel(op: &str, reason: &str) -> Error {
    let message = format!("has no GPU kernel: {reason}; move the array to the CPU (Device::cpu) or use Device::auto");
    Error::new(ErrorKind::Unsupported, op, message)
}

/// Kernels to choose from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variants {
    /// Their names, the best guess first.
    pub names: Vec<&'static str>,
    /// The sizes that decide which is fastest.
    pub sizes: Vec<usize>,
}

/// What an operation means. A trait of its own, so that a program that only computes does not carry the definitions.
pub trait Reference: Op + fmt::Debug {
    /// The definition: slow, obvious, sums in `f64`. Inputs have been checked by [`Op::infer`].
    fn reference(&self, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer;
}

/// What a reverse-mode rule may use.
#[derive(Debug)]
pub struct VjpCx<'a> {
    /// The operation's inputs.
    pub inputs: &'a [NodeRef],
    /// Its result.
    pub output: &'a NodeRef,
    /// The adjoint of the result.
    pub adjoint: &'a NodeRef,
}

/// What an operation may use to make passes: its inputs as fused expressions, the slot of its result, and temporaries.
pub struct PlanCx<'a> {
    /// What the device can do.
    pub caps: &'a Caps,
    /// The inputs. Those of form [`InputForm::Strided`] are plain reads.
    pub inputs: &'a [Fused],
    /// Shape and type of each input.
    pub metas: &'a [Meta],
    /// Shape and type of the operation's own result (before the epilogue).
    pub out: &'a Meta,
    /// Plan slot of each step input, which the fused expressions refer to.
    pub slots: Slots<'a>,
    /// Where the result goes.
    pub out_slot: usize,
    /// Type it is stored as (the epilogue may change it).
    pub out_dtype: DType,
    /// Expression applied to each result before it is stored.
    pub epilogue: Option<&'a Fused>,
    /// Makes a temporary of this many bytes and returns its slot.
    pub temp: &'a mut dyn FnMut(u64) -> usize,
}

impl PlanCx<'_> {
    /// Adds the sink `fn <name>(i, result)` that stores the operation's result through the epilogue.
    pub fn sink(&self, builder: KernelBuilder, name: &str) -> KernelBuilder {
        let epilogue = self.epilogue.map(|fused| (fused, self.slots));
        builder.sink(name, self.out.dtype, self.out_slot, self.out_dtype, epilogue)
    }

    /// Adds the source `fn <name>(i)` for input `index`.
    pub fn source(&self, builder: KernelBuilder, name: &str, index: usize) -> KernelBuilder {
        builder.source(name, &self.inputs[index], self.slots)
    }

    /// The kernel to take for operation `op`.
    pub fn variant(&self, op: &str, variants: &Variants) -> &'static str {
        self.caps.choose(op, &variants.sizes, &variants.names)
    }

    /// The same for `width` neighbouring results: `fn <name>_pack(i, results)`.
    pub fn pack_sink(&self, builder: KernelBuilder, name: &str, width: usize) -> KernelBuilder {
        let epilogue = self.epilogue.map(|fused| (fused, self.slots));
        let sink = Sink { from: self.out.dtype, to: self.out_slot, stored: self.out_dtype, epilogue };
        builder.pack_sink(name, sink, width)
    }

    /// Adds the source `fn <name>_pack(i)` of `width` neighbouring elements of input `index`.
    pub fn pack_source(&self, builder: KernelBuilder, name: &str, index: usize, width: usize) -> KernelBuilder {
        builder.pack_source(name, &self.inputs[index], self.slots, width)
    }

    /// Workgroups for one workgroup per unit of work.
    pub fn workgroups(&self, n: usize) -> [u32; 3] {
        fold_workgroups(n, self.caps.max_workgroups)
    }
}
