//! Instructions on integers and truth values only: the same code whatever the float type of the run.

use super::frame::Words;
use super::program::Instr;
use crate::dtype::Scalar;
use crate::expr::ScalarOp;
use crate::expr::table::{meaning, scalar_table};

/// One row over a chunk, for each type its kind allows.
macro_rules! run {
    (Arith $name:ident ($($arg:ident),*) $words:ident $instr:ident) => {
        match $instr.operand {
            Scalar::Uint => run!(@loop $words, $instr, word, ($($arg),*), meaning::$name($($arg),*)),
            _ => run!(@loop $words, $instr, int, ($($arg),*), meaning::$name($($arg),*) as u32),
        }
    };
    (Compare $name:ident ($($arg:ident),*) $words:ident $instr:ident) => {
        match $instr.operand {
            Scalar::Uint => run!(@loop $words, $instr, word, ($($arg),*), u32::from(meaning::$name($($arg),*))),
            _ => run!(@loop $words, $instr, int, ($($arg),*), u32::from(meaning::$name($($arg),*))),
        }
    };
    (Bits $name:ident ($($arg:ident),*) $words:ident $instr:ident) => {
        run!(Arith $name ($($arg),*) $words $instr)
    };
    (Logic $name:ident ($($arg:ident),*) $words:ident $instr:ident) => {
        run!(@loop $words, $instr, word, ($($arg),*), u32::from(meaning::$name($($arg != 0),*)))
    };
    // Operations on floats are not for this file.
    (Float $name:ident ($($arg:ident),*) $words:ident $instr:ident) => {{}};
    (Test $name:ident ($($arg:ident),*) $words:ident $instr:ident) => {{}};
    (@loop $words:ident, $instr:ident, $view:ident, ($x:ident), $body:expr) => {
        $words.fill($instr, #[inline(always)] |w, out| {
            let first = &w.$view($instr.args[0])[..out.len()];
            for i in 0..out.len() {
                let $x = first[i];
                out[i] = $body;
            }
        })
    };
    (@loop $words:ident, $instr:ident, $view:ident, ($x:ident, $y:ident), $body:expr) => {
        $words.fill($instr, #[inline(always)] |w, out| {
            let first = &w.$view($instr.args[0])[..out.len()];
            let second = &w.$view($instr.args[1])[..out.len()];
            for i in 0..out.len() {
                let ($x, $y) = (first[i], second[i]);
                out[i] = $body;
            }
        })
    };
}

macro_rules! define_execute {
    ($d:ident $r:ident; $($Variant:ident $name:ident($($arg:ident),*) $kind:ident { $meaning:expr } { $($vjp:expr),* };)*) => {
        /// Runs an instruction that neither reads nor writes floats. Inlined where the caller was compiled for better
        /// instructions than the target guarantees; shared by both float types where size counts.
        #[cfg_attr(target_arch = "wasm32", inline(never))]
        #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
        pub(super) fn execute(words: &mut Words<'_>, instr: &Instr) {
            match instr.op {
                $(ScalarOp::$Variant => run!($kind $name ($($arg),*) words instr),)*
                ScalarOp::Select => words.fill(instr, #[inline(always)] |w, out| {
                    let [condition, a, b] = instr.args.map(|arg| &w.word(arg)[..out.len()]);
                    for i in 0..out.len() {
                        out[i] = if condition[i] != 0 { a[i] } else { b[i] };
                    }
                }),
                ScalarOp::ToBool => run!(@loop words, instr, word, (x), u32::from(x != 0)),
                // Integers convert to each other by their bits.
                ScalarOp::ToInt | ScalarOp::ToUint | ScalarOp::ToNum => run!(@loop words, instr, word, (x), x),
            }
        }
    };
}
scalar_table!(define_execute);
