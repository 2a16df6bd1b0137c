//! The same operations through function pointers: four loops for all of them.
//!
//! Where the size of the module counts more than double precision's speed (WASM), a loop per operation is not worth its
//! bytes: nearly all double-precision time is spent inside the functions anyway.

use crate::Float;
use crate::frame::Frame;
use crate::program::Instr;
use tilework_core::expr::ScalarOp;
use tilework_core::expr::table::meaning;
use tilework_core::scalar_table;

enum Pointer<F> {
    One(fn(F) -> F),
    Two(fn(F, F) -> F),
    TestOne(fn(F) -> bool),
    TestTwo(fn(F, F) -> bool),
    /// Not an operation on floats.
    None,
}

macro_rules! pointer {
    (Arith $name:ident ($x:ident)) => {
        Pointer::One(meaning::$name)
    };
    (Arith $name:ident ($x:ident, $y:ident)) => {
        Pointer::Two(meaning::$name)
    };
    (Float $name:ident ($x:ident)) => {
        Pointer::One(meaning::$name)
    };
    (Float $name:ident ($x:ident, $y:ident)) => {
        Pointer::Two(meaning::$name)
    };
    (Compare $name:ident ($x:ident, $y:ident)) => {
        Pointer::TestTwo(meaning::$name)
    };
    (Test $name:ident ($x:ident)) => {
        Pointer::TestOne(meaning::$name)
    };
    ($kind:ident $name:ident ($($x:ident),*)) => {
        Pointer::None
    };
}

macro_rules! define_pointer {
    ($d:ident $r:ident; $($Variant:ident $name:ident($($arg:ident),*) $kind:ident { $meaning:expr } { $($vjp:expr),* };)*) => {
        fn pointer<F: Float>(op: ScalarOp) -> Pointer<F> {
            match op {
                $(ScalarOp::$Variant => pointer!($kind $name ($($arg),*)),)*
                _ => Pointer::None,
            }
        }
    };
}
scalar_table!(define_pointer);

/// Runs an operation of the table on floats.
#[inline(never)]
pub(crate) fn execute<F: Float>(frame: &mut Frame<'_, F>, instr: &Instr) {
    let [a, b, _] = instr.args;
    match pointer::<F>(instr.op) {
        Pointer::One(f) => {
            frame.fill_num(instr, |frame, out| out.iter_mut().zip(frame.num(a)).for_each(|(o, &x)| *o = f(x)));
        }
        Pointer::Two(f) => frame.fill_num(instr, |frame, out| {
            out.iter_mut().zip(frame.num(a)).zip(frame.num(b)).for_each(|((o, &x), &y)| *o = f(x, y));
        }),
        Pointer::TestOne(f) => {
            frame.fill_word(instr, |frame, out| {
                out.iter_mut().zip(frame.num(a)).for_each(|(o, &x)| *o = u32::from(f(x)))
            });
        }
        Pointer::TestTwo(f) => frame.fill_word(instr, |frame, out| {
            out.iter_mut().zip(frame.num(a)).zip(frame.num(b)).for_each(|((o, &x), &y)| *o = u32::from(f(x, y)));
        }),
        Pointer::None => {}
    }
}
