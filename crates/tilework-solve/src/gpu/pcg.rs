//! Conjugate gradients as passes: the damped linear system of an iteration, solved without a matrix.

use super::lists::{Idle, LANES, Lists, PARTIALS, REDUCE, n_partials};
use super::number::{self, element};
use super::passes::{Passes, QUAD, SINGLE, upload};
use super::status;
use tilework_core::Result;
use tilework_core::emit::{KernelBuilder, Precision};
use tilework_gpu::{Buffer, Gpu};

const INVERT: &str = tilework_core::wgsl!("wgsl/invert.wgsl");
const PRECONDITION: &str = tilework_core::wgsl!("wgsl/precondition.wgsl");
const START: &str = tilework_core::wgsl!("wgsl/pcg_start.wgsl");
const PRODUCT: &str = tilework_core::wgsl!("wgsl/pcg_product.wgsl");
const UPDATE: &str = tilework_core::wgsl!("wgsl/pcg_update.wgsl");
const DIRECTION: &str = tilework_core::wgsl!("wgsl/pcg_direction.wgsl");

/// Numbers after the three vectors of a state: partial sums and scalars.
const TAIL: usize = PARTIALS + 5;
/// The scalar that is not 0 once the system is solved.
const IS_SOLVED: usize = PARTIALS + 3;

/// The lists of the preconditioner on the device.
#[derive(Debug)]
pub(crate) struct Preconditioner {
    blocks: Buffer,
    rows: Buffer,
    n_blocks: usize,
    n_inverse: usize,
    max_dim: usize,
}

/// What the linear system of an iteration is made of: slots of numbers of one precision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct System {
    pub(crate) jacobian: usize,
    /// Upper triangles of the diagonal blocks.
    pub(crate) upper: usize,
    pub(crate) gradient: usize,
    pub(crate) damping: usize,
    pub(crate) inverse: usize,
}

/// Slots of the trust region.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Region {
    pub(crate) status: usize,
    pub(crate) scales: usize,
    pub(crate) next_scales: usize,
}

/// How conjugate gradients run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Steps {
    pub(crate) precision: Precision,
    pub(crate) n_steps: usize,
    /// Steps end when the last one brought this part of what all did, times their number; 0 if they go on to full accuracy.
    pub(crate) flatness: f32,
    /// Residuals of the system and of J.
    pub(crate) n_directions: usize,
    pub(crate) n_residuals: usize,
}

impl Preconditioner {
    pub(crate) fn upload(gpu: &Gpu, lists: &Lists) -> Result<Preconditioner> {
        let blocks = &lists.blocks;
        Ok(Preconditioner {
            blocks: upload(gpu, bytemuck::cast_slice(&blocks.blocks))?,
            rows: upload(gpu, bytemuck::cast_slice(&blocks.rows))?,
            n_blocks: blocks.blocks.len(),
            n_inverse: blocks.n_inverse,
            max_dim: blocks.max_dim,
        })
    }

    /// Numbers of all inverses.
    pub(crate) fn n_inverse(&self) -> usize {
        self.n_inverse
    }

    /// Damping of all directions and inverses of all blocks.
    pub(crate) fn push_invert<'a>(
        &'a self,
        passes: &mut Passes<'a>,
        precision: Precision,
        system: System,
        region: Region,
    ) {
        let blocks = passes.constant(&self.blocks);
        let numbers = element(precision);
        let builder = number::kernel(precision, "damping and preconditioner")
            .prelude(&status::wgsl())
            .prelude(&format!("const MAX_DIM: u32 = {}u;", self.max_dim))
            .param("n_blocks", self.n_blocks as u32)
            .load("blocks", blocks, QUAD)
            .load("upper", system.upper, numbers)
            .load("scales", region.scales, numbers)
            .load("status", region.status, SINGLE)
            .store("damping", system.damping, numbers)
            .store("inverse", system.inverse, numbers)
            .store("next_scales", region.next_scales, numbers);
        passes.push(builder.file(INVERT), self.n_blocks.div_ceil(LANES));
    }

    fn with_preconditioner<'a>(
        &'a self,
        passes: &mut Passes<'a>,
        builder: KernelBuilder,
        steps: Steps,
        inverse: usize,
    ) -> KernelBuilder {
        let rows = passes.constant(&self.rows);
        let builder = builder.load("rows", rows, QUAD).load("inverse", inverse, element(steps.precision));
        builder.file(PRECONDITION).file(REDUCE)
    }

    /// Solves `(JᵀJ + damping)·δ = −gradient`, and gives the slot of the state that begins with δ and the residual.
    pub(crate) fn push_solve<'a>(
        &'a self,
        passes: &mut Passes<'a>,
        lists: &'a Lists,
        system: System,
        steps: Steps,
    ) -> usize {
        let n_bytes = steps.precision.size_bytes();
        let n = steps.n_directions;
        let mut states = [0; 2].map(|_| passes.temp((3 * n + TAIL) * n_bytes));
        let mut ways = [0; 2].map(|_| passes.temp(n * n_bytes));
        let rows = passes.temp(steps.n_residuals * n_bytes);
        let gathered = passes.temp(n * n_bytes);
        let product = passes.temp((n + PARTIALS) * n_bytes);
        self.push_start(passes, steps, system, states[0], ways[0]);
        for step in 0..steps.n_steps {
            let idle = Some(Idle { slot: states[0], at: 3 * n + IS_SOLVED });
            lists.push_multiply(passes, steps.precision, [system.jacobian, ways[0], rows], idle);
            lists.push_transposed(passes, steps.precision, [system.jacobian, rows, gathered], idle);
            push_product(passes, steps, [gathered, system.damping, ways[0], product]);
            self.push_update(passes, steps, system.inverse, [states[0], ways[0], product, states[1]]);
            states.swap(0, 1);
            if step + 1 < steps.n_steps {
                push_direction(passes, steps, [states[0], ways[0], ways[1]]);
                ways.swap(0, 1);
            }
        }
        states[0]
    }

    fn push_start<'a>(&'a self, passes: &mut Passes<'a>, steps: Steps, system: System, state: usize, way: usize) {
        let numbers = element(steps.precision);
        let builder = kernel(steps, "conjugate gradients: start").load("gradient", system.gradient, numbers);
        let builder = self.with_preconditioner(passes, builder, steps, system.inverse);
        let builder = builder.store("next", state, numbers).store("way", way, numbers);
        passes.push(builder.file(START), n_partials(steps.n_directions));
    }

    fn push_update<'a>(
        &'a self,
        passes: &mut Passes<'a>,
        steps: Steps,
        inverse: usize,
        [state, way, product, next]: [usize; 4],
    ) {
        let numbers = element(steps.precision);
        let tolerance: f32 = if steps.precision == Precision::F32 { 1e-10 } else { 1e-20 };
        let builder = kernel(steps, "conjugate gradients: step")
            .param("n_partials", n_partials(steps.n_directions) as u32)
            .param("tolerance", tolerance.to_bits())
            .param("flatness", steps.flatness.to_bits())
            .load("state", state, numbers)
            .load("way", way, numbers)
            .load("product", product, numbers);
        let builder = self.with_preconditioner(passes, builder, steps, inverse).store("next", next, numbers);
        passes.push(builder.file(UPDATE), n_partials(steps.n_directions));
    }
}

fn kernel(steps: Steps, label: &str) -> KernelBuilder {
    number::kernel(steps.precision, label).param("n", steps.n_directions as u32)
}

fn push_product(passes: &mut Passes<'_>, steps: Steps, [gathered, damping, way, product]: [usize; 4]) {
    let numbers = element(steps.precision);
    let builder = kernel(steps, "conjugate gradients: product")
        .load("gathered", gathered, numbers)
        .load("damping", damping, numbers)
        .load("way", way, numbers)
        .store("product", product, numbers);
    passes.push(builder.file(REDUCE).file(PRODUCT), n_partials(steps.n_directions));
}

fn push_direction(passes: &mut Passes<'_>, steps: Steps, [state, way, next]: [usize; 3]) {
    let numbers = element(steps.precision);
    let builder = kernel(steps, "conjugate gradients: direction")
        .param("n_partials", n_partials(steps.n_directions) as u32)
        .load("state", state, numbers)
        .load("way", way, numbers)
        .store("next_way", next, numbers);
    passes.push(builder.file(REDUCE).file(DIRECTION), n_partials(steps.n_directions));
}
