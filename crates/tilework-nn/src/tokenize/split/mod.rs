//! Cutting text into words before pairs are merged.
//!
//! Merging never crosses a word, so where words end decides the tokens as much as the vocabulary does. Each family of models has its
//! own patterns, which files name in `tokenizer.ggml.pre`; the names and their patterns are those of llama.cpp (llama-vocab.cpp).
//! Patterns are regular expressions; here each is a short function that returns how much of the text it matches. Several are applied
//! one after the other, each to the pieces of the one before; what a pattern does not match stays, as pieces between its matches.

mod rules;

use super::classes::Item;

/// How much a pattern matches at the beginning of what is left of a piece, in characters; 0 is no match.
type Rule = fn(&[Item]) -> usize;

/// How a family of models cuts text.
#[derive(Clone, Copy)]
pub(super) struct Split {
    rules: &'static [Rule],
    /// A word that is in the vocabulary as it is is not put together from pairs.
    pub(super) takes_whole_words: bool,
    /// Texts begin with the token for that unless the file says otherwise.
    pub(super) adds_begin: bool,
}

/// Patterns by name.
const TABLE: &[(&[&str], Split)] = &[
    (&["default"], plain(&[rules::marks, rules::gpt2, rules::numbers, rules::three_digits])),
    (
        &[
            "gpt-2",
            "phi-2",
            "jina-es",
            "jina-de",
            "gigachat",
            "jina-v2-es",
            "jina-v2-de",
            "a.x-4.0",
            "mellum",
            "modern-bert",
            "jina-v1-en",
            "jina-v2-code",
            "roberta-bpe",
            "exaone4",
            "mpt",
            "olmo",
            "jais",
            "trillion",
            "granite-docling",
        ],
        plain(&[rules::gpt2]),
    ),
    (
        &["starcoder", "refact", "command-r", "smollm", "codeshell", "exaone", "minerva-7b", "mellum2"],
        plain(&[rules::number, rules::gpt2]),
    ),
    (&["falcon"], plain(&[rules::marks_and_backtick, rules::gpt2, rules::three_digits])),
    (
        &["llama3", "llama-v3", "llama-bpe", "falcon3", "falcon-h1", "pixtral", "midm-2.0", "lfm2", "jina-v5-nano"],
        Split { takes_whole_words: true, adds_begin: true, ..plain(&[rules::llama3]) },
    ),
    (&["dbrx", "smaug-bpe", "glm4", "chatglm-bpe"], plain(&[rules::llama3])),
    (
        &["qwen2", "deepseek-r1-qwen", "kormo", "f2llmv2", "megrez", "stablelm2", "hunyuan", "solar-open", "grok-2"],
        plain(&[rules::qwen2]),
    ),
    (&["qwen35"], plain(&[rules::qwen35])),
    (&["gpt-4o", "llama4", "kanana2", "talkie", "minimax-m2"], plain(&[rules::gpt4o])),
    (&["tekken"], Split { takes_whole_words: true, adds_begin: true, ..plain(&[rules::tekken]) }),
    (
        &["deepseek-llm"],
        plain(&[
            rules::line_end,
            rules::cased_word,
            rules::wide_marks,
            rules::last_spaces,
            rules::east_asian,
            rules::numbers,
        ]),
    ),
    (
        &["deepseek-coder"],
        plain(&[rules::line_end, rules::spaced_letters, rules::spaced_punctuation, rules::east_asian, rules::number]),
    ),
    (
        &["deepseek-v3", "hunyuan-dense", "joyai-llm"],
        plain(&[rules::up_to_three_numbers, rules::chinese_or_kana, rules::deepseek3]),
    ),
    (&["poro-chat", "bloom", "gpt3-finnish"], plain(&[rules::bloom])),
    (&["viking"], plain(&[rules::bloom, rules::number])),
    (&["seed-coder"], plain(&[rules::seed_coder])),
];

const fn plain(rules: &'static [Rule]) -> Split {
    Split { rules, takes_whole_words: false, adds_begin: false }
}

impl Split {
    /// The patterns of this name.
    pub(super) fn find(name: &str) -> Option<Split> {
        TABLE.iter().find(|row| row.0.contains(&name)).map(|row| row.1)
    }

    /// Calls `word` with each piece of `text`, in order.
    pub(super) fn words(self, text: &str, mut word: impl FnMut(&str)) {
        let items: Vec<Item> = text.chars().map(Item::new).collect();
        let mut pieces = vec![items.as_slice()];
        for &rule in self.rules {
            pieces = pieces.into_iter().flat_map(|piece| cut(piece, rule)).collect();
        }
        let mut rest = text;
        for piece in pieces {
            let n_bytes = piece.iter().map(|item| item.c.len_utf8()).sum();
            let (first, after) = rest.split_at_checked(n_bytes).unwrap_or((rest, ""));
            word(first);
            rest = after;
        }
    }
}

/// The matches of `rule` in `piece`, and what is between them.
fn cut(piece: &[Item], rule: Rule) -> Vec<&[Item]> {
    let mut pieces = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at < piece.len() {
        let n = rule(&piece[at..]);
        if n == 0 {
            at += 1;
            continue;
        }
        if start < at {
            pieces.push(&piece[start..at]);
        }
        pieces.push(&piece[at..at + n]);
        at += n;
        start = at;
    }
    if start < at {
        pieces.push(&piece[start..at]);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(name: &str, text: &str) -> Vec<String> {
        let mut words = Vec::new();
        Split::find(name).expect("a known name").words(text, |word| words.push(word.to_owned()));
        assert_eq!(words.concat(), text);
        words
    }

    #[test]
    fn patterns_cut_as_their_expressions_do() {
        assert_eq!(words("gpt-2", "I'll say   1234 x\n\n y"), ["I", "'ll", " say", "  ", " 1234", " x", "\n\n", " y"]);
        assert_eq!(words("smollm", "a 12 b"), ["a", " ", "1", "2", " b"]);
        assert_eq!(
            words("llama-bpe", "I'LL (say) 12345\n\n  \n y!\n\nz"),
            ["I", "'LL", " (", "say", ")", " ", "123", "45", "\n\n  \n", " y", "!\n\n", "z",]
        );
        assert_eq!(words("qwen2", "x12\t\ty"), ["x", "1", "2", "\t", "\ty"]);
        assert_eq!(words("gpt-4o", "HelloWorld'S ABCdef 1234"), ["Hello", "World'S", " ABCdef", " ", "123", "4"]);
        assert_eq!(words("falcon", "a+=b 12345"), ["a", "+=", "b", " ", "123", "45"]);
    }
}
