//! Replacing and adding by index, on the CPU and on a GPU.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]

mod common;

use common::devices;
use pollster::block_on;
use tilework::layers::ops::ops::scatter_add::ScatterAdd;
use tilework::{Array, Choice, DType, ErrorKind};

fn read(array: &Array) -> Vec<f32> {
    block_on(array.to_vec::<f32>()).unwrap()
}

#[test]
fn the_last_of_equal_indices_wins() {
    for d in devices() {
        let x = d.zeros([5]);
        let indices = d.array(vec![1, 4, 1, -2, 9], [5]);
        let rows = d.array(vec![1.0f32, 2.0, 3.0, 4.0, 5.0], [5]);
        assert_eq!(read(&x.scatter(&indices, &rows, 0)), [0.0, 3.0, 0.0, 4.0, 5.0]);
        assert_eq!(read(&x.scatter(&indices, 7.0, 0)), [0.0, 7.0, 0.0, 7.0, 7.0]);
        // Between expressions, and by rows of a matrix.
        let table = d.arange(6).to_f32().reshape([3, 2]);
        let put = (&table * 10.0).scatter(&d.array(vec![2, 0], [2]), d.array(vec![-1.0f32, -2.0], [2]), 0) + 1.0;
        assert_eq!(read(&put), [0.0, -1.0, 21.0, 31.0, 0.0, -1.0]);
        let columns = table.scatter(&d.array(vec![1], [1]), d.array(vec![5.0f32, 6.0, 7.0], [3, 1]), 1);
        assert_eq!(read(&columns), [0.0, 5.0, 2.0, 6.0, 4.0, 7.0]);
    }
}

#[test]
fn putting_along_an_axis() {
    for d in devices() {
        let x = d.arange(6).to_f32().reshape([2, 3]);
        let indices = d.array(vec![2, -3], [2, 1]);
        assert_eq!(read(&x.put_along(&indices, 9.0, 1)), [0.0, 1.0, 9.0, 9.0, 4.0, 5.0]);
        let rows = d.array(vec![1, 0, 1], [1, 3]);
        let values = d.array(vec![-1.0f32, -2.0, -3.0], [3]);
        assert_eq!(read(&x.put_along(&rows, &values, 0)), [0.0, -2.0, 2.0, -1.0, 4.0, -3.0]);
        // What a sort takes apart, this puts together.
        let y = d.array(vec![3.0f32, 1.0, 2.0, -1.0, 5.0, 0.0], [2, 3]);
        let order = y.argsort(1);
        let sorted = d.array(vec![1.0f32, 2.0, 3.0, -1.0, 0.0, 5.0], [2, 3]);
        assert_eq!(read(&d.zeros([2, 3]).put_along(&order, &sorted, 1)), read(&y));
        let wrong = x.put_along(&d.array(vec![1], [1]), 1.0, 0).check().unwrap_err();
        assert_eq!(wrong.kind(), ErrorKind::Shape);
        let not_integer = x.scatter(&d.ones([1]), 1.0, 0).check().unwrap_err();
        assert_eq!(not_integer.kind(), ErrorKind::DType);
    }
}

#[test]
fn gradients_reach_only_what_stayed() {
    for d in devices() {
        let (x, rows) = (d.ones([3]), d.array(vec![1.0f32, 2.0, 3.0], [3]));
        let indices = d.array(vec![0, 2, 0], [3]);
        let weights = d.array(vec![10.0f32, 20.0, 30.0], [3]);
        let loss = |inputs: &[Array]| (inputs[0].scatter(&indices, &inputs[1], 0) * &weights).sum([]);
        let (_, gradients) = d.value_and_grad(loss, &[&x, &rows]).unwrap();
        assert_eq!(read(&gradients[0]), [0.0, 20.0, 0.0]);
        assert_eq!(read(&gradients[1]), [0.0, 30.0, 10.0]);
    }
}

/// Sums in an order that the inputs alone decide: the same bits again, and from whichever place the rows come.
#[test]
fn sums_have_the_same_bits_every_time() {
    for d in devices() {
        let n = 3000;
        let x = (d.arange(n).to_f32() * 0.7).sin() * 1000.0;
        let indices = (d.arange(n) * 7919 % 13).cast(DType::I32);
        let sums = || {
            let node = d.apply(std::sync::Arc::new(ScatterAdd::new(0, 13)), &[&x, &indices]);
            read(&node).into_iter().map(f32::to_bits).collect::<Vec<_>>()
        };
        for variant in ["each", "sorted"] {
            d.set_choices(vec![Choice { op: "scatter_add".into(), sizes: Vec::new(), variant: variant.into() }]);
            let first = sums();
            assert!((0..3).all(|_| sums() == first), "{variant}");
        }
    }
}
