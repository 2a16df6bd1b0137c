//! Kernel files as constants.
//!
//! Natively a kernel keeps its comments: whoever prints it wants its contract. In a browser every visitor would download them,
//! so there they are cut out while compiling.

/// The text of a `.wgsl` file beside the caller, in WASM without lines that are only comments.
#[macro_export]
macro_rules! wgsl {
    ($file:expr) => {{
        const FULL: &str = include_str!($file);
        #[cfg(not(target_arch = "wasm32"))]
        const TEXT: &str = FULL;
        #[cfg(target_arch = "wasm32")]
        const TEXT: &str = {
            const BYTES: [u8; $crate::emit::len_without_comments(FULL)] = $crate::emit::without_comments(FULL);
            match core::str::from_utf8(&BYTES) {
                Ok(text) => text,
                Err(_) => FULL,
            }
        };
        TEXT
    }};
}

/// Where the line that begins at `start` ends, and whether there is only a comment on it.
const fn line(bytes: &[u8], start: usize) -> (usize, bool) {
    let mut first = start;
    while first < bytes.len() && bytes[first] == b' ' {
        first += 1;
    }
    let is_comment = first + 1 < bytes.len() && bytes[first] == b'/' && bytes[first + 1] == b'/';
    let mut end = first;
    while end < bytes.len() && bytes[end] != b'\n' {
        end += 1;
    }
    (if end < bytes.len() { end + 1 } else { end }, is_comment)
}

/// Length of `text` without the lines that are only comments.
pub const fn len_without_comments(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut len) = (0, 0);
    while at < bytes.len() {
        let (end, is_comment) = line(bytes, at);
        if !is_comment {
            len += end - at;
        }
        at = end;
    }
    len
}

/// `text` without the lines that are only comments; `N` is [`len_without_comments`].
pub const fn without_comments<const N: usize>(text: &str) -> [u8; N] {
    let bytes = text.as_bytes();
    let mut kept = [0; N];
    let (mut at, mut len) = (0, 0);
    while at < bytes.len() {
        let (end, is_comment) = line(bytes, at);
        while !is_comment && at < end {
            kept[len] = bytes[at];
            len += 1;
            at += 1;
        }
        at = end;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comment_lines_go_and_code_stays() {
        const TEXT: &str = "// head\nfn f() {\n    // why\n    let x = 1u; // kept\n}\n//";
        const N: usize = len_without_comments(TEXT);
        assert_eq!(&without_comments::<N>(TEXT), b"fn f() {\n    let x = 1u; // kept\n}\n");
    }
}
