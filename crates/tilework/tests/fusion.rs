//! What becomes one kernel, and what a second evaluation costs.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]

mod common;

use common::{assert_close, gpu};
use pollster::block_on;
use tilework::{Array, Counters, Device};

fn ten_ops(x: &Array) -> Array {
    ((x * 2.0 + 1.0).sin() * x - 0.5).tanh().exp().abs().sqrt() / 3.0
}

/// Evaluates and says what it cost.
fn cost(device: &Device, array: &Array) -> Counters {
    let before = device.counters();
    block_on(array.eval()).unwrap();
    device.counters().since(before)
}

#[test]
fn ten_operations_are_one_dispatch() {
    let Some(d) = gpu() else { return };
    let x = d.array(vec![0.3f32; 5000], [5000]);
    let cost = cost(&d, &ten_ops(&x));
    assert_eq!((cost.dispatches, cost.submits), (1, 1));
}

#[test]
fn the_same_graph_again_costs_one_submit_and_nothing_else() {
    let Some(d) = gpu() else { return };
    let x = d.array(vec![0.3f32; 5000], [50, 100]);
    let work = |scale: f64| (ten_ops(&x) * scale).sum([1]).softmax(0);
    for scale in [1.5, 2.5] {
        block_on(work(scale).eval()).unwrap();
    }
    let stats = d.stats();
    // Another number in the expression is data, not another kernel.
    for scale in [1.5, 3.5, 4.5] {
        let cost = cost(&d, &work(scale));
        assert_eq!(cost.pipelines_built, 0, "pipelines");
        assert_eq!(cost.buffers_allocated, 0, "buffers");
        assert_eq!(cost.submits, 1, "submits");
        assert_eq!(cost.bytes_down, 0);
    }
    assert_eq!(d.stats().plans_built, stats.plans_built);
    assert_eq!(d.stats().plans_reused, stats.plans_reused + 3);
}

#[test]
fn chains_are_spliced_into_reductions_and_products() {
    let Some(d) = gpu() else { return };
    let x = d.array((0..600).map(|i| i as f32 * 0.01).collect::<Vec<_>>(), [20, 30]);
    let w = d.array(vec![0.1f32; 30 * 40], [30, 40]);
    let bias = d.array(vec![0.5f32; 40], [40]);
    block_on(d.eval(&[&x, &w, &bias])).unwrap();
    // Before and after a reduction: one kernel.
    assert_eq!(cost(&d, &((&x * 2.0).exp().sum([1]) / 30.0).log()).dispatches, 1);
    // After a product, bias and activation: one kernel.
    let layer = (x.matmul(&w) + &bias).gelu();
    assert_eq!(cost(&d, &layer).dispatches, 1);
    // A mean is one kernel, a variance two, a normalisation three.
    assert_eq!(cost(&d, &x.mean([1])).dispatches, 1);
    assert_eq!(cost(&d, &x.var([1])).dispatches, 2);
    let normal = (&x - &x.mean_keep([1])) / &(x.var_keep([1]) + 1e-5).sqrt();
    assert_eq!(cost(&d, &normal).dispatches, 3);
    // A result used twice is computed once.
    let shared = x.matmul(&w);
    assert_eq!(cost(&d, &(shared.sin() + shared.cos())).dispatches, 1);
    let cpu = Device::cpu();
    let (x_cpu, w_cpu) = (cpu.array(block_on(x.to_vec::<f32>()).unwrap(), [20, 30]), cpu.full([30, 40], 0.1));
    let want = block_on((x_cpu.matmul(&w_cpu) + 0.5).gelu().to_vec::<f32>()).unwrap();
    assert_close(&block_on(layer.to_vec::<f32>()).unwrap(), &want, 1e-5);
}

#[test]
fn weights_are_uploaded_once() {
    let Some(d) = gpu() else { return };
    let w = d.array(vec![1.0f32; 1000], [1000]);
    block_on((&w + 1.0).eval()).unwrap();
    assert_eq!(cost(&d, &(&w * 2.0)).bytes_up, 0, "a second use uploads nothing but parameters");
}

#[test]
fn a_program_replays_without_planning() {
    for d in common::devices() {
        let w = d.array(vec![2.0f32; 12], [3, 4]);
        let x = d.array(vec![1.0f32; 6], [2, 3]);
        let program = block_on(d.capture(|x| vec![x[0].matmul(&w).relu(), &x[0] + 1.0], &[&x])).unwrap();
        let before = d.stats();
        for k in 1..5 {
            let x = d.array(vec![k as f32; 6], [2, 3]);
            let out = block_on(program.run(&[&x])).unwrap();
            assert_eq!(block_on(out[0].to_vec::<f32>()).unwrap(), [6.0 * k as f32; 8]);
            assert_eq!(block_on(out[1].to_vec::<f32>()).unwrap(), [k as f32 + 1.0; 6]);
        }
        assert_eq!(d.stats().plans_built, before.plans_built);
        assert_eq!(d.stats().plans_reused, before.plans_reused);
        let wrong = d.zeros([3, 2]);
        assert!(block_on(program.run(&[&wrong])).unwrap_err().to_string().starts_with("program: captured for [2, 3]"));
        assert!(block_on(program.run(&[])).is_err());
    }
}

/// What makes a matrix that meets a few vectors is computed while the product reads it, on either side, and nowhere else.
#[test]
fn products_with_vectors_compute_their_matrix_on_the_way() {
    let Some(d) = gpu() else { return };
    let products = |d: &Device| {
        let rows = d.array((0..3 * 48).map(|i| (i % 7) as f32 - 3.0).collect::<Vec<_>>(), [3, 48]);
        let matrix = d.array((0..48 * 36).map(|i| (i % 11) as f32 * 0.1).collect::<Vec<_>>(), [48, 36]);
        let scaled = &matrix * 0.5 + 1.0;
        [(rows.matmul(&scaled) + 1.0).relu(), scaled.t().matmul(&rows.t()), scaled.matmul(&d.ones([36, 40]))]
    };
    let [row, column, wide] = products(&d);
    assert_eq!(cost(&d, &row).dispatches, 1);
    assert_eq!(cost(&d, &column).dispatches, 1);
    // Both operands of this one are computed first.
    assert_eq!(cost(&d, &wide).dispatches, 3);
    for (got, want) in [row, column, wide].iter().zip(products(&Device::cpu())) {
        assert_close(&block_on(got.to_vec::<f32>()).unwrap(), &block_on(want.to_vec::<f32>()).unwrap(), 1e-5);
    }
}
