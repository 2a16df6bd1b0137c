//! Runs statements.

use std::rc::Rc;

use super::ast::{Call, For, Macro, Statement, Target};
use super::value::{Loop, Map, Value};
use super::{Failure, Limits, MAX_DEPTH, Result, wrong};

pub(super) fn render(body: &[Statement], context: Vec<(&str, Value)>, limits: Limits) -> Result<String> {
    let context = context.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    let mut run = Run {
        scopes: vec![context],
        macros: Vec::new(),
        out: String::new(),
        n_steps_left: limits.n_steps,
        n_bytes_most: limits.n_bytes,
        depth: 0,
    };
    match run.all(body)? {
        Then::GoOn => Ok(run.out),
        Then::Break | Then::Continue => wrong("`break` and `continue` belong into a loop"),
    }
}

/// A template while it runs.
pub(super) struct Run<'a> {
    /// What names mean; the innermost last. The first are those of the template itself.
    scopes: Vec<Vec<(String, Value)>>,
    pub(super) macros: Vec<&'a Macro>,
    /// What is printed so far.
    out: String,
    n_steps_left: u64,
    n_bytes_most: usize,
    depth: usize,
}

/// What follows a statement.
enum Then {
    GoOn,
    Break,
    Continue,
}

/// Bytes of text that are worth a step.
const BYTES_PER_STEP: usize = 8;
/// Bytes that anything but a text takes in print, brackets and commas included.
const BYTES_OF_OTHERS: usize = 24;
/// Names that are looked at in a step.
const NAMES_PER_STEP: usize = 8;

impl<'a> Run<'a> {
    pub(super) fn steps(&mut self, n: u64) -> Result<()> {
        self.n_steps_left = self.n_steps_left.checked_sub(n).ok_or(Failure::TooLong)?;
        Ok(())
    }

    /// Fails if a text of so many bytes is too long.
    pub(super) fn check_len(&self, n: usize) -> Result<()> {
        if n > self.n_bytes_most { Err(Failure::TooMuch) } else { Ok(()) }
    }

    /// Pays for a text that is being made.
    pub(super) fn pay_bytes(&mut self, n: usize) -> Result<()> {
        self.check_len(n)?;
        self.steps((n / BYTES_PER_STEP) as u64)
    }

    /// Pays for going through all of a value, and for `indent` more bytes per level of each of its parts. What is shared counts as often as
    /// it is met: twice a list, in a list that is there twice, and so on, is more than any memory.
    pub(super) fn pay_for_all(&mut self, value: &Value, indent: usize) -> Result<()> {
        let mut n_bytes = 0;
        self.weigh(value, (0, indent), &mut n_bytes)
    }

    fn weigh(&mut self, value: &Value, (depth, indent): (usize, usize), n_bytes: &mut usize) -> Result<()> {
        // No one goes deeper.
        if depth > MAX_DEPTH {
            return Ok(());
        }
        let n_own = value.as_text().map_or(BYTES_OF_OTHERS, str::len);
        *n_bytes += n_own + indent * depth;
        if *n_bytes > self.n_bytes_most {
            return Err(Failure::TooMuch);
        }
        self.steps(1 + (n_own / BYTES_PER_STEP) as u64)?;
        let inner = (depth + 1, indent);
        match value {
            Value::List(items) => items.iter().try_for_each(|item| self.weigh(item, inner, n_bytes)),
            Value::Map(map) => map.0.iter().try_for_each(|(key, item)| {
                self.weigh(key, inner, n_bytes)?;
                self.weigh(item, inner, n_bytes)
            }),
            _ => Ok(()),
        }
    }

    /// What a value prints.
    pub(super) fn printed(&mut self, value: &Value) -> Result<Rc<str>> {
        if !matches!(value, Value::Text(_)) {
            self.pay_for_all(value, 0)?;
        }
        Ok(value.printed())
    }

    /// Whether two values are equal.
    pub(super) fn equal(&mut self, a: &Value, b: &Value) -> Result<bool> {
        match (a, b) {
            (Value::Text(a), Value::Text(b)) if a.len() == b.len() => self.steps((a.len() / BYTES_PER_STEP) as u64)?,
            (Value::List(_), Value::List(_)) | (Value::Map(_), Value::Map(_)) => self.pay_for_all(a, 0)?,
            _ => {}
        }
        Ok(a.is_equal(b))
    }

    /// Pays for looking something up in a value.
    pub(super) fn pay_for_lookup(&mut self, value: &Value) -> Result<()> {
        match value {
            Value::Text(text) => self.steps((text.len() / BYTES_PER_STEP) as u64),
            Value::Map(map) => self.steps((map.0.len() / NAMES_PER_STEP) as u64),
            Value::Namespace(map) => {
                let n = map.borrow().0.len();
                self.steps((n / NAMES_PER_STEP) as u64)
            }
            _ => Ok(()),
        }
    }

    /// The same for a name.
    pub(super) fn pay_for_name(&mut self) -> Result<()> {
        let n: usize = self.scopes.iter().map(Vec::len).sum();
        self.steps((n / NAMES_PER_STEP) as u64)
    }

    /// What a name means.
    pub(super) fn lookup(&self, name: &str) -> Value {
        let named =
            |scope: &Vec<(String, Value)>| scope.iter().rev().find(|(own, _)| own == name).map(|(_, v)| v.clone());
        self.scopes.iter().rev().find_map(named).unwrap_or(Value::Undefined)
    }

    fn assign(&mut self, name: &str, value: Value) {
        if let Some(scope) = self.scopes.last_mut() {
            match scope.iter_mut().find(|(own, _)| own == name) {
                Some((_, own)) => *own = value,
                None => scope.push((name.to_owned(), value)),
            }
        }
    }

    fn write(&mut self, text: &str) -> Result<()> {
        if self.out.len() + text.len() > self.n_bytes_most {
            return Err(Failure::TooMuch);
        }
        self.out.push_str(text);
        self.steps((text.len() / BYTES_PER_STEP) as u64)
    }

    /// What `body` prints.
    fn captured(&mut self, body: &'a [Statement]) -> Result<String> {
        let before = std::mem::take(&mut self.out);
        let then = self.all(body);
        let printed = std::mem::replace(&mut self.out, before);
        match then? {
            Then::GoOn => Ok(printed),
            Then::Break | Then::Continue => wrong("`break` and `continue` belong into a loop"),
        }
    }

    fn all(&mut self, body: &'a [Statement]) -> Result<Then> {
        for statement in body {
            match self.one(statement)? {
                Then::GoOn => {}
                then => return Ok(then),
            }
        }
        Ok(Then::GoOn)
    }

    fn one(&mut self, statement: &'a Statement) -> Result<Then> {
        self.steps(1)?;
        match statement {
            Statement::Text(text) => self.write(text)?,
            Statement::Print(value) => {
                let value = self.evaluate(value)?;
                let text = self.printed(&value)?;
                self.write(&text)?;
            }
            Statement::If(branches) => {
                for (condition, body) in branches {
                    let is_true = match condition {
                        Some(condition) => self.evaluate(condition)?.is_true(),
                        None => true,
                    };
                    if is_true {
                        return self.all(body);
                    }
                }
            }
            Statement::For(repetition) => self.repeat(repetition)?,
            Statement::Set(target, value) => {
                let value = self.evaluate(value)?;
                self.set(target, value)?;
            }
            Statement::SetBlock(target, body, filters) => {
                let value = self.filtered(body, filters)?;
                self.set(target, value)?;
            }
            Statement::Filter(filters, body) => {
                let value = self.filtered(body, filters)?;
                let text = self.printed(&value)?;
                self.write(&text)?;
            }
            Statement::Macro(definition) => {
                self.macros.push(definition);
                self.assign(&definition.name, Value::Macro(self.macros.len() - 1));
            }
            Statement::Break => return Ok(Then::Break),
            Statement::Continue => return Ok(Then::Continue),
        }
        Ok(Then::GoOn)
    }

    fn filtered(&mut self, body: &'a [Statement], filters: &'a [Call]) -> Result<Value> {
        let mut value = Value::Text(self.captured(body)?.into());
        for filter in filters {
            let arguments = self.arguments(&filter.arguments)?;
            value = self.filter(&filter.name, value, arguments)?;
        }
        Ok(value)
    }

    fn set(&mut self, target: &Target, value: Value) -> Result<()> {
        match target {
            Target::Name(name) => self.assign(name, value),
            Target::Member(name, member) => match self.lookup(name) {
                Value::Namespace(namespace) => namespace.borrow_mut().set(Value::text(member), value),
                other => return wrong(format!("`{name}` is {}; only members of a namespace can be set", other.kind())),
            },
            Target::Several(targets) => {
                let values = self.items(&value)?;
                if values.len() != targets.len() {
                    return wrong(format!("{} values for {} names", values.len(), targets.len()));
                }
                for (target, value) in targets.iter().zip(values) {
                    self.set(target, value)?;
                }
            }
        }
        Ok(())
    }

    fn repeat(&mut self, repetition: &'a For) -> Result<()> {
        let For { target, items, condition, body, otherwise } = repetition;
        let items = self.evaluate(items)?;
        let mut items = self.items(&items)?;
        self.scopes.push(Vec::new());
        let done = self.repeat_in_scope(target, condition.as_ref(), &mut items, body);
        self.scopes.pop();
        done?;
        if items.is_empty() {
            // Neither `break` nor `continue` can stand there, but for those of a loop around it.
            self.all(otherwise)?;
        }
        Ok(())
    }

    fn repeat_in_scope(
        &mut self,
        target: &Target,
        condition: Option<&'a super::ast::Expression>,
        items: &mut Vec<Value>,
        body: &'a [Statement],
    ) -> Result<()> {
        if let Some(condition) = condition {
            let mut kept = Vec::new();
            for item in items.drain(..) {
                self.set(target, item.clone())?;
                if self.evaluate(condition)?.is_true() {
                    kept.push(item);
                }
            }
            *items = kept;
        }
        for (index, item) in items.iter().enumerate() {
            self.steps(1)?;
            if let Some(scope) = self.scopes.last_mut() {
                scope.clear();
            }
            self.set(target, item.clone())?;
            let neighbor = |index: Option<usize>| index.and_then(|i| items.get(i)).cloned().unwrap_or(Value::Undefined);
            let state = Loop {
                index,
                n: items.len(),
                previous: neighbor(index.checked_sub(1)),
                next: neighbor(Some(index + 1)),
            };
            self.assign("loop", Value::Loop(Rc::new(state)));
            if let Then::Break = self.all(body)? {
                break;
            }
        }
        Ok(())
    }

    /// What a macro prints.
    pub(super) fn call_macro(&mut self, number: usize, arguments: Given) -> Result<Value> {
        let Some(&definition) = self.macros.get(number) else { return wrong("there is no such macro") };
        let Macro { name, parameters, body } = definition;
        if self.depth >= MAX_DEPTH {
            return wrong(format!("`{name}` calls itself too often"));
        }
        if arguments.positional.len() > parameters.len() {
            return wrong(format!("`{name}` takes {} arguments", parameters.len()));
        }
        let mut given = arguments.positional.into_iter();
        let mut named = arguments.named;
        // A macro sees the names of the template, not those of where it is called.
        let hidden = self.scopes.split_off(1);
        self.scopes.push(Vec::new());
        self.depth += 1;
        let printed = (|| {
            for (parameter, usual) in parameters {
                let own = named.iter().position(|(name, _)| name == parameter).map(|at| named.remove(at).1);
                let value = match (given.next().or(own), usual) {
                    (Some(value), _) => value,
                    (None, Some(usual)) => self.evaluate(usual)?,
                    (None, None) => Value::Undefined,
                };
                self.assign(parameter, value);
            }
            if let Some((name, _)) = named.first() {
                return wrong(format!("there is no parameter `{name}`"));
            }
            self.captured(body)
        })();
        self.depth -= 1;
        self.scopes.truncate(1);
        self.scopes.extend(hidden);
        Ok(Value::Text(printed?.into()))
    }

    /// The items of a value, as a loop goes through them.
    pub(super) fn items(&mut self, value: &Value) -> Result<Vec<Value>> {
        let items: Vec<Value> = match value {
            Value::Undefined => Vec::new(),
            Value::List(items) => items.to_vec(),
            Value::Map(map) => map.0.iter().map(|(key, _)| key.clone()).collect(),
            Value::Text(text) => {
                let mut buffer = [0; 4];
                text.chars().map(|c| Value::text(c.encode_utf8(&mut buffer))).collect()
            }
            other => return wrong(format!("{} has no items", other.kind())),
        };
        self.steps(items.len() as u64)?;
        Ok(items)
    }
}

/// Arguments of a call, evaluated.
#[derive(Default)]
pub(super) struct Given {
    pub(super) positional: Vec<Value>,
    pub(super) named: Vec<(String, Value)>,
}

impl Given {
    /// An argument by its place or by its name; undefined if it is not given.
    pub(super) fn get(&self, index: usize, name: &str) -> Value {
        let named = || self.named.iter().find(|(own, _)| own == name).map(|(_, value)| value);
        self.positional.get(index).or_else(named).cloned().unwrap_or(Value::Undefined)
    }

    /// The same without its first `n` arguments.
    pub(super) fn after(mut self, n: usize) -> Given {
        self.positional.drain(..n.min(self.positional.len()));
        self
    }

    /// As the members of a mapping.
    pub(super) fn into_map(self) -> Result<Map> {
        let mut map = Map::default();
        for value in self.positional {
            let Value::Map(more) = value else { return wrong("a mapping is needed") };
            more.0.iter().for_each(|(key, value)| map.set(key.clone(), value.clone()));
        }
        for (name, value) in self.named {
            map.set(Value::text(&name), value);
        }
        Ok(map)
    }
}
