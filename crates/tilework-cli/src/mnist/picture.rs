//! PNG files in and out.

use std::io::Cursor;
use std::path::Path;

use tilework_nn::digits::Gray;

use crate::failure::{Failure, Outcome};
use crate::files;

const ADVICE: &str = "a PNG file with one digit, dark on light or light on dark, is what is needed";
/// Larger pictures are refused before memory is taken for them.
const MAX_PIXELS: usize = 64 << 20;

/// A PNG file as ink: whatever the corners have is paper, the opposite is ink.
pub(crate) fn read(path: &Path) -> Outcome<Gray> {
    let bytes = files::read(path, ADVICE)?;
    decode(&bytes).map_err(|problem| Failure::file(format!("{}: {problem}", path.display()), ADVICE))
}

fn decode(bytes: &[u8]) -> Result<Gray, String> {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(|error| error.to_string())?;
    let (width, height) = (reader.info().width as usize, reader.info().height as usize);
    let size_bytes = reader.output_buffer_size().unwrap_or(usize::MAX);
    if width.saturating_mul(height) > MAX_PIXELS || size_bytes > 4 * MAX_PIXELS {
        return Err(format!("{width}×{height} pixels are too many"));
    }
    let mut pixels = vec![0; size_bytes];
    let frame = reader.next_frame(&mut pixels).map_err(|error| error.to_string())?;
    let n_channels = frame.color_type.samples();
    let lightness: Vec<f32> = pixels.chunks_exact(n_channels).take(width * height).map(lightness).collect();
    if lightness.len() != width * height || lightness.is_empty() {
        return Err("the picture has no pixels".to_owned());
    }
    Ok(Gray { width, height, ink: ink(&lightness, width) })
}

/// Lightness of a pixel on white paper, from 0 to 1.
fn lightness(pixel: &[u8]) -> f32 {
    let part = |index: usize| f32::from(pixel[index]) / 255.0;
    let color = |r: f32, g: f32, b: f32| 0.299 * r + 0.587 * g + 0.114 * b;
    match pixel.len() {
        1 => part(0),
        2 => 1.0 - part(1) * (1.0 - part(0)),
        3 => color(part(0), part(1), part(2)),
        _ => 1.0 - part(3) * (1.0 - color(part(0), part(1), part(2))),
    }
}

/// Distance from the paper, which is what most of the border looks like.
fn ink(lightness: &[f32], width: usize) -> Vec<f32> {
    let height = lightness.len() / width;
    let is_border = |index: usize| {
        let (x, y) = (index % width, index / width);
        x == 0 || y == 0 || x + 1 == width || y + 1 == height
    };
    let mut border: Vec<f32> = (0..lightness.len()).filter(|&index| is_border(index)).map(|i| lightness[i]).collect();
    border.sort_by(f32::total_cmp);
    let paper = border[border.len() / 2];
    lightness.iter().map(|&x| (x - paper).abs()).collect()
}

/// A picture of 8-bit colors as a PNG file.
pub(crate) fn encode(width: u32, height: u32, rgb: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgb);
    let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(rgb));
    written.expect("memory takes everything, and the sizes fit");
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dark_on_light_and_light_on_dark_are_the_same_ink() {
        let mut dark = vec![255u8; 3 * 25];
        dark[3 * 12..3 * 13].fill(0);
        let light: Vec<u8> = dark.iter().map(|x| 255 - x).collect();
        for rgb in [dark, light] {
            let gray = decode(&encode(5, 5, &rgb)).unwrap();
            assert_eq!((gray.width, gray.height), (5, 5));
            assert!(gray.ink[12] > 0.99 && gray.ink[0] < 0.01, "{:?}", gray.ink);
        }
    }

    #[test]
    fn what_is_no_picture_is_an_error() {
        assert!(decode(b"no picture").is_err());
        let file = encode(5, 5, &[9; 75]);
        for n in 0..file.len() {
            let _ = decode(&file[..n]);
        }
    }
}
