//! The mark: four pixels in the corner of every page that tell where it comes from.
//!
//! Programs that write a picture anew leave out chunks they do not know, the index among them. The mark is part of the picture, so
//! that such a page can still be told from an ordinary picture, and its owner be told what happened.

use super::MARK_PX;
use super::stream::Image;

const MAGIC: [u8; 4] = *b"TWPX";

/// Writes the mark of a model into the first pixels.
pub(super) fn put(image: &mut Image, model_id: u64) {
    let mark = image.pixels_mut(0, 0, MARK_PX);
    mark[..4].copy_from_slice(&MAGIC);
    mark[4] = super::VERSION as u8;
    mark[8..16].copy_from_slice(&model_id.to_le_bytes());
}

/// The model of a page by its first pixels, if they are a mark.
pub(super) fn find(first_row: &[u8]) -> Option<u64> {
    let mark = first_row.first_chunk::<16>()?;
    let id = mark.last_chunk::<8>()?;
    mark.starts_with(&MAGIC).then(|| u64::from_le_bytes(*id))
}
