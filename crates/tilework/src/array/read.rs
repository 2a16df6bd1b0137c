//! Reading results.

use super::Array;
use num_complex::Complex;
use tilework_core::dtype::DType;
use tilework_core::half::{Bfloat, Half};
use tilework_core::host::HostBuffer;
use tilework_core::{Error, Result};

/// A Rust type that arrays can hold.
pub trait Element: Copy + Send + Sync + 'static {
    /// The array's name for it.
    const DTYPE: DType;
    /// Elements as host memory.
    #[doc(hidden)]
    fn into_buffer(data: Vec<Self>) -> HostBuffer;
    /// Elements from host memory of this type, or of its parts.
    #[doc(hidden)]
    fn from_buffer(buffer: &HostBuffer) -> Option<Vec<Self>>;
}

macro_rules! element {
    ($($element:ty: $Variant:ident),*) => {$(
        impl Element for $element {
            const DTYPE: DType = DType::$Variant;
            fn into_buffer(data: Vec<Self>) -> HostBuffer {
                HostBuffer::$Variant(data)
            }
            fn from_buffer(buffer: &HostBuffer) -> Option<Vec<Self>> {
                match buffer {
                    HostBuffer::$Variant(data) => Some(data.clone()),
                    _ => None,
                }
            }
        }
    )*};
}
element!(f32: F32, f64: F64, i8: I8, i16: I16, i32: I32, i64: I64, u8: U8, u16: U16, u32: U32, u64: U64);

macro_rules! complex_element {
    ($($float:ident: $Variant:ident $Part:ident),*) => {$(
        impl Element for Complex<$float> {
            const DTYPE: DType = DType::$Variant;
            fn into_buffer(data: Vec<Self>) -> HostBuffer {
                HostBuffer::$Part(bytemuck::cast_slice(&data).to_vec())
            }
            fn from_buffer(buffer: &HostBuffer) -> Option<Vec<Self>> {
                match buffer {
                    HostBuffer::$Part(data) => Some(bytemuck::cast_slice(data).to_vec()),
                    _ => None,
                }
            }
        }
    )*};
}
complex_element!(f32: C64 F32, f64: C128 F64);

impl Element for Bfloat {
    const DTYPE: DType = DType::BF16;
    fn into_buffer(data: Vec<Bfloat>) -> HostBuffer {
        HostBuffer::BF16(data.into_iter().map(|value| value.0).collect())
    }
    fn from_buffer(buffer: &HostBuffer) -> Option<Vec<Bfloat>> {
        match buffer {
            HostBuffer::BF16(data) => Some(data.iter().map(|&bits| Bfloat(bits)).collect()),
            _ => None,
        }
    }
}

impl Element for Half {
    const DTYPE: DType = DType::F16;
    fn into_buffer(data: Vec<Half>) -> HostBuffer {
        HostBuffer::F16(data.into_iter().map(|half| half.0).collect())
    }
    fn from_buffer(buffer: &HostBuffer) -> Option<Vec<Half>> {
        match buffer {
            HostBuffer::F16(data) => Some(data.iter().map(|&bits| Half(bits)).collect()),
            _ => None,
        }
    }
}

impl Element for bool {
    const DTYPE: DType = DType::Bool;
    fn into_buffer(data: Vec<bool>) -> HostBuffer {
        HostBuffer::Bool(data.into_iter().map(u8::from).collect())
    }
    fn from_buffer(buffer: &HostBuffer) -> Option<Vec<bool>> {
        match buffer {
            HostBuffer::Bool(data) => Some(data.iter().map(|&truth| truth != 0).collect()),
            _ => None,
        }
    }
}

impl Array {
    /// The elements in row-major order. `T` must be the array's type; use [`Array::cast`] to convert.
    pub async fn to_vec<T: Element>(&self) -> Result<Vec<T>> {
        self.eval().await?;
        let host = if self.dtype() == T::DTYPE { self.with_host(T::from_buffer).await? } else { None };
        host.ok_or_else(|| {
            let message = format!("the array holds {}, not {}; convert it with cast", self.dtype(), T::DTYPE);
            Error::dtype("to_vec", message)
        })
    }

    /// The only element, converted to `f64`.
    pub async fn item(&self) -> Result<f64> {
        if self.size() != 1 {
            self.check()?;
            return Err(Error::shape("item", format!("{:?} is not a single element", self.shape())));
        }
        if self.is_complex() {
            return Err(Error::dtype("item", "a complex number is no float; read it with to_vec"));
        }
        self.with_host(|host| host.f64_at(0)).await
    }

    /// The elements as host memory of the array's own type; complex numbers as pairs of floats.
    pub async fn to_host(&self) -> Result<HostBuffer> {
        self.with_host(HostBuffer::clone).await
    }

    /// What `read` makes of the elements, without a copy of them.
    pub async fn with_host<R>(&self, read: impl FnOnce(&HostBuffer) -> R) -> Result<R> {
        self.eval().await?;
        Ok(read(self.device().to_host(self.stored()?).await?.buffer().as_ref()))
    }
}
