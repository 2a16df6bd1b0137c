//! The IDX files of MNIST: a magic number, sizes, bytes. <http://yann.lecun.com/exdb/mnist/>

use tilework::{Error, ErrorKind, Result};

use super::{N_PIXELS, SIZE, ink};

/// Images with their classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digits {
    /// [`N_PIXELS`] bytes each, row after row; 255 is ink.
    pixels: Vec<u8>,
    classes: Vec<u8>,
}

impl Digits {
    /// From a file of images and a file of labels.
    pub fn from_idx(images: &[u8], labels: &[u8]) -> Result<Digits> {
        let (image_sizes, pixels) = elements::<3>("images", images)?;
        let (label_sizes, classes) = elements::<1>("labels", labels)?;
        let [n, height, width] = image_sizes;
        if [height, width] != [SIZE, SIZE] || label_sizes != [n] {
            let message =
                format!("{n} images of {height}×{width} and {} labels do not belong together", label_sizes[0]);
            return Err(damaged(message));
        }
        if let Some(class) = classes.iter().find(|&&class| class > 9) {
            return Err(damaged(format!("a label is {class}, not a digit")));
        }
        Ok(Digits { pixels: pixels.to_vec(), classes: classes.to_vec() })
    }

    /// Images.
    pub fn len(&self) -> usize {
        self.classes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }

    /// The digit that each image shows.
    pub fn classes(&self) -> &[u8] {
        &self.classes
    }

    /// Bytes of image `index`, row after row.
    pub fn image(&self, index: usize) -> &[u8] {
        &self.pixels[index * N_PIXELS..][..N_PIXELS]
    }

    /// All images as a network takes them.
    pub fn inputs(&self) -> Vec<f32> {
        self.pixels.iter().map(|&byte| ink(byte)).collect()
    }
}

/// Sizes and bytes of a file with `RANK` sizes.
fn elements<'a, const RANK: usize>(what: &str, bytes: &'a [u8]) -> Result<([usize; RANK], &'a [u8])> {
    // Two zeros, 8 for bytes, the number of sizes.
    let expected = [0, 0, 8, RANK as u8];
    let words = bytes.as_chunks::<4>().0.get(..1 + RANK).unwrap_or_default();
    if words.first() != Some(&expected) {
        return Err(damaged(format!("the file of {what} does not start like one of MNIST's (unpacked) IDX files")));
    }
    let sizes: [usize; RANK] = std::array::from_fn(|axis| u32::from_be_bytes(words[1 + axis]) as usize);
    let data = &bytes[4 * (1 + RANK)..];
    if sizes.iter().try_fold(1usize, |n, &size| n.checked_mul(size)) != Some(data.len()) {
        return Err(damaged(format!("the file of {what} is cut off: {} bytes for {sizes:?}", data.len())));
    }
    Ok((sizes, data))
}

fn damaged(message: String) -> Error {
    Error::new(ErrorKind::Io, "digits", message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(magic: [u8; 4], sizes: &[u32], data: &[u8]) -> Vec<u8> {
        let sizes: Vec<u8> = sizes.iter().flat_map(|size| size.to_be_bytes()).collect();
        [&magic[..], &sizes, data].concat()
    }

    #[test]
    fn images_and_labels_are_read() {
        let mut pixels = vec![0; 2 * N_PIXELS];
        pixels[N_PIXELS + 3] = 255;
        let images = file([0, 0, 8, 3], &[2, 28, 28], &pixels);
        let digits = Digits::from_idx(&images, &file([0, 0, 8, 1], &[2], &[4, 9])).unwrap();
        assert_eq!(digits.classes(), [4, 9]);
        assert_eq!(digits.image(1)[3], 255);
        assert_eq!(digits.inputs()[N_PIXELS + 3], 1.0);
    }

    #[test]
    fn what_is_damaged_is_told() {
        let images = file([0, 0, 8, 3], &[1, 28, 28], &[0; N_PIXELS]);
        let labels = file([0, 0, 8, 1], &[1], &[4]);
        let message = |images: &[u8], labels: &[u8]| Digits::from_idx(images, labels).unwrap_err().to_string();
        assert!(message(&images[..500], &labels).contains("cut off"));
        assert!(message(&[], &labels).contains("does not start like"));
        assert!(message(&images[..10], &labels).contains("does not start like"));
        assert!(message(&labels, &images).contains("does not start like"));
        assert!(message(&images, &file([0, 0, 8, 1], &[1], &[10])).contains("not a digit"));
        assert!(message(&images, &file([0, 0, 8, 1], &[2], &[1, 2])).contains("do not belong together"));
        let huge = file([0, 0, 8, 3], &[u32::MAX, u32::MAX, u32::MAX], &[]);
        assert!(message(&huge, &labels).contains("cut off"));
    }
}
