//! Rotary embedding on the CPU: cosines and sines of each place of the sequence are computed once, then rows are rotated.

use super::{Direction, Pairing, Rope};
use crate::cpu::{CpuCx, CpuInput, GRAIN, for_each_num, for_each_word};
use std::f64::consts::TAU;
use tilework_core::host::HostBuffer;
use tilework_core::{Error, Result};
use tilework_vm::Float;
use tilework_vm::rows::Turn;

pub(super) fn rope(op: &Rope, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
    match out {
        HostBuffer::F32(out) => rope_as(op, cx, out),
        HostBuffer::F64(out) => rope_as(op, cx, out),
        _ => return Err(Error::dtype("rope", "needs floats")),
    }
    Ok(())
}

fn words(input: &CpuInput<'_>) -> Vec<u32> {
    let n = input.fused.grid.n_elements();
    let mut all = Vec::with_capacity(n);
    for_each_word(&mut input.evaluator::<f32>(), 0..n, |_, chunk| all.extend_from_slice(chunk));
    all
}

fn rope_as<F: Float>(op: &Rope, cx: &CpuCx<'_>, out: &mut [F]) {
    let grid = &cx.inputs[0].fused.grid;
    let (n_seq, n_dims) = (grid[grid.rank() - 2], grid[grid.rank() - 1]);
    if out.is_empty() {
        return;
    }
    let rotations = rotations::<F>(op, cx, n_seq);
    let n_pairs = cx.inputs[2].fused.grid[1];
    let rows_per_piece = (GRAIN / n_dims).max(1);
    cx.threads.for_each_piece(out, rows_per_piece * n_dims, |start, piece| {
        for_each_num(&mut cx.inputs[0].evaluator::<F>(), start..start + piece.len(), |at, chunk| {
            piece[at - start..][..chunk.len()].copy_from_slice(chunk);
        });
        for (k, row) in piece.chunks_mut(n_dims).enumerate() {
            let place = (start / n_dims + k) % n_seq;
            let (cosines, sines) = rotations[place * 2 * n_pairs..][..2 * n_pairs].split_at(n_pairs);
            let turn = Turn { cosines, sines };
            match op.pairing {
                Pairing::Half => F::turn_halves(&mut row[..2 * n_pairs], turn),
                Pairing::Interleaved => F::turn_neighbors(&mut row[..2 * n_pairs], turn),
            }
        }
    });
}

/// For every place of the sequence, the cosines of all pairs and then their sines, with the amplitude.
fn rotations<F: Float>(op: &Rope, cx: &CpuCx<'_>, n_seq: usize) -> Vec<F> {
    let (positions, table) = (words(&cx.inputs[1]), words(&cx.inputs[2]));
    let n_pairs = table.len() / 2;
    let mut all = vec![F::default(); n_seq * 2 * n_pairs];
    let is_start = cx.inputs[1].fused.grid.rank() == 0;
    cx.threads.for_each_piece(&mut all, 2 * n_pairs, |start, rotation| {
        let place = start / (2 * n_pairs);
        let position =
            if is_start { (positions[0] as i32).wrapping_add(place as i32) } else { positions[place] as i32 };
        let position = if op.direction == Direction::Backward { position.wrapping_neg() } else { position };
        let (cosines, sines) = rotation.split_at_mut(n_pairs);
        for pair in 0..n_pairs {
            let turns = (u64::from(table[pair]) << 32) | u64::from(table[n_pairs + pair]);
            // Wrapping is taking the turns modulo one.
            let turn = (i64::from(position) as u64).wrapping_mul(turns) as i64;
            let angle = turn as f64 * (TAU / 18_446_744_073_709_551_616.0);
            cosines[pair] = F::from_f64(op.amplitude * angle.cos());
            sines[pair] = F::from_f64(op.amplitude * angle.sin());
        }
    });
    all
}
