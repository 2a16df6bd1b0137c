//! Matrices of packed weights, and what is computed with them.

use tilework::quant::Format;
use tilework::{Array, Device, Gate, PackedLinear, PackedRows};

/// A matrix `[n_rows, n_cols]` in packed rows. One that is too large for a binding of the device is cut between rows.
#[derive(Clone, Debug)]
pub(super) struct Matrix {
    pub(super) format: Format,
    pub(super) n_rows: usize,
    pub(super) n_cols: usize,
    /// Packed rows, in order.
    pub(super) parts: Vec<Array>,
}

/// What surrounds a product.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around<'a> {
    /// Weights of the norm before it, with what is added to its mean square.
    pub(super) norm: Option<(&'a Array, f64)>,
    /// What becomes of pairs of rows.
    pub(super) gate: Gate,
}

impl Around<'_> {
    pub(super) const NOTHING: Around<'static> = Around { norm: None, gate: Gate::None };
}

impl Matrix {
    /// Products of vectors `[.., n_cols]` with all rows.
    pub(super) fn apply(&self, x: &Array, around: Around<'_>) -> Array {
        let mut linear = PackedLinear::new(self.format).gate(around.gate);
        if let Some((_, epsilon)) = around.norm {
            linear = linear.epsilon(epsilon);
        }
        let norm = around.norm.map(|(weights, _)| weights);
        let products: Vec<Array> = self.parts.iter().map(|part| x.packed_linear(linear, part, norm)).collect();
        match &products[..] {
            [one] => one.clone(),
            several => x.device().concat(&several.iter().collect::<Vec<_>>(), -1),
        }
    }

    /// The rows that `indices` name, as floats.
    pub(super) fn rows(&self, indices: &Array) -> Array {
        let rows = PackedRows::new(self.format, self.n_cols);
        let [first, others @ ..] = &self.parts[..] else { return indices.to_f32() };
        let mut found = first.packed_rows(rows, indices);
        let mut start = first.shape()[0];
        for part in others {
            // An index before a part is negative in it and picks anything, which is then not taken.
            let here = part.packed_rows(rows, &(indices - start as f64).cast(tilework::DType::I32));
            let is_here = indices.ge(start as f64).expand_dims(-1);
            found = is_here.select(&here, &found);
            start += part.shape()[0];
        }
        found
    }

    /// Bytes of the packed rows.
    pub(super) fn size_bytes(&self) -> u64 {
        self.parts.iter().map(|part| part.size() as u64 * 4).sum()
    }

    /// The same on another device, sharing memory of the host.
    pub(super) fn to_device(&self, device: &Device) -> Matrix {
        Matrix { parts: self.parts.iter().map(|part| part.to_device(device)).collect(), ..self.clone() }
    }
}
