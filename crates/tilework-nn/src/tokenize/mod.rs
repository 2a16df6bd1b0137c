//! From text to numbers: tokenizers, and batches of what they give.
//!
//! A tokenizer must split text exactly as it was split when the model was trained; one wrong rule for one script and the model reads
//! something else. [`WordPiece`] is therefore held against the library that trained it, on every code point and on thousands of
//! strings (testdata/embeddings). [`Tokenizer`] is that of a language model, from the metadata of its GGUF file, and is held against
//! llama.cpp's reference vectors.

mod bpe;
mod characters;
#[cfg(feature = "encoders")]
mod charsmap;
pub(crate) mod classes;
mod generated;
mod merge;
mod normalize;
mod sentencepiece;
mod settings;
mod specials;
mod split;
mod stream;
mod texts;
mod tokenizer;
#[cfg(feature = "encoders")]
mod unigram;
mod vocabulary;
mod wordpiece;

pub use stream::TextStream;
pub use tokenizer::{AddBegin, EncodeOptions, Specials, Tokenizer};
pub use wordpiece::WordPiece;

/// Token numbers of several texts, in rows of one length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenBatch {
    /// `[n_rows, n_columns]`; a row that is shorter than the longest ends in padding.
    pub ids: Vec<i32>,
    /// How many tokens of each row are no padding.
    pub lengths: Vec<usize>,
    /// Tokens of a row, with padding.
    pub n_columns: usize,
}

impl TokenBatch {
    /// Rows filled up with `pad_id` to the length of the longest.
    pub fn new(rows: &[&[u32]], pad_id: u32) -> TokenBatch {
        let n_columns = rows.iter().map(|row| row.len()).max().unwrap_or(0);
        let padded = rows.iter().flat_map(|row| {
            let padding = std::iter::repeat_n(pad_id, n_columns - row.len());
            row.iter().copied().chain(padding)
        });
        TokenBatch {
            ids: padded.map(u32::cast_signed).collect(),
            lengths: rows.iter().map(|row| row.len()).collect(),
            n_columns,
        }
    }

    /// 1 at tokens, 0 at padding: `[n_rows, n_columns]`.
    pub fn attention_mask(&self) -> Vec<f32> {
        let rows = self.lengths.iter();
        rows.flat_map(|&n| (0..self.n_columns).map(move |column| if column < n { 1.0 } else { 0.0 })).collect()
    }

    /// Whether all rows have one length.
    pub fn is_even(&self) -> bool {
        self.lengths.iter().all(|&n| n == self.n_columns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_padded_to_the_longest() {
        let batch = TokenBatch::new(&[&[5, 6], &[7], &[]], 9);
        assert_eq!(batch.ids, [5, 6, 7, 9, 9, 9]);
        assert_eq!(batch.attention_mask(), [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
        assert!(!batch.is_even() && TokenBatch::new(&[&[1], &[2]], 0).is_even());
        assert_eq!(TokenBatch::new(&[], 0).n_columns, 0);
    }
}
