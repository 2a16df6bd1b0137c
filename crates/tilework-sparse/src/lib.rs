//! Cholesky factorization of sparse symmetric matrices.
