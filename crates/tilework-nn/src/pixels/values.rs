//! The numbers that bytes of a tensor stand for.

use tilework::layers::core::quant::Format;
use tilework::{Error, ErrorKind, Result};

use super::tile::block_of;

/// Numbers of whole blocks of a type, as 32-bit floats: what a heat map shows and a histogram counts.
///
/// Wider types lose digits here; reading a model does not go this way. Fails for a type that has no numbers.
pub fn values(dtype: &str, bytes: &[u8]) -> Result<Vec<f32>> {
    let unknown = || Error::new(ErrorKind::Unsupported, "pixels", format!("the type {dtype} has no numbers to show"));
    let (block_len, block_bytes) = block_of(dtype).ok_or_else(unknown)?;
    if !(bytes.len() as u64).is_multiple_of(block_bytes) {
        let message = format!("{} bytes are no whole blocks of {dtype}", bytes.len());
        return Err(Error::argument("pixels", message));
    }
    Ok(match dtype {
        "I8" => bytes.iter().map(|&byte| f32::from(byte as i8)).collect(),
        "I16" => each(bytes, |word| f32::from(i16::from_le_bytes(word))),
        "U16" => each(bytes, |word| f32::from(u16::from_le_bytes(word))),
        "I32" => each(bytes, |word| i32::from_le_bytes(word) as f32),
        "U32" => each(bytes, |word| u32::from_le_bytes(word) as f32),
        "I64" => each(bytes, |word| i64::from_le_bytes(word) as f32),
        "U64" => each(bytes, |word| u64::from_le_bytes(word) as f32),
        "F64" => each(bytes, |word| f64::from_le_bytes(word) as f32),
        "F8_E4M3" => bytes.iter().map(|&byte| small_float(byte, 4)).collect(),
        "F8_E5M2" => bytes.iter().map(|&byte| small_float(byte, 5)).collect(),
        _ => match Format::from_name(dtype) {
            Some(format) => {
                let mut values = vec![0.0; bytes.len() / block_bytes as usize * block_len as usize];
                format.decode(bytes, &mut values);
                values
            }
            None => bytes.iter().map(|&byte| f32::from(byte)).collect(),
        },
    })
}

fn each<const N: usize>(bytes: &[u8], read: impl Fn([u8; N]) -> f32) -> Vec<f32> {
    bytes.as_chunks::<N>().0.iter().map(|&word| read(word)).collect()
}

/// A float of 8 bits with so many bits of exponent. Those of 4 have no infinities, and one pattern that is no number.
fn small_float(byte: u8, exponent_bits: u32) -> f32 {
    let fraction_bits = 7 - exponent_bits;
    let sign = if byte & 0x80 == 0 { 1.0 } else { -1.0 };
    let magnitude = byte & 0x7f;
    let exponent = i32::from(magnitude >> fraction_bits);
    let fraction = f32::from(magnitude & ((1 << fraction_bits) - 1)) / (1 << fraction_bits) as f32;
    let bias = (1 << (exponent_bits - 1)) - 1;
    let is_special = if exponent_bits == 5 { exponent == 31 } else { magnitude == 0x7f };
    sign * match (is_special, exponent) {
        (true, _) if exponent_bits == 5 && fraction == 0.0 => f32::INFINITY,
        (true, _) => f32::NAN,
        (false, 0) => fraction * 2f32.powi(1 - bias),
        _ => (1.0 + fraction) * 2f32.powi(exponent - bias),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_their_numbers() {
        assert_eq!(values("F32", &1.5f32.to_le_bytes()).unwrap(), [1.5]);
        assert_eq!(values("F16", &[0, 0x3c]).unwrap(), [1.0]);
        assert_eq!(values("BF16", &[0x80, 0xbf]).unwrap(), [-1.0]);
        assert_eq!(values("I8", &[255, 2]).unwrap(), [-1.0, 2.0]);
        assert_eq!(values("I64", &(-7i64).to_le_bytes()).unwrap(), [-7.0]);
        assert_eq!(values("BYTES", &[200]).unwrap(), [200.0]);
        assert_eq!(values("F8_E4M3", &[0x38, 0x7e, 0x01, 0xb8]).unwrap(), [1.0, 448.0, 0.001_953_125, -1.0]);
        assert_eq!(values("F8_E5M2", &[0x3c, 0x7b, 0x7c]).unwrap(), [1.0, 57_344.0, f32::INFINITY]);
        assert!(values("F32", &[1, 2, 3]).is_err() && values("NONE", &[]).is_err());
    }
}
