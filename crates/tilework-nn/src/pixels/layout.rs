//! Where tiles lie on pages.
//!
//! Tiles are set like text in columns. A *shelf* is a row of columns of at most some height; a tile goes under the last one if the
//! column has room for it and else begins a column; one with more rows than the shelf is high is cut between rows into panels of
//! equal height, side by side. Tensors come in the order of their layers, so what belongs together lies together. Vectors would
//! leave columns empty and have shelves of their own, after the matrices.
//!
//! What is left blank costs a file almost nothing (see `stream`), only memory of whoever holds a page. So a layout is chosen by
//! trying some widths and heights of shelves, and taking the smallest that is about square.

use std::collections::BTreeMap;

use super::MARK_PX;
use super::tile::{MAX_SIDE_PX, Rect};
use tilework::layers::core::order;

/// What is to be placed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) width_px: u32,
    pub(super) n_rows: u64,
    /// Its columns start at multiples of this.
    pub(super) align_px: u32,
}

/// Pages, and the rectangles of every item in order.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// Width and height of each page.
    pub(super) pages: Vec<(u32, u32)>,
    pub(super) rects: Vec<Vec<Rect>>,
}

/// Tiles with no more rows are set apart from the higher ones.
const STRIP_ROWS: u64 = 16;
/// Blank columns between tiles, at least.
const GUTTER_PX: u32 = 1;
/// Blank rows between shelves. They cost next to nothing.
const SHELF_GUTTER_PX: u32 = 4;
/// The first row that tiles may use, below the mark.
const FIRST_ROW: u32 = 2;
/// Widths that are tried, and by how much they grow.
const N_WIDTHS: u32 = 24;
const WIDTH_STEP: f64 = 0.02;
/// Heights of shelves that are tried.
const N_HEIGHTS: usize = 12;
/// Most placements of single tiles while looking for a layout.
const MAX_PLACEMENTS: usize = 2_000_000;
/// What a page that is e times as wide as high may be smaller by, and one whose tiles are in two pieces each on average.
const SLANT_COST: f64 = 0.05;
const PIECE_COST: f64 = 0.06;
/// More pieces cost no more.
const MAX_PIECES: f64 = 20.0;

/// The best of the layouts that were tried, on pages of at most so many bytes (more, if a single row needs it).
pub(super) fn layout(items: &[Item], max_page_bytes: u64) -> Layout {
    let widest = items.iter().map(|item| item.width_px).max().unwrap_or(0).max(MARK_PX).next_multiple_of(4);
    let area: f64 = items.iter().map(|item| f64::from(item.width_px + GUTTER_PX) * item.n_rows as f64).sum();
    let first = (area.sqrt().ceil() as u32).clamp(widest, MAX_SIDE_PX);
    let fits_one = area * 1.02 + 4096.0 < (max_page_bytes / 4) as f64;
    // About square.
    let page_width = ((max_page_bytes / 4).isqrt() as u32 / 4 * 4).clamp(widest, MAX_SIDE_PX);
    let mut widths = vec![page_width];
    if fits_one {
        let grown = |step: u32| (f64::from(first) * (1.0 + WIDTH_STEP * f64::from(step))) as u32;
        widths = (0..N_WIDTHS).map(|step| grown(step).next_multiple_of(4).min(MAX_SIDE_PX)).collect();
        widths.push(page_width);
        widths.dedup();
    }
    let heights = shelf_heights(items, first);
    let n_tries = (MAX_PLACEMENTS / items.len().max(1)).max(1);
    let tries = widths.iter().flat_map(|&width| heights.iter().map(move |&height| (width, height)));
    let best = tries.take(n_tries).map(|(width, height)| Setter::new(width, height, max_page_bytes).set(items));
    best.min_by(|a, b| a.score().total_cmp(&b.score())).unwrap_or(Layout { pages: vec![(16, 1)], rects: Vec::new() })
}

/// Heights worth trying: those that keep most tiles whole.
fn shelf_heights(items: &[Item], width: u32) -> Vec<u32> {
    let most = u64::from(MAX_SIDE_PX - FIRST_ROW);
    let mut areas: BTreeMap<u64, u64> = BTreeMap::new();
    for item in items.iter().filter(|item| item.n_rows > STRIP_ROWS && item.n_rows <= most) {
        *areas.entry(item.n_rows).or_default() += item.n_rows * u64::from(item.width_px);
    }
    let mut rows: Vec<(u64, u64)> = areas.into_iter().collect();
    order::sort_by_key(&mut rows, |row| std::cmp::Reverse(row.1));
    let mut heights: Vec<u32> = rows.iter().take(N_HEIGHTS).map(|row| row.0 as u32).collect();
    heights.extend([width / 4, width / 2, width].map(|height| height.clamp(STRIP_ROWS as u32, most as u32)));
    heights.sort_unstable();
    heights.dedup();
    heights
}

impl Layout {
    /// Small is good, and so is square; a tile in many pieces is harder to read, and to compute with.
    fn score(&self) -> f64 {
        let area: f64 = self.pages.iter().map(|&(width, height)| f64::from(width) * f64::from(height)).sum();
        let (width, height) = self.pages.first().map_or((1, 1), |&(width, height)| (width, height));
        let slant = (f64::from(width) / f64::from(height)).ln().abs();
        let n_pieces: usize = self.rects.iter().map(Vec::len).sum();
        let more = n_pieces as f64 / self.rects.len().max(1) as f64 - 1.0;
        let n_pages = self.pages.len() as f64;
        n_pages * n_pages * area * (1.0 + SLANT_COST * slant) * (1.0 + PIECE_COST * more.clamp(0.0, MAX_PIECES))
    }
}

/// Sets tiles on pages of one width.
struct Setter {
    width: u32,
    max_height: u32,
    shelf_height: u32,
    pages: Vec<(u32, u32)>,
    /// First row of the shelf, and the rows it has so far.
    y: u32,
    used: u32,
    column: Column,
}

/// The column that is being filled.
#[derive(Clone, Copy, Default)]
struct Column {
    x: u32,
    width: u32,
    used: u32,
}

impl Setter {
    fn new(width: u32, shelf_height: u32, max_page_bytes: u64) -> Setter {
        let most = (max_page_bytes / 4 / u64::from(width.max(1))).min(u64::from(MAX_SIDE_PX)) as u32;
        let most = most.max(2 * (FIRST_ROW + STRIP_ROWS as u32));
        let column = Column::default();
        Setter { width, max_height: most, shelf_height, pages: vec![(width, 1)], y: FIRST_ROW, used: 0, column }
    }

    fn set(mut self, items: &[Item]) -> Layout {
        let mut rects = vec![Vec::new(); items.len()];
        let is_strip = |item: &Item| item.n_rows <= STRIP_ROWS;
        for (item, rects) in items.iter().zip(&mut rects).filter(|(item, _)| !is_strip(item)) {
            *rects = self.place(item);
        }
        self.next_shelf();
        self.shelf_height = STRIP_ROWS as u32;
        for (item, rects) in items.iter().zip(&mut rects).filter(|(item, _)| is_strip(item)) {
            *rects = self.place(item);
        }
        Layout { pages: self.pages, rects }
    }

    fn place(&mut self, item: &Item) -> Vec<Rect> {
        let mut rects = Vec::new();
        let mut n_left = item.n_rows;
        while n_left > 0 {
            if self.room() < self.shelf_height.min(u32::try_from(n_left).unwrap_or(u32::MAX)).div_ceil(2) {
                self.next_page();
            }
            let n_panels = n_left.div_ceil(u64::from(self.room()).max(1));
            let height = n_left.div_ceil(n_panels.max(1)) as u32;
            let (x, y) = self.find(item, height);
            let height = height.min(self.room());
            rects.push(Rect { page: self.pages.len() - 1, x, y, width: item.width_px, height });
            self.take(x, y, item.width_px, height);
            n_left = n_left.saturating_sub(u64::from(height));
        }
        rects
    }

    /// Rows that a column of this shelf may have.
    fn room(&self) -> u32 {
        self.shelf_height.min(self.max_height.saturating_sub(self.y))
    }

    /// Where a panel goes: under the last one, beside it, or on the next shelf.
    fn find(&mut self, item: &Item, height: u32) -> (u32, u32) {
        let column = self.column;
        let below = column.used + GUTTER_PX;
        if column.width >= item.width_px && column.x.is_multiple_of(item.align_px) && below + height <= self.room() {
            return (column.x, self.y + below);
        }
        let x = if column.width == 0 { 0 } else { column.x + column.width + GUTTER_PX };
        let x = x.next_multiple_of(item.align_px);
        if x + item.width_px <= self.width {
            self.column = Column { x, width: item.width_px, used: 0 };
            return (x, self.y);
        }
        self.next_shelf();
        if self.room() < height.div_ceil(2) {
            self.next_page();
        }
        self.column = Column { x: 0, width: item.width_px, used: 0 };
        (0, self.y)
    }

    fn take(&mut self, x: u32, y: u32, width: u32, height: u32) {
        let used = y + height - self.y;
        self.column = Column { x, width: self.column.width.max(width), used };
        self.used = self.used.max(used);
        if let Some(page) = self.pages.last_mut() {
            page.1 = page.1.max(y + height);
        }
    }

    fn next_shelf(&mut self) {
        if self.used > 0 {
            self.y += self.used + SHELF_GUTTER_PX;
        }
        self.used = 0;
        self.column = Column::default();
    }

    fn next_page(&mut self) {
        self.pages.push((self.width, 1));
        self.y = FIRST_ROW;
        self.used = 0;
        self.column = Column::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pixels::MAX_PAGE_BYTES;

    fn item(width_px: u32, n_rows: u64) -> Item {
        Item { width_px, n_rows, align_px: 4 }
    }

    /// Every tile is there once, inside its page and apart from others.
    fn check(items: &[Item]) -> Layout {
        let layout = layout(items, MAX_PAGE_BYTES);
        for (width, height) in &layout.pages {
            assert!(u64::from(*width) * u64::from(*height) * 4 <= MAX_PAGE_BYTES && width.max(height) <= &MAX_SIDE_PX);
        }
        let mut all: Vec<Rect> = vec![Rect { page: 0, x: 0, y: 0, width: MARK_PX, height: 1 }];
        for (item, rects) in items.iter().zip(&layout.rects) {
            assert_eq!(rects.iter().map(|rect| u64::from(rect.height)).sum::<u64>(), item.n_rows);
            for rect in rects {
                let (width, height) = layout.pages[rect.page];
                assert!(rect.x + rect.width <= width && rect.y + rect.height <= height && rect.x % item.align_px == 0);
            }
            all.extend(rects);
        }
        for (i, a) in all.iter().enumerate() {
            for b in &all[..i] {
                let apart = a.x + a.width < b.x || b.x + b.width < a.x || a.y + a.height < b.y || b.y + b.height < a.y;
                assert!(a.page != b.page || apart, "{a:?} {b:?}");
            }
        }
        layout
    }

    fn fill(items: &[Item], layout: &Layout) -> f64 {
        let used: f64 = items.iter().map(|item| f64::from(item.width_px) * item.n_rows as f64).sum();
        used / layout.pages.iter().map(|page| f64::from(page.0) * f64::from(page.1)).sum::<f64>()
    }

    #[test]
    fn a_transformer_is_about_square_and_fills_its_page() {
        let mut items = vec![item(384, 30_522), item(384, 512)];
        for _ in 0..6 {
            items.extend([384, 384, 384, 384, 1536].map(|n_rows| item(384, n_rows)));
            items.push(item(1536, 384));
            items.extend([item(384, 1); 10]);
        }
        let layout = check(&items);
        assert_eq!(layout.pages.len(), 1);
        let (width, height) = layout.pages[0];
        assert!((0.7..1.4).contains(&(f64::from(width) / f64::from(height))), "{width} × {height}");
        assert!(fill(&items, &layout) > 0.93, "{}", fill(&items, &layout));
    }

    #[test]
    fn packed_blocks_need_no_alignment() {
        let mut items = vec![Item { width_px: 153, n_rows: 49_152, align_px: 1 }];
        for _ in 0..30 {
            items.extend([576, 192, 192, 576, 1536, 1536].map(|n_rows| Item { width_px: 90, n_rows, align_px: 1 }));
            items.push(Item { width_px: 240, n_rows: 576, align_px: 1 });
            items.extend([item(576, 1); 2]);
        }
        let layout = check(&items);
        assert!(fill(&items, &layout) > 0.85, "{} {:?}", fill(&items, &layout), layout.pages);
    }

    #[test]
    fn large_models_take_several_pages_and_small_ones_one() {
        let layout = check(&[item(4096, 32_000), item(4096, 11_008), item(11, 7)]);
        assert!(layout.pages.len() > 3, "{:?}", layout.pages);
        assert_eq!(check(&[]).pages.len(), 1);
        assert_eq!(check(&[item(1, 1)]).pages, [(4, 3)]);
        check(&[item(8192, 8192), item(8192, 1), item(1, 9000)]);
        check(&[item(8, 16), item(8, 17), item(5, 1), item(300, 2), item(1, 40_000)]);
    }
}
