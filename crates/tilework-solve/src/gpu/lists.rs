//! The lists of a problem on a device, and the passes that read them.

use super::kernels::with_tables;
use super::number::{self, element};
use super::passes::{PAIR, Passes, QUAD, WORD, upload};
use super::tables::{Segments, Tables};
use crate::evaluate::Compiled;
use std::ops::Range;
use tilework_core::Result;
use tilework_core::emit::KernelBuilder;
use tilework_core::emit::Precision;
use tilework_gpu::{Buffer, Gpu};

const SEGMENT_SUM: &str = tilework_core::wgsl!("wgsl/segment_sum.wgsl");
const RANGE_SUM: &str = tilework_core::wgsl!("wgsl/range_sum.wgsl");
const TERM_GRADIENT: &str = tilework_core::wgsl!("wgsl/term_gradient.wgsl");
const TERM_TRANSPOSED: &str = tilework_core::wgsl!("wgsl/term_transposed.wgsl");
const TERM_DIAGONAL: &str = tilework_core::wgsl!("wgsl/term_diagonal.wgsl");
const MULTIPLY: &str = tilework_core::wgsl!("wgsl/multiply.wgsl");
pub(crate) const REDUCE: &str = tilework_core::wgsl!("wgsl/reduce.wgsl");
const PARTIAL_SUMS: &str = tilework_core::wgsl!("wgsl/partial_sums.wgsl");
const COPY: &str = tilework_core::wgsl!("wgsl/copy.wgsl");

/// Invocations of workgroups that do not share memory.
pub(crate) const LANES: usize = 64;
/// Invocations of workgroups that do, and the most workgroups whose sums one more workgroup adds.
pub(crate) const PARTIALS: usize = 256;
/// Larger blocks are cut for the preconditioner: a factor should fit into an invocation's own memory.
pub(crate) const MAX_DIM: usize = 12;

/// Workgroups that share `n` numbers, each ending in one partial sum.
pub(crate) fn n_partials(n: usize) -> usize {
    n.div_ceil(PARTIALS).clamp(1, PARTIALS)
}

/// A gather list on the device.
#[derive(Debug)]
pub(crate) struct SegmentLists {
    segments: Buffer,
    n_segments: usize,
    levels: Vec<(Buffer, usize)>,
}

impl SegmentLists {
    pub(crate) fn upload(gpu: &Gpu, segments: &Segments) -> Result<SegmentLists> {
        let level = |starts: &Vec<u32>| Ok((upload(gpu, bytemuck::cast_slice(starts))?, starts.len() - 1));
        Ok(SegmentLists {
            segments: upload(gpu, bytemuck::cast_slice(&segments.segments))?,
            n_segments: segments.segments.len(),
            levels: segments.levels.iter().map(level).collect::<Result<_>>()?,
        })
    }

    /// Adds the passes that sum what `term` (a kernel that defines it) gives for every entry, into slot `out`.
    fn push<'a>(&'a self, passes: &mut Passes<'a>, precision: Precision, term: KernelBuilder, out: usize) {
        let n_bytes = precision.size_bytes();
        let last = self.levels.len();
        let segments = passes.constant(&self.segments);
        let mut sums = if last == 0 { out } else { passes.temp(self.n_segments * n_bytes) };
        let first = term.file(SEGMENT_SUM).param("n_segments", self.n_segments as u32);
        let first = first.load("segments", segments, QUAD).store("sums", sums, element(precision));
        passes.push(first, self.n_segments.div_ceil(LANES));
        for (level, (starts, n_sums)) in self.levels.iter().enumerate() {
            let parts = sums;
            sums = if level + 1 == last { out } else { passes.temp(n_sums * n_bytes) };
            let starts = passes.constant(starts);
            let builder = number::kernel(precision, "sums of segments").file(RANGE_SUM).param("n_sums", *n_sums as u32);
            let builder = builder.load("starts", starts, WORD).load("parts", parts, element(precision));
            passes.push(builder.store("sums", sums, element(precision)), n_sums.div_ceil(LANES));
        }
    }
}

/// Blocks of the preconditioner: the blocks of the problem, the large ones cut.
#[derive(Clone, Debug, Default)]
pub(crate) struct Blocks {
    /// (first direction, dim, first number of its upper triangle, first number of its inverse).
    pub(crate) blocks: Vec<[u32; 4]>,
    /// By direction: (first direction of its block, dim, where its row of the inverse begins, 0).
    pub(crate) rows: Vec<[u32; 4]>,
    pub(crate) n_upper: usize,
    pub(crate) n_inverse: usize,
    pub(crate) max_dim: usize,
    /// The sums of the upper triangles.
    sums: Vec<(Range<u32>, u32, u32)>,
}

impl Blocks {
    pub(crate) fn new(compiled: &Compiled) -> Blocks {
        let mut all = Blocks { max_dim: 1, ..Blocks::default() };
        for (at, &block) in compiled.layout.free.iter().enumerate() {
            let block = compiled.layout.blocks[block as usize];
            let entries = compiled.gather.starts[at]..compiled.gather.starts[at + 1];
            for first in (0..block.tangent_dim).step_by(MAX_DIM) {
                let dim = (block.tangent_dim - first).min(MAX_DIM as u32);
                all.add(block.tangent + first, dim, first, &entries);
            }
        }
        all
    }

    fn add(&mut self, direction: u32, dim: u32, first: u32, entries: &Range<u32>) {
        self.blocks.push([direction, dim, self.n_upper as u32, self.n_inverse as u32]);
        for i in 0..dim {
            self.rows.push([direction, dim, self.n_inverse as u32 + i * dim, 0]);
            self.sums.extend((i..dim).map(|j| (entries.clone(), first + i, first + j)));
        }
        self.n_upper += (dim * (dim + 1) / 2) as usize;
        self.n_inverse += (dim * dim) as usize;
        self.max_dim = self.max_dim.max(dim as usize);
    }

    pub(crate) fn segments(&self) -> Segments {
        Segments::new(self.sums.iter().cloned())
    }
}

/// What all plans of a problem read.
#[derive(Debug)]
pub(crate) struct Lists {
    pub(crate) words: Buffer,
    pub(crate) offsets: Buffer,
    pub(crate) tangents: Buffer,
    gradient_entries: Buffer,
    jacobian_entries: Buffer,
    work: Buffer,
    n_work: usize,
    /// One sum for every direction.
    pub(crate) directions: SegmentLists,
    /// One for every pair of directions of a block of the preconditioner.
    pub(crate) pairs: SegmentLists,
    pub(crate) blocks: Blocks,
}

impl Lists {
    pub(crate) fn upload(gpu: &Gpu, compiled: &Compiled, tables: &Tables) -> Result<Lists> {
        let words = |list: &[u32]| upload(gpu, bytemuck::cast_slice(list));
        let directions = compiled.layout.free.iter().enumerate().flat_map(|(at, &block)| {
            let entries = compiled.gather.starts[at]..compiled.gather.starts[at + 1];
            (0..compiled.layout.blocks[block as usize].tangent_dim).map(move |a| (entries.clone(), a, 0))
        });
        let blocks = Blocks::new(compiled);
        Ok(Lists {
            words: words(&tables.words)?,
            offsets: words(&tables.offsets)?,
            tangents: words(&tables.tangents)?,
            gradient_entries: upload(gpu, bytemuck::cast_slice(&tables.gradient_entries))?,
            jacobian_entries: upload(gpu, bytemuck::cast_slice(&tables.jacobian_entries))?,
            work: upload(gpu, bytemuck::cast_slice(&tables.work))?,
            n_work: tables.work.len(),
            directions: SegmentLists::upload(gpu, &Segments::new(directions))?,
            pairs: SegmentLists::upload(gpu, &blocks.segments())?,
            blocks,
        })
    }

    /// Gradients of instances in slot `parts` become the gradient in slot `out`.
    pub(crate) fn push_gradient<'a>(&'a self, passes: &mut Passes<'a>, precision: Precision, parts: usize, out: usize) {
        let entries = passes.constant(&self.gradient_entries);
        let term = number::kernel(precision, "gather the gradient").file(TERM_GRADIENT).text(NEVER_IDLE);
        let term = term.load("entries", entries, PAIR).load("parts", parts, element(precision));
        self.directions.push(passes, precision, term, out);
    }

    /// Jᵀ·u.
    pub(crate) fn push_transposed<'a>(
        &'a self,
        passes: &mut Passes<'a>,
        precision: Precision,
        [jacobian, rows, out]: [usize; 3],
        idle: Option<Idle>,
    ) {
        let entries = passes.constant(&self.jacobian_entries);
        let term = number::kernel(precision, "gather Jᵀ·u").file(TERM_TRANSPOSED).load("entries", entries, QUAD);
        let term = term.load("jacobian", jacobian, element(precision)).load("rows", rows, element(precision));
        self.directions.push(passes, precision, with_idle(term, precision, idle), out);
    }

    /// Upper triangles of the diagonal blocks of JᵀJ.
    pub(crate) fn push_diagonal<'a>(
        &'a self,
        passes: &mut Passes<'a>,
        precision: Precision,
        jacobian: usize,
        out: usize,
    ) {
        let entries = passes.constant(&self.jacobian_entries);
        let term = number::kernel(precision, "gather diagonal blocks").file(TERM_DIAGONAL).text(NEVER_IDLE);
        let term = term.load("entries", entries, QUAD).load("jacobian", jacobian, element(precision));
        self.pairs.push(passes, precision, term, out);
    }

    /// J·v.
    pub(crate) fn push_multiply<'a>(
        &'a self,
        passes: &mut Passes<'a>,
        precision: Precision,
        [jacobian, vector, out]: [usize; 3],
        idle: Option<Idle>,
    ) {
        let (words, work) = (passes.constant(&self.words), passes.constant(&self.work));
        let tangents = passes.constant(&self.tangents);
        let numbers = element(precision);
        let builder = number::kernel(precision, "J·v").param("n_workgroups", self.n_work as u32);
        let builder = with_tables(builder, words)
            .load("work", work, QUAD)
            .load("tangents", tangents, WORD)
            .load("jacobian", jacobian, numbers)
            .load("vector", vector, numbers)
            .store("rows", out, numbers);
        passes.push(with_idle(builder, precision, idle).file(MULTIPLY), self.n_work);
    }
}

/// Where it says whether a pass has anything to do: a number of a slot that is not 0 if there is nothing left.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Idle {
    pub(crate) slot: usize,
    pub(crate) at: usize,
}

const NEVER_IDLE: &str = "fn is_idle() -> bool {\n    return false;\n}\n";

/// Defines `is_idle()`.
fn with_idle(builder: KernelBuilder, precision: Precision, idle: Option<Idle>) -> KernelBuilder {
    let Some(Idle { slot, at }) = idle else { return builder.text(NEVER_IDLE) };
    let text = "fn is_idle() -> bool {\n    return num_ne(solved(params.solved_at), num_of(0.0f));\n}\n";
    builder.param("solved_at", at as u32).load("solved", slot, element(precision)).text(text)
}

/// Partial sums of the first `n` numbers of slot `values`, one for each of [`n_partials`] workgroups, into slot `out`.
pub(crate) fn push_partial_sums(passes: &mut Passes<'_>, precision: Precision, n: usize, values: usize, out: usize) {
    let builder = number::kernel(precision, "partial sums").file(REDUCE).file(PARTIAL_SUMS).param("n", n as u32);
    let builder = builder.load("values", values, element(precision)).store("sums", out, element(precision));
    passes.push(builder, n_partials(n));
}

/// Copies `n` numbers, which may be rounded on the way to single precision.
pub(crate) fn push_copy(
    passes: &mut Passes<'_>,
    precision: Precision,
    n: usize,
    from: usize,
    (to, rounds): (usize, bool),
) {
    let target = if rounds { number::ROUNDED } else { element(precision) };
    let builder = number::kernel(precision, "copy").file(COPY).param("n", n as u32);
    passes.push(builder.load("from_at", from, element(precision)).store("to", to, target), n.div_ceil(LANES));
}
