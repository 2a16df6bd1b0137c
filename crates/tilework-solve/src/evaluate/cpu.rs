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
        self.groups.iter().map(|compiled| evaluate_group(compiled, compiled.kernel(wanted), x, threads)).collect()
    }

    /// The cost at `x`: infinite where it is not a number.
    pub(crate) fn cost(&mut self, x: &[f64], threads: Threads) -> f64 {
        self.prepare(Wanted::Cost);
        total_cost(&self.evaluate(Wanted::Cost, x, threads))
    }

    /// Cost and gradient at `x`, in the precision of `x`.
    pub(crate) fn gradient<F: Float>(&mut self, x: &[F], threads: Threads) -> (f64, Vec<F>) {
        self.prepare(Wanted::Gradient);
        let outputs = self.evaluate(Wanted::Gradient, x, threads);
        (total_cost(&outputs), self.gather.gradient(&self.layout, &outputs, threads))
    }
}

/// The sum of all costs, the first root of every instance, in an order that depends on nothing but the problem.
pub(crate) fn total_cost<F: Float>(outputs: &[Outputs<F>]) -> f64 {
    let chunk_cost = |(_, len, chunk): (usize, usize, &[F])| chunk[..len].iter().map(|cost| cost.to_f64()).sum::<f64>();
    let total: f64 = outputs.iter().map(|outputs| outputs.chunks().map(chunk_cost).sum::<f64>()).sum();
    if total.is_nan() { f64::INFINITY } else { total }
}

fn evaluate_group<F: Float>(
    compiled: &CompiledGroup,
    kernel: &Kernel,
    x: &[F],
    threads: Threads,
) -> Outputs<F> {
    let n_instances = compiled.group.n_instances;
    let n_roots = kernel.n_roots();
    let n_chunks = n_instances.div_ceil(LANES);
    let mut values = vec![F::default(); n_chunks * n_roots * LANES];
    // Several chunks to a piece, so that a thread's registers are made once for them.
    let chunks_per_piece = n_chunks.div_ceil(4 * threads.count()).max(1);
    let chunk_len = n_roots * LANES;
    threads.for_each_piece(&mut values, chunks_per_piece * chunk_len, |start, piece| {
        let mut evaluator = Evaluator::by_hand(&kernel.program, LANES);
        for (k, chunk) in piece.chunks_exact_mut(chunk_len).enumerate() {
            let first = (start / chunk_len + k) * LANES;
            let len = LANES.min(n_instances - first);
            fill_leaves(&mut evaluator, compiled, kernel, x, first, len);
            evaluator.run_by_hand(len);
            for (root, to) in chunk.chunks_exact_mut(LANES).enumerate() {
                to[..len].copy_from_slice(evaluator.num(root, 0, len));
            }
        }
    });
    Outputs { values, n_roots, n_instances }
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
