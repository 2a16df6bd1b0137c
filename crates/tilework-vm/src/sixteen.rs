//! Sixteen floats in registers of x86-64: two of AVX2, or one of AVX-512.
//!
//! Functions name no instruction set themselves, since such functions cannot be made a part of others in every case; they become part
//! of those that do.

use std::arch::x86_64::*;

/// Sixteen floats. All functions need a machine with the instructions that their names say.
pub(crate) trait Sixteen: Copy {
    /// Whether [`Sixteen::looked_up`] is one instruction.
    const HAS_TABLES: bool;

    unsafe fn zero() -> Self;
    /// One number, sixteen times.
    unsafe fn splat(x: *const f32) -> Self;
    unsafe fn load(from: *const f32) -> Self;
    unsafe fn store(self, to: *mut f32);
    /// Signed bytes as floats.
    unsafe fn of_bytes(bytes: __m128i) -> Self;
    /// `self · factor + more`, rounded once.
    unsafe fn mul_add(self, factor: Self, more: Self) -> Self;
    unsafe fn add(self, other: Self) -> Self;
    unsafe fn mul(self, other: Self) -> Self;
    /// Its upper half added to its lower one.
    unsafe fn folded(self) -> __m256;
    /// What the low halves of sixteen bytes, and what their high halves mean by this table.
    unsafe fn looked_up(self, bytes: *const u32) -> [Self; 2];
}

#[derive(Clone, Copy)]
pub(crate) struct Avx2(__m256, __m256);

#[derive(Clone, Copy)]
pub(crate) struct Avx512(__m512);

impl Sixteen for Avx2 {
    const HAS_TABLES: bool = false;

    #[inline(always)]
    unsafe fn zero() -> Self {
        // SAFETY: whoever calls has made sure that the machine has the instructions, and of the memory; so below.
        unsafe { Avx2(_mm256_setzero_ps(), _mm256_setzero_ps()) }
    }

    #[inline(always)]
    unsafe fn splat(x: *const f32) -> Self {
        // SAFETY: as above.
        unsafe {
            let x = _mm256_set1_ps(*x);
            Avx2(x, x)
        }
    }

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        // SAFETY: as above.
        unsafe { Avx2(_mm256_loadu_ps(from), _mm256_loadu_ps(from.add(8))) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: as above.
        unsafe {
            _mm256_storeu_ps(to, self.0);
            _mm256_storeu_ps(to.add(8), self.1);
        }
    }

    #[inline(always)]
    unsafe fn of_bytes(bytes: __m128i) -> Self {
        // SAFETY: as above.
        unsafe {
            let high = _mm_srli_si128::<8>(bytes);
            Avx2(_mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(bytes)), _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(high)))
        }
    }

    #[inline(always)]
    unsafe fn mul_add(self, factor: Self, more: Self) -> Self {
        // SAFETY: as above.
        unsafe { Avx2(_mm256_fmadd_ps(self.0, factor.0, more.0), _mm256_fmadd_ps(self.1, factor.1, more.1)) }
    }

    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        // SAFETY: as above.
        unsafe { Avx2(_mm256_add_ps(self.0, other.0), _mm256_add_ps(self.1, other.1)) }
    }

    #[inline(always)]
    unsafe fn mul(self, other: Self) -> Self {
        // SAFETY: as above.
        unsafe { Avx2(_mm256_mul_ps(self.0, other.0), _mm256_mul_ps(self.1, other.1)) }
    }

    #[inline(always)]
    unsafe fn folded(self) -> __m256 {
        // SAFETY: as above.
        unsafe { _mm256_add_ps(self.0, self.1) }
    }

    #[inline(always)]
    unsafe fn looked_up(self, _: *const u32) -> [Self; 2] {
        [self; 2]
    }
}

impl Sixteen for Avx512 {
    const HAS_TABLES: bool = true;

    #[inline(always)]
    unsafe fn zero() -> Self {
        // SAFETY: as for AVX2.
        unsafe { Avx512(_mm512_setzero_ps()) }
    }

    #[inline(always)]
    unsafe fn splat(x: *const f32) -> Self {
        // SAFETY: as above.
        unsafe { Avx512(_mm512_set1_ps(*x)) }
    }

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        // SAFETY: as above.
        unsafe { Avx512(_mm512_loadu_ps(from)) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: as above.
        unsafe { _mm512_storeu_ps(to, self.0) }
    }

    #[inline(always)]
    unsafe fn of_bytes(bytes: __m128i) -> Self {
        // SAFETY: as above.
        unsafe { Avx512(_mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(bytes))) }
    }

    #[inline(always)]
    unsafe fn mul_add(self, factor: Self, more: Self) -> Self {
        // SAFETY: as above.
        unsafe { Avx512(_mm512_fmadd_ps(self.0, factor.0, more.0)) }
    }

    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        // SAFETY: as above.
        unsafe { Avx512(_mm512_add_ps(self.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn mul(self, other: Self) -> Self {
        // SAFETY: as above.
        unsafe { Avx512(_mm512_mul_ps(self.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn folded(self) -> __m256 {
        // SAFETY: as above.
        unsafe { _mm256_add_ps(_mm512_castps512_ps256(self.0), _mm512_extractf32x8_ps::<1>(self.0)) }
    }

    #[inline(always)]
    unsafe fn looked_up(self, bytes: *const u32) -> [Self; 2] {
        // SAFETY: as above.
        unsafe {
            // The instruction sees the lowest four bits only.
            let low = _mm512_cvtepu8_epi32(_mm_loadu_si128(bytes.cast()));
            let high = _mm512_srli_epi32::<4>(low);
            [Avx512(_mm512_permutexvar_ps(low, self.0)), Avx512(_mm512_permutexvar_ps(high, self.0))]
        }
    }
}

/// The sum of sixteen floats: halves are added to each other until one number is left.
///
/// # Safety
/// The machine must have the instructions.
#[inline(always)]
pub(crate) unsafe fn sum<S: Sixteen>(x: S) -> f32 {
    // SAFETY: the caller's promise.
    unsafe {
        let four = fold_eight(x.folded());
        let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
        _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)))
    }
}

/// The sums of four times sixteen floats, each in the order of [`sum`].
///
/// # Safety
/// The machine must have the instructions.
#[inline(always)]
pub(crate) unsafe fn four_sums<S: Sixteen>([a, b, c, d]: [S; 4]) -> __m128 {
    // SAFETY: the caller's promise.
    unsafe {
        let (a, b) = (fold_eight(a.folded()), fold_eight(b.folded()));
        let (c, d) = (fold_eight(c.folded()), fold_eight(d.folded()));
        let ab = _mm_add_ps(_mm_movelh_ps(a, b), _mm_movehl_ps(b, a));
        let cd = _mm_add_ps(_mm_movelh_ps(c, d), _mm_movehl_ps(d, c));
        _mm_add_ps(_mm_shuffle_ps::<0b10_00_10_00>(ab, cd), _mm_shuffle_ps::<0b11_01_11_01>(ab, cd))
    }
}

#[inline(always)]
unsafe fn fold_eight(x: __m256) -> __m128 {
    // SAFETY: as above.
    unsafe { _mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps::<1>(x)) }
}
