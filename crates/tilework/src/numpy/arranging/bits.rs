//! Truth values packed eight to a byte, and back.

use super::{along, carried, counted, with_size};
use crate::array::Array;
use tilework_core::dtype::DType;
use tilework_core::{Error, Result};

/// Which bit of a byte comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BitOrder {
    /// The one that counts 128.
    #[default]
    Big,
    /// The one that counts 1.
    Little,
}

/// The type of bytes.
const BYTE: DType = DType::U8;

impl Array {
    /// Eight elements of an axis (of all elements in one row without an axis) as the bits of one byte, true unless 0. Zeros are added
    /// at the end.
    pub fn packbits(&self, axis: Option<isize>, order: BitOrder) -> Array {
        carried(self.device(), along("packbits", self, axis).and_then(|(x, axis)| packbits(&x, axis, order)))
    }

    /// The bits of the bytes along an axis (of all elements in one row without an axis), as bytes of 0 and 1.
    pub fn unpackbits(&self, axis: Option<isize>, order: BitOrder) -> Array {
        carried(self.device(), along("unpackbits", self, axis).and_then(|(x, axis)| unpackbits(&x, axis, order)))
    }
}

fn expect_integers(op: &str, x: &Array) -> Result<()> {
    if x.dtype().is_integer() || x.dtype() == DType::Bool {
        return Ok(());
    }
    Err(Error::dtype(op, format!("needs truth values or integers, got {}", x.dtype())))
}

/// How far each of eight bits is shifted, along `axis` of `rank` axes.
fn shifts(x: &Array, rank: usize, axis: usize, order: BitOrder) -> Array {
    let counted = counted(x.device(), rank, axis, 8);
    if order == BitOrder::Big { counted.neg() + 7 } else { counted }
}

fn packbits(x: &Array, axis: usize, order: BitOrder) -> Result<Array> {
    expect_integers("packbits", x)?;
    let size = x.shape()[axis];
    let n_bytes = size.div_ceil(8);
    let device = x.device();
    let gap = device.full_of(with_size(x.shape(), axis, n_bytes * 8 - size), 0.0, DType::Bool);
    let bits = device.concat(&[&x.cast(DType::Bool), &gap], axis as isize).cast(DType::I32);
    let sizes = x.shape();
    let outer: usize = sizes[..axis].iter().product();
    let inner: usize = sizes[axis + 1..].iter().product();
    let bits = bits.reshape([outer, n_bytes, 8, inner]);
    let bytes = bits.shift_left(shifts(x, 4, 2, order)).sum([2]);
    Ok(bytes.reshape(with_size(sizes, axis, n_bytes)).cast(BYTE))
}

fn unpackbits(x: &Array, axis: usize, order: BitOrder) -> Result<Array> {
    expect_integers("unpackbits", x)?;
    let (outer, size, inner) = super::split_sizes(x.shape(), axis);
    let sizes = with_size(x.shape(), axis, size.saturating_mul(8));
    super::expect_countable("unpackbits", &sizes)?;
    let bytes = x.cast(DType::I32).reshape([outer, size, 1, inner]);
    Ok(bytes.shift_right(shifts(x, 4, 2, order)).bit_and(1).reshape(sizes).cast(BYTE))
}
