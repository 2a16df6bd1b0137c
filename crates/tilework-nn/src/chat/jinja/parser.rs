//! From tokens to statements.

use super::ast::{For, Macro, Statement, Target};
use super::lexer::Token;
use super::{MAX_DEPTH, Result, wrong};

pub(super) fn parse(tokens: &[Token]) -> Result<Vec<Statement>> {
    let mut parser = Parser { tokens, at: 0, depth: 0 };
    let (body, end) = parser.body(&[])?;
    match end {
        None => Ok(body),
        Some(word) => wrong(format!("`{word}` ends nothing")),
    }
}

/// Where it is.
pub(super) struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    pub(super) fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.at)
    }

    pub(super) fn next(&mut self) -> Option<&'a Token> {
        let token = self.tokens.get(self.at);
        self.at += 1;
        token
    }

    /// Takes a mark if it is next.
    pub(super) fn mark(&mut self, mark: &str) -> bool {
        let is_next = matches!(self.peek(), Some(Token::Mark(next)) if *next == mark);
        self.at += usize::from(is_next);
        is_next
    }

    pub(super) fn expect(&mut self, mark: &str) -> Result<()> {
        if self.mark(mark) { Ok(()) } else { wrong(format!("`{mark}` is missing")) }
    }

    /// The name that is next, not taken.
    pub(super) fn peek_name(&self) -> Option<&'a str> {
        match self.peek() {
            Some(Token::Name(name)) => Some(name),
            _ => None,
        }
    }

    /// Takes a name if it is this one.
    pub(super) fn word(&mut self, word: &str) -> bool {
        let is_next = self.peek_name() == Some(word);
        self.at += usize::from(is_next);
        is_next
    }

    pub(super) fn name(&mut self) -> Result<String> {
        match self.next() {
            Some(Token::Name(name)) => Ok(name.clone()),
            _ => wrong("a name is missing"),
        }
    }

    /// Parses something that may contain itself.
    pub(super) fn deeper<T>(&mut self, parse: impl FnOnce(&mut Parser<'a>) -> Result<T>) -> Result<T> {
        if self.depth >= MAX_DEPTH {
            return wrong("it nests too deep");
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    fn block_end(&mut self) -> Result<()> {
        match self.next() {
            Some(Token::BlockEnd) => Ok(()),
            _ => wrong("a block has too many words"),
        }
    }

    /// Statements up to a block that begins with one of `ends`, whose first word is taken; or up to the end.
    fn body(&mut self, ends: &[&str]) -> Result<(Vec<Statement>, Option<&'a str>)> {
        let mut body = Vec::new();
        while let Some(token) = self.next() {
            match token {
                Token::Text(text) => body.push(Statement::Text(text.clone())),
                Token::PrintStart => {
                    body.push(Statement::Print(self.expression()?));
                    match self.next() {
                        Some(Token::PrintEnd) => {}
                        _ => return wrong("`}}` is missing"),
                    }
                }
                Token::BlockStart => {
                    let Some(Token::Name(word)) = self.next() else { return wrong("a block has no name") };
                    if ends.contains(&word.as_str()) || word.starts_with("end") || word == "else" || word == "elif" {
                        return Ok((body, Some(word)));
                    }
                    body.extend(self.deeper(|parser| parser.block(word))?);
                }
                _ => return wrong("words stand outside of a tag"),
            }
        }
        Ok((body, None))
    }

    /// Statements up to a block that is called `end`, and that block.
    fn body_until(&mut self, end: &str) -> Result<Vec<Statement>> {
        let (body, found) = self.body(&[end])?;
        if found != Some(end) {
            return wrong(format!("`{end}` is missing"));
        }
        // A name may stand after the end of a macro or a block.
        if self.peek_name().is_some() {
            self.at += 1;
        }
        self.block_end()?;
        Ok(body)
    }

    fn block(&mut self, word: &str) -> Result<Vec<Statement>> {
        let statement = match word {
            "if" => self.choice()?,
            "for" => self.repetition()?,
            "set" => self.assignment()?,
            "macro" => self.definition()?,
            "filter" => {
                let filters = self.filters()?;
                self.block_end()?;
                Statement::Filter(filters, self.body_until("endfilter")?)
            }
            "break" | "continue" => {
                self.block_end()?;
                if word == "break" { Statement::Break } else { Statement::Continue }
            }
            // Marks what a model is trained on; what is in it is printed.
            "generation" => {
                self.block_end()?;
                return self.body_until("endgeneration");
            }
            _ => return wrong(format!("there is no block `{word}`")),
        };
        Ok(vec![statement])
    }

    fn choice(&mut self) -> Result<Statement> {
        let mut branches = Vec::new();
        let mut condition = Some(self.expression()?);
        self.block_end()?;
        loop {
            let (body, end) = self.body(&[])?;
            let is_last = condition.is_none();
            branches.push((condition.take(), body));
            match end {
                Some("endif") => break,
                Some("elif") if !is_last => condition = Some(self.expression()?),
                Some("else") if !is_last => {}
                _ => return wrong("`endif` is missing"),
            }
            self.block_end()?;
        }
        self.block_end()?;
        Ok(Statement::If(branches))
    }

    fn repetition(&mut self) -> Result<Statement> {
        let target = self.target()?;
        if !self.word("in") {
            return wrong("`in` is missing");
        }
        // The condition of the loop is no choice between two values.
        let items = self.without_choice()?;
        let condition = if self.word("if") { Some(self.expression()?) } else { None };
        if self.word("recursive") {
            return wrong("recursive loops are not supported");
        }
        self.block_end()?;
        let (body, end) = self.body(&[])?;
        let otherwise = match end {
            Some("endfor") => {
                self.block_end()?;
                Vec::new()
            }
            Some("else") => {
                self.block_end()?;
                self.body_until("endfor")?
            }
            _ => return wrong("`endfor` is missing"),
        };
        Ok(Statement::For(Box::new(For { target, items, condition, body, otherwise })))
    }

    fn target(&mut self) -> Result<Target> {
        let first = self.one_target()?;
        if !matches!(self.peek(), Some(Token::Mark(","))) {
            return Ok(first);
        }
        let mut several = vec![first];
        while self.mark(",") {
            several.push(self.one_target()?);
        }
        Ok(Target::Several(several))
    }

    fn one_target(&mut self) -> Result<Target> {
        if self.mark("(") {
            let target = self.deeper(Parser::target)?;
            self.expect(")")?;
            return Ok(target);
        }
        let name = self.name()?;
        if self.mark(".") { Ok(Target::Member(name, self.name()?)) } else { Ok(Target::Name(name)) }
    }

    fn assignment(&mut self) -> Result<Statement> {
        let target = self.target()?;
        if self.mark("=") {
            let value = self.tuple()?;
            self.block_end()?;
            return Ok(Statement::Set(target, value));
        }
        let filters = if self.mark("|") { self.filters()? } else { Vec::new() };
        self.block_end()?;
        Ok(Statement::SetBlock(target, self.body_until("endset")?, filters))
    }

    fn definition(&mut self) -> Result<Statement> {
        let name = self.name()?;
        self.expect("(")?;
        let mut parameters = Vec::new();
        while !self.mark(")") {
            let parameter = self.name()?;
            let usual = if self.mark("=") { Some(self.expression()?) } else { None };
            parameters.push((parameter, usual));
            if !self.mark(",") {
                self.expect(")")?;
                break;
            }
        }
        self.block_end()?;
        Ok(Statement::Macro(Macro { name, parameters, body: self.body_until("endmacro")? }))
    }
}
