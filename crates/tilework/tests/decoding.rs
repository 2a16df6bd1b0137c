//! A captured decoding step, replayed at every position, against attention over the whole sequence at once.

use pollster::block_on;
use tilework::{Array, Attention, AttentionMask, Device, RopeFrequencies, RopePairing};

const N_HEADS: usize = 4;
const N_KV_HEADS: usize = 2;
const N_POSITIONS: usize = 12;
const CAPACITY: usize = 160;
const D: usize = 8;

fn numbers(device: &Device, shape: [usize; 4], seed: usize) -> Array {
    let n: usize = shape.iter().product();
    let value = |i: usize| ((i * 7919 + seed * 104_729) % 1009) as f32 / 500.0 - 1.0;
    device.array((0..n).map(value).collect::<Vec<f32>>(), shape)
}

/// A cache with `array` at the front and NaN, which nothing may touch, behind it.
fn cache(device: &Device, array: &Array) -> Array {
    let rest = device.full([1, N_KV_HEADS, CAPACITY - N_POSITIONS, D], f64::NAN);
    device.concat(&[array, &rest], 2)
}

#[test]
fn a_captured_step_is_replayed_at_other_positions() {
    let mut devices = vec![Device::cpu()];
    devices.extend(block_on(Device::gpu()).ok());
    for device in &devices {
        let q = numbers(device, [1, N_HEADS, N_POSITIONS, D], 1);
        let k = numbers(device, [1, N_KV_HEADS, N_POSITIONS, D], 2);
        let v = numbers(device, [1, N_KV_HEADS, N_POSITIONS, D], 3);
        let table = device.rope_frequencies(&RopeFrequencies::new(D, 10_000.0));
        let causal = Attention::new(AttentionMask::Causal);
        let start = device.array(vec![0i32], []);
        let whole = q.rope(&start, &table, RopePairing::Half, 1.0).attention(&k, &v, &[], causal);
        let (k_cache, v_cache) = (cache(device, &k), cache(device, &v));
        block_on(device.eval(&[&k_cache, &v_cache, &table])).unwrap();
        let step = |inputs: &[Array]| {
            let query = inputs[0].rope(&inputs[1], &table, RopePairing::Half, 1.0);
            vec![query.attention(&k_cache, &v_cache, &[&inputs[1]], causal)]
        };
        let query_at = |position: usize| q.slice(2, position as isize..position as isize + 1);
        let position_of = |position: usize| device.array(vec![position as i32], []);
        let program = block_on(device.capture(step, &[&query_at(0), &position_of(0)])).unwrap();
        for position in 0..N_POSITIONS {
            let query = query_at(position);
            block_on(query.eval()).unwrap();
            let got = block_on(program.run(&[&query, &position_of(position)])).unwrap().remove(0);
            let want = whole.slice(2, position as isize..position as isize + 1);
            let difference = block_on((&got - &want).abs().max([]).to_vec::<f32>()).unwrap()[0];
            assert!(difference < 1e-5, "{} at {position}: off by {difference}", device.name());
        }
    }
}
