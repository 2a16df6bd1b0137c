//! Textures of words: pictures that kernels read by coordinates.
//!
//! One texel is one 32-bit word (`R32Uint`), so that a page of RGBA pixels lies in it byte by byte as it lies in a file. Textures
//! are inputs only. They are not pooled: a page of weights is large, lives long and has a shape of its own.

use std::fmt;
use std::sync::Arc;

use tilework_core::{Error, ErrorKind, Result};

use crate::buffer_pool::{Buffer, BufferPool};
use crate::device::{Gpu, Inner};
use crate::scopes::{Outcome, Subject, failure};

/// Rows are uploaded in bands of at most this size, because each waits in host memory for a submit.
const MAX_BAND_BYTES: usize = 16 << 20;

/// A picture on the device, one word a texel. Cloning is cheap.
#[derive(Clone)]
pub struct Texture(Arc<Held>);

struct Held {
    raw: wgpu::Texture,
    view: wgpu::TextureView,
    id: u64,
    size: [u32; 2],
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
    /// Columns and rows.
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
    /// Most columns and rows that a texture may have here.
    pub fn max_texture_size(&self) -> u32 {
        self.inner().device.limits().max_texture_dimension_2d
    }

    /// A texture of these words, row by row.
    ///
    /// Fails with `Argument` if there are not `width · height` of them, with `TooLarge` beyond what the device allows, and with
    /// `OutOfMemory`.
    pub fn upload_texture(&self, words: &[u32], width: u32, height: u32) -> Result<Texture> {
        let texture = self.new_texture("upload", [width, height])?;
        self.write_texture(&texture, Rect { x: 0, y: 0, width, height }, words)?;
        Ok(texture)
    }

    /// Replaces a rectangle, after all work submitted so far. Fails with `Argument` if it does not lie in the texture or `words` are not
    /// its words.
    pub fn write_texture(&self, texture: &Texture, rect: Rect, words: &[u32]) -> Result<()> {
        let inner = self.inner();
        inner.health.check("upload")?;
        texture.check_owner("upload", &inner.storage_pool)?;
        check_rect(rect, texture.size(), words.len())?;
        let band = (MAX_BAND_BYTES / 4 / rect.width as usize).max(1);
        for (index, words) in words.chunks(band * rect.width as usize).enumerate() {
            let y = rect.y + (index * band) as u32;
            let height = words.len() as u32 / rect.width;
            let bytes: &[u8] = bytemuck::cast_slice(words);
            inner.scopes.run_now("upload", || {
                let size = wgpu::Extent3d { width: rect.width, height, depth_or_array_layers: 1 };
                let layout = wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(4 * rect.width),
                    rows_per_image: None,
                };
                let to = wgpu::TexelCopyTextureInfo {
                    origin: wgpu::Origin3d { x: rect.x, y, z: 0 },
                    ..texture.0.raw.as_image_copy()
                };
                inner.queue.write_texture(to, bytes, layout, size);
            })?;
            inner.uploaded(bytes.len() as u64);
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

    /// Replaces a rectangle of a buffer that holds a picture of this width, after all work submitted so far. Fails as
    /// [`write_texture`](Self::write_texture) does.
    pub fn write_rows(&self, buffer: &Buffer, width: u32, rect: Rect, words: &[u32]) -> Result<()> {
        let inner = self.inner();
        inner.health.check("upload")?;
        buffer.check_owner("upload", &inner.storage_pool)?;
        let height = buffer.size_bytes() / 4 / u64::from(width.max(1));
        check_rect(rect, [width, u32::try_from(height).unwrap_or(u32::MAX)], words.len())?;
        // Rows over the whole width follow each other without a gap.
        let run = if rect.width == width { words.len() } else { rect.width as usize };
        inner.scopes.run_now("upload", || {
            for (index, words) in words.chunks(run).enumerate() {
                let first = (u64::from(rect.y) + index as u64) * u64::from(width) + u64::from(rect.x);
                inner.queue.write_buffer(&buffer.pooled().raw, 4 * first, bytemuck::cast_slice(words));
            }
        })?;
        inner.uploaded(size_of_val(words) as u64);
        Ok(())
    }

    fn new_texture(&self, op: &str, size: [u32; 2]) -> Result<Texture> {
        let inner = self.inner();
        inner.health.check(op)?;
        let ([width, height], most) = (size, self.max_texture_size());
        if width == 0 || height == 0 || width > most || height > most {
            let message = format!(
                "a texture of {width}×{height} pixels; this device allows 1 to {most} each way: cut the picture, or open it as \
                 a buffer"
            );
            return Err(Error::new(ErrorKind::TooLarge, op, message));
        }
        let (raw, outcome) = inner.create_texture(op, size);
        inner.scopes.check(op, &outcome)?;
        inner.counters.add(|c| c.buffers_allocated += 1);
        let view = raw.create_view(&wgpu::TextureViewDescriptor::default());
        let (id, pool) = (inner.storage_pool.new_id(), inner.storage_pool.clone());
        Ok(Texture(Arc::new(Held { raw, view, id, size, pool, outcome })))
    }
}

impl Inner {
    fn create_texture(&self, op: &str, [width, height]: [u32; 2]) -> (wgpu::Texture, Outcome) {
        let subject = Subject { op: op.to_owned(), attempt: format!("a texture of {width}×{height} words") };
        self.scopes.run(subject, || {
            self.device.create_texture(&wgpu::TextureDescriptor {
                label: Some("tilework picture"),
                size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: wgpu::TextureFormat::R32Uint,
                usage: wgpu::TextureUsages::TEXTURE_BINDING
                    | wgpu::TextureUsages::COPY_SRC
                    | wgpu::TextureUsages::COPY_DST,
                view_formats: &[],
            })
        })
    }
}

/// Fails unless `rect` lies in a picture of this size and has `n_words` words.
fn check_rect(rect: Rect, [width, height]: [u32; 2], n_words: usize) -> Result<()> {
    let Rect { x, y, width: w, height: h } = rect;
    let is_inside = u64::from(x) + u64::from(w) <= u64::from(width) && u64::from(y) + u64::from(h) <= u64::from(height);
    if w == 0 || h == 0 || !is_inside {
        let message = format!("{w}×{h} pixels from ({x}, {y}) on do not lie in a picture of {width}×{height}");
        return Err(Error::argument("upload", message));
    }
    if u64::from(w) * u64::from(h) != n_words as u64 {
        return Err(Error::argument("upload", format!("{w}×{h} pixels are not {n_words} words")));
    }
    Ok(())
}
