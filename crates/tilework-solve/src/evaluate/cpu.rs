//! Groups on the CPU: gather a chunk of instances, run the kernel's program over it, keep its results.

use super::{Compiled, CompiledGroup, Kernel, Wanted};
use crate::problem::LeafRef;
use tilework_ops::threads::Threads;
use tilework_vm::{Evaluator, Float};

/// Instances of a chunk. Kernels with derivatives have a hundred registers and more, which should stay in the second-level cache.
pub(crate) const LANES: usize = 128;

/// What the roots of a kernel are for every instance: chunk by chunk of [`LANES`] instances, root by root within a chunk.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outputs<F> {
    pub(crate) values: Vec<F>,
    pub(crate) n_roots: usize,
    pub(crate) n_instances: usize,
}

impl<F: Float> Outputs<F> {
    /// Root `root` of instance `instance`.
    pub(crate) fn get(&self, root: usize, instance: usize) -> F {
        self.values[(instance / LANES * self.n_roots + root) * LANES + instance % LANES]
    }

    /// The chunks with their first instance and number of instances.
    pub(crate) fn chunks(&self) -> impl Iterator<Item = (usize, usize, &[F])> {
        let chunks = self.values.chunks_exact((self.n_roots * LANES).max(1));
        chunks.enumerate().map(|(k, chunk)| (k * LANES, LANES.min(self.n_instances - k * LANES), chunk))
    }
}

impl Compiled {
    /// Evaluates `wanted`, which must have been prepared, for all instances of all groups.
    pub(crate) fn evaluate<F: Float>(&self, wanted: Wanted, x: &[F], threads: Threads) -> Vec<Outputs<F>> {
        let mut outputs = Vec::new();
        self.evaluate_into(wanted, x, threads, &mut outputs);
        outputs
    }

    /// The same into memory that is used again and again: fresh pages cost as much as the numbers in them.
    pub(crate) fn evaluate_into<F: Float>(
        &self,
        wanted: Wanted,
        x: &[F],
        threads: Threads,
        outputs: &mut Vec<Outputs<F>>,
    ) {
        outputs.resize_with(self.groups.len(), Outputs::default);
        for (compiled, outputs) in self.groups.iter().zip(outputs) {
            evaluate_group(compiled, compiled.kernel(wanted), x, threads, outputs);
        }
    }

    /// Evaluates `wanted`, which must have been prepared, and calls `visit` with group, first instance and roots of one chunk after
    /// the other, in order. Nothing is stored beyond that, which matters where an instance has a hundred roots.
    pub(crate) fn visit<F: Float>(
        &self,
        wanted: Wanted,
        x: &[F],
        threads: Threads,
        mut visit: impl FnMut(usize, usize, &[&[F]]),
    ) {
        for (number, compiled) in self.groups.iter().enumerate() {
            let kernel = compiled.kernel(wanted);
            if threads.count() == 1 {
                visit_alone(compiled, kernel, x, |first, roots| visit(number, first, roots));
            } else {
                visit_together(compiled, kernel, x, threads, |first, roots| visit(number, first, roots));
            }
        }
    }

    /// The cost at `x`: infinite where it is not a number.
    pub(crate) fn cost(&mut self, x: &[f64], threads: Threads) -> f64 {
        self.prepare(Wanted::Cost);
        total_cost(&self.evaluate(Wanted::Cost, x, threads))
    }

    /// Cost and gradient at `x`, in the precision of `x`; what instances compute goes to `outputs`.
    pub(crate) fn gradient<F: Float>(
        &mut self,
        x: &[F],
        threads: Threads,
        outputs: &mut Vec<Outputs<F>>,
    ) -> (f64, Vec<F>) {
        self.prepare(Wanted::Gradient);
        self.evaluate_into(Wanted::Gradient, x, threads, outputs);
        (total_cost(outputs), self.gather.gradient(&self.layout, outputs, threads))
    }
}

/// The sum of all costs, the first root of every instance, in an order that depends on nothing but the problem.
pub(crate) fn total_cost<F: Float>(outputs: &[Outputs<F>]) -> f64 {
    let chunk_cost = |(_, len, chunk): (usize, usize, &[F])| chunk[..len].iter().map(|cost| cost.to_f64()).sum::<f64>();
    let total: f64 = outputs.iter().map(|outputs| outputs.chunks().map(chunk_cost).sum::<f64>()).sum();
    // The sum of nothing is −0; who reads it expects 0.
    if total.is_nan() { f64::INFINITY } else { total + 0.0 }
}

fn evaluate_group<F: Float>(
    compiled: &CompiledGroup,
    kernel: &Kernel,
    x: &[F],
    threads: Threads,
    outputs: &mut Outputs<F>,
) {
    (outputs.n_instances, outputs.n_roots) = (compiled.group.n_instances, kernel.n_roots());
    let n_chunks = outputs.n_instances.div_ceil(LANES);
    outputs.values.resize(n_chunks * outputs.n_roots * LANES, F::default());
    // Several chunks to a piece, so that a thread's registers are made once for them.
    let chunks_per_piece = n_chunks.div_ceil(4 * threads.count()).max(1);
    evaluate_chunks(compiled, kernel, x, (threads, chunks_per_piece), 0, &mut outputs.values);
}

/// Evaluates the instances from `first` on into as many chunks as `chunks` holds.
fn evaluate_chunks<F: Float>(
    compiled: &CompiledGroup,
    kernel: &Kernel,
    x: &[F],
    (threads, chunks_per_piece): (Threads, usize),
    first: usize,
    chunks: &mut [F],
) {
    let chunk_len = kernel.n_roots() * LANES;
    threads.for_each_piece(chunks, chunks_per_piece * chunk_len, |start, piece| {
        let mut evaluator = Evaluator::by_hand(&kernel.program, LANES);
        for (k, chunk) in piece.chunks_exact_mut(chunk_len).enumerate() {
            let first = first + (start / chunk_len + k) * LANES;
            let len = LANES.min(compiled.group.n_instances - first);
            fill_leaves(&mut evaluator, compiled, kernel, x, first, len);
            evaluator.run_by_hand(len);
            for (root, to) in chunk.chunks_exact_mut(LANES).enumerate() {
                to[..len].copy_from_slice(evaluator.num(root, 0, len));
            }
        }
    });
}

/// Visits the chunks of a group on this thread. Roots are read where they were computed.
fn visit_alone<F: Float>(compiled: &CompiledGroup, kernel: &Kernel, x: &[F], mut visit: impl FnMut(usize, &[&[F]])) {
    let mut evaluator = Evaluator::by_hand(&kernel.program, LANES);
    for first in (0..compiled.group.n_instances).step_by(LANES) {
        let len = LANES.min(compiled.group.n_instances - first);
        fill_leaves(&mut evaluator, compiled, kernel, x, first, len);
        evaluator.run_by_hand(len);
        let roots: Vec<&[F]> = (0..kernel.n_roots()).map(|root| evaluator.num(root, 0, len)).collect();
        visit(first, &roots);
    }
}

/// Chunks of a piece of work when threads share them.
const CHUNKS_PER_PIECE: usize = 8;

/// Visits the chunks of a group in order, computed by all threads a few at a time.
fn visit_together<F: Float>(
    compiled: &CompiledGroup,
    kernel: &Kernel,
    x: &[F],
    threads: Threads,
    mut visit: impl FnMut(usize, &[&[F]]),
) {
    let (n_instances, chunk_len) = (compiled.group.n_instances, kernel.n_roots() * LANES);
    let n_chunks = n_instances.div_ceil(LANES);
    let batch = (CHUNKS_PER_PIECE * 4 * threads.count()).min(n_chunks.max(1));
    let mut values = vec![F::default(); batch * chunk_len];
    for first_chunk in (0..n_chunks).step_by(batch) {
        let chunks = &mut values[..batch.min(n_chunks - first_chunk) * chunk_len];
        evaluate_chunks(compiled, kernel, x, (threads, CHUNKS_PER_PIECE), first_chunk * LANES, chunks);
        for (k, chunk) in chunks.chunks_exact(chunk_len).enumerate() {
            let first = (first_chunk + k) * LANES;
            let len = LANES.min(n_instances - first);
            let roots: Vec<&[F]> = chunk.chunks_exact(LANES).map(|root| &root[..len]).collect();
            visit(first, &roots);
        }
    }
}

fn fill_leaves<F: Float>(
    evaluator: &mut Evaluator<'_, F>,
    compiled: &CompiledGroup,
    kernel: &Kernel,
    x: &[F],
    first: usize,
    len: usize,
) {
    for (leaf, source) in kernel.leaves.iter().enumerate() {
        let to = &mut evaluator.leaf_mut(leaf)[..len];
        match *source {
            LeafRef::Param { arg, component } => {
                let offsets = &compiled.offsets[arg][first..][..len];
                to.iter_mut().zip(offsets).for_each(|(to, &offset)| *to = x[offset as usize + component]);
            }
            LeafRef::Datum { column } => {
                let numbers = &compiled.group.data[column][first..][..len];
                to.iter_mut().zip(numbers).for_each(|(to, &number)| *to = F::from_f64(number));
            }
        }
    }
}
