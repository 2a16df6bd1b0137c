//! The zlib stream of a page, written so that its pixels lie in the file as they are.
//!
//! A deflate stream may be made of *stored* blocks, whose content is not coded. Each row of a band is one such block for each of
//! its spans, so pixels can be read where they lie, without decoding anything before them. Blank columns between spans and blank
//! rows between bands are blocks with a fixed code that repeat one zero, 258 at a time: 13 bits for 258 bytes.
//!
//! In the other form a band is compressed by itself, and begins where the stream is at a byte and refers to nothing before.

use miniz_oxide::deflate::core::{
    CompressorOxide, TDEFLFlush, TDEFLStatus, compress_to_output, create_comp_flags_from_zip_params,
};
use tilework::{Error, ErrorKind, Result};

use super::Encoding;
use super::bands::{Band, Form};
use super::checksum::Adler32;
use super::chunk;
use super::read::memory_for;

/// Bytes of a compressed band before compression, about: what has to be decoded to read one pixel.
const DEFLATED_BAND_BYTES: u64 = 1 << 20;
/// First bytes of the stream: deflate, a window of 32 KiB, no promise of compression.
const ZLIB_HEAD: [u8; 2] = [0x78, 0x01];
/// An empty block that is the last one.
const LAST_BLOCK: [u8; 5] = [1, 0, 0, 0xff, 0xff];

/// A page as pixels.
#[derive(Clone, Debug)]
pub(super) struct Image {
    pub(super) width: u32,
    pub(super) height: u32,
    /// Four bytes a pixel, row after row.
    pub(super) bytes: Vec<u8>,
}

impl Image {
    /// All blank. Fails if there is no memory for it.
    pub(super) fn blank(width: u32, height: u32) -> Result<Image> {
        let bytes = memory_for(u64::from(width) * u64::from(height) * 4)?;
        Ok(Image { width, height, bytes })
    }

    pub(super) fn row_bytes(&self) -> usize {
        self.width as usize * 4
    }

    /// `n_px` pixels of row `y` from column `x` on. Both are inside: layouts are checked before.
    pub(super) fn pixels(&self, x: u32, y: u32, n_px: u32) -> &[u8] {
        let start = y as usize * self.row_bytes() + x as usize * 4;
        &self.bytes[start..start + n_px as usize * 4]
    }

    /// The same, to be written.
    pub(super) fn pixels_mut(&mut self, x: u32, y: u32, n_px: u32) -> &mut [u8] {
        let start = y as usize * self.row_bytes() + x as usize * 4;
        &mut self.bytes[start..start + n_px as usize * 4]
    }
}

/// The IDAT chunks of an image, and `bands` with the places where their pixels went.
pub(super) fn write(image: &Image, bands: Vec<Band>, encoding: Encoding) -> Result<(Vec<u8>, Vec<Band>)> {
    let bands = if encoding == Encoding::Deflate { cut(bands, image.row_bytes() as u64) } else { bands };
    let mut writer = Writer { image, out: Vec::new(), adler: Adler32::new(), chunk_start: 0, next_row: 0 };
    let expected = if encoding == Encoding::Stored { image.bytes.len() / 64 * 66 } else { 0 };
    writer.out.try_reserve(expected).map_err(|_| {
        Error::new(ErrorKind::OutOfMemory, "pixels", format!("there is no memory for a file of {expected} bytes"))
    })?;
    let mut placed = Vec::with_capacity(bands.len());
    writer.begin_chunk();
    writer.out.extend(ZLIB_HEAD);
    for (index, mut band) in bands.into_iter().enumerate() {
        if index > 0 {
            writer.end_chunk();
            writer.begin_chunk();
        }
        writer.blank_rows(band.y);
        match encoding {
            Encoding::Stored => writer.stored(&mut band),
            Encoding::Deflate => writer.deflated(&mut band)?,
        }
        placed.push(band);
    }
    writer.blank_rows(image.height);
    writer.out.extend(LAST_BLOCK);
    writer.out.extend(writer.adler.value().to_be_bytes());
    writer.end_chunk();
    Ok((writer.out, placed))
}

/// Bands of about [`DEFLATED_BAND_BYTES`].
fn cut(bands: Vec<Band>, row_bytes: u64) -> Vec<Band> {
    let n_rows = (DEFLATED_BAND_BYTES / row_bytes.max(1)).max(1) as u32;
    let pieces = |band: Band| {
        let starts = (band.y..band.end()).step_by(n_rows as usize);
        let piece = move |y: u32| Band { y, n_rows: n_rows.min(band.end() - y), ..band.clone() };
        starts.map(piece).collect::<Vec<_>>()
    };
    bands.into_iter().flat_map(pieces).collect()
}

struct Writer<'a> {
    image: &'a Image,
    out: Vec<u8>,
    adler: Adler32,
    chunk_start: usize,
    /// The first row that was not written yet.
    next_row: u32,
}

impl Writer<'_> {
    fn begin_chunk(&mut self) {
        self.chunk_start = self.out.len();
        chunk::begin(&mut self.out, chunk::IDAT);
    }

    fn end_chunk(&mut self) {
        chunk::end(&mut self.out, self.chunk_start);
    }

    /// Blank rows up to row `end`. The byte in front of each row, its filter, is a zero, too.
    fn blank_rows(&mut self, end: u32) {
        let n = u64::from(end - self.next_row) * (self.image.row_bytes() as u64 + 1);
        if n > 0 {
            self.out.extend(zeros(n));
            self.adler.add_zeros(n);
        }
        self.next_row = end;
    }

    fn stored(&mut self, band: &mut Band) {
        band.at = self.out.len() as u64;
        let row = self.row_template(band);
        for y in band.y..band.end() {
            for piece in &row {
                match piece {
                    Piece::Bytes(bytes) => self.out.extend_from_slice(bytes),
                    Piece::Blank(n) => self.adler.add_zeros(*n),
                    Piece::Pixels { x, width } => {
                        let pixels = self.image.pixels(*x, y, *width);
                        self.adler.add(pixels);
                        self.out.extend_from_slice(pixels);
                    }
                }
            }
        }
        self.next_row = band.end();
    }

    /// What each row of a band is made of. Fills in the offsets of its spans and the step between rows.
    fn row_template(&self, band: &mut Band) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let (mut offset, mut next_px) = (0u64, 0u32);
        // The filter byte of a row belongs to what comes first, pixels or blank.
        let mut n_filter = 1u64;
        for span in &mut band.spans {
            let n_blank = u64::from(span.x - next_px) * 4;
            if n_blank > 0 {
                offset += blank(n_filter + n_blank, &mut pieces);
                n_filter = 0;
            }
            let n = u64::from(span.width) * 4 + n_filter;
            let mut head = stored_head(n as u16);
            head.resize(head.len() + n_filter as usize, 0);
            span.offset = offset + head.len() as u64;
            offset = span.offset + u64::from(span.width) * 4;
            pieces.push(Piece::Bytes(head));
            pieces.extend((n_filter > 0).then_some(Piece::Blank(1)));
            pieces.push(Piece::Pixels { x: span.x, width: span.width });
            n_filter = 0;
            next_px = span.x + span.width;
        }
        let n_blank = u64::from(self.image.width - next_px) * 4 + n_filter;
        if n_blank > 0 {
            offset += blank(n_blank, &mut pieces);
        }
        band.form = Form::Stored { step: offset };
        pieces
    }

    fn deflated(&mut self, band: &mut Band) -> Result<()> {
        let row_bytes = self.image.row_bytes();
        let mut raw = Vec::with_capacity((row_bytes + 1) * band.n_rows as usize);
        for y in band.y..band.end() {
            raw.push(0);
            raw.extend_from_slice(self.image.pixels(0, y, self.image.width));
        }
        self.adler.add(&raw);
        band.at = self.out.len() as u64;
        deflate(&raw, &mut self.out)?;
        band.form = Form::Deflated { n_bytes: self.out.len() as u64 - band.at };
        band.spans.clear();
        self.next_row = band.end();
        Ok(())
    }
}

/// A part of a row in the file.
enum Piece {
    /// Heads of blocks and codes.
    Bytes(Vec<u8>),
    /// So many zeros that the bytes before stand for.
    Blank(u64),
    Pixels {
        x: u32,
        width: u32,
    },
}

fn blank(n: u64, pieces: &mut Vec<Piece>) -> u64 {
    let code = zeros(n);
    let n_bytes = code.len() as u64;
    pieces.extend([Piece::Bytes(code), Piece::Blank(n)]);
    n_bytes
}

/// The head of a stored block of `n` bytes that begins at a byte.
fn stored_head(n: u16) -> Vec<u8> {
    let mut head = vec![0];
    head.extend(n.to_le_bytes());
    head.extend((!n).to_le_bytes());
    head
}

/// Shortest match of each length code, and the bits that say how much longer it is.
const LENGTHS: [(u32, u32); 29] = [
    (3, 0),
    (4, 0),
    (5, 0),
    (6, 0),
    (7, 0),
    (8, 0),
    (9, 0),
    (10, 0),
    (11, 1),
    (13, 1),
    (15, 1),
    (17, 1),
    (19, 2),
    (23, 2),
    (27, 2),
    (31, 2),
    (35, 3),
    (43, 3),
    (51, 3),
    (59, 3),
    (67, 4),
    (83, 4),
    (99, 4),
    (115, 4),
    (131, 5),
    (163, 5),
    (195, 5),
    (227, 5),
    (258, 0),
];

/// A block with the fixed code that stands for `n ≥ 1` zeros, then an empty stored block, after which the stream is at a byte.
fn zeros(n: u64) -> Vec<u8> {
    let mut bits = Bits::default();
    // Not the last block; fixed code.
    bits.push(0b010, 3);
    bits.push_code(0x30, 8);
    let mut n_left = n - 1;
    while n_left >= 3 {
        let length = n_left.min(258) as u32;
        let code = LENGTHS.iter().rposition(|row| row.0 <= length).unwrap_or(0);
        let (base, n_extra) = LENGTHS[code];
        let code = code as u32 + 257;
        if code < 280 {
            bits.push_code(code - 256, 7)
        } else {
            bits.push_code(0xc0 + code - 280, 8)
        }
        bits.push(length - base, n_extra);
        bits.push_code(0, 5);
        n_left -= u64::from(length);
    }
    for _ in 0..n_left {
        bits.push_code(0x30, 8);
    }
    bits.push_code(0, 7);
    bits.push(0, 3);
    let mut bytes = bits.finish();
    bytes.extend([0, 0, 0xff, 0xff]);
    bytes
}

/// Bits in the order of deflate: the lowest of a byte first.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    bits: u32,
    n: u32,
}

impl Bits {
    fn push(&mut self, value: u32, n: u32) {
        self.bits |= value << self.n;
        self.n += n;
        while self.n >= 8 {
            self.bytes.push(self.bits as u8);
            self.bits >>= 8;
            self.n -= 8;
        }
    }

    /// Codes are written from their highest bit on.
    fn push_code(&mut self, code: u32, n: u32) {
        self.push(code.reverse_bits() >> (32 - n), n);
    }

    fn finish(mut self) -> Vec<u8> {
        if self.n > 0 {
            self.bytes.push(self.bits as u8);
        }
        self.bytes
    }
}

/// Compresses by Huffman codes and runs of one byte: weights repeat so seldom that looking for other matches only takes time.
fn deflate(raw: &[u8], out: &mut Vec<u8>) -> Result<()> {
    const RUNS_ONLY: i32 = 3;
    let flags = create_comp_flags_from_zip_params(1, 0, RUNS_ONLY);
    let mut compressor = Box::new(CompressorOxide::new(flags));
    let write = |bytes: &[u8]| {
        out.extend_from_slice(bytes);
        true
    };
    // A full flush ends at a byte, and what follows refers to nothing before.
    match compress_to_output(&mut compressor, raw, TDEFLFlush::Full, write) {
        (TDEFLStatus::Okay, n) if n == raw.len() => Ok(()),
        (status, n) => {
            let message = format!("compression stopped after {n} of {} bytes: {status:?}", raw.len());
            Err(Error::new(ErrorKind::Io, "pixels", message))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use miniz_oxide::inflate::{decompress_to_vec, decompress_to_vec_zlib};

    #[test]
    fn runs_of_zeros_of_every_length_are_read_back() {
        for n in (1..1200).chain([4097, 65_536, 1_000_003]) {
            let mut stream = zeros(n);
            stream.extend(LAST_BLOCK);
            assert_eq!(decompress_to_vec(&stream).unwrap(), vec![0; n as usize], "{n}");
        }
        assert!(zeros(1_000_000).len() < 7_000);
    }

    #[test]
    fn a_stream_is_what_its_image_is() {
        let mut image = Image::blank(64, 12).unwrap();
        for (i, byte) in image.pixels_mut(0, 3, 20).iter_mut().enumerate() {
            *byte = i as u8 + 1;
        }
        image.pixels_mut(40, 4, 24).fill(7);
        image.pixels_mut(40, 9, 2).fill(9);
        let rect = |x, y, width, height| super::super::Rect { page: 0, x, y, width, height };
        let bands = super::super::bands::bands(&[rect(0, 3, 20, 2), rect(40, 4, 24, 1), rect(40, 9, 2, 1)]);
        for encoding in [Encoding::Stored, Encoding::Deflate] {
            let (file, bands) = write(&image, bands.clone(), encoding).unwrap();
            let mut stream = Vec::new();
            let mut rest = &file[..];
            while let Some((length, more)) = rest.split_first_chunk::<4>() {
                let n = u32::from_be_bytes(*length) as usize;
                stream.extend_from_slice(&more[4..4 + n]);
                rest = &more[8 + n..];
            }
            let raw = decompress_to_vec_zlib(&stream).unwrap();
            let rows: Vec<u8> = raw.chunks(64 * 4 + 1).flat_map(|row| row[1..].to_vec()).collect();
            assert_eq!(rows, image.bytes);
            for band in bands.iter().filter(|_| encoding == Encoding::Stored) {
                let Form::Stored { step } = band.form else { panic!("{band:?}") };
                for (row, span) in (0..band.n_rows).flat_map(|row| band.spans.iter().map(move |span| (row, span))) {
                    let at = (band.at + u64::from(row) * step + span.offset) as usize;
                    let pixels = image.pixels(span.x, band.y + row, span.width);
                    assert_eq!(&file[at..at + pixels.len()], pixels);
                }
            }
        }
    }
}
