//! One loop per operation and type.

use super::Float;
use super::program::{Instr, Operand};
use crate::dtype::Scalar;
use crate::expr::ScalarOp;
use crate::expr::table::{meaning, scalar_table};

/// The registers and leaves of one chunk.
pub(super) struct Frame<'a, F> {
    pub(super) nums: &'a mut [Vec<F>],
    pub(super) words: &'a mut [Vec<u32>],
    pub(super) leaf_nums: &'a [&'a [F]],
    pub(super) leaf_words: &'a [&'a [u32]],
    pub(super) len: usize,
}

impl<F: Float> Frame<'_, F> {
    #[inline(always)]
    fn num(&self, operand: Operand) -> &[F] {
        match operand {
            Operand::Reg(register) => &self.nums[register as usize][..self.len],
            Operand::Leaf(leaf) => &self.leaf_nums[leaf as usize][..self.len],
        }
    }

    #[inline(always)]
    fn word(&self, operand: Operand) -> &[u32] {
        match operand {
            Operand::Reg(register) => &self.words[register as usize][..self.len],
            Operand::Leaf(leaf) => &self.leaf_words[leaf as usize][..self.len],
        }
    }

    #[inline(always)]
    fn int(&self, operand: Operand) -> &[i32] {
        bytemuck::cast_slice(self.word(operand))
    }

    /// Computes a float register; it is taken out of its file meanwhile, since no instruction reads what it writes.
    #[inline(always)]
    fn fill_num(&mut self, instr: &Instr, work: impl FnOnce(&Self, &mut [F])) {
        let mut out = std::mem::take(&mut self.nums[instr.out as usize]);
        work(self, &mut out[..self.len]);
        self.nums[instr.out as usize] = out;
    }

    #[inline(always)]
    fn fill_word(&mut self, instr: &Instr, work: impl FnOnce(&Self, &mut [u32])) {
        let mut out = std::mem::take(&mut self.words[instr.out as usize]);
        work(self, &mut out[..self.len]);
        self.words[instr.out as usize] = out;
    }
}

/// Runs one row over a chunk, for each type its kind allows.
macro_rules! run {
    (Arith $name:ident ($($arg:ident),*) $frame:ident $instr:ident) => {
        match $instr.operand {
            Scalar::Num => $frame.fill_num($instr, #[inline(always)] |f, out| run!(@loop out, num, f, $instr, ($($arg),*), meaning::$name($($arg),*))),
            Scalar::Uint => $frame.fill_word($instr, #[inline(always)] |f, out| run!(@loop out, word, f, $instr, ($($arg),*), meaning::$name($($arg),*))),
            _ => $frame.fill_word($instr, #[inline(always)] |f, out| run!(@loop out, int, f, $instr, ($($arg),*), meaning::$name($($arg),*) as u32)),
        }
    };
    (Float $name:ident ($($arg:ident),*) $frame:ident $instr:ident) => {
        $frame.fill_num($instr, #[inline(always)] |f, out| run!(@loop out, num, f, $instr, ($($arg),*), meaning::$name($($arg),*)))
    };
    (Compare $name:ident ($($arg:ident),*) $frame:ident $instr:ident) => {
        match $instr.operand {
            Scalar::Num => $frame.fill_word($instr, #[inline(always)] |f, out| run!(@loop out, num, f, $instr, ($($arg),*), u32::from(meaning::$name($($arg),*)))),
            Scalar::Uint => $frame.fill_word($instr, #[inline(always)] |f, out| run!(@loop out, word, f, $instr, ($($arg),*), u32::from(meaning::$name($($arg),*)))),
            _ => $frame.fill_word($instr, #[inline(always)] |f, out| run!(@loop out, int, f, $instr, ($($arg),*), u32::from(meaning::$name($($arg),*)))),
        }
    };
    (Test $name:ident ($($arg:ident),*) $frame:ident $instr:ident) => {
        $frame.fill_word($instr, #[inline(always)] |f, out| run!(@loop out, num, f, $instr, ($($arg),*), u32::from(meaning::$name($($arg),*))))
    };
    (Logic $name:ident ($($arg:ident),*) $frame:ident $instr:ident) => {
        $frame.fill_word($instr, #[inline(always)] |f, out| run!(@loop out, word, f, $instr, ($($arg),*), u32::from(meaning::$name($($arg != 0),*))))
    };
    (Bits $name:ident ($($arg:ident),*) $frame:ident $instr:ident) => {
        match $instr.operand {
            Scalar::Uint => $frame.fill_word($instr, #[inline(always)] |f, out| run!(@loop out, word, f, $instr, ($($arg),*), meaning::$name($($arg),*))),
            _ => $frame.fill_word($instr, #[inline(always)] |f, out| run!(@loop out, int, f, $instr, ($($arg),*), meaning::$name($($arg),*) as u32)),
        }
    };
    // Binds each argument's slice under the argument's name, then loops.
    (@loop $out:ident, $file:ident, $f:ident, $instr:ident, ($x:ident), $body:expr) => {{
        let slice = &$f.$file($instr.args[0])[..$out.len()];
        for i in 0..$out.len() {
            let $x = slice[i];
            $out[i] = $body;
        }
    }};
    (@loop $out:ident, $file:ident, $f:ident, $instr:ident, ($x:ident, $y:ident), $body:expr) => {{
        let first = &$f.$file($instr.args[0])[..$out.len()];
        let second = &$f.$file($instr.args[1])[..$out.len()];
        for i in 0..$out.len() {
            let ($x, $y) = (first[i], second[i]);
            $out[i] = $body;
        }
    }};
}

macro_rules! define_execute {
    ($d:ident $r:ident; $($Variant:ident $name:ident($($arg:ident),*) $kind:ident { $meaning:expr } { $($vjp:expr),* };)*) => {
        /// Runs one instruction over a chunk.
        #[inline(always)]
        pub(super) fn execute<F: Float>(frame: &mut Frame<'_, F>, instr: &Instr) {
            match instr.op {
                ScalarOp::Sin | ScalarOp::Cos | ScalarOp::Tan if F::is_moderate(frame.num(instr.args[0])) => moderate(frame, instr),
                $(ScalarOp::$Variant => run!($kind $name ($($arg),*) frame instr),)*
                ScalarOp::Select => select(frame, instr),
                ScalarOp::ToNum => to_num(frame, instr),
                ScalarOp::ToInt => to_int(frame, instr),
                ScalarOp::ToUint => to_uint(frame, instr),
                ScalarOp::ToBool => to_bool(frame, instr),
            }
        }
    };
}
scalar_table!(define_execute);

/// Trigonometry of a chunk whose arguments are all moderate, which is nearly every chunk there is.
#[inline(always)]
fn moderate<F: Float>(frame: &mut Frame<'_, F>, instr: &Instr) {
    let x = instr.args[0];
    frame.fill_num(
        instr,
        #[inline(always)]
        |f, out| {
            let x = &f.num(x)[..out.len()];
            match instr.op {
                ScalarOp::Sin => {
                    for i in 0..out.len() {
                        out[i] = x[i].sin_moderate();
                    }
                }
                ScalarOp::Cos => {
                    for i in 0..out.len() {
                        out[i] = x[i].cos_moderate();
                    }
                }
                _ => {
                    for i in 0..out.len() {
                        out[i] = x[i].tan_moderate();
                    }
                }
            }
        },
    );
}

#[inline(always)]
fn select<F: Float>(frame: &mut Frame<'_, F>, instr: &Instr) {
    let [condition, a, b] = instr.args;
    if instr.operand == Scalar::Num {
        frame.fill_num(instr, #[inline(always)] |f, out| {
            let (condition, a, b) = (f.word(condition), f.num(a), f.num(b));
            for i in 0..out.len() {
                out[i] = if condition[i] != 0 { a[i] } else { b[i] };
            }
        });
    } else {
        frame.fill_word(instr, #[inline(always)] |f, out| {
            let (condition, a, b) = (f.word(condition), f.word(a), f.word(b));
            for i in 0..out.len() {
                out[i] = if condition[i] != 0 { a[i] } else { b[i] };
            }
        });
    }
}

#[inline(always)]
fn to_num<F: Float>(frame: &mut Frame<'_, F>, instr: &Instr) {
    let x = instr.args[0];
    frame.fill_num(instr, #[inline(always)] |f, out| match instr.operand {
        Scalar::Num => out.copy_from_slice(f.num(x)),
        Scalar::Int => out.iter_mut().zip(f.int(x)).for_each(|(o, &x)| *o = F::from_f64(f64::from(x))),
        _ => out.iter_mut().zip(f.word(x)).for_each(|(o, &x)| *o = F::from_f64(f64::from(x))),
    });
}

#[inline(always)]
fn to_int<F: Float>(frame: &mut Frame<'_, F>, instr: &Instr) {
    let x = instr.args[0];
    frame.fill_word(instr, #[inline(always)] |f, out| match instr.operand {
        Scalar::Num => out.iter_mut().zip(f.num(x)).for_each(|(o, &x)| *o = x.to_i32() as u32),
        _ => out.copy_from_slice(f.word(x)),
    });
}

#[inline(always)]
fn to_uint<F: Float>(frame: &mut Frame<'_, F>, instr: &Instr) {
    let x = instr.args[0];
    frame.fill_word(instr, #[inline(always)] |f, out| match instr.operand {
        Scalar::Num => out.iter_mut().zip(f.num(x)).for_each(|(o, &x)| *o = x.to_u32()),
        _ => out.copy_from_slice(f.word(x)),
    });
}

#[inline(always)]
fn to_bool<F: Float>(frame: &mut Frame<'_, F>, instr: &Instr) {
    let x = instr.args[0];
    frame.fill_word(instr, #[inline(always)] |f, out| match instr.operand {
        Scalar::Num => out.iter_mut().zip(f.num(x)).for_each(|(o, &x)| *o = u32::from(x != F::from_f64(0.0))),
        _ => out.iter_mut().zip(f.word(x)).for_each(|(o, &x)| *o = u32::from(x != 0)),
    });
}
