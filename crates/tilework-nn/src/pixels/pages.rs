//! Pages as operands: a model computes from its picture.
//!
//! A page goes to a device once, as words, in a buffer or a texture ([`Picture`]). A tensor of 32- or 16-bit floats that is one rectangle is
//! a view of it, and whatever is computed with it reads the picture. What cannot be read in place becomes an array of its own,
//! once: tensors in several rectangles are joined on the device, and other types are converted as [`Weights::from_pixels`] does.
//! [`Pages::in_place`] says which are which.

use tilework::{Array, Device, Picture, PictureKind, Result};

use super::file::PixelFile;
use super::tile::{Rect, Tile};
use super::{BYTES, damaged};
use crate::Weights;

/// The pages of a model on a device.
#[derive(Debug)]
pub struct Pages {
    device: Device,
    pictures: Vec<Picture>,
    /// Tensors that are read where they lie or joined.
    tiles: Vec<Tile>,
    /// The others, as arrays.
    others: Vec<(String, Array)>,
}

impl PixelFile {
    /// All pages on `device`, to compute from.
    ///
    /// Fails as reading does, and with [`tilework::ErrorKind::TooLarge`] if a page does not fit the device.
    pub fn pages_on(&self, device: &Device, kind: PictureKind) -> Result<Pages> {
        let picture = |page: usize| {
            let (words, width, height) = self.page(page)?;
            device.picture(words, width as usize, height as usize, kind)
        };
        let (tiles, others): (Vec<_>, Vec<_>) =
            self.tensors().iter().enumerate().filter(|(_, tile)| tile.dtype != BYTES).partition(|(_, t)| is_view(t));
        let other = |(index, tile): (usize, &Tile)| Ok((tile.name.clone(), self.array(device, index)?));
        Ok(Pages {
            device: device.clone(),
            pictures: (0..self.pages().len()).map(picture).collect::<Result<_>>()?,
            tiles: tiles.into_iter().map(|(_, tile)| tile.clone()).collect(),
            others: others.into_iter().map(other).collect::<Result<_>>()?,
        })
    }
}

impl Pages {
    /// The weights as they are in the pictures now. After [`Pages::mask`] they have to be asked for again.
    pub fn weights(&self) -> Result<Weights> {
        let mut weights = Weights::in_pictures(&self.device);
        for tile in &self.tiles {
            weights.insert(tile.name.clone(), self.view(tile)?);
        }
        for (name, array) in &self.others {
            weights.insert(name.clone(), array.clone());
        }
        Ok(weights)
    }

    /// The pictures, page by page.
    pub fn pictures(&self) -> &[Picture] {
        &self.pictures
    }

    /// Names of the tensors that are read where they lie.
    pub fn in_place(&self) -> impl Iterator<Item = &str> {
        self.tiles.iter().filter(|tile| tile.rects.len() == 1).map(|tile| tile.name.as_str())
    }

    /// Sets a rectangle of a page to 0: every weight whose pixels are in it. Only the rectangle is sent to the device.
    pub fn mask(&mut self, rect: Rect) -> Result<()> {
        let n_pages = self.pictures.len();
        let none = || damaged(format!("there is no page {}; there are {n_pages}", rect.page + 1));
        let picture = self.pictures.get_mut(rect.page).ok_or_else(none)?;
        picture.mask(rect.x as usize, rect.y as usize, rect.width as usize, rect.height as usize)
    }

    /// A tensor as a view of its rectangle, or joined from several.
    fn view(&self, tile: &Tile) -> Result<Array> {
        let parts = tile.rects.iter().map(|rect| self.part(tile, rect)).collect::<Result<Vec<_>>>()?;
        let rows = match &parts[..] {
            [one] => one.clone(),
            several => self.device.concat(&several.iter().collect::<Vec<_>>(), 0),
        };
        Ok(rows.reshape(sizes(tile)?))
    }

    fn part(&self, tile: &Tile, rect: &Rect) -> Result<Array> {
        let picture = self.pictures.get(rect.page).ok_or_else(|| damaged("a tensor lies on no page"))?;
        let [x, y, w, h] = [rect.x, rect.y, rect.width, rect.height].map(|size| size as usize);
        Ok(match tile.dtype.as_str() {
            "F16" => picture.view_f16(x, y, usize::try_from(tile.row_bytes / 2).unwrap_or(2 * w), h),
            _ => picture.view_f32(x, y, w, h),
        })
    }
}

/// Whether all rows of a tensor are whole rows of floats.
fn is_view(tile: &Tile) -> bool {
    let element_bytes = match tile.dtype.as_str() {
        "F32" => 4,
        "F16" => 2,
        _ => return false,
    };
    tile.row_bytes > 0
        && tile.row_bytes.is_multiple_of(element_bytes)
        && tile.size_bytes.is_multiple_of(tile.row_bytes)
        && !tile.rects.is_empty()
}

fn sizes(tile: &Tile) -> Result<Vec<usize>> {
    let sizes = tile.shape.iter().map(|&size| usize::try_from(size).ok()).collect::<Option<Vec<_>>>();
    sizes.ok_or_else(|| damaged(format!("`{}` is too large for this machine", tile.name)))
}
