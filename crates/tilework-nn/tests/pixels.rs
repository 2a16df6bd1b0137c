//! Models as pictures: the same bytes out as in, from any kind of file, whole or in parts.

mod pictures;

use pictures::{noise, safetensors};
use tilework_nn::gguf::{Source, Writer};
use tilework_nn::pixels::{Encoding, FileKind, ModelFile, PackOptions, PixelFile, Rect, pack_to_vec};

fn all_types() -> Vec<u8> {
    safetensors(&[
        ("h.0.weight", "F32", &[40, 100], 4),
        ("h.0.bias", "F32", &[40], 4),
        ("h.1.weight", "F16", &[33, 77], 2),
        ("h.2.weight", "BF16", &[65, 131], 2),
        ("h.10.weight", "I8", &[50, 67], 1),
        ("u", "U8", &[3, 5, 7], 1),
        ("mask", "BOOL", &[9], 1),
        ("i", "I64", &[200, 3], 8),
        ("d", "F64", &[20, 40], 8),
        ("conv", "F32", &[16, 8, 3, 3], 4),
        ("long", "F32", &[5000], 4),
        ("scalar", "F32", &[], 4),
        ("empty", "F32", &[0, 4], 4),
        ("small", "F8_E4M3", &[30, 40], 1),
        ("strange", "F4", &[10, 16], 1),
    ])
}

fn gguf() -> Vec<u8> {
    use tilework::layers::core::quant::Format;
    let mut metadata = tilework_nn::gguf::Metadata::new();
    metadata.set("general.name", tilework_nn::gguf::Value::String("tiny".into()));
    metadata.set("general.architecture", tilework_nn::gguf::Value::String("llama".into()));
    let mut writer = Writer::new(metadata).unwrap();
    for format in Format::all() {
        writer.add(format!("blk.{}", format.name()), &[37, 512], format).unwrap();
        writer.add(format!("row.{}", format.name()), &[256], format).unwrap();
    }
    let mut bytes = writer.head();
    for (k, tensor) in writer.tensors().iter().enumerate() {
        bytes.extend(noise(tensor.size_bytes as usize, k as u64 + 5));
        bytes.resize(bytes.len() + writer.padding(tensor), 0);
    }
    bytes
}

fn options(encoding: Encoding) -> PackOptions {
    PackOptions { encoding, ..PackOptions::default() }
}

fn packed(files: &[(&str, &[u8])], options: &PackOptions) -> Vec<Vec<u8>> {
    let files: Vec<ModelFile<'_>> =
        files.iter().map(|(name, bytes)| ModelFile { name: (*name).to_owned(), source: bytes }).collect();
    pack_to_vec(&files, options).unwrap()
}

fn unpacked(picture: &PixelFile) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = picture.files().map(|file| (file.0.to_owned(), Vec::new())).collect();
    picture
        .unpack(&mut |number, bytes| {
            files[number].1.extend_from_slice(bytes);
            Ok(())
        })
        .unwrap();
    files
}

#[test]
fn every_type_comes_back_bit_for_bit() {
    let (tensors, language) = (all_types(), gguf());
    let config = br#"{"hidden_size": 8}"#;
    let files: [(&str, &[u8]); 6] = [
        ("model.safetensors", &tensors),
        ("model.gguf", &language),
        ("config.json", config),
        ("folder/some.bin", &noise(70_001, 1)),
        ("empty", b""),
        ("text.txt", &b"abc ".repeat(10_000)),
    ];
    for encoding in [Encoding::Stored, Encoding::Deflate] {
        let pages = packed(&files, &options(encoding));
        assert_eq!(pages.len(), 1);
        let picture = PixelFile::from_bytes(pages).unwrap();
        for ((name, bytes), (own_name, own)) in unpacked(&picture).iter().zip(&files) {
            assert!(name == own_name && bytes == own, "{name}");
        }
        let found = picture.verify(&mut |_, _| Ok(())).unwrap();
        assert!(found.is_intact() && found.broken_chunks.is_empty() && found.rewritten_pages.is_empty(), "{found:?}");
        assert_eq!(found.n_intact, picture.tensors().len());
        let kinds: Vec<FileKind> = picture.files().map(|file| file.1).collect();
        assert_eq!(kinds[..3], [FileKind::Safetensors, FileKind::Gguf, FileKind::Bytes]);
        assert_eq!((picture.title(), picture.metadata()["architecture"].as_str()), ("tiny", Some("llama")));
    }
}

#[test]
fn tensors_rows_ranges_and_rectangles_agree() {
    let tensors = all_types();
    for encoding in [Encoding::Stored, Encoding::Deflate] {
        let picture = PixelFile::from_bytes(packed(&[("model.safetensors", &tensors)], &options(encoding))).unwrap();
        let (words, width, _) = picture.page(0).unwrap();
        for (index, tile) in picture.tensors().iter().enumerate() {
            let whole = picture.read(&tile.name).unwrap();
            for (start, end) in [(0, whole.len()), (1, whole.len()), (whole.len() / 3, whole.len() / 2)] {
                if start > end {
                    continue;
                }
                let mut part = vec![0; end - start];
                picture.read_range(index, start as u64, &mut part).unwrap();
                assert_eq!(part, whole[start..end], "{} {start} {end}", tile.name);
            }
            let mut from_page: Vec<u8> = Vec::new();
            for rect in &tile.rects {
                let own = picture.read_rect(*rect).unwrap();
                for (row, own) in own.chunks_exact(rect.width as usize).enumerate() {
                    let at = (rect.y as usize + row) * width as usize + rect.x as usize;
                    assert_eq!(own, &words[at..at + rect.width as usize]);
                    let bytes: Vec<u8> = own.iter().flat_map(|word| word.to_le_bytes()).collect();
                    from_page.extend(&bytes[..tile.row_bytes as usize]);
                }
            }
            assert_eq!(from_page[..whole.len()], whole, "{}", tile.name);
            assert!(from_page[whole.len()..].iter().all(|&byte| byte == 0));
            if tile.n_rows() > 2 {
                let rows = picture.read_rows(&tile.name, 1..2).unwrap();
                assert_eq!(rows, whole[tile.row_bytes as usize..2 * tile.row_bytes as usize]);
            }
            let mut beyond = [0; 2];
            assert!(picture.read_range(index, tile.size_bytes.saturating_sub(1), &mut beyond).is_err());
        }
        assert!(picture.read("no such").is_err());
        assert!(picture.read_rect(Rect { page: 0, x: width, y: 0, width: 1, height: 1 }).is_err());
        assert!(picture.read_rect(Rect { page: 7, x: 0, y: 0, width: 1, height: 1 }).is_err());
    }
}

#[test]
fn a_file_of_a_picture_is_a_source_of_the_same_bytes() {
    let language = gguf();
    let picture = PixelFile::from_bytes(packed(&[("model.gguf", &language)], &options(Encoding::Stored))).unwrap();
    let file = picture.file("model.gguf").unwrap();
    assert_eq!(file.len(), language.len() as u64);
    assert_eq!(file.to_vec().unwrap(), language);
    for start in (0..language.len()).step_by(997) {
        let n = (language.len() - start).min(start % 4001);
        let mut part = vec![0; n];
        file.read_at(start as u64, &mut part).unwrap();
        assert_eq!(part, language[start..start + n]);
    }
    assert!(file.read_at(language.len() as u64, &mut [0]).is_err());
    assert!(picture.file("other").is_err());
}

#[test]
fn masks_and_replacements_are_seen_by_all_readers() {
    let tensors = all_types();
    let pages = packed(&[("model.safetensors", &tensors)], &options(Encoding::Stored));
    let mut picture = PixelFile::from_bytes(pages).unwrap();
    let (index, tile) = (picture.find("h.0.weight").unwrap(), picture.tensor("h.0.weight").unwrap().clone());
    let before = picture.read("h.0.weight").unwrap();
    let rect = tile.rects[0];
    let n = picture.mask(Rect { page: 0, x: rect.x + 2, y: rect.y + 3, width: 5, height: 4 });
    assert_eq!(n, 5 * 4 * 4);
    let after = picture.read("h.0.weight").unwrap();
    for (k, (before, after)) in before.iter().zip(&after).enumerate() {
        let (row, column) = (k / 400, k % 400 / 4);
        let is_masked = (3..7).contains(&row) && (2..7).contains(&column);
        assert_eq!(*after, if is_masked { 0 } else { *before }, "{k}");
    }
    let words = picture.read_rect(rect).unwrap();
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    assert!(bytes == after[..bytes.len()] && bytes != before[..bytes.len()]);
    picture.replace(index, 10, vec![1, 2, 3]).unwrap();
    assert_eq!(picture.read("h.0.weight").unwrap()[10..13], [1, 2, 3]);
    assert!(picture.replace(index, tile.size_bytes, vec![1]).is_err());
    // Packing what is seen saves the change.
    let sources = picture.sources();
    let files: Vec<ModelFile<'_>> = sources.iter().map(|(name, file)| file.as_model_file(name)).collect();
    let saved = PixelFile::from_bytes(pack_to_vec(&files, &PackOptions::default()).unwrap()).unwrap();
    assert_eq!(saved.read("h.0.weight").unwrap(), picture.read("h.0.weight").unwrap());
    picture.restore();
    assert_eq!(picture.read("h.0.weight").unwrap(), before);
}

#[test]
fn a_picture_is_hardly_larger_than_its_tensors() {
    let shapes: Vec<(String, Vec<usize>)> = (0..6)
        .flat_map(|layer| {
            let part = |name: &str, shape: &[usize]| (format!("layer.{layer}.{name}"), shape.to_vec());
            [part("q", &[384, 384]), part("up", &[1536, 384]), part("down", &[384, 1536]), part("b", &[384])]
        })
        .collect();
    let tensors: Vec<(&str, &str, &[usize], usize)> =
        shapes.iter().map(|(name, shape)| (name.as_str(), "F32", shape.as_slice(), 4)).collect();
    let bytes = safetensors(&tensors);
    let picture = packed(&[("model.safetensors", &bytes)], &options(Encoding::Stored));
    let n: usize = picture.iter().map(Vec::len).sum();
    assert!(n * 100 <= bytes.len() * 103, "{n} of {}", bytes.len());
}

#[test]
fn a_model_of_several_pages_is_one_model() {
    let (tensors, noise) = (all_types(), noise(200_001, 9));
    let files: [(&str, &[u8]); 2] = [("model.safetensors", &tensors), ("noise.bin", &noise)];
    for encoding in [Encoding::Stored, Encoding::Deflate] {
        let options = PackOptions { max_page_bytes: 1 << 16, ..options(encoding) };
        let pages = packed(&files, &options);
        assert!(pages.len() > 3, "{}", pages.len());
        let n_pages = pages.len();
        for (number, page) in pages.iter().enumerate() {
            assert_eq!(PixelFile::page_number(page).unwrap(), (number, n_pages));
        }
        let reversed: Vec<Vec<u8>> = pages.iter().rev().cloned().collect();
        let picture = PixelFile::from_bytes(reversed).unwrap();
        assert!(picture.tensors().iter().any(|tile| tile.rects.iter().any(|rect| rect.page != tile.rects[0].page)));
        assert!(picture.verify(&mut |_, _| Ok(())).unwrap().is_intact());
        for ((_, bytes), (name, own)) in unpacked(&picture).iter().zip(&files) {
            assert!(bytes == own, "{name}");
        }
        let refused = |pages: Vec<Vec<u8>>| PixelFile::from_bytes(pages).err().expect("an error").message().to_owned();
        assert!(refused(pages[1..].to_vec()).contains("page 1 of"));
        assert!(refused(pages[..n_pages - 1].to_vec()).contains("is missing"));
        assert!(refused([&pages[..1], &pages[..n_pages - 1]].concat()).contains("missing or there twice"));
        let mut other = tensors.clone();
        *other.last_mut().unwrap() ^= 1;
        let others = packed(&[("model.safetensors", &other), ("noise.bin", &noise[1..])], &options);
        let mixed = [&pages[..1], &others[1..]].concat();
        assert!(refused(mixed).contains("different models"));
    }
}
