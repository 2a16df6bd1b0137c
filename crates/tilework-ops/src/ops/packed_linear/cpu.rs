//! Products with packed weights on the CPU: few vectors row by row; many through the tiles of float products, with weights widened a
//! few megabytes at a time.

use super::{Gate, PackedLinear, Sizes};
use crate::cpu::{CpuCx, CpuInput, Element};
use crate::ops::matmul::cpu::product_with_rows;
use crate::threads::Threads;
use std::borrow::Cow;
use tilework_core::{Error, Result};
use tilework_vm::HostSlice;
use tilework_vm::quant::{Vectors, decode_rows, dots, gelu_times, many as many_vectors, silu_times, turn};
use tilework_vm::rows::Rows;

/// Bytes of packed weights that are worth a thread's attention: a microsecond of work.
const PIECE_BYTES: usize = 16 << 10;
/// Pieces for each thread, so that one that is held up can leave some to the others.
const PIECES_PER_THREAD: usize = 4;
/// Vectors whose results are put in their places together: a cache line of them.
const TURNED: usize = 16;
/// Weights that are widened at a time: 4 MB of floats, which a last-level cache holds.
const WIDE_WEIGHTS: usize = 1 << 20;

pub(super) fn packed_linear(op: &PackedLinear, cx: &CpuCx<'_>, out: &mut [f32]) -> Result<()> {
    let weights = &cx.inputs[1];
    let sizes = Sizes::of(&cx.inputs[0].fused.grid, &weights.fused.grid, op.rows_per_result());
    if out.is_empty() {
        return Ok(());
    }
    let words = words_of(weights)?;
    let x = vectors(op, cx, &sizes);
    if sizes.m < many_vectors(op.format) {
        few(op, cx, &sizes, (&x, &words), out);
    } else {
        many(op, cx, &sizes, (&x, &words), out);
    }
    Ok(())
}

/// The words of packed weights, in place where they lie row after row.
pub(crate) fn words_of<'a>(input: &CpuInput<'a>) -> Result<Cow<'a, [u32]>> {
    let wrong = || Error::argument("packed_linear", "weights must be plain words");
    let (slice, _, layout) = input.strided().ok_or_else(wrong)?;
    let HostSlice::Words(words) = slice else { return Err(wrong()) };
    let n = layout.shape.n_elements();
    if layout.is_contiguous() {
        return words.get(layout.offset..layout.offset + n).map(Cow::Borrowed).ok_or_else(wrong);
    }
    let mut copy = vec![0; n];
    u32::read(input, 0, &mut copy);
    Ok(Cow::Owned(copy))
}

/// The vectors, normalised if they are to be.
fn vectors<'a>(op: &PackedLinear, cx: &CpuCx<'a>, sizes: &Sizes) -> Cow<'a, [f32]> {
    let read = |index: usize| -> Cow<'a, [f32]> {
        if let Some(x) = cx.inputs[index].in_place::<f32>() {
            return Cow::Borrowed(&x[..cx.inputs[index].fused.grid.n_elements()]);
        }
        let mut x = vec![0.0; cx.inputs[index].fused.grid.n_elements()];
        f32::read(&cx.inputs[index], 0, &mut x);
        Cow::Owned(x)
    };
    let x = read(0);
    if cx.inputs.len() < 3 {
        return x;
    }
    let norm = read(2);
    let mut normal = x.into_owned();
    let rows = normal.chunks_exact_mut(sizes.k.max(1));
    // A few rows are not worth anybody else's time.
    let threads = if sizes.m > 8 { cx.threads } else { Threads::one() };
    threads.for_each(sizes.m, rows, |row| {
        let mean_square = f64::from(f32::sum_of_squares(row, 0.0)) / sizes.k as f64;
        let inverse = (1.0 / (mean_square + op.epsilon).sqrt()) as f32;
        row.iter_mut().zip(&*norm).for_each(|(x, norm)| *x *= inverse * norm);
    });
    Cow::Owned(normal)
}

fn few(op: &PackedLinear, cx: &CpuCx<'_>, sizes: &Sizes, (x, words): (&[f32], &[u32]), out: &mut [f32]) {
    let x = Vectors::new(op.format, x, sizes.k);
    let per_result = op.rows_per_result();
    let least = PIECE_BYTES / (4 * sizes.row_words * per_result).max(1);
    let grain = sizes.n.div_ceil(cx.threads.count() * PIECES_PER_THREAD).max(least).max(1);
    let run = |first: usize, piece: &mut [f32]| {
        let n_rows = piece.len() / sizes.m * per_result;
        let rows = &words[first / sizes.m * per_result * sizes.row_words..][..n_rows * sizes.row_words];
        if op.gate == Gate::None {
            return dots(op.format, rows, &x, piece);
        }
        let mut pairs = vec![0.0; piece.len() * 2];
        dots(op.format, rows, &x, &mut pairs);
        gated(op.gate, &pairs, sizes.m, piece);
    };
    if sizes.m == 1 {
        return cx.threads.for_each_piece(out, grain, run);
    }
    // Results of one row of weights lie together first, so that threads write to places of their own.
    let mut turned = vec![0.0; out.len()];
    cx.threads.for_each_piece(&mut turned, grain * sizes.m, run);
    cx.threads.for_each_piece(out, TURNED * sizes.n, |start, piece| turn(&turned, sizes.m, start / sizes.n, piece));
}

/// `out = gate(first) · second`, where `pairs` hold `n` firsts and `n` seconds by turns.
fn gated(gate: Gate, pairs: &[f32], n: usize, out: &mut [f32]) {
    if n == 1 {
        return gated_neighbors(gate, pairs.as_chunks::<2>().0, out);
    }
    let mut seconds = vec![0.0; out.len()];
    let places = out.chunks_exact_mut(n).zip(seconds.chunks_exact_mut(n));
    for (pair, (first, second)) in pairs.chunks_exact(2 * n).zip(places) {
        first.copy_from_slice(&pair[..n]);
        second.copy_from_slice(&pair[n..]);
    }
    multiply_gated(gate, out, &seconds);
}

fn gated_neighbors(gate: Gate, pairs: &[[f32; 2]], out: &mut [f32]) {
    const AT_ONCE: usize = 128;
    let mut seconds = [0.0; AT_ONCE];
    for (pairs, out) in pairs.chunks(AT_ONCE).zip(out.chunks_mut(AT_ONCE)) {
        for (&[a, b], (first, second)) in pairs.iter().zip(out.iter_mut().zip(&mut seconds)) {
            (*first, *second) = (a, b);
        }
        multiply_gated(gate, out, &seconds);
    }
}

/// Replaces each `x` by `gate(x)` times its partner.
fn multiply_gated(gate: Gate, x: &mut [f32], other: &[f32]) {
    match gate {
        Gate::None => {}
        Gate::Silu => silu_times(x, other),
        Gate::Gelu => gelu_times(x, other),
    }
}

fn many(op: &PackedLinear, cx: &CpuCx<'_>, sizes: &Sizes, (x, words): (&[f32], &[u32]), out: &mut [f32]) {
    let per_result = op.rows_per_result();
    let n_rows = sizes.n * per_result;
    let n_wide = (WIDE_WEIGHTS / sizes.k.max(1)).next_multiple_of(16).min(n_rows);
    let mut wide = vec![0.0; n_wide * sizes.k];
    let mut products = vec![0.0; n_wide * sizes.m];
    for first in (0..n_rows).step_by(n_wide) {
        let n = n_wide.min(n_rows - first);
        let wide = &mut wide[..n * sizes.k];
        cx.threads.for_each_piece(wide, 16 * sizes.k, |start, piece| {
            let (row, n) = (first + start / sizes.k, piece.len() / sizes.k);
            decode_rows(op.format, &words[row * sizes.row_words..][..n * sizes.row_words], sizes.k, piece);
        });
        let products = &mut products[..n * sizes.m];
        product_with_rows(cx.threads, [sizes.m, sizes.k, n], x, wide, products);
        let (first, n) = (first / per_result, n / per_result);
        let rows = out.chunks_exact_mut(sizes.n).zip(products.chunks_exact(n * per_result));
        cx.threads.for_each(sizes.m, rows, |(out, products)| {
            let out = &mut out[first..first + n];
            if op.gate == Gate::None {
                return out.copy_from_slice(products);
            }
            gated(op.gate, products, 1, out);
        });
    }
}
