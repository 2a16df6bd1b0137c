//! A network of comparisons for AVX2: up to 64 words in eight vectors.
//!
//! The vectors are sorted lane by lane (Batcher's odd-even merge sort: no word changes its lane), which gives a sorted run in each
//! lane. Neighbouring runs are then merged (bitonic: one of them backwards) to runs over two, four and eight lanes; a step between
//! lanes exchanges words of two vectors, so that each minimum and maximum is of use in all lanes. Last, lanes become vectors.

use super::avx2::LANES;
use std::arch::x86_64::*;

/// As many vectors as lanes: they stay in registers, and turn over as a square.
type Square = [__m256i; LANES];

/// Eight words.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
pub(super) fn load(words: &[u32]) -> __m256i {
    // SAFETY: the slice has eight words.
    unsafe { _mm256_loadu_si256(words[..LANES].as_ptr().cast()) }
}

/// Overwrites the first eight words.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
pub(super) fn store(vector: __m256i, words: &mut [u32]) {
    // SAFETY: the slice has eight words.
    unsafe { _mm256_storeu_si256(words[..LANES].as_mut_ptr().cast(), vector) }
}

/// All bits of the first `n` lanes.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn lanes_below(n: usize) -> __m256i {
    _mm256_cmpgt_epi32(_mm256_set1_epi32(n as i32), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))
}

/// Up to 64 words, and the largest number for those that are missing.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn load_some(words: &[u32]) -> Square {
    // The index of a vector is always a constant, or none of them would stay in a register.
    let mut square = [_mm256_set1_epi32(-1); LANES];
    for i in 0..LANES {
        let words = words.get(i * LANES..).unwrap_or_default();
        if words.len() >= LANES {
            square[i] = load(words);
        } else if !words.is_empty() {
            let taken = lanes_below(words.len());
            // SAFETY: only lanes that are inside of the slice are read.
            let some = unsafe { _mm256_maskload_epi32(words.as_ptr().cast(), taken) };
            square[i] = _mm256_or_si256(some, _mm256_xor_si256(taken, square[i]));
        }
    }
    square
}

/// As many words as there is room for.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
pub(super) fn store_some(square: Square, words: &mut [u32]) {
    for i in 0..LANES {
        let words = words.get_mut(i * LANES..).unwrap_or_default();
        if words.len() >= LANES {
            store(square[i], words);
        } else if !words.is_empty() {
            // SAFETY: only lanes that are inside of the slice are written.
            unsafe { _mm256_maskstore_epi32(words.as_mut_ptr().cast(), lanes_below(words.len()), square[i]) }
        }
    }
}

/// Up to 64 words in order.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
pub(super) fn network(words: &[u32]) -> Square {
    let mut square = load_some(words);
    sort_lanes(&mut square);
    merge_lanes(&mut square);
    merge_pairs(&mut square);
    merge_halves(&mut square);
    transpose(&square)
}

/// Orders vectors, lane by lane: the smaller words to the first of each pair. Written out, since the vectors only stay in
/// registers while all indices are constants.
macro_rules! order {
    ($square:ident: $($i:literal $j:literal),*) => {
        $(($square[$i], $square[$j]) = ordered($square[$i], $square[$j]);)*
    };
}

#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn ordered(a: __m256i, b: __m256i) -> (__m256i, __m256i) {
    (_mm256_min_epu32(a, b), _mm256_max_epu32(a, b))
}

/// Sorts each lane over the vectors.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn sort_lanes(square: &mut Square) {
    order!(square: 0 1, 2 3, 4 5, 6 7);
    order!(square: 0 2, 1 3, 4 6, 5 7);
    order!(square: 1 2, 5 6);
    order!(square: 0 4, 1 5, 2 6, 3 7);
    order!(square: 2 4, 3 5);
    order!(square: 1 2, 3 4, 5 6);
}

/// Sorts each lane, in which words ascend up to some vector and descend from there, or the other way round.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn clean_lanes(square: &mut Square) {
    order!(square: 0 4, 1 5, 2 6, 3 7);
    order!(square: 0 2, 1 3, 4 6, 5 7);
    order!(square: 0 1, 2 3, 4 5, 6 7);
}

/// The first step of a merge: words of the first half of a group of lanes are compared with those of the other half from its end.
/// `$mirror` reverses the lanes of each group, the bits of `$upper` are those of the other halves.
macro_rules! fold {
    ($square:ident, $upper:literal, $mirror:expr) => { fold!($square, $upper, $mirror; 0 7, 1 6, 2 5, 3 4) };
    ($square:ident, $upper:literal, $mirror:expr; $($i:literal $j:literal),*) => {
        $(let (low, high) = ordered($square[$i], $mirror($square[$j]));
        $square[$i] = _mm256_blend_epi32::<$upper>(low, high);
        $square[$j] = $mirror(_mm256_blend_epi32::<$upper>(high, low));)*
    };
}

/// Applies a function to each two neighbouring vectors.
macro_rules! pairwise {
    ($square:ident, $order:ident) => { pairwise!($square, $order: 0 1, 2 3, 4 5, 6 7) };
    ($square:ident, $order:ident: $($i:literal $j:literal),*) => {
        $(($square[$i], $square[$j]) = $order($square[$i], $square[$j]);)*
    };
}

/// From a run in each lane to runs over two lanes.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn merge_lanes(square: &mut Square) {
    fold!(square, 0b10101010, |v| _mm256_shuffle_epi32::<0b10_11_00_01>(v));
    clean_lanes(square);
}

/// To runs over four lanes.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn merge_pairs(square: &mut Square) {
    fold!(square, 0b11001100, |v| _mm256_shuffle_epi32::<0b00_01_10_11>(v));
    pairwise!(square, order_neighbors);
    clean_lanes(square);
}

/// To one run over all lanes.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn merge_halves(square: &mut Square) {
    fold!(square, 0b11110000, |v| _mm256_shuffle_epi32::<0b00_01_10_11>(_mm256_permute4x64_epi64::<0b01_00_11_10>(v)));
    pairwise!(square, order_pairs);
    pairwise!(square, order_neighbors);
    clean_lanes(square);
}

/// Orders lanes 0 and 2, 1 and 3 of each half of two vectors.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn order_pairs(a: __m256i, b: __m256i) -> (__m256i, __m256i) {
    let (low, high) = ordered(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
    (_mm256_unpacklo_epi64(low, high), _mm256_unpackhi_epi64(low, high))
}

/// Orders lanes 0 and 1, 2 and 3 of each half of two vectors.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn order_neighbors(a: __m256i, b: __m256i) -> (__m256i, __m256i) {
    let (a, b) = (_mm256_castsi256_ps(a), _mm256_castsi256_ps(b));
    let even = _mm256_castps_si256(_mm256_shuffle_ps::<0b10_00_10_00>(a, b));
    let odd = _mm256_castps_si256(_mm256_shuffle_ps::<0b11_01_11_01>(a, b));
    let (low, high) = ordered(even, odd);
    (_mm256_unpacklo_epi32(low, high), _mm256_unpackhi_epi32(low, high))
}

/// Lanes become vectors.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn transpose(square: &Square) -> Square {
    let ones = |i| (_mm256_unpacklo_epi32(square[i], square[i + 1]), _mm256_unpackhi_epi32(square[i], square[i + 1]));
    let twos = |i| {
        let ((a, b), (c, d)) = (ones(i), ones(i + 2));
        [
            _mm256_unpacklo_epi64(a, c),
            _mm256_unpackhi_epi64(a, c),
            _mm256_unpacklo_epi64(b, d),
            _mm256_unpackhi_epi64(b, d),
        ]
    };
    let (top, bottom) = (twos(0), twos(4));
    std::array::from_fn(|i| {
        if i < 4 {
            _mm256_permute2x128_si256::<0x20>(top[i], bottom[i])
        } else {
            _mm256_permute2x128_si256::<0x31>(top[i - 4], bottom[i - 4])
        }
    })
}
