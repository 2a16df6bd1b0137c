//! The arrays of a model, by name.

use std::collections::BTreeMap;

use tilework::{Array, DType, Device, Error, ErrorKind, Result, io};

pub(crate) use tilework::io::is_plain;

/// An array from the bytes of its elements, of a type of safetensors.
pub(crate) fn array(device: &Device, name: &str, dtype: &str, shape: &[usize], bytes: &[u8]) -> Result<Array> {
    let data = io::widened(io::read_tensor(name, dtype, shape, bytes)?).ok_or_else(|| too_large(name))?;
    Ok(device.from_host(data, shape))
}

fn too_large(name: &str) -> Error {
    Error::new(ErrorKind::Io, "weights", format!("`{name}` holds integers that do not fit 32 bits"))
}

/// Arrays by name, as a PyTorch `state_dict` has them: `fc1.weight` is `[out, in]`.
#[derive(Clone, Debug)]
pub struct Weights {
    device: Device,
    arrays: BTreeMap<String, Array>,
    /// Whether arrays are views of pictures, in which they should stay.
    is_in_pictures: bool,
}

impl Weights {
    /// No arrays yet.
    pub fn new(device: &Device) -> Weights {
        Weights { device: device.clone(), arrays: BTreeMap::new(), is_in_pictures: false }
    }

    /// The same for views of pictures: whoever uses them reads the picture, and makes no copy for the sake of speed.
    pub(crate) fn in_pictures(device: &Device) -> Weights {
        Weights { is_in_pictures: true, ..Weights::new(device) }
    }

    /// Whether arrays are views of pictures, in which they should stay.
    pub(crate) fn is_in_pictures(&self) -> bool {
        self.is_in_pictures
    }

    /// Reads a safetensors file or an `.npz` archive; the first bytes tell which it is.
    ///
    /// Floats of 16 bits keep their type ([`tilework::DType::F16`]) or, as bfloat16, become 32-bit floats; 64-bit integers become
    /// 32-bit ones and must fit. Fails with [`ErrorKind::Io`] if the file is damaged.
    pub fn from_bytes(device: &Device, bytes: &[u8]) -> Result<Weights> {
        let contents = if io::is_npz(bytes) {
            io::read_npz(bytes)?
        } else {
            io::read_safetensors(bytes).map_err(|error| match error.message() {
                "this is no safetensors file" => {
                    Error::new(ErrorKind::Io, "weights", "this is neither a safetensors file nor an .npz archive")
                }
                _ => error,
            })?
        };
        let mut weights = Weights::new(device);
        for (name, content) in contents {
            let data = io::widened(content.data).ok_or_else(|| too_large(&name))?;
            weights.insert(name, device.from_host(data, content.shape));
        }
        Ok(weights)
    }

    /// The file these weights would be in, as safetensors with 32-bit floats and integers. Waits for the arrays.
    pub async fn to_safetensors(&self) -> Result<Vec<u8>> {
        let is_kept = |dtype: DType| matches!(dtype, DType::I32 | DType::U32 | DType::F16);
        let kept = |array: &Array| if is_kept(array.dtype()) { array.clone() } else { array.to_f32() };
        let arrays: Vec<(&str, Array)> = self.iter().map(|(name, array)| (name, kept(array))).collect();
        self.device.to_safetensors(&arrays.iter().map(|(name, array)| (*name, array)).collect::<Vec<_>>()).await
    }

    /// The device they are on.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Adds or replaces an array.
    pub fn insert(&mut self, name: impl Into<String>, array: Array) {
        self.arrays.insert(name.into(), array);
    }

    /// Names and arrays, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Array)> {
        self.arrays.iter().map(|(name, array)| (name.as_str(), array))
    }

    /// The array called `name`, if there is one.
    pub fn find(&self, name: &str) -> Option<&Array> {
        self.arrays.get(name)
    }

    /// The array called `name`; the error says which names there are.
    pub fn get(&self, name: &str) -> Result<&Array> {
        self.arrays.get(name).ok_or_else(|| {
            let mut names: Vec<&str> = self.arrays.keys().map(String::as_str).take(8).collect();
            if self.arrays.len() > names.len() {
                names.push("...");
            }
            damaged(format!("there is no `{name}`; the file has {}", names.join(", ")))
        })
    }

    /// The array called `name`, which must have `shape`.
    pub fn shaped(&self, name: &str, shape: &[usize]) -> Result<&Array> {
        let array = self.get(name)?;
        if array.shape() != shape {
            return Err(Error::shape("weights", format!("`{name}` is {:?}, should be {shape:?}", array.shape())));
        }
        Ok(array)
    }
}

/// A file that is not what it should be.
fn damaged(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Io, "weights", message)
}
