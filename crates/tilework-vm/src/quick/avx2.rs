//! Partition and small sorts for x86-64 with AVX2.

use super::Gap;
use super::network_avx2::{load, network, store, store_some};
use std::arch::x86_64::*;

pub(super) const LANES: usize = 8;
/// Words that the network sorts: they fill eight registers.
pub(super) const FEW: usize = 64;

/// A proof that this machine has the instructions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kernels(());

impl Kernels {
    pub(super) fn detect() -> Option<Kernels> {
        let has = std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("popcnt");
        has.then_some(Kernels(()))
    }

    /// Moves words to their sides of the gap, which has room for them.
    #[inline]
    pub(super) fn partition(self, from: &[u32], gap: &mut Gap<'_>, pivot: u32) {
        // SAFETY: `Kernels` is only made where the features are there.
        unsafe { partition(from, gap, pivot) }
    }

    /// Sorts the at most [`FEW`] words of `from`, or those that are there already, into `to`.
    #[inline]
    pub(super) fn sort_few(self, from: Option<&[u32]>, to: &mut [u32]) {
        // SAFETY: as above.
        unsafe { sort_few(from, to) }
    }

    /// A median of medians of 24 of the words, of which there are at least 8.
    #[inline]
    pub(super) fn middle(self, words: &[u32]) -> u32 {
        // SAFETY: as above.
        unsafe { middle(words) }
    }
}

/// `ORDERS[mask]` names the lanes whose bit in `mask` is 0, then the others.
static ORDERS: [[u8; LANES]; 256] = orders();

const fn orders() -> [[u8; LANES]; 256] {
    let mut orders = [[0; LANES]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut low, mut high) = (0, LANES - (mask as u32).count_ones() as usize);
        let mut lane = 0;
        while lane < LANES {
            let at = if mask >> lane & 1 == 0 { &mut low } else { &mut high };
            orders[mask][*at] = lane as u8;
            *at += 1;
            lane += 1;
        }
        mask += 1;
    }
    orders
}

/// One bit per lane: whether it belongs to the right.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn sides(words: __m256i, pivot: __m256i) -> u8 {
    let is_right = _mm256_cmpeq_epi32(_mm256_max_epu32(words, pivot), words);
    _mm256_movemask_ps(_mm256_castsi256_ps(is_right)) as u8
}

/// The lanes whose bit is 0, then the others.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn ordered(words: __m256i, sides: u8) -> __m256i {
    // SAFETY: an entry has eight bytes.
    let order = unsafe { _mm_loadl_epi64(ORDERS[usize::from(sides)].as_ptr().cast()) };
    _mm256_permutevar8x32_epi32(words, _mm256_cvtepu8_epi32(order))
}

#[target_feature(enable = "avx2,popcnt")]
fn partition(from: &[u32], gap: &mut Gap<'_>, pivot: u32) {
    let (head, body) = from.split_at(from.len() % LANES);
    match from.first_chunk() {
        Some(first) if gap.len() >= 2 * LANES => put_some(first, head.len(), gap, pivot),
        _ => gap.put(head, pivot),
    }
    let (vectors, _) = body.as_chunks::<LANES>();
    // Two stores of a whole vector need a gap of two, or of exactly one.
    let n_safe =
        if gap.len() == body.len() { vectors.len() } else { vectors.len().min((gap.len() / LANES).saturating_sub(1)) };
    put_vectors(&vectors[..n_safe], gap, pivot);
    gap.put(vectors[n_safe..].as_flattened(), pivot);
}

/// Puts the first `n` words of a vector to their sides of a gap of at least two vectors.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn put_some(words: &[u32; LANES], n: usize, gap: &mut Gap<'_>, pivot: u32) {
    let words = load(words);
    let taken = (1u8 << n) - 1;
    let right = sides(words, _mm256_set1_epi32(pivot as i32)) & taken;
    let left = !right & taken;
    store(ordered(words, !left), &mut gap.words[gap.left..]);
    store(ordered(words, right), &mut gap.words[gap.right - LANES..]);
    gap.left += left.count_ones() as usize;
    gap.right -= right.count_ones() as usize;
}

/// Puts whole vectors to their sides. The gap must be at least one vector longer than they are, or exactly as long.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn put_vectors(vectors: &[[u32; LANES]], gap: &mut Gap<'_>, pivot: u32) {
    let pivot = _mm256_set1_epi32(pivot as i32);
    let (mut left, mut len) = (gap.left, gap.len());
    assert!(gap.right <= gap.words.len() && vectors.len() * LANES <= len, "words have room in the gap");
    let words = gap.words.as_mut_ptr();
    let mut put = |vector: __m256i| {
        let sides = sides(vector, pivot);
        let ordered = ordered(vector, sides);
        len -= LANES;
        // SAFETY: the gap from `left` on loses as many words as it is given, and has at least those of the vectors to come.
        unsafe {
            _mm256_storeu_si256(words.add(left).cast(), ordered);
            _mm256_storeu_si256(words.add(left + len).cast(), ordered);
        }
        left += LANES - sides.count_ones() as usize;
    };
    let (fours, rest) = vectors.as_chunks::<4>();
    for [a, b, c, d] in fours {
        // All loads first: the compiler cannot move them before stores.
        let (a, b, c, d) = (load(a), load(b), load(c), load(d));
        put(a);
        put(b);
        put(c);
        put(d);
    }
    for vector in rest {
        put(load(vector));
    }
    (gap.left, gap.right) = (left, left + len);
}

#[target_feature(enable = "avx2,popcnt")]
fn sort_few(from: Option<&[u32]>, to: &mut [u32]) {
    store_some(network(from.unwrap_or(to)), to);
}

#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn median(a: __m256i, b: __m256i, c: __m256i) -> __m256i {
    let (low, high) = (_mm256_min_epu32(a, b), _mm256_max_epu32(a, b));
    _mm256_max_epu32(low, _mm256_min_epu32(high, c))
}

#[target_feature(enable = "avx2,popcnt")]
fn middle(words: &[u32]) -> u32 {
    let n = words.len();
    let m = median(load(words), load(&words[n / 2..]), load(&words[n - LANES..]));
    let m = median(m, _mm256_shuffle_epi32::<0b00_11_10_01>(m), _mm256_shuffle_epi32::<0b01_00_11_10>(m));
    let m = median(m, _mm256_shuffle_epi32::<0b10_01_00_11>(m), _mm256_permute4x64_epi64::<0b01_00_11_10>(m));
    _mm256_extract_epi32::<0>(m) as u32
}
