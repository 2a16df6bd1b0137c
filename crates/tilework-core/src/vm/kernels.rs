//! One loop per operation on floats.

use super::Float;
use super::frame::Frame;
use super::program::Instr;
use super::{pointers, words};
use crate::dtype::Scalar;
use crate::expr::table::{meaning, scalar_table};
use crate::expr::{Kind, ScalarOp};

/// One row over a chunk.
macro_rules! run {
    (Arith $name:ident ($($arg:ident),*) $frame:ident $instr:ident) => { run!(@loop fill_num, $frame, $instr, ($($arg),*), meaning::$name($($arg),*)) };
    (Float $name:ident ($($arg:ident),*) $frame:ident $instr:ident) => { run!(@loop fill_num, $frame, $instr, ($($arg),*), meaning::$name($($arg),*)) };
    (Compare $name:ident ($($arg:ident),*) $frame:ident $instr:ident) => { run!(@loop fill_word, $frame, $instr, ($($arg),*), u32::from(meaning::$name($($arg),*))) };
    (Test $name:ident ($($arg:ident),*) $frame:ident $instr:ident) => { run!(@loop fill_word, $frame, $instr, ($($arg),*), u32::from(meaning::$name($($arg),*))) };
    // Operations on words are in `words.rs`.
    (Logic $name:ident ($($arg:ident),*) $frame:ident $instr:ident) => {{}};
    (Bits $name:ident ($($arg:ident),*) $frame:ident $instr:ident) => {{}};
    (@loop $fill:ident, $frame:ident, $instr:ident, ($x:ident), $body:expr) => {
        $frame.$fill($instr, #[inline(always)] |f, out| {
            let first = &f.num($instr.args[0])[..out.len()];
            for i in 0..out.len() {
                let $x = first[i];
                out[i] = $body;
            }
        })
    };
    (@loop $fill:ident, $frame:ident, $instr:ident, ($x:ident, $y:ident), $body:expr) => {
        $frame.$fill($instr, #[inline(always)] |f, out| {
            let first = &f.num($instr.args[0])[..out.len()];
            let second = &f.num($instr.args[1])[..out.len()];
            for i in 0..out.len() {
                let ($x, $y) = (first[i], second[i]);
                out[i] = $body;
            }
        })
    };
}

macro_rules! define_execute {
    ($d:ident $r:ident; $($Variant:ident $name:ident($($arg:ident),*) $kind:ident { $meaning:expr } { $($vjp:expr),* };)*) => {
        /// Runs an operation of the table on floats.
        #[inline(always)]
        fn execute_floats<F: Float>(frame: &mut Frame<'_, F>, instr: &Instr) {
            match instr.op {
                $(ScalarOp::$Variant => run!($kind $name ($($arg),*) frame instr),)*
                ScalarOp::Select | ScalarOp::ToNum | ScalarOp::ToInt | ScalarOp::ToUint | ScalarOp::ToBool => {}
            }
        }
    };
}
scalar_table!(define_execute);

/// Runs one instruction over a chunk.
#[inline(always)]
pub(super) fn execute<F: Float>(frame: &mut Frame<'_, F>, instr: &Instr) {
    let is_words = instr.operand != Scalar::Num && instr.op != ScalarOp::ToNum;
    match instr.op {
        _ if is_words => words::execute(&mut frame.words, instr),
        ScalarOp::Select => select(frame, instr),
        ScalarOp::ToNum => to_num(frame, instr),
        _ if matches!(instr.op.kind(), Kind::Cast(_)) => from_num(frame, instr),
        ScalarOp::Sin | ScalarOp::Cos | ScalarOp::Tan if F::is_moderate(frame.num(instr.args[0])) => moderate(frame, instr),
        _ if F::BY_POINTER => pointers::execute(frame, instr),
        _ => execute_floats(frame, instr),
    }
}

/// Trigonometry of a chunk whose arguments are all moderate, which is nearly every chunk there is.
#[inline(always)]
fn moderate<F: Float>(frame: &mut Frame<'_, F>, instr: &Instr) {
    match instr.op {
        ScalarOp::Sin => run!(@loop fill_num, frame, instr, (x), x.sin_moderate()),
        ScalarOp::Cos => run!(@loop fill_num, frame, instr, (x), x.cos_moderate()),
        _ => run!(@loop fill_num, frame, instr, (x), x.tan_moderate()),
    }
}

#[inline(always)]
fn select<F: Float>(frame: &mut Frame<'_, F>, instr: &Instr) {
    let [condition, a, b] = instr.args;
    frame.fill_num(
        instr,
        #[inline(always)]
        |f, out| {
            let (condition, a, b) = (f.words.word(condition), f.num(a), f.num(b));
            for i in 0..out.len() {
                out[i] = if condition[i] != 0 { a[i] } else { b[i] };
            }
        },
    );
}

#[inline(always)]
fn to_num<F: Float>(frame: &mut Frame<'_, F>, instr: &Instr) {
    let x = instr.args[0];
    frame.fill_num(
        instr,
        #[inline(always)]
        |f, out| match instr.operand {
            Scalar::Num => out.copy_from_slice(f.num(x)),
            Scalar::Int => {
                for (o, &x) in out.iter_mut().zip(f.words.int(x)) {
                    *o = F::from_f64(f64::from(x));
                }
            }
            _ => {
                for (o, &x) in out.iter_mut().zip(f.words.word(x)) {
                    *o = F::from_f64(f64::from(x));
                }
            }
        },
    );
}

#[inline(always)]
fn from_num<F: Float>(frame: &mut Frame<'_, F>, instr: &Instr) {
    match instr.op {
        ScalarOp::ToInt => run!(@loop fill_word, frame, instr, (x), x.to_i32() as u32),
        ScalarOp::ToUint => run!(@loop fill_word, frame, instr, (x), x.to_u32()),
        _ => run!(@loop fill_word, frame, instr, (x), u32::from(x != F::from_f64(0.0))),
    }
}
