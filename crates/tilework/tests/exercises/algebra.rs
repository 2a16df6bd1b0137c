//! Vectors, matrices and sums of products.

use crate::Exercise;
use crate::expect::{floats, ints, is, near, number};
use tilework::linalg::{self, Order, QrMode, Vectors};

pub(crate) const EXERCISES: &[Exercise] = &[
    (67, "Prices of an apple and a pear from two bills.", |d| {
        let a = floats(d, [2.0, 1.0, 1.0, 3.0]).reshape([2, 2]);
        near(&linalg::solve(&a, &floats(d, [4.0, 7.0])), [2], [1, 2], 1e-6);
    }),
    (68, "The line nearest to four points.", |d| {
        let x = d.arange(4).to_f32();
        let a = d.stack(&[&x, &d.ones(4)], 1);
        let line = linalg::lstsq(&a, &floats(d, [1.0, 3.0, 5.0, 7.0]), None);
        near(&line.x, [2], [2, 1], 1e-5);
        is(&line.rank, [], [2]);
    }),
    (69, "A rotation keeps areas.", |d| {
        let (sin, cos) = (d.scalar(0.7).sin(), d.scalar(0.7).cos());
        let turn = d.stack(&[&cos, &-&sin, &sin, &cos], 0).reshape([2, 2]);
        near(&linalg::det(&turn), [], [1], 1e-6);
    }),
    (70, "The eigenvalues of a symmetric matrix.", |d| {
        let a = floats(d, [2.0, 1.0, 1.0, 2.0]).reshape([2, 2]);
        near(&linalg::eigvalsh(&a), [2], [1, 3], 1e-6);
    }),
    (71, "The eigenvalues of a quarter turn are i and its conjugate.", |d| {
        let turn = floats(d, [0.0, -1.0, 1.0, 0.0]).reshape([2, 2]);
        let values = linalg::eigvals(&turn);
        near(&values.real(), [2], [0, 0], 1e-6);
        near(&values.imag().sort(0), [2], [-1, 1], 1e-6);
    }),
    (72, "How many rows of a matrix are independent.", |d| {
        let a = floats(d, [1.0, 2.0, 3.0, 2.0, 4.0, 6.0, 1.0, 0.0, 1.0]).reshape([3, 3]);
        is(&linalg::matrix_rank(&a, None), [], [2]);
    }),
    (73, "The quadratic form xᵀAx.", |d| {
        let (x, a) = (ints(d, [1, 2]), ints(d, [1, 0, 3, 1]).reshape([2, 2]));
        is(&d.einsum("i,ij,j->", &[&x, &a, &x]), [], [11]);
    }),
    (74, "Products of two stacks of matrices, added up.", |d| {
        let x = d.arange(8).reshape([2, 2, 2]).to_f32();
        is(&d.einsum("nij,njk->ik", &[&x, &x]), [2, 2], [48, 58, 72, 90]);
    }),
    (75, "The tenth Fibonacci number by a power of a matrix.", |d| {
        let step = floats(d, [1.0, 1.0, 1.0, 0.0]).reshape([2, 2]);
        is(&linalg::matrix_power(&step, 10).get((0, 1)), [], [55]);
    }),
    (76, "The root of a positive definite matrix, as a triangle.", |d| {
        let a = floats(d, [4.0, 2.0, 2.0, 10.0]).reshape([2, 2]);
        near(&linalg::cholesky(&a), [2, 2], [2, 0, 1, 3], 1e-6);
    }),
    (77, "Columns at right angles that span the same plane.", |d| {
        let a = floats(d, [3.0, 1.0, 4.0, 1.0, 0.0, 1.0]).reshape([3, 2]);
        let qr = linalg::qr(&a, QrMode::Reduced);
        near(&qr.q.t().matmul(&qr.q), [2, 2], [1, 0, 0, 1], 1e-6);
        near(&qr.q.matmul(&qr.r), [3, 2], [3, 1, 4, 1, 0, 1], 1e-6);
    }),
    (78, "The best approximation of a matrix by one of rank 1.", |d| {
        // The second singular value, 1, is what is lost.
        let a = floats(d, [3.0, 0.0, 0.0, 1.0]).reshape([2, 2]);
        let svd = linalg::svd(&a, Vectors::Reduced);
        let first = linalg::outer(&svd.u.index(1, 0), &svd.vh.index(0, 0)) * svd.s.index(0, 0);
        near(&first, [2, 2], [3, 0, 0, 0], 1e-6);
        assert!((number(&linalg::norm(&(a - first), Order::Fro)) - 1.0).abs() < 1e-6);
    }),
    (79, "Where a fickle customer of two shops ends up in the long run.", |d| {
        let moves = floats(d, [0.5, 0.5, 0.25, 0.75]).reshape([2, 2]);
        near(&linalg::matrix_power(&moves, 32).index(0, 0), [2], [1.0 / 3.0, 2.0 / 3.0], 1e-6);
    }),
    (80, "Rows scaled to length 1, and the cosine of the angle between them.", |d| {
        let x = floats(d, [3.0, 4.0, 4.0, 3.0]).reshape([2, 2]);
        let unit = &x / linalg::vector_norm(&x, Order::Fro, 1).expand_dims(1);
        near(&unit.index(0, 0).dot(&unit.index(0, 1)), [], [0.96], 1e-6);
    }),
];
