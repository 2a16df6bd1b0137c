//! Functions of functions: Jacobians, Hessians, products with them, and functions of slices.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]

mod common;

use common::devices;
use common::linear::{assert_near, assert_same, noise, read};
use pollster::block_on;
use tilework::{Array, DType, Device, ErrorKind, linalg};

/// What `f` gives for each slice by itself, side by side.
fn one_by_one(d: &Device, f: impl Fn(&Array) -> Array, x: &Array, axis: isize, n: usize) -> Array {
    let results: Vec<Array> = (0..n as isize).map(|at| f(&x.index(axis, at))).collect();
    d.stack(&results.iter().collect::<Vec<_>>(), 0)
}

type Function = fn(&Array) -> Array;

#[test]
fn slices_at_once_are_slices_one_by_one() {
    let functions: [(&str, Function); 20] = [
        ("itself", |x| x.clone()),
        ("elementwise", |x| (x * 2.0).sin() + x.index(0, 1)),
        ("broadcast", |x| x.expand_dims(0) * x.sum([0]).expand_dims(-1).expand_dims(-1)),
        ("views", |x| x.t().flip([0]).slice(1, 1..).reshape([2, 4])),
        ("expand", |x| x.index(0, 0).broadcast_to([5, 4])),
        ("constant", |x| x.device().ones([2])),
        ("sum", |x| x.sum([])),
        ("sum of an axis", |x| x.sum_keep([1])),
        ("mean and variance", |x| x.mean([0]) + x.var([0])),
        ("product", |x| x.matmul(&x.t())),
        ("product with weights", |x| x.matmul(&x.device().arange(8).to_f32().reshape([4, 2]))),
        ("product of vectors", |x| x.index(0, 0).matmul(&x.t())),
        ("softmax", |x| x.softmax(-1)),
        ("cumsum", |x| x.cumsum(0)),
        ("sort", |x| x.sort(1) + x.argsort(1).to_f32()),
        ("argmax", |x| x.argmax(1)),
        ("flat argmax", |x| x.argmax_flat()),
        ("take", |x| x.take(&x.device().array(vec![2, 0], [2]), 0)),
        ("take by itself", |x| x.device().linspace(0.0, 1.0, 4).take(&x.argmax(1), 0)),
        ("concat", |x| x.device().concat(&[x, &x.device().ones([1, 4])], 0)),
    ];
    for d in devices() {
        for (name, f) in functions {
            for axis in [0, 1, -1] {
                let mut shape = vec![3, 4];
                shape.insert(if axis < 0 { 2 } else { axis as usize }, 5);
                let x = noise(&d, &shape, DType::F32);
                let got = d.vmap(|slices| f(&slices[0]), &[&x], axis).unwrap_or_else(|error| panic!("{name}: {error}"));
                assert_eq!(got.shape()[0], 5, "{name}");
                assert_same(&got, &one_by_one(&d, f, &x, axis, 5), 1e-5);
            }
        }
    }
}

#[test]
fn linear_algebra_of_slices() {
    let d = Device::cpu();
    let a = noise(&d, &[4, 3, 3], DType::F64);
    let b = noise(&d, &[4, 3], DType::F64);
    let got = d.vmap(|s| linalg::solve(&s[0], &s[1]), &[&a, &b], 0).unwrap();
    assert_same(&got, &linalg::solve(&a, &b.expand_dims(-1)).squeeze([-1]), 1e-12);
    assert_same(&d.vmap(|s| linalg::det(&s[0]), &[&a], 0).unwrap(), &linalg::det(&a), 1e-12);
    let nothing = d.zeros([0, 3]);
    assert_eq!(d.vmap(|s| s[0].argmax_flat(), &[&nothing], 0).unwrap().shape(), [0]);
    // A gradient of a slice's function is a function of a slice.
    let slopes = d.vmap(|s| d.grad(|x| (x * x * x).sum([]), &s[0]).unwrap(), &[&b], 0).unwrap();
    assert_same(&slopes, &(b.square() * 3.0), 1e-12);
    // And functions of slices have gradients.
    let slope = d.grad(|x| d.vmap(|s| s[0].square().sum([]), &[x], 0).unwrap().sum([]), &b).unwrap();
    assert_same(&slope, &(&b * 2.0), 1e-12);
}

#[test]
fn mistakes_in_functions_of_slices() {
    let d = Device::cpu();
    let x = d.ones([3, 2]);
    let kind = |result: tilework::Result<Array>| result.unwrap_err().kind();
    assert_eq!(kind(d.vmap(|s| s[0].clone(), &[], 0)), ErrorKind::Argument);
    assert_eq!(kind(d.vmap(|s| s[0].clone(), &[&x], 2)), ErrorKind::Shape);
    assert_eq!(kind(d.vmap(|s| &s[0] + &s[1], &[&x, &d.ones([4, 2])], 0)), ErrorKind::Shape);
    assert_eq!(kind(d.vmap(|s| s[0].reshape([7]), &[&x], 0)), ErrorKind::Shape);
    // A stand-in has no numbers.
    let mut error = None;
    _ = d.vmap(
        |s| {
            error = block_on(s[0].to_vec::<f32>()).err();
            s[0].clone()
        },
        &[&x],
        0,
    );
    assert_eq!(error.map(|error| error.kind()), Some(ErrorKind::Argument));
}

#[test]
fn jacobians_and_hessians() {
    for d in devices() {
        let x = d.array(vec![0.5f32, -1.0, 2.0], [3]);
        let jacobian = d.jacobian(|x| d.stack(&[&(x * x).sum([]), &x.prod([])], 0), &x).unwrap();
        assert_eq!(jacobian.shape(), [2, 3]);
        assert_near(&read(&jacobian), &[1.0, -2.0, 4.0, -2.0, 1.0, -0.5], 1e-6);
        let hessian = d.hessian(|x| (x * x * x).sum([]) + x.prod([]), &x).unwrap();
        assert_near(&read(&hessian), &[3.0, 2.0, -1.0, 2.0, -6.0, 0.5, -1.0, 0.5, 12.0], 1e-5);
        let v = d.array(vec![1.0f32, 0.0, -1.0], [3]);
        let product = d.hvp(|x| (x * x * x).sum([]) + x.prod([]), &x, &v).unwrap();
        assert_near(&read(&product), &[4.0, 1.5, -13.0], 1e-5);
        let (value, forward) = d.jvp(|x| x.square().cumsum(0), &x, &v).unwrap();
        assert_near(&read(&value), &[0.25, 1.25, 5.25], 1e-6);
        assert_near(&read(&forward), &[1.0, 1.0, -3.0], 1e-5);
        let u = d.array(vec![1.0f32, 10.0, 100.0], [3]);
        let (_, back) = d.vjp(|x| x.square().cumsum(0), &x, &u).unwrap();
        assert_near(&read(&back), &[111.0, -220.0, 400.0], 1e-3);
    }
}

#[test]
fn products_with_jacobians_agree() {
    let d = Device::cpu();
    let a = noise(&d, &[4, 3], DType::F64);
    let functions: [Function; 5] = [
        |x| x.softmax(0).matmul(&x.t()),
        |x| x.cumsum(0).tanh().slice(1, 1..),
        |x| linalg::inv(&(x.t().matmul(x) + x.device().eye(3).cast(DType::F64))),
        |x| x.sort(0).max([1]),
        |x| x.std([0]),
    ];
    for f in functions {
        let jacobian = d.jacobian(f, &a).unwrap();
        let y = f(&a);
        assert_eq!(jacobian.shape(), [y.shape(), a.shape()].concat());
        let (n, m) = (y.size(), a.size());
        let matrix = jacobian.reshape([n, m]);
        let v = noise(&d, &[4, 3], DType::F64).flip([0, 1]);
        let u = noise(&d, y.shape(), DType::F64).flip([0]);
        let (value, forward) = d.jvp(f, &a, &v).unwrap();
        assert_same(&value, &y, 1e-12);
        assert_same(&forward.flatten(), &matrix.matmul(&v.flatten()), 1e-10);
        let (_, back) = d.vjp(f, &a, &u).unwrap();
        assert_same(&back.flatten(), &u.flatten().matmul(&matrix), 1e-10);
    }
    let hessian = d.hessian(|x| (x.tanh() * x).sum([]).square(), &a).unwrap().reshape([12, 12]);
    assert_same(&hessian, &hessian.t(), 1e-12);
    let v = noise(&d, &[4, 3], DType::F64);
    let product = d.hvp(|x| (x.tanh() * x).sum([]).square(), &a, &v).unwrap();
    assert_same(&product.flatten(), &hessian.matmul(&v.flatten()), 1e-10);
    assert_eq!(d.jvp(|x| x.clone(), &a, &d.ones([2])).unwrap_err().kind(), ErrorKind::Shape);
    assert_eq!(d.jacobian(|x| x.argmax(0), &a).unwrap_err().kind(), ErrorKind::DType);
    assert_eq!(d.jacobian(|x| x.slice(0, ..0), &a).unwrap().shape(), [0, 3, 4, 3]);
}
