//! Scans, sorts, searches, counts and results whose size depends on the data, as a user meets them.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]

mod common;

use common::{assert_close, devices, gpu};
use pollster::block_on;
use tilework::{Array, Combine, DType, Direction, ErrorKind, Order, Reach, Side};

fn read(array: &Array) -> Vec<f32> {
    block_on(array.to_vec::<f32>()).unwrap()
}

fn integers(array: &Array) -> Vec<i32> {
    block_on(array.to_vec::<i32>()).unwrap()
}

fn kind(array: &Array) -> ErrorKind {
    array.check().unwrap_err().kind()
}

#[test]
fn running_results() {
    for d in devices() {
        let x = d.array(vec![3.0f32, -1.0, 4.0, 1.0, -5.0, 9.0], [2, 3]);
        assert_eq!(read(&x.cumsum(1)), [3.0, 2.0, 6.0, 1.0, -4.0, 5.0]);
        assert_eq!(read(&x.cumprod(-1)), [3.0, -3.0, -12.0, 1.0, -5.0, -45.0]);
        assert_eq!(read(&x.cummax(0)), [3.0, -1.0, 4.0, 3.0, -1.0, 9.0]);
        assert_eq!(read(&x.cummin(1)), [3.0, -1.0, -1.0, 1.0, -5.0, -5.0]);
        let after = x.scan(Combine::Sum, 1, Reach::Exclusive, Direction::Backward);
        assert_eq!(read(&after), [3.0, 4.0, 0.0, 4.0, 9.0, 0.0]);
        assert_eq!(integers(&x.gt(0.0).cumsum(1)), [1, 1, 2, 1, 1, 2]);
        assert_eq!(x.slice(1, ..0).cumsum(1).shape(), [2, 0]);
        assert_eq!(kind(&x.cumsum(2)), ErrorKind::Shape);
        assert_eq!(kind(&x.scan(Combine::Any, 1, Reach::Inclusive, Direction::Forward)), ErrorKind::Argument);
    }
}

#[test]
fn long_sums_are_as_good_as_their_rounding() {
    for d in devices() {
        let n = 300_000;
        let sums = read(&d.full_of([n], 0.1, DType::F32).cumsum(0));
        let step = f64::from(0.1f32);
        for (i, &sum) in sums.iter().enumerate() {
            let want = step * (i + 1) as f64;
            assert!((f64::from(sum) - want).abs() < 2e-6 * want, "element {i}: {sum} for {want}");
        }
    }
}

#[test]
fn sorting_is_stable_and_puts_nan_last() {
    for d in devices() {
        let x = d.array(vec![0.0f32, f32::NAN, -0.0, 2.0, f32::NEG_INFINITY, 0.0, -0.0, f32::INFINITY], [8]);
        let signs = |x: &Array| read(x).iter().map(|x| (*x == 0.0).then(|| x.is_sign_negative())).collect::<Vec<_>>();
        for (order, want) in
            [(Order::Ascending, [4, 0, 2, 5, 6, 3, 7, 1]), (Order::Descending, [7, 3, 0, 2, 5, 6, 4, 1])]
        {
            assert_eq!(integers(&x.argsort_in(0, order)), want);
            let sorted = x.sort_in(0, order);
            assert!(read(&sorted)[7].is_nan());
            // The zeros are still + − + −.
            let zeros: Vec<bool> = signs(&sorted).into_iter().flatten().collect();
            assert_eq!(zeros, [false, true, false, true]);
        }
        assert_eq!(x.slice(0, ..0).sort(0).shape(), [0]);
        assert_eq!(kind(&x.sort(1)), ErrorKind::Shape);
        let truth = d.array(vec![true, false, true, false], [4]);
        assert_eq!(integers(&truth.argsort(0)), [1, 3, 0, 2]);
    }
}

#[test]
fn long_rows_are_sorted_like_short_ones() {
    let n = 200_000usize;
    let value = |i: usize| ((i * 7919) % 65_537) as f32 - 30_000.0;
    let mut want: Vec<f32> = (0..n).map(value).collect();
    want.sort_by(f32::total_cmp);
    for d in devices() {
        let x = d.array((0..n).map(value).collect::<Vec<f32>>(), [n]);
        assert_eq!(read(&x.sort(0)), want);
        let order = integers(&x.argsort(0));
        assert!(order.windows(2).all(|pair| {
            let (a, b) = (value(pair[0] as usize), value(pair[1] as usize));
            a < b || (a == b && pair[0] < pair[1])
        }));
        // One value far out leaves almost all others in one part.
        let skewed = d.array((0..n).map(|i| if i == 7 { 1e30 } else { value(i) }).collect::<Vec<f32>>(), [n]);
        let sorted = read(&skewed.sort(0));
        assert!(sorted.is_sorted() && sorted[n - 1] == 1e30);
    }
}

#[test]
fn largest_elements() {
    for d in devices() {
        let x = d.array(vec![1.0f32, f32::NAN, 5.0, 5.0, -2.0], [5]);
        assert_eq!(read(&x.top_k(3, 0)), [5.0, 5.0, 1.0]);
        assert_eq!(integers(&x.top_k_indices(3, 0)), [2, 3, 0]);
        assert_eq!(integers(&x.top_k_indices(5, 0)), [2, 3, 0, 4, 1]);
        assert!(read(&x.top_k(0, 0)).is_empty());
        assert_eq!(kind(&x.top_k(6, 0)), ErrorKind::Shape);
    }
}

#[test]
fn searches_and_counts() {
    for d in devices() {
        let sorted = d.array(vec![1.0f32, 2.0, 2.0, 3.0, f32::NAN], [5]);
        let queries = d.array(vec![2.0f32, 0.0, 9.0, f32::NAN], [2, 2]);
        assert_eq!(integers(&sorted.searchsorted(&queries, Side::Left)), [1, 0, 4, 4]);
        assert_eq!(integers(&sorted.searchsorted(&queries, Side::Right)), [3, 0, 4, 5]);
        assert_eq!(kind(&queries.searchsorted(&sorted, Side::Left)), ErrorKind::Shape);
        let counts = d.array(vec![1i32, -1, 1, 4, 0, 1], [6]).bincount(3);
        assert_eq!(integers(&counts), [1, 3, 0]);
        assert_eq!(kind(&sorted.bincount(3)), ErrorKind::DType);
        // The lower edge is in a bin, the upper one only in the last; NaN and what is out of range are in none.
        let x = d.array(vec![0.0f32, 0.25, 0.5, 1.0, 1.0001, -0.1, f32::NAN, f32::INFINITY, 0.9], [9]);
        assert_eq!(integers(&x.histogram(2, 0.0, 1.0)), [2, 3]);
        assert_eq!(integers(&x.histogram(4, 0.0, 1.0)), [1, 1, 1, 2]);
        assert_eq!(integers(&d.arange(10).histogram(3, 0.0, 9.0)), [3, 3, 4]);
        for (n_bins, low, high) in [(0, 0.0, 1.0), (2, 1.0, 1.0), (2, f64::NAN, 1.0), (2, 0.0, f64::INFINITY)] {
            assert_eq!(kind(&x.histogram(n_bins, low, high)), ErrorKind::Argument);
        }
    }
}

#[test]
fn sizes_that_depend_on_the_data() {
    for d in devices() {
        let x = d.array(vec![0.0f32, 2.0, f32::NAN, 0.0, -1.0, 5.0], [2, 3]);
        let positions = block_on(x.nonzero()).unwrap();
        assert_eq!(integers(&positions[0]), [0, 0, 1, 1]);
        assert_eq!(integers(&positions[1]), [1, 2, 1, 2]);
        assert_eq!(read(&block_on(x.masked(&x.gt(0.0))).unwrap()), [2.0, 5.0]);
        let columns = block_on(x.compress(&d.array(vec![true, false, true], [3]), 1)).unwrap();
        assert_eq!(columns.shape(), [2, 2]);
        assert_eq!(read(&columns)[2..], [0.0, 5.0]);
        let none = block_on(x.masked(&x.gt(9.0))).unwrap();
        assert_eq!((none.shape(), read(&none)), (&[0usize][..], vec![]));
        assert_eq!(block_on(x.compress(&d.array(vec![true], [1]), 1)).unwrap_err().kind(), ErrorKind::Shape);
        assert_eq!(block_on(x.masked(&x.slice(0, ..1))).unwrap_err().kind(), ErrorKind::Shape);
        assert_eq!(block_on(d.scalar(1.0).nonzero()).unwrap_err().kind(), ErrorKind::Shape);
        assert_eq!(block_on(x.slice(0, ..0).nonzero()).unwrap()[1].shape(), [0]);
    }
}

#[test]
fn distinct_elements() {
    for d in devices() {
        let x = d.array(vec![2.0f32, f32::NAN, -0.0, 2.0, 0.0, f32::NAN], [2, 3]);
        let unique = block_on(x.unique()).unwrap();
        let values = read(&unique.values);
        assert_eq!(values[..2], [0.0, 2.0]);
        assert!(values.len() == 3 && values[2].is_nan() && values[0].is_sign_negative());
        assert_eq!(integers(&unique.counts), [2, 2, 2]);
        assert_eq!(unique.inverse.shape(), [2, 3]);
        assert_eq!(integers(&unique.inverse), [1, 2, 0, 1, 0, 2]);
        let empty = block_on(x.slice(1, ..0).unique()).unwrap();
        assert_eq!((empty.values.size(), empty.counts.size(), empty.inverse.shape()), (0, 0, &[2usize, 0][..]));
        assert!(integers(&empty.counts).is_empty());
        let many = block_on((d.arange(5000) % 37).unique()).unwrap();
        assert_eq!(integers(&many.values), (0..37).collect::<Vec<_>>());
        assert_eq!(integers(&many.counts).iter().sum::<i32>(), 5000);
    }
}

#[test]
fn products_of_rows_are_summed_without_being_stored() {
    for d in devices() {
        let n = 100_003;
        let a = d.arange(n).to_f32() % 7.0;
        let b = d.arange(n).to_f32() % 5.0 - 2.0;
        block_on(d.eval(&[&a, &b])).unwrap();
        let want: i64 = (0..n as i64).map(|i| (i % 7) * (i % 5 - 2)).sum();
        assert_close(&read(&a.dot(&b)), &[want as f32], 1e-6);
        let whole = |x: &Array| x.cast(DType::I32);
        assert_eq!(integers(&whole(&a).dot(&whole(&b))), [want as i32]);
        assert_eq!(read(&a.slice(0, ..0).dot(&b.slice(0, ..0))), [0.0]);
        // Parts and their sum: two kernels, and the product is made inside of the first.
        let kernels = d.kernels(&a.dot(&b)).unwrap();
        assert_eq!(kernels.len(), 2);
        assert!(kernels[0].contains("num_mul") && !kernels[1].contains("num_mul"));
        assert_eq!(kind(&a.dot(&b.slice(0, ..9))), ErrorKind::Shape);
        assert_eq!(kind(&a.reshape([n, 1]).dot(&b)), ErrorKind::Shape);
        assert_close(&read(&a.reshape([1, n]).dot(&b)), &[want as f32], 1e-6);
        assert_close(&read(&a.reshape([1, n]).vdot(&b)), &[want as f32], 1e-6);
        assert_eq!(kind(&a.vdot(&b.slice(0, ..9))), ErrorKind::Shape);
    }
}

#[test]
fn a_dot_product_is_two_dispatches() {
    let Some(d) = gpu() else { return };
    let a = d.array(vec![0.5f32; 50_000], [50_000]);
    let b = d.array(vec![2.0f32; 50_000], [50_000]);
    block_on(d.eval(&[&a, &b])).unwrap();
    let before = d.counters();
    let product = a.dot(&b);
    block_on(product.eval()).unwrap();
    let cost = d.counters().since(before);
    assert_eq!((cost.dispatches, cost.submits), (2, 1));
    assert_eq!(block_on(product.item()).unwrap(), 50_000.0);
}
