//! Kernel files as constants.
//!
//! Natively a kernel keeps its comments: whoever prints it wants its contract. In a browser every visitor would download them,
//! so there they are cut out while compiling, and what is indented by four spaces is indented by a tab.

/// The text of a `.wgsl` file beside the caller, in WASM as short as it can be without being hard to read.
#[macro_export]
macro_rules! wgsl {
    ($file:expr) => {{
        const FULL: &str = include_str!($file);
        #[cfg(not(target_arch = "wasm32"))]
        const TEXT: &str = FULL;
        #[cfg(target_arch = "wasm32")]
        const TEXT: &str = {
            const BYTES: [u8; $crate::emit::len_shortened(FULL)] = $crate::emit::shortened(FULL);
            match core::str::from_utf8(&BYTES) {
                Ok(text) => text,
                Err(_) => FULL,
            }
        };
        TEXT
    }};
}

/// A line of a text.
struct Line {
    /// Spaces at its beginning.
    n_spaces: usize,
    /// The byte after it.
    end: usize,
    is_comment: bool,
}

const fn line(bytes: &[u8], start: usize) -> Line {
    let mut first = start;
    while first < bytes.len() && bytes[first] == b' ' {
        first += 1;
    }
    let is_comment = first + 1 < bytes.len() && bytes[first] == b'/' && bytes[first + 1] == b'/';
    let mut end = first;
    while end < bytes.len() && bytes[end] != b'\n' {
        end += 1;
    }
    Line { n_spaces: first - start, end: if end < bytes.len() { end + 1 } else { end }, is_comment }
}

/// Spaces that a tab stands for.
const TAB: usize = 4;

/// Length of what [`shortened`] makes of `text`.
pub const fn len_shortened(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut len) = (0, 0);
    while at < bytes.len() {
        let Line { n_spaces, end, is_comment } = line(bytes, at);
        if !is_comment {
            len += end - at - n_spaces / TAB * (TAB - 1);
        }
        at = end;
    }
    len
}

/// `text` without the lines that are only comments, indented by tabs; `N` is [`len_shortened`].
pub const fn shortened<const N: usize>(text: &str) -> [u8; N] {
    let bytes = text.as_bytes();
    let mut kept = [b'\t'; N];
    let (mut at, mut len) = (0, 0);
    while at < bytes.len() {
        let Line { n_spaces, end, is_comment } = line(bytes, at);
        if !is_comment {
            // The tabs are there already.
            len += n_spaces / TAB;
            at += n_spaces / TAB * TAB;
        }
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
        const TEXT: &str = "// head\nfn f() {\n    // why\n    let x = 1u; // kept\n          + y;\n}\n//";
        const N: usize = len_shortened(TEXT);
        assert_eq!(&shortened::<N>(TEXT), b"fn f() {\n\tlet x = 1u; // kept\n\t\t  + y;\n}\n");
    }
}
