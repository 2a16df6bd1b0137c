//! Who computes what: the library where it exists, the textbook where it does not or gives up. Signs and orders that are open are
//! settled here, so that both give the same.

#[cfg(not(target_arch = "wasm32"))]
use crate::native;
use crate::{By, Eigen, Real, Sides, Svd, Triangle, portable, unique};

fn is_finite<T: Real>(values: &[T]) -> bool {
    values.iter().all(|x| x.to_f64().is_finite())
}

/// Replaces the square matrix `a` by the lower factor of its lower triangle, with NaN from the first column on whose pivot is
/// not above 0.
pub(crate) fn cholesky<T: Real>(a: &mut [T], n: usize, by: By) {
    #[cfg(not(target_arch = "wasm32"))]
    if let By::Fastest(n_threads) = by
        && native::cholesky(a, n, n_threads)
    {
        return;
    }
    _ = by;
    portable::cholesky(a, n);
}

/// Replaces the rows of `x` by the solution of a triangular system.
pub(crate) fn triangular_solve<T: Real>(triangle: Triangle, t: &[T], x: &mut [T], by: By) {
    #[cfg(not(target_arch = "wasm32"))]
    if let By::Fastest(n_threads) = by {
        return native::triangular_solve(triangle, t, x, n_threads);
    }
    _ = by;
    portable::triangular_solve(triangle, t, x);
}

/// Packed `L` and `U` and, for each row, the row of `a` it came from.
pub(crate) fn lu<T: Real>(a: &[T], sizes: [usize; 2], by: By) -> (Vec<T>, Vec<usize>) {
    #[cfg(not(target_arch = "wasm32"))]
    if let By::Fastest(n_threads) = by {
        let (packed, rows) = native::lu(a, sizes, n_threads);
        // The library divides by a pivot of 0; the textbook leaves such a column as it is.
        if is_finite(&packed) {
            return (packed, rows);
        }
    }
    _ = by;
    let mut packed = a.to_vec();
    let rows = portable::lu(&mut packed, sizes);
    (packed, rows)
}

/// `Q` of `n_q` columns and `R`, whose diagonal is not negative.
pub(crate) fn qr<T: Real>(a: &[T], sizes: [usize; 2], n_q: usize, by: By) -> (Vec<T>, Vec<T>) {
    let [m, n] = sizes;
    #[cfg(not(target_arch = "wasm32"))]
    let found = match by {
        By::Fastest(n_threads) if m.min(n) > 0 => Some(native::qr(a, sizes, n_q, n_threads)),
        _ => None,
    };
    #[cfg(target_arch = "wasm32")]
    let found: Option<(Vec<T>, Vec<T>)> = None;
    _ = by;
    let library = found.filter(|(q, r)| is_finite(q) && is_finite(r));
    let (mut q, mut r) = library.unwrap_or_else(|| portable::qr(a, sizes, n_q));
    unique::positive_diagonal(&mut q, &mut r, [m, n_q, n]);
    (q, r)
}

/// Singular values, descending, and vectors; the largest element of each right vector is positive.
pub(crate) fn svd<T: Real>(a: &[T], sizes: [usize; 2], sides: Sides, by: By) -> Svd<T> {
    let [m, n] = sizes;
    #[cfg(not(target_arch = "wasm32"))]
    let found = match by {
        By::Fastest(n_threads) if m.min(n) > 0 => native::svd(a, sizes, sides, n_threads),
        _ => None,
    };
    #[cfg(target_arch = "wasm32")]
    let found: Option<Svd<T>> = None;
    _ = by;
    let library = found.filter(|svd| is_finite(&svd.u) && is_finite(&svd.s) && is_finite(&svd.vt));
    let mut svd = library.unwrap_or_else(|| portable::svd(a, sizes, sides));
    unique::signed_pairs(&mut svd, [m, n], sides);
    svd
}

/// Eigenvalues, ascending, and vectors, as columns, of a symmetric matrix; the largest element of each vector is positive.
pub(crate) fn eigh<T: Real>(a: &[T], n: usize, n_vectors: usize, by: By) -> (Vec<T>, Vec<T>) {
    #[cfg(not(target_arch = "wasm32"))]
    let found = match by {
        By::Fastest(n_threads) if n > 0 => native::eigh(a, n, n_vectors, n_threads),
        _ => None,
    };
    #[cfg(target_arch = "wasm32")]
    let found: Option<(Vec<T>, Vec<T>)> = None;
    _ = by;
    let library = found.filter(|(values, vectors)| is_finite(values) && is_finite(vectors));
    let (values, mut vectors) = library.unwrap_or_else(|| portable::eigh(a, n, n_vectors));
    unique::signed_columns(&mut vectors, n_vectors);
    (values, vectors)
}

/// Eigenvalues by real, then by imaginary part, and vectors of length 1 whose largest element is real and positive.
pub(crate) fn eig<T: Real>(a: &[T], n: usize, n_vectors: usize, by: By) -> Eigen<T> {
    #[cfg(not(target_arch = "wasm32"))]
    let found = match by {
        By::Fastest(n_threads) if n > 0 => native::eig(a, n, n_vectors, n_threads),
        _ => None,
    };
    #[cfg(target_arch = "wasm32")]
    let found: Option<Eigen<T>> = None;
    _ = by;
    let library = found.filter(|eigen| is_finite(&eigen.values) && is_finite(&eigen.vectors));
    unique::ordered(&library.unwrap_or_else(|| portable::eig(a, n, n_vectors)), n, n_vectors)
}
