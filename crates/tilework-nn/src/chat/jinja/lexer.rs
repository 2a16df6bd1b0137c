//! From text to tokens: what is printed as it is, and the words inside of `{{ }}` and `{% %}`.

use super::{Failure, Result, wrong};

/// A word of a template.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// Printed as it is.
    Text(String),
    /// `{{`
    PrintStart,
    /// `}}`
    PrintEnd,
    /// `{%`
    BlockStart,
    /// `%}`
    BlockEnd,
    Name(String),
    String(String),
    Int(i64),
    Float(f64),
    /// An operator or a bracket.
    Mark(&'static str),
}

/// Longer ones first.
const MARKS: [&str; 26] = [
    "//", "**", "==", "!=", "<=", ">=", "+", "-", "*", "/", "%", "~", "<", ">", "=", "(", ")", "[", "]", "{", "}", ",",
    ".", ":", "|", ";",
];

/// What a tag does with the space before it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Keep,
    /// Space that begins its line goes, as `lstrip_blocks` says.
    Line,
    All,
}

/// What a tag does with the space after it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum After {
    Keep,
    /// One line end goes, as `trim_blocks` says.
    Line,
    All,
}

pub(super) fn tokens(source: &str) -> Result<Vec<Token>> {
    let source = source.strip_suffix('\n').map_or(source, |rest| rest.strip_suffix('\r').unwrap_or(rest));
    let mut lexer = Lexer { rest: source, tokens: Vec::new(), after: After::Keep, is_line_start: true };
    while !lexer.rest.is_empty() {
        lexer.step()?;
    }
    Ok(lexer.tokens)
}

struct Lexer<'a> {
    rest: &'a str,
    tokens: Vec<Token>,
    /// What the last tag does with the space that comes now.
    after: After,
    /// Whether the text that comes now begins a line.
    is_line_start: bool,
}

impl Lexer<'_> {
    fn step(&mut self) -> Result<()> {
        let tag = ["{{", "{%", "{#"].iter().filter_map(|tag| Some((self.rest.find(tag)?, *tag))).min();
        let Some((at, tag)) = tag else {
            let text = std::mem::take(&mut self.rest);
            self.text(text, Before::Keep);
            return Ok(());
        };
        let (text, rest) = self.rest.split_at(at);
        let rest = &rest[tag.len()..];
        let (before, rest) = match rest.as_bytes().first() {
            Some(b'-') => (Before::All, &rest[1..]),
            Some(b'+') => (Before::Keep, &rest[1..]),
            _ if tag == "{{" => (Before::Keep, rest),
            _ => (Before::Line, rest),
        };
        self.text(text, before);
        self.rest = rest;
        match tag {
            "{#" => self.comment(),
            "{{" => self.inside(Token::PrintStart, "}}", Token::PrintEnd, After::Keep),
            _ if self.is_raw() => self.raw(),
            _ => self.inside(Token::BlockStart, "%}", Token::BlockEnd, After::Line),
        }
    }

    /// Text between tags, with the space cut off that the tags around it take.
    fn text(&mut self, text: &str, before: Before) {
        let begins_line = self.is_line_start;
        let mut text = text;
        let cut = match self.after {
            After::Keep => text,
            After::Line => text.strip_prefix("\r\n").or_else(|| text.strip_prefix('\n')).unwrap_or(text),
            After::All => text.trim_start(),
        };
        let starts_line = begins_line || cut.len() != text.len() && text[..text.len() - cut.len()].contains('\n');
        text = cut;
        text = match before {
            Before::Keep => text,
            Before::All => text.trim_end(),
            Before::Line => {
                let kept = text.trim_end_matches([' ', '\t']);
                if kept.ends_with('\n') || kept.is_empty() && starts_line { kept } else { text }
            }
        };
        self.after = After::Keep;
        self.is_line_start = false;
        if !text.is_empty() {
            self.tokens.push(Token::Text(text.to_owned()));
        }
    }

    fn comment(&mut self) -> Result<()> {
        let Some(end) = self.rest.find("#}") else { return wrong("a comment does not end") };
        let comment = &self.rest[..end];
        self.rest = &self.rest[end + 2..];
        self.after = if comment.ends_with('-') { After::All } else { After::Line };
        Ok(())
    }

    /// Whether a block is `raw`.
    fn is_raw(&self) -> bool {
        let word = self.rest.trim_start();
        word.strip_prefix("raw").is_some_and(|rest| rest.trim_start().trim_start_matches('-').starts_with("%}"))
    }

    /// What stands between `raw` and `endraw` is text.
    fn raw(&mut self) -> Result<()> {
        let unfinished = || Failure::Wrong("`raw` does not end".to_owned());
        let (start, rest) = self.rest.split_once("%}").ok_or_else(unfinished)?;
        self.after = if start.ends_with('-') { After::All } else { After::Line };
        let mut from = 0;
        loop {
            let at = from + rest[from..].find("{%").ok_or_else(unfinished)?;
            let word = rest[at + 2..].trim_start_matches(['-', '+']).trim_start();
            if let Some(end) = word.strip_prefix("endraw").map(str::trim_start) {
                let before = if rest[at + 2..].starts_with('-') { Before::All } else { Before::Line };
                self.text(&rest[..at], before);
                let is_all = end.starts_with('-');
                self.rest = end.trim_start_matches('-').strip_prefix("%}").ok_or_else(unfinished)?;
                self.after = if is_all { After::All } else { After::Line };
                return Ok(());
            }
            from = at + 2;
        }
    }

    /// The words of a tag.
    fn inside(&mut self, start: Token, end: &str, last: Token, usual: After) -> Result<()> {
        self.tokens.push(start);
        let mut depth = 0usize;
        loop {
            self.rest = self.rest.trim_start();
            if depth == 0
                && let Some(after) = self.ended(end, usual)
            {
                self.after = after;
                self.tokens.push(last);
                return Ok(());
            }
            let token = self.word()?;
            match token {
                Token::Mark("(" | "[" | "{") => depth += 1,
                Token::Mark(")" | "]" | "}") => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.tokens.push(token);
        }
    }

    /// Whether the tag ends here, and what it then does with the space after it.
    fn ended(&mut self, end: &str, usual: After) -> Option<After> {
        let kinds = [("-", After::All), ("+", After::Keep), ("", usual)];
        let (rest, after) = kinds
            .into_iter()
            .find_map(|(sign, after)| Some((self.rest.strip_prefix(sign)?.strip_prefix(end)?, after)))?;
        self.rest = rest;
        Some(after)
    }

    fn word(&mut self) -> Result<Token> {
        let Some(first) = self.rest.chars().next() else { return wrong("a tag does not end") };
        match first {
            '"' | '\'' => self.string(first),
            '0'..='9' => self.number(),
            _ if first == '_' || first.is_alphabetic() => {
                let word = self.take(|c| c == '_' || c.is_alphanumeric());
                Ok(Token::Name(word.to_owned()))
            }
            _ => match MARKS.iter().find(|mark| self.rest.starts_with(**mark)) {
                Some(mark) => {
                    self.rest = &self.rest[mark.len()..];
                    Ok(Token::Mark(mark))
                }
                None => wrong(format!("`{first}` means nothing here")),
            },
        }
    }

    fn take(&mut self, belongs: impl Fn(char) -> bool) -> &str {
        let end = self.rest.find(|c| !belongs(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn number(&mut self) -> Result<Token> {
        let digits = self.take(|c| c.is_ascii_digit() || c == '_').replace('_', "");
        let is_fraction =
            self.rest.strip_prefix('.').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        let mut number = digits;
        if is_fraction {
            self.rest = &self.rest[1..];
            number = format!("{number}.{}", self.take(|c| c.is_ascii_digit()));
        }
        let exponent = self.rest.strip_prefix(['e', 'E']).map(|rest| rest.strip_prefix(['+', '-']).unwrap_or(rest));
        if exponent.is_some_and(|digits| digits.starts_with(|c: char| c.is_ascii_digit())) {
            number.push('e');
            self.rest = &self.rest[1..];
            number.push_str(self.take(|c| matches!(c, '+' | '-' | '0'..='9')));
        } else if !is_fraction {
            return number.parse().map(Token::Int).or_else(|_| wrong(format!("{number} is too large")));
        }
        number.parse().map(Token::Float).or_else(|_| wrong(format!("{number} is no number")))
    }

    fn string(&mut self, quote: char) -> Result<Token> {
        let mut text = String::new();
        let mut chars = self.rest[1..].char_indices();
        while let Some((at, c)) = chars.next() {
            if c == quote {
                self.rest = &self.rest[1 + at + c.len_utf8()..];
                return Ok(Token::String(text));
            }
            if c != '\\' {
                text.push(c);
                continue;
            }
            match chars.next().map(|(_, c)| c) {
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                Some('r') => text.push('\r'),
                Some('0') => text.push('\0'),
                Some('\n') => {}
                Some(c @ ('\\' | '\'' | '"')) => text.push(c),
                Some(kind @ ('x' | 'u' | 'U')) => {
                    let n_digits = match kind {
                        'x' => 2,
                        'u' => 4,
                        _ => 8,
                    };
                    let digits: String = chars.by_ref().take(n_digits).map(|(_, c)| c).collect();
                    let code = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                    text.push(code.unwrap_or(char::REPLACEMENT_CHARACTER));
                }
                Some(c) => text.extend(['\\', c]),
                None => break,
            }
        }
        wrong("a text does not end")
    }
}
