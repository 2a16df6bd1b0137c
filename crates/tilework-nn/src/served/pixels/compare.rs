//! Two models: which tensors differ, where, and how much.

use serde_json::{Value, json};
use tilework::Result;

use super::weights::Side;
use tilework::layers::core::order;

/// What became of a tensor.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Change {
    name: String,
    state: &'static str,
    n_changed: u64,
    n: u64,
    largest: f64,
    rms: f64,
    /// Of the largest difference.
    row: u64,
    column: u64,
}

impl Change {
    fn to_json(&self) -> Value {
        json!({
            "name": self.name, "state": self.state, "changed": self.n_changed, "count": self.n,
            "largest": self.largest, "rms": self.rms, "row": self.row, "column": self.column,
        })
    }
}

/// A comparison: changes of tensors of both, large ones first, and the largest difference of each tensor of the first.
pub(super) struct Comparison {
    pub(super) changes: Vec<Change>,
    pub(super) largest: Vec<Option<f32>>,
}

impl Comparison {
    pub(super) fn to_json(&self) -> Value {
        json!({ "changes": self.changes.iter().map(Change::to_json).collect::<Vec<_>>() })
    }
}

/// Compares all tensors by name. Those of other shapes are not compared by weights; types may differ.
pub(super) fn compare(model: Side<'_>, other: Side<'_>) -> Result<Comparison> {
    let (mut changes, mut largest) = (Vec::new(), Vec::new());
    for (index, tile) in model.file.tensors().iter().enumerate() {
        let unknown = |state| Change {
            name: tile.name.clone(),
            state,
            n_changed: 0,
            n: tile.n_elements(),
            largest: 0.0,
            rms: 0.0,
            row: 0,
            column: 0,
        };
        let at = other.file.find(&tile.name).ok();
        let change = match at.map(|at| (at, &other.file.tensors()[at].shape)) {
            None => unknown("missing"),
            Some((_, shape)) if *shape != tile.shape => unknown("shape"),
            Some((at, _)) => changed(unknown("same"), model, index, other, at)?,
        };
        let is_compared = matches!(change.state, "same" | "changed");
        largest.push(is_compared.then_some(if change.largest > 0.0 { change.largest as f32 } else { 1.0 }));
        changes.push(change);
    }
    for tile in other.file.tensors().iter().filter(|tile| model.file.find(&tile.name).is_err()) {
        let n = tile.n_elements();
        let (name, state) = (tile.name.clone(), "added");
        changes.push(Change { name, state, n_changed: 0, n, largest: 0.0, rms: 0.0, row: 0, column: 0 });
    }
    let order =
        |change: &Change| ["missing", "added", "shape", "changed"].iter().position(|state| *state == change.state);
    order::sort_by(&mut changes, |a, b| {
        let place = |change| order(change).unwrap_or(usize::MAX);
        place(a).cmp(&place(b)).then(b.largest.total_cmp(&a.largest))
    });
    Ok(Comparison { changes, largest })
}

/// The weights of one tensor, compared.
fn changed(mut change: Change, model: Side<'_>, index: usize, other: Side<'_>, at: usize) -> Result<Change> {
    let n_cols = model.tile(index)?.n_cols().max(1);
    let (mut squares, mut failure) = (0.0, None);
    model.each(index, |start, weights| {
        let theirs = other.weights(at, start..start + weights.len() as u64).unwrap_or_else(|error| {
            failure = Some(error);
            Vec::new()
        });
        for (i, (&a, &b)) in (start..).zip(weights.iter().zip(&theirs)) {
            // Bits, so that NaN is the same as itself, and zero is not the same as its negative.
            if a.to_bits() == b.to_bits() {
                continue;
            }
            change.n_changed += 1;
            let difference = (f64::from(a) - f64::from(b)).abs();
            let size = if difference.is_nan() { f64::INFINITY } else { difference };
            squares += if size.is_finite() { size * size } else { 0.0 };
            if size > change.largest {
                (change.largest, change.row, change.column) = (size.min(f64::MAX), i / n_cols, i % n_cols);
            }
        }
    })?;
    if let Some(failure) = failure {
        return Err(failure);
    }
    change.rms = (squares / change.n.max(1) as f64).sqrt();
    change.state = if change.n_changed > 0 { "changed" } else { "same" };
    Ok(change)
}

/// How numbers are spread.
#[derive(Clone, Debug)]
pub(super) struct Spread {
    pub(super) counts: Vec<u64>,
    low: f64,
    high: f64,
    n: u64,
    sum: f64,
    squares: f64,
    n_zeros: u64,
    n_not_finite: u64,
    zeros: Zeros,
}

/// Whether zeros are in a bin. Most differences may be zero, and would hide the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Zeros {
    Binned,
    CountedApart,
}

impl Spread {
    /// Of nothing yet, into `n_bins` bins.
    pub(super) fn new(n_bins: usize, zeros: Zeros) -> Spread {
        let (low, high) = (f64::INFINITY, f64::NEG_INFINITY);
        Spread { counts: vec![0; n_bins], low, high, n: 0, sum: 0.0, squares: 0.0, n_zeros: 0, n_not_finite: 0, zeros }
    }

    /// The first look: bounds and moments.
    pub(super) fn measure(&mut self, numbers: &[f32]) {
        for &number in numbers {
            self.n += 1;
            if !number.is_finite() {
                self.n_not_finite += 1;
                continue;
            }
            let number = f64::from(number);
            self.n_zeros += u64::from(number == 0.0);
            (self.low, self.high) = (self.low.min(number), self.high.max(number));
            self.sum += number;
            self.squares += number * number;
        }
    }

    /// The second look: bins between the bounds.
    pub(super) fn count(&mut self, numbers: &[f32]) {
        let last = self.counts.len().saturating_sub(1);
        let per_unit = if self.high > self.low { self.counts.len() as f64 / (self.high - self.low) } else { 0.0 };
        let is_binned = |number: &&f32| number.is_finite() && (**number != 0.0 || self.zeros == Zeros::Binned);
        for &number in numbers.iter().filter(is_binned) {
            let bin = ((f64::from(number) - self.low) * per_unit) as usize;
            if let Some(count) = self.counts.get_mut(bin.min(last)) {
                *count += 1;
            }
        }
    }

    pub(super) fn to_json(&self) -> Value {
        let n = (self.n - self.n_not_finite).max(1) as f64;
        let mean = self.sum / n;
        let deviation = (self.squares / n - mean * mean).max(0.0).sqrt();
        let (low, high) = if self.low <= self.high { (self.low, self.high) } else { (0.0, 0.0) };
        json!({
            "low": low, "high": high, "counts": self.counts, "count": self.n, "mean": mean, "deviation": deviation,
            "zeros": self.n_zeros, "notFinite": self.n_not_finite,
        })
    }
}
