//! Arrays in host memory.

use crate::dtype::{DType, HAS_WIDE, Scalar};
use crate::expr::Value;
use crate::half;
use crate::layout::Layout;
use crate::shape::Shape;
use std::borrow::Cow;

/// Calls `$consumer!` with every variant of [`HostBuffer`], the Rust type of its elements, and whether they are told apart by the variant.
macro_rules! host_types {
    ($consumer:ident $($rest:tt)*) => {
        $consumer! { [
            F16 u16 "16-bit floats, by their bits.",
            BF16 u16 "bfloat16 numbers, by their bits.",
            F32 f32 "32-bit floats.",
            F64 f64 "64-bit floats.",
            I8 i8 "Signed 8-bit integers.",
            I16 i16 "Signed 16-bit integers.",
            I32 i32 "Signed integers.",
            I64 i64 "Signed 64-bit integers.",
            U8 u8 "Unsigned 8-bit integers.",
            U16 u16 "Unsigned 16-bit integers.",
            U32 u32 "Unsigned integers.",
            U64 u64 "Unsigned 64-bit integers.",
            Bool u8 "Truth values, 0 or 1."
        ] $($rest)* }
    };
}

macro_rules! define_buffer {
    ([$($Variant:ident $element:ident $doc:literal),*]) => {
        /// Elements in host memory, in row-major order without gaps. Truth values are bytes of 0 or 1, on a device words. Complex numbers have no
        /// variant: they are pairs of floats.
        #[derive(Clone, Debug, PartialEq)]
        pub enum HostBuffer {
            $(#[doc = $doc] $Variant(Vec<$element>),)*
        }

        impl HostBuffer {
            /// `len` zeros.
            pub fn zeros(dtype: DType, len: usize) -> HostBuffer {
                match dtype {
                    // Types that a module is without have no elements.
                    $(DType::$Variant if !HAS_WIDE && const { DType::$Variant.is_wide() } => HostBuffer::F32(Vec::new()),)*
                    $(DType::$Variant => HostBuffer::$Variant(vec![$element::default(); len]),)*
                    DType::C64 => HostBuffer::F32(vec![0.0; 2 * len]),
                    DType::C128 => HostBuffer::F64(vec![0.0; 2 * len]),
                }
            }

            /// Element type.
            pub fn dtype(&self) -> DType {
                match self {
                    $(HostBuffer::$Variant(_) => DType::$Variant,)*
                }
            }

            /// Elements of `dtype` from their [bytes on a device](Self::device_bytes) (surplus bytes are ignored).
            pub fn from_device_bytes(dtype: DType, bytes: &[u8]) -> HostBuffer {
                fn collect<T: bytemuck::Pod>(bytes: &[u8]) -> Vec<T> {
                    bytes.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned).collect()
                }
                if dtype == DType::Bool {
                    return HostBuffer::Bool(bytes.chunks_exact(4).map(|word| u8::from(word != [0; 4])).collect());
                }
                match dtype {
                    $(DType::$Variant if !HAS_WIDE && const { DType::$Variant.is_wide() } => HostBuffer::F32(Vec::new()),)*
                    $(DType::$Variant => HostBuffer::$Variant(collect(bytes)),)*
                    DType::C64 => HostBuffer::F32(collect(bytes)),
                    DType::C128 => HostBuffer::F64(collect(bytes)),
                }
            }
        }
    };
}
host_types!(define_buffer);

/// Runs `$body` with `$data` bound to the typed vector or slice of any variant.
macro_rules! with_elements {
    ($buffer:expr, $data:ident => $body:expr) => {
        host_types!(match_elements $buffer, $data => $body)
    };
}
macro_rules! match_elements {
    ([$($Variant:ident $element:ident $doc:literal),*] $buffer:expr, $data:ident => $body:expr) => {
        match $buffer {
            $(HostBuffer::$Variant($data) => $body,)*
        }
    };
}

impl HostBuffer {
    /// Values converted to `dtype` as the cast operations do.
    pub fn from_values(dtype: DType, values: impl IntoIterator<Item = Value>) -> HostBuffer {
        /// Integers keep their low bits, floats go to the nearest end of the range.
        macro_rules! whole {
            ($Variant:ident $int:ident, $values:expr) => {
                HostBuffer::$Variant(
                    $values
                        .map(|value| match value {
                            Value::Num(bits) => f64::from_bits(bits) as $int,
                            other => match other.cast(Scalar::Long) {
                                Value::Long(bits) => bits as $int,
                                _ => 0,
                            },
                        })
                        .collect(),
                )
            };
        }
        let values = values.into_iter();
        match dtype {
            DType::F16 => HostBuffer::F16(values.map(|v| half::narrow_f64(v.to_f64())).collect()),
            DType::BF16 if HAS_WIDE => HostBuffer::BF16(values.map(|v| half::narrow_bfloat_f64(v.to_f64())).collect()),
            DType::F32 | DType::C64 => HostBuffer::F32(values.map(|v| v.to_f64() as f32).collect()),
            DType::F64 | DType::C128 => HostBuffer::F64(values.map(Value::to_f64).collect()),
            DType::I8 if HAS_WIDE => whole!(I8 i8, values),
            DType::I16 if HAS_WIDE => whole!(I16 i16, values),
            DType::I32 => whole!(I32 i32, values),
            DType::I64 if HAS_WIDE => whole!(I64 i64, values),
            DType::U8 if HAS_WIDE => whole!(U8 u8, values),
            DType::U16 if HAS_WIDE => whole!(U16 u16, values),
            DType::U32 => whole!(U32 u32, values),
            DType::U64 if HAS_WIDE => whole!(U64 u64, values),
            DType::Bool => HostBuffer::Bool(values.map(|v| u8::from(v.to_f64() != 0.0)).collect()),
            // Types that this module is without.
            _ => HostBuffer::F32(Vec::new()),
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
            HostBuffer::BF16(data) => Value::num(f64::from(half::widen_bfloat(data[index]))),
            HostBuffer::F32(data) => Value::num(f64::from(data[index])),
            HostBuffer::F64(data) => Value::num(data[index]),
            HostBuffer::I8(data) => Value::Int(data[index].into()),
            HostBuffer::I16(data) => Value::Int(data[index].into()),
            HostBuffer::I32(data) => Value::Int(data[index]),
            HostBuffer::I64(data) => Value::Long(data[index]),
            HostBuffer::U8(data) => Value::Uint(data[index].into()),
            HostBuffer::U16(data) => Value::Uint(data[index].into()),
            HostBuffer::U32(data) => Value::Uint(data[index]),
            HostBuffer::U64(data) => Value::Ulong(data[index]),
            HostBuffer::Bool(data) => Value::Bool(data[index] != 0),
        }
    }

    /// Element `index` as a float.
    pub fn f64_at(&self, index: usize) -> f64 {
        self.value(index).to_f64()
    }

    /// The bytes as they lie on a device: truth values are words there.
    pub fn device_bytes(&self) -> Cow<'_, [u8]> {
        match self {
            HostBuffer::Bool(truths) => truths.iter().flat_map(|&truth| u32::from(truth).to_le_bytes()).collect(),
            other => Cow::Borrowed(other.bytes()),
        }
    }

    /// The bytes, as they lie in memory.
    pub fn bytes(&self) -> &[u8] {
        with_elements!(self, data => bytemuck::cast_slice(data))
    }

    /// The same, to be written.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        with_elements!(self, data => bytemuck::cast_slice_mut(data))
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
