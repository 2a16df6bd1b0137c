//! Arrays from a few numbers.

use super::{carried, counted, small};
use crate::array::Array;
use crate::device::Device;
use tilework_core::dtype::DType;
use tilework_core::shape::{IntoSizes, MAX_ELEMENTS, Shape};
use tilework_core::{Error, ErrorKind, Result};

/// Numbers from `start` up to (not including) `stop`, `step` apart: see [`Device::arange_of`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arange {
    /// First number; 0 unless told.
    pub start: f64,
    /// Where to stop.
    pub stop: f64,
    /// Distance; 1 unless told, may be negative, not 0.
    pub step: f64,
    /// Element type: int32 unless told if all three are whole numbers, else float32.
    pub dtype: Option<DType>,
}

impl Default for Arange {
    fn default() -> Arange {
        Arange { start: 0.0, stop: 0.0, step: 1.0, dtype: None }
    }
}

/// Whether a range of numbers includes its last one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Endpoint {
    /// The last number is the end.
    #[default]
    Included,
    /// The last number is one step before the end.
    Excluded,
}

/// How numbers are spread between two ends: see [`Device::linspace_of`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spacing {
    /// How many.
    pub n: usize,
    /// Whether the end is one of them.
    pub endpoint: Endpoint,
    /// Element type: float32 unless told. Integers are rounded down.
    pub dtype: DType,
}

impl Default for Spacing {
    fn default() -> Spacing {
        Spacing { n: 50, endpoint: Endpoint::Included, dtype: DType::F32 }
    }
}

/// Which axis of a mesh belongs to the first of its rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Meshes {
    /// The second axis, as x and y of a picture: NumPy's `"xy"`.
    #[default]
    Cartesian,
    /// The first axis: NumPy's `"ij"`.
    Matrix,
}

impl Device {
    /// Numbers from `start` up to (not including) `stop`, `step` apart: `device.arange_of(Arange { stop: 3.0, ..Arange::default() })`.
    pub fn arange_of(&self, range: Arange) -> Array {
        carried(self, arange(self, range))
    }

    /// Numbers evenly spread from `start` to `stop`.
    pub fn linspace_of(&self, start: f64, stop: f64, spacing: Spacing) -> Array {
        let Spacing { n, endpoint, dtype } = spacing;
        if endpoint == Endpoint::Included && dtype == DType::F32 {
            return self.linspace(start, stop, n);
        }
        let n_steps = if endpoint == Endpoint::Included { n.saturating_sub(1) } else { n };
        let step = if n_steps > 0 { (stop - start) / n_steps as f64 } else { 0.0 };
        let inner = dtype.float();
        let counted = self.arange(n).cast(inner) * step + start;
        let numbers = if endpoint == Endpoint::Included && n > 1 {
            self.arange(n).eq(small(n as isize - 1)).select(self.full_of((), stop, inner), &counted)
        } else {
            counted
        };
        if dtype.is_float() { numbers.cast(dtype) } else { numbers.floor().cast(dtype) }
    }

    /// `base` to the power of numbers evenly spread from `start` to `stop`.
    pub fn logspace(&self, start: f64, stop: f64, base: f64, spacing: Spacing) -> Array {
        let exponents = self.linspace_of(start, stop, Spacing { dtype: spacing.dtype.float(), ..spacing });
        self.full_of((), base, exponents.dtype()).pow(&exponents).cast(spacing.dtype)
    }

    /// Numbers from `start` to `stop`, each the same multiple of the one before. Both ends have one sign and are not 0.
    pub fn geomspace(&self, start: f64, stop: f64, spacing: Spacing) -> Array {
        let ratio = stop / start;
        if ratio <= 0.0 || !ratio.is_finite() {
            let message = format!("needs two ends of one sign, not 0, got {start} and {stop}");
            return carried(self, Err(Error::argument("geomspace", message)));
        }
        let inner = spacing.dtype.float();
        let logs = self.linspace_of(0.0, stop.abs().ln() - start.abs().ln(), Spacing { dtype: inner, ..spacing });
        let inside = logs.exp() * start;
        let n = spacing.n;
        let index = self.arange(n);
        // The ends are what was asked for, not what rounding makes of it.
        let from_start = index.eq(0).select(self.full_of((), start, inner), &inside);
        let pinned = if n > 1 && spacing.endpoint == Endpoint::Included {
            index.eq(small(n as isize - 1)).select(self.full_of((), stop, inner), &from_start)
        } else {
            from_start
        };
        pinned.cast(spacing.dtype)
    }

    /// A matrix of zeros with ones where the column is the row plus `k`. Square without a number of columns.
    pub fn eye_of(&self, n_rows: usize, n_cols: Option<usize>, k: isize, dtype: DType) -> Array {
        let n_cols = n_cols.unwrap_or(n_rows);
        (self.arange(n_rows).reshape([n_rows, 1]) + small(k)).eq(self.arange(n_cols)).cast(dtype)
    }

    /// The identity matrix of size `n`.
    pub fn identity(&self, n: usize, dtype: DType) -> Array {
        self.eye_of(n, None, 0, dtype)
    }

    /// For each axis of `shape` the position along it: `[n_axes, ..shape]`, as int32.
    pub fn indices(&self, shape: impl IntoSizes) -> Array {
        let sizes = shape.into_sizes();
        carried(self, indices(self, &sizes))
    }

    /// What `f` makes of one array per axis of `shape` with the positions along it, as `dtype`: NumPy's `fromfunction`.
    pub fn from_function(&self, shape: impl IntoSizes, dtype: DType, f: impl FnOnce(&[Array]) -> Array) -> Array {
        let sizes = shape.into_sizes();
        if let Err(error) = Shape::new("fromfunction", &sizes[..]) {
            return carried(self, Err(error));
        }
        let rank = sizes.len();
        let along = |axis: usize| counted(self, rank, axis, sizes[axis]).cast(dtype).broadcast_to(&sizes[..]);
        f(&(0..rank).map(along).collect::<Vec<_>>())
    }

    /// For each row the array that repeats it over all others: coordinates of a grid.
    pub fn meshgrid(&self, rows: &[&Array], meshes: Meshes) -> Result<Vec<Array>> {
        let rank = rows.len();
        let mut sizes = Vec::new();
        for row in rows {
            row.check()?;
            if row.ndim() > 1 {
                let message = format!("needs rows, got one of shape {:?}", row.shape());
                return Err(Error::shape("meshgrid", message));
            }
            sizes.push(row.size());
        }
        let is_swapped = meshes == Meshes::Cartesian && rank >= 2;
        let axis_of = |k: usize| if is_swapped && k < 2 { 1 - k } else { k };
        let shape: Vec<usize> = (0..rank).map(|axis| sizes[axis_of(axis)]).collect();
        let shape = Shape::new("meshgrid", shape)?;
        let spread = |(k, row): (usize, &&Array)| {
            let mut own = vec![1; rank];
            own[axis_of(k)] = sizes[k];
            row.reshape(own).broadcast_to(&shape)
        };
        Ok(rows.iter().enumerate().map(spread).collect())
    }
}

fn arange(device: &Device, range: Arange) -> Result<Array> {
    let Arange { start, stop, step, dtype } = range;
    let n = ((stop - start) / step).ceil().max(0.0);
    if step == 0.0 || !(start.is_finite() && stop.is_finite() && step.is_finite()) {
        let message = format!("cannot go from {start} to {stop} in steps of {step}");
        return Err(Error::argument("arange", message));
    }
    if n > MAX_ELEMENTS as f64 {
        return Err(Error::new(ErrorKind::TooLarge, "arange", format!("{n} elements are too many")));
    }
    let is_whole = start.fract() == 0.0 && stop.fract() == 0.0 && step.fract() == 0.0;
    let dtype = dtype.unwrap_or(if is_whole { DType::I32 } else { DType::F32 });
    let inner = if dtype.is_integer() && is_whole { dtype } else { dtype.float() };
    Ok((device.arange(n as usize).cast(inner) * step + start).cast(dtype))
}

fn indices(device: &Device, sizes: &[usize]) -> Result<Array> {
    let rank = sizes.len();
    let whole = Shape::new("indices", [&[rank], sizes].concat())?;
    if rank == 0 {
        return Ok(device.full_of([0], 0.0, DType::I32));
    }
    let axes: Vec<Array> =
        (0..rank).map(|axis| counted(device, rank, axis, sizes[axis]).broadcast_to(&whole[1..])).collect();
    Ok(device.stack(&axes.iter().collect::<Vec<_>>(), 0))
}
