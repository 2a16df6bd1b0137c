//! Printing, against NumPy itself (testdata/numpy_print/make.py).

use pollster::block_on;
use serde_json::Value;
use tilework::layers::core::expr::Value as Constant;
use tilework::layers::core::host::HostBuffer;
use tilework::{DType, Device};

fn number(value: &Value) -> f64 {
    match value.as_str() {
        Some("nan") => f64::NAN,
        Some("inf") => f64::INFINITY,
        Some("-inf") => f64::NEG_INFINITY,
        _ => value.as_f64().unwrap(),
    }
}

#[test]
fn arrays_print_as_numpy_prints_them() {
    let cases: Value = serde_json::from_str(include_str!("../../../testdata/numpy_print/cases.json")).unwrap();
    let device = Device::cpu();
    let mut n_cases = 0;
    for case in cases.as_array().unwrap() {
        let dtype = DType::parse(case["dtype"].as_str().unwrap()).unwrap();
        let shape: Vec<usize> =
            case["shape"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap() as usize).collect();
        let data = case["data"].as_array().unwrap().iter().map(|x| Constant::num(number(x)));
        let array = device.from_host(HostBuffer::from_values(dtype, data), shape);
        assert_eq!(block_on(array.show()).unwrap(), case["text"].as_str().unwrap(), "{:?} of {dtype}", array.shape());
        n_cases += 1;
    }
    assert!(n_cases > 20);
}
