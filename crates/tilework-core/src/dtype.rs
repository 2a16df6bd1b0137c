//! Element types of arrays, and of the scalars inside an expression.

use std::fmt;

/// Element type of an array, as it lies in memory.
///
/// `Bool` takes a 32-bit word (0 or 1): WGSL cannot store `bool`, and one layout for host and device means that no
/// transfer converts anything. `F64` exists on the CPU only; a GPU refuses it with a typed error.
///
/// `F16` is a way of storing floats, not of computing: whatever reads such an array works in single precision, and a result
/// of this type is rounded once, when it is stored. Operations that were fused into one kernel therefore pass single
/// precision on to each other; a conversion to `F16` that was asked for always rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DType {
    /// Truth value, one 32-bit word.
    Bool,
    /// Signed 32-bit integer.
    I32,
    /// Unsigned 32-bit integer.
    U32,
    /// 16-bit float, computed with as a 32-bit one.
    F16,
    /// 32-bit float.
    F32,
    /// 64-bit float (CPU only).
    F64,
}

impl DType {
    /// All element types, narrowest meaning first (the order of promotion).
    pub const ALL: [DType; 6] = [DType::Bool, DType::I32, DType::U32, DType::F16, DType::F32, DType::F64];

    /// Bytes of one element.
    pub fn size_bytes(self) -> usize {
        match self {
            DType::F64 => 8,
            DType::F16 => 2,
            _ => 4,
        }
    }

    /// Name as NumPy spells it.
    pub fn name(self) -> &'static str {
        match self {
            DType::Bool => "bool",
            DType::I32 => "int32",
            DType::U32 => "uint32",
            DType::F16 => "float16",
            DType::F32 => "float32",
            DType::F64 => "float64",
        }
    }

    /// The type called `name` by NumPy or in short form (`f32`).
    pub fn parse(name: &str) -> Option<DType> {
        match name {
            "bool" => Some(DType::Bool),
            "int32" | "i32" => Some(DType::I32),
            "uint32" | "u32" => Some(DType::U32),
            "float16" | "f16" => Some(DType::F16),
            "float32" | "f32" => Some(DType::F32),
            "float64" | "f64" => Some(DType::F64),
            _ => None,
        }
    }

    /// True for `F16`, `F32` and `F64`.
    pub fn is_float(self) -> bool {
        matches!(self, DType::F16 | DType::F32 | DType::F64)
    }

    /// The type that elements of this type are computed with.
    pub fn computed(self) -> DType {
        if self == DType::F16 { DType::F32 } else { self }
    }

    /// This type if it is a float, else 32-bit floats.
    pub fn float(self) -> DType {
        if self.is_float() { self } else { DType::F32 }
    }

    /// `value` as an element of this type holds it, if that is a float narrower than `f32`; otherwise unchanged.
    pub fn rounded(self, value: f64) -> f64 {
        if self == DType::F16 { crate::half::round_f64(value) } else { value }
    }

    /// True for `I32` and `U32`.
    pub fn is_integer(self) -> bool {
        matches!(self, DType::I32 | DType::U32)
    }

    /// The type of a scalar of this element type inside an expression.
    pub fn scalar(self) -> Scalar {
        match self {
            DType::Bool => Scalar::Bool,
            DType::I32 => Scalar::Int,
            DType::U32 => Scalar::Uint,
            DType::F16 | DType::F32 | DType::F64 => Scalar::Num,
        }
    }

    /// The type both operands of a binary operation become.
    ///
    /// Bool gives way to integers, integers to floats, narrow floats to wide ones. Signed with unsigned stays 32 bits wide
    /// and signed (NumPy would widen to 64 bits, which no GPU stores); an integer with `F16`, which could hold few of them,
    /// is `F32`.
    pub fn promote(self, other: DType) -> DType {
        match (self, other) {
            (a, b) if a == b => a,
            (DType::F64, _) | (_, DType::F64) => DType::F64,
            (DType::F32, _) | (_, DType::F32) => DType::F32,
            (DType::Bool, b) => b,
            (a, DType::Bool) => a,
            (DType::F16, _) | (_, DType::F16) => DType::F32,
            _ => DType::I32,
        }
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
    /// Floating point of the precision in force.
    Num,
}

impl Scalar {
    /// Prefix of the WGSL functions that work on this type: `num_add`, `int_add` ...
    pub fn wgsl_prefix(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::Int => "int",
            Scalar::Uint => "uint",
            Scalar::Num => "num",
        }
    }

    /// The WGSL type a value of this type has in a register.
    pub fn wgsl_type(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::Int => "i32",
            Scalar::Uint => "u32",
            Scalar::Num => "Num",
        }
    }
}
