//! The registers and leaves of one chunk.

use crate::grid::{Reader, ReaderSource};
use crate::program::{Instr, Operand};
use crate::{Float, HostSlice};

/// Registers of integers and truth values.
///
/// Leaves that had to be gathered are in registers of their own, after those of the program; the others are read in place.
pub(crate) struct Words<'a> {
    pub(crate) registers: &'a mut [Vec<u32>],
    pub(crate) readers: &'a [Reader<'a>],
    /// First element of the chunk.
    pub(crate) start: usize,
    pub(crate) len: usize,
    /// Where the next result goes instead of its register: the last one is written straight to memory.
    pub(crate) sink: Option<&'a mut [u32]>,
}

impl Words<'_> {
    #[inline(always)]
    pub(crate) fn word(&self, operand: Operand) -> &[u32] {
        match operand {
            Operand::Reg(register) => &self.registers[register as usize][..self.len],
            Operand::Leaf(leaf) => word_leaf(&self.readers[leaf as usize], self.registers, self.start, self.len),
        }
    }

    /// Computes a register; it is taken out of its file meanwhile, since no instruction reads what it writes.
    #[inline(always)]
    pub(crate) fn fill(&mut self, instr: &Instr, work: impl FnOnce(&Self, &mut [u32])) {
        let mut register = Vec::new();
        let out = match self.sink.take() {
            Some(sink) => sink,
            None => {
                register = std::mem::take(&mut self.registers[instr.out as usize]);
                &mut register[..self.len]
            }
        };
        // In one place: the loops of all operations are inlined here.
        work(self, out);
        if !register.is_empty() {
            self.registers[instr.out as usize] = register;
        }
    }
}

/// Registers of all files.
pub(crate) struct Frame<'a, F> {
    pub(crate) nums: &'a mut [Vec<F>],
    pub(crate) words: Words<'a>,
    /// 64-bit integers.
    pub(crate) longs: &'a mut [Vec<u64>],
    /// Where the next float result goes instead of its register: the last one is written straight to memory.
    pub(crate) sink: Option<&'a mut [F]>,
}

impl<F: Float> Frame<'_, F> {
    #[inline(always)]
    pub(crate) fn num(&self, operand: Operand) -> &[F] {
        match operand {
            Operand::Reg(register) => &self.nums[register as usize][..self.words.len],
            Operand::Leaf(leaf) => {
                let words = &self.words;
                num_leaf(&words.readers[leaf as usize], self.nums, words.start, words.len)
            }
        }
    }

    /// The number that an argument is everywhere. A run may be longer than the registers are, so none is read as a whole.
    #[inline(always)]
    pub(crate) fn one(&self, operand: Operand) -> F {
        let lanes = match operand {
            Operand::Reg(register) => &self.nums[register as usize][..],
            Operand::Leaf(_) => self.num(operand),
        };
        lanes.first().copied().unwrap_or_default()
    }

    /// A chunk of 64-bit integers.
    pub(crate) fn long(&self, operand: Operand) -> &[u64] {
        match operand {
            Operand::Reg(register) => &self.longs[register as usize][..self.words.len],
            Operand::Leaf(leaf) => {
                let words = &self.words;
                long_leaf(&words.readers[leaf as usize], self.longs, words.start, words.len)
            }
        }
    }

    /// Computes a float register; it is taken out of its file meanwhile, since no instruction reads what it writes.
    #[inline(always)]
    pub(crate) fn fill_num(&mut self, instr: &Instr, work: impl FnOnce(&Self, &mut [F])) {
        let mut register = Vec::new();
        let out = match self.sink.take() {
            Some(sink) => sink,
            None => {
                register = std::mem::take(&mut self.nums[instr.out as usize]);
                &mut register[..self.words.len]
            }
        };
        work(self, out);
        if !register.is_empty() {
            self.nums[instr.out as usize] = register;
        }
    }

    /// Computes a word register from anything.
    #[inline(always)]
    pub(crate) fn fill_word(&mut self, instr: &Instr, work: impl FnOnce(&Self, &mut [u32])) {
        let mut register = Vec::new();
        let out = match self.words.sink.take() {
            Some(sink) => sink,
            None => {
                register = std::mem::take(&mut self.words.registers[instr.out as usize]);
                &mut register[..self.words.len]
            }
        };
        work(self, out);
        if !register.is_empty() {
            self.words.registers[instr.out as usize] = register;
        }
    }
}

/// A chunk of a float leaf: in place, or from the register it was gathered into.
#[inline(always)]
pub(crate) fn num_leaf<'b, F: Float>(
    reader: &Reader<'b>,
    registers: &'b [Vec<F>],
    start: usize,
    len: usize,
) -> &'b [F] {
    match (&reader.source, reader.gathered) {
        (_, Some(register)) => &registers[register][..len],
        (ReaderSource::Data(data), None) => F::of_slice(data).map_or(&[], |data| &data[reader.offset + start..][..len]),
        (ReaderSource::Offset, None) => &[],
    }
}

/// A chunk of a leaf of integers or truth values, likewise.
#[inline(always)]
pub(crate) fn word_leaf<'b>(reader: &Reader<'b>, registers: &'b [Vec<u32>], start: usize, len: usize) -> &'b [u32] {
    match (&reader.source, reader.gathered) {
        (_, Some(register)) => &registers[register][..len],
        (ReaderSource::Data(HostSlice::Words(data)), None) => &data[reader.offset + start..][..len],
        _ => &[],
    }
}

/// A chunk of a leaf of 64-bit integers, likewise.
pub(crate) fn long_leaf<'b>(reader: &Reader<'b>, registers: &'b [Vec<u64>], start: usize, len: usize) -> &'b [u64] {
    match (&reader.source, reader.gathered) {
        (_, Some(register)) => &registers[register][..len],
        (ReaderSource::Data(HostSlice::Longs(data)), None) => &data[reader.offset + start..][..len],
        _ => &[],
    }
}
