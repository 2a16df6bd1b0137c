//! Model files: what NumPy and safetensors write is read, what is damaged is told.

use pollster::block_on;
use proptest::prelude::*;
use tilework::{DType, Device};
use tilework_nn::Weights;

const PLAIN: &[u8] = include_bytes!("../../../testdata/weights/plain.npz");
const COMPRESSED: &[u8] = include_bytes!("../../../testdata/weights/compressed.npz");
const MLP: &[u8] = include_bytes!("../../../models/digits_mlp.safetensors");

fn read(weights: &Weights, name: &str) -> Vec<f64> {
    let host = block_on(weights.get(name).unwrap().to_host()).unwrap();
    (0..host.len()).map(|i| host.f64_at(i)).collect()
}

#[test]
fn archives_of_numpy_are_read() {
    for file in [PLAIN, COMPRESSED] {
        let weights = Weights::from_bytes(&Device::cpu(), file).unwrap();
        assert_eq!(weights.iter().count(), 9);
        assert_eq!(weights.get("fc1.weight").unwrap().shape(), [2, 3]);
        assert_eq!(read(&weights, "fc1.weight"), [0.0, 0.25, 0.5, 0.75, 1.0, 1.25]);
        assert_eq!(weights.get("columns").unwrap().shape(), [2, 3]);
        let columns = weights.get("columns").unwrap() + 0.0;
        assert_eq!(block_on(columns.to_vec::<f32>()).unwrap(), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(read(&weights, "double"), [1.0 / 3.0, -2.5]);
        assert_eq!(weights.get("half").unwrap().dtype(), DType::F16);
        assert_eq!(read(&weights, "half"), [0.5, 65504.0]);
        assert_eq!(read(&weights, "steps"), [7.0, -9.0]);
        assert_eq!(read(&weights, "bytes"), [0.0, 255.0]);
        assert_eq!(read(&weights, "mask"), [1.0, 0.0, 1.0]);
        assert_eq!((read(&weights, "number"), weights.get("number").unwrap().ndim()), (vec![4.25], 0));
        assert_eq!(read(&weights, "zeros"), vec![0.0; 2000]);
    }
}

#[test]
fn a_file_written_is_the_file_read() {
    let device = Device::cpu();
    let weights = Weights::from_bytes(&device, MLP).unwrap();
    let again = Weights::from_bytes(&device, &block_on(weights.to_safetensors()).unwrap()).unwrap();
    assert_eq!(weights.iter().count(), 4);
    for (name, array) in weights.iter() {
        assert_eq!(array.shape(), again.get(name).unwrap().shape());
        assert_eq!(read(&weights, name), read(&again, name));
    }
}

fn safetensors(header: &str, data: &[u8]) -> Vec<u8> {
    [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), data].concat()
}

#[test]
fn other_types_are_converted_or_refused() {
    let device = Device::cpu();
    let one = |dtype: &str, data: &[u8]| {
        let header = format!(r#"{{"x":{{"dtype":"{dtype}","shape":[1],"data_offsets":[0,{}]}}}}"#, data.len());
        Weights::from_bytes(&device, &safetensors(&header, data)).map(|weights| read(&weights, "x")[0])
    };
    assert_eq!(one("BF16", &0x3fc0u16.to_le_bytes()), Ok(1.5));
    assert_eq!(one("F16", &0x3e00u16.to_le_bytes()), Ok(1.5));
    assert_eq!(one("F64", &0.1f64.to_le_bytes()), Ok(0.1));
    assert_eq!(one("I64", &(-3i64).to_le_bytes()), Ok(-3.0));
    assert_eq!(one("U8", &[200]), Ok(200.0));
    assert_eq!(one("BOOL", &[9]), Ok(1.0));
    assert!(one("I64", &(1i64 << 40).to_le_bytes()).unwrap_err().to_string().contains("do not fit 32 bits"));
    assert!(one("F8_E4M3", &[1]).unwrap_err().to_string().contains("F8_E4M3"));
    assert!(one("F32", &[0; 8]).unwrap_err().to_string().contains("too few or too many"));
}

#[test]
fn names_that_are_not_there_are_told_with_those_that_are() {
    let weights = Weights::from_bytes(&Device::cpu(), MLP).unwrap();
    let message = weights.get("fc3.weight").unwrap_err().to_string();
    assert!(message.contains("fc3.weight") && message.contains("fc1.bias"), "{message}");
    let message = weights.shaped("fc1.bias", &[7]).unwrap_err().to_string();
    assert!(message.contains("[128]") && message.contains("[7]"), "{message}");
}

#[test]
fn lies_in_headers_are_errors() {
    for header in [
        "",
        "[]",
        r#"{"x":{}}"#,
        r#"{"x":{"dtype":"F32","shape":[18446744073709551615,2],"data_offsets":[0,8]}}"#,
        r#"{"x":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}}"#,
        r#"{"x":{"dtype":"F32","shape":[2],"data_offsets":[0,18446744073709551615]}}"#,
        r#"{"x":{"dtype":"F32","shape":[-1],"data_offsets":[0,8]}}"#,
    ] {
        assert!(Weights::from_bytes(&Device::cpu(), &safetensors(header, &[0; 8])).is_err(), "{header}");
    }
    assert!(Weights::from_bytes(&Device::cpu(), &u64::MAX.to_le_bytes()).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn damage_never_panics(position in 0usize..COMPRESSED.len(), value in any::<u8>(), cut in 0usize..COMPRESSED.len()) {
        for file in [PLAIN, COMPRESSED, &MLP[..2000]] {
            let mut damaged = file.to_vec();
            let at = position % damaged.len();
            damaged[at] = value;
            _ = Weights::from_bytes(&Device::cpu(), &damaged);
            _ = Weights::from_bytes(&Device::cpu(), &file[..cut % file.len()]);
        }
    }

    #[test]
    fn noise_never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        _ = Weights::from_bytes(&Device::cpu(), &bytes);
        _ = Weights::from_bytes(&Device::cpu(), &[b"PK\x03\x04", bytes.as_slice()].concat());
    }
}
