//! Instructions on 64-bit integers, which have a register file of their own: arithmetic and bits give such integers, comparisons and
//! conversions give words or floats, and others become 64-bit integers.
//!
//! NumPy's default integers are rare in what runs here (indices and counts have 32 bits), so these loops are plain, and a build that
//! leaves the types out ([`HAS_WIDE`]) leaves these loops out, too.

use crate::Float;
use crate::frame::Frame;
use crate::program::{Instr, Operand};
use tilework_core::dtype::{HAS_WIDE, Scalar};
use tilework_core::expr::table::meaning;
use tilework_core::expr::{Kind, ScalarOp};
use tilework_core::scalar_table;

/// One row over a chunk; `wholes` runs the kinds that give integers, `tests` those that give truth values.
macro_rules! run {
    (wholes Arith $name:ident $args:tt $operand:ident $chunk:tt) => { run!(@whole $name $args $operand $chunk) };
    (wholes Bits $name:ident $args:tt $operand:ident $chunk:tt) => { run!(@whole $name $args $operand $chunk) };
    (tests Compare $name:ident ($($arg:ident),*) $operand:ident $chunk:tt) => {
        match $operand {
            Scalar::Ulong => run!(@loop u64, ($($arg),*) $chunk u32::from(meaning::$name($($arg),*))),
            _ => run!(@loop i64, ($($arg),*) $chunk u32::from(meaning::$name($($arg),*))),
        }
    };
    ($which:ident $kind:ident $name:ident $args:tt $operand:ident $chunk:tt) => {{}};
    (@whole $name:ident ($($arg:ident),*) $operand:ident $chunk:tt) => {
        match $operand {
            Scalar::Ulong => run!(@loop u64, ($($arg),*) $chunk meaning::$name($($arg),*)),
            _ => run!(@loop i64, ($($arg),*) $chunk meaning::$name($($arg),*) as u64),
        }
    };
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

macro_rules! define_tables {
    ($d:ident $r:ident; $($Variant:ident $name:ident($($arg:ident),*) $kind:ident { $meaning:expr } { $($vjp:expr),* };)*) => {
        fn wholes(op: ScalarOp, operand: Scalar, a: &[u64], b: &[u64], out: &mut [u64]) {
            match op {
                $(ScalarOp::$Variant => run!(wholes $kind $name ($($arg),*) operand (a, b, out)),)*
                _ => out.copy_from_slice(a),
            }
        }

        fn tests(op: ScalarOp, operand: Scalar, a: &[u64], b: &[u64], out: &mut [u32]) {
            match op {
                $(ScalarOp::$Variant => run!(tests $kind $name ($($arg),*) operand (a, b, out)),)*
                ScalarOp::ToBool => run!(@loop u64, (x) (a, b, out) u32::from(x != 0)),
                // Integers convert to each other by their bits.
                _ => run!(@loop u64, (x) (a, b, out) x as u32),
            }
        }
    };
}
scalar_table!(define_tables);

/// Whether an instruction is one of those here.
#[inline(always)]
pub(crate) fn is_here(instr: &Instr) -> bool {
    HAS_WIDE && (instr.operand.is_long() || matches!(instr.op, ScalarOp::ToLong | ScalarOp::ToUlong))
}

/// Runs an instruction for which [`is_here`] holds.
#[inline(never)]
pub(crate) fn execute<F: Float>(frame: &mut Frame<'_, F>, instr: &Instr) {
    let [a, b, c] = instr.args;
    match instr.op.kind() {
        Kind::Cast(Scalar::Num) => frame.fill_num(instr, |f, out| {
            let x = f.long(a);
            let signed = instr.operand == Scalar::Long;
            out.iter_mut().zip(x).for_each(|(o, &x)| *o = F::from_f64(if signed { x as i64 as f64 } else { x as f64 }));
        }),
        Kind::Cast(to) if to.is_long() && !instr.operand.is_long() => from_others(frame, instr, to),
        Kind::Compare | Kind::Cast(Scalar::Bool | Scalar::Int | Scalar::Uint) => frame.fill_word(instr, |f, out| {
            let n = out.len();
            tests(instr.op, instr.operand, &f.long(a)[..n], &f.long(b)[..n], out);
        }),
        Kind::Select => fill(frame, instr, |f, out| {
            let n = out.len();
            let (condition, b, c) = (&f.words.word(a)[..n], &f.long(b)[..n], &f.long(c)[..n]);
            (0..n).for_each(|i| out[i] = if condition[i] != 0 { b[i] } else { c[i] });
        }),
        _ => fill(frame, instr, |f, out| {
            let n = out.len();
            wholes(instr.op, instr.operand, &f.long(a)[..n], &f.long(b)[..n], out);
        }),
    }
}

/// 64-bit integers from floats, which saturate, and from words.
fn from_others<F: Float>(frame: &mut Frame<'_, F>, instr: &Instr, to: Scalar) {
    let x: Operand = instr.args[0];
    fill(frame, instr, |f, out| match instr.operand {
        Scalar::Num if to == Scalar::Long => {
            out.iter_mut().zip(f.num(x)).for_each(|(o, &x)| *o = x.to_f64() as i64 as u64);
        }
        Scalar::Num => out.iter_mut().zip(f.num(x)).for_each(|(o, &x)| *o = x.to_f64() as u64),
        Scalar::Int => out.iter_mut().zip(f.words.word(x)).for_each(|(o, &x)| *o = i64::from(x as i32) as u64),
        _ => out.iter_mut().zip(f.words.word(x)).for_each(|(o, &x)| *o = u64::from(x)),
    });
}

/// Computes a register of this file; it is taken out of it meanwhile, since no instruction reads what it writes.
fn fill<F: Float>(frame: &mut Frame<'_, F>, instr: &Instr, work: impl FnOnce(&Frame<'_, F>, &mut [u64])) {
    let mut out = std::mem::take(&mut frame.longs[instr.out as usize]);
    work(frame, &mut out[..frame.words.len]);
    frame.longs[instr.out as usize] = out;
}
