//! Walking a grid: chunks of leaves in, chunks of results out.

use crate::frame::{Frame, Words, long_leaf, num_leaf, word_leaf};
use crate::kernels::{self, execute};
use crate::program::{Operand, Program};
use crate::scratch::Registers;
use crate::{CHUNK, Float, MAX_STEP, vectorized};
use tilework_core::axes::Axes;
use tilework_core::dtype::{HAS_WIDE, Scalar};
use tilework_core::expr::Value;
use tilework_core::fused::{Fused, LeafSource};
use tilework_core::half::{self, HAS_HALF};
use tilework_core::host::HostBuffer;

/// Elements of any type, borrowed.
#[derive(Clone, Copy, Debug)]
pub enum HostSlice<'a> {
    /// 16-bit floats, by their bits.
    F16(&'a [u16]),
    /// 32-bit floats.
    F32(&'a [f32]),
    /// 64-bit floats.
    F64(&'a [f64]),
    /// Integers and truth values, by their bits.
    Words(&'a [u32]),
    /// Truth values, 0 or 1.
    Truths(&'a [u8]),
    /// 64-bit integers, by their bits.
    Longs(&'a [u64]),
    /// bfloat16 numbers, by their bits.
    BF16(&'a [u16]),
    /// Signed 8-bit integers.
    I8(&'a [i8]),
    /// Signed 16-bit integers.
    I16(&'a [i16]),
    /// Unsigned 8-bit integers.
    U8(&'a [u8]),
    /// Unsigned 16-bit integers.
    U16(&'a [u16]),
}

impl<'a> From<&'a HostBuffer> for HostSlice<'a> {
    fn from(buffer: &'a HostBuffer) -> Self {
        match buffer {
            HostBuffer::F16(data) => HostSlice::F16(data),
            HostBuffer::F32(data) => HostSlice::F32(data),
            HostBuffer::F64(data) => HostSlice::F64(data),
            HostBuffer::I32(data) => HostSlice::Words(bytemuck::cast_slice(data)),
            HostBuffer::U32(data) => HostSlice::Words(data),
            HostBuffer::Bool(data) => HostSlice::Truths(data),
            HostBuffer::I64(data) => HostSlice::Longs(bytemuck::cast_slice(data)),
            HostBuffer::U64(data) => HostSlice::Longs(data),
            HostBuffer::BF16(data) => HostSlice::BF16(data),
            HostBuffer::I8(data) => HostSlice::I8(data),
            HostBuffer::I16(data) => HostSlice::I16(data),
            HostBuffer::U8(data) => HostSlice::U8(data),
            HostBuffer::U16(data) => HostSlice::U16(data),
        }
    }
}

impl HostSlice<'_> {
    /// Whether its elements are of a type that only the CPU has.
    fn is_wide(&self) -> bool {
        use HostSlice::*;
        HAS_WIDE && !matches!(self, F16(_) | F32(_) | F64(_) | Words(_) | Truths(_))
    }
}

/// One leaf, ready to be read chunk by chunk.
pub(crate) struct Reader<'a> {
    pub(crate) source: ReaderSource<'a>,
    scalar: Scalar,
    pub(crate) offset: usize,
    /// Strides over the merged axes.
    strides: Axes<isize>,
    /// The register a chunk is gathered into; `None` if elements follow each other and a chunk is a slice.
    pub(crate) gathered: Option<usize>,
}

impl Reader<'_> {
    /// Whether every point of the grid reads the same element.
    fn is_uniform(&self) -> bool {
        self.strides.iter().all(|&stride| stride == 0)
    }

    fn varies(&self) -> bool {
        !self.is_uniform()
    }
}

pub(crate) enum ReaderSource<'a> {
    Data(HostSlice<'a>),
    Offset,
}

/// Evaluates a [`Fused`] chunk by chunk. Each thread has its own; it holds the scratch registers.
pub struct Evaluator<'a, F: Float> {
    program: &'a Program,
    sizes: Axes<usize>,
    readers: Vec<Reader<'a>>,
    /// The program's registers, then those of gathered leaves.
    nums: Registers<F>,
    words: Registers<u32>,
    longs: Registers<u64>,
    /// Elements that a run may have at most.
    step: usize,
}

impl<'a, F: Float> Evaluator<'a, F> {
    /// Prepares to evaluate `fused`, already flattened to `program`, reading `inputs` and using `scalars` as parameters.
    pub fn new(fused: &Fused, program: &'a Program, inputs: &[HostSlice<'a>], scalars: &[Value]) -> Evaluator<'a, F> {
        let (sizes, strides) = fused.merged();
        let (mut n_nums, mut n_words, mut n_longs) = (program.n_nums, program.n_words, program.n_longs);
        let mut readers: Vec<Reader<'a>> = Vec::with_capacity(fused.leaves.len());
        for ((leaf, strides), &scalar) in fused.leaves.iter().zip(strides).zip(&program.leaves) {
            let source = match leaf.source {
                LeafSource::Buffer { input, .. } => ReaderSource::Data(inputs[input]),
                LeafSource::Offset => ReaderSource::Offset,
                // By convention the op's own results are the last input.
                LeafSource::Result => ReaderSource::Data(inputs[inputs.len() - 1]),
            };
            let is_same_type = match (&source, scalar) {
                (ReaderSource::Data(data), Scalar::Num) => F::of_slice(data).is_some(),
                (ReaderSource::Data(HostSlice::Words(_) | HostSlice::Longs(_)), _) => true,
                _ => false,
            };
            let in_place = is_same_type && (sizes.is_empty() || (sizes.len() == 1 && strides[0] == 1));
            let count = match scalar {
                Scalar::Num => &mut n_nums,
                Scalar::Long | Scalar::Ulong if HAS_WIDE => &mut n_longs,
                _ => &mut n_words,
            };
            let gathered = (!in_place).then(|| {
                *count += 1;
                *count - 1
            });
            readers.push(Reader { source, scalar, offset: leaf.layout.offset, strides, gathered });
        }
        let n_single = if takes_uniform::<F>() { program.single_lane.len() } else { 0 };
        let step = step_of(n_nums - n_single + n_words + 2 * n_longs, size_of::<F>());
        // A small grid has no full chunk.
        let n_lanes = sizes.iter().product::<usize>().clamp(1, step);
        let mut evaluator = Evaluator {
            nums: Registers::take(n_nums, n_lanes),
            words: Registers::take(n_words, n_lanes),
            longs: if HAS_WIDE { Registers::take(n_longs, n_lanes) } else { Registers::none() },
            program,
            sizes,
            readers,
            step,
        };
        evaluator.fill_constants(fused, scalars, n_lanes);
        if !evaluator.sizes.contains(&0) {
            evaluator.gather(Reader::is_uniform, 0, n_lanes);
        }
        evaluator
    }

    /// Prepares to evaluate `program` on chunks of at most `n_lanes` elements whose leaves, all floats, the caller fills
    /// ([`Self::leaf_mut`]) before each [`Self::run_by_hand`]. Parameters are 0.
    pub fn by_hand(program: &'a Program, n_lanes: usize) -> Evaluator<'a, F> {
        let reader = |leaf: usize| Reader {
            source: ReaderSource::Offset,
            scalar: Scalar::Num,
            offset: 0,
            strides: Axes::default(),
            gathered: Some(program.n_nums + leaf),
        };
        let n_leaves = program.leaves.len();
        let mut evaluator = Evaluator {
            nums: Registers::new(program.n_nums + n_leaves, n_lanes),
            words: Registers::new(program.n_words, n_lanes),
            longs: if HAS_WIDE { Registers::new(program.n_longs, n_lanes) } else { Registers::none() },
            program,
            sizes: Axes::default(),
            readers: (0..n_leaves).map(reader).collect(),
            step: n_lanes,
        };
        evaluator.fill_registers(program.constants.iter().copied(), n_lanes);
        evaluator
    }

    /// Leaf `leaf` of the next chunk, for an evaluator made [by hand](Self::by_hand).
    pub fn leaf_mut(&mut self, leaf: usize) -> &mut [F] {
        &mut self.nums[self.program.n_nums + leaf]
    }

    /// Evaluates the first `len` lanes of what [`Self::leaf_mut`] was given.
    pub fn run_by_hand(&mut self, len: usize) {
        F::execute(self, 0, len, Sink::None);
    }

    fn fill_constants(&mut self, fused: &Fused, scalars: &[Value], n_lanes: usize) {
        let program = self.program;
        let params = program.params.iter().map(|&(register, slot, scalar)| {
            let value =
                fused.params.get(slot).and_then(|&scalar| scalars.get(scalar)).copied().unwrap_or(Value::num(0.0));
            (register, value.cast(scalar))
        });
        self.fill_registers(program.constants.iter().copied().chain(params), n_lanes);
    }

    fn fill_registers(&mut self, values: impl Iterator<Item = (u16, Value)>, n_lanes: usize) {
        for (register, value) in values {
            let is_single = takes_uniform::<F>() && self.program.single_lane.contains(&register);
            let register = register as usize;
            match value {
                Value::Num(_) if is_single => self.nums[register][0] = F::from_f64(value.to_f64()),
                Value::Num(_) => self.nums[register][..n_lanes].fill(F::from_f64(value.to_f64())),
                Value::Int(value) => self.words[register][..n_lanes].fill(value as u32),
                Value::Uint(value) => self.words[register][..n_lanes].fill(value),
                Value::Bool(value) => self.words[register][..n_lanes].fill(u32::from(value)),
                Value::Long(_) | Value::Ulong(_) if !HAS_WIDE => {}
                Value::Long(value) => self.longs[register][..n_lanes].fill(value as u64),
                Value::Ulong(value) => self.longs[register][..n_lanes].fill(value),
            }
        }
    }

    /// Elements that are best evaluated at a time, at least [`CHUNK`]: the fewer registers, the more.
    pub fn step(&self) -> usize {
        self.step
    }

    /// The same for results that are stored at once: a single operation on arrays and numbers needs no register.
    pub fn direct_step(&self) -> usize {
        let program = self.program;
        let [instr] = program.code[..] else { return self.step };
        let stores = program.roots[0].0 == Operand::Reg(instr.out)
            && (program.roots[0].1 != Scalar::Bool || kernels::gives_truths_directly::<F>(&instr));
        let is_direct = stores
            && takes_uniform::<F>()
            && program.single_lane.len() == program.constants.len() + program.params.len()
            && self.readers.iter().all(|reader| reader.gathered.is_none());
        match instr.args[0] {
            _ if !is_direct => self.step,
            // Bytes of truth are a quarter of what is read: what a run costs of its own would be a tenth of such a comparison.
            Operand::Leaf(_) if program.roots[0].1 == Scalar::Bool && instr.uniform[1] => usize::MAX,
            _ => MAX_STEP,
        }
    }

    /// Evaluates `len` (at most [`Self::step`]) elements from `start` on; then [`Self::num`] and [`Self::word`] give the results.
    pub fn run(&mut self, start: usize, len: usize) {
        self.gather(Reader::varies, start, len);
        F::execute(self, start, len, Sink::None);
    }

    /// Evaluates as many elements as `out` holds (at most [`Self::direct_step`]) from `start` on and stores the first result there.
    pub fn run_into(&mut self, start: usize, out: &mut [F]) {
        self.gather(Reader::varies, start, out.len());
        let is_last = |register: u16| self.program.code.last().is_some_and(|instr| instr.out == register);
        match self.program.roots[0].0 {
            Operand::Reg(register) if is_last(register) => F::execute(self, start, out.len(), Sink::Nums(out)),
            _ => {
                F::execute(self, start, out.len(), Sink::None);
                out.copy_from_slice(self.num(0, start, out.len()));
            }
        }
    }

    /// The same for a first result of integers or truth values.
    pub fn run_words_into(&mut self, start: usize, out: &mut [u32]) {
        self.gather(Reader::varies, start, out.len());
        let is_last = |register: u16| self.program.code.last().is_some_and(|instr| instr.out == register);
        match self.program.roots[0].0 {
            Operand::Reg(register) if is_last(register) => F::execute(self, start, out.len(), Sink::Words(out)),
            _ => {
                F::execute(self, start, out.len(), Sink::None);
                out.copy_from_slice(self.word(0, start, out.len()));
            }
        }
    }

    /// The same for a first result of truth values.
    pub fn run_truths_into(&mut self, start: usize, out: &mut [u8]) {
        self.gather(Reader::varies, start, out.len());
        let is_direct = match (self.program.roots[0].0, self.program.code.last()) {
            (Operand::Reg(register), Some(last)) => last.out == register && kernels::gives_truths_directly::<F>(last),
            _ => false,
        };
        if is_direct {
            return F::execute(self, start, out.len(), Sink::Truths(out));
        }
        F::execute(self, start, out.len(), Sink::None);
        truths_of_words(self.word(0, start, out.len()), out);
    }

    /// Fills the registers of the leaves that are `wanted`. Those that are the same everywhere are filled once, for all chunks.
    fn gather(&mut self, wanted: impl Fn(&Reader<'a>) -> bool, start: usize, len: usize) {
        for reader in self.readers.iter().filter(|reader| wanted(reader)) {
            if let Some(register) = reader.gathered {
                let (nums, words): (&mut [F], &mut [u32]) = match reader.scalar {
                    Scalar::Num => (&mut self.nums[register], &mut []),
                    Scalar::Long | Scalar::Ulong if HAS_WIDE => {
                        gather_longs(reader, &self.sizes, start, &mut self.longs[register][..len]);
                        continue;
                    }
                    _ => (&mut [], &mut self.words[register]),
                };
                gather(reader, &self.sizes, start, len, nums, words);
            }
        }
    }

    /// Result `root` of the last chunk, a float.
    pub fn num(&self, root: usize, start: usize, len: usize) -> &[F] {
        match self.program.roots[root].0 {
            Operand::Reg(register) => &self.nums[register as usize][..len],
            Operand::Leaf(leaf) => num_leaf(&self.readers[leaf as usize], &self.nums, start, len),
        }
    }

    /// Result `root` of the last chunk, an integer or truth value.
    pub fn word(&self, root: usize, start: usize, len: usize) -> &[u32] {
        match self.program.roots[root].0 {
            Operand::Reg(register) => &self.words[register as usize][..len],
            Operand::Leaf(leaf) => word_leaf(&self.readers[leaf as usize], &self.words, start, len),
        }
    }
}

impl<F: Float> Evaluator<'_, F> {
    /// Result `root` of the last chunk, a 64-bit integer.
    pub fn long(&self, root: usize, start: usize, len: usize) -> &[u64] {
        match self.program.roots[root].0 {
            Operand::Reg(register) => &self.longs[register as usize][..len],
            Operand::Leaf(leaf) => long_leaf(&self.readers[leaf as usize], &self.longs, start, len),
        }
    }
}

/// Whether the loops for `F` take one number as an argument.
fn takes_uniform<F: Float>() -> bool {
    kernels::TAKES_UNIFORM && !F::BY_POINTER
}

/// Elements that a program with so many registers is best run on at a time: a run has its own cost, and all registers together are to
/// leave half of a first-level cache of 32 KB.
fn step_of(n_registers: usize, float_bytes: usize) -> usize {
    let n_lanes = MAX_STEP * 4 / (n_registers.max(1) * float_bytes);
    if cfg!(target_arch = "wasm32") { CHUNK } else { (n_lanes / CHUNK * CHUNK).clamp(CHUNK, MAX_STEP) }
}

/// Where the last result of a chunk goes instead of its register.
pub enum Sink<'a, F> {
    /// Nowhere else.
    None,
    /// To these floats.
    Nums(&'a mut [F]),
    /// To these words.
    Words(&'a mut [u32]),
    /// To these truth values, of [an operation that can](kernels::gives_truths_directly).
    Truths(&'a mut [u8]),
}

/// The body of [`Float::execute`].
#[inline(always)]
pub(crate) fn execute_chunk<F: Float>(evaluator: &mut Evaluator<'_, F>, start: usize, len: usize, sink: Sink<'_, F>) {
    let program = evaluator.program;
    let words = Words { registers: &mut evaluator.words, readers: &evaluator.readers, start, len, sink: None };
    let (mut num_sink, mut word_sink, mut truth_sink) = (None, None, None);
    match sink {
        Sink::None => {}
        Sink::Nums(out) => num_sink = Some(out),
        Sink::Words(out) => word_sink = Some(out),
        Sink::Truths(out) => truth_sink = Some(out),
    }
    let mut frame = Frame { nums: &mut evaluator.nums, words, longs: &mut evaluator.longs, sink: None };
    let n_code = program.code.len();
    vectorized(
        #[inline(always)]
        || {
            for (index, instr) in program.code.iter().enumerate() {
                if index + 1 == n_code {
                    if let Some(out) = truth_sink.take() {
                        return kernels::execute_truths(&frame, instr, out);
                    }
                    frame.sink = num_sink.take();
                    frame.words.sink = word_sink.take();
                }
                execute(&mut frame, instr);
            }
        },
    );
}

/// Copies `len` elements from grid position `start` on into a chunk, run by run along the innermost axis.
fn gather<F: Float>(reader: &Reader<'_>, sizes: &[usize], start: usize, len: usize, nums: &mut [F], words: &mut [u32]) {
    match (&reader.source, reader.scalar) {
        (ReaderSource::Offset, Scalar::Num) => {
            runs(reader, sizes, start, len, |to, from, stride, n| {
                (0..n).for_each(|i| nums[to + i] = F::from_f64((from + i as isize * stride) as f64));
            });
        }
        (ReaderSource::Offset, _) => {
            runs(reader, sizes, start, len, |to, from, stride, n| {
                (0..n).for_each(|i| words[to + i] = (from + i as isize * stride) as u32);
            });
        }
        (ReaderSource::Data(HostSlice::Words(data)), _) => {
            runs(reader, sizes, start, len, |to, from, stride, n| {
                copy_words(&mut words[to..to + n], data, from, stride)
            });
        }
        (ReaderSource::Data(HostSlice::Truths(data)), _) => {
            runs(reader, sizes, start, len, |to, from, stride, n| {
                copy_truths(&mut words[to..to + n], data, from, stride)
            });
        }
        (ReaderSource::Data(HostSlice::F16(_)), _) if !HAS_HALF => {}
        (ReaderSource::Data(data), _) if HAS_WIDE && data.is_wide() => {
            runs(reader, sizes, start, len, |to, from, stride, n| {
                let (nums, words) = (nums.get_mut(to..to + n), words.get_mut(to..to + n));
                gather_wide(data, from, stride, nums.unwrap_or_default(), words.unwrap_or_default());
            });
        }
        (ReaderSource::Data(HostSlice::F16(slice)), _) => runs(reader, sizes, start, len, |to, from, stride, n| {
            F::widen_run(&mut nums[to..to + n], slice, from, stride);
        }),
        (ReaderSource::Data(data @ HostSlice::F32(slice)), _) => match F::of_slice(data) {
            Some(data) => runs(reader, sizes, start, len, |to, from, stride, n| {
                F::copy_run(&mut nums[to..to + n], data, from, stride)
            }),
            None => runs(reader, sizes, start, len, |to, from, stride, n| {
                copy_run(&mut nums[to..to + n], slice, from, stride, |x| F::from_f64(f64::from(x)));
            }),
        },
        (ReaderSource::Data(data @ HostSlice::F64(slice)), _) => match F::of_slice(data) {
            Some(data) => runs(reader, sizes, start, len, |to, from, stride, n| {
                F::copy_run(&mut nums[to..to + n], data, from, stride)
            }),
            None => runs(reader, sizes, start, len, |to, from, stride, n| {
                copy_run(&mut nums[to..to + n], slice, from, stride, F::from_f64);
            }),
        },
        // What is left was met above.
        _ => {}
    }
}

/// Elements of 64 bits, or positions.
fn gather_longs(reader: &Reader<'_>, sizes: &[usize], start: usize, longs: &mut [u64]) {
    runs(reader, sizes, start, longs.len(), |to, from, stride, n| match &reader.source {
        ReaderSource::Data(HostSlice::Longs(data)) => copy_same(&mut longs[to..to + n], data, from, stride),
        _ => (0..n).for_each(|i| longs[to + i] = (from + i as isize * stride) as u64),
    });
}

/// A run of elements of a type that is computed with as another.
fn gather_wide<F: Float>(data: &HostSlice<'_>, from: isize, stride: isize, nums: &mut [F], words: &mut [u32]) {
    match data {
        HostSlice::BF16(data) => {
            copy_run(nums, data, from, stride, |x| F::from_f64(f64::from(half::widen_bfloat(x))));
        }
        HostSlice::I8(data) => copy_run(words, data, from, stride, |x| i32::from(x) as u32),
        HostSlice::I16(data) => copy_run(words, data, from, stride, |x| i32::from(x) as u32),
        HostSlice::U8(data) => copy_run(words, data, from, stride, u32::from),
        HostSlice::U16(data) => copy_run(words, data, from, stride, u32::from),
        _ => {}
    }
}

/// Not generic, so that it is compiled here, for speed.
#[inline(never)]
fn copy_words(to: &mut [u32], data: &[u32], from: isize, stride: isize) {
    copy_same(to, data, from, stride);
}

#[inline(never)]
fn copy_truths(to: &mut [u32], data: &[u8], from: isize, stride: isize) {
    vectorized(
        #[inline(always)]
        || copy_run(to, data, from, stride, u32::from),
    );
}

/// Truth values of words, which hold where a word is not 0.
#[inline(never)]
pub fn truths_of_words(words: &[u32], out: &mut [u8]) {
    vectorized(
        #[inline(always)]
        || out.iter_mut().zip(words).for_each(|(out, &word)| *out = u8::from(word != 0)),
    );
}

/// Whether any of some truth values is `wanted`, 0 or 1.
#[inline(never)]
pub fn any_is(wanted: u8, truths: &[u8]) -> bool {
    // Without a way out of the loop, which makes it one of vectors.
    vectorized(
        #[inline(always)]
        || truths.iter().fold(0, |any, &truth| any | u8::from(truth == wanted)) != 0,
    )
}

/// Copies `to.len()` elements, `stride` apart in `data`.
#[inline(always)]
pub(crate) fn copy_same<T: Copy>(to: &mut [T], data: &[T], from: isize, stride: isize) {
    match stride {
        1 => to.copy_from_slice(&data[from as usize..][..to.len()]),
        _ => copy_run(to, data, from, stride, |x| x),
    }
}

#[inline(always)]
pub(crate) fn copy_run<T: Copy, U>(to: &mut [U], data: &[T], from: isize, stride: isize, convert: impl Fn(T) -> U)
where
    U: Copy,
{
    match stride {
        0 => to.fill(convert(data[from as usize])),
        1 => to.iter_mut().zip(&data[from as usize..]).for_each(|(to, &x)| *to = convert(x)),
        _ => to.iter_mut().enumerate().for_each(|(i, to)| *to = convert(data[(from + i as isize * stride) as usize])),
    }
}

/// Calls `run(chunk position, element offset, stride, count)` for each even stretch of a leaf under the chunk.
fn runs(
    reader: &Reader<'_>,
    sizes: &[usize],
    start: usize,
    len: usize,
    mut run: impl FnMut(usize, isize, isize, usize),
) {
    let (&inner, outer) = match sizes.split_last() {
        Some(axes) if reader.varies() => axes,
        _ => return run(0, reader.offset as isize, 0, len),
    };
    let stride = reader.strides[outer.len()];
    let mut done = 0;
    while done < len {
        let position = start + done;
        let column = position % inner;
        let mut rest = position / inner;
        let mut from = reader.offset as isize + column as isize * stride;
        for (axis, &size) in outer.iter().enumerate().rev() {
            from += (rest % size) as isize * reader.strides[axis];
            rest /= size;
        }
        let n = (inner - column).min(len - done);
        run(done, from, stride, n);
        done += n;
    }
}
