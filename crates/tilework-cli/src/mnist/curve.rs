//! The course of the loss: a line of text for terminals, a picture for `--curve`.

use super::picture;

const WIDTH: usize = 800;
const HEIGHT: usize = 400;
const MARGIN: usize = 44;
const PAPER: [u8; 3] = [255, 255, 255];
const GRID: [u8; 3] = [226, 230, 236];
const TEXT: [u8; 3] = [92, 102, 118];
const LINE: [u8; 3] = [37, 99, 235];

/// Losses as a line of `columns` characters of rising height, on a logarithmic scale.
pub(super) fn text(losses: &[f64], columns: usize) -> String {
    const HEIGHTS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let means = means(losses, columns);
    let (low, high) = range(&means);
    means.iter().map(|&loss| HEIGHTS[(share(loss, low, high) * 7.0).round() as usize]).collect()
}

/// Losses as a PNG file: steps to the right, loss upwards on a logarithmic scale, grid lines at 1, 0.1, 0.01 and so on.
pub(super) fn png(losses: &[f64]) -> Vec<u8> {
    let mut canvas = Canvas { rgb: PAPER.repeat(WIDTH * HEIGHT) };
    let means = means(losses, WIDTH - 2 * MARGIN);
    let (low, high) = range(&means);
    let y_of = |loss: f64| HEIGHT - MARGIN - (share(loss, low, high) * (HEIGHT - 2 * MARGIN) as f64).round() as usize;
    for power in -6..=3 {
        for step in [1.0, 2.0, 5.0] {
            let value = step * 10f64.powi(power);
            if (low..=high).contains(&value) {
                canvas.horizontal(y_of(value), GRID);
                canvas.number(&format!("{value}"), MARGIN - 4, y_of(value));
            }
        }
    }
    canvas.number(&losses.len().to_string(), WIDTH - MARGIN, HEIGHT - MARGIN / 2);
    let n = means.len().max(2) - 1;
    let point = |index: usize| (MARGIN + index * (WIDTH - 2 * MARGIN) / n, y_of(means[index]));
    for index in 1..means.len() {
        canvas.line(point(index - 1), point(index));
    }
    picture::encode(WIDTH as u32, HEIGHT as u32, &canvas.rgb)
}

/// How high a loss is on the scale, from 0 to 1 whatever it is.
fn share(loss: f64, low: f64, high: f64) -> f64 {
    (loss.clamp(low, high).log10() - low.log10()) / (high.log10() - low.log10())
}

/// At most `n` means over equal stretches.
fn means(losses: &[f64], n: usize) -> Vec<f64> {
    let stretch = losses.len().div_ceil(n.max(1)).max(1);
    losses.chunks(stretch).map(|part| part.iter().sum::<f64>() / part.len() as f64).collect()
}

/// Limits of the scale, which are never equal.
fn range(losses: &[f64]) -> (f64, f64) {
    let finite = losses.iter().copied().filter(|loss| loss.is_finite() && *loss > 0.0);
    let (low, high) = finite.fold((f64::INFINITY, 0.0f64), |(low, high), loss| (low.min(loss), high.max(loss)));
    if low < high { (low, high) } else { (1e-3, 1.0) }
}

struct Canvas {
    rgb: Vec<u8>,
}

impl Canvas {
    fn dot(&mut self, x: usize, y: usize, color: [u8; 3]) {
        if x < WIDTH && y < HEIGHT {
            self.rgb[3 * (y * WIDTH + x)..][..3].copy_from_slice(&color);
        }
    }

    fn horizontal(&mut self, y: usize, color: [u8; 3]) {
        (MARGIN..WIDTH - MARGIN).for_each(|x| self.dot(x, y, color));
    }

    /// Two pixels thick.
    fn line(&mut self, (x0, y0): (usize, usize), (x1, y1): (usize, usize)) {
        let n = x1.abs_diff(x0).max(y1.abs_diff(y0)).max(1);
        let between = |a: usize, b: usize, step: usize| (a * (n - step) + b * step + n / 2) / n;
        for step in 0..=n {
            let (x, y) = (between(x0, x1, step), between(y0, y1, step));
            self.dot(x, y, LINE);
            self.dot(x, y + 1, LINE);
        }
    }

    /// A number that ends at `right` and is centered at height `middle`.
    fn number(&mut self, text: &str, right: usize, middle: usize) {
        let left = right.saturating_sub(8 * text.len());
        for (index, character) in text.chars().enumerate() {
            let rows = glyph(character);
            for (row, bits) in rows.iter().enumerate() {
                for column in (0..3).filter(|column| bits >> (2 - column) & 1 == 1) {
                    for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                        self.dot(left + 8 * index + 2 * column + dx, (middle + 2 * row + dy).saturating_sub(5), TEXT);
                    }
                }
            }
        }
    }
}

/// Five rows of three pixels.
fn glyph(character: char) -> [u8; 5] {
    match character {
        '0' => [7, 5, 5, 5, 7],
        '1' => [2, 6, 2, 2, 7],
        '2' => [7, 1, 7, 4, 7],
        '3' => [7, 1, 3, 1, 7],
        '4' => [5, 5, 7, 1, 1],
        '5' => [7, 4, 7, 1, 7],
        '6' => [7, 4, 7, 5, 7],
        '7' => [7, 1, 1, 2, 2],
        '8' => [7, 5, 7, 5, 7],
        '9' => [7, 5, 7, 1, 7],
        '.' => [0, 0, 0, 0, 2],
        _ => [0; 5],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_falling_loss_falls() {
        let losses: Vec<f64> = (0..100).map(|step| 10f64.powf(-step as f64 / 33.0)).collect();
        let line: Vec<char> = text(&losses, 8).chars().collect();
        assert_eq!(line.len(), 8);
        assert_eq!((line[0], line[7]), ('█', '▁'));
        assert!(line.windows(2).all(|pair| pair[0] >= pair[1]), "{line:?}");
    }

    #[test]
    fn any_losses_make_a_picture() {
        for losses in [vec![], vec![0.0], vec![f64::NAN, 1.0], vec![1.0; 5], vec![f64::INFINITY, 1e-9, 3.0]] {
            assert!(!png(&losses).is_empty());
            let _ = text(&losses, 5);
        }
    }
}
