//! Stacks of places in a grammar, shared and memoized.
//!
//! A stack is a place and the stack below it. Equal stacks have equal numbers, so a set of readings is a short list of
//! numbers, and what follows a stack is computed once.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use tilework::layers::core::order;
use tilework::{Error, ErrorKind, Result};

use super::rules::{Class, Element, Rules};

/// The empty stack: the text is complete.
pub(super) const EMPTY: u32 = 0;
/// Most steps from one character to all the next ones; only a hugely ambiguous grammar needs more.
const MAX_STEPS: usize = 1 << 14;
/// Most stacks remembered at once.
const MAX_STACKS: usize = 1 << 18;

#[derive(Clone, Copy, Debug)]
struct Stack {
    place: u32,
    below: u32,
}

/// All stacks met so far.
#[derive(Clone, Debug)]
pub(super) struct Stacks {
    rules: Arc<Rules>,
    stacks: Vec<Stack>,
    ids: HashMap<(u32, u32), u32>,
    /// What follows a stack once its character is read.
    after: HashMap<u32, Arc<[u32]>>,
}

impl Stacks {
    pub(super) fn new(rules: Arc<Rules>) -> Stacks {
        let empty = Stack { place: u32::MAX, below: EMPTY };
        Stacks { rules, stacks: vec![empty], ids: HashMap::new(), after: HashMap::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.stacks.len()
    }

    /// The stacks at the beginning of a text.
    pub(super) fn start(&mut self) -> Result<Vec<u32>> {
        let rules = Arc::clone(&self.rules);
        let starts = rules.alternatives[rules.root as usize].iter().map(|&place| (place, EMPTY));
        self.closure(starts.collect())
    }

    /// The characters that a stack waits for; none for the empty one.
    pub(super) fn class(&self, stack: u32) -> Option<&Class> {
        match self.rules.elements.get(self.stacks[stack as usize].place as usize)? {
            Element::Class(class) => self.rules.classes.get(*class as usize),
            _ => None,
        }
    }

    /// The stacks that follow once a stack has read its character.
    pub(super) fn after(&mut self, stack: u32) -> Result<Arc<[u32]>> {
        if let Some(after) = self.after.get(&stack) {
            return Ok(Arc::clone(after));
        }
        let Stack { place, below } = self.stacks[stack as usize];
        let after: Arc<[u32]> = self.closure(vec![(place + 1, below)])?.into();
        self.after.insert(stack, Arc::clone(&after));
        Ok(after)
    }

    /// Follows rules and ends of rules from some places until each stack waits for a character or is empty.
    fn closure(&mut self, mut todo: Vec<(u32, u32)>) -> Result<Vec<u32>> {
        let rules = Arc::clone(&self.rules);
        let mut seen: HashSet<(u32, u32)> = HashSet::new();
        let mut found = Vec::new();
        while let Some((place, below)) = todo.pop() {
            if !seen.insert((place, below)) {
                continue;
            }
            if seen.len() > MAX_STEPS {
                return Err(Error::new(ErrorKind::TooLarge, "grammar", "it can be read in too many ways at once"));
            }
            match rules.elements[place as usize] {
                Element::Class(_) => found.push(self.id(place, below)?),
                Element::End if below == EMPTY => found.push(EMPTY),
                Element::End => {
                    let next = self.stacks[below as usize];
                    todo.push((next.place, next.below));
                }
                Element::Rule(rule) => {
                    // Nothing to come back to after the last element: such stacks do not grow.
                    let is_last = rules.elements[place as usize + 1] == Element::End;
                    let below = if is_last { below } else { self.id(place + 1, below)? };
                    todo.extend(rules.alternatives[rule as usize].iter().map(|&start| (start, below)));
                }
            }
        }
        order::sort_by(&mut found, Ord::cmp);
        found.dedup();
        Ok(found)
    }

    fn id(&mut self, place: u32, below: u32) -> Result<u32> {
        if let Some(&id) = self.ids.get(&(place, below)) {
            return Ok(id);
        }
        if self.stacks.len() >= MAX_STACKS {
            return Err(Error::new(ErrorKind::TooLarge, "grammar", "the text is nested too deep for the grammar"));
        }
        let id = self.stacks.len() as u32;
        self.stacks.push(Stack { place, below });
        self.ids.insert((place, below), id);
        Ok(id)
    }

    /// Forgets all stacks but `kept` and what is below them, whose new numbers it returns.
    pub(super) fn keep(&mut self, kept: &[u32]) -> Result<Vec<u32>> {
        let old = std::mem::replace(self, Stacks::new(Arc::clone(&self.rules)));
        let mut numbers = HashMap::from([(EMPTY, EMPTY)]);
        for &stack in kept {
            let mut path = Vec::new();
            let mut at = stack;
            while !numbers.contains_key(&at) {
                path.push(at);
                at = old.stacks[at as usize].below;
            }
            for stack in path.into_iter().rev() {
                let Stack { place, below } = old.stacks[stack as usize];
                let number = self.id(place, numbers[&below])?;
                numbers.insert(stack, number);
            }
        }
        Ok(kept.iter().map(|stack| numbers[stack]).collect())
    }
}
