//! Bundle adjustment in the large: cameras, points and where cameras see points, as text.
//!
//! The format of S. Agarwal et al., *Bundle Adjustment in the Large* (ECCV 2010): counts, then an observation per line, then nine
//! numbers to a camera (rotation vector, translation, focal length, two coefficients of radial distortion), then three to a point.

use super::words::{Words, list};
use std::fmt::Write;
use tilework_core::Result;

/// A point as a camera sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observation {
    /// Which camera.
    pub camera: u32,
    /// Which point.
    pub point: u32,
    /// Where in the image, in pixels from its center.
    pub pixel: [f64; 2],
}

/// Cameras, points and observations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bundle {
    /// Rotation vector (3), translation (3), focal length, and coefficients of the second and fourth power of the radius.
    pub cameras: Vec<[f64; 9]>,
    /// Points of space.
    pub points: Vec<[f64; 3]>,
    /// Which camera sees which point where.
    pub observations: Vec<Observation>,
}

impl Bundle {
    /// Reads the text format.
    pub fn parse(text: &str) -> Result<Bundle> {
        let mut words = Words::new("BAL", text, None);
        let n_cameras: usize = words.next("the number of cameras")?;
        let n_points: usize = words.next("the number of points")?;
        let n_observations: usize = words.next("the number of observations")?;
        let mut observations = list(n_observations, text.len());
        for _ in 0..n_observations {
            let camera: u32 = words.next("the number of a camera")?;
            let point: u32 = words.next("the number of a point")?;
            if camera as usize >= n_cameras || point as usize >= n_points {
                let message =
                    format!("camera {camera} sees point {point}, of {n_cameras} cameras and {n_points} points");
                return Err(words.error(message));
            }
            let pixel = [words.number("a coordinate in the image")?, words.number("a coordinate in the image")?];
            observations.push(Observation { camera, point, pixel });
        }
        let cameras = blocks(&mut words, n_cameras, text.len(), "a number of a camera")?;
        let points = blocks(&mut words, n_points, text.len(), "a coordinate of a point")?;
        Ok(Bundle { cameras, points, observations })
    }

    /// The text format.
    pub fn to_text(&self) -> String {
        let mut text = format!("{} {} {}\n", self.cameras.len(), self.points.len(), self.observations.len());
        // Writing to a string cannot fail.
        for Observation { camera, point, pixel: [x, y] } in &self.observations {
            let _ = writeln!(text, "{camera} {point} {x:e} {y:e}");
        }
        for number in self.cameras.iter().flatten().chain(self.points.iter().flatten()) {
            let _ = writeln!(text, "{number:e}");
        }
        text
    }
}

fn blocks<const N: usize>(words: &mut Words<'_>, n: usize, n_bytes: usize, wanted: &str) -> Result<Vec<[f64; N]>> {
    let mut blocks = list(n, n_bytes / N);
    for _ in 0..n {
        let mut block = [0.0; N];
        for number in &mut block {
            *number = words.number(wanted)?;
        }
        blocks.push(block);
    }
    Ok(blocks)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "1 2 2\n0 0 -1.5e0 2.5\n0 1 3 4\n1\n2\n3\n4\n5\n6\n7\n8\n9\n.1\n.2\n.3\n.4 .5 .6\n";

    #[test]
    fn text_is_read_and_written() {
        let bundle = Bundle::parse(SMALL).unwrap();
        assert_eq!(bundle.observations[0].pixel, [-1.5, 2.5]);
        assert_eq!(bundle.cameras[0][6], 7.0);
        assert_eq!(bundle.points[1], [0.4, 0.5, 0.6]);
        assert_eq!(Bundle::parse(&bundle.to_text()).unwrap(), bundle);
    }

    #[test]
    fn errors_name_the_line() {
        let message = |text: &str| Bundle::parse(text).unwrap_err().to_string();
        assert!(message("1 1 1\n0 1 2 3").contains("line 2: camera 0 sees point 1"), "{}", message("1 1 1\n0 1 2 3"));
        assert!(message("1 1 1\n0 0 x 3").contains("line 2: `x` is not a coordinate"));
        assert!(message("1 1 1\n0 0 nan 3").contains("is NaN"));
        assert!(message("9999999999999 1 0\n").contains("the file ends"));
        assert!(message("").contains("the number of cameras"));
        // No cut of a file is a whole one.
        for end in 0..SMALL.len() - 2 {
            assert!(Bundle::parse(&SMALL[..end]).is_err(), "{end}");
        }
    }
}
