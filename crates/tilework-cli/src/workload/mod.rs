//! What `tilework bench` measures.

mod arrays;

pub(crate) use arrays::ARRAYS;

use tilework::{Array, ConvOptions, Device, Norm, Window};

/// One kind of work, parameterised by a size.
pub(crate) struct Workload {
    pub(crate) name: &'static str,
    pub(crate) summary: &'static str,
    /// How `size` makes the input's shape.
    pub(crate) shape: fn(u64) -> Vec<usize>,
    pub(crate) build: fn(&Array) -> Array,
    pub(crate) rate: Rate,
    pub(crate) sizes: &'static [u64],
    /// Sizes that a software adapter can manage.
    pub(crate) small_sizes: &'static [u64],
}

/// What is counted per run of size `n`.
pub(crate) enum Rate {
    Flops(fn(f64) -> f64),
    /// Bytes that must be read and written at least once.
    Bytes(fn(f64) -> f64),
}

impl Rate {
    /// Name and value in billions per second.
    pub(crate) fn of(&self, size: u64, ms: f64) -> (&'static str, f64) {
        let per_s = |count: f64| count / (ms * 1e-3) * 1e-9;
        match self {
            Rate::Flops(count) => ("gflops", per_s(count(size as f64))),
            Rate::Bytes(count) => ("gbps", per_s(count(size as f64))),
        }
    }
}

fn vector(n: u64) -> Vec<usize> {
    vec![n as usize]
}

fn square(n: u64) -> Vec<usize> {
    vec![n as usize; 2]
}

const ELEMENTS: &[u64] = &[65_536, 1_048_576, 4_194_304];
const FEW_ELEMENTS: &[u64] = &[16_384, 65_536];

pub(crate) const WORKLOADS: &[Workload] = &[
    Workload {
        name: "map10",
        summary: "a chain of ten element-wise operations on n floats",
        shape: vector,
        build: map10,
        rate: Rate::Flops(|n| 10.0 * n),
        sizes: ELEMENTS,
        small_sizes: FEW_ELEMENTS,
    },
    Workload {
        name: "sum",
        summary: "sum of n floats",
        shape: vector,
        build: |x| x.sum([]),
        rate: Rate::Bytes(|n| 4.0 * n),
        sizes: ELEMENTS,
        small_sizes: FEW_ELEMENTS,
    },
    Workload {
        name: "std",
        summary: "standard deviation of n floats",
        shape: vector,
        build: |x| x.std([]),
        rate: Rate::Bytes(|n| 4.0 * n),
        sizes: ELEMENTS,
        small_sizes: FEW_ELEMENTS,
    },
    Workload {
        name: "softmax",
        summary: "softmax of the rows of n×n floats",
        shape: square,
        build: |x| x.softmax(-1),
        rate: Rate::Bytes(|n| 8.0 * n * n),
        sizes: &[512, 2048],
        small_sizes: &[64, 128],
    },
    Workload {
        name: "layer_norm",
        summary: "layer normalisation of the rows of n×n floats",
        shape: square,
        build: |x| x.layer_norm(-1, &[], 1e-5),
        rate: Rate::Bytes(|n| 8.0 * n * n),
        sizes: &[512, 2048],
        small_sizes: &[64, 128],
    },
    Workload {
        name: "cumsum",
        summary: "running sum of n floats",
        shape: vector,
        build: |x| x.cumsum(0),
        rate: Rate::Bytes(|n| 8.0 * n),
        sizes: ELEMENTS,
        small_sizes: FEW_ELEMENTS,
    },
    Workload {
        name: "sort",
        summary: "n floats in ascending order",
        shape: vector,
        build: |x| x.sort(0),
        rate: Rate::Bytes(|n| 8.0 * n),
        sizes: ELEMENTS,
        small_sizes: FEW_ELEMENTS,
    },
    Workload {
        name: "fft",
        summary: "Fourier transform of n complex points",
        shape: |n| vec![n as usize, 2],
        build: |x| x.as_complex().fft(0, Norm::Backward),
        // The usual count, whatever the method takes.
        rate: Rate::Flops(|n| 5.0 * n * n.log2()),
        sizes: &[65_536, 1_048_576, 1_000_003],
        small_sizes: &[4096, 16_384],
    },
    Workload {
        name: "matmul",
        summary: "product of two n×n matrices",
        shape: square,
        build: |x| x.matmul(x),
        rate: Rate::Flops(|n| 2.0 * n * n * n),
        sizes: &[256, 512, 1024],
        small_sizes: &[64, 128],
    },
    Workload {
        name: "conv2d",
        summary: "3×3 convolution of 64 channels of n×n into 64",
        shape: |n| vec![1, 64, n as usize, n as usize],
        build: |x| conv2d(x, 64, 1),
        rate: Rate::Flops(|n| 2.0 * 64.0 * 64.0 * 9.0 * n * n),
        sizes: &[28, 56, 112],
        small_sizes: &[24, 28],
    },
    Workload {
        name: "depthwise",
        summary: "3×3 convolution of each of 64 channels of n×n by itself",
        shape: |n| vec![1, 64, n as usize, n as usize],
        build: |x| conv2d(x, 1, 64),
        rate: Rate::Flops(|n| 2.0 * 64.0 * 9.0 * n * n),
        sizes: &[28, 56, 112],
        small_sizes: &[8, 14],
    },
];

/// A padded 3×3 convolution into 64 channels, of which each looks at `n_channels`. The weights are elements of `x`, which has to
/// have as many.
fn conv2d(x: &Array, n_channels: usize, groups: usize) -> Array {
    let n_weights = 64 * n_channels * 9;
    let weight = x.flatten().slice(0, ..n_weights as isize).reshape([64, n_channels, 3, 3]);
    let window = Window { padding: vec![1], ..Window::default() };
    x.conv2d(&weight, None, &ConvOptions { window, groups, ..ConvOptions::default() })
}

/// Ten operations: mul add sin mul sub tanh mul add abs sqrt.
fn map10(x: &Array) -> Array {
    ((((x * 2.0 + 1.0).sin() * x - 0.5).tanh() * x) + 0.25).abs().sqrt()
}

/// Numbers between −1 and 1 in no order, the same on every machine.
pub(crate) fn input(device: &Device, shape: &[usize]) -> Array {
    let n: usize = shape.iter().product();
    // Knuth's multiplicative hash of the position.
    let value = |i: usize| (i as u32).wrapping_mul(2_654_435_761) as f32 / u32::MAX as f32 * 2.0 - 1.0;
    device.array((0..n).map(value).collect::<Vec<f32>>(), shape.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn map10_is_what_it_says() {
        let device = Device::cpu();
        let values: Vec<f32> =
            pollster::block_on(map10(&device.array(vec![0.5f32, -1.0], [2])).to_vec()).expect("the CPU computes");
        for (x, got) in [0.5f64, -1.0].into_iter().zip(values) {
            let want = ((((x * 2.0 + 1.0).sin() * x - 0.5).tanh() * x) + 0.25).abs().sqrt();
            assert!((want - f64::from(got)).abs() < 1e-6, "{want} {got}");
        }
    }

    #[test]
    fn rates_are_in_billions_per_second() {
        assert_eq!(Rate::Flops(|n| 10.0 * n).of(1_000_000, 1.0), ("gflops", 10.0));
        assert_eq!(Rate::Bytes(|n| 4.0 * n).of(1_000_000, 2.0), ("gbps", 2.0));
    }
}
