//! Plans: work as data.
//!
//! Ops and the expression compiler produce a [`Plan`]; a machine runs it. A Plan knows buffers only by slot and kernels only
//! as text, so it can be cached, printed, compared in a test and run again with other inputs. The machine that runs it knows
//! no operation by name.
//!
//! Contract of a pass: all bindings are in group 0; binding `i` is `bindings[i]`, a storage buffer or a texture of words; the
//! uniform parameter block follows them as binding `bindings.len()` (always present, at least 16 bytes); the entry point is
//! `main`. No slot is read and written by the same pass.

use crate::pictures::Texels;
use std::borrow::Cow;
use std::sync::Arc;

/// One WGSL program: parts joined by line breaks in order. Joining is linking, because WGSL declarations are visible in any
/// order. Two equal sources are the same pipeline.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct KernelSource {
    /// Name in profiles and error messages.
    pub label: String,
    /// Real `.wgsl` files and generated text.
    pub parts: Vec<Cow<'static, str>>,
    /// Values of `override` declarations, by name, as integers (all ours are sizes).
    pub overrides: Vec<(&'static str, u32)>,
}

impl KernelSource {
    /// The whole program. Directives (`enable`, `requires`) of any part are moved to the front, where WGSL wants them.
    pub fn text(&self) -> String {
        let is_directive = |line: &&str| line.starts_with("enable ") || line.starts_with("requires ");
        let mut directives: Vec<&str> = Vec::new();
        for line in self.parts.iter().flat_map(|part| part.lines().filter(is_directive)) {
            if !directives.contains(&line) {
                directives.push(line);
            }
        }
        let body = self.parts.iter().flat_map(|part| part.lines().filter(|line| !is_directive(line)).chain([""]));
        let mut text = String::new();
        for line in directives.into_iter().chain(body) {
            text.push_str(line);
            text.push('\n');
        }
        text
    }
}

/// Where the bytes of a slot come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SlotRole {
    /// The caller's input of this number.
    Input(usize),
    /// Allocated by the machine and handed to the caller as the output of this number.
    Output(usize),
    /// The caller's input of this number, changed by the passes and handed back as an output. The machine takes the input's own
    /// memory if nobody else holds it, and a copy otherwise.
    Update {
        /// Which input.
        input: usize,
        /// Which output.
        output: usize,
    },
    /// Allocated for the run and given back after it.
    Temp,
}

/// A buffer of a Plan.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Slot {
    /// Bytes that the passes touch (the machine may give more). Never 0: an empty array keeps one word.
    pub size_bytes: u64,
    /// Who provides it.
    pub role: SlotRole,
}

/// How a pass uses a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// `var<storage, read>`.
    Read,
    /// `var<storage, read_write>`.
    Write,
    /// `texture_2d<u32>`: the input is a picture, and its words are read by their coordinates.
    Texels,
}

/// Where a kernel finds an input: in which slot, and in what form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Source {
    /// Index into [`Plan::slots`].
    pub slot: usize,
    /// How wide it is, if it is a texture and not a buffer.
    pub texels: Option<Texels>,
}

impl From<usize> for Source {
    fn from(slot: usize) -> Source {
        Source { slot, texels: None }
    }
}

/// One storage buffer or texture of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Binding {
    /// Index into [`Plan::slots`].
    pub slot: usize,
    /// Read or written, and as what.
    pub access: Access,
}

/// A word of the parameter block that changes between runs of the same Plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Patch {
    /// Index of the 32-bit word inside the pass's parameter block.
    pub word: usize,
    /// Index into the scalars given to the run.
    pub scalar: usize,
}

/// One dispatch.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pass {
    /// The program.
    pub kernel: Arc<KernelSource>,
    /// Storage buffers and textures, by binding number.
    pub bindings: Vec<Binding>,
    /// The uniform block, in 32-bit words.
    pub params: Vec<u32>,
    /// Words of it that come from the run's scalars.
    pub patches: Vec<Patch>,
    /// Workgroups in x, y, z; none of them 0 and none above 65 535.
    pub workgroups: [u32; 3],
}

/// Passes over buffers, run in order.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Plan {
    /// The buffers.
    pub slots: Vec<Slot>,
    /// The dispatches, in order.
    pub passes: Vec<Pass>,
    /// How many inputs a run takes.
    pub n_inputs: usize,
    /// How many outputs a run gives.
    pub n_outputs: usize,
    /// How many scalars a run takes.
    pub n_scalars: usize,
}

/// Whether kernels for subgroups are of any use: wgpu does not tell of them in browsers, where they would only be downloaded.
pub const HAS_SUBGROUPS: bool = cfg!(not(target_arch = "wasm32"));

/// What a GPU can do, as far as choosing kernels is concerned. The default is the floor every WebGPU device has.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Caps {
    /// Storage buffers one pass may bind.
    pub max_storage_buffers: u32,
    /// Bytes one storage binding may have.
    pub max_binding_bytes: u64,
    /// Bytes of workgroup memory.
    pub max_workgroup_memory_bytes: u32,
    /// Invocations of one workgroup.
    pub max_invocations: u32,
    /// Workgroups along one dimension of a dispatch.
    pub max_workgroups: u32,
    /// Smallest and largest subgroup, see [`HAS_SUBGROUPS`], where the shader language has subgroups.
    pub subgroup_sizes: Option<(u32, u32)>,
    /// `f16` in shaders.
    pub shader_f16: bool,
    /// `f64` in shaders (native Vulkan only).
    pub shader_f64: bool,
    /// The adapter is a program running on the CPU (lavapipe, SwiftShader, WARP).
    pub software: bool,
    /// Kernels that proved fastest here, or that somebody asked for.
    pub choices: Vec<Choice>,
}

/// For work of operation `op` about as large as `sizes`, its kernel called `variant`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Choice {
    /// Name of the operation.
    pub op: String,
    /// The sizes that decide, as the operation lists them; none if the choice holds for all.
    pub sizes: Vec<usize>,
    /// Name of the kernel.
    pub variant: String,
}

impl Caps {
    /// The one of `variants` that was chosen for the work of `op` most like `sizes`, or else the first.
    pub fn choose<'a>(&self, op: &str, sizes: &[usize], variants: &[&'a str]) -> &'a str {
        // The bits of a size are its logarithm, near enough.
        let bits = |size: &usize| size.checked_ilog2().unwrap_or(0);
        let distance = |choice: &Choice| -> u32 {
            choice.sizes.iter().zip(sizes).map(|(known, asked)| bits(known).abs_diff(bits(asked)).pow(2)).sum()
        };
        let named = |choice: &Choice| variants.iter().copied().find(|variant| *variant == choice.variant);
        let known = self.choices.iter().filter(|choice| choice.op == op && named(choice).is_some());
        let nearest = known.min_by_key(|choice| distance(choice));
        nearest.and_then(named).or(variants.first().copied()).unwrap_or_default()
    }
}

impl Default for Caps {
    fn default() -> Self {
        Caps {
            max_storage_buffers: 8,
            max_binding_bytes: 128 << 20,
            max_workgroup_memory_bytes: 16 << 10,
            max_invocations: 256,
            max_workgroups: 65_535,
            subgroup_sizes: None,
            shader_f16: false,
            shader_f64: false,
            software: false,
            choices: Vec::new(),
        }
    }
}

/// Splits `n_workgroups` over x and y so that neither exceeds `max`. Kernels rebuild the flat number as
/// `id.x + id.y * num_workgroups.x` and ignore those past the end.
pub fn fold_workgroups(n_workgroups: usize, max: u32) -> [u32; 3] {
    let n = n_workgroups.max(1);
    let max = max as usize;
    if n <= max {
        return [n as u32, 1, 1];
    }
    let y = n.div_ceil(max);
    [n.div_ceil(y) as u32, y as u32, 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_covers_every_workgroup() {
        for n in [0, 1, 65_535, 65_536, 131_071, 16_777_216] {
            let [x, y, z] = fold_workgroups(n, 65_535);
            assert!(x as usize * y as usize >= n && z == 1);
            assert!((1..=65_535).contains(&x) && (1..=65_535).contains(&y));
        }
    }

    #[test]
    fn the_nearest_choice_that_is_possible_counts() {
        let choice =
            |n: usize, variant: &str| Choice { op: "matmul".into(), sizes: vec![n, n], variant: variant.into() };
        let caps = Caps { choices: vec![choice(64, "direct"), choice(1024, "shared")], ..Caps::default() };
        assert_eq!(caps.choose("matmul", &[100, 100], &["simple", "direct", "shared"]), "direct");
        assert_eq!(caps.choose("matmul", &[600, 600], &["simple", "direct", "shared"]), "shared");
        assert_eq!(caps.choose("matmul", &[600, 600], &["simple", "direct"]), "direct");
        assert_eq!(caps.choose("matmul", &[600, 600], &["simple"]), "simple");
        assert_eq!(caps.choose("sort", &[600], &["radix"]), "radix");
    }

    #[test]
    fn directives_come_first_and_once() {
        let part = |s: &'static str| Cow::Borrowed(s);
        let source = KernelSource {
            parts: vec![part("const A = 1;"), part("enable f16;\nfn f() {}"), part("enable f16;")],
            ..Default::default()
        };
        assert_eq!(source.text(), "enable f16;\nconst A = 1;\n\nfn f() {}\n\n\n");
    }
}
