//! Tokens that stand in a text by their name.

use std::collections::HashMap;

use super::tokenizer::Specials;
use super::vocabulary::{Kind, Vocabulary};

/// Special tokens, the longest first.
#[derive(Debug)]
pub(super) struct SpecialTokens {
    tokens: Vec<(String, u32, Kind)>,
    /// Their places by name.
    by_name: HashMap<String, usize>,
    /// Which bytes some of them begin with, and how long they are.
    is_first: [bool; 256],
    lengths: Vec<usize>,
}

/// A text or a special token in it.
#[derive(Clone, Copy)]
pub(super) enum Fragment<'a> {
    Text(&'a str),
    Token(u32),
}

impl SpecialTokens {
    pub(super) fn new(vocabulary: &Vocabulary) -> SpecialTokens {
        let is_special = |kind: Kind| matches!(kind, Kind::Control | Kind::UserDefined | Kind::Unknown);
        let all = (0..).zip(vocabulary.texts.iter().zip(&vocabulary.kinds));
        let mut tokens: Vec<(String, u32, Kind)> = all
            .filter(|(_, (text, kind))| is_special(**kind) && !text.is_empty())
            .map(|(id, (text, kind))| (text.clone(), id, *kind))
            .collect();
        tokens.sort_by_key(|token| std::cmp::Reverse(token.0.len()));
        let mut is_first = [false; 256];
        tokens.iter().for_each(|token| is_first[usize::from(token.0.as_bytes()[0])] = true);
        let mut lengths: Vec<usize> = tokens.iter().map(|token| token.0.len()).collect();
        lengths.dedup();
        let by_name = tokens.iter().enumerate().map(|(index, token)| (token.0.clone(), index)).collect();
        SpecialTokens { tokens, by_name, is_first, lengths }
    }

    /// Cuts `text` at special tokens, longer ones first. User-defined ones are always found.
    pub(super) fn cut<'a>(&self, text: &'a str, specials: Specials) -> Vec<Fragment<'a>> {
        let mut fragments = if text.is_empty() { Vec::new() } else { vec![Fragment::Text(text)] };
        for index in self.occurring(text) {
            let (name, id, kind) = &self.tokens[index];
            if specials == Specials::AsText && *kind != Kind::UserDefined {
                continue;
            }
            fragments = fragments.into_iter().flat_map(|fragment| cut_at(fragment, name, *id)).collect();
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

fn cut_at<'a>(fragment: Fragment<'a>, name: &str, id: u32) -> Vec<Fragment<'a>> {
    let Fragment::Text(text) = fragment else { return vec![fragment] };
    let mut fragments = Vec::new();
    for (index, part) in text.split(name).enumerate() {
        if index > 0 {
            fragments.push(Fragment::Token(id));
        }
        if !part.is_empty() {
            fragments.push(Fragment::Text(part));
        }
    }
    fragments
}
