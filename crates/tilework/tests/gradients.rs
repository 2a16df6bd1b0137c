//! Gradients of array functions.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]

mod common;

use common::{assert_close, devices};
use pollster::block_on;
use tilework::{Array, Device, ErrorKind};

fn read(array: &Array) -> Vec<f32> {
    block_on(array.to_vec::<f32>()).unwrap()
}

#[test]
fn known_derivatives() {
    for d in devices() {
        let x = d.array(vec![0.5f32, -1.0, 2.0], [3]);
        assert_close(&read(&d.grad(|x| (x * x).sum([]), &x).unwrap()), &[1.0, -2.0, 4.0], 1e-6);
        let want: Vec<f32> = [0.5f32, -1.0, 2.0].iter().map(|x| x.cos() * x.sin().exp()).collect();
        assert_close(&read(&d.grad(|x| x.sin().exp().sum([]), &x).unwrap()), &want, 1e-5);
        // Broadcasting sums, views scatter back, a constant has no slope.
        let rows = d.grad(|x| (x.reshape([3, 1]) * &d.ones([3, 4])).sum([]), &x).unwrap();
        assert_eq!(read(&rows), [4.0; 3]);
        let sliced = d.grad(|x| x.slice(0, tilework::Range::ALL.step(-2)).index(0, 0) * 3.0, &x).unwrap();
        assert_eq!(read(&sliced), [0.0, 0.0, 3.0]);
        assert_eq!(read(&d.grad(|_| d.scalar(1.0), &x).unwrap()), [0.0; 3]);
        let masked = d.grad(|x| x.gt(0.0).select(x.log(), x * 5.0).sum([]), &x).unwrap();
        assert_close(&read(&masked), &[2.0, 5.0, 0.5], 1e-6);
    }
}

#[test]
fn second_derivatives() {
    for d in devices() {
        let x = d.array(vec![0.7f32], [1]);
        let second = d.grad(|x| d.grad(|x| x.tanh().sum([]), x).unwrap().sum([]), &x).unwrap();
        let t = 0.7f32.tanh();
        assert_close(&read(&second), &[-2.0 * t * (1.0 - t * t)], 1e-5);
    }
}

#[test]
fn a_small_network_learns() {
    for d in devices() {
        // Least squares of y = 2a − 3b + 1 by gradient descent, every step on the device.
        let x = d.array((0..40).map(|i| ((i * 37) % 19) as f32 / 9.0 - 1.0).collect::<Vec<_>>(), [20, 2]);
        let target = x.matmul(&d.array(vec![2.0f32, -3.0], [2, 1])) + 1.0;
        block_on(target.eval()).unwrap();
        let (mut w, mut b) = (d.zeros([2, 1]), d.zeros([1]));
        let mut loss = f64::INFINITY;
        for _ in 0..200 {
            let (value, grads) =
                d.value_and_grad(|p| (x.matmul(&p[0]) + &p[1] - &target).square().mean([]), &[&w, &b]).unwrap();
            (w, b) = (&w - &grads[0] * 0.4, &b - &grads[1] * 0.4);
            block_on(d.eval(&[&value, &w, &b])).unwrap();
            loss = block_on(value.item()).unwrap();
        }
        assert!(loss < 1e-6, "loss {loss}");
        assert_close(&read(&w.flatten()), &[2.0, -3.0], 1e-2);
    }
}

#[test]
fn an_intermediate_result_may_be_read_inside() {
    let d = Device::cpu();
    let x = d.array(vec![3.0f32], [1]);
    let slope = d.grad(
        |x| {
            let square = x * x;
            assert_eq!(block_on(square.item()).unwrap(), 9.0);
            (&square * &square).sum([])
        },
        &x,
    );
    assert_eq!(read(&slope.unwrap()), [108.0]);
}

#[test]
fn what_cannot_be_differentiated_says_so() {
    let d = Device::cpu();
    let x = d.ones([3]);
    assert_eq!(d.grad(|x| x * 2.0, &x).unwrap_err().kind(), ErrorKind::Shape);
    assert_eq!(d.grad(|x| x.sum([]), &d.arange(3)).unwrap_err().kind(), ErrorKind::DType);
    assert_eq!(d.grad(|x| (x + &d.ones([4])).sum([]), &x).unwrap_err().op(), "add");
}
