//! The three checksums of a page: CRC-32 of PNG chunks, Adler-32 of the zlib stream, and XXH64 of tensors.
//!
//! The first two are what PNG asks for. Tensors get one of 64 bits, because a model has hundreds of them and a checksum that
//! fails once in four billion times is too weak to say "bit for bit"; XXH64 reads faster than memory delivers.
//! (Formats: RFC 1950, the PNG specification's annex D, and <https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md>.)

/// `TABLES[k][byte]` is the remainder of `byte` followed by `k` zero bytes.
static TABLES: [[u32; 256]; 16] = tables();

const fn tables() -> [[u32; 256]; 16] {
    let mut tables = [[0u32; 256]; 16];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
            bit += 1;
        }
        tables[0][byte] = crc;
        byte += 1;
    }
    let mut k = 1;
    while k < 16 {
        let mut byte = 0;
        while byte < 256 {
            let before = tables[k - 1][byte];
            tables[k][byte] = (before >> 8) ^ tables[0][(before & 0xff) as usize];
            byte += 1;
        }
        k += 1;
    }
    tables
}

/// CRC-32 of a chunk's type and content.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crc32(u32);

impl Crc32 {
    pub(super) fn new() -> Crc32 {
        Crc32(!0)
    }

    /// Sixteen bytes a step: each table is looked up once, and no look-up waits for another.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        let mut crc = self.0;
        let (blocks, rest) = bytes.as_chunks::<16>();
        for block in blocks {
            let first = crc.to_le_bytes();
            let mut next = 0;
            for k in 0..16 {
                let byte = if k < 4 { block[k] ^ first[k] } else { block[k] };
                next ^= TABLES[15 - k][usize::from(byte)];
            }
            crc = next;
        }
        for &byte in rest {
            crc = (crc >> 8) ^ TABLES[0][usize::from(crc as u8 ^ byte)];
        }
        self.0 = crc;
    }

    pub(super) fn value(self) -> u32 {
        !self.0
    }
}

/// Adler-32 of everything a zlib stream stands for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Adler32 {
    a: u32,
    b: u32,
}

const ADLER_MODULUS: u32 = 65_521;
/// Bytes after which the sums of 32-bit words could overflow; a multiple of 32.
const ADLER_CHUNK: usize = 5_536;

impl Adler32 {
    pub(super) fn new() -> Adler32 {
        Adler32 { a: 1, b: 0 }
    }

    pub(super) fn add(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(ADLER_CHUNK) {
            let (blocks, rest) = chunk.as_chunks::<32>();
            for block in blocks {
                // Sums of a block have a form that becomes vector instructions: b grows by 32·a + Σ (32 − i)·x_i.
                let (mut sum, mut weighted) = (0u32, 0u32);
                for (i, &byte) in block.iter().enumerate() {
                    sum += u32::from(byte);
                    weighted += (32 - i as u32) * u32::from(byte);
                }
                self.b += 32 * self.a + weighted;
                self.a += sum;
            }
            for &byte in rest {
                self.a += u32::from(byte);
                self.b += self.a;
            }
            self.a %= ADLER_MODULUS;
            self.b %= ADLER_MODULUS;
        }
    }

    /// The same as adding `n` zeros, at once.
    pub(super) fn add_zeros(&mut self, n: u64) {
        let n = (n % u64::from(ADLER_MODULUS)) as u32;
        self.b = ((u64::from(self.b) + u64::from(n) * u64::from(self.a)) % u64::from(ADLER_MODULUS)) as u32;
    }

    pub(super) fn value(self) -> u32 {
        self.b << 16 | self.a
    }
}

const PRIME_1: u64 = 0x9e37_79b1_85eb_ca87;
const PRIME_2: u64 = 0xc2b2_ae3d_27d4_eb4f;
const PRIME_3: u64 = 0x1656_67b1_9e37_79f9;
const PRIME_4: u64 = 0x85eb_ca77_c2b2_ae63;
const PRIME_5: u64 = 0x27d4_eb2f_1656_67c5;

/// XXH64 with seed 0, of bytes that arrive in pieces.
#[derive(Clone, Debug)]
pub(super) struct Xxh64 {
    lanes: [u64; 4],
    n_bytes: u64,
    /// Bytes that do not fill a stripe of 32 yet.
    waiting: Vec<u8>,
}

impl Xxh64 {
    pub(super) fn new() -> Xxh64 {
        let lanes = [PRIME_1.wrapping_add(PRIME_2), PRIME_2, 0, 0u64.wrapping_sub(PRIME_1)];
        Xxh64 { lanes, n_bytes: 0, waiting: Vec::with_capacity(32) }
    }

    /// The checksum of one piece.
    pub(super) fn of(bytes: &[u8]) -> u64 {
        let mut sum = Xxh64::new();
        sum.add(bytes);
        sum.value()
    }

    pub(super) fn add(&mut self, mut bytes: &[u8]) {
        self.n_bytes += bytes.len() as u64;
        if !self.waiting.is_empty() {
            let (first, rest) = bytes.split_at(bytes.len().min(32 - self.waiting.len()));
            self.waiting.extend_from_slice(first);
            bytes = rest;
            let Some(stripe) = self.waiting.first_chunk::<32>().copied() else { return };
            self.stripes(&[stripe]);
            self.waiting.clear();
        }
        let (stripes, rest) = bytes.as_chunks::<32>();
        self.stripes(stripes);
        self.waiting.extend_from_slice(rest);
    }

    fn stripes(&mut self, stripes: &[[u8; 32]]) {
        let mut lanes = self.lanes;
        for stripe in stripes {
            for (lane, word) in lanes.iter_mut().zip(stripe.as_chunks::<8>().0) {
                *lane = round(*lane, u64::from_le_bytes(*word));
            }
        }
        self.lanes = lanes;
    }

    pub(super) fn value(&self) -> u64 {
        let mut hash = PRIME_5;
        if self.n_bytes >= 32 {
            let [a, b, c, d] = self.lanes;
            let turned = [a.rotate_left(1), b.rotate_left(7), c.rotate_left(12), d.rotate_left(18)];
            hash = turned.into_iter().fold(0, u64::wrapping_add);
            for lane in self.lanes {
                hash = (hash ^ round(0, lane)).wrapping_mul(PRIME_1).wrapping_add(PRIME_4);
            }
        }
        hash = hash.wrapping_add(self.n_bytes);
        let (words, rest) = self.waiting.as_chunks::<8>();
        for word in words {
            hash = (hash ^ round(0, u64::from_le_bytes(*word))).rotate_left(27);
            hash = hash.wrapping_mul(PRIME_1).wrapping_add(PRIME_4);
        }
        let (halves, rest) = rest.as_chunks::<4>();
        for half in halves {
            hash = (hash ^ u64::from(u32::from_le_bytes(*half)).wrapping_mul(PRIME_1)).rotate_left(23);
            hash = hash.wrapping_mul(PRIME_2).wrapping_add(PRIME_3);
        }
        for &byte in rest {
            hash = (hash ^ u64::from(byte).wrapping_mul(PRIME_5)).rotate_left(11).wrapping_mul(PRIME_1);
        }
        hash = (hash ^ (hash >> 33)).wrapping_mul(PRIME_2);
        hash = (hash ^ (hash >> 29)).wrapping_mul(PRIME_3);
        hash ^ (hash >> 32)
    }
}

fn round(lane: u64, word: u64) -> u64 {
    lane.wrapping_add(word.wrapping_mul(PRIME_2)).rotate_left(31).wrapping_mul(PRIME_1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_the_published_ones() {
        let mut crc = Crc32::new();
        crc.add(b"123456789");
        assert_eq!(crc.value(), 0xcbf4_3926);
        let mut adler = Adler32::new();
        adler.add(b"Wikipedia");
        assert_eq!(adler.value(), 0x11e6_0398);
        assert_eq!(Xxh64::of(b""), 0xef46_db37_51d8_e999);
        assert_eq!(Xxh64::of(b"a"), 0xd24e_c4f1_a98c_6e5b);
        assert_eq!(Xxh64::of(b"abc"), 0x44bc_2cf5_ad77_0999);
        assert_eq!(
            Xxh64::of(b"Call me Ishmael. Some years ago--never mind how long precisely-"),
            0x02a2_e854_70d6_fd96
        );
    }

    #[test]
    fn pieces_and_zeros_sum_up_to_the_whole() {
        let bytes: Vec<u8> = (0..20_000u32).map(|i| ((i * i) >> 3) as u8).collect();
        let slow_crc = bytes.iter().fold(!0u32, |crc, &byte| (crc >> 8) ^ TABLES[0][usize::from(crc as u8 ^ byte)]);
        let slow_adler = bytes.iter().fold((1, 0), |(a, b), &byte| {
            let a = (a + u32::from(byte)) % ADLER_MODULUS;
            (a, (b + a) % ADLER_MODULUS)
        });
        for piece in [1, 7, 31, 32, 33, 5_000, 20_000] {
            let (mut crc, mut adler, mut sum) = (Crc32::new(), Adler32::new(), Xxh64::new());
            for bytes in bytes.chunks(piece) {
                crc.add(bytes);
                adler.add(bytes);
                sum.add(bytes);
            }
            assert_eq!(crc.value(), !slow_crc);
            assert_eq!(adler.value(), slow_adler.1 << 16 | slow_adler.0);
            assert_eq!(sum.value(), Xxh64::of(&bytes));
        }
        let (mut zeros, mut adler) = (Adler32::new(), Adler32::new());
        for sum in [&mut zeros, &mut adler] {
            sum.add(b"something");
        }
        zeros.add_zeros(200_001);
        adler.add(&vec![0; 200_001]);
        assert_eq!(zeros.value(), adler.value());
    }
}
