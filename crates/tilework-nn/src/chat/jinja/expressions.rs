//! From tokens to expressions. What binds tighter is parsed further down, as in Jinja2.

use super::ast::{Arguments, Call, Expression, IsNot};
use super::lexer::Token;
use super::parser::Parser;
use super::{Result, wrong};

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Result<Expression> {
        self.deeper(|parser| {
            let mut value = parser.or()?;
            while parser.word("if") {
                let condition = parser.or()?;
                let otherwise = if parser.word("else") { Some(Box::new(parser.expression()?)) } else { None };
                value = Expression::Choice(Box::new(value), Box::new(condition), otherwise);
            }
            Ok(value)
        })
    }

    /// An expression that no `if` belongs to.
    pub(super) fn without_choice(&mut self) -> Result<Expression> {
        self.deeper(Parser::or)
    }

    /// One expression, or several with commas between them, which are a list.
    pub(super) fn tuple(&mut self) -> Result<Expression> {
        let first = self.expression()?;
        if !matches!(self.peek(), Some(Token::Mark(","))) {
            return Ok(first);
        }
        let mut several = vec![first];
        while self.mark(",") && !matches!(self.peek(), Some(Token::BlockEnd | Token::Mark(")"))) {
            several.push(self.expression()?);
        }
        Ok(Expression::List(several))
    }

    fn or(&mut self) -> Result<Expression> {
        let mut value = self.and()?;
        while self.word("or") {
            value = Expression::Or(Box::new(value), Box::new(self.and()?));
        }
        Ok(value)
    }

    fn and(&mut self) -> Result<Expression> {
        let mut value = self.not()?;
        while self.word("and") {
            value = Expression::And(Box::new(value), Box::new(self.not()?));
        }
        Ok(value)
    }

    fn not(&mut self) -> Result<Expression> {
        if self.word("not") {
            return Ok(Expression::Not(Box::new(self.deeper(Parser::not)?)));
        }
        self.comparison()
    }

    fn comparison(&mut self) -> Result<Expression> {
        let first = self.sum()?;
        let mut others = Vec::new();
        loop {
            let signs = ["==", "!=", "<=", ">=", "<", ">"];
            if let Some(sign) = signs.into_iter().find(|sign| self.mark(sign)) {
                others.push((sign, self.sum()?));
            } else if self.word("in") {
                others.push(("in", self.sum()?));
            } else if self.is_not_in() {
                others.push(("not in", self.sum()?));
            } else {
                break;
            }
        }
        Ok(if others.is_empty() { first } else { Expression::Compare(Box::new(first), others) })
    }

    /// Takes `not in` if that is next.
    fn is_not_in(&mut self) -> bool {
        if !self.word("not") {
            return false;
        }
        // Nothing but `in` can follow a value and `not`.
        self.word("in")
    }

    fn sum(&mut self) -> Result<Expression> {
        self.binary(&["+", "-"], |parser| parser.binary(&["~"], Parser::product))
    }

    fn product(&mut self) -> Result<Expression> {
        self.binary(&["*", "//", "/", "%"], |parser| parser.binary(&["**"], Parser::unary))
    }

    fn binary(
        &mut self,
        signs: &[&'static str],
        operand: impl Fn(&mut Self) -> Result<Expression>,
    ) -> Result<Expression> {
        let mut value = operand(self)?;
        while let Some(sign) = signs.iter().find(|sign| self.mark(sign)) {
            value = Expression::Binary(sign, Box::new(value), Box::new(operand(self)?));
        }
        Ok(value)
    }

    fn unary(&mut self) -> Result<Expression> {
        let value = if self.mark("-") {
            Expression::Negative(Box::new(self.deeper(Parser::signed)?))
        } else if self.mark("+") {
            self.deeper(Parser::signed)?
        } else {
            self.primary_with_parts()?
        };
        self.filtered(value)
    }

    /// What follows a sign: filters come after the sign is applied.
    fn signed(&mut self) -> Result<Expression> {
        if self.mark("-") {
            return Ok(Expression::Negative(Box::new(self.deeper(Parser::signed)?)));
        }
        self.primary_with_parts()
    }

    fn primary_with_parts(&mut self) -> Result<Expression> {
        let value = self.primary()?;
        self.parts(value)
    }

    /// Members, items, slices and calls.
    fn parts(&mut self, mut value: Expression) -> Result<Expression> {
        loop {
            if self.mark(".") {
                value = match self.next() {
                    Some(Token::Name(name)) => Expression::Member(Box::new(value), name.clone()),
                    Some(Token::Int(index)) => Expression::Item(Box::new(value), Box::new(Expression::Int(*index))),
                    _ => return wrong("a name is missing after a dot"),
                };
            } else if self.mark("[") {
                value = self.deeper(|parser| parser.item(value))?;
            } else if self.mark("(") {
                value = Expression::Call(Box::new(value), self.arguments()?);
            } else {
                return Ok(value);
            }
        }
    }

    fn item(&mut self, value: Expression) -> Result<Expression> {
        let mut bounds = [None, None, None];
        let mut n_colons = 0;
        loop {
            if self.mark("]") {
                break;
            }
            if self.mark(":") {
                n_colons += 1;
                if n_colons > 2 {
                    return wrong("a slice has too many parts");
                }
            } else if bounds[n_colons].is_none() {
                bounds[n_colons] = Some(Box::new(self.expression()?));
            } else {
                return wrong("`]` is missing");
            }
        }
        match (n_colons, bounds) {
            (0, [Some(index), ..]) => Ok(Expression::Item(Box::new(value), index)),
            (0, _) => wrong("an index is missing"),
            (_, bounds) => Ok(Expression::Slice(Box::new(value), bounds)),
        }
    }

    /// Arguments of a call, whose bracket is open.
    fn arguments(&mut self) -> Result<Arguments> {
        let mut arguments = Arguments::default();
        while !self.mark(")") {
            let value = self.expression()?;
            match value {
                Expression::Name(name) if self.mark("=") => arguments.named.push((name, self.expression()?)),
                value => arguments.positional.push(value),
            }
            if !self.mark(",") {
                self.expect(")")?;
                break;
            }
        }
        Ok(arguments)
    }

    /// Filters and tests, which follow a value.
    fn filtered(&mut self, mut value: Expression) -> Result<Expression> {
        loop {
            if self.mark("|") {
                value = Expression::Filter(Box::new(value), self.call()?);
            } else if self.word("is") {
                let is_not = if self.word("not") { IsNot::Yes } else { IsNot::No };
                value = Expression::Test(Box::new(value), self.test()?, is_not);
            } else {
                return Ok(value);
            }
        }
    }

    /// Filters with `|` between them.
    pub(super) fn filters(&mut self) -> Result<Vec<Call>> {
        let mut filters = vec![self.call()?];
        while self.mark("|") {
            filters.push(self.call()?);
        }
        Ok(filters)
    }

    fn call(&mut self) -> Result<Call> {
        let name = self.name()?;
        let arguments = if self.mark("(") { self.arguments()? } else { Arguments::default() };
        Ok(Call { name, arguments })
    }

    fn test(&mut self) -> Result<Call> {
        let mut call = self.call()?;
        let follows = match self.peek() {
            Some(Token::Name(name)) => !["and", "or", "not", "if", "else", "is", "in"].contains(&name.as_str()),
            Some(Token::String(_) | Token::Int(_) | Token::Float(_)) => true,
            Some(Token::Mark(mark)) => ["[", "{"].contains(mark),
            _ => false,
        };
        // One argument may stand without brackets: `x is divisibleby 3`.
        if follows && call.arguments.positional.is_empty() {
            call.arguments.positional.push(self.primary_with_parts()?);
        }
        Ok(call)
    }

    fn primary(&mut self) -> Result<Expression> {
        match self.next() {
            Some(Token::Name(name)) => Ok(match name.as_str() {
                "true" | "True" => Expression::Bool(true),
                "false" | "False" => Expression::Bool(false),
                "none" | "None" => Expression::None,
                _ => Expression::Name(name.clone()),
            }),
            Some(Token::Int(number)) => Ok(Expression::Int(*number)),
            Some(Token::Float(number)) => Ok(Expression::Float(*number)),
            Some(Token::String(text)) => {
                // Texts that follow each other are one.
                let mut text = text.clone();
                while let Some(Token::String(more)) = self.peek() {
                    text.push_str(more);
                    self.next();
                }
                Ok(Expression::Text(text))
            }
            Some(Token::Mark("(")) => {
                if self.mark(")") {
                    return Ok(Expression::List(Vec::new()));
                }
                let value = self.deeper(Parser::tuple)?;
                self.expect(")")?;
                Ok(value)
            }
            Some(Token::Mark("[")) => self.list(),
            Some(Token::Mark("{")) => self.map(),
            _ => wrong("a value is missing"),
        }
    }

    fn list(&mut self) -> Result<Expression> {
        let mut items = Vec::new();
        while !self.mark("]") {
            items.push(self.expression()?);
            if !self.mark(",") {
                self.expect("]")?;
                break;
            }
        }
        Ok(Expression::List(items))
    }

    fn map(&mut self) -> Result<Expression> {
        let mut entries = Vec::new();
        while !self.mark("}") {
            let key = self.expression()?;
            self.expect(":")?;
            entries.push((key, self.expression()?));
            if !self.mark(",") {
                self.expect("}")?;
                break;
            }
        }
        Ok(Expression::Map(entries))
    }
}
