//! The ladder of precisions: what `Num` is in a kernel, how numbers lie in its buffers, and how the host makes them.
//!
//! Plain `f32` is fast everywhere. A double-float is a pair of them, about 48 bits, made of error-free transformations; it runs on
//! every device, in browsers too. Native `f64` exists on some Vulkan devices only ([`Caps::shader_f64`](crate::plan::Caps)). Every
//! rung defines the same names, so that a kernel does not know which one it computes with.
//!
//! The texts of the wider modules are named here and nowhere else: a program that asks for no [`Precision`] does not contain them.

use std::fmt;

/// Number modules as files, each rung the bits of f32, its own arithmetic, then what is written in terms of that.
macro_rules! double_module {
    ($($own:literal),*) => {
        &[
            crate::wgsl!("number_f32/bits.wgsl"),
            $(crate::wgsl!($own),)*
            crate::wgsl!("number_f32/half.wgsl"),
            crate::wgsl!("number_double/arithmetic.wgsl"),
            crate::wgsl!("number_double/remainder.wgsl"),
            crate::wgsl!("number_double/exponential.wgsl"),
            crate::wgsl!("number_double/hyperbolic.wgsl"),
            crate::wgsl!("number_double/trigonometric.wgsl"),
            crate::wgsl!("number_double/special.wgsl"),
        ]
    };
}

const NUMBER_DF64_CLASSIC: &[&str] =
    double_module!("number_df64/eft_classic.wgsl", "number_df64/basics.wgsl", "number_df64/rounding.wgsl");
const NUMBER_DF64_INTEGER: &[&str] =
    double_module!("number_df64/eft_integer.wgsl", "number_df64/basics.wgsl", "number_df64/rounding.wgsl");
const NUMBER_F64: &[&str] = double_module!("number_f64/basics.wgsl");

/// How a double-float finds the rounding error of a sum or product. Both give the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Eft {
    /// By floating-point arithmetic, after Knuth and Dekker: fast, right where the compiler leaves it alone.
    Classic,
    /// By integer arithmetic: slower, right everywhere.
    Integer,
}

impl Eft {
    /// The file that defines `eft_sum`, `eft_quick_sum` and `eft_product`; needs the [bits of f32](Eft::BITS).
    pub fn text(self) -> &'static str {
        match self {
            Eft::Classic => crate::wgsl!("number_df64/eft_classic.wgsl"),
            Eft::Integer => crate::wgsl!("number_df64/eft_integer.wgsl"),
        }
    }

    /// What both variants are written with.
    pub const BITS: &'static str = crate::wgsl!("number_f32/bits.wgsl");

    /// "classic" or "integer".
    pub fn name(self) -> &'static str {
        match self {
            Eft::Classic => "classic",
            Eft::Integer => "integer",
        }
    }
}

/// What a kernel computes its floats with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Precision {
    /// Single precision: 24 bits.
    F32,
    /// Double-float: two singles, about 48 bits, the range of a single.
    Df64(Eft),
    /// The device's own double precision: 53 bits.
    F64,
}

impl Precision {
    /// The number module.
    pub fn module(self) -> &'static [&'static str] {
        match self {
            Precision::F32 => super::NUMBER_F32,
            Precision::Df64(Eft::Classic) => NUMBER_DF64_CLASSIC,
            Precision::Df64(Eft::Integer) => NUMBER_DF64_INTEGER,
            Precision::F64 => NUMBER_F64,
        }
    }

    /// How its numbers lie in buffers.
    pub fn format(self) -> NumFormat {
        match self {
            Precision::F32 => NumFormat::F32,
            Precision::Df64(_) => NumFormat::Pair,
            Precision::F64 => NumFormat::F64,
        }
    }

    /// Type of a number in a storage buffer.
    pub fn storage_type(self) -> &'static str {
        self.format().storage_type()
    }

    /// Bytes of a number in a storage buffer.
    pub fn size_bytes(self) -> usize {
        self.format().n_words() * 4
    }

    /// Numbers as a storage buffer has them.
    pub fn to_bytes(self, numbers: &[f64]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(numbers.len() * self.size_bytes());
        for &number in numbers {
            self.words(number).iter().for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
        }
        bytes
    }

    /// The numbers of a storage buffer; bytes of an unfinished one at the end are ignored.
    pub fn from_bytes(self, bytes: &[u8]) -> Vec<f64> {
        let word = |chunk: &[u8], k: usize| {
            u32::from_le_bytes([chunk[4 * k], chunk[4 * k + 1], chunk[4 * k + 2], chunk[4 * k + 3]])
        };
        let single = |chunk: &[u8], k: usize| f64::from(f32::from_bits(word(chunk, k)));
        let number = |chunk: &[u8]| match self {
            Precision::F32 => single(chunk, 0),
            Precision::Df64(_) => single(chunk, 0) + single(chunk, 1),
            Precision::F64 => f64::from_bits(u64::from(word(chunk, 1)) << 32 | u64::from(word(chunk, 0))),
        };
        bytes.chunks_exact(self.size_bytes()).map(number).collect()
    }

    /// The words of one number, as a storage buffer and as the scalars of a run have them.
    pub fn words(self, number: f64) -> Vec<u32> {
        match self {
            Precision::F32 => vec![(number as f32).to_bits()],
            Precision::Df64(_) => split(number).map(f32::to_bits).to_vec(),
            Precision::F64 => vec![number.to_bits() as u32, (number.to_bits() >> 32) as u32],
        }
    }

    /// The number nearest to `number` that this precision has.
    pub fn rounded(self, number: f64) -> f64 {
        self.from_bytes(&self.to_bytes(&[number]))[0]
    }
}

impl fmt::Display for Precision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Precision::F32 => f.write_str("f32"),
            Precision::Df64(eft) => write!(f, "df64 ({})", eft.name()),
            Precision::F64 => f.write_str("f64"),
        }
    }
}

/// The nearest single and the single nearest to the rest. Where the first is infinite or NaN there is no rest, and one that
/// is too small to be normal is left out, because devices differ about it.
pub(super) fn split(number: f64) -> [f32; 2] {
    let high = number as f32;
    let low = (number - f64::from(high)) as f32;
    [high, if low.is_normal() && high.is_finite() { low } else { 0.0 }]
}

/// How the numbers of a precision lie in storage buffers and parameter blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumFormat {
    /// One `f32`.
    F32,
    /// A `vec2<f32>` of a single and the rest.
    Pair,
    /// One `f64`.
    F64,
}

impl NumFormat {
    /// Its WGSL type.
    pub fn storage_type(self) -> &'static str {
        match self {
            NumFormat::F32 => "f32",
            NumFormat::Pair => "vec2<f32>",
            NumFormat::F64 => "f64",
        }
    }

    /// 32-bit words of a number.
    pub fn n_words(self) -> usize {
        if self == NumFormat::F32 { 1 } else { 2 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_survive_the_way_to_a_buffer_and_back() {
        let numbers = [0.0, -0.0, 1.0 / 3.0, -1e30, 0.1, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e39, 16_777_217.0];
        for (precision, tolerance) in
            [(Precision::F32, 6e-8), (Precision::Df64(Eft::Classic), 1.8e-15), (Precision::F64, 0.0)]
        {
            let bytes = precision.to_bytes(&numbers);
            assert_eq!(bytes.len(), numbers.len() * precision.size_bytes());
            for (&number, back) in numbers.iter().zip(precision.from_bytes(&bytes)) {
                let expected = if precision != Precision::F64 && number > 1e38 { f64::INFINITY } else { number };
                let is_close = (back - expected).abs() <= tolerance * expected.abs();
                assert!(back.to_bits() == expected.to_bits() || is_close, "{precision}: {back} is not {number}");
            }
        }
    }
}
