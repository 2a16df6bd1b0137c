//! The patterns: one function each, with the regular expression it stands for.

use crate::tokenize::classes::{Class, Item};

/// How many items at the start are so.
fn run(text: &[Item], is_so: impl Fn(Item) -> bool) -> usize {
    text.iter().take_while(|&&item| is_so(item)).count()
}

/// A run of at least one, behind one item that may be there: `prefix?run+`.
fn prefixed(text: &[Item], is_prefix: impl Fn(Item) -> bool, is_so: impl Fn(Item) -> bool + Copy) -> usize {
    let n_after = match text {
        [first, rest @ ..] if is_prefix(*first) => run(rest, is_so),
        _ => 0,
    };
    if n_after > 0 { n_after + 1 } else { run(text, is_so) }
}

fn is_blank(item: Item) -> bool {
    item.c == ' '
}

/// `[^\s\p{L}\p{N}]`
fn is_mark(item: Item) -> bool {
    !item.is_space() && !item.is_letter() && !item.is_number()
}

/// `[^\r\n\p{L}\p{N}]`
fn may_lead(item: Item) -> bool {
    !item.is_line_end() && !item.is_letter() && !item.is_number()
}

/// The first match that is not empty.
fn first(matches: &[&dyn Fn() -> usize]) -> usize {
    matches.iter().map(|matched| matched()).find(|&n| n > 0).unwrap_or(0)
}

/// `'s|'t|'re|'ve|'m|'ll|'d`, in lower case or, if `same` says so, any.
fn contraction(text: &[Item], same: fn(char, char) -> bool) -> usize {
    let [apostrophe, rest @ ..] = text else { return 0 };
    if apostrophe.c != '\'' {
        return 0;
    }
    let endings = ["s", "t", "re", "ve", "m", "ll", "d"];
    let found = endings.iter().find(|ending| {
        rest.len() >= ending.len() && ending.chars().zip(rest).all(|(letter, item)| same(letter, item.c))
    });
    found.map_or(0, |ending| 1 + ending.len())
}

fn lower(letter: char, c: char) -> bool {
    letter == c
}

fn any_case(letter: char, c: char) -> bool {
    letter == c.to_ascii_lowercase()
}

/// `\s+(?!\S)|\s+`: spaces but for the one before a word.
fn spaces(text: &[Item]) -> usize {
    match run(text, Item::is_space) {
        n if n > 1 && n < text.len() => n - 1,
        n => n,
    }
}

/// `\s*[\r\n]+|\s+(?!\S)|\s+`
fn spaces_to_line_end(text: &[Item]) -> usize {
    let all = &text[..run(text, Item::is_space)];
    match all.iter().rposition(|item| item.is_line_end()) {
        Some(last) => last + 1,
        None => spaces(text),
    }
}

/// `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`
pub(super) fn gpt2(text: &[Item]) -> usize {
    first(&[
        &|| contraction(text, lower),
        &|| prefixed(text, is_blank, Item::is_letter),
        &|| prefixed(text, is_blank, Item::is_number),
        &|| prefixed(text, is_blank, is_mark),
        &|| spaces(text),
    ])
}

/// `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
pub(super) fn llama3(text: &[Item]) -> usize {
    llama3_with(text, 3)
}

/// As [`llama3`], with `\p{N}` alone.
pub(super) fn qwen2(text: &[Item]) -> usize {
    llama3_with(text, 1)
}

fn llama3_with(text: &[Item], max_numbers: usize) -> usize {
    first(&[
        &|| contraction(text, any_case),
        &|| prefixed(text, may_lead, Item::is_letter),
        &|| run(text, Item::is_number).min(max_numbers),
        &|| and_then(text, prefixed(text, is_blank, is_mark), Item::is_line_end),
        &|| spaces_to_line_end(text),
    ])
}

/// The `n` items of a match and those after it that are so.
fn and_then(text: &[Item], n: usize, is_so: fn(Item) -> bool) -> usize {
    if n == 0 { 0 } else { n + run(&text[n..], is_so) }
}

/// As [`qwen2`], with accents as parts of words.
pub(super) fn qwen35(text: &[Item]) -> usize {
    let in_word = |item: Item| item.is_letter() || item.class == Class::Mark;
    first(&[
        &|| contraction(text, any_case),
        &|| prefixed(text, may_lead, in_word),
        &|| number(text),
        &|| {
            and_then(
                text,
                prefixed(text, is_blank, |item| is_mark(item) && item.class != Class::Mark),
                Item::is_line_end,
            )
        },
        &|| spaces_to_line_end(text),
    ])
}

/// `(?i:'s|…)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}\r\n]+|\s*[\r\n]+|\s+(?!\S)|\s+`
pub(super) fn seed_coder(text: &[Item]) -> usize {
    first(&[
        &|| contraction(text, any_case),
        &|| prefixed(text, may_lead, Item::is_letter),
        &|| number(text),
        &|| prefixed(text, is_blank, is_mark),
        &|| spaces_to_line_end(text),
    ])
}

/// `A(?i:'s|…)?|B(?i:'s|…)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+` with A and B of [`cased`].
pub(super) fn gpt4o(text: &[Item]) -> usize {
    first(&[
        &|| match cased(text) {
            0 => 0,
            n => n + contraction(&text[n..], any_case),
        },
        &|| up_to_three_numbers(text),
        &|| marks_to_line_end(text),
        &|| spaces_to_line_end(text),
    ])
}

/// As [`gpt4o`], with `\p{N}` alone and without endings after an apostrophe.
pub(super) fn tekken(text: &[Item]) -> usize {
    first(&[&|| cased(text), &|| number(text), &|| marks_to_line_end(text), &|| spaces_to_line_end(text)])
}

/// ` ?[^\s\p{L}\p{N}]+[\r\n/]*`
fn marks_to_line_end(text: &[Item]) -> usize {
    and_then(text, prefixed(text, is_blank, is_mark), |item| item.is_line_end() || item.c == '/')
}

/// A: `[^\r\n\p{L}\p{N}]?U*W+`, B: `[^\r\n\p{L}\p{N}]?U+W*`, where U is upper case, W lower case, and both are letters without case
/// and accents. These are the models' own expressions; llama.cpp has simpler ones that know case only of ASCII.
fn cased(text: &[Item]) -> usize {
    let is_upper = |item: Item| matches!(item.class, Class::Upper | Class::Letter | Class::Mark);
    let is_lower = |item: Item| matches!(item.class, Class::Lower | Class::Letter | Class::Mark);
    let ends_low = |text: &[Item]| {
        let n_upper = run(text, is_upper);
        match run(&text[n_upper..], is_lower) {
            // Nothing follows: the last that is both counts as lower case.
            0 => text[..n_upper].iter().rposition(|&item| is_lower(item)).map_or(0, |last| last + 1),
            n_lower => n_upper + n_lower,
        }
    };
    let begins_high = |text: &[Item]| match run(text, is_upper) {
        0 => 0,
        n_upper => n_upper + run(&text[n_upper..], is_lower),
    };
    let led = |matched: &dyn Fn(&[Item]) -> usize| match text {
        [lead, rest @ ..] if may_lead(*lead) => match matched(rest) {
            0 => matched(text),
            n => n + 1,
        },
        _ => matched(text),
    };
    first(&[&|| led(&ends_low), &|| led(&begins_high)])
}

/// `\p{N}`
pub(super) fn number(text: &[Item]) -> usize {
    run(text, Item::is_number).min(1)
}

/// `\p{N}{1,3}`
pub(super) fn up_to_three_numbers(text: &[Item]) -> usize {
    run(text, Item::is_number).min(3)
}

/// `\p{N}+`
pub(super) fn numbers(text: &[Item]) -> usize {
    run(text, Item::is_number)
}

/// `[0-9][0-9][0-9]`
pub(super) fn three_digits(text: &[Item]) -> usize {
    if run(text, |item| item.c.is_ascii_digit()) >= 3 { 3 } else { 0 }
}

/// `[\p{P}\$\+<=>\^~\|]+`
pub(super) fn marks(text: &[Item]) -> usize {
    run(text, |item| item.class == Class::Punctuation || "$+<=>^~|".contains(item.c))
}

/// ``[\p{P}\$\+<=>\^~\|`]+``
pub(super) fn marks_and_backtick(text: &[Item]) -> usize {
    run(text, |item| item.class == Class::Punctuation || "$+<=>^~|`".contains(item.c))
}

/// `[\r\n]`
pub(super) fn line_end(text: &[Item]) -> usize {
    run(text, Item::is_line_end).min(1)
}

/// `\s?\p{L}+`
pub(super) fn spaced_letters(text: &[Item]) -> usize {
    prefixed(text, Item::is_space, Item::is_letter)
}

/// `\s?\p{P}+`
pub(super) fn spaced_punctuation(text: &[Item]) -> usize {
    prefixed(text, Item::is_space, |item| item.class == Class::Punctuation)
}

/// `\s+$`
pub(super) fn last_spaces(text: &[Item]) -> usize {
    let n = run(text, Item::is_space);
    if n == text.len() { n } else { 0 }
}

/// `[一-龥ࠀ-一가-퟿]+`
pub(super) fn east_asian(text: &[Item]) -> usize {
    run(text, |item| matches!(item.c, '\u{800}'..='\u{9fa5}' | '\u{ac00}'..='\u{d7ff}'))
}

/// `[一-龥぀-ゟ゠-ヿ]+`
pub(super) fn chinese_or_kana(text: &[Item]) -> usize {
    run(text, |item| matches!(item.c, '\u{4e00}'..='\u{9fa5}' | '\u{3040}'..='\u{30ff}'))
}

/// `\s?[!-/:-~！-／：-～‘-‟　-。]+`
pub(super) fn wide_marks(text: &[Item]) -> usize {
    prefixed(text, Item::is_space, |item| {
        matches!(item.c, '!'..='/' | ':'..='~' | '\u{ff01}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff5e}'
            | '\u{2018}'..='\u{201f}' | '\u{3000}'..='\u{3002}')
    })
}

/// ASCII mark and letters, or `[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
pub(super) fn deepseek3(text: &[Item]) -> usize {
    let is_sign = |item: Item| matches!(item.class, Class::Punctuation | Class::Symbol);
    first(&[
        &|| match text {
            [mark, rest @ ..] if mark.c.is_ascii_punctuation() => {
                match run(rest, |item| item.c.is_ascii_alphabetic()) {
                    0 => 0,
                    n => n + 1,
                }
            }
            _ => 0,
        },
        &|| {
            let may_lead = |item: Item| !item.is_line_end() && !item.is_letter() && !is_sign(item);
            prefixed(text, may_lead, |item| item.is_letter() || item.class == Class::Mark)
        },
        &|| and_then(text, prefixed(text, is_blank, is_sign), Item::is_line_end),
        &|| spaces_to_line_end(text),
    ])
}

/// ` ?[^(\s|.,!?…。，、।۔،)]+`
pub(super) fn bloom(text: &[Item]) -> usize {
    prefixed(text, is_blank, |item| !item.is_space() && !"(|.,!?…。，、।۔،)".contains(item.c))
}

/// `\s?[A-Za-zµÀ-Ö…]+`: letters of scripts that have case.
pub(super) fn cased_word(text: &[Item]) -> usize {
    prefixed(text, Item::is_space, |item| CASED.iter().any(|range| (range.0..=range.1).contains(&item.c)))
}

#[rustfmt::skip]
const CASED: &[(char, char)] = &[
    ('\u{41}', '\u{5a}'), ('\u{61}', '\u{7a}'), ('\u{b5}', '\u{b5}'), ('\u{c0}', '\u{d6}'), ('\u{d8}', '\u{f6}'),
    ('\u{f8}', '\u{1ba}'), ('\u{1bc}', '\u{1bf}'), ('\u{1c4}', '\u{293}'), ('\u{295}', '\u{2af}'),
    ('\u{370}', '\u{373}'), ('\u{376}', '\u{376}'), ('\u{377}', '\u{377}'), ('\u{37b}', '\u{37d}'),
    ('\u{37f}', '\u{37f}'), ('\u{386}', '\u{386}'), ('\u{388}', '\u{38a}'), ('\u{38c}', '\u{38c}'),
    ('\u{38e}', '\u{3a1}'), ('\u{3a3}', '\u{3f5}'), ('\u{3f7}', '\u{481}'), ('\u{48a}', '\u{52f}'),
    ('\u{531}', '\u{556}'), ('\u{10a0}', '\u{10c5}'), ('\u{13a0}', '\u{13f5}'), ('\u{13f8}', '\u{13fd}'),
    ('\u{1c90}', '\u{1cba}'), ('\u{1cbd}', '\u{1cbf}'), ('\u{1d00}', '\u{1d2b}'), ('\u{1d6b}', '\u{1d77}'),
    ('\u{1d79}', '\u{1d9a}'), ('\u{1e00}', '\u{1f15}'), ('\u{1f18}', '\u{1f1d}'), ('\u{1f20}', '\u{1f45}'),
    ('\u{1f48}', '\u{1f4d}'), ('\u{1f50}', '\u{1f57}'), ('\u{1f59}', '\u{1f59}'), ('\u{1f5b}', '\u{1f5b}'),
    ('\u{1f5d}', '\u{1f5d}'), ('\u{1f5f}', '\u{1f7d}'), ('\u{1f80}', '\u{1fb4}'), ('\u{1fb6}', '\u{1fbc}'),
    ('\u{1fbe}', '\u{1fbe}'), ('\u{1fc2}', '\u{1fc4}'), ('\u{1fc6}', '\u{1fcc}'), ('\u{1fd0}', '\u{1fd3}'),
    ('\u{1fd6}', '\u{1fdb}'), ('\u{1fe0}', '\u{1fec}'), ('\u{1ff2}', '\u{1ff4}'), ('\u{1ff6}', '\u{1ffc}'),
    ('\u{2102}', '\u{2102}'), ('\u{2107}', '\u{2107}'), ('\u{210a}', '\u{2113}'), ('\u{2115}', '\u{2115}'),
    ('\u{2119}', '\u{211d}'), ('\u{2124}', '\u{2124}'), ('\u{2126}', '\u{2126}'), ('\u{2128}', '\u{2128}'),
    ('\u{212a}', '\u{212d}'), ('\u{212f}', '\u{2134}'), ('\u{2139}', '\u{2139}'), ('\u{213c}', '\u{213f}'),
    ('\u{2145}', '\u{2149}'), ('\u{214e}', '\u{214e}'), ('\u{2183}', '\u{2183}'), ('\u{2184}', '\u{2184}'),
    ('\u{2c00}', '\u{2c7b}'), ('\u{2c7e}', '\u{2ce4}'), ('\u{2ceb}', '\u{2cee}'), ('\u{2cf2}', '\u{2cf2}'),
    ('\u{2cf3}', '\u{2cf3}'), ('\u{a640}', '\u{a66d}'), ('\u{a680}', '\u{a69b}'), ('\u{a722}', '\u{a76f}'),
    ('\u{a771}', '\u{a787}'), ('\u{a78b}', '\u{a78e}'), ('\u{ab70}', '\u{abbf}'), ('\u{fb00}', '\u{fb06}'),
    ('\u{fb13}', '\u{fb17}'), ('\u{ff21}', '\u{ff3a}'), ('\u{ff41}', '\u{ff5a}'), ('\u{10400}', '\u{1044f}'),
    ('\u{104b0}', '\u{104d3}'), ('\u{104d8}', '\u{104fb}'), ('\u{10c80}', '\u{10cb2}'), ('\u{10cc0}', '\u{10cf2}'),
    ('\u{118a0}', '\u{118df}'), ('\u{1e900}', '\u{1e943}'),
];
