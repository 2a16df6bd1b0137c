//! Textures as inputs: read as they were written, changed in part, and refused where a Plan reads a buffer.

mod common;

use std::sync::Arc;

use common::{kernel, slot, upload, with_gpu, with_own_gpu};
use tilework_core::ErrorKind;
use tilework_core::plan::{Access, Binding, Pass, Plan, SlotRole};
use tilework_gpu::{Buffer, Gpu, GpuOptions, Memory, Rect, Texture};

/// `y[i]` is word `i` of a picture 3 words wide.
const NARROW: &str = "
@group(0) @binding(0) var x: texture_2d<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@group(0) @binding(2) var<uniform> params: vec4<u32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < arrayLength(&y)) { y[id.x] = textureLoad(x, vec2<u32>(id.x % 3u, id.x / 3u), 0).x; }
}";

/// `y[i]` is word `i` of a picture 8 words wide, four in a texel.
const WIDE: &str = "
@group(0) @binding(0) var x: texture_2d<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@group(0) @binding(2) var<uniform> params: vec4<u32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < arrayLength(&y)) { y[id.x] = textureLoad(x, vec2<u32>(id.x % 8u / 4u, id.x / 8u), 0)[id.x % 4u]; }
}";

fn plan(wgsl: &'static str, n: usize, access: Access) -> Arc<Plan> {
    let bindings = vec![Binding { slot: 0, access }, Binding { slot: 1, access: Access::Write }];
    let workgroups = [n.div_ceil(64) as u32, 1, 1];
    let pass = Pass { kernel: kernel("texels", wgsl), bindings, params: vec![0; 4], patches: vec![], workgroups };
    let slots = vec![slot(n, SlotRole::Input(0)), slot(n, SlotRole::Output(0))];
    Arc::new(Plan { slots, passes: vec![pass], n_inputs: 1, n_outputs: 1, n_scalars: 0 })
}

fn words_of(gpu: &Gpu, output: &Buffer) -> Vec<u32> {
    let bytes = pollster::block_on(gpu.read(output, 0, output.size_bytes())).unwrap();
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
}

fn seen(gpu: &Gpu, texture: &Texture, wgsl: &'static str) -> Vec<u32> {
    let n = texture.size().iter().product::<u32>() as usize;
    let prepared = gpu.prepare(plan(wgsl, n, Access::Texels)).unwrap();
    let outputs = gpu.execute_owned(&prepared, vec![Memory::Texture(texture.clone())], &[]).unwrap();
    words_of(gpu, &outputs[0])
}

#[test]
fn a_texture_is_its_words_and_a_part_of_it_can_be_replaced() {
    with_own_gpu(GpuOptions::default(), |gpu| {
        for (wgsl, width) in [(NARROW, 3u32), (WIDE, 8)] {
            // Some words are signalling NaN, which floats would not survive.
            let mut words: Vec<u32> = (0..width * 5).map(|i| 0x7f80_0001 + i * 0x0101_0101).collect();
            let before = gpu.counters();
            let texture = gpu.upload_texture(&words, width, 5).unwrap();
            assert_eq!(gpu.counters().since(before).bytes_up, 4 * 5 * u64::from(width));
            assert_eq!(seen(gpu, &texture, wgsl), words);
            let copy = gpu.copy_texture(&texture).unwrap();
            let earlier = words.clone();
            for at in [width + 1, 2 * width + 1] {
                words[at as usize] = at;
            }
            gpu.write_texture(&texture, &words, Rect { x: 1, y: 1, width: 1, height: 2 }).unwrap();
            assert_eq!(seen(gpu, &texture, wgsl), words);
            assert_eq!(seen(gpu, &copy, wgsl), earlier);
        }
    });
}

#[test]
fn rows_of_a_buffer_can_be_replaced() {
    with_gpu(|gpu| {
        let mut words: Vec<u32> = (0..7 * 6).collect();
        let buffer = gpu.upload(bytemuck::cast_slice(&words)).unwrap();
        let copy = gpu.copy_buffer(&buffer).unwrap();
        for rect in [Rect { x: 2, y: 1, width: 3, height: 4 }, Rect { x: 0, y: 4, width: 7, height: 2 }] {
            for row in rect.y..rect.y + rect.height {
                for column in rect.x..rect.x + rect.width {
                    words[(row * 7 + column) as usize] += 1000;
                }
            }
            gpu.write_rows(&buffer, 7, &words, rect).unwrap();
        }
        assert_eq!(words_of(gpu, &buffer), words);
        assert_eq!(words_of(gpu, &copy), (0..7 * 6).collect::<Vec<_>>());
        let outside = Rect { x: 5, y: 0, width: 3, height: 1 };
        assert_eq!(gpu.write_rows(&buffer, 7, &words, outside).unwrap_err().kind(), ErrorKind::Argument);
    });
}

#[test]
fn what_is_no_texture_is_refused() {
    with_gpu(|gpu| {
        let is = |result: Result<(), tilework_core::Error>, kind| assert_eq!(result.unwrap_err().kind(), kind);
        is(gpu.upload_texture(&[0; 5], 3, 2).map(drop), ErrorKind::Argument);
        is(gpu.upload_texture(&[], 0, 0).map(drop), ErrorKind::TooLarge);
        is(gpu.upload_texture(&[0], u32::MAX, 1).map(drop), ErrorKind::TooLarge);
        is(gpu.upload_texture(&[0], 1, u32::MAX).map(drop), ErrorKind::TooLarge);
        let texture = gpu.upload_texture(&[0; 15], 3, 5).unwrap();
        for rect in [[0, 0, 4, 1], [0, 0, 0, 1], [3, 0, 1, 1], [0, 5, 1, 1], [u32::MAX, 0, 2, 1]] {
            let [x, y, width, height] = rect;
            is(gpu.write_texture(&texture, &[0; 15], Rect { x, y, width, height }), ErrorKind::Argument);
        }
        is(gpu.write_texture(&texture, &[0; 14], Rect { x: 0, y: 0, width: 1, height: 1 }), ErrorKind::Argument);
        with_own_gpu(GpuOptions::default(), |other| {
            is(other.copy_texture(&texture).map(drop), ErrorKind::Argument);
            let prepared = other.prepare(plan(NARROW, 15, Access::Texels)).unwrap();
            is(
                other.execute_owned(&prepared, vec![Memory::Texture(texture.clone())], &[]).map(drop),
                ErrorKind::Argument,
            );
        });
    });
}

#[test]
fn a_plan_gets_what_it_reads() {
    with_gpu(|gpu| {
        let reads_texture = gpu.prepare(plan(NARROW, 15, Access::Texels)).unwrap();
        let error = gpu.execute(&reads_texture, &[upload(gpu, &[0.0; 15])], &[]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Argument, "{error}");
        let texture = Memory::Texture(gpu.upload_texture(&[0; 15], 3, 5).unwrap());
        let reads_buffer = gpu.prepare(Arc::new(common::square_plan(15))).unwrap();
        let error = gpu.execute_owned(&reads_buffer, vec![texture.clone()], &[]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Argument, "{error}");
        let reads_more = gpu.prepare(plan(NARROW, 16, Access::Texels)).unwrap();
        let error = gpu.execute_owned(&reads_more, vec![texture], &[]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Argument, "{error}");
    });
}
