//! Text as it comes, token by token.

use super::tokenizer::Tokenizer;

/// Turns tokens into text of whole characters: what is half a character waits for the rest.
#[derive(Clone, Debug)]
pub struct TextStream<'a> {
    tokenizer: &'a Tokenizer,
    waiting: Vec<u8>,
}

impl<'a> TextStream<'a> {
    pub(super) fn new(tokenizer: &'a Tokenizer) -> TextStream<'a> {
        TextStream { tokenizer, waiting: Vec::new() }
    }

    /// The text that `token` completes; empty while a character is not whole. Bytes that are no UTF-8 become `U+FFFD`.
    pub fn push(&mut self, token: u32) -> String {
        self.waiting.extend_from_slice(self.tokenizer.token_bytes(token));
        let n_whole = whole(&self.waiting);
        let text = String::from_utf8_lossy(&self.waiting[..n_whole]).into_owned();
        self.waiting.drain(..n_whole);
        text
    }

    /// What still waits, when no more tokens come.
    pub fn finish(self) -> String {
        String::from_utf8_lossy(&self.waiting).into_owned()
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
