//! How the numbers of a tensor are spread.

use tilework::{Error, Result};

use super::file::PixelFile;
use super::heat::each_row;

/// Counts of numbers in bins of equal width, and what else describes them. What is not finite is counted apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    /// Finite numbers.
    pub n: u64,
    /// Numbers that are exactly zero.
    pub n_zero: u64,
    /// Infinities and what is no number.
    pub n_not_finite: u64,
    /// The smallest.
    pub min: f32,
    /// The largest.
    pub max: f32,
    /// Their mean.
    pub mean: f64,
    /// Standard deviation.
    pub deviation: f64,
    /// Counts of equal parts of the range from `min` to `max`.
    pub bins: Vec<u64>,
}

/// Bins of the first pass: sign, exponent and the upper bits of the fraction of a float.
const N_FINE: usize = 1 << 16;

/// The histogram of a tensor by its place, in one pass over its bytes.
///
/// Numbers are counted by the upper half of their 32 bits first, which is finer than any bin a person looks at, except close to the
/// ends of bins that are not powers of two: there a number may be counted in the neighbor.
pub fn histogram(file: &PixelFile, index: usize, n_bins: usize) -> Result<Histogram> {
    if n_bins == 0 || n_bins > 1 << 16 {
        return Err(Error::argument("pixels", format!("{n_bins} bins; 1 to 65536 are possible")));
    }
    let mut counter = Counter::new();
    each_row(file, index, &mut |_, values| {
        counter.add(values);
        Ok(())
    })?;
    Ok(counter.finish(n_bins))
}

/// Counts numbers as they come.
pub(super) struct Counter {
    fine: Vec<u64>,
    n: u64,
    n_zero: u64,
    n_not_finite: u64,
    min: f32,
    max: f32,
    sum: f64,
    squares: f64,
}

impl Counter {
    pub(super) fn new() -> Counter {
        let (min, max) = (f32::INFINITY, f32::NEG_INFINITY);
        Counter { fine: vec![0; N_FINE], n: 0, n_zero: 0, n_not_finite: 0, min, max, sum: 0.0, squares: 0.0 }
    }

    pub(super) fn add(&mut self, values: &[f32]) {
        let (mut sum, mut squares) = (0.0, 0.0);
        for &value in values {
            if !value.is_finite() {
                self.n_not_finite += 1;
                continue;
            }
            self.fine[(value.to_bits() >> 16) as usize] += 1;
            self.n_zero += u64::from(value == 0.0);
            self.n += 1;
            self.min = self.min.min(value);
            self.max = self.max.max(value);
            sum += f64::from(value);
            squares += f64::from(value) * f64::from(value);
        }
        self.sum += sum;
        self.squares += squares;
    }

    pub(super) fn finish(self, n_bins: usize) -> Histogram {
        let n = self.n.max(1) as f64;
        let mean = self.sum / n;
        let deviation = (self.squares / n - mean * mean).max(0.0).sqrt();
        let (min, max) = if self.n == 0 { (0.0, 0.0) } else { (self.min, self.max) };
        let mut bins = vec![0; n_bins];
        let range = f64::from(max) - f64::from(min);
        for (upper, &count) in self.fine.iter().enumerate().filter(|(_, count)| **count > 0) {
            // The middle of the numbers with these upper bits; plain numbers of few bits have a lower half of zeros.
            let value = f64::from(f32::from_bits((upper as u32) << 16));
            let at = if range > 0.0 { (value - f64::from(min)) / range * n_bins as f64 } else { 0.0 };
            bins[(at.max(0.0) as usize).min(n_bins - 1)] += count;
        }
        let Counter { n, n_zero, n_not_finite, .. } = self;
        Histogram { n, n_zero, n_not_finite, min, max, mean, deviation, bins }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_counted_in_their_bins() {
        let mut counter = Counter::new();
        counter.add(&[-1.0, -0.75, 0.0, 0.25, 1.0, f32::NAN, f32::INFINITY]);
        let found = counter.finish(4);
        assert_eq!((found.n, found.n_zero, found.n_not_finite), (5, 1, 2));
        assert_eq!((found.min, found.max, found.mean), (-1.0, 1.0, -0.1));
        assert_eq!(found.bins, [2, 0, 2, 1]);
        let empty = Counter::new().finish(3);
        assert_eq!((empty.n, empty.bins), (0, vec![0; 3]));
        let mut same = Counter::new();
        same.add(&[2.5; 10]);
        assert_eq!(same.finish(2).bins, [10, 0]);
    }
}
