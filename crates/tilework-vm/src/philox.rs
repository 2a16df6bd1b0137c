//! Philox4x32-10 (Salmon, Moraes, Dror and Shaw: Parallel random numbers: as easy as 1, 2, 3, 2011): four random words from a
//! counter of four words and a key of two, by ten rounds of multiplication. No state, so any part of a sequence can be made
//! alone, and the same bits come out on every machine.

use crate::vectorized;

const MULTIPLIERS: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];
const KEY_STEPS: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];

/// Counters worked on at once: a few vectors of words.
const LANES: usize = 16;

/// The key, and the two high words of every counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    /// The key.
    pub key: [u32; 2],
    /// Words 2 and 3 of the counter.
    pub stream: [u32; 2],
}

/// The four words of one counter.
#[inline(always)]
pub fn philox(counter: [u32; 4], key: [u32; 2]) -> [u32; 4] {
    let lanes = rounds(counter.map(|word| [word]), key);
    lanes.map(|[word]| word)
}

/// Words `4·first_block …` of a stream: word i is part i % 4 of the counter (i / 4, 0, stream).
#[inline(never)]
pub fn fill(stream: Stream, first_block: u32, out: &mut [u32]) {
    vectorized(
        #[inline(always)]
        || {
            for (group, words) in out.chunks_mut(4 * LANES).enumerate() {
                let first = first_block.wrapping_add((group * LANES) as u32);
                let blocks: [u32; LANES] = std::array::from_fn(|lane| first.wrapping_add(lane as u32));
                let [high_0, high_1] = stream.stream;
                let parts = rounds([blocks, [0; LANES], [high_0; LANES], [high_1; LANES]], stream.key);
                for (i, word) in words.iter_mut().enumerate() {
                    *word = parts[i % 4][i / 4];
                }
            }
        },
    );
}

#[inline(always)]
fn rounds<const N: usize>(mut counter: [[u32; N]; 4], mut key: [u32; 2]) -> [[u32; N]; 4] {
    for _ in 0..10 {
        let mut next = [[0; N]; 4];
        for lane in 0..N {
            let a = u64::from(counter[0][lane]) * u64::from(MULTIPLIERS[0]);
            let b = u64::from(counter[2][lane]) * u64::from(MULTIPLIERS[1]);
            next[0][lane] = (b >> 32) as u32 ^ counter[1][lane] ^ key[0];
            next[1][lane] = b as u32;
            next[2][lane] = (a >> 32) as u32 ^ counter[3][lane] ^ key[1];
            next[3][lane] = a as u32;
        }
        counter = next;
        key = [key[0].wrapping_add(KEY_STEPS[0]), key[1].wrapping_add(KEY_STEPS[1])];
    }
    counter
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The known answers published with Random123 (kat_vectors).
    #[test]
    fn known_answers() {
        let zero = philox([0; 4], [0; 2]);
        assert_eq!(zero, [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
        let ones = philox([u32::MAX; 4], [u32::MAX; 2]);
        assert_eq!(ones, [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]);
        let pi = philox([0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344], [0xa409_3822, 0x299f_31d0]);
        assert_eq!(pi, [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]);
    }

    #[test]
    fn a_stream_is_its_counters_in_order() {
        let stream = Stream { key: [7, 9], stream: [3, 1] };
        let mut words = [0; 203];
        fill(stream, 5, &mut words);
        for (i, &word) in words.iter().enumerate() {
            assert_eq!(word, philox([5 + i as u32 / 4, 0, 3, 1], [7, 9])[i % 4]);
        }
    }
}
