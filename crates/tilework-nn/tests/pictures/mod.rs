//! What tests of pictures share: a small model, chunks, and pictures as other programs write them.

#![allow(dead_code, reason = "every test file uses a part of this")]

use std::io::Cursor;

use serde_json::json;
use tilework_nn::pixels::{ModelFile, PackOptions, PixelFile, pack_to_vec};

/// Bytes without a pattern.
pub(crate) fn noise(n: usize, seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    (0..n).map(|_| next()).collect()
}

/// A safetensors file of tensors with these names, types, shapes and bytes an element.
pub(crate) fn safetensors(tensors: &[(&str, &str, &[usize], usize)]) -> Vec<u8> {
    let mut header = serde_json::Map::new();
    header.insert("__metadata__".to_owned(), json!({ "format": "pt" }));
    let mut data = Vec::new();
    for (name, dtype, shape, element_bytes) in tensors {
        let n = shape.iter().product::<usize>() * element_bytes;
        let entry = json!({ "dtype": dtype, "shape": shape, "data_offsets": [data.len(), data.len() + n] });
        header.insert((*name).to_owned(), entry);
        data.extend(noise(n, name.len() as u64 + n as u64));
    }
    let header = serde_json::Value::Object(header).to_string().into_bytes();
    [&(header.len() as u64).to_le_bytes()[..], &header, &data].concat()
}

/// Files in a picture of one page.
pub(crate) fn packed(files: &[(&str, &[u8])], options: &PackOptions) -> Vec<u8> {
    let files: Vec<ModelFile<'_>> =
        files.iter().map(|(name, bytes)| ModelFile { name: (*name).to_owned(), source: bytes }).collect();
    let mut pages = pack_to_vec(&files, options).unwrap();
    assert_eq!(pages.len(), 1);
    pages.remove(0)
}

/// A model with a few tensors and a file of settings.
pub(crate) fn small_model() -> Vec<u8> {
    let weights = safetensors(&[
        ("a.weight", "F32", &[64, 80], 4),
        ("a.bias", "F32", &[64], 4),
        ("b.weight", "F16", &[40, 64], 2),
    ]);
    let settings = b"{\"some\": \"settings\"}".repeat(30);
    packed(&[("model.safetensors", &weights), ("config.json", &settings)], &PackOptions::default())
}

pub(crate) fn open(bytes: &[u8]) -> tilework::Result<PixelFile> {
    PixelFile::from_bytes(vec![bytes.to_vec()])
}

/// Types and contents of all chunks.
pub(crate) fn chunks(file: &[u8]) -> Vec<([u8; 4], Vec<u8>)> {
    let mut chunks = Vec::new();
    let mut rest = &file[8..];
    while let Some((length, more)) = rest.split_first_chunk::<4>() {
        let n = u32::from_be_bytes(*length) as usize;
        chunks.push((more[..4].try_into().unwrap(), more[4..4 + n].to_vec()));
        rest = &more[8 + n..];
    }
    chunks
}

/// A file of these chunks.
pub(crate) fn file_of(chunks: &[([u8; 4], Vec<u8>)]) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, content) in chunks {
        file.extend((content.len() as u32).to_be_bytes());
        let covered = [&kind[..], content].concat();
        file.extend(&covered);
        file.extend(crc32(&covered).to_be_bytes());
    }
    file
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0u32, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 })
    })
}

/// The pixels as another program decodes them.
pub(crate) fn decoded(file: &[u8]) -> (u32, u32, Vec<u8>) {
    let mut reader = png::Decoder::new(Cursor::new(file)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((frame.color_type, frame.bit_depth), (png::ColorType::Rgba, png::BitDepth::Eight));
    (frame.width, frame.height, pixels)
}

/// A picture as another program writes it.
pub(crate) fn encoded(width: u32, height: u32, pixels: &[u8], color: png::ColorType, filter: png::Filter) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(color);
    encoder.set_filter(filter);
    if color == png::ColorType::Indexed {
        encoder.set_palette((0..=255).flat_map(|level| [level, level, 255 - level]).collect::<Vec<u8>>());
    }
    encoder.write_header().unwrap().write_image_data(pixels).unwrap();
    file
}

/// The same picture with the index and the pieces of files of another file in front of its pixels.
pub(crate) fn with_index(file: &[u8], original: &[u8]) -> Vec<u8> {
    let own = |kind: &[u8; 4]| kind.starts_with(b"tw");
    let mut all = chunks(file);
    let at = all.iter().position(|(kind, _)| kind == b"IDAT").unwrap();
    let index = chunks(original).into_iter().filter(|(kind, _)| own(kind));
    all.splice(at..at, index);
    file_of(&all)
}
