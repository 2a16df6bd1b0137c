//! The ladder of precisions: what `Num` is in a kernel, how numbers lie in its buffers, and how the host makes them.
//!
//! Plain `f32` is fast everywhere. A double-float is a pair of them, about 48 bits, made of error-free transformations; it runs on
//! every device, in browsers too. Native `f64` exists on some Vulkan devices only ([`Caps::shader_f64`](crate::plan::Caps)). Every
//! rung defines the same names, so that a kernel does not know which one it computes with.
//!
//! The texts of the wider modules are named here and nowhere else: a program that asks for no [`Precision`] does not contain them.

use super::{BITS, HALF};
use std::fmt;

/// Whether native `f64` is of any use: browsers do not have it, and would only download its module.
pub const HAS_F64: bool = cfg!(not(target_arch = "wasm32"));

// Each text is named once, so that it is part of a program once, however many modules have it.
const BASICS_DF64: &str = crate::wgsl!("number_df64/basics.wgsl");
const ROUNDING_DF64: &str = crate::wgsl!("number_df64/rounding.wgsl");
const ARITHMETIC: &str = crate::wgsl!("number_double/arithmetic.wgsl");
const REMAINDER: &str = crate::wgsl!("number_double/remainder.wgsl");
const EXPONENTIAL: &str = crate::wgsl!("number_double/exponential.wgsl");
const HYPERBOLIC: &str = crate::wgsl!("number_double/hyperbolic.wgsl");
const TRIGONOMETRIC: &str = crate::wgsl!("number_double/trigonometric.wgsl");
const SPECIAL: &str = crate::wgsl!("number_double/special.wgsl");

/// A number module: the bits of f32, its own arithmetic, then what is written in terms of that.
macro_rules! double_module {
    ($($own:expr),*) => {
        &[BITS, $($own,)* HALF, ARITHMETIC, REMAINDER, EXPONENTIAL, HYPERBOLIC, TRIGONOMETRIC, SPECIAL]
    };
}

const NUMBER_DF64_CLASSIC: &[&str] =
    double_module!(crate::wgsl!("number_df64/eft_classic.wgsl"), BASICS_DF64, ROUNDING_DF64);
const NUMBER_DF64_GUARDED: &[&str] =
    double_module!(crate::wgsl!("number_df64/eft_guarded.wgsl"), BASICS_DF64, ROUNDING_DF64);
const NUMBER_DF64_INTEGER: &[&str] =
    double_module!(crate::wgsl!("number_df64/eft_integer.wgsl"), BASICS_DF64, ROUNDING_DF64);
const NUMBER_F64: &[&str] = double_module!(crate::wgsl!("number_f64/basics.wgsl"));

/// How a double-float finds the rounding error of a sum or product. All give the same bits where they are right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Eft {
    /// By floating-point arithmetic, after Knuth and Dekker: fast, right where the compiler leaves it alone.
    Classic,
    /// The same, hidden from the compiler by integer operations that change nothing: nearly as fast, right where float
    /// operations round as IEEE 754 says.
    Guarded,
    /// By integer arithmetic: slower, right everywhere.
    Integer,
}

impl Eft {
    /// All variants, the fastest first.
    pub const ALL: [Eft; 3] = [Eft::Classic, Eft::Guarded, Eft::Integer];

    /// "classic", "guarded" or "integer".
    pub fn name(self) -> &'static str {
        match self {
            Eft::Classic => "classic",
            Eft::Guarded => "guarded",
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
    /// The number module; none for `f64` where it [cannot exist](HAS_F64).
    pub fn module(self) -> &'static [&'static str] {
        match self {
            Precision::F32 => super::NUMBER_F32,
            Precision::Df64(Eft::Classic) => NUMBER_DF64_CLASSIC,
            Precision::Df64(Eft::Guarded) => NUMBER_DF64_GUARDED,
            Precision::Df64(Eft::Integer) => NUMBER_DF64_INTEGER,
            Precision::F64 if HAS_F64 => NUMBER_F64,
            Precision::F64 => &[],
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
    use crate::expr::{Kind, ScalarOp};
    use std::process::{Command, Stdio};

    const WIDE: [Precision; 4] =
        [Precision::Df64(Eft::Classic), Precision::Df64(Eft::Guarded), Precision::Df64(Eft::Integer), Precision::F64];

    /// The whole module as a program, with what a kernel would declare.
    fn program(precision: Precision) -> String {
        let params = "struct Params {\n    opaque_zero: u32,\n}\n@group(0) @binding(0) var<uniform> params: Params;\n";
        [params, &precision.module().join("\n"), super::super::INTEGER].concat()
    }

    #[test]
    fn every_module_is_complete_and_linkable() {
        for precision in WIDE {
            let source = precision.module().join("\n");
            for line in source.lines().filter(|line| !line.is_empty() && !line.starts_with(' ')) {
                let starts = ["//", "fn ", "const ", "alias ", "struct ", "}"];
                assert!(starts.iter().any(|start| line.starts_with(start)), "{precision}: {line}");
            }
            let takes_num =
                |op: &&ScalarOp| matches!(op.kind(), Kind::Arith | Kind::Float | Kind::Compare | Kind::Test);
            let rows = ScalarOp::ALL.iter().filter(takes_num).map(|op| op.name());
            let others = "from_int from_uint from_bool to_int to_uint to_bool load store of of2 select head sticky";
            for name in rows.chain(others.split(' ')) {
                assert_eq!(source.matches(&format!("\nfn num_{name}(")).count(), 1, "{precision}: num_{name}");
            }
        }
    }

    #[test]
    fn naga_accepts_every_module() {
        use naga::valid::{Capabilities, ValidationFlags, Validator};
        for precision in WIDE {
            let text = program(precision);
            let module = naga::front::wgsl::parse_str(&text)
                .unwrap_or_else(|e| panic!("{precision}: {}", e.emit_to_string(&text)));
            let mut capabilities = Capabilities::SHADER_FLOAT16_IN_FLOAT32;
            capabilities.set(Capabilities::FLOAT64, precision == Precision::F64);
            let result = Validator::new(ValidationFlags::all(), capabilities).validate(&module);
            result.unwrap_or_else(|e| panic!("{precision}: {}", e.emit_to_string(&text)));
        }
    }

    /// What browsers compile with; it has no `f64`.
    #[test]
    #[allow(clippy::print_stderr, reason = "a missing tool says so")]
    fn tint_accepts_every_module_for_browsers() {
        if Command::new("tint").arg("--help").stdout(Stdio::null()).stderr(Stdio::null()).status().is_err() {
            eprintln!("skipped: tint is not on the PATH");
            return;
        }
        for precision in WIDE.into_iter().filter(|precision| *precision != Precision::F64) {
            let file = std::env::temp_dir().join(format!("tilework-{}-{}.wgsl", precision, std::process::id()));
            std::fs::write(&file, program(precision)).unwrap();
            let output =
                Command::new("tint").args(["--format", "wgsl", "-o", "/dev/null"]).arg(&file).output().unwrap();
            assert!(output.status.success(), "{precision}: {}", String::from_utf8_lossy(&output.stderr));
            std::fs::remove_file(&file).unwrap();
        }
    }

    #[test]
    fn numbers_survive_the_way_to_a_buffer_and_back() {
        let numbers =
            [0.0, -0.0, 1.0 / 3.0, -1e30, 0.1, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e39, 16_777_217.0];
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
