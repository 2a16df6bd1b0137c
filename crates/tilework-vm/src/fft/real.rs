//! Transforms of n real points by complex ones of n/2: even and odd points are the two parts of a complex line.
//!
//! With h = n/2, `Z` the transform of that line, `w = exp(−2πi/n)`, `E_k = (Z_k + conj Z_{h−k})/2` and
//! `O_k = −i·(Z_k − conj Z_{h−k})/2`: `X_k = E_k + w^k·O_k` and `X_{h−k} = conj(E_k − w^k·O_k)`. Backwards the same is solved
//! for `Z`.

use crate::Float;

/// The loops, compiled here for each type. Lines are interleaved; `turns` holds `w^k` for k up to n/4.
pub trait RealFloat: Float {
    /// Replaces `Z` (h points and room for one more) by `X` (h + 1 points), each times `scale`.
    fn split_real(line: &mut [Self], turns: &[Self], scale: Self);
    /// Replaces `X` (h + 1 points) by `Z` (the first h).
    fn join_real(line: &mut [Self], turns: &[Self]);
}

macro_rules! real_float {
    ($($float:ident)*) => {$(
        impl RealFloat for $float {
            #[inline(never)]
            fn split_real(line: &mut [$float], turns: &[$float], scale: $float) {
                let h = line.len() / 2 - 1;
                let (re, im) = (line[0], line[1]);
                (line[0], line[1]) = ((re + im) * scale, 0.0);
                (line[2 * h], line[2 * h + 1]) = ((re - im) * scale, 0.0);
                let half = 0.5 * scale;
                for_each_mirrored(line, h, turns, |a, b, w| {
                    let (sum_re, sum_im) = ((a[0] + b[0]) * half, (a[1] - b[1]) * half);
                    let (odd_re, odd_im) = ((a[1] + b[1]) * half, (b[0] - a[0]) * half);
                    let (turned_re, turned_im) = (odd_re * w[0] - odd_im * w[1], odd_re * w[1] + odd_im * w[0]);
                    ([sum_re + turned_re, sum_im + turned_im], [sum_re - turned_re, turned_im - sum_im])
                });
            }
            #[inline(never)]
            fn join_real(line: &mut [$float], turns: &[$float]) {
                let h = line.len() / 2 - 1;
                let (first, last) = (line[0], line[2 * h]);
                (line[0], line[1]) = (first + last, first - last);
                for_each_mirrored(line, h, turns, |a, b, w| {
                    let (sum_re, sum_im) = (a[0] + b[0], a[1] - b[1]);
                    let (re, im) = (a[0] - b[0], a[1] + b[1]);
                    let (odd_re, odd_im) = (re * w[0] + im * w[1], im * w[0] - re * w[1]);
                    ([sum_re - odd_im, sum_im + odd_re], [sum_re + odd_im, odd_re - sum_im])
                });
            }
        }
    )*};
}
real_float!(f32 f64);

/// Replaces points k and h − k, for k from 1 to h/2, by what `change` makes of them and of `w^k`.
#[inline(always)]
fn for_each_mirrored<F: Float>(
    line: &mut [F],
    h: usize,
    turns: &[F],
    change: impl Fn([F; 2], [F; 2], [F; 2]) -> ([F; 2], [F; 2]),
) {
    if h < 2 {
        return;
    }
    let (left, right) = line[2..2 * h].split_at_mut(2 * (h / 2));
    // For an even h the middle point is its own mirror image, the last one on the left.
    let n_pairs = (h - 1) / 2;
    let mirrored = right[..2 * n_pairs].chunks_exact_mut(2).rev();
    for ((a, b), w) in left.chunks_exact_mut(2).zip(mirrored).zip(turns[2..].chunks_exact(2)) {
        let (new_a, new_b) = change([a[0], a[1]], [b[0], b[1]], [w[0], w[1]]);
        a.copy_from_slice(&new_a);
        b.copy_from_slice(&new_b);
    }
    if h.is_multiple_of(2) {
        let middle = [left[h - 2], left[h - 1]];
        let (new, _) = change(middle, middle, [turns[h], turns[h + 1]]);
        left[h - 2..].copy_from_slice(&new);
    }
}
