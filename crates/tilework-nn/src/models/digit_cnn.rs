//! Two convolutions, each followed by a ReLU and a pooling, and a dense layer: 28×28 → 16·14×14 → 32·7×7 → 10.

use tilework::{Array, ConvOptions, PoolWindow, Window};

use crate::{Network, Parameter};

const CHANNELS: [usize; 2] = [16, 32];
/// Height and width of the kernels, which see two pixels in each direction.
const KERNEL: usize = 5;
const REACH: usize = KERNEL / 2;
/// Height and width of an image.
const SIZE: usize = 28;
/// What is left of an image after two poolings.
const FEATURES: usize = CHANNELS[1] * (SIZE / 4) * (SIZE / 4);

/// A small convolutional network. Its files have PyTorch's names for a module with the layers `conv1`, `conv2` and `fc`.
#[derive(Clone, Copy, Debug)]
pub struct DigitCnn;

impl Network for DigitCnn {
    fn name(&self) -> &'static str {
        "cnn"
    }

    fn parameters(&self) -> Vec<Parameter> {
        let [first, second] = CHANNELS;
        let area = KERNEL * KERNEL;
        vec![
            Parameter { name: "conv1.weight", shape: vec![first, 1, KERNEL, KERNEL], fan_in: area },
            Parameter { name: "conv1.bias", shape: vec![first], fan_in: area },
            Parameter { name: "conv2.weight", shape: vec![second, first, KERNEL, KERNEL], fan_in: first * area },
            Parameter { name: "conv2.bias", shape: vec![second], fan_in: first * area },
            Parameter { name: "fc.weight", shape: vec![self.n_classes(), FEATURES], fan_in: FEATURES },
            Parameter { name: "fc.bias", shape: vec![self.n_classes()], fan_in: FEATURES },
        ]
    }

    fn n_inputs(&self) -> usize {
        SIZE * SIZE
    }

    fn n_classes(&self) -> usize {
        10
    }

    fn logits(&self, parameters: &[Array], x: &Array) -> Array {
        let [weight1, bias1, weight2, bias2, weight3, bias3] = parameters else {
            unreachable!("as many as `parameters` lists")
        };
        let n = x.shape().first().copied().unwrap_or(0);
        let options =
            ConvOptions { window: Window { padding: vec![REACH], ..Window::default() }, ..ConvOptions::default() };
        let halves = PoolWindow { kernel: vec![2], window: Window::default() };
        let image = x.reshape([n, 1, SIZE, SIZE]);
        // The largest of four after a ReLU is the ReLU of the largest of four, which is a quarter of the work.
        let first = image.conv2d(weight1, Some(bias1), &options).max_pool(&halves).relu();
        let second = first.conv2d(weight2, Some(bias2), &options).max_pool(&halves).relu();
        second.reshape([n, FEATURES]).matmul(&weight3.t()) + bias3
    }
}
