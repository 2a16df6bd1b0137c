//! Contexts in files: a long prompt is read once and is there again tomorrow.
//!
//! A file is a line that names the format, a head of seven numbers, the tokens, the keys and values of each layer as they lie in memory,
//! and a checksum of it all; every number is little-endian. It serves the model that made it, which a fingerprint tells, and no other.

use std::io::{Read, Write};

use super::config::{Config, Reach};
use super::context::Context;
use super::model::Model;
use tilework::{DType, Error, ErrorKind, Half, Result};

const MAGIC: &[u8; 24] = b"tilework context v2    \n";
/// No context is longer; a file that says otherwise is damaged.
const MAX_TOKENS: u64 = 1 << 24;

/// A quick hash of bytes, against accidents only.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Checksum(u64);

impl Checksum {
    /// Adds bytes. The sum depends on how they are cut into pieces.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        // The multiplier of Firefox's hash; a rotation brings its high bits back into play.
        let mut step = |word: u64| self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|word| step(u64::from_le_bytes(*word)));
        rest.iter().for_each(|byte| step(u64::from(*byte)));
        step(bytes.len() as u64);
    }

    pub(super) fn value(self) -> u64 {
        self.0
    }
}

/// What a file must have in common with a model, and how long it is.
fn head(config: &Config, fingerprint: u64, (reach, n_tokens, dtype): (Reach, usize, DType)) -> [u64; 7] {
    let sizes = [config.n_layers, config.n_kv_heads, config.head_dim, dtype.size_bytes()].map(|size| size as u64);
    [fingerprint, sizes[0], sizes[1], sizes[2], sizes[3], u64::from(reach == Reach::Long), n_tokens as u64]
}

impl Model {
    /// Writes the tokens of a context with what was computed of them.
    pub async fn save_context(&self, context: &mut Context, out: &mut dyn Write) -> Result<()> {
        self.restore(context).await?;
        let n = context.len();
        let mut out = Summed { inner: out, sum: Checksum::default() };
        out.write(MAGIC)?;
        let shape = (self.config().reach(context.n_max()), n, context.dtype());
        for number in head(self.config(), self.fingerprint(), shape) {
            out.write(&number.to_le_bytes())?;
        }
        let tokens: Vec<u8> = context.tokens().iter().flat_map(|token| token.to_le_bytes()).collect();
        out.write(&tokens)?;
        for cache in &context.caches {
            let filled = cache.slice(2, 0..n as isize);
            let bytes: Vec<u8> = if context.dtype() == DType::F16 {
                filled.to_vec::<Half>().await?.iter().flat_map(|value| value.0.to_le_bytes()).collect()
            } else {
                filled.to_vec::<f32>().await?.iter().flat_map(|value| value.to_le_bytes()).collect()
            };
            out.write(&bytes)?;
        }
        let sum = out.sum.value();
        out.write(&sum.to_le_bytes())
    }

    /// Reads a context that [`Model::save_context`] wrote, with room for `n_max` tokens. If it has more, the first are kept.
    ///
    /// Fails with `Argument` if another model made it or it is of another reach, and with `Io` if it is damaged.
    pub fn load_context(&self, input: &mut dyn Read, n_max: usize) -> Result<Context> {
        let mut input = Summed { inner: input, sum: Checksum::default() };
        let mut magic = [0; MAGIC.len()];
        input.read(&mut magic)?;
        if &magic != MAGIC {
            return Err(damaged("it is no saved context"));
        }
        let mut found = [0; 7];
        for number in &mut found {
            *number = input.number()?;
        }
        let n = usize::try_from(found[6]).ok().filter(|&n| n as u64 <= MAX_TOKENS);
        let n = n.ok_or_else(|| damaged(format!("it speaks of {} tokens", found[6])))?;
        // Kept as halves or as floats: whichever it was, it becomes what this model keeps.
        let dtype = if found[4] == 2 { DType::F16 } else { DType::F32 };
        let wanted = head(self.config(), self.fingerprint(), (self.config().reach(n_max), n, dtype));
        if found[..5] != wanted[..5] {
            return Err(Error::argument("context", "another model made it"));
        }
        if found != wanted {
            return Err(Error::argument("context", "it was made for contexts with other frequencies of positions"));
        }
        let tokens = input.bytes(4 * n)?;
        let tokens: Vec<u32> = tokens.as_chunks().0.iter().map(|token| u32::from_le_bytes(*token)).collect();
        self.check_tokens(&tokens)?;
        let mut context = self.context(n_max)?;
        let sizes = [2, self.config().n_kv_heads, n, self.config().head_dim];
        let mut caches = Vec::new();
        for _ in 0..self.config().n_layers {
            let bytes = input.bytes(dtype.size_bytes() * sizes.iter().product::<usize>())?;
            let device = self.device()?;
            caches.push(if dtype == DType::F16 {
                let halves = bytes.as_chunks().0.iter().map(|value| Half(u16::from_le_bytes(*value)));
                device.array(halves.collect::<Vec<_>>(), sizes)
            } else {
                let floats = bytes.as_chunks().0.iter().map(|value| f32::from_le_bytes(*value));
                device.array(floats.collect::<Vec<_>>(), sizes)
            });
        }
        let sum = input.sum.value();
        if input.number()? != sum {
            return Err(damaged("its checksum is wrong"));
        }
        context.fill(tokens, &caches);
        Ok(context)
    }
}

/// A file with the checksum of what went through.
struct Summed<'a, T: ?Sized> {
    inner: &'a mut T,
    sum: Checksum,
}

impl Summed<'_, dyn Write + '_> {
    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.sum.add(bytes);
        self.inner.write_all(bytes).map_err(|error| Error::new(ErrorKind::Io, "context", error.to_string()))
    }
}

impl Summed<'_, dyn Read + '_> {
    fn read(&mut self, out: &mut [u8]) -> Result<()> {
        self.inner.read_exact(out).map_err(|error| damaged(error.to_string()))?;
        self.sum.add(out);
        Ok(())
    }

    fn number(&mut self) -> Result<u64> {
        let mut bytes = [0; 8];
        self.read(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    /// So many bytes; memory is taken as they come, whatever a damaged file promises.
    fn bytes(&mut self, n: usize) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        Read::take(&mut *self.inner, n as u64).read_to_end(&mut bytes).map_err(|error| damaged(error.to_string()))?;
        if bytes.len() != n {
            return Err(damaged("it ends too early"));
        }
        self.sum.add(&bytes);
        Ok(bytes)
    }
}

fn damaged(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Io, "context", message)
}
