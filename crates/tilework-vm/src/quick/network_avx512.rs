//! The network of comparisons for AVX-512: up to 256 words in sixteen vectors, or up to 128 in eight.
//!
//! It works as that for AVX2 does (`network_avx2.rs`), with lanes that are twice as many and therefore one more merge.

use std::arch::x86_64::*;

pub(super) const LANES: usize = 16;

/// The first `n` lanes, all of them if there are not as many.
#[inline]
#[target_feature(enable = "avx512f,bmi2")]
pub(super) fn lanes_below(n: usize) -> __mmask16 {
    _bzhi_u32(0xffff, n.min(LANES) as u32) as __mmask16
}

/// Words, and the largest number for those that are missing.
#[inline]
#[target_feature(enable = "avx512f,bmi2")]
fn load_some<const N: usize>(words: &[u32]) -> [__m512i; N] {
    // The index of a vector is always a constant, or none of them would stay in a register.
    let mut vectors = [_mm512_set1_epi32(-1); N];
    for i in 0..N {
        // Without words there is no access, not even a masked one: at an address where nothing is, it takes hundreds of cycles.
        let Some(words) = words.get(i * LANES..).filter(|words| !words.is_empty()) else { break };
        // SAFETY: only lanes that are inside of the slice are read.
        vectors[i] = unsafe { _mm512_mask_loadu_epi32(vectors[i], lanes_below(words.len()), words.as_ptr().cast()) };
    }
    vectors
}

/// As many words as there is room for.
#[inline]
#[target_feature(enable = "avx512f,bmi2")]
fn store_some<const N: usize>(vectors: [__m512i; N], words: &mut [u32]) {
    for i in 0..N {
        let Some(words) = words.get_mut(i * LANES..).filter(|words| !words.is_empty()) else { break };
        // SAFETY: only lanes that are inside of the slice are written.
        unsafe { _mm512_mask_storeu_epi32(words.as_mut_ptr().cast(), lanes_below(words.len()), vectors[i]) }
    }
}

/// Orders vectors, lane by lane: the smaller words to the first of each pair. Written out, since the vectors only stay in
/// registers while all indices are constants.
macro_rules! order {
    ($v:ident: $($i:literal $j:literal),*) => {
        $(($v[$i], $v[$j]) = ordered($v[$i], $v[$j]);)*
    };
}

/// The first step of a merge: words of the first half of a group of lanes are compared with those of the other half from its end.
/// `$mirror` reverses the lanes of each group, the bits of `$upper` are those of the other halves.
macro_rules! fold {
    ($v:ident, $upper:literal, $mirror:expr; $($i:literal $j:literal),*) => {
        $(let (low, high) = ordered($v[$i], $mirror($v[$j]));
        $v[$i] = _mm512_mask_blend_epi32($upper, low, high);
        $v[$j] = $mirror(_mm512_mask_blend_epi32($upper, high, low));)*
    };
}

/// Applies a function to pairs of vectors.
macro_rules! pairwise {
    ($v:ident, $order:ident: $($i:literal $j:literal),*) => {
        $(($v[$i], $v[$j]) = $order($v[$i], $v[$j]);)*
    };
}

/// From a run in each lane to one run over all lanes: `$($fold)*` pairs vectors from both ends, `$($pair)*` pairs neighbors.
macro_rules! merge_all {
    ($v:ident, $clean:ident, $($f:literal $g:literal),*; $($i:literal $j:literal),*) => {
        fold!($v, 0b1010101010101010, |v| _mm512_shuffle_epi32::<0b10_11_00_01>(v); $($f $g),*);
        $clean(&mut $v);
        fold!($v, 0b1100110011001100, |v| _mm512_shuffle_epi32::<0b00_01_10_11>(v); $($f $g),*);
        pairwise!($v, order_neighbors: $($i $j),*);
        $clean(&mut $v);
        let mirror = _mm512_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8);
        fold!($v, 0b1111000011110000, |v| _mm512_permutexvar_epi32(mirror, v); $($f $g),*);
        pairwise!($v, order_pairs: $($i $j),*);
        pairwise!($v, order_neighbors: $($i $j),*);
        $clean(&mut $v);
        let mirror = _mm512_setr_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
        fold!($v, 0b1111111100000000, |v| _mm512_permutexvar_epi32(mirror, v); $($f $g),*);
        pairwise!($v, order_quarters: $($i $j),*);
        pairwise!($v, order_pairs: $($i $j),*);
        pairwise!($v, order_neighbors: $($i $j),*);
        $clean(&mut $v);
    };
}
/// Sorts the at most 128 words of `from`, or those that are there already, into `to`.
#[target_feature(enable = "avx512f,bmi2")]
pub(super) fn sort_128(from: Option<&[u32]>, to: &mut [u32]) {
    let mut v: [__m512i; 8] = load_some(from.unwrap_or(to));
    order!(v: 0 1, 2 3, 4 5, 6 7);
    order!(v: 0 2, 1 3, 4 6, 5 7);
    order!(v: 1 2, 5 6);
    order!(v: 0 4, 1 5, 2 6, 3 7);
    order!(v: 2 4, 3 5);
    order!(v: 1 2, 3 4, 5 6);
    merge_all!(v, clean_8, 0 7, 1 6, 2 5, 3 4; 0 1, 2 3, 4 5, 6 7);
    let [a, b] = [turn([v[0], v[1], v[2], v[3]]), turn([v[4], v[5], v[6], v[7]])];
    // Quarter `q` of `a[i]` has the first four words of lane `4·q + i`, that of `b[i]` the others.
    let mut out = [_mm512_setzero_si512(); 8];
    for i in 0..2 {
        let (a0, a1) = (a[2 * i], a[2 * i + 1]);
        let (b0, b1) = (b[2 * i], b[2 * i + 1]);
        for (half, pick) in [_mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11), _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15)]
            .into_iter()
            .enumerate()
        {
            // Quarters 2·half and 2·half + 1: both halves of a lane side by side.
            let even = _mm512_permutex2var_epi64(a0, pick, b0);
            let odd = _mm512_permutex2var_epi64(a1, pick, b1);
            out[4 * half + i] = _mm512_shuffle_i64x2::<0b01_00_01_00>(even, odd);
            out[4 * half + i + 2] = _mm512_shuffle_i64x2::<0b11_10_11_10>(even, odd);
        }
    }
    store_some(out, to);
}

/// Sorts the at most 256 words of `from`, or those that are there already, into `to`.
#[target_feature(enable = "avx512f,bmi2")]
pub(super) fn sort_256(from: Option<&[u32]>, to: &mut [u32]) {
    let mut v: [__m512i; 16] = load_some(from.unwrap_or(to));
    // Green's network: 60 comparisons.
    order!(v: 0 1, 2 3, 4 5, 6 7, 8 9, 10 11, 12 13, 14 15);
    order!(v: 0 2, 1 3, 4 6, 5 7, 8 10, 9 11, 12 14, 13 15);
    order!(v: 0 4, 1 5, 2 6, 3 7, 8 12, 9 13, 10 14, 11 15);
    order!(v: 0 8, 1 9, 2 10, 3 11, 4 12, 5 13, 6 14, 7 15);
    order!(v: 5 10, 6 9, 3 12, 13 14, 4 8, 7 11, 1 2);
    order!(v: 1 4, 7 13, 2 8, 11 14);
    order!(v: 2 4, 5 6, 9 10, 11 13, 3 8, 7 12);
    order!(v: 6 8, 10 12, 3 5, 7 9);
    order!(v: 3 4, 5 6, 7 8, 9 10, 11 12);
    order!(v: 6 7, 8 9);
    merge_all!(v, clean_16, 0 15, 1 14, 2 13, 3 12, 4 11, 5 10, 6 9, 7 8; 0 1, 2 3, 4 5, 6 7, 8 9, 10 11, 12 13, 14 15);
    let quads = [
        turn([v[0], v[1], v[2], v[3]]),
        turn([v[4], v[5], v[6], v[7]]),
        turn([v[8], v[9], v[10], v[11]]),
        turn([v[12], v[13], v[14], v[15]]),
    ];
    // Quarter `q` of `quads[k][i]` has words `4·k ..` of lane `4·q + i`.
    let mut out = [_mm512_setzero_si512(); 16];
    for i in 0..4 {
        let low = _mm512_shuffle_i64x2::<0b10_00_10_00>(quads[0][i], quads[1][i]);
        let odd_low = _mm512_shuffle_i64x2::<0b11_01_11_01>(quads[0][i], quads[1][i]);
        let high = _mm512_shuffle_i64x2::<0b10_00_10_00>(quads[2][i], quads[3][i]);
        let odd_high = _mm512_shuffle_i64x2::<0b11_01_11_01>(quads[2][i], quads[3][i]);
        out[i] = _mm512_shuffle_i64x2::<0b10_00_10_00>(low, high);
        out[i + 4] = _mm512_shuffle_i64x2::<0b10_00_10_00>(odd_low, odd_high);
        out[i + 8] = _mm512_shuffle_i64x2::<0b11_01_11_01>(low, high);
        out[i + 12] = _mm512_shuffle_i64x2::<0b11_01_11_01>(odd_low, odd_high);
    }
    store_some(out, to);
}

#[inline]
#[target_feature(enable = "avx512f")]
fn ordered(a: __m512i, b: __m512i) -> (__m512i, __m512i) {
    (_mm512_min_epu32(a, b), _mm512_max_epu32(a, b))
}

/// Sorts each lane, in which words ascend up to some vector and descend from there, or the other way round.
#[inline]
#[target_feature(enable = "avx512f")]
fn clean_8(v: &mut [__m512i; 8]) {
    order!(v: 0 4, 1 5, 2 6, 3 7);
    order!(v: 0 2, 1 3, 4 6, 5 7);
    order!(v: 0 1, 2 3, 4 5, 6 7);
}

/// The same for sixteen vectors.
#[inline]
#[target_feature(enable = "avx512f")]
fn clean_16(v: &mut [__m512i; 16]) {
    order!(v: 0 8, 1 9, 2 10, 3 11, 4 12, 5 13, 6 14, 7 15);
    order!(v: 0 4, 1 5, 2 6, 3 7, 8 12, 9 13, 10 14, 11 15);
    order!(v: 0 2, 1 3, 4 6, 5 7, 8 10, 9 11, 12 14, 13 15);
    order!(v: 0 1, 2 3, 4 5, 6 7, 8 9, 10 11, 12 13, 14 15);
}

/// Orders lanes 0 to 3 and 4 to 7 of each half of two vectors.
#[inline]
#[target_feature(enable = "avx512f")]
fn order_quarters(a: __m512i, b: __m512i) -> (__m512i, __m512i) {
    let (low, high) = ordered(_mm512_shuffle_i32x4::<0b10_00_10_00>(a, b), _mm512_shuffle_i32x4::<0b11_01_11_01>(a, b));
    (
        _mm512_permutex2var_epi64(low, _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11), high),
        _mm512_permutex2var_epi64(low, _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15), high),
    )
}

/// Orders lanes 0 and 2, 1 and 3 of each quarter of two vectors.
#[inline]
#[target_feature(enable = "avx512f")]
fn order_pairs(a: __m512i, b: __m512i) -> (__m512i, __m512i) {
    let (low, high) = ordered(_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
    (_mm512_unpacklo_epi64(low, high), _mm512_unpackhi_epi64(low, high))
}

/// Orders lanes 0 and 1, 2 and 3 of each quarter of two vectors.
#[inline]
#[target_feature(enable = "avx512f")]
fn order_neighbors(a: __m512i, b: __m512i) -> (__m512i, __m512i) {
    let (a, b) = (_mm512_castsi512_ps(a), _mm512_castsi512_ps(b));
    let even = _mm512_castps_si512(_mm512_shuffle_ps::<0b10_00_10_00>(a, b));
    let odd = _mm512_castps_si512(_mm512_shuffle_ps::<0b11_01_11_01>(a, b));
    let (low, high) = ordered(even, odd);
    (_mm512_unpacklo_epi32(low, high), _mm512_unpackhi_epi32(low, high))
}

/// Quarter `q` of the vector at `i` gets lane `4·q + i` of all four.
#[inline]
#[target_feature(enable = "avx512f")]
fn turn([a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
    let (ab, cd) = (_mm512_unpacklo_epi32(a, b), _mm512_unpacklo_epi32(c, d));
    let (high_ab, high_cd) = (_mm512_unpackhi_epi32(a, b), _mm512_unpackhi_epi32(c, d));
    [
        _mm512_unpacklo_epi64(ab, cd),
        _mm512_unpackhi_epi64(ab, cd),
        _mm512_unpacklo_epi64(high_ab, high_cd),
        _mm512_unpackhi_epi64(high_ab, high_cd),
    ]
}
