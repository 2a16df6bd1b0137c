//! PNG files as other programs write them, decoded in full.
//!
//! A picture may come back compressed, filtered, interlaced or with a palette: all of that is lossless as long as every pixel stays the
//! same, so any kind of PNG is decoded to RGBA here and the checksums of the tensors decide.
//! (<https://www.w3.org/TR/png-3/>, sections 7 to 10.)

use miniz_oxide::inflate::core::{DecompressorOxide, decompress, inflate_flags};
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use tilework::{Error, Result};

use super::chunk::{self, Chunk};
use super::read::memory_for;
use super::stream::Image;
use super::{MAX_PAGE_BYTES, MAX_SIDE_PX, damaged, mark};
use crate::gguf::Source;

/// What IHDR says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    width: u32,
    height: u32,
    pub(super) depth: u8,
    pub(super) color: Color,
    is_interlaced: bool,
}

/// What a pixel is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Color {
    Gray,
    Rgb,
    Palette,
    GrayAlpha,
    Rgba,
}

impl Color {
    fn n_samples(self) -> usize {
        match self {
            Color::Gray | Color::Palette => 1,
            Color::GrayAlpha => 2,
            Color::Rgb => 3,
            Color::Rgba => 4,
        }
    }
}

/// First column and row and the steps of the seven passes of an interlaced picture.
const PASSES: [(u32, u32, u32, u32); 7] =
    [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)];

impl Header {
    pub(super) fn parse(content: &[u8]) -> Result<Header> {
        let wrong = || damaged("its IHDR is wrong");
        let Ok([w0, w1, w2, w3, h0, h1, h2, h3, depth, color, 0, 0, interlace]) = <[u8; 13]>::try_from(content) else {
            return Err(wrong());
        };
        let (width, height) = (u32::from_be_bytes([w0, w1, w2, w3]), u32::from_be_bytes([h0, h1, h2, h3]));
        let (color, depths): (Color, &[u8]) = match color {
            0 => (Color::Gray, &[1, 2, 4, 8, 16]),
            2 => (Color::Rgb, &[8, 16]),
            3 => (Color::Palette, &[1, 2, 4, 8]),
            4 => (Color::GrayAlpha, &[8, 16]),
            6 => (Color::Rgba, &[8, 16]),
            _ => return Err(wrong()),
        };
        if width == 0 || height == 0 || interlace > 1 || !depths.contains(&depth) {
            return Err(wrong());
        }
        let is_too_large = u64::from(width) * u64::from(height) * 4 > MAX_PAGE_BYTES;
        if is_too_large || width.max(height) > MAX_SIDE_PX {
            let limit = MAX_PAGE_BYTES >> 20;
            return Err(damaged(format!("a picture of {width} × {height} pixels is refused; {limit} MiB are allowed")));
        }
        Ok(Header { width, height, depth, color, is_interlaced: interlace == 1 })
    }

    pub(super) fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// Whether pixels have the form that pages are written in.
    pub(super) fn is_as_written(&self) -> bool {
        self.is_rgba8() && !self.is_interlaced
    }

    pub(super) fn is_rgba8(&self) -> bool {
        self.depth == 8 && self.color == Color::Rgba
    }

    /// Bytes of a row of `width` pixels without its filter.
    fn row_bytes(&self, width: u32) -> usize {
        (width as usize * self.color.n_samples() * usize::from(self.depth)).div_ceil(8)
    }

    /// The passes of the picture: one, or seven of which some may be empty. Offsets, steps, width and height.
    fn passes(&self) -> Vec<(u32, u32, u32, u32, u32, u32)> {
        if !self.is_interlaced {
            return vec![(0, 0, 1, 1, self.width, self.height)];
        }
        let pass = |&(x, y, dx, dy): &(u32, u32, u32, u32)| {
            let n = |size: u32, first: u32, step: u32| size.saturating_sub(first).div_ceil(step);
            (x, y, dx, dy, n(self.width, x, dx), n(self.height, y, dy))
        };
        PASSES.iter().map(pass).filter(|pass| pass.4 > 0 && pass.5 > 0).collect()
    }
}

/// All pixels of a picture as RGBA.
pub(super) fn decode(source: &dyn Source, header: &Header) -> Result<Image> {
    let (stream, palette) = gather(source)?;
    let n_raw: usize = header.passes().iter().map(|pass| (header.row_bytes(pass.4) + 1) * pass.5 as usize).sum();
    let raw = decompress_to_vec_zlib_with_limit(&stream, n_raw).map_err(|error| {
        damaged(format!("its pixels cannot be decoded: {:?} after {} bytes", error.status, error.output.len()))
    })?;
    drop(stream);
    if raw.len() != n_raw {
        return Err(damaged(format!("it has {} bytes of pixels instead of {n_raw}", raw.len())));
    }
    let mut image = Image::blank(header.width, header.height)?;
    let mut rest = &raw[..];
    let n_left = (header.color.n_samples() * usize::from(header.depth)).div_ceil(8);
    for (x0, y0, dx, dy, width, height) in header.passes() {
        let row_bytes = header.row_bytes(width);
        let mut before = vec![0; row_bytes];
        for row in 0..height {
            let (line, later) = rest.split_at_checked(row_bytes + 1).ok_or_else(|| damaged("a row is missing"))?;
            rest = later;
            let mut now = line[1..].to_vec();
            unfilter(line[0], &before, &mut now, n_left)?;
            for column in 0..width {
                let pixel = pixel(header, &palette, &now, column as usize);
                image.pixels_mut(x0 + column * dx, y0 + row * dy, 1).copy_from_slice(&pixel);
            }
            before = now;
        }
    }
    Ok(image)
}

/// The content of all IDAT chunks, and the palette.
fn gather(source: &dyn Source) -> Result<(Vec<u8>, Vec<[u8; 4]>)> {
    let mut idats: Vec<Chunk> = Vec::new();
    let mut palette: Vec<[u8; 4]> = Vec::new();
    let mut at = 8;
    loop {
        let chunk = chunk::at(source, at)?;
        match chunk.kind {
            chunk::IDAT => idats.push(chunk),
            chunk::PLTE => {
                let colors = chunk.read(source, 768)?;
                palette = colors.as_chunks::<3>().0.iter().map(|&[r, g, b]| [r, g, b, 255]).collect();
            }
            chunk::TRNS => {
                let alphas = chunk.read(source, 256)?;
                palette.iter_mut().zip(alphas).for_each(|(color, alpha)| color[3] = alpha);
            }
            chunk::IEND => break,
            _ => {}
        }
        at = chunk.end();
    }
    let mut stream = memory_for(idats.iter().map(|chunk| chunk.n_bytes).sum())?;
    let mut rest = &mut stream[..];
    for chunk in &idats {
        let (now, later) = rest.split_at_mut(chunk.n_bytes as usize);
        source.read_at(chunk.content(), now)?;
        rest = later;
    }
    Ok((stream, palette))
}

/// Undoes the filter of a row: `n_left` is the distance to the byte that a filter calls the left one.
fn unfilter(filter: u8, before: &[u8], now: &mut [u8], n_left: usize) -> Result<()> {
    match filter {
        0 => {}
        1 => (n_left..now.len()).for_each(|i| now[i] = now[i].wrapping_add(now[i - n_left])),
        2 => now.iter_mut().zip(before).for_each(|(byte, up)| *byte = byte.wrapping_add(*up)),
        3 => {
            for i in 0..now.len() {
                let left = if i >= n_left { now[i - n_left] } else { 0 };
                now[i] = now[i].wrapping_add(((u16::from(left) + u16::from(before[i])) / 2) as u8);
            }
        }
        4 => {
            for i in 0..now.len() {
                let (left, corner) = if i >= n_left { (now[i - n_left], before[i - n_left]) } else { (0, 0) };
                now[i] = now[i].wrapping_add(paeth(left, before[i], corner));
            }
        }
        other => return Err(damaged(format!("a row has the filter {other}, which there is not"))),
    }
    Ok(())
}

fn paeth(left: u8, up: u8, corner: u8) -> u8 {
    let (a, b, c) = (i16::from(left), i16::from(up), i16::from(corner));
    let guess = a + b - c;
    let (to_a, to_b, to_c) = ((guess - a).abs(), (guess - b).abs(), (guess - c).abs());
    if to_a <= to_b && to_a <= to_c {
        left
    } else if to_b <= to_c {
        up
    } else {
        corner
    }
}

/// A pixel of a row as red, green, blue and alpha of 8 bits.
fn pixel(header: &Header, palette: &[[u8; 4]], row: &[u8], column: usize) -> [u8; 4] {
    let n = header.color.n_samples();
    let sample = |index: usize| -> u8 {
        let at = column * n + index;
        match header.depth {
            8 => row.get(at).copied().unwrap_or(0),
            16 => row.get(2 * at).copied().unwrap_or(0),
            depth => {
                let per_byte = 8 / usize::from(depth);
                let byte = row.get(at / per_byte).copied().unwrap_or(0);
                let shift = 8 - usize::from(depth) * (at % per_byte + 1);
                (byte >> shift) & ((1u16 << depth) - 1) as u8
            }
        }
    };
    // Gray of few bits spans the same range from black to white.
    let gray = |value: u8| if header.depth < 8 { value * (255 / ((1u16 << header.depth) - 1) as u8) } else { value };
    match header.color {
        Color::Palette => palette.get(usize::from(sample(0))).copied().unwrap_or_default(),
        Color::Gray => [gray(sample(0)), gray(sample(0)), gray(sample(0)), 255],
        Color::GrayAlpha => [sample(0), sample(0), sample(0), sample(1)],
        Color::Rgb => [sample(0), sample(1), sample(2), 255],
        Color::Rgba => [sample(0), sample(1), sample(2), sample(3)],
    }
}

/// Why a picture without an index is no model: whether it was one is told by the mark in its corner.
pub(super) fn without_index(source: &dyn Source, header: &Header, data_start: u64) -> Error {
    let ordinary =
        "it has no index of a model: it is an ordinary picture, or a program wrote it anew and left the index out";
    if header.is_as_written() && first_pixels(source, data_start).and_then(|row| mark::find(&row)).is_some() {
        return damaged(
            "it was re-encoded without its index: the mark of a model is in its corner, but a program wrote the picture anew \
             and left out the chunk that says what is where. Take the original file",
        );
    }
    damaged(match header.color {
        Color::Palette => {
            "it has a palette and no index of a model: if it was one, it was reduced to a few colors and the \
                           weights are gone"
        }
        Color::Gray | Color::Rgb => "it has no alpha and no index of a model: if it was one, every fourth byte is gone",
        _ => ordinary,
    })
}

/// The first four pixels of a picture, without decoding more.
fn first_pixels(source: &dyn Source, data_start: u64) -> Option<Vec<u8>> {
    let first = chunk::at(source, data_start).ok().filter(|chunk| chunk.kind == chunk::IDAT)?;
    let mut stream = vec![0; first.n_bytes.min(1 << 16) as usize];
    source.read_at(first.content(), &mut stream).ok()?;
    let mut raw = vec![0; 17];
    let flags = inflate_flags::TINFL_FLAG_PARSE_ZLIB_HEADER
        | inflate_flags::TINFL_FLAG_HAS_MORE_INPUT
        | inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    let (_, _, n) = decompress(&mut Box::new(DecompressorOxide::new()), &stream, &mut raw, 0, flags);
    let (filter, row) = raw.split_first_mut().filter(|_| n == 17)?;
    unfilter(*filter, &[0; 16], row, 4).ok()?;
    Some(row.to_vec())
}
