//! Pictures made to harm: refused with a typed error, without a panic and without much memory.
//!
//! All tests of this file run under an allocator that refuses single allocations beyond what a page may take and counts what is in use.

mod pictures;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib;
use pictures::{chunks, file_of, open, small_model};
use proptest::prelude::*;
use serde_json::{Value, json};
use tilework::ErrorKind;

/// No allocation is larger: a page of 128 MiB with a byte before each row.
const MAX_ALLOCATION_BYTES: usize = 136 << 20;
/// And all together are no more.
const MAX_TOTAL_BYTES: usize = 640 << 20;

struct Limited;

static IN_USE: AtomicUsize = AtomicUsize::new(0);

// SAFETY: the system's allocator does the work; what it is asked for is passed on unchanged or refused.
unsafe impl GlobalAlloc for Limited {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let total = IN_USE.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        if layout.size() > MAX_ALLOCATION_BYTES || total > MAX_TOTAL_BYTES {
            // The program ends here, and the test with it.
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's promises about the layout are the system's conditions.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: every pointer that was given out came from the system.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Limited = Limited;

/// Opens a file and, if that works, reads all of it in every way.
fn exercise(file: &[u8]) {
    let picture = match open(file) {
        Ok(picture) => picture,
        Err(error) => {
            assert!(matches!(error.kind(), ErrorKind::Io | ErrorKind::OutOfMemory | ErrorKind::Argument), "{error:?}");
            return;
        }
    };
    let _ = picture.verify(&mut |_, _| Ok(()));
    let mut n_bytes = 0u64;
    let _ = picture.unpack(&mut |_, bytes| {
        n_bytes += bytes.len() as u64;
        Ok(())
    });
    // What comes out is bounded by what a page and its pieces may hold.
    assert!(n_bytes <= (128 << 20) + 1100 * file.len() as u64, "{n_bytes}");
    for (index, tile) in picture.tensors().iter().enumerate().take(4) {
        let _ = picture.read_tensor(index);
        let _ = picture.read_rows(&tile.name, 0..1);
        let _ = tilework_nn::pixels::histogram(&picture, index, 8);
    }
    let _ = tilework_nn::pixels::overview(&picture, 0, 64);
    let _ = tilework_nn::pixels::diff(&picture, &picture);
    let _ = picture.sources().iter().map(|(_, file)| file.to_vec().map(|_| ())).collect::<Vec<_>>();
}

/// The small model with another index.
fn with_json(change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let mut all = chunks(&small_model());
    let (_, content) = all.iter_mut().find(|(kind, _)| kind == b"twIX").unwrap();
    let mut index: Value = serde_json::from_slice(&decompress_to_vec_zlib(content).unwrap()).unwrap();
    change(&mut index);
    *content = compress_to_vec_zlib(index.to_string().as_bytes(), 6);
    file_of(&all)
}

fn refused(file: &[u8]) -> String {
    let error = open(file).err().expect("a picture that is refused");
    assert!(matches!(error.kind(), ErrorKind::Io | ErrorKind::Argument), "{error:?}");
    error.message().to_owned()
}

#[test]
fn the_small_model_survives_the_limits() {
    exercise(&with_json(|_| {}));
    assert!(open(&with_json(|_| {})).unwrap().verify(&mut |_, _| Ok(())).unwrap().is_intact());
}

#[test]
fn an_index_that_lies_is_refused() {
    let cases: [(&str, Value, &str); 16] = [
        ("/version", json!(2), "version 2"),
        ("/format", json!("other"), "not one of a model"),
        ("/n_pages", json!(0), "page 1 of 0"),
        ("/n_pages", json!(1_000_000), "page 1 of"),
        ("/page", json!(3), "page 4 of 1"),
        ("/pages/0/width", json!(8192), "scaled or cut"),
        ("/pages/0/height", json!(8193), "of another type"),
        ("/pages/0/bands/1/at", json!(u64::MAX), "outside its data"),
        ("/pages/0/bands/1/step", json!(u64::MAX / 2), "outside its data"),
        ("/pages/0/bands/1/y", json!(0), "outside its data"),
        ("/pages/0/bands/1/spans/0/1", json!(8000), "outside its data"),
        ("/tensors/0/rects/0/1", json!(8000), "not on its page"),
        ("/tensors/0/rects/0/0", json!(5), "a page that there is not"),
        ("/tensors/0/row", json!(0), "rows"),
        ("/files/0/name", json!("../../etc/passwd"), "no name for a file"),
        ("/files/0/parts/0", json!({ "zeros": 1u64 << 60 }), "wrong about the file"),
    ];
    for (pointer, value, words) in cases {
        let file = with_json(|index| *index.pointer_mut(pointer).expect(pointer) = value.clone());
        let message = refused(&file);
        assert!(message.contains(words), "{pointer} = {value}: {message}");
    }
}

#[test]
fn the_same_data_cannot_be_claimed_twice() {
    let overlap = with_json(|index| {
        let rects = index["tensors"][0]["rects"].clone();
        let mut copy = index["tensors"][0].clone();
        copy["name"] = json!("copy");
        copy["rects"] = rects;
        index["tensors"].as_array_mut().unwrap().push(copy);
    });
    assert!(refused(&overlap).contains("overlap"), "{}", refused(&overlap));
    let twice = with_json(|index| {
        let parts = index["files"][0]["parts"].as_array_mut().unwrap();
        let again = parts.iter().find(|part| part.get("tensor").is_some()).unwrap().clone();
        parts.push(again);
    });
    assert!(refused(&twice).contains("wrong about the file"));
    let large = with_json(|index| index["blobs"][0]["size"] = json!(1u64 << 50));
    assert!(refused(&large).contains("wrong"));
}

#[test]
fn huge_pictures_and_bombs_are_refused() {
    let all = chunks(&small_model());
    for (width, height) in [(u32::MAX, 1u32), (1 << 30, 1 << 30), (8193, 1), (8192, 8192), (0, 4)] {
        let mut huge = all.clone();
        huge[0].1[..4].copy_from_slice(&width.to_be_bytes());
        huge[0].1[4..8].copy_from_slice(&height.to_be_bytes());
        let message = refused(&file_of(&huge));
        assert!(message.contains("refused") || message.contains("IHDR"), "{message}");
    }
    let mut bomb = all.clone();
    let index = bomb.iter_mut().find(|(kind, _)| kind == b"twIX").unwrap();
    index.1 = compress_to_vec_zlib(&vec![b' '; 64 << 20], 9);
    assert!(index.1.len() < 1 << 17);
    assert_eq!(refused(&file_of(&bomb)), "its index is too large");
    // Pixels that inflate to far more than the page has.
    let mut bomb = all.clone();
    bomb.retain(|(kind, _)| kind != b"IDAT");
    let end = bomb.len() - 1;
    bomb.insert(end, (*b"IDAT", compress_to_vec_zlib(&vec![0; 64 << 20], 9)));
    let picture = open(&file_of(&bomb)).unwrap();
    assert!(picture.read("a.weight").unwrap_err().message().contains("cannot be decoded"));
    let deep = "[".repeat(100_000);
    let mut nested = all;
    nested.iter_mut().find(|(kind, _)| kind == b"twIX").unwrap().1 = compress_to_vec_zlib(deep.as_bytes(), 6);
    assert!(refused(&file_of(&nested)).contains("no JSON"));
}

#[test]
fn wrong_lengths_of_chunks_are_refused() {
    let file = small_model();
    let mut at = 8;
    while at + 12 <= file.len() {
        let n = u32::from_be_bytes(file[at..at + 4].try_into().unwrap()) as usize;
        for wrong in [u32::MAX, 1 << 31, 0, n as u32 + 1] {
            let mut file = file.clone();
            file[at..at + 4].copy_from_slice(&wrong.to_be_bytes());
            exercise(&file);
        }
        at += 12 + n;
    }
}

/// A number somewhere in the index, by how many others come before it.
fn numbers<'a>(value: &'a mut Value, found: &mut Vec<&'a mut Value>) {
    match value {
        Value::Number(_) => found.push(value),
        Value::Array(all) => all.iter_mut().for_each(|value| numbers(value, found)),
        Value::Object(all) => all.values_mut().for_each(|value| numbers(value, found)),
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_may_be_wrong(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
                              end in any::<prop::sample::Index>(), is_cut in any::<bool>()) {
        let mut file = small_model();
        for (at, byte) in changes {
            let at = at.index(file.len());
            file[at] = byte;
        }
        if is_cut {
            file.truncate(end.index(file.len()));
        }
        exercise(&file);
    }

    #[test]
    fn any_number_of_the_index_may_be_wrong(which in any::<prop::sample::Index>(), value in prop_oneof![
        0u64..300, Just(u64::MAX), Just(1 << 32), Just(8192), any::<u64>(),
    ]) {
        exercise(&with_json(|index| {
            let mut found = Vec::new();
            numbers(index, &mut found);
            let at = which.index(found.len());
            *found[at] = json!(value);
        }));
    }

    #[test]
    fn any_bytes_of_the_index_may_be_wrong(at in any::<prop::sample::Index>(), bytes in prop::collection::vec(any::<u8>(), 0..6)) {
        let mut all = chunks(&small_model());
        let (_, content) = all.iter_mut().find(|(kind, _)| kind == b"twIX").unwrap();
        let mut json = decompress_to_vec_zlib(content).unwrap();
        let at = at.index(json.len());
        json.splice(at..(at + 2).min(json.len()), bytes);
        *content = compress_to_vec_zlib(&json, 6);
        exercise(&file_of(&all));
    }
}
