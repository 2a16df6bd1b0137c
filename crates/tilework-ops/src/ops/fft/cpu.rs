//! Transforms on the CPU: lines are shared out among threads; a single long line is cut into shorter ones (`long.rs`).

use super::plans::{self, PlanFloat, Work};
use super::{Fft, Form, Lines, long};
use crate::cpu::{CpuCx, CpuInput, GRAIN};
use crate::op::Op;
use crate::threads::Threads;
use std::sync::Arc;
use tilework_core::expr::Number;
use tilework_core::host::HostBuffer;
use tilework_core::layout::Layout;
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};
use tilework_vm::{CHUNK, Float};

/// Floats below which waking threads costs more than they save.
const MIN_SHARED: usize = 1 << 14;
/// Lines along an inner axis that are read and stored together: a cache line or two of neighbours.
const GROUP: usize = 16;

/// From this many lines on each is transformed by one thread, however long. The number does not depend on that of the threads, so
/// that neither do the bits.
const MAX_LONG_LINES: usize = 4;

pub(super) fn transform(op: &Fft, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
    match out {
        HostBuffer::F32(out) => transform_as(op, cx, out),
        HostBuffer::F64(out) => transform_as(op, cx, out),
        _ => return Err(Error::dtype(op.signature().name, "needs floats")),
    }
    Ok(())
}

fn transform_as<F: PlanFloat>(op: &Fft, cx: &CpuCx<'_>, out: &mut [F]) {
    if out.is_empty() {
        return;
    }
    let input = &cx.inputs[0];
    let grid = &input.fused.grid;
    let threads = if grid.n_elements().max(out.len()) < MIN_SHARED { Threads::one() } else { cx.threads };
    let made;
    let (data, layout) = match strided::<F>(input) {
        Some(plain) => plain,
        None => {
            made = computed::<F>(input, threads);
            (&made[..], Layout::contiguous(grid.clone()))
        }
    };
    let job = Job { line: Line::new(op, op.lines(grid)), from: LineSource::new(op, data, &layout) };
    if job.line.lines.n_inner > 1 {
        inner_lines(&job, out, threads);
    } else if job.line.lines.count() < MAX_LONG_LINES && long::is_long(job.line.n_points()) {
        long_lines(&job, out, threads);
    } else {
        whole_lines(&job, out, threads);
    }
}

/// The buffer and layout of an input that is a plain read.
fn strided<'a, F: PlanFloat>(input: &CpuInput<'a>) -> Option<(&'a [F], Layout)> {
    let (slice, _, layout) = input.strided()?;
    Some((F::of_slice(&slice)?, layout.clone()))
}

/// The elements of an input that is an expression.
fn computed<F: PlanFloat>(input: &CpuInput<'_>, threads: Threads) -> Vec<F> {
    let mut elements = vec![F::default(); input.fused.grid.n_elements()];
    threads.for_each_piece(&mut elements, GRAIN, |first, piece| {
        let mut evaluator = input.evaluator::<F>();
        for (k, chunk) in piece.chunks_mut(CHUNK).enumerate() {
            evaluator.run_into(first + k * CHUNK, chunk);
        }
    });
    elements
}

struct Job<'a, F: PlanFloat> {
    line: Line<F>,
    from: LineSource<'a, F>,
}

/// Where the items of each line are.
struct LineSource<'a, F> {
    data: &'a [F],
    /// The axes beside that of the points and that of the parts.
    batch: Layout,
    item_stride: isize,
    part_stride: isize,
    width: usize,
    n_items: usize,
}

impl<'a, F: PlanFloat> LineSource<'a, F> {
    fn new(op: &Fft, data: &'a [F], layout: &Layout) -> LineSource<'a, F> {
        let order = op.order(layout.shape.rank());
        let n_batch = order.iter().position(|&axis| axis == op.axis).unwrap_or(0);
        let sizes: Vec<usize> = order[..n_batch].iter().map(|&axis| layout.shape[axis]).collect();
        let batch = Layout {
            shape: Shape::new("fft", sizes).unwrap_or_default(),
            strides: order[..n_batch].iter().map(|&axis| layout.strides[axis]).collect(),
            offset: layout.offset,
        };
        let (width, n_items) = (op.lines(&layout.shape).in_width, layout.shape[op.axis]);
        let part_stride = if width == 2 { layout.strides[layout.shape.rank() - 1] } else { 1 };
        LineSource { data, batch, item_stride: layout.strides[op.axis], part_stride, width, n_items }
    }

    fn start(&self, line: usize) -> isize {
        self.batch.element(line) as isize
    }

    /// The whole line, if its items follow each other.
    fn contiguous(&self, line: usize) -> Option<&'a [F]> {
        let is_even = (self.item_stride == self.width as isize || self.n_items == 1) && self.part_stride == 1;
        is_even.then(|| &self.data[self.start(line) as usize..][..self.n_items * self.width])
    }

    fn item(&self, start: isize, j: usize, item: &mut [F]) {
        let at = start + j as isize * self.item_stride;
        for (part, value) in item.iter_mut().enumerate() {
            *value = self.data[(at + part as isize * self.part_stride) as usize];
        }
    }

    fn read(&self, line: usize, items: &mut [F]) {
        if let Some(all) = self.contiguous(line) {
            items.copy_from_slice(all);
            return;
        }
        let start = self.start(line);
        items.chunks_exact_mut(self.width).enumerate().for_each(|(j, item)| self.item(start, j, item));
    }
}

/// What happens to one line: items are made points, the points transformed, and results made of them.
struct Line<F: PlanFloat> {
    form: Form,
    lines: Lines,
    plan: Arc<dyn plans::Lines<F>>,
    direction: super::Direction,
    /// For real lines of even length, which are transformed as complex ones of half the length.
    turns: Option<Arc<Vec<F>>>,
    scale: F,
}

impl<F: PlanFloat> Line<F> {
    fn new(op: &Fft, lines: Lines) -> Line<F> {
        let is_half = !matches!(op.form, Form::Complex(_)) && lines.n.is_multiple_of(2);
        Line {
            form: op.form,
            lines,
            plan: plans::lines(if is_half { lines.n / 2 } else { lines.n }, op.direction()),
            direction: op.direction(),
            turns: is_half.then(|| plans::quarter_turns(lines.n)),
            scale: <F as Float>::from_f64(op.scale(lines.n)),
        }
    }

    /// Length of the complex transform.
    fn n_points(&self) -> usize {
        if self.turns.is_some() { self.lines.n / 2 } else { self.lines.n }
    }

    /// Replaces the items of a line by points.
    fn prepare(&self, line: &mut Vec<F>) {
        let zero = F::default();
        match (self.form, &self.turns) {
            (Form::Complex(_), _) | (Form::Real, Some(_)) => {}
            (Form::Real, None) => *line = line.iter().flat_map(|&x| [x, zero]).collect(),
            (Form::RealInverse(_), Some(turns)) => {
                F::join_real(line, turns);
                line.truncate(self.lines.n);
            }
            (Form::RealInverse(n), None) => {
                line[1] = zero;
                line.resize(2 * n, zero);
                for k in 1..=n / 2 {
                    (line[2 * (n - k)], line[2 * (n - k) + 1]) = (line[2 * k], Number::neg(line[2 * k + 1]));
                }
            }
        }
    }

    /// Replaces transformed points by the results of a line.
    fn finish(&self, line: &mut Vec<F>) {
        match (self.form, &self.turns) {
            (Form::Real, Some(turns)) => {
                line.resize(self.lines.n + 2, F::default());
                return F::split_real(line, turns, self.scale);
            }
            (Form::Real, None) => line.truncate(2 * self.lines.n_out),
            (Form::RealInverse(_), None) => *line = line.iter().copied().step_by(2).collect(),
            (Form::Complex(_), _) | (Form::RealInverse(_), Some(_)) => {}
        }
        self.scaled(line);
    }

    fn scaled(&self, line: &mut [F]) {
        if self.scale != <F as Float>::from_f64(1.0) {
            F::scale(line, self.scale);
        }
    }
}

/// Lines whose results follow each other.
fn whole_lines<F: PlanFloat>(job: &Job<'_, F>, out: &mut [F], threads: Threads) {
    let line_len = job.line.lines.n_out * job.line.lines.out_width;
    let per_piece = (GRAIN / line_len).max(1);
    threads.for_each_piece(out, per_piece * line_len, |start, piece| {
        let mut work = Work::default();
        for (index, target) in piece.chunks_exact_mut(line_len).enumerate() {
            let index = start / line_len + index;
            if let Form::Complex(_) = job.line.form {
                job.from.read(index, target);
                job.line.plan.run(target, &mut work);
                job.line.scaled(target);
                continue;
            }
            let mut line = std::mem::take(&mut work.line);
            line.resize(job.from.n_items * job.from.width, F::default());
            job.from.read(index, &mut line);
            job.line.prepare(&mut line);
            job.line.plan.run(&mut line, &mut work);
            job.line.finish(&mut line);
            target.copy_from_slice(&line);
            work.line = line;
        }
    });
}

/// Lines whose results lie between those of others: a group of neighbours at a time.
fn inner_lines<F: PlanFloat>(job: &Job<'_, F>, out: &mut [F], threads: Threads) {
    let Lines { n_outer, n_inner, n_out, out_width, .. } = job.line.lines;
    let n_groups = n_inner.div_ceil(GROUP);
    let mut targets: Vec<Vec<&mut [F]>> = (0..n_outer * n_groups).map(|_| Vec::with_capacity(n_out)).collect();
    for (outer, block) in out.chunks_exact_mut(n_out * n_inner * out_width).enumerate() {
        for row in block.chunks_exact_mut(n_inner * out_width) {
            for (group, part) in row.chunks_mut(GROUP * out_width).enumerate() {
                targets[outer * n_groups + group].push(part);
            }
        }
    }
    threads.for_each(targets.len(), targets.into_iter().enumerate(), |(index, mut rows)| {
        let first = index / n_groups * n_inner + index % n_groups * GROUP;
        let n_lines = rows[0].len() / out_width;
        let mut lines = grouped_items(job, first, n_lines);
        let mut work = Work::default();
        for (at, line) in lines.iter_mut().enumerate() {
            job.line.prepare(line);
            job.line.plan.run(line, &mut work);
            job.line.finish(line);
            debug_assert_eq!(line.len(), rows.len() * out_width, "line {at}");
        }
        for (k, row) in rows.iter_mut().enumerate() {
            for (line, target) in lines.iter().zip(row.chunks_exact_mut(out_width)) {
                target.copy_from_slice(&line[k * out_width..][..out_width]);
            }
        }
    });
}

/// The items of neighbouring lines, read in the order in which they lie in memory.
fn grouped_items<F: PlanFloat>(job: &Job<'_, F>, first: usize, n_lines: usize) -> Vec<Vec<F>> {
    let from = &job.from;
    let starts: Vec<isize> = (first..first + n_lines).map(|line| from.start(line)).collect();
    let mut lines = vec![vec![F::default(); from.n_items * from.width]; n_lines];
    for j in 0..from.n_items {
        for (line, &start) in lines.iter_mut().zip(&starts) {
            from.item(start, j, &mut line[j * from.width..][..from.width]);
        }
    }
    lines
}

/// Few long lines, one after the other by all threads.
fn long_lines<F: PlanFloat>(job: &Job<'_, F>, out: &mut [F], threads: Threads) {
    let line_len = job.line.lines.n_out * job.line.lines.out_width;
    for (index, target) in out.chunks_exact_mut(line_len).enumerate() {
        let run = |points: &[F], to: &mut [F]| long::run(points, to, job.line.direction, threads);
        let mut line = Vec::new();
        if let (Form::Complex(_), Some(points)) = (job.line.form, job.from.contiguous(index)) {
            run(points, target);
            threads.for_each_piece(target, GRAIN, |_, piece| job.line.scaled(piece));
            continue;
        }
        line.resize(job.from.n_items * job.from.width, F::default());
        job.from.read(index, &mut line);
        job.line.prepare(&mut line);
        let mut points = vec![F::default(); line.len()];
        run(&line, &mut points);
        job.line.finish(&mut points);
        target.copy_from_slice(&points);
    }
}
