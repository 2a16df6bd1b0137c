//! GGUF files that are damaged or made to harm: always a typed error that says what and where, at once and without much memory.

use proptest::prelude::*;
use tilework::ErrorKind;
use tilework_nn::gguf::{Gguf, Parsed};

fn small() -> Vec<u8> {
    let path = format!("{}/../../testdata/gguf/small.gguf", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn refused(bytes: &[u8]) -> String {
    let error = Gguf::read(&bytes.to_vec()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Io | ErrorKind::Unsupported), "{error:?}");
    error.message().to_owned()
}

/// A head of these counts and bytes.
fn head(n_tensors: u64, n_entries: u64, rest: &[u8]) -> Vec<u8> {
    [b"GGUF\x03\0\0\0".as_slice(), &n_tensors.to_le_bytes(), &n_entries.to_le_bytes(), rest].concat()
}

fn text(text: &str) -> Vec<u8> {
    [&(text.len() as u64).to_le_bytes(), text.as_bytes()].concat()
}

/// A head of one tensor, padded so that its data could follow.
fn tensor(name: &str, sizes: &[u64], kind: u32, offset: u64) -> Vec<u8> {
    let sizes_bytes: Vec<u8> = sizes.iter().flat_map(|size| size.to_le_bytes()).collect();
    let n_dims = (sizes.len() as u32).to_le_bytes();
    let info = [text(name).as_slice(), &n_dims, &sizes_bytes, &kind.to_le_bytes(), &offset.to_le_bytes()].concat();
    head(1, 0, &[info.as_slice(), &[0; 200]].concat())
}

#[test]
fn a_file_cut_anywhere_is_refused() {
    let bytes = small();
    let gguf = Gguf::read(&bytes).unwrap();
    let head_bytes = gguf.data_offset;
    // Padding after the last tensor does not count.
    let end = gguf.tensors.iter().map(|tensor| head_bytes + tensor.offset + tensor.size_bytes).max().unwrap() as usize;
    for n_bytes in 0..end {
        let message = refused(&bytes[..n_bytes]);
        assert!(message.contains("not complete") && message.contains("byte"), "{n_bytes}: {message}");
        if let Parsed::NeedMore(more) = Gguf::parse(&bytes[..n_bytes]).unwrap() {
            assert!(more > n_bytes as u64 && more <= head_bytes, "{n_bytes}: {more}");
        }
    }
}

#[test]
fn wrong_beginnings_are_told() {
    assert!(refused(b"GGML\x03\0\0\0").contains("no GGUF file"));
    assert!(refused(b"PK\x03\x04 a zip archive").contains("no GGUF file"));
    assert!(refused(b"GGUF\x01\0\0\0").contains("version 1"));
    assert!(refused(b"GGUF\x09\0\0\0").contains("version 9"));
    assert!(refused(b"GGUF\0\0\0\x03").contains("big-endian"));
}

#[test]
fn huge_counts_are_refused_at_once() {
    for n in [1 << 20, 1 << 26, 1 << 40, u64::MAX] {
        assert!(refused(&head(n, 0, &[])).contains("directory"), "{n} tensors");
        assert!(refused(&head(0, n, &[])).contains("metadata"), "{n} entries");
        let key = text("k");
        // The length of a text, of an array of numbers, of texts and of arrays.
        for kinds in [&[8u32][..], &[9, 12], &[9, 8], &[9, 9], &[9, 7]] {
            let kinds: Vec<u8> = kinds.iter().flat_map(|kind| kind.to_le_bytes()).collect();
            let message = refused(&head(0, 1, &[key.as_slice(), &kinds, &n.to_le_bytes()].concat()));
            assert!(message.contains("`k`"), "{n}: {message}");
        }
        let key = [n.to_le_bytes(), [0; 8]].concat();
        assert!(refused(&head(0, 1, &key)).contains("key 0"), "a key of {n}");
    }
}

#[test]
fn deep_nesting_is_refused() {
    let nested = |depth: usize| {
        let one_array: Vec<u8> = [9u32.to_le_bytes().as_slice(), &1u64.to_le_bytes()].concat();
        let inner: Vec<u8> = [0u32.to_le_bytes().as_slice(), &1u64.to_le_bytes(), &[7]].concat();
        head(0, 1, &[text("k"), 9u32.to_le_bytes().to_vec(), one_array.repeat(depth - 1), inner].concat())
    };
    assert!(Gguf::read(&nested(4)).is_ok());
    assert!(refused(&nested(5)).contains("nested more than 4 deep"));
    assert!(refused(&nested(100_000)).contains("nested more than 4 deep"));
}

#[test]
fn wrong_tensors_are_refused() {
    let f32 = 0;
    assert!(refused(&tensor("t", &[1; 5], f32, 0)).contains("5 dimensions"));
    assert!(refused(&tensor("t", &[0, 4], f32, 0)).contains("empty or too large"));
    assert!(refused(&tensor("t", &[1 << 32, 1 << 32], f32, 0)).contains("empty or too large"));
    assert!(refused(&tensor("t", &[1 << 31, 1 << 31, 4], f32, 0)).contains("too large"));
    assert!(refused(&tensor("t", &[u64::MAX], f32, 0)).contains("too large"));
    assert!(refused(&tensor("t", &[1 << 62], f32, 0)).contains("too large"));
    assert!(refused(&tensor("t", &[4], f32, 8)).contains("no multiple of 32"));
    assert!(refused(&tensor("t", &[4], f32, u64::MAX - 31)).contains("beyond any file"));
    assert!(refused(&tensor("t", &[4], f32, 1 << 62)).contains("not complete"));
    assert!(refused(&tensor("t", &[1 << 40], f32, 0)).contains("not complete"));
    assert!(refused(&tensor("t", &[48], 2, 0)).contains("blocks of 32"));
    assert!(refused(&tensor("t", &[256], 16, 0)).contains("IQ2_XXS"));
    assert!(refused(&tensor("t", &[256], 99, 0)).contains("type 99 (unknown)"));
    let error = Gguf::read(&tensor("t", &[256], 16, 0)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
}

#[test]
fn wrong_metadata_are_refused() {
    let entry = |key: &str, kind: u32, value: &[u8]| [text(key).as_slice(), &kind.to_le_bytes(), value].concat();
    let padding = [0; 64];
    let of = |entries: &[Vec<u8>]| head(0, entries.len() as u64, &[entries.concat().as_slice(), &padding].concat());
    assert!(refused(&of(&[entry("k", 13, &[])])).contains("type 13"));
    assert!(refused(&of(&[entry("k", 9, &14u32.to_le_bytes())])).contains("array of type 14"));
    assert!(refused(&of(&[entry("k", 7, &[2])])).contains("a truth value of 2"));
    assert!(refused(&of(&[entry("k", 0, &[2]), entry("k", 0, &[2])])).contains("twice"));
    assert!(refused(&of(&[entry("k", 8, &[2, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xfe])])).contains("not UTF-8"));
    for alignment in [0, 3, 48, u32::MAX] {
        let message = refused(&of(&[entry("general.alignment", 4, &alignment.to_le_bytes())]));
        assert!(message.contains("general.alignment"), "{message}");
    }
    assert!(refused(&of(&[entry("general.alignment", 0x08, &text("32"))])).contains("should be u32"));
}

#[test]
fn a_tensor_twice_is_refused() {
    let one = [text("t").as_slice(), &[0; 4], &[0; 4], &[0; 8]].concat();
    assert!(refused(&head(2, 0, &[one.clone(), one, vec![0; 99]].concat())).contains("a second tensor `t`"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn changed_bytes_never_panic(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        let mut bytes = small();
        for (index, byte) in changes {
            let place = index.index(bytes.len());
            bytes[place] = byte;
        }
        if let Err(error) = Gguf::read(&bytes) {
            prop_assert!(!error.message().is_empty());
        }
    }

    #[test]
    fn any_bytes_never_panic(rest in prop::collection::vec(any::<u8>(), 0..300), n in 0u64..4) {
        let _ = Gguf::read(&head(n, 3 - n, &rest));
        let _ = Gguf::read(&rest);
    }
}
