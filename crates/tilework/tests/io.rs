//! Files of arrays: those that NumPy wrote (testdata/numpy/make/files.py), round trips, and damage.

use pollster::block_on;
use std::collections::BTreeMap;
use std::path::PathBuf;
use tilework::io::{self, Blank, Compression, Content, Header, NumberFormat, TextOptions, WriteOptions};
use tilework::layers::core::host::HostBuffer;
use tilework::{DType, Device, ErrorKind};

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/numpy/files").join(name)
}

fn file(name: &str) -> Vec<u8> {
    std::fs::read(path(name)).unwrap()
}

fn numbers(data: &HostBuffer) -> Vec<f64> {
    (0..data.len()).map(|i| data.f64_at(i)).collect()
}

/// One buffer of every type.
fn buffers() -> Vec<HostBuffer> {
    vec![
        HostBuffer::Bool(vec![0, 1, 1, 0, 1, 0]),
        HostBuffer::I32(vec![i32::MIN, -1, 0, 1, 2, i32::MAX]),
        HostBuffer::U32(vec![0, 1, 2, 3, 4, u32::MAX]),
        HostBuffer::F16(vec![0, 0x3c00, 0x7c00, 0x8000, 1, 2]),
        HostBuffer::F32(vec![0.0, -0.0, f32::INFINITY, f32::MIN_POSITIVE, 1.5, -7.25]),
        HostBuffer::F64(vec![0.1, -0.0, f64::NEG_INFINITY, 1e300, 1.5, -7.25]),
        HostBuffer::BF16(vec![0, 0x3f80, 0x7f80, 0x8000, 1, 2]),
        HostBuffer::I8(vec![i8::MIN, -1, 0, 1, 2, i8::MAX]),
        HostBuffer::I16(vec![i16::MIN, -1, 0, 1, 2, i16::MAX]),
        HostBuffer::I64(vec![i64::MIN, -1, 0, 1, 2, i64::MAX]),
        HostBuffer::U8(vec![0, 1, 2, 3, 4, u8::MAX]),
        HostBuffer::U16(vec![0, 1, 2, 3, 4, u16::MAX]),
        HostBuffer::U64(vec![0, 1, 2, 3, 4, u64::MAX]),
    ]
}

#[test]
fn files_of_numpy_are_read() {
    let whole = |name: &str| io::read_npy(&file(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    for name in
        ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64"]
    {
        let content = whole(&format!("{name}.npy"));
        let got = (numbers(&content.data), content.shape, content.dtype.name());
        assert_eq!(got, (vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0], vec![2, 3], name));
    }
    for name in ["big_int16", "big_uint32", "big_float32", "big_float64", "version2", "version3"] {
        assert_eq!(numbers(&whole(&format!("{name}.npy")).data), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0], "{name}");
    }
    assert_eq!(whole("bool.npy").data, HostBuffer::Bool(vec![0, 1, 1, 1, 1, 1]));
    let content = whole("fortran.npy");
    assert_eq!((numbers(&content.data), content.shape), ((0..24).map(f64::from).collect(), vec![2, 3, 4]));
    assert_eq!(whole("scalar.npy"), Content::new(HostBuffer::F32(vec![1.5]), []));
    assert_eq!(whole("empty.npy"), Content::new(HostBuffer::F32(vec![]), [0, 3]));
    let special = numbers(&whole("special.npy").data);
    assert!(special[0].is_nan() && special[1..3] == [f64::INFINITY, f64::NEG_INFINITY]);
    assert!(special[3] == 0.0 && special[3].is_sign_negative());
    for name in ["stored.npz", "deflated.npz"] {
        let arrays = Device::cpu().load_npz_file(path(name)).unwrap();
        assert_eq!(arrays.keys().collect::<Vec<_>>(), ["a", "b", "c"]);
        assert_eq!(
            (arrays["a"].shape(), arrays["b"].dtype(), arrays["c"].shape()),
            (&[2, 3][..], DType::Bool, &[300][..])
        );
        assert_eq!(block_on(arrays["a"].to_vec::<f32>()).unwrap(), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    }
}

#[test]
fn what_is_written_is_what_numpy_writes() {
    let d = Device::cpu();
    for (name, array) in [
        ("float32.npy", d.arange(6).to_f32().reshape([2, 3])),
        ("int32.npy", d.arange(6).reshape([2, 3])),
        ("bool.npy", d.arange(6).cast(DType::Bool).reshape([2, 3])),
        ("float64.npy", d.arange(6).cast(DType::F64).reshape([2, 3])),
        ("scalar.npy", d.scalar(1.5)),
        ("empty.npy", d.zeros([0, 3])),
    ] {
        assert!(block_on(array.to_npy()).unwrap() == file(name), "{name}");
    }
}

#[test]
fn every_type_survives_every_file() {
    let arrays: BTreeMap<String, Content> =
        buffers().into_iter().map(|data| (data.dtype().name().to_owned(), Content::new(data, [3, 2]))).collect();
    for content in arrays.values() {
        assert_eq!(io::read_npy(&io::write_npy(content).unwrap()).unwrap(), *content);
    }
    for compression in [Compression::None, Compression::Deflate] {
        assert_eq!(io::read_npz(&io::write_npz(&arrays, compression).unwrap()).unwrap(), arrays);
    }
    assert_eq!(io::read_safetensors(&io::write_safetensors(&arrays).unwrap()).unwrap(), arrays);
    assert!(io::write_npy(&Content::new(HostBuffer::F32(vec![1.0]), [2])).is_err());
    let d = Device::cpu();
    let z = d.complex(&d.arange(4).to_f32(), &d.ones([4]));
    for z in [z.clone(), z.cast(DType::C128)] {
        let back = d.load_npy(&block_on(z.to_npy()).unwrap()).unwrap();
        assert_eq!((back.dtype(), back.shape()), (z.dtype(), z.shape()));
        assert!(block_on(back.eq(&z).all([]).to_vec::<bool>()).unwrap()[0]);
    }
    let tensors = block_on(d.to_safetensors(&[("z", &z)])).unwrap();
    assert_eq!(d.load_safetensors(&tensors).unwrap()["z"].dtype(), DType::C64);
    let x = d.arange(5);
    let bytes = block_on(d.to_npz(&[("x", &x), ("y", &(&x * 2))], Compression::Deflate)).unwrap();
    assert_eq!(block_on(d.load_npz(&bytes).unwrap()["y"].to_vec::<i32>()).unwrap(), [0, 2, 4, 6, 8]);
}

#[test]
fn damage_is_an_error_and_no_panic() {
    let arrays: BTreeMap<String, Content> =
        buffers().into_iter().map(|data| (data.dtype().name().to_owned(), Content::new(data, [3, 2]))).collect();
    type Read = fn(&[u8]) -> bool;
    let (npy, npz, tensors): (Read, Read, Read) =
        (|b| io::read_npy(b).is_ok(), |b| io::read_npz(b).is_ok(), |b| io::read_safetensors(b).is_ok());
    for (bytes, read) in [
        (file("float32.npy"), npy),
        (file("fortran.npy"), npy),
        (file("version2.npy"), npy),
        (file("stored.npz"), npz),
        (file("deflated.npz"), npz),
        (io::write_safetensors(&arrays).unwrap(), tensors),
    ] {
        for cut in 0..bytes.len() {
            assert!(!read(&bytes[..cut]), "cut to {cut} of {}", bytes.len());
        }
        let mut changed = bytes.clone();
        for at in 0..bytes.len() {
            for bits in [1, 0x80, 0xff] {
                changed[at] = bytes[at] ^ bits;
                read(&changed);
            }
            changed[at] = bytes[at];
        }
    }
}

#[test]
fn lies_are_errors() {
    let npy = |header: &str| {
        let length = (header.len() as u16).to_le_bytes();
        io::read_npy(&[b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), &[0; 8]].concat())
    };
    let of =
        |descr: &str, shape: &str| npy(&format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"));
    assert_eq!(of("<f4", "(2,)").unwrap(), Content::new(HostBuffer::F32(vec![0.0; 2]), [2]));
    for (descr, shape) in [
        ("<f4", "(3,)"),
        ("<f4", "(18446744073709551615, 4)"),
        ("<f4", "(4294967296, 4294967296)"),
        ("<f4", "(-2,)"),
        ("<f4", "(1, 1, 1, 1, 1, 1, 1, 1, 2)"),
        ("<c4", "(2,)"),
        ("|O", "(1,)"),
        ("é4", "(2,)"),
        ("", "(2,)"),
    ] {
        assert_eq!(of(descr, shape).unwrap_err().kind(), ErrorKind::Io, "{descr} {shape}");
    }
    let overlapping = r#"{"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"y":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}"#;
    let bytes = [&(overlapping.len() as u64).to_le_bytes()[..], overlapping.as_bytes(), &[0; 8]].concat();
    assert!(io::read_safetensors(&bytes).unwrap_err().message().contains("overlap"));
}

#[test]
fn text_is_read_as_numpy_reads_it() {
    let d = Device::cpu();
    let x = d.load_txt_file(path("plain.txt"), &TextOptions { dtype: DType::F64, ..TextOptions::default() }).unwrap();
    let values = block_on(x.to_vec::<f64>()).unwrap();
    assert!(x.shape() == [2, 2] && values[..2] == [1.0, -2.5] && values[2].is_nan() && values[3] == 1e-30);
    let comma = TextOptions { delimiter: Some(','), ..TextOptions::default() };
    let table = io::read_txt(&String::from_utf8(file("comma.csv")).unwrap(), &comma).unwrap();
    assert_eq!((numbers(&table.data), table.shape), (vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0], vec![2, 3]));
    let x = d.load_txt("1,2\n3,4\n", &comma).unwrap();
    assert_eq!((x.shape(), block_on(x.to_vec::<f32>()).unwrap()), (&[2, 2][..], vec![1.0, 2.0, 3.0, 4.0]));
    let holes = String::from_utf8(file("holes.csv")).unwrap();
    let options = TextOptions { header: Header::Names, blank: Blank::Fill(f64::NAN), ..comma.clone() };
    let table = io::read_txt(&holes, &options).unwrap();
    assert_eq!((table.names, table.shape), (vec!["a".to_owned(), "b".to_owned(), "c".to_owned()], vec![2, 3]));
    let values = numbers(&table.data);
    assert!(values[1].is_nan() && values[4].is_nan() && values[2] == 3.0 && values[5] == 6.0);
    let options = TextOptions { columns: vec![-1, 0], dtype: DType::I32, ..options };
    assert_eq!(io::read_txt(&holes, &options).unwrap().data, HostBuffer::I32(vec![3, 1, 6, 4]));
    assert_eq!(io::read_txt(&holes, &options).unwrap().names, ["c", "a"]);
    let some = TextOptions { skip_rows: 1, max_rows: Some(2), ..TextOptions::default() };
    assert_eq!(numbers(&io::read_txt("x y\n1 2\n3 4\n5 6", &some).unwrap().data), [1.0, 2.0, 3.0, 4.0]);
}

#[test]
fn shapes_and_mistakes_of_text() {
    let plain = TextOptions::default();
    let shape =
        |text: &str, min_axes| io::read_txt(text, &TextOptions { min_axes, ..TextOptions::default() }).unwrap().shape;
    assert_eq!((shape("1\n2\n", 0), shape("1 2", 0), shape("1", 0), shape("", 0)), (vec![2], vec![2], vec![], vec![0]));
    assert_eq!(
        (shape("1\n2\n", 2), shape("1 2", 2), shape("1", 2), shape("1", 1)),
        (vec![2, 1], vec![1, 2], vec![1, 1], vec![1])
    );
    for text in ["1 2\n3", "1 x", "1 2\n3 4 5"] {
        assert_eq!(io::read_txt(text, &plain).unwrap_err().kind(), ErrorKind::Io, "{text}");
    }
    let far = TextOptions { columns: vec![5], ..TextOptions::default() };
    assert!(io::read_txt("1 2", &far).unwrap_err().message().contains("column 5"));
    assert!(io::read_txt("1 2", &TextOptions { columns: vec![isize::MIN], ..far }).is_err());
}

#[test]
fn text_is_written_as_numpy_writes_it() {
    let d = Device::cpu();
    let text = |array: &tilework::Array, options: &WriteOptions| block_on(array.to_txt(options)).unwrap();
    let x = d.array(vec![1.0, -2.5, f64::NAN, 1e-30], [2, 2]);
    let options = WriteOptions { header: "two columns".to_owned(), ..WriteOptions::default() };
    assert_eq!(text(&x, &options).as_bytes(), file("plain.txt"));
    let csv = WriteOptions { format: NumberFormat::Fixed(2), delimiter: ",".to_owned(), ..WriteOptions::default() };
    assert_eq!(text(&d.arange(6).reshape([2, 3]), &csv).as_bytes(), file("comma.csv"));
    let short = WriteOptions { format: NumberFormat::Shortest, ..WriteOptions::default() };
    assert_eq!(text(&d.array(vec![0.1f32, 2.0], [2]), &short), "0.1\n2\n");
    assert_eq!(
        text(&d.array(vec![3.9f32, -1.2], [1, 2]), &WriteOptions { format: NumberFormat::Whole, ..short }),
        "3 -1\n"
    );
    assert!(block_on(d.zeros([1, 1, 1]).to_txt(&csv)).is_err());
}
