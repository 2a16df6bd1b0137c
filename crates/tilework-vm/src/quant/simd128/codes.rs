//! Codes of a group as 16-bit numbers.

use super::Row;
use core::arch::wasm32::*;
use std::hint::black_box;
use tilework_core::quant::packed::{Codes, IQ4_VALUES, MXFP4_VALUES, Packing};

/// Calls `$body` with how codes are unpacked as constants, once for every way there is: loops are then compiled for each of them.
macro_rules! for_codes {
    ($packing:expr, |$low:ident, $high:ident, $codes:ident| $body:expr) => {
        $crate::quant::simd128::codes::for_codes!(@ $packing, |$low, $high, $codes| $body,
            (4, 0, UNSIGNED) (4, 1, UNSIGNED) (4, 2, UNSIGNED) (2, 0, UNSIGNED) (2, 1, UNSIGNED) (8, 0, SIGNED) (4, 0, TABLE))
    };
    (@ $packing:expr, |$low:ident, $high:ident, $codes:ident| $body:expr, $(($l:literal, $h:literal, $c:ident))*) => {
        match ($packing.low_bits, $packing.high_bits, $crate::quant::simd128::codes::kind($packing.codes)) {
            $(($l, $h, $crate::quant::simd128::codes::$c) => {
                const $low: u32 = $l;
                const $high: u32 = $h;
                const $codes: u32 = $crate::quant::simd128::codes::$c;
                $body
            })*
            _ => unreachable!("every packing is in the list"),
        }
    };
}
pub(super) use for_codes;

pub(super) const UNSIGNED: u32 = 0;
pub(super) const SIGNED: u32 = 1;
pub(super) const TABLE: u32 = 2;

pub(super) fn kind(codes: Codes) -> u32 {
    match codes {
        Codes::Unsigned => UNSIGNED,
        Codes::Signed => SIGNED,
        Codes::Iq4 | Codes::Mxfp4 => TABLE,
    }
}

/// Whether each half of a group has a scale of its own: where codes have a plane of two bits.
pub(super) const fn is_by_16(low: u32, high: u32) -> bool {
    low == 2 || high == 2
}

/// Constants of unpacking. Browsers build a vector constant anew wherever it stands, so these are hidden from the compiler.
pub(super) struct Tools {
    /// What stays of the first plane.
    mask: v128,
    /// What stays of the second.
    high_mask: v128,
    /// What moves the bits of every lane of a 2-bit plane to the same place.
    pairs: v128,
    /// The same of a 1-bit plane.
    bits: v128,
    /// Values of 4-bit codes.
    table: v128,
}

impl Tools {
    #[inline(always)]
    pub(super) fn new<const LOW: u32, const HIGH: u32, const CODES: u32>(packing: &Packing) -> Tools {
        let hidden = |is_needed: bool, value: v128| if is_needed { black_box(value) } else { i32x4_splat(0) };
        let mask = match (LOW, CODES) {
            (2, _) => i16x8_splat(3),
            (_, TABLE) => i8x16_splat(15),
            _ => i16x8_splat(15),
        };
        let values = if packing.codes == Codes::Iq4 { &IQ4_VALUES } else { &MXFP4_VALUES };
        Tools {
            mask: hidden(CODES != SIGNED, mask),
            high_mask: hidden(HIGH > 0, i16x8_splat(((1 << HIGH) - 1) << LOW)),
            pairs: hidden(HIGH == 2 || LOW == 2, i16x8(4, 4, 4, 4, 1, 1, 1, 1)),
            bits: hidden(HIGH == 1, i16x8(8, 8, 4, 4, 2, 2, 1, 1)),
            // SAFETY: the table holds 16 bytes.
            table: unsafe { v128_load(values.as_ptr().cast()) },
        }
    }
}

/// The 32 values of a group: at even and at odd places of its first half, then of its second.
///
/// # Safety
/// The group must be one of the row's.
#[inline(always)]
pub(super) unsafe fn codes_of<const LOW: u32, const HIGH: u32, const CODES: u32>(
    row: &Row<'_>,
    group: usize,
    tools: &Tools,
) -> [v128; 4] {
    let words = row.words.as_ptr();
    // SAFETY: planes hold the bits of all groups, one after the other; loads need no alignment.
    let low = unsafe {
        let at: *const v128 = words.add(group * LOW as usize).cast();
        match (LOW, CODES) {
            (8, _) => signed(v128_load(at), v128_load(at.add(1))),
            (4, TABLE) => looked_up(v128_load(at), tools),
            (4, _) => nibbles(v128_load(at), tools.mask),
            _ => pairs(v128_load64_splat(at.cast()), tools),
        }
    };
    if HIGH == 0 {
        return low;
    }
    // SAFETY: the same.
    let high = unsafe {
        let at = words.add(row.n_groups * LOW as usize + group * HIGH as usize);
        if HIGH == 2 { v128_load64_splat(at.cast()) } else { v128_load32_splat(at) }
    };
    let high = high_bits::<LOW, HIGH>(high, tools);
    [v128_or(low[0], high[0]), v128_or(low[1], high[1]), v128_or(low[2], high[2]), v128_or(low[3], high[3])]
}

/// Bytes with their sign.
#[inline(always)]
fn signed(first: v128, second: v128) -> [v128; 4] {
    [i16x8_shr(i16x8_shl(first, 8), 8), i16x8_shr(first, 8), i16x8_shr(i16x8_shl(second, 8), 8), i16x8_shr(second, 8)]
}

/// Four bits each: byte `i % 16`, the low half of it for `i < 16`.
#[inline(always)]
fn nibbles(v: v128, mask: v128) -> [v128; 4] {
    [v128_and(v, mask), v128_and(u16x8_shr(v, 8), mask), v128_and(u16x8_shr(v, 4), mask), u16x8_shr(v, 12)]
}

/// Values of 4-bit codes.
#[inline(always)]
fn looked_up(v: v128, tools: &Tools) -> [v128; 4] {
    let (first, second) = (v128_and(v, tools.mask), v128_and(u16x8_shr(v, 4), tools.mask));
    signed(i8x16_swizzle(tools.table, first), i8x16_swizzle(tools.table, second))
}

/// Two bits each: byte `i % 8`, bits `2(i / 8)`.
#[inline(always)]
fn pairs(v: v128, tools: &Tools) -> [v128; 4] {
    // Times the factors, bits 2 and 3 of every byte belong to the first half of the group, 6 and 7 to the second.
    let v = i16x8_mul(v, tools.pairs);
    masked([u16x8_shr(v, 2), u16x8_shr(v, 10), u16x8_shr(v, 6), u16x8_shr(v, 14)], tools.mask)
}

/// The second plane, moved above the first.
#[inline(always)]
fn high_bits<const LOW: u32, const HIGH: u32>(v: v128, tools: &Tools) -> [v128; 4] {
    if HIGH == 2 {
        let v = i16x8_mul(v, tools.pairs);
        return masked([i16x8_shl(v, 2), u16x8_shr(v, 6), u16x8_shr(v, 2), u16x8_shr(v, 10)], tools.high_mask);
    }
    // One bit each: byte `i % 4`, bit `i / 4`. Times the factors, bit 3 of every byte belongs to the first half, 7 to the second.
    let v = i16x8_mul(v, tools.bits);
    let moved = if LOW == 4 {
        [i16x8_shl(v, 1), u16x8_shr(v, 7), u16x8_shr(v, 3), u16x8_shr(v, 11)]
    } else {
        [u16x8_shr(v, 1), u16x8_shr(v, 9), u16x8_shr(v, 5), u16x8_shr(v, 13)]
    };
    masked(moved, tools.high_mask)
}

#[inline(always)]
fn masked([a, b, c, d]: [v128; 4], mask: v128) -> [v128; 4] {
    [v128_and(a, mask), v128_and(b, mask), v128_and(c, mask), v128_and(d, mask)]
}
