//! Reading numbers and strings from bytes that may end anywhere.

use tilework::Error;

use super::{MAX_HEAD_BYTES, damaged};

/// Why reading stopped.
#[derive(Debug)]
pub(super) enum Stop {
    /// The bytes end before the head does.
    Short(Short),
    /// The head is wrong.
    Bad(Error),
}

/// What could not be read yet.
#[derive(Debug)]
pub(super) struct Short {
    /// Bytes from the start of the file that would be enough for it.
    pub(super) need_bytes: u64,
    /// Where it starts.
    at: u64,
    /// What it is.
    what: String,
}

impl Short {
    /// The error if there are no more bytes.
    pub(super) fn error(&self) -> Error {
        let Short { need_bytes, at, what } = self;
        damaged(format!(
            "the file ends before {what} at byte {at}, which needs {need_bytes} bytes; it is probably not complete"
        ))
    }
}

/// A place in the bytes.
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    /// What is being read, for messages.
    what: String,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Cursor<'a> {
        Cursor { bytes, at: 0, what: "the head".to_owned() }
    }

    /// The byte read next.
    pub(super) fn at(&self) -> u64 {
        self.at as u64
    }

    /// Says what is read from here on.
    pub(super) fn reading(&mut self, what: impl Into<String>) {
        self.what = what.into();
    }

    /// An error in what is being read.
    pub(super) fn bad(&self, message: impl AsRef<str>) -> Stop {
        Stop::Bad(damaged(format!("{} at byte {}: {}", self.what, self.at, message.as_ref())))
    }

    /// Checks that `n` things of at least `size_bytes` each could still come, before anything is made for them.
    pub(super) fn expect(&self, n: u64, size_bytes: u64) -> Result<(), Stop> {
        let need = n.checked_mul(size_bytes).and_then(|bytes| bytes.checked_add(self.at as u64));
        match need {
            Some(need) if need <= self.bytes.len() as u64 => Ok(()),
            Some(need_bytes) if need_bytes <= MAX_HEAD_BYTES => {
                Err(Stop::Short(Short { need_bytes, at: self.at as u64, what: self.what.clone() }))
            }
            _ => Err(self.bad(format!("{n} of at least {size_bytes} bytes are more than a head may have"))),
        }
    }

    /// The next `n` bytes.
    pub(super) fn take(&mut self, n: u64) -> Result<&'a [u8], Stop> {
        self.expect(n, 1)?;
        // `expect` found that many after `at`, so both conversions and the sum are in range.
        let end = self.at + n as usize;
        let bytes = &self.bytes[self.at..end];
        self.at = end;
        Ok(bytes)
    }

    /// The next `N` bytes.
    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], Stop> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N as u64)?);
        Ok(array)
    }

    pub(super) fn u32(&mut self) -> Result<u32, Stop> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Result<u64, Stop> {
        self.array().map(u64::from_le_bytes)
    }

    /// A length and so many bytes of UTF-8.
    pub(super) fn string(&mut self, max_bytes: u64) -> Result<String, Stop> {
        let n_bytes = self.u64()?;
        if n_bytes > max_bytes {
            return Err(self.bad(format!("a text of {n_bytes} bytes; at most {max_bytes} are allowed")));
        }
        let bytes = self.take(n_bytes)?;
        let text = std::str::from_utf8(bytes).map_err(|error| self.bad(format!("is not UTF-8: {error}")))?;
        Ok(text.to_owned())
    }
}
