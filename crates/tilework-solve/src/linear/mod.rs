//! Linear systems: the problem near a point, and the step that would minimize it.

mod matrix_free;
mod normal;
mod pcg;
mod project;
mod qr;
mod schur;
#[cfg(test)]
mod tests;

pub(crate) use pcg::{add, dot};

use crate::evaluate::{Compiled, FIXED, Wanted};
use crate::options::Linear;
use crate::problem::Term;
use matrix_free::MatrixFree;
use normal::Assembly;
use pcg::DiagonalBlocks;
use qr::Dense;
use tilework_ops::threads::Threads;
use tilework_sparse::{Factor, Symbolic};

/// Problems with at most this many directions are solved by QR of the dense Jacobian, which keeps more digits.
const MAX_QR_DIRECTIONS: usize = 60;
const MAX_QR_VALUES: usize = 1 << 20;

/// What the linear algebra of a problem works on.
#[derive(Debug)]
enum Kind {
    /// The dense Jacobian and the residuals, weighted by the loss.
    Jacobian { matrix: Dense, residuals: Vec<f64> },
    /// The Gauss-Newton matrix by blocks, factorized.
    Direct { assembly: Box<Assembly>, values: Vec<f64>, symbolic: Symbolic, factor: Factor },
    /// The Hessian by blocks, solved by conjugate gradients: second derivatives are projected, so products need the matrix.
    Iterative { assembly: Box<Assembly>, values: Vec<f64> },
    /// The Gauss-Newton matrix by products with the Jacobian, solved by conjugate gradients.
    MatrixFree(Box<MatrixFree>),
}

/// The problem near a point: `cost + gradientᵀδ + ½·δᵀHδ`.
#[derive(Debug)]
pub(crate) struct System {
    kind: Kind,
    pub(crate) name: &'static str,
    pub(crate) cost: f64,
    pub(crate) gradient: Vec<f64>,
    /// Of `H`.
    pub(crate) diagonal: Vec<f64>,
}

impl System {
    /// Chooses how systems of this problem are solved and plans all that depends on its structure only.
    pub(crate) fn new(compiled: &Compiled, linear: Linear, second: Wanted) -> System {
        let n = compiled.layout.n_tangents;
        let n_residuals: usize =
            compiled.groups.iter().map(|compiled| compiled.group.n_residuals() * compiled.group.n_instances).sum();
        let is_small = n <= MAX_QR_DIRECTIONS && n * n_residuals <= MAX_QR_VALUES;
        let wants_qr = linear == Linear::DenseQr || (linear == Linear::Auto && is_small);
        let (kind, name) = if wants_qr && second == Wanted::Normal {
            (Kind::Jacobian { matrix: Dense::default(), residuals: Vec::new() }, "dense QR")
        } else if linear == Linear::Pcg && second == Wanted::Normal {
            (Kind::MatrixFree(Box::new(MatrixFree::new(compiled))), "matrix-free conjugate gradients")
        } else {
            let assembly = Box::new(Assembly::new(compiled));
            if linear == Linear::Pcg {
                (Kind::Iterative { assembly, values: Vec::new() }, "conjugate gradients")
            } else {
                direct(assembly, linear)
            }
        };
        System { kind, name, cost: 0.0, gradient: Vec::new(), diagonal: Vec::new() }
    }

    /// Linearizes at `x`. `second` says where the matrix comes from: Gauss and Newton, or second derivatives.
    pub(crate) fn linearize(&mut self, compiled: &mut Compiled, second: Wanted, x: &[f64], threads: Threads) {
        if let Kind::Jacobian { matrix, residuals } = &mut self.kind {
            self.cost = dense_jacobian(compiled, x, threads, matrix, residuals);
            self.gradient = matrix.multiply_transposed(residuals);
            self.diagonal = (0..matrix.n_cols).map(|col| dot(matrix.column(col), matrix.column(col))).collect();
            return;
        }
        if let Kind::MatrixFree(matrix) = &mut self.kind {
            (self.cost, self.gradient) = matrix.linearize(compiled, x, threads);
            self.diagonal = matrix.diagonal();
            return;
        }
        compiled.prepare(second);
        let (assembly, values) = match &mut self.kind {
            Kind::Direct { assembly, values, .. } | Kind::Iterative { assembly, values } => (assembly, values),
            Kind::Jacobian { .. } | Kind::MatrixFree(_) => return,
        };
        values.clear();
        values.resize(assembly.pattern.n_values(), 0.0);
        self.gradient.clear();
        self.gradient.resize(compiled.layout.n_tangents, 0.0);
        let (mut cost, gradient) = (0.0, &mut self.gradient);
        compiled.visit(second, x, threads, |group, first, roots| {
            cost += roots[0].iter().sum::<f64>();
            add_gradient(compiled, group, first, roots, gradient);
            if second == Wanted::Hessian {
                let upper = project::projected(&compiled.groups[group].columns, roots);
                let upper: Vec<&[f64]> = upper.iter().map(Vec::as_slice).collect();
                assembly.add(group, first, &upper, values);
            } else {
                assembly.add(group, first, &roots[1 + compiled.groups[group].columns.n..], values);
            }
        });
        self.cost = if cost.is_nan() { f64::INFINITY } else { cost };
        normal::mirror(&assembly.pattern, values);
        self.diagonal = normal::diagonal(&assembly.pattern, values);
    }

    /// The minimum of the damped problem: `(H + diag(damping))·δ = −gradient`, with a direction of infinite damping held. `None` if
    /// there is none.
    pub(crate) fn step(&mut self, damping: &[f64]) -> Option<Vec<f64>> {
        // A large finite number in the place of infinity, so that no arithmetic gives NaN.
        let finite = |(&damping, &diagonal): (&f64, &f64)| {
            if damping == f64::INFINITY { 1e30 * (1.0 + diagonal) } else { damping }
        };
        let added: Vec<f64> = damping.iter().zip(&self.diagonal).map(finite).collect();
        let held = |(&gradient, &damping): (&f64, &f64)| if damping == f64::INFINITY { 0.0 } else { -gradient };
        let rhs: Vec<f64> = self.gradient.iter().zip(damping).map(held).collect();
        let mut step = match &mut self.kind {
            Kind::Jacobian { matrix, residuals } => {
                let b: Vec<f64> = residuals.iter().map(|r| -r).collect();
                qr::least_squares(matrix, &added, &b)?
            }
            Kind::Direct { values, symbolic, factor, .. } => {
                factor.factorize(symbolic, values, &added).ok()?;
                let mut x = rhs;
                factor.solve(symbolic, &mut x);
                x
            }
            Kind::Iterative { assembly, values } => {
                let multiply = |p: &[f64]| normal::multiply(&assembly.pattern, values, p);
                pcg::solve(&DiagonalBlocks::of(&assembly.pattern, values), multiply, &added, &rhs)?
            }
            Kind::MatrixFree(matrix) => {
                let blocks = matrix.blocks().clone();
                pcg::solve(&blocks, |p| matrix.multiply(p), &added, &rhs)?
            }
        };
        step.iter_mut().zip(damping).filter(|(_, d)| **d == f64::INFINITY).for_each(|(step, _)| *step = 0.0);
        step.iter().all(|x| x.is_finite()).then_some(step)
    }

    /// `δᵀHδ`.
    pub(crate) fn curvature(&self, step: &[f64]) -> f64 {
        match &self.kind {
            Kind::Jacobian { matrix, .. } => {
                let moved = matrix.multiply(step);
                dot(&moved, &moved)
            }
            Kind::Direct { assembly, values, .. } | Kind::Iterative { assembly, values } => {
                dot(step, &normal::multiply(&assembly.pattern, values, step))
            }
            Kind::MatrixFree(matrix) => matrix.curvature(step),
        }
    }

    /// Column `direction` of the inverse of `H`, for every direction of `directions`. `None` if `H` has no inverse.
    pub(crate) fn inverse_columns(&mut self, directions: &[usize]) -> Option<Vec<Vec<f64>>> {
        let Kind::Direct { values, symbolic, factor, .. } = &mut self.kind else { return None };
        factor.factorize(symbolic, values, &vec![0.0; self.diagonal.len()]).ok()?;
        let column = |&direction: &usize| {
            let mut x = vec![0.0; self.diagonal.len()];
            x[direction] = 1.0;
            factor.solve(symbolic, &mut x);
            x
        };
        Some(directions.iter().map(column).collect())
    }
}

/// Adds the derivatives of a chunk of instances, in order.
fn add_gradient(compiled: &Compiled, group: usize, first: usize, roots: &[&[f64]], gradient: &mut [f64]) {
    let compiled_group = &compiled.groups[group];
    for (arg, first_column) in compiled_group.columns.first.iter().enumerate() {
        let Some(first_column) = first_column else { continue };
        let blocks = &compiled_group.group.blocks[arg][first..][..roots[0].len()];
        for component in 0..compiled_group.columns.dims[arg] {
            for (&block, &slope) in blocks.iter().zip(roots[1 + first_column + component]) {
                let tangent = compiled.layout.blocks[block as usize].tangent;
                if tangent != FIXED {
                    gradient[tangent as usize + component] += slope;
                }
            }
        }
    }
}

/// Plans a factorization.
fn direct(assembly: Box<Assembly>, linear: Linear) -> (Kind, &'static str) {
    let bundle = (linear == Linear::Schur || linear == Linear::Auto)
        .then(|| schur::eliminate(&assembly.pattern))
        .filter(|found| linear == Linear::Schur || schur::is_bundle(&assembly.pattern, found));
    let (symbolic, name) = match bundle {
        Some(found) => (Symbolic::in_order(&assembly.pattern, found.order), "Schur complement, sparse Cholesky"),
        None => (Symbolic::new(&assembly.pattern), "sparse Cholesky"),
    };
    let factor = Factor::new(&symbolic);
    (Kind::Direct { assembly, values: Vec::new(), symbolic, factor }, name)
}

/// Evaluates the Jacobian into a dense matrix, rows weighted by the square root of the loss's slope; returns the cost.
fn dense_jacobian(
    compiled: &mut Compiled,
    x: &[f64],
    threads: Threads,
    matrix: &mut Dense,
    residuals: &mut Vec<f64>,
) -> f64 {
    compiled.prepare(Wanted::Jacobian);
    let outputs = compiled.evaluate(Wanted::Jacobian, x, threads);
    let counts = compiled.groups.iter().map(|compiled| compiled.group.n_residuals() * compiled.group.n_instances);
    let n_rows: usize = counts.sum();
    *matrix =
        Dense { n_rows, n_cols: compiled.layout.n_tangents, values: vec![0.0; n_rows * compiled.layout.n_tangents] };
    residuals.clear();
    let mut cost = 0.0;
    for (compiled_group, outputs) in compiled.groups.iter().zip(&outputs) {
        let (group, columns) = (&compiled_group.group, &compiled_group.columns);
        let Term::Residuals(loss) = group.term else { continue };
        let (m, curve) = (group.n_residuals(), loss.curve());
        for instance in 0..group.n_instances {
            let s: f64 = (0..m).map(|k| outputs.get(k, instance).powi(2)).sum();
            let [rho, slope] = curve(s);
            cost += 0.5 * rho;
            let weight = slope.max(0.0).sqrt();
            for k in 0..m {
                let row = residuals.len();
                residuals.push(weight * outputs.get(k, instance));
                for (arg, first) in columns.first.iter().enumerate() {
                    let block = compiled.layout.blocks[group.blocks[arg][instance] as usize];
                    let Some(first) = first.filter(|_| block.is_free()) else { continue };
                    for component in 0..columns.dims[arg] {
                        let slope = outputs.get(m + k * columns.n + first + component, instance);
                        // Added, because one block can be two arguments.
                        matrix.values[(block.tangent as usize + component) * n_rows + row] += weight * slope;
                    }
                }
            }
        }
    }
    if cost.is_nan() { f64::INFINITY } else { cost }
}
