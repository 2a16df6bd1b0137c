//! The registers and leaves of one chunk.

use super::Float;
use super::program::{Instr, Operand};

/// Registers of integers and truth values.
pub(super) struct Words<'a> {
    pub(super) registers: &'a mut [Vec<u32>],
    pub(super) leaves: &'a [&'a [u32]],
    pub(super) len: usize,
}

impl Words<'_> {
    #[inline(always)]
    pub(super) fn word(&self, operand: Operand) -> &[u32] {
        match operand {
            Operand::Reg(register) => &self.registers[register as usize][..self.len],
            Operand::Leaf(leaf) => &self.leaves[leaf as usize][..self.len],
        }
    }

    #[inline(always)]
    pub(super) fn int(&self, operand: Operand) -> &[i32] {
        bytemuck::cast_slice(self.word(operand))
    }

    /// Computes a register; it is taken out of its file meanwhile, since no instruction reads what it writes.
    #[inline(always)]
    pub(super) fn fill(&mut self, instr: &Instr, work: impl FnOnce(&Self, &mut [u32])) {
        let mut out = std::mem::take(&mut self.registers[instr.out as usize]);
        work(self, &mut out[..self.len]);
        self.registers[instr.out as usize] = out;
    }
}

/// Registers of both files.
pub(super) struct Frame<'a, F> {
    pub(super) nums: &'a mut [Vec<F>],
    pub(super) leaf_nums: &'a [&'a [F]],
    pub(super) words: Words<'a>,
}

impl<F: Float> Frame<'_, F> {
    #[inline(always)]
    pub(super) fn num(&self, operand: Operand) -> &[F] {
        match operand {
            Operand::Reg(register) => &self.nums[register as usize][..self.words.len],
            Operand::Leaf(leaf) => &self.leaf_nums[leaf as usize][..self.words.len],
        }
    }

    /// Computes a float register; it is taken out of its file meanwhile, since no instruction reads what it writes.
    #[inline(always)]
    pub(super) fn fill_num(&mut self, instr: &Instr, work: impl FnOnce(&Self, &mut [F])) {
        let mut out = std::mem::take(&mut self.nums[instr.out as usize]);
        work(self, &mut out[..self.words.len]);
        self.nums[instr.out as usize] = out;
    }

    /// Computes a word register from anything.
    #[inline(always)]
    pub(super) fn fill_word(&mut self, instr: &Instr, work: impl FnOnce(&Self, &mut [u32])) {
        let mut out = std::mem::take(&mut self.words.registers[instr.out as usize]);
        work(self, &mut out[..self.words.len]);
        self.words.registers[instr.out as usize] = out;
    }
}
