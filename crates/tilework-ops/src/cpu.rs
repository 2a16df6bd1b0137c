//! What CPU kernels read and write.

use crate::threads::Threads;
use tilework_core::dtype::{DType, HAS_WIDE, Scalar};
use tilework_core::expr::{Id, Node, ScalarOp, Value};
use tilework_core::fused::{Fused, LeafSource};
use tilework_core::half::{self, HAS_HALF};
use tilework_core::host::HostBuffer;
use tilework_core::layout::Layout;
use tilework_core::pictures::HAS_PICTURES;
use tilework_vm::{CHUNK, Evaluator, Float, HostSlice, Program};

/// An input of a CPU kernel: a fused expression with its data.
#[derive(Clone, Copy, Debug)]
pub struct CpuInput<'a> {
    /// The expression.
    pub fused: &'a Fused,
    /// The same, flattened.
    pub program: &'a Program,
    /// The step's buffers.
    pub slices: &'a [HostSlice<'a>],
    /// Values of parameters.
    pub scalars: &'a [Value],
}

impl<'a> CpuInput<'a> {
    /// An evaluator of its own for one thread.
    pub fn evaluator<F: Float>(&self) -> Evaluator<'a, F> {
        Evaluator::new(self.fused, self.program, self.slices, self.scalars)
    }

    /// The buffer and layout, if the input is a plain read.
    pub fn strided(&self) -> Option<(HostSlice<'a>, DType, &'a Layout)> {
        let (input, dtype, layout) = self.fused.as_read()?;
        Some((self.slices[input], dtype, layout))
    }

    /// The elements of an input that needs no evaluation, from its first one on.
    pub fn in_place<F: Float>(&self) -> Option<&'a [F]> {
        let (slice, _, layout) = self.strided()?;
        let data = F::of_slice(&slice)?;
        if layout.is_contiguous() { data.get(layout.offset..) } else { None }
    }
}

impl<'a> CpuInput<'a> {
    /// The factors of an input that is nothing but a product of two arrays of this type, each in order from its first element on.
    pub fn product_in_place<F: Float>(&self) -> Option<(&'a [F], &'a [F])> {
        let nodes = &self.fused.expr.nodes;
        let Node::Op { op: ScalarOp::Mul, args: [left, right, _], operand: Scalar::Num } = *nodes.last()? else {
            return None;
        };
        let is_root = self.fused.expr.roots[..] == [nodes.len() as u32 - 1];
        let factor = |id: Id| {
            let Node::Leaf { slot, .. } = nodes[id.index()] else { return None };
            let leaf = &self.fused.leaves[slot as usize];
            let LeafSource::Buffer { input, .. } = leaf.source else { return None };
            let data = F::of_slice(&self.slices[input])?;
            if leaf.layout.is_contiguous() { data.get(leaf.layout.offset..) } else { None }
        };
        if is_root { Some((factor(left)?, factor(right)?)) } else { None }
    }
}

/// The elements of an input that is read by address, in the type a kernel computes with.
#[derive(Debug)]
pub struct Wide<'a, F: Float> {
    /// Where they are; a copy if they are stored as 16-bit floats or have to be computed.
    pub data: std::borrow::Cow<'a, [F]>,
    /// Their layout there.
    pub layout: Layout,
}

impl<'a> CpuInput<'a> {
    /// The elements as floats of type `F`: in place if the input is a plain read of such, else computed. Nothing for a plain read
    /// of another type.
    pub fn wide<F: Float>(&self, threads: Threads) -> Option<Wide<'a, F>> {
        let Some((slice, _, layout)) = self.strided() else {
            let mut data = vec![F::default(); self.fused.grid.n_elements()];
            map_num(self, &mut data, threads);
            return Some(Wide { data: data.into(), layout: Layout::contiguous(self.fused.grid.clone()) });
        };
        if let (true, HostSlice::F16(halves)) = (HAS_HALF, slice) {
            let (first, n) = span(layout);
            // A rectangle of a page is mostly gaps.
            if HAS_PICTURES && n > 2 * layout.shape.n_elements() {
                return Some(widened(halves, layout, threads));
            }
            let mut data = vec![F::default(); n];
            threads.for_each_piece(&mut data, GRAIN, |start, piece| {
                F::widen_run(piece, halves, (first + start) as isize, 1);
            });
            return Some(Wide {
                data: data.into(),
                layout: Layout { offset: layout.offset - first, ..layout.clone() },
            });
        }
        Some(Wide { data: F::of_slice(&slice)?.into(), layout: layout.clone() })
    }
}

/// The elements of a layout without what lies between them, in the order that they lie in memory.
fn widened<F: Float>(halves: &[u16], layout: &Layout, threads: Threads) -> Wide<'static, F> {
    let mut order: Vec<usize> = (0..layout.shape.rank()).collect();
    order.sort_by_key(|&axis| std::cmp::Reverse(layout.strides[axis].unsigned_abs()));
    let in_memory = layout.permuted(&order);
    let run_len = in_memory.shape.last().copied().unwrap_or(1).max(1);
    let run_stride = in_memory.strides.last().copied().unwrap_or(1);
    let mut data = vec![F::default(); in_memory.shape.n_elements()];
    threads.for_each_piece(&mut data, GRAIN, |start, piece| {
        let (mut at, end) = (start, start + piece.len());
        while at < end {
            let len = (run_len - at % run_len).min(end - at);
            F::widen_run(&mut piece[at - start..][..len], halves, in_memory.element(at) as isize, run_stride);
            at += len;
        }
    });
    let mut back = vec![0; order.len()];
    order.iter().enumerate().for_each(|(position, &axis)| back[axis] = position);
    Wide { data: data.into(), layout: Layout::contiguous(in_memory.shape).permuted(&back) }
}

/// The first element of a buffer that a layout reaches, and how many there are from it to the last.
fn span(layout: &Layout) -> (usize, usize) {
    if layout.shape.n_elements() == 0 {
        return (layout.offset, 0);
    }
    let reach = |sign: isize| -> usize {
        let axes = layout.shape.iter().zip(&layout.strides);
        axes.map(|(&size, &stride)| (size - 1) * (sign * stride).max(0) as usize).sum()
    };
    let (before, after) = (reach(-1), reach(1));
    (layout.offset - before, before + after + 1)
}

/// Everything a CPU kernel may use.
#[derive(Debug)]
pub struct CpuCx<'a> {
    /// The inputs.
    pub inputs: &'a [CpuInput<'a>],
    /// The threads.
    pub threads: Threads,
}

/// Elements a thread takes at a time: enough to hide the cost of handing out work, little enough to balance it.
pub const GRAIN: usize = 64 * CHUNK;
/// The same for work that reads elements where they lie and combines them: a microsecond or two.
pub const COMBINED_GRAIN: usize = 32 * CHUNK;

/// Whether kernels compute in double precision. The module of a first web visit leaves them out; its machine refuses such work.
pub const HAS_DOUBLE: bool = cfg!(any(not(target_arch = "wasm32"), feature = "extended"));

/// Evaluates a fused expression over its whole grid, storing the first result of each element.
pub fn map(input: &CpuInput<'_>, out: &mut HostBuffer, threads: Threads) {
    match out {
        HostBuffer::F16(_) if !HAS_HALF => {}
        HostBuffer::F16(out) if reads_f64(input.fused) => map_half::<f64>(input, out, threads),
        HostBuffer::F16(out) => map_half::<f32>(input, out, threads),
        HostBuffer::F32(out) => map_num(input, out, threads),
        HostBuffer::F64(out) if HAS_DOUBLE => map_num(input, out, threads),
        HostBuffer::F64(_) => {}
        HostBuffer::I32(out) => map_word(input, bytemuck::cast_slice_mut(out), threads),
        HostBuffer::U32(out) => map_word(input, out, threads),
        // Modules for browsers are to stay small.
        HostBuffer::Bool(out) if cfg!(target_arch = "wasm32") => by_words(out, |words| map_word(input, words, threads)),
        HostBuffer::Bool(out) if reads_f64(input.fused) => map_truths::<f64>(input, out, threads),
        HostBuffer::Bool(out) => map_truths::<f32>(input, out, threads),
        _ if !HAS_WIDE => {}
        HostBuffer::I64(out) => map_element(input, out, threads),
        HostBuffer::U64(out) => map_element(input, out, threads),
        HostBuffer::I8(out) => map_narrow(input, out, threads, |x: u32| x as i8),
        HostBuffer::I16(out) => map_narrow(input, out, threads, |x: u32| x as i16),
        HostBuffer::U8(out) => map_narrow(input, out, threads, |x: u32| x as u8),
        HostBuffer::U16(out) => map_narrow(input, out, threads, |x: u32| x as u16),
        HostBuffer::BF16(out) if reads_f64(input.fused) => map_narrow(input, out, threads, half::narrow_bfloat_f64),
        HostBuffer::BF16(out) => map_narrow(input, out, threads, half::narrow_bfloat),
    }
}

fn map_element<T: Element>(input: &CpuInput<'_>, out: &mut [T], threads: Threads) {
    threads.for_each_piece(out, map_grain(out.len(), input.program, STORED_WORD, threads), |first, piece| {
        T::read(input, first, piece)
    });
}

/// Results of type `T`, each of them narrowed before it is stored.
fn map_narrow<T: Element, N: Send>(
    input: &CpuInput<'_>,
    out: &mut [N],
    threads: Threads,
    narrow: impl Fn(T) -> N + Sync,
) {
    threads.for_each_piece(out, map_grain(out.len(), input.program, STORED_WORD, threads), |first, piece| {
        T::for_each(input, first..first + piece.len(), |at, chunk| {
            piece[at - first..].iter_mut().zip(chunk).for_each(|(to, &x)| *to = narrow(x));
        });
    });
}

/// Elements, times the cost of each, that are worth a piece of their own: two microseconds, where handing it over takes one.
const MIN_PIECE_COST: usize = 64 * CHUNK;
/// What a result costs to store, in the unit of [`MIN_PIECE_COST`], beside what it costs to compute.
const STORED_WORD: usize = 1;
const STORED_BYTE: usize = 0;
/// Elements that the caches of one core hold, with their results.
const CACHED: usize = 128 * CHUNK;

/// Elements of a piece of a map. Up to what caches hold each thread has one piece, which is the same every time, so that it finds there
/// what it left; beyond it there are many, so that all threads are done at about the same time.
fn map_grain(n_elements: usize, program: &Program, stored: usize, threads: Threads) -> usize {
    let share = n_elements.div_ceil(threads.count()).next_multiple_of(CHUNK);
    let least = (MIN_PIECE_COST / (program.cost() + stored).max(1)).next_multiple_of(CHUNK);
    match share {
        _ if share < least => n_elements,
        _ if share <= CACHED => share,
        _ => GRAIN,
    }
}

fn map_num<F: Float>(input: &CpuInput<'_>, out: &mut [F], threads: Threads) {
    let grain = map_grain(out.len(), input.program, STORED_WORD, threads);
    threads.for_each_piece(out, grain, |first, piece| {
        let mut evaluator = input.evaluator::<F>();
        let step = evaluator.direct_step();
        for (k, chunk) in piece.chunks_mut(step).enumerate() {
            evaluator.run_into(first + k * step, chunk);
        }
    });
}

/// Results in precision `F`, stored as 16-bit floats. Where `F` is `f64`, the expression itself has rounded them.
fn map_half<F: Float>(input: &CpuInput<'_>, out: &mut [u16], threads: Threads) {
    let grain = map_grain(out.len(), input.program, STORED_WORD, threads);
    threads.for_each_piece(out, grain, |first, piece| {
        let mut evaluator = input.evaluator::<F>();
        for (k, chunk) in piece.chunks_mut(CHUNK).enumerate() {
            let start = first + k * CHUNK;
            evaluator.run(start, chunk.len());
            F::narrow(evaluator.num(0, start, chunk.len()), chunk);
        }
    });
}

fn map_word(input: &CpuInput<'_>, out: &mut [u32], threads: Threads) {
    // Integers and truth values may be computed from floats; their precision decides the type of the run.
    if reads_f64(input.fused) {
        map_word_by::<f64>(input, out, threads)
    } else {
        map_word_by::<f32>(input, out, threads)
    }
}

fn map_word_by<F: Float>(input: &CpuInput<'_>, out: &mut [u32], threads: Threads) {
    let grain = map_grain(out.len(), input.program, STORED_WORD, threads);
    threads.for_each_piece(out, grain, |first, piece| {
        let mut evaluator = input.evaluator::<F>();
        let step = evaluator.direct_step();
        for (k, chunk) in piece.chunks_mut(step).enumerate() {
            evaluator.run_words_into(first + k * step, chunk);
        }
    });
}

fn map_truths<F: Float>(input: &CpuInput<'_>, out: &mut [u8], threads: Threads) {
    let grain = map_grain(out.len(), input.program, STORED_BYTE, threads);
    threads.for_each_piece(out, grain, |first, piece| {
        let mut evaluator = input.evaluator::<F>();
        let step = evaluator.direct_step();
        for (k, chunk) in piece.chunks_mut(step).enumerate() {
            evaluator.run_truths_into(first + k * step, chunk);
        }
    });
}

/// Whether any of the truth values in `range` holds (or, `of_all`, whether all do). It stops where that is known.
pub fn any_truth(input: &CpuInput<'_>, range: std::ops::Range<usize>, of_all: bool) -> bool {
    fn by<F: Float>(input: &CpuInput<'_>, range: std::ops::Range<usize>, of_all: bool) -> bool {
        let mut evaluator = input.evaluator::<F>();
        let mut truths = vec![0; evaluator.step().min(range.len())];
        let mut start = range.start;
        while start < range.end {
            let len = truths.len().min(range.end - start);
            evaluator.run_truths_into(start, &mut truths[..len]);
            if tilework_vm::any_is(u8::from(!of_all), &truths[..len]) {
                return !of_all;
            }
            start += len;
        }
        of_all
    }
    if reads_f64(input.fused) { by::<f64>(input, range, of_all) } else { by::<f32>(input, range, of_all) }
}

/// Fills truth values by work that computes them as words.
pub fn by_words(out: &mut [u8], work: impl FnOnce(&mut [u32])) {
    let mut words = vec![0; out.len()];
    work(&mut words);
    tilework_vm::truths_of_words(&words, out);
}

/// True if the expression works on 64-bit floats.
#[inline(always)]
pub fn reads_f64(fused: &Fused) -> bool {
    HAS_DOUBLE && fused.leaves.iter().any(|leaf| matches!(leaf.source, LeafSource::Buffer { dtype: DType::F64, .. }))
}

/// Calls `visit(start, chunk)` for consecutive chunks of an input's elements `range`, as floats of type `F`.
#[inline]
pub fn for_each_num<F: Float>(
    evaluator: &mut Evaluator<'_, F>,
    range: std::ops::Range<usize>,
    mut visit: impl FnMut(usize, &[F]),
) {
    for_each_chunk(evaluator, CHUNK, range, Evaluator::num, &mut visit);
}

/// Evaluates consecutive chunks of the elements `range`, takes the result of each and calls `visit(start, chunk)`. One function for
/// all visitors: modules for browsers are to stay small.
#[inline(never)]
fn for_each_chunk<'a, F: Float, T>(
    evaluator: &mut Evaluator<'a, F>,
    step: usize,
    range: std::ops::Range<usize>,
    result: for<'e> fn(&'e Evaluator<'a, F>, usize, usize, usize) -> &'e [T],
    visit: &mut dyn FnMut(usize, &[T]),
) {
    let mut start = range.start;
    while start < range.end {
        let len = step.min(range.end - start);
        evaluator.run(start, len);
        visit(start, result(evaluator, 0, start, len));
        start += len;
    }
}

/// Calls `work(row, x, y)` for each row of `n_cols` elements of the first input and of `out`.
pub fn for_each_row<F: Float>(
    cx: &CpuCx<'_>,
    out: &mut [F],
    n_cols: usize,
    work: impl Fn(usize, &[F], &mut [F]) + Sync,
) {
    let in_place = cx.inputs[0].in_place::<F>();
    let rows_per_piece = (GRAIN / n_cols).max(1);
    cx.threads.for_each_piece(out, rows_per_piece * n_cols, |start, piece| {
        let rows = piece.chunks_mut(n_cols).enumerate().map(|(k, y)| (start + k * n_cols, y));
        if let Some(x) = in_place {
            rows.for_each(|(first, y)| work(first / n_cols, &x[first..first + n_cols], y));
            return;
        }
        let mut evaluator = cx.inputs[0].evaluator::<F>();
        let mut x = vec![F::default(); n_cols];
        for (first, y) in rows {
            for_each_num(&mut evaluator, first..first + n_cols, |at, chunk| {
                x[at - first..][..chunk.len()].copy_from_slice(chunk);
            });
            work(first / n_cols, &x, y);
        }
    });
}

/// Calls `visit(start, chunk)` for consecutive chunks of an input's elements `range`, as words.
#[inline]
pub fn for_each_word<F: Float>(
    evaluator: &mut Evaluator<'_, F>,
    range: std::ops::Range<usize>,
    mut visit: impl FnMut(usize, &[u32]),
) {
    for_each_chunk(evaluator, CHUNK, range, Evaluator::word, &mut visit);
}

/// Calls `visit(start, chunk)` for consecutive chunks of an input's elements `range`, as 64-bit integers.
fn for_each_long<F: Float>(
    evaluator: &mut Evaluator<'_, F>,
    range: std::ops::Range<usize>,
    mut visit: impl FnMut(usize, &[u64]),
) {
    for_each_chunk(evaluator, CHUNK, range, Evaluator::long, &mut visit);
}

/// An element type of arrays, as CPU kernels read it.
pub trait Element: bytemuck::Pod + Send + Sync {
    /// What reads an input; making one costs more than a short row.
    type Reader<'a>;

    /// Prepares to read `input`.
    fn reader<'a>(input: &CpuInput<'a>) -> Self::Reader<'a>;

    /// Like [`Element::for_each`], with a reader that is used again.
    fn read_with(reader: &mut Self::Reader<'_>, range: std::ops::Range<usize>, visit: impl FnMut(usize, &[Self]));

    /// The same by chunks of whatever length suits the reader.
    fn read_steps(reader: &mut Self::Reader<'_>, range: std::ops::Range<usize>, visit: impl FnMut(usize, &[Self])) {
        Self::read_with(reader, range, visit);
    }

    /// The elements of an input that needs no evaluation, from its first one on.
    fn in_place<'a>(_input: &CpuInput<'a>) -> Option<&'a [Self]> {
        None
    }

    /// Calls `visit(start, chunk)` for consecutive chunks of at most [`CHUNK`] of an input's elements `range`.
    fn for_each(input: &CpuInput<'_>, range: std::ops::Range<usize>, visit: impl FnMut(usize, &[Self])) {
        Self::read_with(&mut Self::reader(input), range, visit);
    }

    /// Copies as many of an input's elements as `out` holds, from `start` on.
    fn read(input: &CpuInput<'_>, start: usize, out: &mut [Self]) {
        Self::for_each(input, start..start + out.len(), |at, chunk| {
            out[at - start..][..chunk.len()].copy_from_slice(chunk);
        });
    }
}

macro_rules! float_element {
    ($($float:ident)*) => {
        $(impl Element for $float {
            type Reader<'a> = Evaluator<'a, $float>;

            fn reader<'a>(input: &CpuInput<'a>) -> Evaluator<'a, $float> {
                input.evaluator()
            }

            fn read_with(reader: &mut Evaluator<'_, $float>, range: std::ops::Range<usize>, visit: impl FnMut(usize, &[$float])) {
                for_each_num(reader, range, visit);
            }

            // Modules for browsers are to stay small.
            #[cfg(not(target_arch = "wasm32"))]
            fn read_steps(
                reader: &mut Evaluator<'_, $float>,
                range: std::ops::Range<usize>,
                mut visit: impl FnMut(usize, &[$float]),
            ) {
                for_each_chunk(reader, reader.step(), range, Evaluator::num, &mut visit);
            }

            #[cfg(not(target_arch = "wasm32"))]
            fn in_place<'a>(input: &CpuInput<'a>) -> Option<&'a [$float]> {
                input.in_place()
            }
        })*
    };
}
float_element!(f32 f64);

/// Reads integers and truth values, which may be computed from floats; their precision decides the type of the run.
pub enum EitherReader<'a> {
    /// In single precision.
    Single(Evaluator<'a, f32>),
    /// In double precision.
    Double(Evaluator<'a, f64>),
}

impl<'a> EitherReader<'a> {
    fn new(input: &CpuInput<'a>) -> EitherReader<'a> {
        if reads_f64(input.fused) {
            EitherReader::Double(input.evaluator())
        } else {
            EitherReader::Single(input.evaluator())
        }
    }
}

macro_rules! word_element {
    ($($word:ident)*) => {
        $(impl Element for $word {
            type Reader<'a> = EitherReader<'a>;

            fn reader<'a>(input: &CpuInput<'a>) -> EitherReader<'a> {
                EitherReader::new(input)
            }

            fn read_with(reader: &mut EitherReader<'_>, range: std::ops::Range<usize>, mut visit: impl FnMut(usize, &[$word])) {
                let visit = |at: usize, chunk: &[u32]| visit(at, bytemuck::cast_slice(chunk));
                match reader {
                    EitherReader::Double(_) if !HAS_DOUBLE => {}
                    EitherReader::Double(evaluator) => for_each_word(evaluator, range, visit),
                    EitherReader::Single(evaluator) => for_each_word(evaluator, range, visit),
                }
            }

            #[cfg(not(target_arch = "wasm32"))]
            fn read_steps(
                reader: &mut EitherReader<'_>,
                range: std::ops::Range<usize>,
                mut visit: impl FnMut(usize, &[$word]),
            ) {
                let mut visit = |at: usize, chunk: &[u32]| visit(at, bytemuck::cast_slice(chunk));
                match reader {
                    EitherReader::Double(evaluator) => {
                        for_each_chunk(evaluator, evaluator.step(), range, Evaluator::word, &mut visit);
                    }
                    EitherReader::Single(evaluator) => {
                        for_each_chunk(evaluator, evaluator.step(), range, Evaluator::word, &mut visit);
                    }
                }
            }

            #[cfg(not(target_arch = "wasm32"))]
            fn in_place<'a>(input: &CpuInput<'a>) -> Option<&'a [$word]> {
                match input.strided()? {
                    (HostSlice::Words(data), _, layout) if layout.is_contiguous() => {
                        data.get(layout.offset..).map(bytemuck::cast_slice)
                    }
                    _ => None,
                }
            }
        })*
    };
}
word_element!(i32 u32);

macro_rules! long_element {
    ($($long:ident)*) => {
        $(impl Element for $long {
            type Reader<'a> = EitherReader<'a>;

            fn reader<'a>(input: &CpuInput<'a>) -> EitherReader<'a> {
                EitherReader::new(input)
            }

            fn read_with(reader: &mut EitherReader<'_>, range: std::ops::Range<usize>, mut visit: impl FnMut(usize, &[$long])) {
                let visit = |at: usize, chunk: &[u64]| visit(at, bytemuck::cast_slice(chunk));
                match reader {
                    EitherReader::Double(_) if !HAS_DOUBLE => {}
                    EitherReader::Double(evaluator) => for_each_long(evaluator, range, visit),
                    EitherReader::Single(evaluator) => for_each_long(evaluator, range, visit),
                }
            }
        })*
    };
}
long_element!(i64 u64);
