//! Pictures that other programs decoded, wrote anew or damaged: still the model, or told what happened.

mod pictures;

use pictures::{chunks, decoded, encoded, file_of, open, small_model, with_index};
use tilework_nn::pixels::{Damage, Encoding, PackOptions, Verified};

fn verified(file: &[u8]) -> Verified {
    open(file).unwrap().verify(&mut |_, _| Ok(())).unwrap()
}

fn refused(file: &[u8]) -> String {
    match open(file) {
        Ok(_) => panic!("opened"),
        Err(error) => error.message().to_owned(),
    }
}

#[test]
fn another_decoder_sees_the_same_pixels() {
    let weights = pictures::safetensors(&[("w", "F32", &[90, 70], 4), ("v", "I8", &[3, 5], 1), ("b", "F32", &[90], 4)]);
    for encoding in [Encoding::Stored, Encoding::Deflate] {
        let options = PackOptions { encoding, ..PackOptions::default() };
        let file = pictures::packed(&[("model.safetensors", &weights)], &options);
        let (width, height, pixels) = decoded(&file);
        let (words, own_width, own_height) = open(&file).unwrap().page(0).unwrap();
        assert_eq!((width, height), (own_width, own_height));
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        assert!(bytes == pixels);
    }
}

#[test]
fn a_lossless_copy_with_its_index_is_still_the_model() {
    let original = small_model();
    let (width, height, pixels) = decoded(&original);
    let whole = open(&original).unwrap();
    for filter in [png::Filter::NoFilter, png::Filter::Sub, png::Filter::Up, png::Filter::Avg, png::Filter::Paeth] {
        let copy = encoded(width, height, &pixels, png::ColorType::Rgba, filter);
        let picture = open(&with_index(&copy, &original)).unwrap();
        let found = picture.verify(&mut |_, _| Ok(())).unwrap();
        assert!(found.is_intact() && found.rewritten_pages == [0], "{found:?}");
        for tile in whole.tensors() {
            assert!(picture.read(&tile.name).unwrap() == whole.read(&tile.name).unwrap());
        }
        assert_eq!(
            picture.file("config.json").unwrap().to_vec().unwrap(),
            whole.file("config.json").unwrap().to_vec().unwrap()
        );
    }
    let interlaced = with_index(&interlaced(width, height, &pixels), &original);
    assert!(verified(&interlaced).is_intact());
    // Other chunks in between, and bytes behind the end, change nothing.
    let mut noted = chunks(&original);
    noted.insert(1, (*b"tIME", vec![7, 230, 1, 1, 0, 0, 0]));
    let mut noted = file_of(&noted);
    noted.extend(b"and some more");
    let found = verified(&noted);
    assert!(found.is_intact() && found.rewritten_pages.is_empty(), "{found:?}");
}

/// The seven passes of an interlaced picture, without filters.
fn interlaced(width: u32, height: u32, pixels: &[u8]) -> Vec<u8> {
    let mut raw = Vec::new();
    for (x0, y0, dx, dy) in
        [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
    {
        for y in (y0..height).step_by(dy).filter(|_| x0 < width) {
            raw.push(0);
            for x in (x0..width).step_by(dx) {
                let at = 4 * (y * width + x) as usize;
                raw.extend(&pixels[at..at + 4]);
            }
        }
    }
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 6, 0, 0, 1]].concat();
    let stream = miniz_oxide::deflate::compress_to_vec_zlib(&raw, 6);
    file_of(&[(*b"IHDR", header), (*b"IDAT", stream), (*b"IEND", Vec::new())])
}

#[test]
fn what_programs_do_to_pixels_is_named() {
    let original = small_model();
    let (width, height, pixels) = decoded(&original);
    let each = |change: &dyn Fn([u8; 4]) -> Vec<u8>| -> Vec<u8> {
        pixels.as_chunks::<4>().0.iter().flat_map(|&pixel| change(pixel)).collect()
    };
    let times = |value: u8, alpha: u8| ((u32::from(value) * u32::from(alpha) + 127) / 255) as u8;
    let over = |value: u8, alpha: u8| {
        ((u32::from(value) * 255 + u32::from(alpha) / 2) / u32::from(alpha.max(1))).min(255) as u8
    };
    let premultiplied = |[r, g, b, a]: [u8; 4]| [times(r, a), times(g, a), times(b, a), a];
    let cases: [(Vec<u8>, png::ColorType, Damage); 6] = [
        (each(&|pixel| vec![pixel[0]]), png::ColorType::Indexed, Damage::Palette),
        (each(&|pixel| pixel[..3].to_vec()), png::ColorType::Rgb, Damage::NoAlpha),
        (each(&|[r, g, b, _]| vec![r, g, b, 255]), png::ColorType::Rgba, Damage::Opaque),
        (each(&|pixel| premultiplied(pixel).to_vec()), png::ColorType::Rgba, Damage::Premultiplied),
        (
            each(&|pixel| {
                let [r, g, b, a] = premultiplied(pixel);
                if a == 0 { vec![0; 4] } else { vec![over(r, a), over(g, a), over(b, a), a] }
            }),
            png::ColorType::Rgba,
            Damage::Premultiplied,
        ),
        (each(&|[r, g, b, a]| vec![r / 2 + 40, g, b, a]), png::ColorType::Rgba, Damage::Recolored),
    ];
    for (pixels, color, damage) in cases {
        let copy = encoded(width, height, &pixels, color, png::Filter::Sub);
        let found = verified(&with_index(&copy, &original));
        assert_eq!(found.damage, Some(damage), "{found:?}");
        assert!(!found.wrong_tensors.is_empty() && damage.explanation().contains("take the original file"));
        let lost = refused(&copy);
        assert!(lost.contains("index"), "{lost}");
        if damage == Damage::Palette {
            assert!(lost.contains("palette") && lost.contains("the weights are gone"), "{lost}");
        }
    }
    let copy = encoded(width, height, &pixels, png::ColorType::Rgba, png::Filter::Paeth);
    assert!(refused(&copy).contains("re-encoded without its index"), "{}", refused(&copy));
    let n_half = (width * (height / 2) * 4) as usize;
    let half = encoded(width, height / 2, &pixels[..n_half], png::ColorType::Rgba, png::Filter::Up);
    assert!(refused(&with_index(&half, &original)).contains("scaled or cut"));
}

#[test]
fn a_changed_byte_names_its_tensor() {
    let original = small_model();
    let picture = open(&original).unwrap();
    let tile = picture.tensor("b.weight").unwrap();
    let bytes = picture.read("b.weight").unwrap();
    // Rows of pixels lie in the file as they are.
    let row = &bytes[..tile.row_bytes as usize];
    let at = original.windows(row.len()).position(|window| window == row).unwrap();
    let mut wrong = original.clone();
    wrong[at + 5] ^= 1;
    let found = verified(&wrong);
    assert_eq!(found.wrong_tensors, ["b.weight"]);
    assert_eq!((found.damage, found.broken_chunks), (Some(Damage::Bytes), vec![0]));
    let error = open(&wrong).unwrap().unpack(&mut |_, _| Ok(())).unwrap_err();
    assert!(error.message().contains("`b.weight` differs"), "{error}");
}

#[test]
fn a_file_that_is_cut_off_says_so() {
    let original = small_model();
    for end in [9, 20, 40, 200, original.len() / 2, original.len() - 30, original.len() - 1] {
        let message = refused(&original[..end]);
        assert!(message.contains("cut off") || message.contains("no PNG"), "{end}: {message}");
    }
    assert!(refused(b"no picture at all").contains("no PNG"));
}
