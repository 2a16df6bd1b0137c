//! Textures of words: pictures that kernels read by coordinates.
//!
//! A page of RGBA pixels lies in a texture byte by byte as it lies in a file. One pixel is one 32-bit word; a texel is four of them side
//! by side (`Rgba32Uint`) where rows are whole fours, because kernels then read four weights in one load, and else one (`R32Uint`).
//! Textures are inputs only. They are not pooled: a page of weights is large, lives long and has a shape of its own.

use std::fmt;
use std::sync::Arc;

use tilework_core::pictures::Texels;
use tilework_core::{Error, ErrorKind, Result};

use crate::buffer_pool::{Buffer, BufferPool};
use crate::device::{Gpu, Inner};
use crate::scopes::{Outcome, Subject, failure};

/// Rows are uploaded in bands of at most this size, because each waits in host memory for a submit.
const MAX_BAND_BYTES: usize = 16 << 20;

/// A picture on the device. Cloning is cheap.
#[derive(Clone)]
pub struct Texture(Arc<Held>);

struct Held {
    raw: wgpu::Texture,
    view: wgpu::TextureView,
    id: u64,
    /// In words.
    size: [u32; 2],
    /// Words of a texel.
    n_words: u32,
    /// Stands for the device.
    pool: Arc<BufferPool>,
    outcome: Outcome,
}

/// A rectangle of a picture, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rect {
    /// Column of its left edge.
    pub x: u32,
    /// Row of its upper edge.
    pub y: u32,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

impl Texture {
    /// Columns and rows, in words.
    pub fn size(&self) -> [u32; 2] {
        self.0.size
    }

    pub(crate) fn id(&self) -> u64 {
        self.0.id
    }

    pub(crate) fn view(&self) -> &wgpu::TextureView {
        &self.0.view
    }

    pub(crate) fn size_bytes(&self) -> u64 {
        self.0.size.iter().map(|&n| u64::from(n)).product::<u64>() * 4
    }

    pub(crate) fn check_owner(&self, op: &str, pool: &Arc<BufferPool>) -> Result<()> {
        if Arc::ptr_eq(&self.0.pool, pool) {
            return failure(&self.0.outcome);
        }
        Err(Error::argument(op, "the texture belongs to another device"))
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // In browsers memory is not freed before garbage collection unless asked for.
        self.raw.destroy();
    }
}

impl fmt::Debug for Texture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [width, height] = self.0.size;
        write!(f, "Texture(#{}, {width}×{height})", self.0.id)
    }
}

impl Gpu {
    /// Whether a texture can have this many columns and rows of words here.
    pub fn has_texture_size(&self, width: u32, height: u32) -> bool {
        let most = self.max_texture_size();
        Texels::new(width).is_some_and(|texels| width / texels.n_words() <= most) && (1..=most).contains(&height)
    }

    /// Most texels that a texture may have each way here.
    pub fn max_texture_size(&self) -> u32 {
        self.inner().device.limits().max_texture_dimension_2d
    }

    /// A texture of these words, row by row.
    ///
    /// Fails with `Argument` if there are not `width · height` of them, with `TooLarge` beyond what the device allows, and with
    /// `OutOfMemory`.
    pub fn upload_texture(&self, words: &[u32], width: u32, height: u32) -> Result<Texture> {
        let texture = self.new_texture("upload", [width, height])?;
        self.write_texture(&texture, words, Rect { x: 0, y: 0, width, height })?;
        Ok(texture)
    }

    /// Brings a rectangle up to date, after all work submitted so far; `words` are those of the whole picture. Fails with `Argument` if
    /// the rectangle does not lie in the texture or `words` are not as many as the texture has.
    pub fn write_texture(&self, texture: &Texture, words: &[u32], rect: Rect) -> Result<()> {
        let inner = self.inner();
        inner.health.check("upload")?;
        texture.check_owner("upload", &inner.storage_pool)?;
        let ([page_width, _], n) = (texture.size(), texture.0.n_words);
        check_rect(rect, texture.size(), words.len())?;
        // Whole texels.
        let (left, right) = (rect.x / n, (rect.x + rect.width).div_ceil(n));
        let columns = right - left;
        let band = (MAX_BAND_BYTES / 4 / page_width as usize).clamp(1, rect.height as usize) as u32;
        for y in (rect.y..rect.y + rect.height).step_by(band as usize) {
            let n_rows = band.min(rect.y + rect.height - y);
            let first = y as usize * page_width as usize + (left * n) as usize;
            let end = first + (n_rows as usize - 1) * page_width as usize + (columns * n) as usize;
            inner.scopes.run_now("upload", || {
                let layout = wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(4 * page_width),
                    rows_per_image: None,
                };
                let origin = wgpu::Origin3d { x: left, y, z: 0 };
                let to = wgpu::TexelCopyTextureInfo { origin, ..texture.0.raw.as_image_copy() };
                let size = wgpu::Extent3d { width: columns, height: n_rows, depth_or_array_layers: 1 };
                inner.queue.write_texture(to, bytemuck::cast_slice(&words[first..end]), layout, size);
            })?;
            inner.uploaded(4 * u64::from(columns * n) * u64::from(n_rows));
        }
        Ok(())
    }

    /// A copy, made on the device.
    pub fn copy_texture(&self, texture: &Texture) -> Result<Texture> {
        let inner = self.inner();
        texture.check_owner("copy", &inner.storage_pool)?;
        let copy = self.new_texture("copy", texture.size())?;
        inner.scopes.run_now("copy", || {
            let mut encoder = inner.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            let (from, to) = (texture.0.raw.as_image_copy(), copy.0.raw.as_image_copy());
            encoder.copy_texture_to_texture(from, to, texture.0.raw.size());
            inner.submit([encoder.finish()]);
        })?;
        inner.counters.add(|c| c.buffer_copies += 1);
        Ok(copy)
    }

    /// A copy of a buffer, made on the device.
    pub fn copy_buffer(&self, buffer: &Buffer) -> Result<Buffer> {
        let inner = self.inner();
        inner.health.check("copy")?;
        buffer.check_owner("copy", &inner.storage_pool)?;
        let copy = inner.storage_pool.lease("copy", buffer.size_bytes())?;
        inner.scopes.run_now("copy", || {
            let mut encoder = inner.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            let (from, to) = (&buffer.pooled().raw, &copy.pooled().raw);
            encoder.copy_buffer_to_buffer(from, 0, to, 0, buffer.usable_bytes());
            inner.submit([encoder.finish()]);
        })?;
        inner.counters.add(|c| c.buffer_copies += 1);
        Ok(copy)
    }

    /// Brings a rectangle of a buffer up to date that holds a picture of this width, after all work submitted so far; `words` are those of
    /// the whole picture. Fails as [`write_texture`](Self::write_texture) does.
    pub fn write_rows(&self, buffer: &Buffer, width: u32, words: &[u32], rect: Rect) -> Result<()> {
        let inner = self.inner();
        inner.health.check("upload")?;
        buffer.check_owner("upload", &inner.storage_pool)?;
        let height = buffer.size_bytes() / 4 / u64::from(width.max(1));
        check_rect(rect, [width, u32::try_from(height).unwrap_or(u32::MAX)], words.len())?;
        // Rows over the whole width follow each other without a gap.
        let (n_runs, run) = match rect.width == width {
            true => (1, rect.width as usize * rect.height as usize),
            false => (rect.height, rect.width as usize),
        };
        inner.scopes.run_now("upload", || {
            for index in 0..n_runs {
                let first = (rect.y + index) as usize * width as usize + rect.x as usize;
                let bytes = bytemuck::cast_slice(&words[first..first + run]);
                inner.queue.write_buffer(&buffer.pooled().raw, 4 * first as u64, bytes);
            }
        })?;
        inner.uploaded(4 * u64::from(n_runs) * run as u64);
        Ok(())
    }

    fn new_texture(&self, op: &str, size: [u32; 2]) -> Result<Texture> {
        let inner = self.inner();
        inner.health.check(op)?;
        let [width, height] = size;
        let Some(texels) = Texels::new(width).filter(|_| self.has_texture_size(width, height)) else {
            let most = self.max_texture_size();
            let message = format!(
                "a texture of {width}×{height} pixels; this device allows 1 to {most} texels each way: cut the picture, or open it as \
                 a buffer"
            );
            return Err(Error::new(ErrorKind::TooLarge, op, message));
        };
        let n_words = texels.n_words();
        let (raw, outcome) = inner.create_texture(op, [width / n_words, height], n_words);
        inner.scopes.check(op, &outcome)?;
        inner.counters.add(|c| c.buffers_allocated += 1);
        let view = raw.create_view(&wgpu::TextureViewDescriptor::default());
        let (id, pool) = (inner.storage_pool.new_id(), inner.storage_pool.clone());
        Ok(Texture(Arc::new(Held { raw, view, id, size, n_words, pool, outcome })))
    }
}

impl Inner {
    fn create_texture(&self, op: &str, [width, height]: [u32; 2], n_words: u32) -> (wgpu::Texture, Outcome) {
        let subject = Subject { op: op.to_owned(), attempt: format!("a texture of {width}×{height} texels") };
        let format = if n_words == 4 { wgpu::TextureFormat::Rgba32Uint } else { wgpu::TextureFormat::R32Uint };
        self.scopes.run(subject, || {
            self.device.create_texture(&wgpu::TextureDescriptor {
                label: Some("tilework picture"),
                size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::TEXTURE_BINDING
                    | wgpu::TextureUsages::COPY_SRC
                    | wgpu::TextureUsages::COPY_DST,
                view_formats: &[],
            })
        })
    }
}

/// Fails unless `rect` lies in a picture of this size, which has `n_words` words.
fn check_rect(rect: Rect, [width, height]: [u32; 2], n_words: usize) -> Result<()> {
    let Rect { x, y, width: w, height: h } = rect;
    let is_inside = |start: u32, len: u32, size: u32| start.checked_add(len).is_some_and(|end| end <= size);
    if w == 0 || h == 0 || !is_inside(x, w, width) || !is_inside(y, h, height) {
        let message = format!("{w}×{h} pixels from ({x}, {y}) on do not lie in a picture of {width}×{height}");
        return Err(Error::argument("upload", message));
    }
    if u64::from(width) * u64::from(height) != n_words as u64 {
        return Err(Error::argument("upload", format!("{n_words} words are not {width}×{height} pixels")));
    }
    Ok(())
}
