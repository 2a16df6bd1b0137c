//! The most a core can do, to hold kernels against.

use crate::vectorized;

/// Numbers kept in registers: twelve vectors of eight, which covers the latency of two multiply-add units.
const WIDTH: usize = 96;

/// Does `n_rounds` times [`MULTIPLY_ADDS_PER_ROUND`] multiply-adds on registers alone, and returns something made of them, so
/// that none can be left out.
#[inline(never)]
pub fn multiply_adds(n_rounds: usize, factor: f32, term: f32) -> f32 {
    vectorized(
        #[inline(always)]
        || {
            let mut sums: [f32; WIDTH] = std::array::from_fn(|lane| lane as f32);
            for _ in 0..n_rounds {
                for sum in &mut sums {
                    *sum = multiply_add(*sum, factor, term);
                }
            }
            sums.iter().sum()
        },
    )
}

/// Multiply-adds in one round.
pub const MULTIPLY_ADDS_PER_ROUND: usize = WIDTH;

/// One instruction where the machine has it; where it has none, a product and a sum.
#[inline(always)]
fn multiply_add(x: f32, factor: f32, term: f32) -> f32 {
    if cfg!(target_arch = "wasm32") { x * factor + term } else { x.mul_add(factor, term) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_out() {
        // Each lane goes to its fixed point 2: x/2 + 1.
        assert!((multiply_adds(60, 0.5, 1.0) - 2.0 * WIDTH as f32).abs() < 1e-3);
    }
}
