//! Bands: ranges of page rows that have pixels in the same columns.
//!
//! All rows of a band are spelled alike in the file, so the place of any pixel is a sum of two products. Rows between bands are
//! blank, and so are columns between the spans of a band.

use super::tile::Rect;
use tilework::layers::core::order;

/// Blank gaps of so many pixels or fewer are stored like data: ending and beginning a block costs as much.
const MAX_STORED_GAP_PX: u32 = 16;

/// Rows `y .. y + n_rows` of a page, and where they are in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Band {
    pub(super) y: u32,
    pub(super) n_rows: u32,
    /// Columns with pixels, from left to right; others are blank.
    pub(super) spans: Vec<Span>,
    /// First byte, counted from the first IDAT chunk.
    pub(super) at: u64,
    pub(super) form: Form,
}

/// How the rows of a band are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// As they are, each row so many bytes after the one before.
    Stored { step: u64 },
    /// As a piece of a deflate stream of so many bytes that can be read by itself.
    Deflated { n_bytes: u64 },
}

/// Columns `x .. x + width`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) x: u32,
    pub(super) width: u32,
    /// In a stored band, the first byte of its first pixel in each row, counted from where the row starts.
    pub(super) offset: u64,
}

impl Band {
    pub(super) fn end(&self) -> u32 {
        self.y.saturating_add(self.n_rows)
    }

    /// In a stored band, where columns `x .. x + width` are in a row.
    pub(super) fn offset_of(&self, x: u32, width: u32) -> Option<u64> {
        let after = self.spans.partition_point(|span| span.x <= x);
        let span = self.spans.get(after.checked_sub(1)?)?;
        let is_inside = u64::from(x) + u64::from(width) <= u64::from(span.x) + u64::from(span.width);
        is_inside.then(|| span.offset + 4 * u64::from(x - span.x))
    }
}

/// The bands of one page from the rectangles on it.
pub(super) fn bands(rects: &[Rect]) -> Vec<Band> {
    let mut rects = rects.to_vec();
    order::sort_by_key(&mut rects, |rect| rect.y);
    let mut edges: Vec<u32> = rects.iter().flat_map(|rect| [rect.y, rect.y + rect.height]).collect();
    edges.sort_unstable();
    edges.dedup();
    let mut bands: Vec<Band> = Vec::new();
    let mut active: Vec<Rect> = Vec::new();
    let mut waiting = rects.into_iter().peekable();
    for edge in edges.windows(2) {
        let (y, end) = (edge[0], edge[1]);
        active.retain(|rect| rect.y + rect.height > y);
        while let Some(rect) = waiting.next_if(|rect| rect.y <= y) {
            active.push(rect);
        }
        let spans = spans(&mut active);
        match bands.last_mut() {
            _ if spans.is_empty() => {}
            Some(band) if band.end() == y && band.spans == spans => band.n_rows = end - band.y,
            _ => bands.push(Band { y, n_rows: end - y, spans, at: 0, form: Form::Stored { step: 0 } }),
        }
    }
    bands
}

fn spans(active: &mut [Rect]) -> Vec<Span> {
    order::sort_by_key(active, |rect| rect.x);
    let mut spans: Vec<Span> = Vec::new();
    for rect in active {
        match spans.last_mut() {
            Some(span) if rect.x <= span.x + span.width + MAX_STORED_GAP_PX => {
                span.width = span.width.max(rect.x + rect.width - span.x);
            }
            // What is left of the first tile is as short as any gap, or none.
            None if rect.x <= MAX_STORED_GAP_PX => spans.push(Span { x: 0, width: rect.x + rect.width, offset: 0 }),
            _ => spans.push(Span { x: rect.x, width: rect.width, offset: 0 }),
        }
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rect(x: u32, y: u32, width: u32, height: u32) -> Rect {
        Rect { page: 0, x, y, width, height }
    }

    #[test]
    fn rows_with_the_same_columns_are_one_band() {
        let tiles =
            [rect(0, 2, 10, 8), rect(12, 2, 10, 8), rect(100, 2, 20, 3), rect(100, 6, 20, 4), rect(0, 20, 5, 1)];
        let bands = bands(&tiles);
        let seen: Vec<_> = bands
            .iter()
            .map(|band| (band.y, band.n_rows, band.spans.iter().map(|span| (span.x, span.width)).collect::<Vec<_>>()))
            .collect();
        assert_eq!(
            seen,
            [
                (2, 3, vec![(0, 22), (100, 20)]),
                (5, 1, vec![(0, 22)]),
                (6, 4, vec![(0, 22), (100, 20)]),
                (20, 1, vec![(0, 5)]),
            ]
        );
    }

    #[test]
    fn pixels_are_found_in_spans() {
        let mut band = bands(&[rect(0, 0, 10, 1), rect(100, 0, 20, 1)]).remove(0);
        band.spans[0].offset = 6;
        band.spans[1].offset = 60;
        assert_eq!(band.offset_of(3, 7), Some(6 + 12));
        assert_eq!(band.offset_of(101, 19), Some(64));
        assert_eq!([band.offset_of(3, 8), band.offset_of(99, 1), band.offset_of(50, 1)], [None; 3]);
    }
}
