//! Convolutions and pooling, against SciPy and NumPy (testdata/convolution/make.py), and what is promised about their edges.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]

mod common;

use common::{assert_close, devices};
use pollster::block_on;
use serde_json::Value;
use tilework::{Array, ConvOptions, Device, ErrorKind, PoolWindow, Window};

fn read(array: &Array) -> Vec<f32> {
    block_on(array.flatten().to_vec::<f32>()).unwrap()
}

fn sizes(value: &Value) -> Vec<usize> {
    value.as_array().unwrap().iter().map(|n| n.as_u64().unwrap() as usize).collect()
}

fn numbers(value: &Value) -> Vec<f32> {
    value["data"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap() as f32).collect()
}

fn array(device: &Device, value: &Value) -> Array {
    device.array(numbers(value), sizes(&value["shape"]))
}

fn window(case: &Value) -> Window {
    Window { stride: sizes(&case["stride"]), padding: sizes(&case["padding"]), dilation: sizes(&case["dilation"]) }
}

fn cases() -> Value {
    serde_json::from_str(include_str!("../../../testdata/convolution/cases.json")).unwrap()
}

/// The data are multiples of 1/32 up to 2, so a sum of a hundred products is off by a few units of 1e-6 at most.
const TOLERANCE: f32 = 2e-5;

#[test]
fn convolutions_are_those_of_scipy() {
    for d in devices() {
        for case in cases()["conv"].as_array().unwrap() {
            let (x, weight) = (array(&d, &case["x"]), array(&d, &case["weight"]));
            let groups = case["groups"].as_u64().unwrap() as usize;
            let options = ConvOptions { window: window(case), groups, output_padding: sizes(&case["extra"]) };
            let convolve = |x: &Array, weight: &Array| {
                if x.ndim() == 3 { x.conv1d(weight, None, &options) } else { x.conv2d(weight, None, &options) }
            };
            assert_eq!(convolve(&x, &weight).shape(), sizes(&case["y"]["shape"]));
            assert_close(&read(&convolve(&x, &weight)), &numbers(&case["y"]), TOLERANCE);
            let adjoint = array(&d, &case["d"]);
            let loss = |inputs: &[Array]| (convolve(&inputs[0], &inputs[1]) * &adjoint).sum([]);
            let (_, gradients) = d.value_and_grad(loss, &[&x, &weight]).unwrap();
            assert_close(&read(&gradients[0]), &numbers(&case["d_x"]), TOLERANCE);
            assert_close(&read(&gradients[1]), &numbers(&case["d_weight"]), TOLERANCE);
            let transposed = adjoint.conv_transpose(&weight, None, &options);
            assert_eq!(transposed.shape(), x.shape());
            assert_close(&read(&transposed), &numbers(&case["d_x"]), TOLERANCE);
        }
    }
}

#[test]
fn poolings_are_those_of_numpy() {
    for d in devices() {
        for case in cases()["pool"].as_array().unwrap() {
            let x = array(&d, &case["x"]);
            let windows = PoolWindow { kernel: sizes(&case["kernel"]), window: window(case) };
            assert_close(&read(&x.max_pool(&windows)), &numbers(&case["max"]), 0.0);
            assert_close(&read(&x.mean_pool(&windows)), &numbers(&case["mean"]), 1e-6);
            assert_close(&read(&x.mean_pool_with_padding(&windows)), &numbers(&case["mean_with_padding"]), 1e-6);
        }
    }
}

#[test]
fn a_bias_and_an_activation_are_part_of_the_kernel() {
    let d = Device::cpu();
    let x = d.array((0..64).map(|i| i as f32 / 32.0 - 1.0).collect::<Vec<_>>(), [1, 4, 4, 4]);
    let weight = d.array((0..32).map(|i| (i % 5) as f32 - 2.0).collect::<Vec<_>>(), [8, 4, 1, 1]);
    let bias = d.array((0..8).map(|i| i as f32 - 3.5).collect::<Vec<_>>(), [8]);
    block_on(d.eval(&[&x, &weight, &bias])).unwrap();
    let y = x.conv2d(&weight, Some(&bias), &ConvOptions::default()).relu();
    assert_eq!(d.kernels(&y).unwrap().len(), 1, "one kernel");
    let plain = read(&x.conv2d(&weight, None, &ConvOptions::default()));
    let want: Vec<f32> = plain.iter().enumerate().map(|(i, y)| (y + (i / 16) as f32 - 3.5).max(0.0)).collect();
    assert_close(&read(&y), &want, 1e-6);
    let d_bias = d.grad(|b| x.conv2d(&weight, Some(b), &ConvOptions::default()).sum([]), &bias).unwrap();
    assert_close(&read(&d_bias), &[16.0; 8], 1e-6);
}

#[test]
fn second_derivatives() {
    // With one channel and one tap a convolution is w·x. Of f = Σ (w·x)³ / 6 the derivative by x is w³x² / 2, and that of its
    // sum by w is Σ 3w²x² / 2.
    for d in devices() {
        let x = d.array(vec![0.5f32, -1.0, 2.0], [1, 1, 3]);
        let w = d.array(vec![1.5f32], [1, 1, 1]);
        let loss = |x: &Array, w: &Array| {
            let y = x.conv1d(w, None, &ConvOptions::default());
            (&y * &y * &y).sum([]) * (1.0 / 6.0)
        };
        let mixed = d.grad(|w| d.grad(|x| loss(x, w), &x).unwrap().sum([]), &w).unwrap();
        let want: f32 = [0.5f32, -1.0, 2.0].iter().map(|x| 1.5 * 1.5f32.powi(2) * x * x).sum();
        assert_close(&read(&mixed), &[want], 1e-5);
        // A maximum is linear where it does not change place: the second derivative of Σ max² is 2 there and 0 elsewhere.
        let image = d.array(vec![1.0f32, 4.0, 3.0, 2.0], [1, 1, 4]);
        let windows = PoolWindow { kernel: vec![2], window: Window::default() };
        let second = d.grad(|x| d.grad(|x| x.max_pool(&windows).square().sum([]), x).unwrap().sum([]), &image).unwrap();
        assert_close(&read(&second), &[0.0, 2.0, 2.0, 0.0], 1e-6);
    }
}

#[test]
fn a_maximum_passes_its_adjoint_to_the_first_of_equals_and_to_nan() {
    for d in devices() {
        let x = d.array(vec![1.0f32, 1.0, 2.0, f32::NAN, f32::NAN, 9.0], [1, 1, 6]);
        let windows = PoolWindow { kernel: vec![2], window: Window::default() };
        let (y, gradients) = d.value_and_grad(|x| x[0].max_pool(&windows).sum([]), &[&x]).unwrap();
        assert!(read(&y)[0].is_nan());
        assert_eq!(read(&gradients[0]), [1.0, 0.0, 0.0, 1.0, 1.0, 0.0]);
    }
}

#[test]
fn what_does_not_fit_is_named() {
    let d = Device::cpu();
    let (x, w) = (d.ones([2, 4, 5, 5]), d.ones([6, 4, 3, 3]));
    let plain = ConvOptions::default();
    let with = |window: Window| ConvOptions { window, ..ConvOptions::default() };
    let fails = |y: Array, kind: ErrorKind, part: &str| {
        let error = y.check().unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.to_string().contains(part), "{error}");
    };
    fails(x.conv2d(&d.ones([6, 4, 6, 3]), None, &plain), ErrorKind::Shape, "no place in [2, 4, 5, 5]");
    let dilated = with(Window { dilation: vec![3], ..Window::default() });
    fails(x.conv2d(&w, None, &dilated), ErrorKind::Shape, "no place");
    fails(x.conv2d(&d.ones([6, 3, 3, 3]), None, &plain), ErrorKind::Shape, "channels of a group differ");
    let groups = ConvOptions { groups: 3, ..ConvOptions::default() };
    fails(x.conv2d(&w, None, &groups), ErrorKind::Shape, "groups do not divide");
    fails(x.conv2d(&w, None, &ConvOptions { groups: 0, ..ConvOptions::default() }), ErrorKind::Shape, "groups");
    fails(x.conv2d(&w, None, &with(Window { stride: vec![0], ..Window::default() })), ErrorKind::Argument, "1 or more");
    let three = with(Window { padding: vec![1, 2, 3], ..Window::default() });
    fails(x.conv2d(&w, None, &three), ErrorKind::Argument, "does not fit 2 spatial axes");
    let huge = with(Window { padding: vec![usize::MAX / 4], ..Window::default() });
    fails(x.conv2d(&w, None, &huge), ErrorKind::Argument, "too large");
    fails(x.conv2d(&d.ones([6, 4, 0, 3]), None, &plain), ErrorKind::Shape, "no taps");
    fails(x.conv2d(&w, Some(&d.ones([5])), &plain), ErrorKind::Shape, "bias");
    fails(x.conv1d(&w, None, &plain), ErrorKind::Shape, "spatial axes");
    let extra = ConvOptions { output_padding: vec![1], ..ConvOptions::default() };
    fails(x.conv_transpose(&d.ones([4, 2, 3, 3]), None, &extra), ErrorKind::Argument, "output_padding");
    let cropped = with(Window { padding: vec![9], ..Window::default() });
    fails(x.conv_transpose(&d.ones([4, 2, 3, 3]), None, &cropped), ErrorKind::Shape, "nothing left");
    let windows = |kernel: Vec<usize>| PoolWindow { kernel, window: Window::default() };
    fails(x.max_pool(&windows(vec![6])), ErrorKind::Shape, "no place");
    fails(x.max_pool(&windows(vec![2, 2, 2])), ErrorKind::Argument, "does not fit 2 spatial axes");
    fails(d.ones([4]).mean_pool(&windows(vec![2])), ErrorKind::Shape, "spatial");
}
