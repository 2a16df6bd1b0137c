//! PNG chunks: length, type, content, checksum.

use tilework::Result;

use super::checksum::Crc32;
use super::damaged;
use crate::gguf::Source;

/// First bytes of every PNG file.
pub(super) const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";
pub(super) const IHDR: [u8; 4] = *b"IHDR";
pub(super) const IDAT: [u8; 4] = *b"IDAT";
pub(super) const IEND: [u8; 4] = *b"IEND";
pub(super) const PLTE: [u8; 4] = *b"PLTE";
pub(super) const TRNS: [u8; 4] = *b"tRNS";
pub(super) const TEXT: [u8; 4] = *b"tEXt";
/// The index. Ancillary, private, not to be copied by programs that change pixels.
pub(super) const INDEX: [u8; 4] = *b"twIX";
/// A compressed piece of a file that is no tensor.
pub(super) const BLOB: [u8; 4] = *b"twBL";
/// The whole last chunk.
pub(super) const END: [u8; 12] = [0, 0, 0, 0, b'I', b'E', b'N', b'D', 0xae, 0x42, 0x60, 0x82];
/// Bytes of a chunk besides its content.
pub(super) const AROUND_BYTES: u64 = 12;

/// Starts a chunk whose content is appended next.
pub(super) fn begin(out: &mut Vec<u8>, kind: [u8; 4]) {
    out.extend([0; 4]);
    out.extend(kind);
}

/// Ends the chunk that began at `start`.
pub(super) fn end(out: &mut Vec<u8>, start: usize) {
    let length = (out.len() - start - 8) as u32;
    out[start..start + 4].copy_from_slice(&length.to_be_bytes());
    let mut crc = Crc32::new();
    crc.add(&out[start + 4..]);
    out.extend(crc.value().to_be_bytes());
}

/// A whole chunk.
pub(super) fn append(out: &mut Vec<u8>, kind: [u8; 4], content: &[u8]) {
    let start = out.len();
    begin(out, kind);
    out.extend_from_slice(content);
    end(out, start);
}

/// Where a chunk is in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chunk {
    pub(super) kind: [u8; 4],
    /// First byte, that of its length.
    pub(super) at: u64,
    /// Bytes of its content.
    pub(super) n_bytes: u64,
}

impl Chunk {
    /// First byte of the content.
    pub(super) fn content(&self) -> u64 {
        self.at + 8
    }

    /// Where the next chunk begins.
    pub(super) fn end(&self) -> u64 {
        self.at + AROUND_BYTES + self.n_bytes
    }

    /// The content, if it is no longer than `limit_bytes`, with its checksum checked.
    pub(super) fn read(&self, source: &dyn Source, limit_bytes: u64) -> Result<Vec<u8>> {
        let name = self.name();
        if self.n_bytes > limit_bytes {
            return Err(damaged(format!("its chunk {name} has {} bytes; {limit_bytes} are allowed", self.n_bytes)));
        }
        let too_large = |_| damaged(format!("its chunk {name} has {} bytes, more than there is memory", self.n_bytes));
        let n = usize::try_from(self.n_bytes).map_err(too_large)?;
        let mut bytes = vec![0; n + 4];
        source.read_at(self.content(), &mut bytes)?;
        let (content, told) = bytes.split_at(n);
        let mut crc = Crc32::new();
        crc.add(&self.kind);
        crc.add(content);
        if told != crc.value().to_be_bytes() {
            return Err(damaged(format!("its chunk {name} is damaged: the checksum is wrong")));
        }
        bytes.truncate(n);
        Ok(bytes)
    }

    fn name(&self) -> String {
        String::from_utf8_lossy(&self.kind).into_owned()
    }
}

/// The chunk that begins at byte `at`. Fails if the file ends before it does.
pub(super) fn at(source: &dyn Source, at: u64) -> Result<Chunk> {
    let len = source.len();
    let cut_off = |missing: &str| damaged(format!("it is cut off: the file ends at byte {len}, {missing}"));
    let mut head = [0; 8];
    if at.checked_add(AROUND_BYTES).is_none_or(|end| end > len) {
        return Err(cut_off("where another chunk should begin"));
    }
    source.read_at(at, &mut head)?;
    let (length, kind) = head.split_at(4);
    let n_bytes = u64::from(u32::from_be_bytes(length.try_into().unwrap_or_default()));
    let kind: [u8; 4] = kind.try_into().unwrap_or_default();
    let chunk = Chunk { kind, at, n_bytes };
    if !kind.iter().all(u8::is_ascii_alphabetic) || n_bytes > i32::MAX as u64 {
        return Err(damaged(format!("there is no chunk at byte {at}: the file is damaged there")));
    }
    if chunk.end() > len {
        return Err(cut_off(&format!("inside a chunk {} that goes on to byte {}", chunk.name(), chunk.end())));
    }
    Ok(chunk)
}
