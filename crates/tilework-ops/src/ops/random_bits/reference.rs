//! The meaning of random words: the rounds as published, one counter at a time.

use crate::op::Meta;
use tilework_core::expr::Value;
use tilework_core::host::{HostBuffer, HostView};

/// The four words of `counter` under the key in `state`.
pub(crate) fn block(counter: [u32; 4], key: [u32; 2]) -> [u32; 4] {
    let ([mut c0, mut c1, mut c2, mut c3], [mut k0, mut k1]) = (counter, key);
    for _ in 0..10 {
        let left = u64::from(c0) * 0xD251_1F53;
        let right = u64::from(c2) * 0xCD9E_8D57;
        (c0, c1, c2, c3) = ((right >> 32) as u32 ^ c1 ^ k0, right as u32, (left >> 32) as u32 ^ c3 ^ k1, left as u32);
        k0 = k0.wrapping_add(0x9E37_79B9);
        k1 = k1.wrapping_add(0xBB67_AE85);
    }
    [c0, c1, c2, c3]
}

pub(super) fn bits(n: usize, state: &HostView<'_>, out: &Meta) -> HostBuffer {
    let word = |i: usize| state.f64_at(i) as u32;
    let words = (0..n).map(|i| block([i as u32 / 4, 0, word(2), word(3)], [word(0), word(1)])[i % 4]);
    HostBuffer::from_values(out.dtype, words.map(Value::Uint))
}
