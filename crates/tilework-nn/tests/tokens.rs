//! WordPiece against the library `tokenizers` (testdata/embeddings/make_tokens.py).

mod common;

use common::{archive, model_folder, read};
use serde_json::Value;
use tilework_nn::tokenize::WordPiece;

/// What sentence-transformers reads of a text with this model.
const MAX_TOKENS: usize = 256;

/// The tokenizer by its two files.
fn tokenizers() -> Option<[WordPiece; 2]> {
    let folder = model_folder()?;
    let json = WordPiece::from_json(&read(&folder, "tokenizer.json")).unwrap();
    let vocabulary = WordPiece::from_vocabulary(&read(&folder, "vocab.txt")).unwrap();
    Some([json, vocabulary].map(|tokenizer| tokenizer.with_max_tokens(MAX_TOKENS).unwrap()))
}

#[test]
fn chosen_texts_have_the_library_s_tokens() {
    let Some(tokenizers) = tokenizers() else { return };
    let cases: Value = serde_json::from_str(include_str!("../../../testdata/embeddings/tokens.json")).unwrap();
    let cases = cases.as_array().unwrap();
    assert!(cases.len() >= 75);
    for case in cases {
        let text = case["text"].as_str().unwrap();
        let want: Vec<u32> = case["ids"].as_array().unwrap().iter().map(|id| id.as_u64().unwrap() as u32).collect();
        for tokenizer in &tokenizers {
            assert_eq!(tokenizer.encode(text), want, "{text:?}");
        }
    }
}

#[test]
fn random_texts_have_the_library_s_tokens() {
    let Some([tokenizer, _]) = tokenizers() else { return };
    pollster::block_on(async {
        let file = archive(include_bytes!("../../../testdata/embeddings/tokens.npz"));
        let utf8: Vec<u32> = file("utf8").to_vec().await.unwrap();
        let utf8: Vec<u8> = utf8.into_iter().map(|byte| byte as u8).collect();
        let n_bytes: Vec<i32> = file("n_bytes").to_vec().await.unwrap();
        let ids: Vec<i32> = file("ids").to_vec().await.unwrap();
        let n_ids: Vec<i32> = file("n_ids").to_vec().await.unwrap();
        assert!(n_bytes.len() >= 2000);
        let (mut utf8, mut ids) = (utf8.as_slice(), ids.as_slice());
        for (&n_bytes, &n_ids) in n_bytes.iter().zip(&n_ids) {
            let (text, want);
            (text, utf8) = utf8.split_at(n_bytes as usize);
            (want, ids) = ids.split_at(n_ids as usize);
            let text = std::str::from_utf8(text).unwrap();
            let got: Vec<i32> = tokenizer.encode(text).into_iter().map(u32::cast_signed).collect();
            assert_eq!(got, want, "{text:?}");
        }
    });
}
