//! Least squares with a dense matrix, by Householder's QR: the Jacobian itself is factorized, not its square, which keeps the digits
//! that hard fits need.

/// A dense matrix, column by column.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dense {
    pub(crate) n_rows: usize,
    pub(crate) n_cols: usize,
    pub(crate) values: Vec<f64>,
}

impl Dense {
    pub(crate) fn column(&self, col: usize) -> &[f64] {
        &self.values[col * self.n_rows..][..self.n_rows]
    }

    /// `A·x`.
    pub(crate) fn multiply(&self, x: &[f64]) -> Vec<f64> {
        let mut y = vec![0.0; self.n_rows];
        for (col, &factor) in x.iter().enumerate() {
            y.iter_mut().zip(self.column(col)).for_each(|(y, a)| *y += factor * a);
        }
        y
    }

    /// `Aᵀ·y`.
    pub(crate) fn multiply_transposed(&self, y: &[f64]) -> Vec<f64> {
        (0..self.n_cols).map(|col| self.column(col).iter().zip(y).map(|(a, y)| a * y).sum()).collect()
    }
}

/// The `x` that minimizes `‖A·x − b‖² + Σ added·x²`; `None` if a column depends on the others and is not damped.
pub(crate) fn least_squares(a: &Dense, added: &[f64], b: &[f64]) -> Option<Vec<f64>> {
    let (n, n_rows) = (a.n_cols, a.n_rows + a.n_cols);
    // The square root of the damping stands below the matrix.
    let mut columns: Vec<Vec<f64>> = (0..n)
        .map(|col| {
            let mut column = a.column(col).to_vec();
            column.resize(n_rows, 0.0);
            column[a.n_rows + col] = added[col].sqrt();
            column
        })
        .collect();
    let mut rhs = b.to_vec();
    rhs.resize(n_rows, 0.0);
    for k in 0..n {
        let (head, tail) = columns.split_at_mut(k + 1);
        let reflector = Reflector::new(&mut head[k][k..])?;
        tail.iter_mut().for_each(|column| reflector.apply(&mut column[k..]));
        reflector.apply(&mut rhs[k..]);
        head[k][k] = reflector.head;
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|col| columns[col][k] * rhs[col]).sum();
        rhs[k] = (rhs[k] - known) / columns[k][k];
    }
    rhs.truncate(n);
    rhs.iter().all(|x| x.is_finite()).then_some(rhs)
}

/// `I − 2vvᵀ/(vᵀv)`, which takes a vector to `head` times the first axis.
struct Reflector {
    v: Vec<f64>,
    scale: f64,
    head: f64,
}

impl Reflector {
    fn new(x: &mut [f64]) -> Option<Reflector> {
        let norm = x.iter().map(|x| x * x).sum::<f64>().sqrt();
        if !norm.is_finite() || norm == 0.0 {
            return None;
        }
        let head = if x[0] > 0.0 { -norm } else { norm };
        let mut v = x.to_vec();
        v[0] -= head;
        let square: f64 = v.iter().map(|v| v * v).sum();
        Some(Reflector { v, scale: 2.0 / square, head })
    }

    fn apply(&self, x: &mut [f64]) {
        let along: f64 = self.v.iter().zip(&*x).map(|(v, x)| v * x).sum::<f64>() * self.scale;
        x.iter_mut().zip(&self.v).for_each(|(x, v)| *x -= along * v);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_what_normal_equations_cannot() {
        // Läuchli's matrix: its square is singular in double precision.
        let e = 1e-9;
        let a = Dense { n_rows: 3, n_cols: 2, values: vec![1.0, e, 0.0, 1.0, 0.0, e] };
        let x = least_squares(&a, &[0.0; 2], &[2.0, e, e]).unwrap();
        assert!(x.iter().all(|x| (x - 1.0).abs() < 1e-6), "{x:?}");
    }

    #[test]
    fn damping_shortens_the_solution() {
        let a = Dense { n_rows: 2, n_cols: 2, values: vec![1.0, 0.0, 0.0, 2.0] };
        let x = least_squares(&a, &[1.0, 4.0], &[2.0, 4.0]).unwrap();
        // (1 + 1)x = 2 and (4 + 4)y = 8.
        assert!((x[0] - 1.0).abs() < 1e-15 && (x[1] - 1.0).abs() < 1e-15);
    }

    #[test]
    fn a_column_of_zeros_has_no_solution() {
        let a = Dense { n_rows: 2, n_cols: 2, values: vec![1.0, 1.0, 0.0, 0.0] };
        assert!(least_squares(&a, &[0.0; 2], &[1.0, 1.0]).is_none());
        assert!(least_squares(&a, &[0.0, 1.0], &[1.0, 1.0]).is_some());
    }
}
