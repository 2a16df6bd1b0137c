//! Evaluates expressions.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::rc::Rc;

use super::ast::{Arguments, Expression, IsNot};
use super::methods;
use super::render::{Given, Run};
use super::value::{Loop, Map, Value};
use super::{Failure, Result, wrong};

impl<'a> Run<'a> {
    pub(super) fn evaluate(&mut self, expression: &'a Expression) -> Result<Value> {
        self.steps(1)?;
        match expression {
            Expression::None => Ok(Value::None),
            Expression::Bool(truth) => Ok(Value::Bool(*truth)),
            Expression::Int(number) => Ok(Value::Int(*number)),
            Expression::Float(number) => Ok(Value::Float(*number)),
            Expression::Text(text) => {
                self.pay_bytes(text.len())?;
                Ok(Value::text(text))
            }
            Expression::List(items) => {
                let items = items.iter().map(|item| self.evaluate(item)).collect::<Result<_>>()?;
                Ok(Value::list(items))
            }
            Expression::Map(entries) => {
                let mut map = Map::default();
                for (key, value) in entries {
                    let key = self.evaluate(key)?;
                    map.set(key, self.evaluate(value)?);
                }
                Ok(Value::Map(Rc::new(map)))
            }
            Expression::Name(name) => {
                self.pay_for_name()?;
                Ok(self.lookup(name))
            }
            Expression::Member(value, name) => {
                let value = self.evaluate(value)?;
                self.pay_for_lookup(&value)?;
                member(&value, name)
            }
            Expression::Item(value, index) => {
                let value = self.evaluate(value)?;
                let index = self.evaluate(index)?;
                self.pay_for_lookup(&value)?;
                item(&value, &index)
            }
            Expression::Slice(value, bounds) => {
                let value = self.evaluate(value)?;
                let bounds = [self.bound(&bounds[0])?, self.bound(&bounds[1])?, self.bound(&bounds[2])?];
                self.slice(&value, bounds)
            }
            Expression::Call(function, arguments) => self.call(function, arguments),
            Expression::Filter(value, filter) => {
                let value = self.evaluate(value)?;
                let arguments = self.arguments(&filter.arguments)?;
                self.filter(&filter.name, value, arguments)
            }
            Expression::Test(value, test, is_not) => {
                let value = self.evaluate(value)?;
                let arguments = self.arguments(&test.arguments)?;
                let is_so = self.test(&test.name, &value, &arguments)?;
                Ok(Value::Bool(is_so != (*is_not == IsNot::Yes)))
            }
            Expression::Negative(value) => match self.evaluate(value)? {
                Value::Float(number) => Ok(Value::Float(-number)),
                other => other.as_int().and_then(i64::checked_neg).map(Value::Int).ok_or_else(|| no_number(&other)),
            },
            Expression::Not(value) => Ok(Value::Bool(!self.evaluate(value)?.is_true())),
            Expression::And(a, b) => {
                let a = self.evaluate(a)?;
                if a.is_true() { self.evaluate(b) } else { Ok(a) }
            }
            Expression::Or(a, b) => {
                let a = self.evaluate(a)?;
                if a.is_true() { Ok(a) } else { self.evaluate(b) }
            }
            Expression::Binary(sign, a, b) => {
                let (a, b) = (self.evaluate(a)?, self.evaluate(b)?);
                self.binary(sign, &a, &b)
            }
            Expression::Compare(first, others) => self.compare(first, others),
            Expression::Choice(value, condition, otherwise) => {
                if self.evaluate(condition)?.is_true() {
                    return self.evaluate(value);
                }
                otherwise.as_ref().map_or(Ok(Value::Undefined), |otherwise| self.evaluate(otherwise))
            }
        }
    }

    pub(super) fn arguments(&mut self, arguments: &'a Arguments) -> Result<Given> {
        let mut given = Given::default();
        for value in &arguments.positional {
            given.positional.push(self.evaluate(value)?);
        }
        for (name, value) in &arguments.named {
            given.named.push((name.clone(), self.evaluate(value)?));
        }
        Ok(given)
    }

    fn call(&mut self, function: &'a Expression, arguments: &'a Arguments) -> Result<Value> {
        if let Expression::Member(value, name) = function {
            let value = self.evaluate(value)?;
            let given = self.arguments(arguments)?;
            self.pay_for_lookup(&value)?;
            return match (member(&value, name), &value) {
                (Ok(Value::Macro(number)), _) => self.call_macro(number, given),
                (_, Value::Loop(state)) => loop_method(state, name, &given),
                _ => {
                    let called = methods::call(self, &value, name, &given)?;
                    self.pay(called)
                }
            };
        }
        let name = if let Expression::Name(name) = function { name.as_str() } else { "" };
        let given = self.arguments(arguments)?;
        match self.evaluate(function)? {
            Value::Macro(number) => self.call_macro(number, given),
            Value::Host(function) => match given.positional.first() {
                Some(Value::Text(text)) => {
                    let text = function(text);
                    self.pay(Value::Text(text.into()))
                }
                _ => wrong("a text is needed"),
            },
            Value::Undefined => self.builtin(name, given),
            other => wrong(format!("{} cannot be called", other.kind())),
        }
    }

    fn builtin(&mut self, name: &str, given: Given) -> Result<Value> {
        match name {
            "raise_exception" => {
                let message = self.printed(&given.get(0, "message"))?;
                Err(Failure::Raised(message.to_string()))
            }
            "namespace" => Ok(Value::Namespace(Rc::new(RefCell::new(given.into_map()?)))),
            "dict" => Ok(Value::Map(Rc::new(given.into_map()?))),
            "range" => {
                let numbers: Option<Vec<i64>> = given.positional.iter().map(Value::as_int).collect();
                let (start, end, step) = match numbers.as_deref() {
                    Some([end]) => (0, *end, 1),
                    Some([start, end]) => (*start, *end, 1),
                    Some([start, end, step]) if *step != 0 => (*start, *end, *step),
                    _ => return wrong("range needs one to three whole numbers"),
                };
                let n = (i128::from(end) - i128::from(start) + i128::from(step) - i128::from(step.signum()))
                    / i128::from(step);
                let n = u64::try_from(n.max(0)).map_err(|_| Failure::TooLong)?;
                self.steps(n)?;
                Ok(Value::list((0..n as i64).map(|index| Value::Int(start + index * step)).collect()))
            }
            "" => wrong("an undefined value cannot be called"),
            name => wrong(format!("there is no function `{name}`")),
        }
    }

    /// Pays for a value that was made.
    pub(super) fn pay(&mut self, value: Value) -> Result<Value> {
        match &value {
            Value::Text(text) => self.pay_bytes(text.len())?,
            Value::List(items) => self.steps(items.len() as u64)?,
            Value::Map(map) => self.steps(map.0.len() as u64)?,
            _ => {}
        }
        Ok(value)
    }

    fn bound(&mut self, bound: &'a Option<Box<Expression>>) -> Result<Option<i64>> {
        let Some(bound) = bound else { return Ok(None) };
        match self.evaluate(bound)? {
            Value::None => Ok(None),
            other => other.as_int().map(Some).ok_or_else(|| no_number(&other)),
        }
    }

    fn slice(&mut self, value: &Value, [start, end, step]: [Option<i64>; 3]) -> Result<Value> {
        let items = self.items(value)?;
        let (n, step) = (items.len() as i64, step.unwrap_or(1));
        if step == 0 {
            return wrong("a slice needs a step");
        }
        // As Python cuts bounds to what there is.
        let (low, high) = if step > 0 { (0, n) } else { (-1, n - 1) };
        let bound = |bound: Option<i64>, usual: i64| {
            bound.map_or(usual, |bound| if bound < 0 { bound.saturating_add(n) } else { bound }.clamp(low, high))
        };
        let (mut at, end) =
            if step > 0 { (bound(start, 0), bound(end, n)) } else { (bound(start, n - 1), bound(end, -1)) };
        let mut kept = Vec::new();
        while if step > 0 { at < end } else { at > end } {
            kept.push(items[at as usize].clone());
            at = at.saturating_add(step);
        }
        match value {
            Value::Text(_) => Ok(Value::concatenated(&kept)),
            _ => Ok(Value::list(kept)),
        }
    }

    fn compare(&mut self, first: &'a Expression, others: &'a [(&'static str, Expression)]) -> Result<Value> {
        let mut left = self.evaluate(first)?;
        for (sign, right) in others {
            let right = self.evaluate(right)?;
            let is_so = match *sign {
                "==" => self.equal(&left, &right)?,
                "!=" => !self.equal(&left, &right)?,
                "in" => self.contains(&right, &left)?,
                "not in" => !self.contains(&right, &left)?,
                sign => {
                    self.pay_for_lookup(&left)?;
                    ordered(sign, &left, &right)?
                }
            };
            if !is_so {
                return Ok(Value::Bool(false));
            }
            left = right;
        }
        Ok(Value::Bool(true))
    }

    pub(super) fn contains(&mut self, all: &Value, one: &Value) -> Result<bool> {
        match (all, one) {
            (Value::Text(all), Value::Text(one)) => {
                self.steps((all.len() / 8) as u64)?;
                Ok(all.contains(&**one))
            }
            (Value::Text(_), other) => wrong(format!("{} cannot be in a text", other.kind())),
            (Value::Map(map), key) => {
                self.pay_for_lookup(all)?;
                Ok(map.get(key).is_some())
            }
            (all, one) => {
                for item in self.items(all)? {
                    if self.equal(&item, one)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    fn binary(&mut self, sign: &str, a: &Value, b: &Value) -> Result<Value> {
        match (sign, a, b) {
            ("~", a, b) => {
                let (a, b) = (self.printed(a)?, self.printed(b)?);
                self.joined(&a, &b)
            }
            ("+", Value::Text(a), Value::Text(b)) => self.joined(a, b),
            ("+", Value::List(a), Value::List(b)) => {
                self.steps((a.len() + b.len()) as u64)?;
                Ok(Value::list(a.iter().chain(b.iter()).cloned().collect()))
            }
            ("*", Value::Text(text), n) | ("*", n, Value::Text(text)) => {
                let n = n.as_int().ok_or_else(|| no_number(n))?.max(0);
                let n = usize::try_from(n).map_err(|_| Failure::TooMuch)?;
                self.pay_bytes(text.len().checked_mul(n).ok_or(Failure::TooMuch)?)?;
                Ok(Value::Text(text.repeat(n).into()))
            }
            _ => arithmetic(sign, a, b),
        }
    }

    fn joined(&mut self, a: &str, b: &str) -> Result<Value> {
        self.pay_bytes(a.len() + b.len())?;
        Ok(Value::Text([a, b].concat().into()))
    }
}

fn no_number(value: &Value) -> Failure {
    Failure::Wrong(format!("{} is no number", value.kind()))
}

/// Whether two values are in the order that a sign says.
pub(super) fn ordered(sign: &str, a: &Value, b: &Value) -> Result<bool> {
    let Some(order) = a.order(b) else {
        return wrong(format!("{} and {} have no order", a.kind(), b.kind()));
    };
    Ok(match sign {
        "<" => order == Ordering::Less,
        "<=" => order != Ordering::Greater,
        ">" => order == Ordering::Greater,
        _ => order != Ordering::Less,
    })
}

fn arithmetic(sign: &str, a: &Value, b: &Value) -> Result<Value> {
    if let (Some(a), Some(b)) = (a.as_int(), b.as_int()) {
        let whole = match sign {
            "+" => a.checked_add(b),
            "-" => a.checked_sub(b),
            "*" => a.checked_mul(b),
            "//" if b != 0 => a.checked_div_euclid(b).map(|q| if b < 0 && a.rem_euclid(b) != 0 { q - 1 } else { q }),
            "%" if b != 0 => a.checked_rem_euclid(b).map(|r| if b < 0 && r != 0 { r + b } else { r }),
            "**" if b >= 0 => u32::try_from(b).ok().and_then(|b| a.checked_pow(b)),
            "/" | "//" | "%" if b == 0 => return wrong("division by zero"),
            "/" | "**" => return float(sign, a as f64, b as f64),
            _ => None,
        };
        return whole.map_or_else(|| wrong("a number is too large"), |number| Ok(Value::Int(number)));
    }
    match (a.as_float(), b.as_float()) {
        (Some(a), Some(b)) => float(sign, a, b),
        _ => wrong(format!("`{sign}` of {} and {}", a.kind(), b.kind())),
    }
}

fn float(sign: &str, a: f64, b: f64) -> Result<Value> {
    Ok(Value::Float(match sign {
        "+" => a + b,
        "-" => a - b,
        "*" => a * b,
        "/" | "//" | "%" if b == 0.0 => return wrong("division by zero"),
        "/" => a / b,
        "//" => (a / b).floor(),
        "%" => a - b * (a / b).floor(),
        _ => a.powf(b),
    }))
}

fn member(value: &Value, name: &str) -> Result<Value> {
    let found = match value {
        Value::Map(map) => map.named(name).cloned(),
        Value::Namespace(namespace) => namespace.borrow().named(name).cloned(),
        Value::Loop(state) => return Ok(loop_member(state, name)),
        Value::Undefined | Value::None => return wrong(format!("{} has no `{name}`", value.kind())),
        _ => None,
    };
    Ok(found.unwrap_or(Value::Undefined))
}

fn item(value: &Value, index: &Value) -> Result<Value> {
    let at = |n: usize| {
        let index = index.as_int()?;
        usize::try_from(if index < 0 { index.checked_add(n as i64)? } else { index }).ok()
    };
    let found = match value {
        Value::List(items) => at(items.len()).and_then(|index| items.get(index).cloned()),
        Value::Text(text) if text.is_ascii() => {
            at(text.len()).and_then(|index| text.get(index..index + 1)).map(Value::text)
        }
        Value::Text(text) => at(text.chars().count())
            .and_then(|index| text.chars().nth(index))
            .map(|c| Value::text(c.encode_utf8(&mut [0; 4]))),
        Value::Map(map) => map.get(index).cloned(),
        other => {
            return index
                .as_text()
                .map_or_else(|| wrong(format!("{} has no items", other.kind())), |name| member(other, name));
        }
    };
    Ok(found.unwrap_or(Value::Undefined))
}

fn loop_member(state: &Loop, name: &str) -> Value {
    let Loop { index, n, previous, next } = state;
    let number = |number: usize| Value::Int(number as i64);
    match name {
        "index" => number(index + 1),
        "index0" => number(*index),
        "revindex" => number(n - index),
        "revindex0" => number(n - index - 1),
        "first" => Value::Bool(*index == 0),
        "last" => Value::Bool(index + 1 == *n),
        "length" => number(*n),
        // Only recursive loops are deeper.
        "depth" => Value::Int(1),
        "depth0" => Value::Int(0),
        "previtem" => previous.clone(),
        "nextitem" => next.clone(),
        _ => Value::Undefined,
    }
}

fn loop_method(state: &Loop, name: &str, given: &Given) -> Result<Value> {
    match (name, given.positional.len()) {
        ("cycle", n) if n > 0 => Ok(given.positional[state.index % n].clone()),
        _ => wrong(format!("a loop has no method `{name}`")),
    }
}
