//! A drawing of any size as one of MNIST's images.
//!
//! MNIST's digits were scaled into a box of 20×20 pixels with their proportions kept, smoothed by that, and put into a field of
//! 28×28 so that their center of mass is in its middle (LeCun et al. 1998, section III.A). A network has never seen anything
//! else, so a drawing goes the same way.

use super::{N_PIXELS, SIZE};
use tilework::{Error, Result};

/// The box that a digit is scaled into.
const BOX: f32 = 20.0;
/// Ink below this share of the darkest is dust.
const DUST: f32 = 0.1;

/// A picture in shades of gray.
#[derive(Clone, Debug, PartialEq)]
pub struct Gray {
    /// Pixels of a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Row after row; 0 is paper and 1 is ink.
    pub ink: Vec<f32>,
}

/// The part of a picture that has ink: first and last column and row.
struct Extent {
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
}

/// The image of a drawing, 28×28 numbers from 0 to 1; all zero if nothing is drawn.
pub fn prepare(drawing: &Gray) -> Result<Vec<f32>> {
    if drawing.width.checked_mul(drawing.height) != Some(drawing.ink.len()) {
        let message = format!("{} pixels are no {}×{}", drawing.ink.len(), drawing.width, drawing.height);
        return Err(Error::shape("prepare", message));
    }
    let darkest = drawing.ink.iter().copied().fold(0.0, f32::max);
    let Some(extent) = extent(drawing, darkest * DUST).filter(|_| darkest.is_finite()) else {
        return Ok(vec![0.0; N_PIXELS]);
    };
    let (width, height) = (extent.right - extent.left + 1, extent.bottom - extent.top + 1);
    let scale = BOX / width.max(height) as f32;
    let (center_x, center_y) = center_of_mass(drawing, &extent);
    // Where the middle of the image is in the drawing: pixel centers are at halves.
    let middle = SIZE as f32 / 2.0;
    let mut image = vec![0.0; N_PIXELS];
    for row in 0..SIZE {
        for column in 0..SIZE {
            let edge = |at: usize, center: f32| (at as f32 - middle) / scale + center;
            let (left, right) = (edge(column, center_x), edge(column + 1, center_x));
            let (top, bottom) = (edge(row, center_y), edge(row + 1, center_y));
            image[row * SIZE + column] = mean_ink(drawing, &extent, [left, top, right, bottom]) / darkest;
        }
    }
    Ok(image)
}

fn extent(drawing: &Gray, threshold: f32) -> Option<Extent> {
    let mut found: Option<Extent> = None;
    for (index, &ink) in drawing.ink.iter().enumerate() {
        if ink > threshold {
            let (x, y) = (index % drawing.width, index / drawing.width);
            let known = found.get_or_insert(Extent { left: x, top: y, right: x, bottom: y });
            known.left = known.left.min(x);
            known.right = known.right.max(x);
            known.bottom = y;
        }
    }
    found
}

fn center_of_mass(drawing: &Gray, extent: &Extent) -> (f32, f32) {
    let (mut mass, mut x_moment, mut y_moment) = (0.0f64, 0.0f64, 0.0f64);
    for y in extent.top..=extent.bottom {
        for x in extent.left..=extent.right {
            let ink = f64::from(drawing.ink[y * drawing.width + x]);
            mass += ink;
            x_moment += ink * (x as f64 + 0.5);
            y_moment += ink * (y as f64 + 0.5);
        }
    }
    ((x_moment / mass) as f32, (y_moment / mass) as f32)
}

/// The mean over a rectangle [left, top, right, bottom] of the drawing, in pixels and parts of them; outside is paper.
fn mean_ink(drawing: &Gray, extent: &Extent, [left, top, right, bottom]: [f32; 4]) -> f32 {
    let first = |edge: f32, least: usize| (edge.floor().max(0.0) as usize).max(least);
    let end = |edge: f32, last: usize| (edge.ceil().max(0.0) as usize).min(last + 1);
    let mut sum = 0.0;
    for y in first(top, extent.top)..end(bottom, extent.bottom) {
        let part_y = (bottom.min(y as f32 + 1.0) - top.max(y as f32)).max(0.0);
        for x in first(left, extent.left)..end(right, extent.right) {
            let part_x = (right.min(x as f32 + 1.0) - left.max(x as f32)).max(0.0);
            sum += drawing.ink[y * drawing.width + x] * part_x * part_y;
        }
    }
    sum / ((right - left) * (bottom - top))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(width: usize, height: usize, x: std::ops::Range<usize>, y: std::ops::Range<usize>) -> Gray {
        let ink = (0..width * height)
            .map(|index| if x.contains(&(index % width)) && y.contains(&(index / width)) { 0.5 } else { 0.0 })
            .collect();
        Gray { width, height, ink }
    }

    #[test]
    fn a_bar_is_twenty_high_and_in_the_middle_wherever_it_is_drawn() {
        for (x, y) in [(0, 0), (37, 11), (170, 98)] {
            let image = prepare(&bar(200, 200, x..x + 20, y..y + 100)).unwrap();
            let rows: Vec<f32> = image.chunks(SIZE).map(|row| row.iter().sum()).collect();
            let columns: Vec<f32> = (0..SIZE).map(|column| image.iter().skip(column).step_by(SIZE).sum()).collect();
            assert!(rows[4..24].iter().all(|&sum| (sum - 4.0).abs() < 1e-3), "{rows:?}");
            assert!(rows[..4].iter().chain(&rows[24..]).all(|&sum| sum.abs() < 1e-3), "{rows:?}");
            assert!(columns[12..16].iter().all(|&sum| (sum - 20.0).abs() < 1e-3), "{columns:?}");
        }
    }

    #[test]
    fn small_drawings_grow() {
        let image = prepare(&bar(8, 8, 3..4, 2..6)).unwrap();
        let total: f32 = image.iter().sum();
        assert!((total - 100.0).abs() < 0.1, "5 columns by 20 rows: {total}");
    }

    #[test]
    fn nothing_drawn_is_an_empty_image() {
        assert_eq!(prepare(&bar(30, 40, 0..0, 0..0)).unwrap(), vec![0.0; N_PIXELS]);
        assert_eq!(prepare(&Gray { width: 0, height: 0, ink: Vec::new() }).unwrap(), vec![0.0; N_PIXELS]);
        assert_eq!(prepare(&Gray { width: 1, height: 1, ink: vec![f32::INFINITY] }).unwrap(), vec![0.0; N_PIXELS]);
    }

    #[test]
    fn sizes_must_fit() {
        assert!(prepare(&Gray { width: 3, height: usize::MAX, ink: vec![0.0; 5] }).is_err());
    }
}
