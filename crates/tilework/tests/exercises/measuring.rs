//! Statistics and calculus of samples.

use crate::Exercise;
use crate::expect::{floats, ints, is, near, now};
use tilework::{
    Bins, Closeness, ConvolveMode, CovOptions, GradientOptions, HistogramOptions, InterpOptions, KeepAxes,
    QuantileOptions, SampleSpacing, Side,
};

const NAN: f32 = f32::NAN;

pub(crate) const EXERCISES: &[Exercise] = &[
    (35, "Columns moved and scaled to mean 0 and deviation 1.", |d| {
        let x = floats(d, [1.0, 10.0, 3.0, 30.0]).reshape([2, 2]);
        is(&((&x - x.mean([0])) / x.std([0])), [2, 2], [-1, -1, 1, 1]);
    }),
    (36, "One rich person: the mean income moves, the median does not.", |d| {
        let incomes = floats(d, [20.0, 30.0, 40.0, 50.0, 860.0]);
        is(&incomes.mean([]), [], [200]);
        is(&incomes.median([]), [], [40]);
    }),
    (37, "The quartiles of the numbers from 1 to 9.", |d| {
        let quarters = floats(d, [25.0, 50.0, 75.0]);
        is(&(d.arange(9) + 1).percentile(&quarters, [], &QuantileOptions::default()), [3], [3, 5, 7]);
    }),
    (38, "A grade in which the final examination counts three times.", |d| {
        let grades = floats(d, [2.0, 3.0, 1.0]);
        is(&grades.average(Some(&floats(d, [1.0, 1.0, 3.0])), [], KeepAxes::No), [], [1.6f32]);
    }),
    (39, "Monthly means of measurements with gaps.", |d| {
        let x = floats(d, [1.0, NAN, 3.0, 4.0, 6.0, NAN]).reshape([2, 3]);
        is(&x.nanmean([1], KeepAxes::No), [2], [2, 5]);
    }),
    (40, "Gaps filled along the line between their neighbors.", |d| {
        let x = floats(d, [1.0, NAN, 3.0, NAN, NAN, 6.0]);
        let (at, known) = (d.arange(6).to_f32(), x.is_finite());
        let (xp, fp) = (now(at.get_later(&known)), now(x.get_later(&known)));
        near(&at.interp(&xp, &fp, &InterpOptions::default()), [6], [1, 2, 3, 4, 5, 6], 1e-6);
    }),
    (41, "The mean of each three neighbors.", |d| {
        let x = floats(d, [3.0, 6.0, 9.0, 0.0, 3.0]);
        near(&x.convolve(&d.full(3, 1.0 / 3.0), ConvolveMode::Valid), [3], [6, 5, 4], 1e-6);
    }),
    (42, "The largest loss from a peak of a price.", |d| {
        let price = floats(d, [10.0, 14.0, 9.0, 12.0, 16.0, 13.0]);
        is(&(price.cummax(0) - &price).max([]), [], [5]);
    }),
    (43, "How many rolls of a die were low, middle and high.", |d| {
        let rolls = floats(d, [1.0, 6.0, 3.0, 2.0, 5.0, 6.0, 2.0]);
        let histogram = rolls.histogram_of(&Bins::Edges(floats(d, [1.0, 3.0, 5.0, 7.0])), &HistogramOptions::default());
        is(&histogram.counts, [3], [3, 1, 3]);
    }),
    (44, "Ages in groups: below 18, below 65, and above.", |d| {
        is(&ints(d, [3, 18, 64, 65, 90]).digitize(&ints(d, [18, 65]), Side::Left), [5], [0, 1, 1, 2, 2]);
    }),
    (45, "How often each letter from i to s occurs in a river's name.", |d| {
        let letters = d.array(b"mississippi".map(i32::from).to_vec(), 11) - i32::from(b'i');
        is(&letters.bincount(11), [11], [4, 0, 0, 0, 1, 0, 0, 2, 0, 0, 4]);
    }),
    (46, "The correlation of a row with itself turned upside down.", |d| {
        let x = floats(d, [1.0, 2.0, 4.0]);
        let matrix = d.stack(&[&x, &-&x], 0).corrcoef(&CovOptions::default());
        near(&matrix, [2, 2], [1, -1, -1, 1], 1e-6);
    }),
    (47, "The mean of every group, by the groups' numbers.", |d| {
        let (groups, values) = (ints(d, [0, 1, 0, 1, 1]), floats(d, [1.0, 10.0, 3.0, 20.0, 30.0]));
        is(&(groups.bincount_weighted(&values, 2) / groups.bincount(2)), [2], [2, 20]);
    }),
    (48, "The area under a parabola, by trapezoids.", |d| {
        let x = d.linspace(0.0, 1.0, 5);
        is(&x.square().trapezoid_at(&x, 0), [], [0.34375]);
    }),
    (49, "The speed at every moment, from positions every two seconds.", |d| {
        let options = GradientOptions { spacing: vec![SampleSpacing::Even(2.0)], ..GradientOptions::default() };
        let speed = floats(d, [0.0, 4.0, 16.0, 36.0]).gradient(&options).unwrap();
        is(&speed[0], [4], [2, 4, 8, 10]);
    }),
    (50, "Distances between all pairs of points.", |d| {
        let p = floats(d, [0.0, 0.0, 3.0, 4.0, 6.0, 8.0]).reshape([3, 2]);
        let distances = (p.expand_dims(1) - p.expand_dims(0)).square().sum([-1]).sqrt();
        is(&distances, [3, 3], [0, 5, 10, 5, 0, 5, 10, 5, 0]);
    }),
    (51, "What 100 become after each of three years, at 10, 20 and 50 percent.", |d| {
        let rates = floats(d, [0.1, 0.2, 0.5]);
        near(&((&rates + 1.0).cumprod(0) * 100.0), [3], [110, 132, 198], 1e-4);
    }),
    (52, "A tenth and two tenths are not three tenths, but close.", |d| {
        let sum = d.array(vec![0.1f64], 1) + d.array(vec![0.2f64], 1);
        let want = d.array(vec![0.3f64], 1);
        is(&sum.eq(&want), [1], [0]);
        is(&sum.allclose(&want, &Closeness::default()), [], [1]);
    }),
];
