//! Whether a picture is still the model, and if not, what happened to it.

use tilework::Result;

use super::checksum::Crc32;
use super::chunk;
use super::decode::Color;
use super::file::PixelFile;
use super::stream::Image;
use crate::gguf::Source;

/// What [`PixelFile::verify`] found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Tensors whose bytes are the right ones.
    pub n_intact: usize,
    /// Names of the tensors whose bytes differ or cannot be read, in order.
    pub wrong_tensors: Vec<String>,
    /// Names of the files of which something besides tensors differs or cannot be read.
    pub wrong_files: Vec<String>,
    /// Pages that another program wrote anew, from 0.
    pub rewritten_pages: Vec<usize>,
    /// Pages with a chunk whose checksum is wrong, from 0.
    pub broken_chunks: Vec<usize>,
    /// What seems to have happened, if something is wrong.
    pub damage: Option<Damage>,
}

/// What programs do to pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Damage {
    /// Reduced to a palette.
    Palette,
    /// Alpha is gone: gray, or red, green and blue only.
    NoAlpha,
    /// Every pixel was made opaque.
    Opaque,
    /// Colors were multiplied with alpha, as browsers and many editors do, and perhaps divided by it again.
    Premultiplied,
    /// Written anew with other colors: scaled, edited, or converted to another color space.
    Recolored,
    /// Single bytes of the file are wrong.
    Bytes,
}

impl Damage {
    /// What happened and what to do, as a sentence.
    pub fn explanation(self) -> &'static str {
        match self {
            Damage::Palette => "this PNG was reduced to a palette: the weights are gone; take the original file",
            Damage::NoAlpha => {
                "its alpha channel was removed, which is every fourth byte of the weights; take the original file"
            }
            Damage::Opaque => {
                "every pixel was made opaque, which is every fourth byte of the weights; take the original file"
            }
            Damage::Premultiplied => {
                "its colors were multiplied with alpha, as browsers and editors do when they save; take the original file"
            }
            Damage::Recolored => {
                "a program wrote it anew with other colors (edited, or converted to another color space); take the original file"
            }
            Damage::Bytes => "some bytes of the file are wrong; copy or download it again",
        }
    }
}

impl Verified {
    /// Whether every byte of every file is the right one.
    pub fn is_intact(&self) -> bool {
        self.wrong_tensors.is_empty() && self.wrong_files.is_empty()
    }
}

/// Bytes that are read at a time.
const CHUNK_BYTES: u64 = 1 << 20;

impl PixelFile {
    /// Reads everything and compares it with the checksums of the index. `progress` hears the bytes of tensors done and in all, and
    /// ends the work by an error. Changes in memory are seen as such.
    pub fn verify(&self, progress: &mut dyn FnMut(u64, u64) -> Result<()>) -> Result<Verified> {
        let mut found = Verified::default();
        let total: u64 = self.tensors().iter().map(|tile| tile.size_bytes).sum();
        let mut done = 0;
        for (index, tile) in self.tensors().iter().enumerate() {
            // What cannot be read is as wrong as what differs.
            match self.each_piece(index, &mut |_| Ok(())) {
                Ok(sum) if sum == tile.checksum => found.n_intact += 1,
                _ => found.wrong_tensors.push(tile.name.clone()),
            }
            done += tile.size_bytes;
            progress(done, total)?;
        }
        found.wrong_files = self.wrong_files();
        let pages = 0..self.pages.len();
        found.rewritten_pages = pages.clone().filter(|&page| self.is_rewritten(page)).collect();
        for page in pages.filter(|&page| !self.is_rewritten(page)) {
            if !self.chunks_are_right(page) {
                found.broken_chunks.push(page);
            }
        }
        if !found.is_intact() {
            found.damage = Some(self.damage(&found));
        }
        Ok(found)
    }

    fn wrong_files(&self) -> Vec<String> {
        let is_wrong = |part: &super::index::Part| match part {
            super::index::Part::Blob(blob) => self.blob(*blob).is_err(),
            _ => false,
        };
        let wrong = self.index.files.iter().filter(|file| file.parts.iter().any(is_wrong));
        wrong.map(|file| file.name.clone()).collect()
    }

    /// Whether the checksums of all chunks of a page are right.
    fn chunks_are_right(&self, page: usize) -> bool {
        let source = &*self.pages[page].source;
        let mut at = 8;
        while let Ok(chunk) = chunk::at(source, at) {
            if !crc_is_right(source, &chunk).unwrap_or(false) {
                return false;
            }
            if chunk.kind == chunk::IEND {
                return true;
            }
            at = chunk.end();
        }
        false
    }

    /// What happened, by what the picture looks like now.
    fn damage(&self, found: &Verified) -> Damage {
        let Some(&page) = found.rewritten_pages.first() else { return Damage::Bytes };
        let header = self.pages[page].header;
        match header.color {
            Color::Palette => return Damage::Palette,
            Color::Gray | Color::Rgb => return Damage::NoAlpha,
            _ => {}
        }
        let Ok(image) = self.image(page) else { return Damage::Bytes };
        let rows = |image: &Image| image.bytes.as_chunks::<4>().0.to_vec();
        let pixels = rows(&image);
        let covered = pixels.iter().filter(|pixel| pixel[..3] != [0; 3]);
        if pixels.iter().all(|pixel| pixel[3] == 255) {
            Damage::Opaque
        } else if covered.clone().all(|pixel| is_premultiplied(*pixel))
            || covered.clone().all(|pixel| was_premultiplied(*pixel))
        {
            Damage::Premultiplied
        } else {
            Damage::Recolored
        }
    }
}

/// No color is brighter than alpha allows.
fn is_premultiplied([r, g, b, a]: [u8; 4]) -> bool {
    r.max(g).max(b) <= a
}

/// Whether a pixel can be what is left after multiplying with alpha, rounding, and dividing again.
fn was_premultiplied([r, g, b, a]: [u8; 4]) -> bool {
    let round_trip = |value: u8| {
        let (value, a) = (u32::from(value), u32::from(a));
        // Programs round in different ways, by one at most.
        let k = value * a / 255;
        a > 0 && (k..=k + 1).any(|k| (k * 255 / a).abs_diff(value) <= 1 && k <= a)
    };
    [r, g, b].into_iter().all(round_trip)
}

fn crc_is_right(source: &dyn Source, chunk: &chunk::Chunk) -> Result<bool> {
    let mut crc = Crc32::new();
    let mut bytes = Vec::new();
    // Type and content are covered.
    let (mut at, end) = (chunk.at + 4, chunk.content() + chunk.n_bytes);
    while at < end {
        bytes.resize(CHUNK_BYTES.min(end - at) as usize, 0);
        source.read_at(at, &mut bytes)?;
        crc.add(&bytes);
        at += bytes.len() as u64;
    }
    let mut told = [0; 4];
    source.read_at(end, &mut told)?;
    Ok(told == crc.value().to_be_bytes())
}
