//! Attention on the CPU: blocks of queries of one head are shared out among threads, and each walks over the keys it sees a tile at a
//! time, keeping maximum, sum of weights and weighted sum of values. Many queries go through products of tiles, with keys copied
//! transposed; few queries read keys and values where they lie. Those that are 16-bit floats, as caches of language models are, are
//! widened a tile at a time, once for all heads that share them.

use super::{Attention, Roles, Sizes};
use crate::cpu::CpuCx;
use crate::ops::gather::indices_of;
use std::borrow::Cow;
use std::ops::Range;
use tilework_core::half::HAS_HALF;
use tilework_core::host::HostBuffer;
use tilework_core::layout::Layout;
use tilework_core::{Error, Result};
use tilework_vm::lanes::Combine;
use tilework_vm::rows::Lines;
use tilework_vm::tiles::{Product, TILE_ROWS};
use tilework_vm::{Float, HostSlice};

/// Queries of a block: each tile of keys is copied once for so many.
const QUERY_BLOCK: usize = 64;
/// Keys of a tile: with 128 elements, keys, values and scores of a block stay in a second-level cache.
const KEY_TILE: usize = 64;

pub(super) fn attention(op: &Attention, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
    match out {
        HostBuffer::F32(out) => attention_as(op, cx, out),
        HostBuffer::F64(out) => attention_as(op, cx, out),
        _ => Err(Error::dtype("attention", "needs floats")),
    }
}

/// A strided input.
struct Operand<'a, F: Float> {
    data: Data<'a, F>,
    layout: Layout,
}

/// Where its elements are.
enum Data<'a, F: Float> {
    /// As they are needed, or a copy.
    Wide(Cow<'a, [F]>),
    /// 16-bit floats.
    Halves(&'a [u16]),
}

impl<F: Float> Operand<'_, F> {
    fn start(&self, batch: usize, head: usize, row: usize) -> isize {
        let strides = &self.layout.strides;
        self.layout.offset as isize
            + batch as isize * strides[0]
            + head as isize * strides[1]
            + row as isize * strides[2]
    }

    fn element(&self, at: isize) -> F {
        match &self.data {
            Data::Wide(data) => data[at as usize],
            Data::Halves(halves) => {
                let mut wide = [F::default()];
                F::widen_run(&mut wide, halves, at, 1);
                wide[0]
            }
        }
    }

    /// Copies the row that begins at `start`.
    fn copy(&self, start: isize, out: &mut [F]) {
        if out.is_empty() {
            return;
        }
        let stride = self.layout.strides[3];
        match &self.data {
            Data::Wide(data) => F::copy_run(out, data, start, stride),
            Data::Halves(halves) => F::widen_run(out, halves, start, stride),
        }
    }

    /// `n` rows of `len` elements of a head from `row` on: where they lie, if they are wide and their elements follow each other, else
    /// copied to `scratch`.
    fn lines<'s>(
        &'s self,
        (batch, head, row): (usize, usize, usize),
        (n, len): (usize, usize),
        scratch: &'s mut Vec<F>,
    ) -> Lines<'s, F> {
        let start = self.start(batch, head, row);
        if let (Data::Wide(data), 1, Ok(stride), Ok(start)) =
            (&self.data, self.layout.strides[3], usize::try_from(self.layout.strides[2]), usize::try_from(start))
            && let Some(data) = data.get(start..)
        {
            return Lines { data, stride };
        }
        scratch.resize(n * len, F::default());
        for (k, line) in scratch.chunks_exact_mut(len.max(1)).enumerate() {
            self.copy(start + k as isize * self.layout.strides[2], line);
        }
        Lines { data: scratch, stride: len }
    }

    /// The row that begins at `start`, where it lies if it is wide and its elements follow each other, else copied to `scratch`.
    fn row<'s>(&'s self, start: isize, scratch: &'s mut [F]) -> &'s [F] {
        if let (Data::Wide(data), 1, false) = (&self.data, self.layout.strides[3], scratch.is_empty()) {
            let start = start as usize;
            return &data[start..start + scratch.len()];
        }
        self.copy(start, scratch);
        scratch
    }
}

fn operand<'a, F: Float>(cx: &CpuCx<'a>, index: usize) -> Result<Operand<'a, F>> {
    let input = &cx.inputs[index];
    if let (true, Some((HostSlice::F16(halves), _, layout))) = (HAS_HALF, input.strided()) {
        return Ok(Operand { data: Data::Halves(halves), layout: layout.clone() });
    }
    let found = input.wide(cx.threads).map(|wide| Operand { data: Data::Wide(wide.data), layout: wide.layout });
    found.ok_or_else(|| Error::argument("attention", "inputs must be plain reads of one float type"))
}

/// Everything a block needs.
struct Job<'a, F: Float> {
    op: &'a Attention,
    sizes: Sizes,
    past: i64,
    q: Operand<'a, F>,
    k: Operand<'a, F>,
    v: Operand<'a, F>,
    mask: Option<Operand<'a, F>>,
}

fn attention_as<F: Float>(op: &Attention, cx: &CpuCx<'_>, out: &mut [F]) -> Result<()> {
    let (q, k, v) = (operand::<F>(cx, 0)?, operand::<F>(cx, 1)?, operand::<F>(cx, 2)?);
    let sizes = Sizes::of(&q.layout.shape, &k.layout.shape, &v.layout.shape)?;
    if out.is_empty() {
        return Ok(());
    }
    let is_float = |index: usize| cx.inputs[index].fused.scalar() == tilework_core::dtype::Scalar::Num;
    let index_of = |float: bool| (3..cx.inputs.len()).find(|&index| is_float(index) == float);
    let roles = Roles { mask: index_of(true), n_past: index_of(false) };
    let past = roles.n_past.map(|index| indices_of(&cx.inputs[index])[0]);
    let mask = roles.mask.map(|index| operand::<F>(cx, index)).transpose()?;
    let scores = sizes.scores()?;
    let mask = mask.map(|mask| Operand { layout: mask.layout.expanded(&scores), data: mask.data });
    let past = past.map_or(sizes.default_past() as i64, i64::from);
    let job = Job { op, sizes, past, q, k, v, mask };
    let cuts: Vec<usize> = job.first_rows().map(|row| row * sizes.dv).collect();
    cx.threads.for_each_split(out, &cuts, |start, piece| job.block(start / sizes.dv, piece));
    Ok(())
}

/// Running state of a block of queries, which share their keys.
struct Block<F> {
    batch: usize,
    /// Head of its first row.
    first_head: usize,
    kv_head: usize,
    first_query: usize,
    n_rows: usize,
    /// Queries of a head.
    n_q: usize,
    highest: Vec<F>,
    totals: Vec<F>,
}

impl<F> Block<F> {
    /// Head and query of a row.
    fn place(&self, row: usize) -> (usize, usize) {
        let at = self.first_query + row;
        (self.first_head + at / self.n_q, at % self.n_q)
    }
}

impl<F: Float> Job<'_, F> {
    /// First rows of all blocks but the first. If there are few queries, all heads that share keys are one block, so that keys are
    /// read once for them; if there is only one such group, its heads are left to the threads.
    fn first_rows(&self) -> impl Iterator<Item = usize> {
        let sizes = self.sizes;
        let n_heads = sizes.n_batch * sizes.n_heads;
        let n_groups = sizes.n_batch * sizes.n_kv_heads;
        let n_joined = if sizes.n_q < TILE_ROWS && n_groups > 1 { sizes.n_group() } else { 1 };
        let n_blocks = sizes.n_q.div_ceil(QUERY_BLOCK);
        (1..n_heads / n_joined * n_blocks)
            .map(move |block| (block / n_blocks) * n_joined * sizes.n_q + (block % n_blocks) * QUERY_BLOCK)
    }

    /// Computes the rows of `out`, the first of which is row `first_row` of the result.
    fn block(&self, first_row: usize, out: &mut [F]) {
        let sizes = &self.sizes;
        let head_row = first_row / sizes.n_q;
        let n_rows = out.len() / sizes.dv;
        let lowest = F::from_f64(f64::NEG_INFINITY);
        let mut block = Block {
            batch: head_row / sizes.n_heads,
            first_head: head_row % sizes.n_heads,
            kv_head: head_row % sizes.n_heads / sizes.n_group(),
            first_query: first_row % sizes.n_q,
            n_rows,
            n_q: sizes.n_q,
            highest: vec![lowest; n_rows],
            totals: vec![F::default(); n_rows],
        };
        let first = self.op.seen(sizes, block.first_query, self.past).start;
        let last_query = (block.first_query + n_rows - 1).min(sizes.n_q - 1);
        let end = self.op.seen(sizes, last_query, self.past).end;
        out.fill(F::default());
        if sizes.n_q < TILE_ROWS {
            self.few(&mut block, first..end, out);
        } else {
            self.many(&mut block, first..end, out);
        }
        for (row, &total) in out.chunks_mut(sizes.dv).zip(&block.totals) {
            if total != F::default() {
                F::scale(row, F::from_f64(1.0).div(total));
            }
        }
    }

    /// Queries of the block, multiplied by the scale, in rows of `d`; the rows after the last are zeros.
    fn queries(&self, block: &Block<F>, n_padded: usize) -> Vec<F> {
        let d = self.sizes.d;
        let mut queries = vec![F::default(); n_padded * d];
        for row in 0..block.n_rows {
            let (head, query) = block.place(row);
            let start = self.q.start(block.batch, head, query);
            self.q.copy(start, &mut queries[row * d..][..d]);
        }
        F::scale(&mut queries, F::from_f64(self.op.scale_for(d)));
        queries
    }

    fn few(&self, block: &mut Block<F>, keys: Range<usize>, out: &mut [F]) {
        let Sizes { d, dv, .. } = self.sizes;
        let kv_head = block.kv_head;
        let queries = self.queries(block, block.n_rows);
        let mut scratch = Vec::new();
        let mut scores = vec![F::default(); block.n_rows * KEY_TILE];
        for first in keys.clone().step_by(KEY_TILE) {
            let n = KEY_TILE.min(keys.end - first);
            let place = (block.batch, kv_head, first);
            let k = self.k.lines(place, (n, d), &mut scratch);
            for row in 0..block.n_rows {
                F::dots(&queries[row * d..][..d], k, &mut scores[row * KEY_TILE..][..n]);
            }
            for row in 0..block.n_rows {
                self.weights(block, row, first, &mut scores[row * KEY_TILE..][..n], &mut out[row * dv..][..dv]);
            }
            let v = self.v.lines(place, (n, dv), &mut scratch);
            for row in 0..block.n_rows {
                F::add_all_scaled(&mut out[row * dv..][..dv], &scores[row * KEY_TILE..][..n], v);
            }
        }
    }

    fn many(&self, block: &mut Block<F>, keys: Range<usize>, out: &mut [F]) {
        let Sizes { d, dv, .. } = self.sizes;
        let kv_head = block.kv_head;
        let n_padded = block.n_rows.next_multiple_of(TILE_ROWS);
        let dv_padded = dv.next_multiple_of(F::TILE_COLUMNS);
        let queries = self.queries(block, n_padded);
        let mut rows: [Vec<F>; TILE_ROWS] = std::array::from_fn(|_| vec![F::default(); d]);
        let mut k_tile = vec![F::default(); d * KEY_TILE];
        let mut v_tile = vec![F::default(); KEY_TILE * dv_padded];
        let mut scores = vec![F::default(); n_padded * KEY_TILE];
        let mut sums = vec![F::default(); n_padded * dv_padded];
        for first in keys.clone().step_by(KEY_TILE) {
            let n = KEY_TILE.min(keys.end - first);
            for key in (0..n).step_by(TILE_ROWS) {
                // The last group repeats its last key; nothing reads the scores of the copies.
                let at = |i: usize| self.k.start(block.batch, kv_head, first + (key + i).min(n - 1));
                let [a, b, c, e] = &mut rows;
                let group = [self.k.row(at(0), a), self.k.row(at(1), b), self.k.row(at(2), c), self.k.row(at(3), e)];
                F::transpose(group, &mut k_tile[key..], KEY_TILE);
            }
            for key in 0..n {
                self.v.copy(self.v.start(block.batch, kv_head, first + key), &mut v_tile[key * dv_padded..][..dv]);
            }
            scores.fill(F::default());
            let product = Product { a: &queries, a_stride: d, b: &k_tile, b_stride: KEY_TILE, depth: d };
            F::add_product(product, &mut scores, KEY_TILE);
            for row in 0..block.n_rows {
                let scores = &mut scores[row * KEY_TILE..][..n];
                self.weights(block, row, first, scores, &mut sums[row * dv_padded..][..dv]);
            }
            let product = Product { a: &scores, a_stride: KEY_TILE, b: &v_tile, b_stride: dv_padded, depth: n };
            F::add_product(product, &mut sums, dv_padded);
        }
        for (out, sums) in out.chunks_mut(dv).zip(sums.chunks(dv_padded)) {
            out.copy_from_slice(&sums[..dv]);
        }
    }

    /// Turns the products of one query with the keys from `first` on into weights, and scales down `sums` if the maximum rose.
    fn weights(&self, block: &mut Block<F>, row: usize, first: usize, scores: &mut [F], sums: &mut [F]) {
        let (head, query) = block.place(row);
        let lowest = F::from_f64(f64::NEG_INFINITY);
        let seen = self.op.seen(&self.sizes, query, self.past);
        let within = |key: usize| key.clamp(first, first + scores.len()) - first;
        let (begin, end) = (within(seen.start), within(seen.end));
        scores[..begin].fill(F::default());
        scores[end..].fill(F::default());
        let scores = &mut scores[begin..end];
        if let Some(cap) = self.op.soft_cap {
            let (cap, inverse) = (F::from_f64(cap), F::from_f64(1.0 / cap));
            scores.iter_mut().for_each(|s| *s = cap.mul(s.mul(inverse).tanh()));
        }
        if let Some(mask) = &self.mask {
            let start = mask.start(block.batch, head, query);
            let stride = mask.layout.strides[3];
            for (key, s) in scores.iter_mut().enumerate() {
                *s = s.add(mask.element(start + (first + begin + key) as isize * stride));
            }
        }
        let now = F::fold(Combine::Max, scores, block.highest[row]);
        if now == lowest {
            scores.fill(F::default());
            return;
        }
        if now != block.highest[row] {
            let shrink = block.highest[row].sub(now).exp();
            F::scale(sums, shrink);
            block.totals[row] = block.totals[row].mul(shrink);
            block.highest[row] = now;
        }
        block.totals[row] = block.totals[row].add(F::exp_of_difference(scores, now));
    }
}
