//! Element types of arrays, and of the scalars inside an expression.

use std::fmt;

/// Whether machines work with the types that only the CPU has (8, 16 and 64-bit integers and `BF16`), and arrays hold complex numbers. The
/// module of a first web visit leaves them out; its machines refuse such work.
pub const HAS_WIDE: bool = cfg!(any(not(target_arch = "wasm32"), feature = "wide"));

/// Element type of an array, as it lies in memory.
///
/// `Bool` takes a 32-bit word (0 or 1): WGSL cannot store `bool`, and one layout for host and device means that no
/// transfer converts anything.
///
/// `F16` and `BF16` are ways of storing floats, not of computing: whatever reads such an array works in single precision, and a result
/// of this type is rounded once, when it is stored. Operations that were fused into one kernel therefore pass single
/// precision on to each other; a conversion that was asked for always rounds. Integers of 8 and 16 bits are likewise computed with
/// 32, and wrap around after every operation.
///
/// A complex number is a pair: an array of `C64` is kept as one of `F32` with a last axis of two, real part first. That is a matter
/// of the layer users see; nothing below it has arrays of `C64` or `C128`.
///
/// GPUs hold `Bool`, `I32`, `U32`, `F16`, `F32` and pairs of the last ([`DType::is_on_gpu`]); work with other types is done by the CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DType {
    /// Truth value, one 32-bit word.
    Bool,
    /// Signed 8-bit integer.
    I8,
    /// Signed 16-bit integer.
    I16,
    /// Signed 32-bit integer.
    I32,
    /// Signed 64-bit integer.
    I64,
    /// Unsigned 8-bit integer.
    U8,
    /// Unsigned 16-bit integer.
    U16,
    /// Unsigned 32-bit integer.
    U32,
    /// Unsigned 64-bit integer.
    U64,
    /// 16-bit float, computed with as a 32-bit one.
    F16,
    /// 16-bit float with the range of a 32-bit one, computed with as such.
    BF16,
    /// 32-bit float.
    F32,
    /// 64-bit float.
    F64,
    /// Complex number of two 32-bit floats.
    C64,
    /// Complex number of two 64-bit floats.
    C128,
}

/// What kind of numbers a type holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DTypeKind {
    /// Truth values.
    Bool,
    /// Unsigned integers.
    Unsigned,
    /// Signed integers.
    Signed,
    /// Floats.
    Float,
    /// Complex numbers.
    Complex,
}

impl DType {
    /// All element types.
    pub const ALL: [DType; 15] = [
        DType::Bool,
        DType::I32,
        DType::U32,
        DType::F16,
        DType::F32,
        DType::F64,
        DType::I8,
        DType::I16,
        DType::I64,
        DType::U8,
        DType::U16,
        DType::U64,
        DType::BF16,
        DType::C64,
        DType::C128,
    ];

    /// Bytes of one element.
    pub fn size_bytes(self) -> usize {
        match self {
            DType::I8 | DType::U8 => 1,
            DType::F16 | DType::BF16 | DType::I16 | DType::U16 => 2,
            DType::Bool | DType::I32 | DType::U32 | DType::F32 => 4,
            DType::F64 | DType::I64 | DType::U64 | DType::C64 => 8,
            DType::C128 => 16,
        }
    }

    /// Name as NumPy spells it, and in short.
    fn names(self) -> [&'static str; 2] {
        match self {
            DType::Bool => ["bool", "bool"],
            DType::I8 => ["int8", "i8"],
            DType::I16 => ["int16", "i16"],
            DType::I32 => ["int32", "i32"],
            DType::I64 => ["int64", "i64"],
            DType::U8 => ["uint8", "u8"],
            DType::U16 => ["uint16", "u16"],
            DType::U32 => ["uint32", "u32"],
            DType::U64 => ["uint64", "u64"],
            DType::F16 => ["float16", "f16"],
            DType::BF16 => ["bfloat16", "bf16"],
            DType::F32 => ["float32", "f32"],
            DType::F64 => ["float64", "f64"],
            DType::C64 => ["complex64", "c64"],
            DType::C128 => ["complex128", "c128"],
        }
    }

    /// Name as NumPy spells it.
    pub fn name(self) -> &'static str {
        self.names()[0]
    }

    /// The type called `name` by NumPy or in short form (`f32`).
    pub fn parse(name: &str) -> Option<DType> {
        DType::ALL.into_iter().find(|dtype| dtype.names().contains(&name))
    }

    /// What kind of numbers it holds.
    pub fn kind(self) -> DTypeKind {
        match self {
            DType::Bool => DTypeKind::Bool,
            DType::I8 | DType::I16 | DType::I32 | DType::I64 => DTypeKind::Signed,
            DType::U8 | DType::U16 | DType::U32 | DType::U64 => DTypeKind::Unsigned,
            DType::F16 | DType::BF16 | DType::F32 | DType::F64 => DTypeKind::Float,
            DType::C64 | DType::C128 => DTypeKind::Complex,
        }
    }

    /// True for real floats of any width.
    pub fn is_float(self) -> bool {
        self.kind() == DTypeKind::Float
    }

    /// True for complex numbers.
    pub fn is_complex(self) -> bool {
        self.kind() == DTypeKind::Complex
    }

    /// True for integers of any width, with or without sign.
    pub fn is_integer(self) -> bool {
        matches!(self.kind(), DTypeKind::Signed | DTypeKind::Unsigned)
    }

    /// Whether GPUs hold arrays of this type.
    pub fn is_on_gpu(self) -> bool {
        matches!(self, DType::Bool | DType::I32 | DType::U32 | DType::F16 | DType::F32 | DType::C64)
    }

    /// Whether it belongs to what [`HAS_WIDE`] is about.
    pub const fn is_wide(self) -> bool {
        use DType::{BF16, I8, I16, I64, U8, U16, U64};
        matches!(self, BF16 | I8 | I16 | I64 | U8 | U16 | U64)
    }

    /// The type that elements of this type are computed with.
    pub fn computed(self) -> DType {
        match self {
            DType::F16 | DType::BF16 => DType::F32,
            DType::I8 | DType::I16 => DType::I32,
            DType::U8 | DType::U16 => DType::U32,
            other => other,
        }
    }

    /// Whether it is computed with as another type.
    pub fn is_narrow(self) -> bool {
        self.size_bytes() < 4
    }

    /// This type if it is a float, else 32-bit floats.
    pub fn float(self) -> DType {
        if self.is_float() { self } else { DType::F32 }
    }

    /// The complex type whose parts hold elements of this type.
    pub fn complex(self) -> DType {
        if matches!(self, DType::F64 | DType::C128) { DType::C128 } else { DType::C64 }
    }

    /// The type of the parts of a complex number; other types are their own.
    pub fn part(self) -> DType {
        match self {
            DType::C64 => DType::F32,
            DType::C128 => DType::F64,
            other => other,
        }
    }

    /// `value` as an element of this type holds it, if that is a float narrower than `f32`; otherwise unchanged.
    pub fn rounded(self, value: f64) -> f64 {
        match self {
            DType::F16 => crate::half::round_f64(value),
            DType::BF16 => crate::half::round_bfloat_f64(value),
            _ => value,
        }
    }

    /// The lowest and the highest integer of this type, if it holds integers.
    pub fn integer_range(self) -> Option<(i128, i128)> {
        let bits = 8 * self.size_bytes() as u32;
        match self.kind() {
            DTypeKind::Signed => Some((-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)),
            DTypeKind::Unsigned => Some((0, (1i128 << bits) - 1)),
            _ => None,
        }
    }

    /// Whether `value` lies between the lowest and the highest integer of this type.
    pub fn holds(self, value: f64) -> bool {
        let size = 2f64.powi(8 * self.size_bytes() as i32);
        match self.kind() {
            DTypeKind::Signed => (-0.5 * size..0.5 * size).contains(&value),
            DTypeKind::Unsigned => (0.0..size).contains(&value),
            _ => false,
        }
    }

    /// The type of a scalar of this element type inside an expression.
    pub fn scalar(self) -> Scalar {
        match self {
            DType::Bool => Scalar::Bool,
            DType::I8 | DType::I16 | DType::I32 => Scalar::Int,
            DType::U8 | DType::U16 | DType::U32 => Scalar::Uint,
            DType::I64 => Scalar::Long,
            DType::U64 => Scalar::Ulong,
            _ => Scalar::Num,
        }
    }

    /// The type both operands of a binary operation become.
    ///
    /// NumPy's rules with one exception: an integer of 32 or 64 bits that meets a float of 32 bits becomes such a float, where NumPy
    /// widens to 64 bits, which no GPU has. Bool gives way to integers, integers to floats, these to complex numbers; of two types of a
    /// kind the wider wins; signed with unsigned becomes the signed type that holds both (`F64` if there is none).
    pub fn promote(self, other: DType) -> DType {
        if self == other {
            return self;
        }
        let (low, high) = if self.kind() <= other.kind() { (self, other) } else { (other, self) };
        match (low.kind(), high.kind()) {
            (DTypeKind::Bool, _) => high,
            (a, b) if a == b => same_kind(low, high),
            (DTypeKind::Unsigned, DTypeKind::Signed) => signed_for(low, high),
            (_, DTypeKind::Float) if high.size_bytes() > 2 || low.size_bytes() == 1 => high,
            (_, DTypeKind::Float) => DType::F32,
            _ if low == DType::F64 => DType::C128,
            _ => high,
        }
    }

    /// The type that all of `dtypes` become when they meet; `None` for none.
    pub fn result_type(dtypes: impl IntoIterator<Item = DType>) -> Option<DType> {
        dtypes.into_iter().reduce(DType::promote)
    }

    /// Whether every value of this type is one of `to`: NumPy's safe casting.
    pub fn can_cast(self, to: DType) -> bool {
        let digits = |dtype: DType| match dtype.part() {
            DType::F16 => 11,
            DType::BF16 => 8,
            DType::F32 => 24,
            _ => 53,
        };
        match (self.integer_range(), to.integer_range()) {
            _ if self == to || self == DType::Bool => true,
            (Some((low, high)), Some((to_low, to_high))) => to_low <= low && high <= to_high,
            // As NumPy has it: 64-bit integers count as held by 64-bit floats.
            (Some((_, high)), None) => {
                to != DType::Bool && high <= 1i128 << digits(to).max(if digits(to) == 53 { 64 } else { 0 })
            }
            (None, Some(_)) => false,
            (None, None) if self == DType::BF16 => to != DType::F16 && to != DType::Bool,
            (None, None) => self.kind() <= to.kind() && digits(self) <= digits(to) && to != DType::BF16,
        }
    }
}

/// What a type of floats can hold, as NumPy's `finfo` has it; of a complex type, its parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FloatInfo {
    /// Bits of an element.
    pub bits: usize,
    /// Distance from 1 to the next number.
    pub eps: f64,
    /// The largest number; its negative is the smallest.
    pub max: f64,
    /// The smallest positive number with all digits.
    pub smallest_normal: f64,
    /// Decimal digits that are kept, as a power of ten.
    pub resolution: f64,
}

impl DType {
    /// What this type of floats, or its parts, can hold; `None` for others.
    pub fn float_info(self) -> Option<FloatInfo> {
        let (digits, max_exponent, decimals) = match self.part() {
            DType::F16 => (11, 16, 3),
            DType::BF16 => (8, 128, 2),
            DType::F32 => (24, 128, 6),
            DType::F64 => (53, 1024, 15),
            _ => return None,
        };
        let eps = 2f64.powi(1 - digits);
        Some(FloatInfo {
            bits: 8 * self.part().size_bytes(),
            eps,
            max: (2.0 - eps) * 2f64.powi(max_exponent - 1),
            smallest_normal: 2f64.powi(2 - max_exponent),
            resolution: 10f64.powi(-decimals),
        })
    }
}

/// The wider of two types of one kind; what holds both kinds of 16-bit floats is `F32`.
fn same_kind(a: DType, b: DType) -> DType {
    match a.size_bytes().cmp(&b.size_bytes()) {
        std::cmp::Ordering::Less => b,
        std::cmp::Ordering::Greater => a,
        std::cmp::Ordering::Equal => DType::F32,
    }
}

/// The signed type that holds both; `F64` where none does.
fn signed_for(unsigned: DType, signed: DType) -> DType {
    let needed = [(1, DType::I16), (2, DType::I32), (4, DType::I64)];
    match needed.into_iter().find(|&(size_bytes, _)| size_bytes == unsigned.size_bytes()) {
        Some((_, dtype)) if signed.size_bytes() < dtype.size_bytes() => dtype,
        Some(_) => signed,
        None => DType::F64,
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Type of a scalar inside an expression. `Num` is whatever precision the number module or the vm gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scalar {
    /// Truth value.
    Bool,
    /// Signed 32-bit integer.
    Int,
    /// Unsigned 32-bit integer.
    Uint,
    /// Signed 64-bit integer (CPU only).
    Long,
    /// Unsigned 64-bit integer (CPU only).
    Ulong,
    /// Floating point of the precision in force.
    Num,
}

impl Scalar {
    /// True for 64-bit integers.
    pub fn is_long(self) -> bool {
        matches!(self, Scalar::Long | Scalar::Ulong)
    }

    /// Prefix of the WGSL functions that work on this type: `num_add`, `int_add` ...
    pub fn wgsl_prefix(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::Int => "int",
            Scalar::Uint => "uint",
            Scalar::Long => "long",
            Scalar::Ulong => "ulong",
            Scalar::Num => "num",
        }
    }

    /// The WGSL type a value of this type has in a register.
    pub fn wgsl_type(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::Int => "i32",
            Scalar::Uint => "u32",
            // No kernel has these: machines keep such work on the CPU.
            Scalar::Long | Scalar::Ulong => "vec2<u32>",
            Scalar::Num => "Num",
        }
    }
}
