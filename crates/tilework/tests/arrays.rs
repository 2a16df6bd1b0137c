//! Arrays as a user meets them, on the CPU and on a GPU.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]

mod common;

use common::{assert_close, devices};
use pollster::block_on;
use tilework::{Array, DType, Device, ErrorKind, Range};

fn read(array: &Array) -> Vec<f32> {
    block_on(array.to_vec::<f32>()).unwrap()
}

#[test]
fn broadcasting_chains_and_scalars() {
    for d in devices() {
        let x = d.array(vec![1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], [2, 3]);
        let row = d.array(vec![10.0f32, 20.0, 30.0], [3]);
        let y = (&x * 2.0 + &row) / 2.0 - 1;
        assert_eq!(read(&y), [5.0, 11.0, 17.0, 8.0, 14.0, 20.0]);
        let column = row.reshape([3, 1]);
        assert_eq!((&column + &row).shape(), [3, 3]);
        assert_eq!(read(&(1.0 - &row)), [-9.0, -19.0, -29.0]);
    }
}

#[test]
fn integers_truth_values_and_casts() {
    for d in devices() {
        let i = d.arange(7) - 3;
        assert_eq!(i.dtype(), DType::I32);
        assert_eq!(block_on((&i % 3).to_vec::<i32>()).unwrap(), [0, 1, 2, 0, 1, 2, 0]);
        assert_eq!(block_on(i.floor_div(2).to_vec::<i32>()).unwrap(), [-2, -1, -1, 0, 0, 1, 1]);
        let positive = i.gt(0);
        assert_eq!(block_on(positive.to_vec::<bool>()).unwrap(), [false, false, false, false, true, true, true]);
        assert_eq!(block_on(positive.sum([]).item()).unwrap(), 3.0);
        assert_eq!(read(&positive.select(&i, -1).to_f32()), [-1.0, -1.0, -1.0, -1.0, 1.0, 2.0, 3.0]);
        assert_eq!((&i / 2).dtype(), DType::F32);
        assert_eq!(block_on((i.bit_and(1)).to_vec::<i32>()).unwrap(), [1, 0, 1, 0, 1, 0, 1]);
        assert_eq!(block_on((&i + 0.5).to_vec::<f32>()).unwrap()[0], -2.5);
    }
}

#[test]
fn activations_made_of_other_operations() {
    for d in devices() {
        let x = d.array(vec![-2.0f32, -0.5, 0.0, 3.0, f32::NAN], [5]);
        assert_close(&read(&x.relu()), &[0.0, 0.0, 0.0, 3.0, f32::NAN], 0.0);
        assert_close(&read(&x.leaky_relu(0.1)), &[-0.2, -0.05, 0.0, 3.0, f32::NAN], 1e-6);
        let elu = |x: f32| 2.0 * x.exp_m1();
        assert_close(&read(&x.elu(2.0)), &[elu(-2.0), elu(-0.5), 0.0, 3.0, f32::NAN], 1e-6);
        assert_close(&read(&x.clamp(-1.0, 1.0)), &[-1.0, -0.5, 0.0, 1.0, f32::NAN], 0.0);
        assert_eq!(block_on((d.arange(5) - 2).relu().to_vec::<i32>()).unwrap(), [0, 0, 0, 1, 2]);
        let large = d.array(vec![-1.0f32, 0.0, 100.0], [3]);
        let slope = d.grad(|x| x.elu(1.0).sum([]), &large).unwrap();
        assert_close(&read(&slope), &[(-1.0f32).exp(), 1.0, 1.0], 1e-6);
        assert_close(&read(&d.grad(|x| x.leaky_relu(0.1).sum([]), &large).unwrap()), &[0.1, 0.1, 1.0], 1e-6);
    }
}

#[test]
fn views_compose_without_copies() {
    for d in devices() {
        let x = d.arange(24).to_f32().reshape([2, 3, 4]);
        let y = x.permute([2, 0, 1]).slice(0, Range::ALL.step(-2)).flip([2]).index(1, -1);
        // x[1, ::-1, 3::-2].T by hand
        assert_eq!(y.shape(), [2, 3]);
        assert_eq!(read(&y), [23.0, 19.0, 15.0, 21.0, 17.0, 13.0]);
        // A reshape of a transposed array needs a copy, which happens by itself, also in the middle of a chain.
        let z = (x.permute([1, 0, 2]).reshape([6, 4]).t() * 2.0).reshape([3, 8]);
        assert_eq!(z.shape(), [3, 8]);
        assert_eq!(read(&z)[..7], [0.0, 24.0, 8.0, 32.0, 16.0, 40.0, 2.0]);
        assert_eq!(read(&x.slice(1, 1..2).squeeze([1]).slice(0, -1..)), [16.0, 17.0, 18.0, 19.0]);
        assert_eq!(d.zeros([3, 0]).slice(0, 1..).shape(), [2, 0]);
    }
}

#[test]
fn reductions_and_statistics() {
    for d in devices() {
        let x = d.array(vec![1.0f32, 2.0, 3.0, 4.0, 5.0, 9.0], [2, 3]);
        assert_eq!(read(&x.sum([0])), [5.0, 7.0, 12.0]);
        assert_eq!(read(&x.mean([1])), [2.0, 6.0]);
        assert_eq!(x.mean_keep([1]).shape(), [2, 1]);
        assert_close(&read(&x.var([1])), &[2.0 / 3.0, 14.0 / 3.0], 1e-6);
        assert_close(&read(&x.std([])), &[2.581_988_9], 1e-6);
        assert_eq!(read(&x.max([])), [9.0]);
        assert_eq!(block_on(x.argmax(1).to_vec::<i32>()).unwrap(), [2, 2]);
        assert_eq!(block_on(x.argmin_flat().item()).unwrap(), 0.0);
        assert!(block_on(x.gt(8.5).any([]).item()).unwrap() == 1.0);
        let normal = (&x - &x.mean_keep([1])) / &(x.std_keep([1]) + 1e-6);
        assert_close(&read(&normal.sum([1])), &[0.0, 0.0], 1e-5);
    }
}

#[test]
fn products_gathers_and_joins() {
    for d in devices() {
        let a = d.arange(6).to_f32().reshape([2, 3]);
        let b = d.arange(12).to_f32().reshape([3, 4]);
        assert_eq!(read(&a.matmul(&b)), [20.0, 23.0, 26.0, 29.0, 56.0, 68.0, 80.0, 92.0]);
        assert_eq!(read(&a.matmul(&d.ones([3]))), [3.0, 12.0]);
        assert_eq!(d.ones([3]).matmul(&b).shape(), [4]);
        assert!(d.ones([3]).matmul(&d.ones([3])).shape().is_empty());
        assert_eq!(read(&b.t().take(&d.array(vec![3, 0, -1], [3]), 0).slice(1, 0..1).flatten()), [3.0, 0.0, 3.0]);
        let joined = d.concat(&[&a, &(&a * 10.0)], 0);
        assert_eq!(read(&joined.slice(1, 2..)), [2.0, 5.0, 20.0, 50.0]);
        assert_eq!(d.stack(&[&a, &a, &a], -1).shape(), [2, 3, 3]);
        assert_close(&read(&a.softmax(-1).sum([1])), &[1.0, 1.0], 1e-6);
        assert_eq!(read(&d.eye(3).matmul(&b)), read(&b));
    }
}

#[test]
fn mistakes_are_carried_and_name_operation_and_shapes() {
    let d = Device::cpu();
    let (a, b) = (d.zeros([2, 3]), d.zeros([4, 5]));
    let text = |array: &Array| array.check().unwrap_err().to_string();
    assert_eq!(text(&(&a + &b)), "add: [2, 3] and [4, 5] do not broadcast together");
    assert_eq!(text(&a.matmul(&b)), "matmul: inner sizes differ: [2, 3] · [4, 5]");
    assert_eq!(text(&a.sum([2])), "sum: axis 2 is out of range for [2, 3], which has 2 axes");
    assert_eq!(text(&a.reshape([7])), "reshape: [2, 3] has 6 elements, [7] has 7");
    assert_eq!(text(&d.zeros([0]).max([])), "max: [0] has no elements along axes [0]");
    // What is made from a mistake carries the first one.
    let error = block_on((&a + &b).sin().sum([]).item()).unwrap_err();
    assert_eq!((error.kind(), error.op()), (ErrorKind::Shape, "add"));
    assert_eq!(block_on(a.to_vec::<i32>()).unwrap_err().kind(), ErrorKind::DType);
    assert_eq!(text(&d.zeros([1 << 20, 1 << 20])), "full: [1048576, 1048576] has more than 4294967294 elements");
}

#[test]
fn empty_arrays_flow_through_everything() {
    for d in devices() {
        let empty = d.array(Vec::<f32>::new(), [0, 3]);
        assert!(read(&(empty.sin() + 1.0)).is_empty());
        assert_eq!(read(&empty.sum([0])), [0.0, 0.0, 0.0]);
        assert!(read(&empty.sum([1])).is_empty());
        // The mean of nothing is no number, on every device.
        assert!(read(&empty.mean([0])).iter().chain(&read(&empty.var([0]))).all(|mean| mean.is_nan()));
        assert_eq!(read(&empty.t().matmul(&d.zeros([0, 2]))), [0.0; 6]);
        assert!(read(&empty.softmax(1)).is_empty());
        assert_eq!(d.concat(&[&empty, &d.ones([1, 3])], 0).shape(), [1, 3]);
    }
}

#[test]
fn long_chains_neither_overflow_nor_explode() {
    for d in devices() {
        let mut x = d.array(vec![1.0f32; 8], [8]);
        for _ in 0..3000 {
            x = &x * 0.5 + 1.0;
        }
        assert_close(&read(&x), &[2.0; 8], 1e-6);
        // Every step uses its predecessor twice, once through a view: the work must stay linear.
        let mut m = d.eye(4);
        for _ in 0..40 {
            m = (&m + &m.t()) * 0.5;
        }
        assert_eq!(read(&m), read(&d.eye(4)));
        let mut y = d.ones([3]);
        for _ in 0..60 {
            y = &y + &y;
        }
        assert_eq!(read(&y), [2f32.powi(60); 3]);
    }
    // Dropping a graph of a hundred thousand nodes that never ran must not overflow the stack.
    let d = Device::cpu();
    let mut x = d.ones([2]);
    for _ in 0..100_000 {
        x = x.sin();
    }
    drop(x);
}

#[test]
fn more_inputs_than_a_kernel_may_bind_are_split() {
    for d in devices() {
        let inputs: Vec<Array> = (0..20).map(|k| d.array(vec![k as f32; 5], [5])).collect();
        let sum = inputs.iter().skip(1).fold(inputs[0].clone(), |sum, x| &sum * 1.0 + x);
        assert_eq!(read(&sum), [190.0; 5]);
        let tree = inputs.chunks(2).map(|pair| &pair[0] * &pair[1]).reduce(|a, b| a + b).unwrap();
        let want: f32 = (0..10).map(|k| (2 * k * (2 * k + 1)) as f32).sum();
        assert_eq!(read(&tree), [want; 5]);
        let epilogue = inputs[..9].iter().fold(d.ones([5, 5]).matmul(&d.eye(5)), |sum, x| sum + x);
        assert_eq!(read(&epilogue)[0], 37.0);
    }
}

#[test]
fn double_precision_lives_on_the_cpu() {
    let d = Device::cpu();
    let x = d.array(vec![1.0f64, 2.0, 3.0], [3]);
    let y = (&x / 3.0).sqrt().to_f32().cast(DType::F64) + &x;
    assert_eq!(y.dtype(), DType::F64);
    let got = block_on(y.to_vec::<f64>()).unwrap();
    assert_eq!(got[0], f64::from((1.0f64 / 3.0).sqrt() as f32) + 1.0);
    // A comparison of doubles decides in double precision, whatever type it selects between.
    let close = d.array(vec![1.0f64 + 1e-12], [1]).gt(1.0).select(d.ones([1]), d.zeros([1]));
    assert_eq!(block_on(close.to_vec::<f32>()).unwrap(), [1.0]);
    if let Some(gpu) = common::gpu() {
        let told = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
        let ear = told.clone();
        gpu.on_warning(move |message| ear.lock().unwrap().push(message.to_owned()));
        for n in 1..=2 {
            assert_eq!(block_on((gpu.array(vec![1.0f64], [1]) + 1.0).to_vec::<f64>()).unwrap(), [2.0]);
            assert_eq!((gpu.stats().moved_to_cpu, gpu.stats().on_gpu), (n, 0), "counted each time");
        }
        assert_eq!(*told.lock().unwrap(), gpu.warnings());
        assert_eq!(gpu.warnings().len(), 1, "said once");
        assert!(gpu.warnings()[0].contains("float64"), "{:?}", gpu.warnings());
        // On the way to a kernel there is no such way out.
        assert_eq!(gpu.kernels(&(gpu.array(vec![1.0f64], [1]) + 1.0)).unwrap_err().kind(), ErrorKind::Unsupported);
    }
}

#[test]
fn long_arrays_are_compared_with_numbers_and_with_each_other() {
    // Longer than any register, and not a whole number of them.
    const N: usize = 70_001;
    let values: Vec<f32> = (0..N).map(|i| (i * 37 % 101) as f32 - 50.0).collect();
    for d in devices() {
        let x = d.array(values.clone(), [N]);
        let check = |name: &str, got: &Array, want: fn(f32) -> bool| {
            let got = block_on(got.to_vec::<bool>()).unwrap();
            let wrong = (0..N).find(|&i| got[i] != want(values[i]));
            assert_eq!(wrong, None, "{name}: the first element that differs");
        };
        check("x > 3", &x.gt(3.0), |x| x > 3.0);
        check("x <= -7", &x.le(-7.0), |x| x <= -7.0);
        check("x > -x", &x.gt(-&x), |x| x > -x);
        check("isnan", &x.is_nan(), f32::is_nan);
    }
}

#[test]
fn powers_by_one_number_are_those_of_every_element() {
    let x: Vec<f32> = (0..5000).map(|i| i as f32 * 0.37).chain([1e-42, -8.0, f32::INFINITY, f32::NAN]).collect();
    let device = Device::cpu();
    for y in [1.5, -3.0, 0.2, 40.0] {
        let got = block_on(device.array(x.clone(), [x.len()]).pow(y).to_vec::<f32>()).unwrap();
        for (&x, got) in x.iter().zip(got) {
            assert_eq!(got.to_bits(), tilework::layers::core::math::pow(x, y as f32).to_bits(), "{x} ^ {y}");
        }
    }
}
