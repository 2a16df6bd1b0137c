//! Arrays in host memory.

use crate::dtype::{DType, Scalar};
use crate::expr::Value;
use crate::half;
use crate::layout::Layout;
use crate::shape::Shape;

/// Elements in host memory, in row-major order without gaps. Truth values are words of 0 or 1.
#[derive(Clone, Debug, PartialEq)]
pub enum HostBuffer {
    /// 16-bit floats, by their bits.
    F16(Vec<u16>),
    /// 32-bit floats.
    F32(Vec<f32>),
    /// 64-bit floats.
    F64(Vec<f64>),
    /// Signed integers.
    I32(Vec<i32>),
    /// Unsigned integers.
    U32(Vec<u32>),
    /// Truth values, 0 or 1.
    Bool(Vec<u32>),
}

/// Runs `$body` with `$data` bound to the typed vector or slice of any variant.
macro_rules! with_elements {
    ($buffer:expr, $data:ident => $body:expr) => {
        match $buffer {
            HostBuffer::F16($data) => $body,
            HostBuffer::F32($data) => $body,
            HostBuffer::F64($data) => $body,
            HostBuffer::I32($data) => $body,
            HostBuffer::U32($data) | HostBuffer::Bool($data) => $body,
        }
    };
}

impl HostBuffer {
    /// `len` zeros.
    pub fn zeros(dtype: DType, len: usize) -> HostBuffer {
        match dtype {
            DType::F16 => HostBuffer::F16(vec![0; len]),
            DType::F32 => HostBuffer::F32(vec![0.0; len]),
            DType::F64 => HostBuffer::F64(vec![0.0; len]),
            DType::I32 => HostBuffer::I32(vec![0; len]),
            DType::U32 => HostBuffer::U32(vec![0; len]),
            DType::Bool => HostBuffer::Bool(vec![0; len]),
        }
    }

    /// Values converted to `dtype` as the cast operations do.
    pub fn from_values(dtype: DType, values: impl IntoIterator<Item = Value>) -> HostBuffer {
        let values = values.into_iter();
        match dtype {
            DType::F16 => HostBuffer::F16(values.map(|v| half::narrow_f64(v.to_f64())).collect()),
            DType::F32 => HostBuffer::F32(values.map(|v| v.to_f64() as f32).collect()),
            DType::F64 => HostBuffer::F64(values.map(Value::to_f64).collect()),
            DType::I32 => HostBuffer::I32(values.map(|v| v.to_f64() as i32).collect()),
            DType::U32 => HostBuffer::U32(values.map(|v| v.to_f64() as u32).collect()),
            DType::Bool => HostBuffer::Bool(values.map(|v| u32::from(v.to_f64() != 0.0)).collect()),
        }
    }

    /// Element type.
    pub fn dtype(&self) -> DType {
        match self {
            HostBuffer::F16(_) => DType::F16,
            HostBuffer::F32(_) => DType::F32,
            HostBuffer::F64(_) => DType::F64,
            HostBuffer::I32(_) => DType::I32,
            HostBuffer::U32(_) => DType::U32,
            HostBuffer::Bool(_) => DType::Bool,
        }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        with_elements!(self, data => data.len())
    }

    /// True if there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Element `index` as a constant of its type.
    pub fn value(&self, index: usize) -> Value {
        match self {
            HostBuffer::F16(data) => Value::num(f64::from(half::widen(data[index]))),
            HostBuffer::F32(data) => Value::num(f64::from(data[index])),
            HostBuffer::F64(data) => Value::num(data[index]),
            HostBuffer::I32(data) => Value::Int(data[index]),
            HostBuffer::U32(data) => Value::Uint(data[index]),
            HostBuffer::Bool(data) => Value::Bool(data[index] != 0),
        }
    }

    /// Element `index` as a float.
    pub fn f64_at(&self, index: usize) -> f64 {
        self.value(index).to_f64()
    }

    /// The bytes, as they lie in memory and on a device.
    pub fn bytes(&self) -> &[u8] {
        with_elements!(self, data => bytemuck::cast_slice(data))
    }

    /// The same, to be written.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        with_elements!(self, data => bytemuck::cast_slice_mut(data))
    }

    /// Elements of `dtype` from bytes (surplus bytes are ignored).
    pub fn from_bytes(dtype: DType, bytes: &[u8]) -> HostBuffer {
        fn collect<T: bytemuck::Pod>(bytes: &[u8]) -> Vec<T> {
            bytes.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned).collect()
        }
        match dtype {
            DType::F16 => HostBuffer::F16(collect(bytes)),
            DType::F32 => HostBuffer::F32(collect(bytes)),
            DType::F64 => HostBuffer::F64(collect(bytes)),
            DType::I32 => HostBuffer::I32(collect(bytes)),
            DType::U32 => HostBuffer::U32(collect(bytes)),
            DType::Bool => HostBuffer::Bool(collect(bytes)),
        }
    }

    /// Type of one element inside an expression.
    pub fn scalar(&self) -> Scalar {
        self.dtype().scalar()
    }
}

/// A view of host memory: what a reference implementation reads.
#[derive(Clone, Debug)]
pub struct HostView<'a> {
    /// The elements.
    pub data: &'a HostBuffer,
    /// Which of them, in which order.
    pub layout: Layout,
}

impl HostView<'_> {
    /// Axis sizes.
    pub fn shape(&self) -> &Shape {
        &self.layout.shape
    }

    /// Element `index` in row-major order, as a float.
    pub fn f64_at(&self, index: usize) -> f64 {
        self.data.f64_at(self.layout.element(index))
    }

    /// Element `index` in row-major order.
    pub fn value(&self, index: usize) -> Value {
        self.data.value(self.layout.element(index))
    }
}
