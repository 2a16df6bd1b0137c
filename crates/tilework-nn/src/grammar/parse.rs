//! Reads GBNF.
//!
//! Groups and repetitions become rules of their own: `x*` is `r ::= x r | ` and `x{2,4}` is `x x r1`, `r1 ::= x r2 | `,
//! `r2 ::= x | `. Everything is bounded, since grammars arrive by network.

use std::collections::HashMap;

use tilework::{Error, ErrorKind, Result};

use super::rules::{Class, Element, Rules};

const OP: &str = "grammar";
/// Longest text of a grammar, in bytes.
const MAX_BYTES: usize = 1 << 20;
/// Most elements after repetitions are written out.
const MAX_ELEMENTS: usize = 1 << 16;
/// Largest number in `{m,n}`.
const MAX_REPEAT: usize = 1 << 12;
/// Deepest nesting of groups.
const MAX_DEPTH: usize = 64;

/// One alternative while rules are still being read.
type Sequence = Vec<Element>;

pub(super) fn parse(gbnf: &str) -> Result<Rules> {
    if gbnf.len() > MAX_BYTES {
        return Err(too_large(format!("{} bytes, at most {MAX_BYTES} are read", gbnf.len())));
    }
    let mut parser = Parser { chars: gbnf.chars().collect(), ..Parser::default() };
    parser.skip_space(Lines::Cross);
    while parser.peek().is_some() {
        parser.rule()?;
        parser.skip_space(Lines::Cross);
    }
    parser.finish()
}

fn too_large(message: String) -> Error {
    Error::new(ErrorKind::TooLarge, OP, message)
}

/// Whether space may contain ends of lines.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lines {
    Cross,
    Stay,
}

#[derive(Default)]
struct Parser {
    chars: Vec<char>,
    at: usize,
    names: Vec<String>,
    ids: HashMap<String, u32>,
    /// Alternatives of each rule; none yet for a name that was only used.
    rules: Vec<Option<Vec<Sequence>>>,
    classes: Vec<Class>,
    class_ids: HashMap<Class, u32>,
    n_elements: usize,
}

impl Parser {
    fn error(&self, message: impl std::fmt::Display) -> Error {
        let line = 1 + self.chars[..self.at.min(self.chars.len())].iter().filter(|c| **c == '\n').count();
        Error::argument(OP, format!("line {line}: {message}"))
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn take(&mut self, wanted: char) -> bool {
        let is_there = self.peek() == Some(wanted);
        self.at += usize::from(is_there);
        is_there
    }

    fn skip_space(&mut self, lines: Lines) {
        while let Some(c) = self.peek() {
            match c {
                ' ' | '\t' => self.at += 1,
                '\r' | '\n' if lines == Lines::Cross => self.at += 1,
                '#' => {
                    while self.peek().is_some_and(|c| c != '\n' && c != '\r') {
                        self.at += 1;
                    }
                }
                _ => return,
            }
        }
    }

    fn name(&mut self) -> Result<String> {
        let start = self.at;
        while self.peek().is_some_and(is_name) {
            self.at += 1;
        }
        if start == self.at {
            let found = self.peek().map_or("the end".to_owned(), |c| format!("{c:?}"));
            return Err(self.error(format!("expected the name of a rule, found {found}")));
        }
        Ok(self.chars[start..self.at].iter().collect())
    }

    fn rule(&mut self) -> Result<()> {
        let name = self.name()?;
        let id = self.id(&name);
        self.skip_space(Lines::Stay);
        if !(self.take(':') && self.take(':') && self.take('=')) {
            return Err(self.error(format!("expected `::=` after `{name}`")));
        }
        self.skip_space(Lines::Cross);
        let alternatives = self.alternatives(id, 0)?;
        if self.peek().is_some_and(|c| c != '\n' && c != '\r') {
            return Err(self.error(format!("expected the end of the rule, found {:?}", self.peek().unwrap_or(' '))));
        }
        if self.rules[id as usize].replace(alternatives).is_some() {
            return Err(self.error(format!("`{name}` has two rules")));
        }
        Ok(())
    }

    fn id(&mut self, name: &str) -> u32 {
        if let Some(&id) = self.ids.get(name) {
            return id;
        }
        let id = self.names.len() as u32;
        self.ids.insert(name.to_owned(), id);
        self.names.push(name.to_owned());
        self.rules.push(None);
        id
    }

    /// A rule that the parser makes up for a part of rule `of`.
    fn new_rule(&mut self, of: u32, alternatives: Option<Vec<Sequence>>) -> Result<u32> {
        self.count(1 + alternatives.iter().flatten().map(|sequence| 1 + sequence.len()).sum::<usize>())?;
        let id = self.names.len() as u32;
        self.names.push(self.names[of as usize].clone());
        self.rules.push(alternatives);
        Ok(id)
    }

    fn count(&mut self, n_more: usize) -> Result<()> {
        self.n_elements += n_more;
        if self.n_elements > MAX_ELEMENTS {
            return Err(too_large(format!("more than {MAX_ELEMENTS} elements once repetitions are written out")));
        }
        Ok(())
    }

    fn alternatives(&mut self, rule: u32, depth: usize) -> Result<Vec<Sequence>> {
        let mut alternatives = vec![self.sequence(rule, depth)?];
        loop {
            // `|` may begin a line: nothing else does.
            let before = self.at;
            self.skip_space(Lines::Cross);
            if !self.take('|') {
                self.at = before;
                return Ok(alternatives);
            }
            self.skip_space(Lines::Cross);
            alternatives.push(self.sequence(rule, depth)?);
        }
    }

    fn sequence(&mut self, rule: u32, depth: usize) -> Result<Sequence> {
        let lines = if depth > 0 { Lines::Cross } else { Lines::Stay };
        let mut sequence = Sequence::new();
        self.count(1)?;
        loop {
            self.skip_space(lines);
            let mut part = match self.peek() {
                Some('"') => self.string()?,
                Some('[') => vec![self.class()?],
                Some('.') => {
                    self.at += 1;
                    vec![self.class_element(Class { is_negated: true, ranges: Vec::new() })]
                }
                Some('(') => vec![self.group(rule, depth)?],
                Some(c) if is_name(c) => {
                    let name = self.name()?;
                    vec![Element::Rule(self.id(&name))]
                }
                _ => return Ok(sequence),
            };
            self.skip_space(lines);
            while let Some((least, most)) = self.repetition()? {
                part = self.repeat(part, (least, most), rule)?;
                self.skip_space(lines);
            }
            self.count(part.len())?;
            sequence.extend(part);
        }
    }

    fn group(&mut self, rule: u32, depth: usize) -> Result<Element> {
        if depth == MAX_DEPTH {
            return Err(self.error(format!("groups are nested more than {MAX_DEPTH} deep")));
        }
        self.at += 1;
        self.skip_space(Lines::Cross);
        let alternatives = self.alternatives(rule, depth + 1)?;
        self.skip_space(Lines::Cross);
        if !self.take(')') {
            return Err(self.error("expected `)`"));
        }
        Ok(Element::Rule(self.new_rule(rule, Some(alternatives))?))
    }

    /// `*`, `+`, `?`, `{m}`, `{m,}`, `{m,n}` or `{,n}`: least and most.
    fn repetition(&mut self) -> Result<Option<(usize, Option<usize>)>> {
        let simple = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => {
                self.at += 1;
                return self.braces().map(Some);
            }
            _ => return Ok(None),
        };
        self.at += 1;
        Ok(Some(simple))
    }

    fn braces(&mut self) -> Result<(usize, Option<usize>)> {
        self.skip_space(Lines::Stay);
        let least = self.number()?;
        self.skip_space(Lines::Stay);
        let most = if self.take(',') {
            self.skip_space(Lines::Stay);
            self.number()?
        } else {
            Some(least.ok_or_else(|| self.error("expected a number in `{ }`"))?)
        };
        self.skip_space(Lines::Stay);
        if !self.take('}') {
            return Err(self.error("expected `}`"));
        }
        let least = least.unwrap_or(0);
        if most.is_some_and(|most| most < least) {
            return Err(self.error(format!("`{{{least},{}}}` has its numbers in the wrong order", most.unwrap_or(0))));
        }
        Ok((least, most))
    }

    fn number(&mut self) -> Result<Option<usize>> {
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_ascii_digit()) {
            self.at += 1;
        }
        if start == self.at {
            return Ok(None);
        }
        let digits: String = self.chars[start..self.at].iter().collect();
        match digits.parse() {
            Ok(number) if number <= MAX_REPEAT => Ok(Some(number)),
            _ => Err(self.error(format!("{digits} repetitions; at most {MAX_REPEAT} are possible"))),
        }
    }

    fn repeat(&mut self, part: Sequence, (least, most): (usize, Option<usize>), rule: u32) -> Result<Sequence> {
        let part = match part[..] {
            [element] => element,
            _ => Element::Rule(self.new_rule(rule, Some(vec![part]))?),
        };
        let mut sequence = vec![part; least];
        let rest = match most {
            None => {
                let rest = self.new_rule(rule, None)?;
                self.rules[rest as usize] = Some(vec![vec![part, Element::Rule(rest)], Vec::new()]);
                self.count(4)?;
                Some(rest)
            }
            Some(most) => {
                let mut rest = None;
                for _ in least..most {
                    let some = std::iter::once(part).chain(rest.map(Element::Rule)).collect();
                    rest = Some(self.new_rule(rule, Some(vec![some, Vec::new()]))?);
                }
                rest
            }
        };
        sequence.extend(rest.map(Element::Rule));
        Ok(sequence)
    }

    fn string(&mut self) -> Result<Sequence> {
        self.at += 1;
        let mut sequence = Sequence::new();
        while !self.take('"') {
            if matches!(self.peek(), None | Some('\n')) {
                return Err(self.error("a string without its closing `\"`"));
            }
            let code = self.character()?;
            sequence.push(self.class_element(Class { is_negated: false, ranges: vec![(code, code)] }));
        }
        Ok(sequence)
    }

    fn class(&mut self) -> Result<Element> {
        self.at += 1;
        let is_negated = self.take('^');
        let mut ranges = Vec::new();
        while !self.take(']') {
            let from = self.character()?;
            let is_range = self.peek() == Some('-') && self.chars.get(self.at + 1).is_some_and(|c| *c != ']');
            let to = if is_range {
                self.at += 1;
                self.character()?
            } else {
                from
            };
            if to < from {
                return Err(self.error("a range in `[ ]` has its ends in the wrong order"));
            }
            ranges.push((from, to));
        }
        self.count(ranges.len())?;
        Ok(self.class_element(Class { is_negated, ranges }))
    }

    fn class_element(&mut self, class: Class) -> Element {
        let next = self.classes.len() as u32;
        let id = *self.class_ids.entry(class.clone()).or_insert(next);
        if id == next {
            self.classes.push(class);
        }
        Element::Class(id)
    }

    /// One character of a string or class, perhaps written as an escape.
    fn character(&mut self) -> Result<u32> {
        let c = self.peek().ok_or_else(|| self.error("the grammar ends inside a string or class"))?;
        self.at += 1;
        if c != '\\' {
            return Ok(c as u32);
        }
        let escape = self.peek().ok_or_else(|| self.error("the grammar ends after `\\`"))?;
        self.at += 1;
        match escape {
            'x' => self.hex(2),
            'u' => self.hex(4),
            'U' => self.hex(8),
            't' => Ok(9),
            'r' => Ok(13),
            'n' => Ok(10),
            '\\' | '"' | '[' | ']' | '-' | '^' => Ok(escape as u32),
            other => {
                Err(self
                    .error(format!("`\\{other}` is no escape; there are \\t \\r \\n \\\\ \\\" \\[ \\] \\x \\u \\U")))
            }
        }
    }

    fn hex(&mut self, n_digits: usize) -> Result<u32> {
        let mut code = 0u32;
        for _ in 0..n_digits {
            let digit = self.peek().and_then(|c| c.to_digit(16));
            let digit = digit.ok_or_else(|| self.error(format!("expected {n_digits} hexadecimal digits")))?;
            code = code.checked_mul(16).map_or(u32::MAX, |code| code + digit);
            self.at += 1;
        }
        if code > u32::from(char::MAX) {
            return Err(self.error("there is no such character"));
        }
        Ok(code)
    }

    /// Lays the rules out flat.
    fn finish(mut self) -> Result<Rules> {
        let mut alternatives = Vec::with_capacity(self.rules.len());
        let mut elements = Vec::with_capacity(self.n_elements);
        for (idx, rule) in std::mem::take(&mut self.rules).into_iter().enumerate() {
            let rule = rule.ok_or_else(|| Error::argument(OP, format!("there is no rule `{}`", self.names[idx])))?;
            let mut starts = Vec::with_capacity(rule.len());
            for sequence in rule {
                starts.push(elements.len() as u32);
                elements.extend(sequence);
                elements.push(Element::End);
            }
            alternatives.push(starts);
        }
        let root =
            *self.ids.get("root").ok_or_else(|| Error::argument(OP, "there is no rule `root`, where a text begins"))?;
        Ok(Rules { elements, classes: self.classes, alternatives, names: self.names, root })
    }
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-' || c == '_'
}
