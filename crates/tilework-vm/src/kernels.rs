//! One loop per operation on floats.

use crate::Float;
use crate::frame::Frame;
use crate::program::{Instr, Then};
use crate::{longs, pointers, words};
use tilework_core::dtype::Scalar;
use tilework_core::expr::table::meaning;
use tilework_core::expr::{Kind, ScalarOp};
use tilework_core::scalar_table;

/// One row over a chunk: `floats` runs the kinds that give floats, `tests` those that give truth values as words, `truths` as bytes.
macro_rules! run {
    (floats Arith $name:ident ($($arg:ident),*) $chunk:tt) => { run!(@loop ($($arg),*) $chunk meaning::$name($($arg),*)) };
    (floats Float $name:ident ($($arg:ident),*) $chunk:tt) => { run!(@loop ($($arg),*) $chunk meaning::$name($($arg),*)) };
    (tests Compare $name:ident ($($arg:ident),*) $chunk:tt) => { run!(@loop ($($arg),*) $chunk u32::from(meaning::$name($($arg),*))) };
    (tests Test $name:ident ($($arg:ident),*) $chunk:tt) => { run!(@loop ($($arg),*) $chunk u32::from(meaning::$name($($arg),*))) };
    (truths Compare $name:ident ($($arg:ident),*) $chunk:tt) => { run!(@loop ($($arg),*) $chunk u8::from(meaning::$name($($arg),*))) };
    (truths Test $name:ident ($($arg:ident),*) $chunk:tt) => { run!(@loop ($($arg),*) $chunk u8::from(meaning::$name($($arg),*))) };
    (@loop ($x:ident) ($a:ident, $b:ident, $out:ident) $body:expr) => {
        for i in 0..$out.len() {
            let $x = $a[i];
            $out[i] = $body;
        }
    };
    (@loop ($x:ident, $y:ident) ($a:ident, $b:ident, $out:ident) $body:expr) => {
        for i in 0..$out.len() {
            let ($x, $y) = ($a[i], $b[i]);
            $out[i] = $body;
        }
    };
    // The second argument is one number.
    (uniform Arith $name:ident ($x:ident, $y:ident) $chunk:tt) => { run!(@uniform ($x, $y) $chunk meaning::$name($x, $y)) };
    (uniform_truths Compare $name:ident ($x:ident, $y:ident) $chunk:tt) => { run!(@uniform ($x, $y) $chunk u8::from(meaning::$name($x, $y))) };
    (uniform_tests Compare $name:ident ($x:ident, $y:ident) $chunk:tt) => { run!(@uniform ($x, $y) $chunk u32::from(meaning::$name($x, $y))) };
    ($which:ident $kind:ident $name:ident ($($arg:ident),*) $chunk:tt) => {{}};
    (@uniform ($x:ident, $y:ident) ($a:ident, $b:ident, $out:ident) $body:expr) => {
        for (to, &$x) in $out.iter_mut().zip($a) {
            let $y = $b;
            *to = $body;
        }
    };
}

macro_rules! define_tables {
    ($d:ident $r:ident; $($Variant:ident $name:ident($($arg:ident),*) $kind:ident { $meaning:expr } { $($vjp:expr),* };)*) => {
        /// Runs an operation of the table that gives floats.
        #[inline(always)]
        fn floats<F: Float>(op: ScalarOp, a: &[F], b: &[F], out: &mut [F]) {
            match op {
                $(ScalarOp::$Variant => run!(floats $kind $name ($($arg),*) (a, b, out)),)*
                _ => {}
            }
        }

        /// Runs an operation of the table whose second argument is one number and that gives floats.
        #[inline(always)]
        fn uniform_floats<F: Float>(op: ScalarOp, a: &[F], b: F, out: &mut [F]) {
            match op {
                $(ScalarOp::$Variant => run!(uniform $kind $name ($($arg),*) (a, b, out)),)*
                _ => {}
            }
        }

        /// The same for one that gives truth values.
        #[inline(always)]
        fn uniform_tests<F: Float>(op: ScalarOp, a: &[F], b: F, out: &mut [u32]) {
            match op {
                $(ScalarOp::$Variant => run!(uniform_tests $kind $name ($($arg),*) (a, b, out)),)*
                _ => {}
            }
        }

        /// The same for one that gives truth values, as bytes.
        #[inline(always)]
        fn uniform_truths<F: Float>(op: ScalarOp, a: &[F], b: F, out: &mut [u8]) {
            match op {
                $(ScalarOp::$Variant => run!(uniform_truths $kind $name ($($arg),*) (a, b, out)),)*
                _ => {}
            }
        }

        /// Runs an operation of the table that gives truth values, as bytes.
        #[inline(always)]
        fn truths<F: Float>(op: ScalarOp, a: &[F], b: &[F], out: &mut [u8]) {
            match op {
                $(ScalarOp::$Variant => run!(truths $kind $name ($($arg),*) (a, b, out)),)*
                _ => {}
            }
        }

        /// Runs an operation of the table that gives truth values.
        #[inline(always)]
        fn tests<F: Float>(op: ScalarOp, a: &[F], b: &[F], out: &mut [u32]) {
            match op {
                $(ScalarOp::$Variant => run!(tests $kind $name ($($arg),*) (a, b, out)),)*
                ScalarOp::ToInt => run!(@loop (x) (a, b, out) x.to_i32() as u32),
                ScalarOp::ToUint => run!(@loop (x) (a, b, out) x.to_u32()),
                _ => run!(@loop (x) (a, b, out) u32::from(x != F::from_f64(0.0))),
            }
        }
    };
}
scalar_table!(define_tables);

/// Whether there are loops for arguments that are one number. Modules for browsers are to stay small.
pub(crate) const TAKES_UNIFORM: bool = cfg!(not(target_arch = "wasm32"));

/// The number that an argument is. There is none where there are no lanes.
#[inline(always)]
fn first<F: Float>(lanes: &[F]) -> F {
    lanes.first().copied().unwrap_or_default()
}

/// Whether the truth values of an instruction can be stored as bytes at once. Modules for browsers are to stay small.
pub(crate) fn gives_truths_directly<F: Float>(instr: &Instr) -> bool {
    let is_test = matches!(instr.op.kind(), Kind::Compare | Kind::Test) && instr.operand == Scalar::Num;
    cfg!(not(target_arch = "wasm32")) && !F::BY_POINTER && is_test
}

/// Runs such an instruction over a chunk.
#[inline(always)]
pub(crate) fn execute_truths<F: Float>(frame: &Frame<'_, F>, instr: &Instr, out: &mut [u8]) {
    if cfg!(not(target_arch = "wasm32")) && !F::BY_POINTER {
        let [a, b, _] = instr.args;
        let a = &frame.num(a)[..out.len()];
        if !instr.uniform[1] {
            return truths(instr.op, a, &frame.num(b)[..out.len()], out);
        }
        let b = frame.one(b);
        if !F::compare(instr.op, a, b, out) {
            uniform_truths(instr.op, a, b, out);
        }
    }
}

/// Runs one instruction over a chunk.
#[inline(always)]
pub(crate) fn execute<F: Float>(frame: &mut Frame<'_, F>, instr: &Instr) {
    let [a, b, _] = instr.args;
    let is_words = instr.operand != Scalar::Num && instr.op != ScalarOp::ToNum;
    match instr.op {
        _ if longs::is_here(instr) => longs::execute(frame, instr),
        _ if is_words => words::execute(&mut frame.words, instr),
        ScalarOp::Select => select(frame, instr),
        ScalarOp::Mul if instr.then != Then::Nothing => multiply_then(frame, instr),
        ScalarOp::ToNum => to_num(frame, instr),
        op if F::BY_POINTER && !matches!(op.kind(), Kind::Cast(_)) => pointers::execute(frame, instr),
        op if matches!(op.kind(), Kind::Arith | Kind::Float) => frame.fill_num(
            instr,
            #[inline(always)]
            |f, out| {
                // Found once for all loops, which keeps them small.
                let (a, b) = (&f.num(a)[..out.len()], &f.num(b)[..out.len()]);
                if TAKES_UNIFORM && instr.uniform[1] {
                    let b = first(b);
                    if op == ScalarOp::Pow && F::are_powers_moderate(a, b) {
                        out.iter_mut().zip(a).for_each(|(out, &a)| *out = a.pow_moderate(b));
                    } else {
                        uniform_floats(op, a, b, out);
                    }
                } else if F::is_moderate(op, a) {
                    moderate(op, a, out);
                } else {
                    floats(op, a, b, out);
                }
            },
        ),
        op => frame.fill_word(
            instr,
            #[inline(always)]
            |f, out| {
                let (a, b) = (&f.num(a)[..out.len()], &f.num(b)[..out.len()]);
                if TAKES_UNIFORM && instr.uniform[1] {
                    uniform_tests(op, a, first(b), out)
                } else {
                    tests(op, a, b, out)
                }
            },
        ),
    }
}

/// A product with a sum or difference after it.
#[inline(always)]
fn multiply_then<F: Float>(frame: &mut Frame<'_, F>, instr: &Instr) {
    frame.fill_num(
        instr,
        #[inline(always)]
        |f, out| {
            let [a, b, c] = instr.args.map(|arg| &f.num(arg)[..out.len()]);
            if TAKES_UNIFORM && (instr.uniform[1] || instr.uniform[2]) {
                return multiply_uniform(instr, a, b, c, out);
            }
            if instr.then == Then::Add {
                for i in 0..out.len() {
                    out[i] = a[i].mul(b[i]).add(c[i]);
                }
            } else {
                for i in 0..out.len() {
                    out[i] = a[i].mul(b[i]).sub(c[i]);
                }
            }
        },
    );
}

/// A product with a sum or difference after it, where the factor or what is added is one number.
#[inline(always)]
fn multiply_uniform<F: Float>(instr: &Instr, a: &[F], b: &[F], c: &[F], out: &mut [F]) {
    let (factor, term) = (first(b), first(c));
    // Subtracting a number is adding its opposite.
    let term = if instr.then == Then::Add { term } else { term.neg() };
    match (instr.uniform[1], instr.uniform[2], instr.then) {
        (true, true, _) => out.iter_mut().zip(a).for_each(|(out, &a)| *out = a.mul(factor).add(term)),
        (true, false, Then::Add) => {
            out.iter_mut().zip(a).zip(c).for_each(|((out, &a), &c)| *out = a.mul(factor).add(c));
        }
        (true, false, _) => out.iter_mut().zip(a).zip(c).for_each(|((out, &a), &c)| *out = a.mul(factor).sub(c)),
        _ => out.iter_mut().zip(a).zip(b).for_each(|((out, &a), &b)| *out = a.mul(b).add(term)),
    }
}

/// A chunk whose arguments are all moderate, which is nearly every chunk there is.
#[inline(always)]
fn moderate<F: Float>(op: ScalarOp, a: &[F], out: &mut [F]) {
    match op {
        ScalarOp::Exp => run!(@loop (x) (a, a, out) x.exp_moderate()),
        ScalarOp::Sin => run!(@loop (x) (a, a, out) x.sin_moderate()),
        ScalarOp::Cos => run!(@loop (x) (a, a, out) x.cos_moderate()),
        _ => run!(@loop (x) (a, a, out) x.tan_moderate()),
    }
}

#[inline(always)]
fn select<F: Float>(frame: &mut Frame<'_, F>, instr: &Instr) {
    let [condition, a, b] = instr.args;
    frame.fill_num(
        instr,
        #[inline(always)]
        |f, out| {
            let n = out.len();
            let (condition, a, b) = (&f.words.word(condition)[..n], &f.num(a)[..n], &f.num(b)[..n]);
            if TAKES_UNIFORM && instr.uniform[2] {
                let b = first(b);
                let lanes = out.iter_mut().zip(condition).zip(a);
                return lanes.for_each(|((out, &condition), &a)| *out = if condition != 0 { a } else { b });
            }
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
                for (o, &x) in out.iter_mut().zip(f.words.word(x)) {
                    *o = F::from_f64(f64::from(x as i32));
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
