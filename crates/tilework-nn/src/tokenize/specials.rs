//! Tokens that stand in a text by their name.

use std::collections::HashMap;

use tilework::Result;

use super::tokenizer::Specials;
use super::vocabulary::{Kind, Vocabulary};
use crate::gguf::Metadata;
use tilework::layers::core::order;

/// Special tokens, the longest first.
#[derive(Debug)]
pub(super) struct SpecialTokens {
    tokens: Vec<Special>,
    /// Their places by name.
    by_name: HashMap<String, usize>,
    /// Which bytes some of them begin with, and how long they are.
    is_first: [bool; 256],
    lengths: Vec<usize>,
}

#[derive(Debug)]
struct Special {
    name: String,
    id: u32,
    kind: Kind,
    /// Whether white space after it belongs to it.
    takes_space: bool,
}

/// A text or a special token in it.
#[derive(Clone, Copy)]
pub(super) enum Fragment<'a> {
    Text(&'a str),
    Token(u32),
}

impl SpecialTokens {
    pub(super) fn new(metadata: &Metadata, vocabulary: &Vocabulary) -> Result<SpecialTokens> {
        // Files do not say this of tokens; llama.cpp knows it by the name of the model.
        let model = metadata.string("general.name")?.unwrap_or_default().to_lowercase();
        let is_phi3 = model.contains("phi-3") || model.contains("phi3");
        let mut tokens: Vec<Special> = Vec::new();
        for (id, (name, &kind)) in (0..).zip(vocabulary.texts.iter().zip(&vocabulary.kinds)) {
            if matches!(kind, Kind::Control | Kind::UserDefined | Kind::Unknown) && !name.is_empty() {
                let takes_space = is_phi3 && !["<unk>", "<s>", "<|endoftext|>"].contains(&name);
                tokens.push(Special { name: name.to_owned(), id, kind, takes_space });
            }
        }
        order::sort_by_key(&mut tokens, |token| std::cmp::Reverse(token.name.len()));
        let mut is_first = [false; 256];
        tokens.iter().for_each(|token| is_first[usize::from(token.name.as_bytes()[0])] = true);
        let mut lengths: Vec<usize> = tokens.iter().map(|token| token.name.len()).collect();
        lengths.dedup();
        let by_name = tokens.iter().enumerate().map(|(index, token)| (token.name.clone(), index)).collect();
        Ok(SpecialTokens { tokens, by_name, is_first, lengths })
    }

    /// Cuts `text` at special tokens, longer ones first. User-defined ones are always found.
    pub(super) fn cut<'a>(&self, text: &'a str, specials: Specials) -> Vec<Fragment<'a>> {
        let mut fragments = if text.is_empty() { Vec::new() } else { vec![Fragment::Text(text)] };
        for index in self.occurring(text) {
            let special = &self.tokens[index];
            if specials == Specials::AsText && special.kind != Kind::UserDefined {
                continue;
            }
            fragments = fragments.into_iter().flat_map(|fragment| cut_at(fragment, special)).collect();
        }
        fragments
    }

    /// Which of them the text contains, by their place; one pass over a text instead of one for each token.
    fn occurring(&self, text: &str) -> Vec<usize> {
        let mut is_there = vec![false; self.tokens.len()];
        let starts = text.char_indices().map(|c| c.0).filter(|&at| self.is_first[usize::from(text.as_bytes()[at])]);
        for start in starts {
            let names = self.lengths.iter().filter_map(|n_bytes| text.get(start..start + n_bytes));
            names.filter_map(|name| self.by_name.get(name)).for_each(|&index| is_there[index] = true);
        }
        (0..is_there.len()).filter(|&index| is_there[index]).collect()
    }
}

fn cut_at<'a>(fragment: Fragment<'a>, special: &Special) -> Vec<Fragment<'a>> {
    let Fragment::Text(text) = fragment else { return vec![fragment] };
    let mut fragments = Vec::new();
    for (index, part) in text.split(special.name.as_str()).enumerate() {
        if index > 0 {
            fragments.push(Fragment::Token(special.id));
        }
        let takes_space = special.takes_space && index > 0;
        let is_space = |c: char| c.is_ascii_whitespace() || c == '\u{b}';
        let part = if takes_space { part.trim_start_matches(is_space) } else { part };
        if !part.is_empty() {
            fragments.push(Fragment::Text(part));
        }
    }
    fragments
}
