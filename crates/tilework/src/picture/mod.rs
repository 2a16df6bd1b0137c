//! Pictures: pages of pixels that are operands.
//!
//! A picture is a page of 32-bit words in rows, as an RGBA image has them. Views of it are arrays: a rectangle of pixels is a matrix,
//! read where it lies by whatever is computed with it, on every device. A page is uploaded once, whatever is seen in it, and all
//! arithmetic is the arithmetic of ordinary arrays: a result does not depend on whether a matrix lay in a picture.
//!
//! On a GPU a picture is a storage buffer or a texture. Which is faster depends on the adapter, so [`PictureKind::Measured`] leaves the
//! choice to a measurement ([`Device::measure_pictures`], which [`Device::tune`] includes).
//!
//! An array that is computed for its own sake ([`Array::eval`], a read, an argument of a [`Program`](crate::Program)) gets memory of its
//! own, a view of a picture too. What should stay in the picture is used in expressions, or captured by a program.

mod measure;
pub(crate) mod page;

use crate::array::Array;
use crate::device::Device;
use crate::value::Value;
use page::{Page, PageValue};
use std::sync::{Arc, OnceLock};
use tilework_core::dtype::DType;
use tilework_core::shape::Shape;
use tilework_core::{Error, ErrorKind, Result};
use tilework_gpu::Rect;
use tilework_ops::{Meta, Node, NodeRef, graph};

/// What a picture is on a GPU. On a CPU all are memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PictureKind {
    /// A storage buffer of words.
    Buffer,
    /// A texture.
    Texture,
    /// Whichever was measured to be faster on this adapter; a buffer if nobody has measured.
    #[default]
    Measured,
}

/// A page of pixels. See the [module](self) for what it is good for. A cheap handle: clones share the page until one is painted.
#[derive(Clone, Debug)]
pub struct Picture {
    device: Device,
    page: Arc<Page>,
    /// The page as an array of floats, halves and words: views of one type are views of one array.
    nodes: [OnceLock<NodeRef>; 3],
}

impl Device {
    /// A picture of these words, row by row.
    ///
    /// Fails with [`ErrorKind::Shape`] if there are not `width · height` of them, and with [`ErrorKind::TooLarge`] if the device's GPU has
    /// no texture of that size or cannot bind that many bytes.
    pub fn picture(&self, words: Vec<u32>, width: usize, height: usize, kind: PictureKind) -> Result<Picture> {
        if width == 0 || height == 0 || width.checked_mul(height) != Some(words.len()) {
            let message = format!("{} words are not a picture of {width}×{height} pixels", words.len());
            return Err(Error::shape("picture", message));
        }
        let kind = if kind == PictureKind::Measured { self.measured_kind() } else { kind };
        let size = self.checked_size(width, height, kind)?;
        Ok(Picture::over(self, Arc::new(Page::new(words, size, kind))))
    }

    /// The size of a picture, unless this device cannot hold it.
    fn checked_size(&self, width: usize, height: usize, kind: PictureKind) -> Result<[u32; 2]> {
        let too_large = |message: String| Error::new(ErrorKind::TooLarge, "picture", message);
        let most_words = i32::MAX as usize;
        if width.saturating_mul(height) > most_words {
            return Err(too_large(format!("{width}×{height} pixels are more than {most_words}: cut it into several")));
        }
        let Some(gpu) = self.open_gpu() else { return Ok([width as u32, height as u32]) };
        let (most_texels, most_bytes) = (gpu.max_texture_size(), gpu.caps().max_binding_bytes);
        if kind == PictureKind::Texture && !gpu.has_texture_size(width as u32, height as u32) {
            return Err(too_large(format!(
                "{width}×{height} pixels; a texture has at most {most_texels} texels each way here: cut it, or open it as a buffer"
            )));
        }
        if kind != PictureKind::Texture && 4 * (width * height) as u64 > most_bytes {
            return Err(too_large(format!(
                "{width}×{height} pixels; a buffer has at most {most_bytes} bytes here: cut it, or open it as a texture"
            )));
        }
        Ok([width as u32, height as u32])
    }
}

impl Picture {
    fn over(device: &Device, page: Arc<Page>) -> Picture {
        Picture { device: device.clone(), page, nodes: Default::default() }
    }

    /// Columns, in pixels.
    pub fn width(&self) -> usize {
        self.page.size()[0] as usize
    }

    /// Rows.
    pub fn height(&self) -> usize {
        self.page.size()[1] as usize
    }

    /// What it is on a GPU: a buffer or a texture.
    pub fn kind(&self) -> PictureKind {
        self.page.kind()
    }

    /// The device whose arrays its views are.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Its words, row by row, with everything that was painted.
    pub fn words(&self) -> &[u32] {
        self.page.words()
    }

    /// `h` rows of `w` 32-bit floats, one a pixel, from pixel (`x`, `y`) on.
    pub fn view_f32(&self, x: usize, y: usize, w: usize, h: usize) -> Array {
        self.view(DType::F32, [x, y, w, h])
    }

    /// `h` rows of `w` unsigned integers, one a pixel, from pixel (`x`, `y`) on.
    pub fn view_u32(&self, x: usize, y: usize, w: usize, h: usize) -> Array {
        self.view(DType::U32, [x, y, w, h])
    }

    /// `h` rows of `w` 16-bit floats from pixel (`x`, `y`) on. A pixel holds two, the first in its lower half, so that a row takes
    /// `w / 2` pixels, rounded up.
    pub fn view_f16(&self, x: usize, y: usize, w: usize, h: usize) -> Array {
        self.view(DType::F16, [x, y, w, h])
    }

    fn view(&self, dtype: DType, [x, y, w, h]: [usize; 4]) -> Array {
        let n_in_pixel = if dtype == DType::F16 { 2 } else { 1 };
        let checked = self.check_rect([x, y, w.div_ceil(n_in_pixel), h]);
        let node = checked.and_then(|_| {
            let rows = graph::slice(self.node(dtype)?, 0, y, 1, h)?;
            graph::slice(&rows, 1, x * n_in_pixel, 1, w)
        });
        Array::new(&self.device, node)
    }

    /// The whole page as an array.
    fn node(&self, dtype: DType) -> Result<&NodeRef> {
        let (index, n_in_pixel) = match dtype {
            DType::F32 => (0, 1),
            DType::F16 => (1, 2),
            _ => (2, 1),
        };
        let shape = Shape::new("picture", vec![self.height(), self.width() * n_in_pixel])?;
        Ok(self.nodes[index].get_or_init(|| {
            let value = Value::Page(PageValue { page: self.page.clone(), dtype });
            Node::source(Meta { shape, dtype }, value.shared())
        }))
    }

    /// Paints a rectangle: its pixels become `words`, row by row.
    ///
    /// Arrays that were made before keep what they saw. As long as there are any, or graphs that use them, the page is copied first (on
    /// the device too); without them it is changed in place. Either way only the rectangle is sent to the device, in whole texels.
    pub fn paint(&mut self, x: usize, y: usize, w: usize, h: usize, words: &[u32]) -> Result<()> {
        let rect = self.check_rect([x, y, w, h])?;
        if w.checked_mul(h) != Some(words.len()) {
            return Err(Error::shape("picture", format!("{} words do not fill {w}×{h} pixels", words.len())));
        }
        if words.is_empty() {
            return Ok(());
        }
        // They hold the page as other views do.
        self.nodes = Default::default();
        if let Some(page) = Arc::get_mut(&mut self.page) {
            return page.replace(rect, words);
        }
        let mut page = self.page.copied()?;
        page.replace(rect, words)?;
        self.page = Arc::new(page);
        Ok(())
    }

    /// Paints a rectangle with zeros: what the model loses of it can then be seen.
    pub fn mask(&mut self, x: usize, y: usize, w: usize, h: usize) -> Result<()> {
        self.check_rect([x, y, w, h])?;
        self.paint(x, y, w, h, &vec![0; w * h])
    }

    fn check_rect(&self, [x, y, w, h]: [usize; 4]) -> Result<Rect> {
        let (width, height) = (self.width(), self.height());
        let is_inside = |start: usize, len: usize, size: usize| start.checked_add(len).is_some_and(|end| end <= size);
        if is_inside(x, w, width) && is_inside(y, h, height) {
            return Ok(Rect { x: x as u32, y: y as u32, width: w as u32, height: h as u32 });
        }
        let message = format!("{w}×{h} pixels from ({x}, {y}) on do not lie in a picture of {width}×{height}");
        Err(Error::shape("picture", message))
    }
}
