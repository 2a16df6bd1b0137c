//! Instructions on integers and truth values only: the same code whatever the float type of the run.

use crate::frame::Words;
use crate::program::Instr;
use tilework_core::dtype::Scalar;
use tilework_core::expr::ScalarOp;
use tilework_core::expr::table::meaning;
use tilework_core::scalar_table;

/// One row over a chunk, for each type its kind allows; `x` and `y` are the arguments as words.
macro_rules! run {
    (Arith $name:ident ($($arg:ident),*) $operand:ident $chunk:tt) => {
        match $operand {
            Scalar::Uint => run!(@loop u32, ($($arg),*) $chunk meaning::$name($($arg),*)),
            _ => run!(@loop i32, ($($arg),*) $chunk meaning::$name($($arg),*) as u32),
        }
    };
    (Compare $name:ident ($($arg:ident),*) $operand:ident $chunk:tt) => {
        match $operand {
            Scalar::Uint => run!(@loop u32, ($($arg),*) $chunk u32::from(meaning::$name($($arg),*))),
            _ => run!(@loop i32, ($($arg),*) $chunk u32::from(meaning::$name($($arg),*))),
        }
    };
    (Bits $name:ident ($($arg:ident),*) $operand:ident $chunk:tt) => { run!(Arith $name ($($arg),*) $operand $chunk) };
    (Logic $name:ident ($($arg:ident),*) $operand:ident $chunk:tt) => { run!(@loop u32, ($($arg),*) $chunk u32::from(meaning::$name($($arg != 0),*))) };
    // Operations on floats are not for this file.
    (Float $name:ident ($($arg:ident),*) $operand:ident $chunk:tt) => {{}};
    (Test $name:ident ($($arg:ident),*) $operand:ident $chunk:tt) => {{}};
    (@loop $as:ty, ($x:ident) ($a:ident, $b:ident, $out:ident) $body:expr) => {
        for i in 0..$out.len() {
            let $x = $a[i] as $as;
            $out[i] = $body;
        }
    };
    (@loop $as:ty, ($x:ident, $y:ident) ($a:ident, $b:ident, $out:ident) $body:expr) => {
        for i in 0..$out.len() {
            let ($x, $y) = ($a[i] as $as, $b[i] as $as);
            $out[i] = $body;
        }
    };
}

macro_rules! define_table {
    ($d:ident $r:ident; $($Variant:ident $name:ident($($arg:ident),*) $kind:ident { $meaning:expr } { $($vjp:expr),* };)*) => {
        /// Runs an operation of the table on words.
        #[inline(always)]
        fn table(op: ScalarOp, operand: Scalar, a: &[u32], b: &[u32], out: &mut [u32]) {
            match op {
                $(ScalarOp::$Variant => run!($kind $name ($($arg),*) operand (a, b, out)),)*
                ScalarOp::ToBool => run!(@loop u32, (x) (a, b, out) u32::from(x != 0)),
                // Integers convert to each other by their bits.
                _ => out.copy_from_slice(a),
            }
        }
    };
}
scalar_table!(define_table);

/// Runs an instruction that neither reads nor writes floats. Inlined where the caller was compiled for better instructions
/// than the target guarantees; shared by both float types where size counts.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub(crate) fn execute(words: &mut Words<'_>, instr: &Instr) {
    words.fill(
        instr,
        #[inline(always)]
        |w, out| {
            // Found once for all loops below, which keeps them small.
            let [a, b, c] = instr.args.map(|arg| &w.word(arg)[..out.len()]);
            if instr.op == ScalarOp::Select {
                for i in 0..out.len() {
                    out[i] = if a[i] != 0 { b[i] } else { c[i] };
                }
            } else {
                table(instr.op, instr.operand, a, b, out);
            }
        },
    );
}
