//! Rotary embeddings against the formulas, far out.

use pollster::block_on;
use tilework::layers::ops::{Attr, Attrs};
use tilework::{Device, ErrorKind, RopeFrequencies, RopePairing, RopeScaling};

/// Worst difference of a rotated row of ones to the formula in `f64`, at positions up to 131 072.
fn worst_error(device: &Device, frequencies: RopeFrequencies) -> f64 {
    let n_dims = frequencies.n_dims;
    let positions = [0, 1, 4095, 8191, 65_537, 131_071, 131_072];
    let x = device.array(vec![1.0f32; positions.len() * n_dims], [positions.len(), n_dims]);
    let places = device.array(positions.to_vec(), [positions.len()]);
    let y = x.rope(&places, &device.rope_frequencies(&frequencies), RopePairing::Half, frequencies.amplitude());
    let y = block_on(y.to_vec::<f32>()).unwrap();
    let mut worst = 0.0f64;
    for (row, &position) in positions.iter().enumerate() {
        for (pair, theta) in frequencies.radians().into_iter().enumerate() {
            let (sine, cosine) = (f64::from(position) * theta).sin_cos();
            let amplitude = frequencies.amplitude();
            let got = |col: usize| f64::from(y[row * n_dims + col]);
            worst = worst.max((got(pair) - amplitude * (cosine - sine)).abs());
            worst = worst.max((got(pair + n_dims / 2) - amplitude * (cosine + sine)).abs());
        }
    }
    worst
}

#[test]
fn angles_are_right_at_position_131072() {
    let scalings = [
        RopeScaling::None,
        RopeScaling::Linear { factor: 4.0 },
        RopeScaling::Yarn {
            factor: 32.0,
            original_context: 4096.0,
            beta_fast: 32.0,
            beta_slow: 1.0,
            attention_factor: None,
        },
        RopeScaling::Llama3 { factor: 8.0, low_freq_factor: 1.0, high_freq_factor: 4.0, original_context: 8192.0 },
    ];
    let mut devices = vec![Device::cpu()];
    devices.extend(block_on(Device::gpu()).ok());
    for device in &devices {
        for scaling in scalings {
            let worst = worst_error(device, RopeFrequencies::new(128, 500_000.0).scaled(scaling));
            assert!(worst < 1e-6, "{}: {scaling:?} is off by {worst}", device.name());
        }
    }
}

#[test]
fn tables_are_made_by_name() {
    let device = Device::cpu();
    let call = |attrs: Attrs| device.call("rope_frequencies", &[], &attrs);
    let sized = Attrs::default().with("n_dims", Attr::Integer(8)).with("base", Attr::Number(500_000.0));
    let linear = sized.clone().with("scaling", Attr::Text("linear".to_owned())).with("factor", Attr::Integer(4));
    let want = RopeFrequencies::new(8, 500_000.0).scaled(RopeScaling::Linear { factor: 4.0 }).table().unwrap();
    assert_eq!(block_on(call(linear).to_vec::<u32>()).unwrap(), want);
    let plain = RopeFrequencies::new(8, 500_000.0).table().unwrap();
    assert_eq!(block_on(call(sized.clone()).to_vec::<u32>()).unwrap(), plain);
    let unknown = call(sized.with("scaling", Attr::Text("other".to_owned())));
    assert_eq!(unknown.check().unwrap_err().kind(), ErrorKind::Argument);
    assert_eq!(call(Attrs::default()).check().unwrap_err().kind(), ErrorKind::Argument);
}
