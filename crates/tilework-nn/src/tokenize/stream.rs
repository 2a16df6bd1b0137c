//! Text as it comes, token by token.

/// Turns the bytes of tokens into text of whole characters: what is half a character waits for the rest.
#[derive(Clone, Debug, Default)]
pub struct TextStream {
    waiting: Vec<u8>,
}

impl TextStream {
    /// The text that the bytes of a token complete; empty while a character is not whole. What is no UTF-8 becomes `U+FFFD`.
    pub fn push(&mut self, bytes: &[u8]) -> String {
        self.waiting.extend_from_slice(bytes);
        let n_whole = whole(&self.waiting);
        let text = String::from_utf8_lossy(&self.waiting[..n_whole]).into_owned();
        self.waiting.drain(..n_whole);
        text
    }

    /// What still waits, when no more tokens come.
    pub fn finish(&mut self) -> String {
        String::from_utf8_lossy(&std::mem::take(&mut self.waiting)).into_owned()
    }
}

/// Bytes before a character that more bytes could complete.
fn whole(bytes: &[u8]) -> usize {
    let mut start = 0;
    loop {
        match std::str::from_utf8(&bytes[start..]) {
            Ok(_) => return bytes.len(),
            Err(error) => match error.error_len() {
                Some(n_bad) => start += error.valid_up_to() + n_bad,
                None => return start + error.valid_up_to(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::whole;

    #[test]
    fn only_an_unfinished_character_waits() {
        assert_eq!(whole("aé".as_bytes()), 3);
        assert_eq!(whole(&"aé".as_bytes()[..2]), 1);
        assert_eq!(whole(&[b'a', 0xff, b'b', 0xf0, 0x9f, 0x98]), 3);
        assert_eq!(whole(&[0xf0, b'b']), 2);
        assert_eq!(whole(&[]), 0);
    }
}
