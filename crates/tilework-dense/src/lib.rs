//! Dense linear algebra on the CPU: one matrix at a time, row-major, f32 or f64.
//!
//! Natively the `faer` library computes; in WASM, and where the library gives up, the textbook algorithms do. This is a crate of its
//! own because the library is generic: what it does for f32 and f64 is compiled here, once, and not with every edit of an
//! operation.

mod kernels;
#[cfg(not(target_arch = "wasm32"))]
mod native;
mod portable;
mod schur;
#[cfg(test)]
mod tests;
mod textbook;
mod unique;

/// What the algorithms need of a type of floats.
#[cfg(not(target_arch = "wasm32"))]
trait Real: Dense + faer::traits::RealField {}
/// What the algorithms need of a type of floats.
#[cfg(target_arch = "wasm32")]
trait Real: Dense {}

impl Real for f32 {}
impl Real for f64 {}

/// How many singular vectors are wanted on each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sides {
    /// Columns of `U`.
    pub n_left: usize,
    /// Rows of `Vᵀ`.
    pub n_right: usize,
}

/// A singular value decomposition.
#[derive(Clone, Debug)]
pub struct Svd<T> {
    /// Left vectors as columns.
    pub u: Vec<T>,
    /// Values in descending order.
    pub s: Vec<T>,
    /// Right vectors as rows.
    pub vt: Vec<T>,
}

/// Eigenvalues and vectors; complex numbers are pairs of parts.
#[derive(Clone, Debug)]
pub struct Eigen<T> {
    /// The eigenvalues.
    pub values: Vec<T>,
    /// The eigenvectors as columns.
    pub vectors: Vec<T>,
}

/// A system with a triangular matrix of `n` rows.
#[derive(Clone, Copy, Debug)]
pub struct Triangle {
    /// Rows and columns.
    pub n: usize,
    /// Whether the upper triangle is read.
    pub is_upper: bool,
    /// Whether the matrix is transposed.
    pub is_transposed: bool,
    /// Whether the diagonal is all ones.
    pub is_unit: bool,
}

/// Who computes.
#[derive(Clone, Copy, Debug)]
pub enum By {
    /// The fastest there is here, on this many threads.
    Fastest(usize),
    /// The textbook algorithm in double precision.
    Textbook,
}

/// A type of floats that matrices can be factorized in.
pub trait Dense: Copy + PartialOrd + Send + Sync + 'static {
    /// From double precision.
    fn from_f64(value: f64) -> Self;

    /// To double precision.
    fn to_f64(self) -> f64;

    /// Replaces the square matrix `a` by the lower factor of its lower triangle, with NaN from the first column on whose pivot is
    /// not above 0.
    fn cholesky(a: &mut [Self], n: usize, by: By);

    /// Replaces the rows of `x` by the solution of a triangular system.
    fn triangular_solve(triangle: Triangle, t: &[Self], x: &mut [Self], by: By);

    /// Packed `L` and `U` and, for each row, the row of `a` it came from.
    fn lu(a: &[Self], sizes: [usize; 2], by: By) -> (Vec<Self>, Vec<usize>);

    /// `Q` of `n_q` columns and `R`, whose diagonal is not negative.
    fn qr(a: &[Self], sizes: [usize; 2], n_q: usize, by: By) -> (Vec<Self>, Vec<Self>);

    /// Singular values, descending, and vectors; the largest element of each right vector is positive.
    fn svd(a: &[Self], sizes: [usize; 2], sides: Sides, by: By) -> Svd<Self>;

    /// Eigenvalues, ascending, and vectors (0 or `n` of them), as columns, of the symmetric matrix with the lower triangle of `a`;
    /// the largest element of each vector is positive.
    fn eigh(a: &[Self], n: usize, n_vectors: usize, by: By) -> (Vec<Self>, Vec<Self>);

    /// Eigenvalues by real, then by imaginary part, and vectors (0 or `n`) of length 1 whose largest element is real and positive.
    fn eig(a: &[Self], n: usize, n_vectors: usize, by: By) -> Eigen<Self>;
}

macro_rules! dense {
    ($($float:ident)*) => {
        $(impl Dense for $float {
            fn from_f64(value: f64) -> $float {
                value as $float
            }
            fn to_f64(self) -> f64 {
                f64::from(self)
            }
            fn cholesky(a: &mut [$float], n: usize, by: By) {
                kernels::cholesky(a, n, by);
            }
            fn triangular_solve(triangle: Triangle, t: &[$float], x: &mut [$float], by: By) {
                kernels::triangular_solve(triangle, t, x, by);
            }
            fn lu(a: &[$float], sizes: [usize; 2], by: By) -> (Vec<$float>, Vec<usize>) {
                kernels::lu(a, sizes, by)
            }
            fn qr(a: &[$float], sizes: [usize; 2], n_q: usize, by: By) -> (Vec<$float>, Vec<$float>) {
                kernels::qr(a, sizes, n_q, by)
            }
            fn svd(a: &[$float], sizes: [usize; 2], sides: Sides, by: By) -> Svd<$float> {
                kernels::svd(a, sizes, sides, by)
            }
            fn eigh(a: &[$float], n: usize, n_vectors: usize, by: By) -> (Vec<$float>, Vec<$float>) {
                kernels::eigh(a, n, n_vectors, by)
            }
            fn eig(a: &[$float], n: usize, n_vectors: usize, by: By) -> Eigen<$float> {
                kernels::eig(a, n, n_vectors, by)
            }
        })*
    };
}
dense!(f32 f64);
