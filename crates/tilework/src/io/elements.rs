//! Element types of files and what becomes of them: the only list.

use tilework_core::dtype::DType;
use tilework_core::half;
use tilework_core::host::HostBuffer;

/// How elements lie in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stored {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F16,
    Bf16,
    F32,
    F64,
    C64,
    C128,
}

/// Which byte of an element comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ByteOrder {
    Little,
    Big,
}

/// Kind, NumPy's letter and size, safetensors' name.
const NAMES: [(Stored, &str, &str); 15] = [
    (Stored::Bool, "b1", "BOOL"),
    (Stored::I8, "i1", "I8"),
    (Stored::I16, "i2", "I16"),
    (Stored::I32, "i4", "I32"),
    (Stored::I64, "i8", "I64"),
    (Stored::U8, "u1", "U8"),
    (Stored::U16, "u2", "U16"),
    (Stored::U32, "u4", "U32"),
    (Stored::U64, "u8", "U64"),
    (Stored::F16, "f2", "F16"),
    // NumPy has none; this is how ml_dtypes' bfloat16 is written.
    (Stored::Bf16, "V2", "BF16"),
    (Stored::F32, "f4", "F32"),
    (Stored::F64, "f8", "F64"),
    (Stored::C64, "c8", "C64"),
    // safetensors has none.
    (Stored::C128, "c16", "C128"),
];

impl Stored {
    pub(super) fn from_numpy(name: &str) -> Option<Stored> {
        NAMES.iter().find(|(_, numpy, _)| *numpy == name).map(|(stored, ..)| *stored)
    }

    pub(super) fn from_safetensors(name: &str) -> Option<Stored> {
        NAMES.iter().find(|(.., safetensors)| *safetensors == name).map(|(stored, ..)| *stored)
    }

    /// As NumPy and as safetensors call it.
    pub(super) fn names(self) -> (&'static str, &'static str) {
        NAMES
            .iter()
            .find(|(stored, ..)| *stored == self)
            .map_or(("", ""), |&(_, numpy, safetensors)| (numpy, safetensors))
    }

    pub(super) fn size_bytes(self) -> usize {
        match self {
            Stored::Bool | Stored::I8 | Stored::U8 => 1,
            Stored::I16 | Stored::U16 | Stored::F16 | Stored::Bf16 => 2,
            Stored::I32 | Stored::U32 | Stored::F32 => 4,
            Stored::I64 | Stored::U64 | Stored::F64 | Stored::C64 => 8,
            Stored::C128 => 16,
        }
    }

    /// Whether elements are pairs of floats.
    pub(super) fn is_complex(self) -> bool {
        matches!(self, Stored::C64 | Stored::C128)
    }

    /// Elements from bytes; complex numbers as pairs of floats.
    pub(super) fn decode(self, bytes: &[u8], order: ByteOrder) -> HostBuffer {
        match self {
            Stored::Bool => HostBuffer::Bool(bytes.iter().map(|&byte| u8::from(byte != 0)).collect()),
            Stored::I8 => HostBuffer::I8(bytes.iter().map(|&byte| byte as i8).collect()),
            Stored::U8 => HostBuffer::U8(bytes.to_vec()),
            Stored::I16 => HostBuffer::I16(words(bytes, order, i16::from_le_bytes)),
            Stored::U16 => HostBuffer::U16(words(bytes, order, u16::from_le_bytes)),
            Stored::F16 => HostBuffer::F16(words(bytes, order, u16::from_le_bytes)),
            Stored::Bf16 => HostBuffer::BF16(words(bytes, order, u16::from_le_bytes)),
            Stored::I32 => HostBuffer::I32(words(bytes, order, i32::from_le_bytes)),
            Stored::U32 => HostBuffer::U32(words(bytes, order, u32::from_le_bytes)),
            Stored::F32 | Stored::C64 => HostBuffer::F32(words(bytes, order, f32::from_le_bytes)),
            Stored::F64 | Stored::C128 => HostBuffer::F64(words(bytes, order, f64::from_le_bytes)),
            Stored::I64 => HostBuffer::I64(words(bytes, order, i64::from_le_bytes)),
            Stored::U64 => HostBuffer::U64(words(bytes, order, u64::from_le_bytes)),
        }
    }
}

/// The same elements in a type that every device has: bfloat16 becomes float32, integers have 32 bits. `None` if one does not fit.
pub fn widened(data: HostBuffer) -> Option<HostBuffer> {
    Some(match data {
        HostBuffer::BF16(bits) => HostBuffer::F32(bits.into_iter().map(half::widen_bfloat).collect()),
        HostBuffer::I8(data) => HostBuffer::I32(data.into_iter().map(i32::from).collect()),
        HostBuffer::I16(data) => HostBuffer::I32(data.into_iter().map(i32::from).collect()),
        HostBuffer::U8(data) => HostBuffer::U32(data.into_iter().map(u32::from).collect()),
        HostBuffer::U16(data) => HostBuffer::U32(data.into_iter().map(u32::from).collect()),
        HostBuffer::I64(data) => {
            HostBuffer::I32(data.into_iter().map(|x| i32::try_from(x).ok()).collect::<Option<_>>()?)
        }
        HostBuffer::U64(data) => {
            HostBuffer::U32(data.into_iter().map(|x| u32::try_from(x).ok()).collect::<Option<_>>()?)
        }
        other => other,
    })
}

/// Elements of `N` bytes each, given to `read` with the lowest byte first.
fn words<const N: usize, T>(bytes: &[u8], order: ByteOrder, read: impl Fn([u8; N]) -> T) -> Vec<T> {
    let word = |&(mut word): &[u8; N]| {
        if order == ByteOrder::Big {
            word.reverse();
        }
        read(word)
    };
    bytes.as_chunks::<N>().0.iter().map(word).collect()
}

/// How elements of an array of type `dtype` are written, and their bytes, the lowest first.
pub(super) fn encode(data: &HostBuffer, dtype: DType) -> (Stored, Vec<u8>) {
    let (stored, bytes) = encode_parts(data);
    let whole = match dtype {
        DType::C64 => Stored::C64,
        DType::C128 => Stored::C128,
        _ => stored,
    };
    (whole, bytes)
}

fn encode_parts(data: &HostBuffer) -> (Stored, Vec<u8>) {
    fn bytes<T: Copy, const N: usize>(elements: &[T], write: impl Fn(T) -> [u8; N]) -> Vec<u8> {
        elements.iter().flat_map(|&element| write(element)).collect()
    }
    match data {
        HostBuffer::Bool(elements) => (Stored::Bool, elements.clone()),
        HostBuffer::F16(elements) => (Stored::F16, bytes(elements, u16::to_le_bytes)),
        HostBuffer::F32(elements) => (Stored::F32, bytes(elements, f32::to_le_bytes)),
        HostBuffer::F64(elements) => (Stored::F64, bytes(elements, f64::to_le_bytes)),
        HostBuffer::I32(elements) => (Stored::I32, bytes(elements, i32::to_le_bytes)),
        HostBuffer::U32(elements) => (Stored::U32, bytes(elements, u32::to_le_bytes)),
        HostBuffer::BF16(elements) => (Stored::Bf16, bytes(elements, u16::to_le_bytes)),
        HostBuffer::I8(elements) => (Stored::I8, bytes(elements, i8::to_le_bytes)),
        HostBuffer::I16(elements) => (Stored::I16, bytes(elements, i16::to_le_bytes)),
        HostBuffer::I64(elements) => (Stored::I64, bytes(elements, i64::to_le_bytes)),
        HostBuffer::U8(elements) => (Stored::U8, elements.clone()),
        HostBuffer::U16(elements) => (Stored::U16, bytes(elements, u16::to_le_bytes)),
        HostBuffer::U64(elements) => (Stored::U64, bytes(elements, u64::to_le_bytes)),
    }
}

/// The number of elements, if that many of this size are what `bytes` hold.
pub(super) fn n_elements(shape: &[usize], size_bytes: usize, bytes: &[u8]) -> Option<usize> {
    let n = shape.iter().try_fold(1usize, |n, &size| n.checked_mul(size))?;
    (n.checked_mul(size_bytes)? == bytes.len()).then_some(n)
}
