//! Operands in pictures: whether a matrix lies in a page of pixels or in memory of its own must not change a bit of a result.
//!
//! Every case of every operation is computed once from ordinary arrays and then with its operands in one page, as a buffer and as a
//! texture, packed evenly (rows begin at multiples of four pixels, so that kernels can read four at once) and unevenly (they do not).
//! The page ends with the last row of the last operand, so that nothing can be read past it unnoticed.

use crate::structured::{Outcome, forced, variants};
use tilework::layers::core::host::HostBuffer;
use tilework::layers::ops::case::{Case, CaseInput};
use tilework::{Array, DType, Device, Picture, PictureKind, Result};

/// How operands lie in the page.
#[derive(Clone, Copy, Debug)]
enum Packing {
    Even,
    Uneven,
}

/// Where an operand lies in the page: column and row of its first pixel, elements of a row, and rows.
struct Tile {
    x: usize,
    y: usize,
    n_cols: usize,
    n_rows: usize,
}

/// A page under construction.
struct Layout {
    width: usize,
    height: usize,
    tiles: Vec<Option<Tile>>,
}

impl Layout {
    /// Operands below each other; what is not made of pixels has no tile.
    fn new(inputs: &[CaseInput], packing: Packing) -> Layout {
        let (mut y, mut width) = (0, 1);
        let mut tiles = Vec::new();
        for (index, input) in inputs.iter().enumerate() {
            let Some(n_in_pixel) = n_in_pixel(input.data.dtype()) else {
                tiles.push(None);
                continue;
            };
            let n_cols = input.shape.last().copied().unwrap_or(1);
            let n_rows = input.data.len().checked_div(n_cols).unwrap_or(0);
            let x = match packing {
                Packing::Even => 4 * (index % 3),
                Packing::Uneven => 1 + 2 * index,
            };
            width = width.max(x + n_cols.div_ceil(n_in_pixel));
            tiles.push(Some(Tile { x, y, n_cols, n_rows }));
            // A row of nothing between operands.
            y += n_rows + 1;
        }
        let width = match packing {
            Packing::Even => width.next_multiple_of(4),
            Packing::Uneven => width + 1 - width % 2,
        };
        Layout { width, height: y.max(2) - 1, tiles }
    }

    /// The page with every operand in its place, and noise that is no number everywhere else.
    fn words(&self, inputs: &[CaseInput]) -> Vec<u32> {
        let mut words = vec![0xffff_ffff; self.width * self.height];
        for (tile, input) in self.tiles.iter().zip(inputs) {
            let (Some(tile), bytes) = (tile, input.data.bytes()) else { continue };
            let row_bytes = tile.n_cols * input.data.dtype().size_bytes();
            for (row, bytes) in bytes.chunks(row_bytes.max(1)).enumerate() {
                let at = (tile.y + row) * self.width + tile.x;
                for (word, bytes) in words[at..].iter_mut().zip(bytes.chunks(4)) {
                    let mut whole = [0xff; 4];
                    whole[..bytes.len()].copy_from_slice(bytes);
                    *word = u32::from_le_bytes(whole);
                }
            }
        }
        words
    }
}

/// Elements of a pixel, of types that pictures have.
fn n_in_pixel(dtype: DType) -> Option<usize> {
    match dtype {
        DType::F32 | DType::U32 => Some(1),
        DType::F16 => Some(2),
        _ => None,
    }
}

fn arrays(case: &Case, device: &Device, page: Option<(&Picture, &Layout)>) -> Result<Vec<Array>> {
    let source = |(index, input): (usize, &CaseInput)| {
        let tile = page.and_then(|(picture, layout)| Some((picture, layout.tiles[index].as_ref()?)));
        let source = match (tile, input.data.dtype()) {
            (None, _) => device.from_host(input.data.clone(), &input.shape),
            (Some((picture, Tile { x, y, n_cols, n_rows })), dtype) => match dtype {
                DType::F16 => picture.view_f16(*x, *y, *n_cols, *n_rows),
                DType::U32 => picture.view_u32(*x, *y, *n_cols, *n_rows),
                _ => picture.view_f32(*x, *y, *n_cols, *n_rows),
            }
            .reshape(&input.shape),
        };
        Ok(device.from_graph(input.node(source.graph_node()?)))
    };
    case.inputs.iter().enumerate().map(source).collect()
}

/// The inputs of a case in textures, packed evenly and unevenly.
pub fn in_textures(case: &Case, device: &Device) -> Result<Vec<Vec<Array>>> {
    let packed = |packing: Packing| {
        let layout = Layout::new(&case.inputs, packing);
        let words = layout.words(&case.inputs);
        let picture = device.picture(words, layout.width, layout.height, PictureKind::Texture)?;
        arrays(case, device, Some((&picture, &layout)))
    };
    [Packing::Even, Packing::Uneven].into_iter().map(packed).collect()
}

/// What is computed with the operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Work {
    /// The operation.
    Plain,
    /// The operation between expressions that become part of its kernel.
    Fused,
}

async fn result(case: &Case, device: &Device, work: Work, page: Option<(&Picture, &Layout)>) -> Result<HostBuffer> {
    let arrays = arrays(case, device, page)?;
    if work == Work::Plain {
        return device.apply(case.op.clone(), &arrays.iter().collect::<Vec<_>>()).to_host().await;
    }
    let is_float = |array: &Array| array.dtype().is_float();
    let spliced: Vec<Array> = arrays.iter().map(|x| if is_float(x) { x + x } else { x.clone() }).collect();
    let out = device.apply(case.op.clone(), &spliced.iter().collect::<Vec<_>>());
    if is_float(&out) { out.gelu().to_host().await } else { out.to_host().await }
}

/// Ways of placing operands that a kernel is given.
type Ways = &'static [(PictureKind, Packing)];
/// Every way.
const ALL: Ways = &[
    (PictureKind::Buffer, Packing::Even),
    (PictureKind::Buffer, Packing::Uneven),
    (PictureKind::Texture, Packing::Even),
    (PictureKind::Texture, Packing::Uneven),
];
/// Each form and each packing, once.
const SOME: Ways = &[(PictureKind::Buffer, Packing::Uneven), (PictureKind::Texture, Packing::Even)];

/// How many of an operation's cases are checked. A kernel takes a second to compile in a browser on a program that imitates a GPU, and
/// what is not one of the operations that models are made of is checked often enough elsewhere.
pub(crate) fn n_cases(op: &str) -> usize {
    let is_of_models = ["matmul", "attention", "layer_norm", "neighborhood_attention", "softmax", "reduce", "gather"];
    match (cfg!(target_arch = "wasm32"), is_of_models.contains(&op)) {
        (false, _) => usize::MAX,
        (true, true) => 6,
        (true, false) => 1,
    }
}

/// The operation on operands in pictures, by every kernel that can compute it.
pub(crate) async fn check(case: &Case, device: &Device) -> Outcome {
    let is_browser = cfg!(target_arch = "wasm32");
    check_kernel(case, device, Work::Plain, if is_browser { SOME } else { ALL }).await?;
    check_kernel(case, device, Work::Fused, &SOME[1..]).await.map_err(|message| format!("fused: {message}"))?;
    if device.open_gpu().is_none() || is_browser {
        return Ok(());
    }
    let before = device.choices();
    let mut outcome = Ok(());
    for variant in variants(case, &device.caps()).into_iter().skip(1) {
        device.set_choices(vec![forced(case, variant)]);
        let checked = check_kernel(case, device, Work::Plain, SOME).await;
        outcome = outcome.and(checked.map_err(|message| format!("{variant}: {message}")));
    }
    device.set_choices(before);
    outcome
}

async fn check_kernel(case: &Case, device: &Device, work: Work, ways: Ways) -> Outcome {
    let want = result(case, device, work, None).await.map_err(|error| error.to_string())?;
    for &(kind, packing) in ways {
        let layout = Layout::new(&case.inputs, packing);
        if kind == PictureKind::Texture && !has_texture(device, &layout) {
            continue;
        }
        let run = async || {
            let picture = device.picture(layout.words(&case.inputs), layout.width, layout.height, kind)?;
            result(case, device, work, Some((&picture, &layout))).await
        };
        let got = run().await.map_err(|error| format!("{kind:?}, {packing:?}: {error}"))?;
        same_bits(&got, &want).map_err(|message| format!("{kind:?}, {packing:?}: {message}"))?;
    }
    Ok(())
}

/// Whether a page can be a texture of the device, if it has such.
fn has_texture(device: &Device, layout: &Layout) -> bool {
    let [width, height] = [layout.width, layout.height].map(|n| u32::try_from(n).unwrap_or(u32::MAX));
    device.open_gpu().is_none_or(|gpu| gpu.has_texture_size(width, height))
}

/// Equal to the bit. Which of its many forms a NaN has is up to the compiler of a shader, so that all of them are one.
fn same_bits(got: &HostBuffer, want: &HostBuffer) -> Outcome {
    if got.dtype() != want.dtype() || got.len() != want.len() {
        return Err(format!("{} elements of {} for {} of {}", got.len(), got.dtype(), want.len(), want.dtype()));
    }
    let size = got.dtype().size_bytes();
    let mut pairs = got.bytes().chunks(size).zip(want.bytes().chunks(size)).enumerate();
    let differs = |i: usize, [got_bytes, want_bytes]: [&[u8]; 2]| {
        got_bytes != want_bytes && !(got.f64_at(i).is_nan() && want.f64_at(i).is_nan())
    };
    match pairs.find(|&(i, (got, want))| differs(i, [got, want])) {
        None => Ok(()),
        Some((i, _)) => Err(format!("element {i}: {} and not, to the bit, {}", got.f64_at(i), want.f64_at(i))),
    }
}
