//! Block formats against what the Python package gguf and ggml itself make of the same blocks (testdata/quant), and how near
//! encoded weights stay.

use tilework_core::quant::Format;

fn goldens() -> Vec<(String, Format, Vec<u8>, Vec<u8>)> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/quant/goldens.txt");
    let text = std::fs::read_to_string(path).expect("goldens");
    let parse = |line: &str| {
        let fields: Vec<&str> = line.split(' ').collect();
        let format = Format::from_name(fields[1]).expect("a format");
        (fields[0].to_string(), format, from_hex(fields[2]), from_hex(fields[3]))
    };
    text.lines().map(parse).collect()
}

fn from_hex(text: &str) -> Vec<u8> {
    (0..text.len() / 2).map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).expect("hexadecimal")).collect()
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
}

fn encoded(format: Format, weights: &[f32]) -> Vec<u8> {
    let mut bytes = Vec::new();
    format.encode(weights, &mut bytes);
    bytes
}

fn decoded(format: Format, bytes: &[u8]) -> Vec<f32> {
    let mut weights = vec![0.0; bytes.len() / format.block_bytes() * format.block_len()];
    format.decode(bytes, &mut weights);
    weights
}

#[test]
fn decoding_gives_the_bits_of_gguf() {
    let mut n_formats = 0;
    for (_, format, bytes, weights) in goldens().into_iter().filter(|golden| golden.0 == "decode") {
        for (i, (ours, theirs)) in decoded(format, &bytes).into_iter().zip(floats(&weights)).enumerate() {
            let is_same = ours.to_bits() == theirs.to_bits() || (ours.is_nan() && theirs.is_nan());
            assert!(is_same, "{format}: weight {i} is {ours:e}, theirs {theirs:e}");
        }
        n_formats += 1;
    }
    assert_eq!(n_formats, Format::all().count());
}

#[test]
fn encoding_gives_the_bytes_of_gguf() {
    for (_, format, weights, bytes) in goldens().into_iter().filter(|golden| golden.0 == "encode") {
        let ours = encoded(format, &floats(&weights));
        // gguf writes −0 where a block is all zeros and ggml 0: what they stand for counts.
        assert_eq!(decoded(format, &ours), decoded(format, &bytes), "{format}");
    }
}

#[test]
fn encoding_gives_what_ggml_gives() {
    for (_, format, weights, bytes) in goldens().into_iter().filter(|golden| golden.0 == "ggml") {
        let ours = decoded(format, &encoded(format, &floats(&weights)));
        let theirs = decoded(format, &bytes);
        let n_different = ours.iter().zip(&theirs).filter(|(ours, theirs)| ours != theirs).count();
        assert_eq!(n_different, 0, "{format}: {n_different} of {}", ours.len());
    }
}

/// Weights like those of a model, reproducible: sums of four uniform numbers.
fn ordinary(n: usize) -> Vec<f32> {
    let mut state = 1u32;
    let mut uniform = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 24) as f32 - 0.5
    };
    (0..n).map(|_| (0..4).map(|_| uniform()).sum::<f32>() * 0.05).collect()
}

#[test]
fn encoded_weights_stay_near() {
    // Root mean square error relative to the weights', about what the number of bits promises.
    let most = |format: Format| match format {
        Format::F32 => 0.0,
        Format::F16 => 3e-4,
        Format::Bf16 => 2e-3,
        Format::Q8_0 => 6e-3,
        Format::Q6K => 0.02,
        Format::Q5_0 | Format::Q5_1 | Format::Q5K => 0.05,
        Format::Q4_0 | Format::Q4_1 | Format::Q4K | Format::Iq4Nl | Format::Iq4Xs => 0.1,
        Format::Mxfp4 => 0.13,
        Format::Q3K => 0.2,
        Format::Q2K => 0.36,
    };
    let weights = ordinary(256 * 40);
    for format in Format::all() {
        let back = decoded(format, &encoded(format, &weights));
        let squares = |values: &mut dyn Iterator<Item = f32>| values.map(|x| f64::from(x * x)).sum::<f64>();
        let error = squares(&mut weights.iter().zip(&back).map(|(a, b)| a - b));
        let relative = (error / squares(&mut weights.iter().copied())).sqrt();
        assert!(relative <= most(format), "{format}: {relative}");
    }
}

#[test]
fn zeros_stay_zero_and_constants_nearly_so() {
    for format in Format::all() {
        // MXFP4 only has powers of two as factors and cuts what is between 6 and 8 of them.
        let most = if format == Format::Mxfp4 { 0.25 } else { 0.04 };
        assert_eq!(decoded(format, &encoded(format, &[0.0; 256])), [0.0; 256], "{format}");
        for constant in [1.0, -1.0, 0.03, -700.0] {
            for value in decoded(format, &encoded(format, &[constant; 256])) {
                assert!((value - constant).abs() <= most * constant.abs(), "{format}: {constant} became {value}");
            }
        }
    }
}

#[test]
fn nothing_panics_on_weights_that_are_no_numbers() {
    let strange =
        [f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, f32::MIN_POSITIVE, 1e-45, -1e-45];
    for format in Format::all() {
        for value in strange {
            for every in [1, 3, 40] {
                let mut weights = ordinary(512);
                weights.iter_mut().step_by(every).for_each(|weight| *weight = value);
                let bytes = encoded(format, &weights);
                assert_eq!(Some(bytes.len()), format.size_bytes(512), "{format}");
                assert_eq!(decoded(format, &bytes).len(), 512);
            }
        }
    }
}

#[test]
fn any_bytes_decode() {
    for format in Format::all() {
        for byte in 0..=255 {
            assert_eq!(decoded(format, &vec![byte; format.block_bytes() * 2]).len(), format.block_len() * 2);
        }
    }
}

#[test]
fn repacking_loses_nothing() {
    for format in Format::all() {
        // Weights of every size, encoded, and read back from their blocks and from the packed row.
        let weights: Vec<f32> = (0..768).map(|i| (i as f32 * 0.7).sin() * (1.0 + (i / 100) as f32)).collect();
        let mut bytes = Vec::new();
        format.encode(&weights, &mut bytes);
        let mut decoded = vec![f32::NAN; weights.len()];
        format.decode(&bytes, &mut decoded);
        let mut row = vec![0; format.row_words(weights.len()).unwrap()];
        format.pack_row(&bytes, &mut row);
        for (col, &want) in decoded.iter().enumerate() {
            let got = format.packed_weight(&row, weights.len(), col);
            assert!((got - want).abs() <= 1e-6 * want.abs().max(1.0), "{format} {col}: {got} instead of {want}");
        }
    }
}
