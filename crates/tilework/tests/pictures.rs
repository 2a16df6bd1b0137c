//! Pictures as operands: what is uploaded, what is copied, what painting changes and what is refused. That results are the same to the
//! bit as those of ordinary arrays is checked for every operation by the conformance run.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]

mod common;

use common::{devices, gpu};
use pollster::block_on;
use tilework::{Array, Device, ErrorKind, Half, Picture, PictureKind, SoftwareAdapters};

const KINDS: [PictureKind; 2] = [PictureKind::Buffer, PictureKind::Texture];
const WIDTH: usize = 37;
const HEIGHT: usize = 23;

/// A float that tells where it lies.
fn number(x: usize, y: usize) -> f32 {
    x as f32 * 0.25 - y as f32
}

fn floats() -> Vec<u32> {
    (0..WIDTH * HEIGHT).map(|i| number(i % WIDTH, i / WIDTH).to_bits()).collect()
}

fn picture(device: &Device, kind: PictureKind) -> Picture {
    device.picture(floats(), WIDTH, HEIGHT, kind).unwrap()
}

fn read(array: &Array) -> Vec<f32> {
    block_on(array.to_vec()).unwrap()
}

#[test]
fn a_view_is_a_rectangle() {
    for device in devices() {
        for kind in KINDS {
            let picture = picture(&device, kind);
            for [x, y, w, h] in
                [[0, 0, WIDTH, HEIGHT], [3, 5, 7, 9], [WIDTH - 1, HEIGHT - 1, 1, 1], [1, HEIGHT - 1, 36, 1]]
            {
                let view = picture.view_f32(x, y, w, h);
                assert_eq!(view.shape(), [h, w]);
                let want: Vec<f32> = (0..w * h).map(|i| number(x + i % w, y + i / w)).collect();
                assert_eq!(read(&view), want, "{kind:?} {x} {y} {w} {h}");
                let words = picture.view_u32(x, y, w, h);
                let want: Vec<u32> = want.iter().map(|x| x.to_bits()).collect();
                assert_eq!(block_on(words.to_vec::<u32>()).unwrap(), want);
            }
            assert!(read(&picture.view_f32(4, 4, 0, 0)).is_empty());
        }
    }
}

#[test]
fn halves_lie_two_in_a_pixel() {
    let halves: Vec<Half> = (0..2 * 5 * 3).map(|i| Half::from_f32(i as f32 - 7.5)).collect();
    let words = halves.chunks(2).map(|pair| u32::from(pair[0].0) | u32::from(pair[1].0) << 16).collect::<Vec<_>>();
    for device in devices() {
        for kind in KINDS {
            let picture = device.picture(words.clone(), 5, 3, kind).unwrap();
            let view = picture.view_f16(1, 1, 7, 2);
            let got = block_on(view.to_vec::<Half>()).unwrap();
            assert_eq!(got, [&halves[12..19], &halves[22..29]].concat());
            let total = view.to_f32().sum([]);
            assert_eq!(block_on(total.item()).unwrap(), f64::from(got.iter().map(|half| half.to_f32()).sum::<f32>()));
        }
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let device = Device::cpu();
    let shapes = |result: tilework::Result<()>| assert_eq!(result.unwrap_err().kind(), ErrorKind::Shape);
    for (n, width, height) in [(6, 2, 2), (0, 0, 0), (0, 0, 5), (4, usize::MAX, 2)] {
        shapes(device.picture(vec![0; n], width, height, PictureKind::Buffer).map(|_| ()));
    }
    let mut picture = picture(&device, PictureKind::Texture);
    for [x, y, w, h] in
        [[0, 0, WIDTH + 1, 1], [WIDTH, 0, 1, 1], [0, 1, 1, HEIGHT], [usize::MAX, 0, 2, 1], [0, 0, usize::MAX, 2]]
    {
        shapes(picture.view_f32(x, y, w, h).check());
        shapes(picture.view_u32(x, y, w, h).check());
        shapes(picture.view_f16(x, y, w.saturating_mul(2), h).check());
        shapes(picture.mask(x, y, w, h));
        shapes(picture.paint(x, y, w, h, &[0, 0]));
    }
    shapes(picture.paint(0, 0, 2, 2, &[0; 3]));
    assert_eq!(picture.words(), floats());
    if let Some(device) = gpu() {
        let most = device.open_gpu().unwrap().max_texture_size() as usize;
        let error = device.picture(vec![0; most + 1], most + 1, 1, PictureKind::Texture).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TooLarge, "{error}");
        assert!(device.picture(vec![0; most + 1], most + 1, 1, PictureKind::Buffer).is_ok());
    }
}

/// A layer whose weights, bias and scale are three rectangles of one page.
fn layer(picture: &Picture, x: &Array) -> Array {
    let weights = picture.view_f32(3, 1, 16, 12);
    let bias = picture.view_f32(5, 15, 12, 1);
    let scale = picture.view_f32(24, 2, 12, 1);
    (x.matmul(&weights.t()) + bias) * scale
}

#[test]
fn a_page_is_uploaded_once_and_costs_no_dispatch() {
    let Some(device) = gpu() else { return };
    let x = device.linspace(-1.0, 1.0, 3 * 16).reshape([3, 16]);
    block_on(x.eval()).unwrap();
    for kind in KINDS {
        let picture = picture(&device, kind);
        let before = device.counters();
        let first = read(&layer(&picture, &x));
        let after = device.counters().since(before);
        assert_eq!(after.bytes_up, 4 * (WIDTH * HEIGHT) as u64, "{kind:?}");
        assert_eq!((after.dispatches, after.buffer_copies), (1, 0), "{kind:?}");
        let before = device.counters();
        assert_eq!(read(&layer(&picture, &x)), first);
        let after = device.counters().since(before);
        assert_eq!((after.bytes_up, after.pipelines_built, after.buffers_allocated), (0, 0, 0), "{kind:?}");
    }
}

#[test]
fn views_of_one_texture_are_one_binding() {
    let device = Device::cpu();
    let picture = picture(&device, PictureKind::Texture);
    let x = device.ones([3, 16]);
    let kernels = device.kernels(&layer(&picture, &x)).unwrap();
    let textures: Vec<usize> = kernels.iter().map(|text| text.matches("texture_2d<u32>").count()).collect();
    assert_eq!(textures.iter().max(), Some(&1), "{kernels:?}");
}

#[test]
fn painting_sends_a_rectangle_and_earlier_arrays_keep_what_they_saw() {
    for device in devices() {
        for kind in KINDS {
            let mut picture = picture(&device, kind);
            let earlier = picture.view_f32(2, 2, 4, 4);
            let sum = |picture: &Picture| read(&picture.view_f32(0, 0, WIDTH, HEIGHT).sum([]))[0];
            let total = sum(&picture);
            let before = device.counters();
            picture.paint(3, 3, 2, 5, &[100.0f32.to_bits(); 10]).unwrap();
            let changed = device.counters().since(before);
            let is_on_gpu = device.open_gpu().is_some();
            assert_eq!((changed.bytes_up, changed.buffer_copies), if is_on_gpu { (40, 1) } else { (0, 0) });
            let old: f32 = (0..10).map(|i| number(3 + i % 2, 3 + i / 2)).sum();
            assert_eq!(sum(&picture), total - old + 1000.0, "{kind:?}");
            assert_eq!(read(&earlier)[5], number(3, 3), "the array was made before");
            assert_eq!(read(&picture.view_f32(2, 2, 4, 4))[5], 100.0);
            drop(earlier);
            let before = device.counters();
            picture.mask(0, HEIGHT - 2, WIDTH, 2).unwrap();
            let changed = device.counters().since(before);
            assert_eq!(changed.buffer_copies, 0, "nobody sees the page: it is changed in place");
            assert_eq!(changed.bytes_up, if is_on_gpu { 4 * 2 * WIDTH as u64 } else { 0 });
            assert_eq!(read(&picture.view_f32(WIDTH - 1, HEIGHT - 1, 1, 1)), [0.0]);
            let want: Vec<f32> = picture.words().iter().map(|&word| f32::from_bits(word)).collect();
            assert_eq!(read(&picture.view_f32(0, 0, WIDTH, HEIGHT)), want, "the device has what the host has");
        }
    }
}

#[test]
fn a_captured_program_reads_weights_where_they_are() {
    for device in devices() {
        for kind in KINDS {
            let mut picture = picture(&device, kind);
            let x = device.linspace(-1.0, 1.0, 3 * 16).reshape([3, 16]);
            let want = read(&layer(&picture, &x));
            let program = block_on(device.capture(|inputs| vec![layer(&picture, &inputs[0])], &[&x])).unwrap();
            picture.mask(0, 0, WIDTH, HEIGHT).unwrap();
            let got = block_on(program.run(&[&x])).unwrap();
            assert_eq!(read(&got[0]), want, "a program keeps the weights it was captured with");
            assert!(read(&layer(&picture, &x)).iter().all(|&y| y == 0.0));
        }
    }
}

#[test]
fn what_changes_an_array_does_not_change_a_picture() {
    for device in devices() {
        for kind in KINDS {
            // The whole page is a cache: [2, heads, places, elements].
            let words: Vec<u32> = (0..2 * 3 * 4 * 8).map(|i| (i as f32).to_bits()).collect();
            let picture = device.picture(words.clone(), 8, 24, kind).unwrap();
            let cache = picture.view_f32(0, 0, 8, 24).reshape([2, 3, 4, 8]);
            let new = device.full([3, 1, 8], -1.5);
            let n_past = device.array(vec![2i32], [1]).cast(tilework::DType::U32);
            let appended = read(&cache.cache_append(&new, &new, &n_past));
            assert_eq!(appended.iter().filter(|&&x| x == -1.5).count(), 2 * 3 * 8, "{kind:?}");
            assert_eq!(block_on(picture.view_u32(0, 0, 8, 24).flatten().to_vec::<u32>()).unwrap(), words);
        }
    }
}

#[test]
fn gradients_flow_to_what_is_computed_with_pixels() {
    for device in devices() {
        let [plain, pixels] = [None, Some(PictureKind::Texture)].map(|kind| {
            let page = picture(&device, kind.unwrap_or(PictureKind::Buffer));
            let weights = page.view_f32(3, 1, 16, 12);
            let weights = if kind.is_none() { device.array(read(&weights), [12, 16]) } else { weights };
            let x = device.linspace(-1.0, 1.0, 3 * 16).reshape([3, 16]);
            let by_x = device.grad(|x| x.matmul(&weights.t()).tanh().sum([]), &x).unwrap();
            let by_weights = device.grad(|w| x.matmul(&w.t()).tanh().sum([]), &weights).unwrap();
            (read(&by_x), read(&by_weights))
        });
        assert_eq!(plain, pixels);
    }
}

#[test]
fn a_picture_outlives_its_device_and_moves_to_another() {
    let cpu = Device::cpu();
    let want = read(&layer(&picture(&cpu, PictureKind::Buffer), &cpu.ones([3, 16])));
    let Some(device) = gpu() else { return };
    for kind in KINDS {
        let mut picture = picture(&device, kind);
        common::assert_close(&read(&layer(&picture, &device.ones([3, 16]))), &want, 1e-5);
        let held = picture.view_f32(0, 0, 2, 2);
        device.open_gpu().unwrap().destroy();
        picture.paint(0, 0, 1, 1, &[7]).unwrap();
        block_on(device.reopen()).unwrap();
        assert_eq!(block_on(picture.view_u32(0, 0, 1, 1).to_vec::<u32>()).unwrap(), [7]);
        common::assert_close(&read(&layer(&picture, &device.ones([3, 16]))), &want, 1e-5);
        assert_eq!(read(&held), [number(0, 0), number(1, 0), number(0, 1), number(1, 1)]);
    }
    let options = tilework::GpuOptions::default();
    let auto = block_on(Device::auto_with(options, SoftwareAdapters::Consider));
    for kind in KINDS {
        common::assert_close(&read(&layer(&picture(&auto, kind), &auto.ones([3, 16]))), &want, 1e-5);
    }
}

#[test]
fn rows_of_whole_fours_are_painted_as_any_others() {
    for device in devices() {
        for kind in KINDS {
            let mut words: Vec<u32> = (0..40 * 9).map(|i| (i as f32).to_bits()).collect();
            let mut picture = device.picture(words.clone(), 40, 9, kind).unwrap();
            for [x, y, w, h] in [[3, 3, 2, 5], [0, 8, 40, 1], [39, 0, 1, 9], [4, 4, 4, 4], [37, 1, 3, 1]] {
                block_on(picture.view_f32(0, 0, 1, 1).eval()).unwrap();
                let paint: Vec<u32> = (0..w * h).map(|i| (-1.0 - (x * y * i) as f32).to_bits()).collect();
                let before = device.counters();
                picture.paint(x, y, w, h, &paint).unwrap();
                for (i, &word) in paint.iter().enumerate() {
                    words[(y + i / w) * 40 + x + i % w] = word;
                }
                let sent = device.counters().since(before).bytes_up as usize;
                // Texels are four words, of which a rectangle may begin and end in the middle.
                let n_columns = if kind == PictureKind::Texture { (x + w).next_multiple_of(4) - x / 4 * 4 } else { w };
                assert_eq!(sent, if device.open_gpu().is_some() { 4 * n_columns * h } else { 0 });
                let seen = block_on(picture.view_u32(0, 0, 40, 9).flatten().to_vec::<u32>()).unwrap();
                assert!(seen == words && picture.words() == words, "{kind:?} {x} {y} {w} {h}");
            }
        }
    }
}

#[test]
fn a_measurement_chooses_and_is_remembered() {
    let one = |device: &Device| device.picture(vec![0; 4], 2, 2, PictureKind::Measured).unwrap().kind();
    let error = block_on(Device::cpu().measure_pictures()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert_eq!(one(&Device::cpu()), PictureKind::Buffer);
    let Some(device) = gpu() else { return };
    // What else was measured here is kept.
    device.set_choices(device.choices().into_iter().filter(|choice| choice.op != "picture").collect());
    assert_eq!(one(&device), PictureKind::Buffer, "nobody has measured");
    let kind = block_on(device.measure_pictures()).unwrap();
    assert_eq!(one(&device), kind);
    let before = device.stats();
    assert_eq!(block_on(device.measure_pictures()).unwrap(), kind);
    assert_eq!(device.stats(), before, "it is known already");
    device.set_choices_from("picture 1024,1024 texture\n");
    assert_eq!(one(&device), PictureKind::Texture);
}

#[test]
fn halves_in_a_wide_page_meet_vectors_as_they_do_alone() {
    let (width, n_cols, n_rows) = (96, 33, 20);
    let value = |row: usize, column: usize| Half::from_f32(((row * 31 + column * 17) % 64) as f32 / 16.0 - 2.0);
    let page: Vec<Half> = (0..2 * width * 24).map(|i| value(i / (2 * width), i % (2 * width))).collect();
    let words: Vec<u32> = page.chunks(2).map(|pair| u32::from(pair[0].0) | u32::from(pair[1].0) << 16).collect();
    let own: Vec<Half> = (0..n_rows * n_cols).map(|i| value(2 + i / n_cols, 10 + i % n_cols)).collect();
    for device in devices() {
        let plain = device.array(own.clone(), [n_rows, n_cols]);
        let x = device.linspace(-1.0, 1.0, 3 * n_cols).reshape([3, n_cols]);
        for kind in KINDS {
            let view = device.picture(words.clone(), width, 24, kind).unwrap().view_f16(5, 2, n_cols, n_rows);
            for work in [
                |x: &Array, w: &Array| x.matmul(&w.t()),
                |x: &Array, w: &Array| w.matmul(&x.t()),
                |x: &Array, w: &Array| x.matmul(&w.slice(0, tilework::Range::ALL.step(-1)).t()),
            ] {
                assert_eq!(read(&work(&x, &view)), read(&work(&x, &plain)), "{kind:?}");
            }
        }
    }
}
