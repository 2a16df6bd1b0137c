//! Left recursion: a rule that comes back to itself before a single character is read would never end.

use tilework::{Error, Result};

use super::rules::{Element, Rules};

/// Refuses left recursion. Linear in the size of the grammar.
pub(super) fn check(rules: &Rules) -> Result<()> {
    let is_nullable = nullable(rules);
    let edges: Vec<Vec<u32>> =
        (0..rules.alternatives.len()).map(|rule| first_rules(rules, rule, &is_nullable)).collect();
    match cycle(&edges) {
        None => Ok(()),
        Some(rule) => {
            let name = &rules.names[rule];
            Err(Error::argument(
                "grammar",
                format!("left recursion: `{name}` can begin with itself, or repeats something that can be empty"),
            ))
        }
    }
}

/// Which rules can be empty. An alternative can once all of its elements can; each is counted down once (as in Horn clauses).
fn nullable(rules: &Rules) -> Vec<bool> {
    let mut is_nullable = vec![false; rules.alternatives.len()];
    // Per alternative: its rule, and how many elements are not known to be nullable.
    let mut waiting: Vec<(usize, usize)> = Vec::new();
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); rules.alternatives.len()];
    let mut found = Vec::new();
    for (rule, starts) in rules.alternatives.iter().enumerate() {
        for &start in starts {
            let mut n_elements = 0;
            for element in rules.alternative(start) {
                n_elements += 1;
                if let Element::Rule(used) = element {
                    users[used as usize].push(waiting.len());
                }
            }
            if n_elements == 0 {
                found.push(rule);
            }
            waiting.push((rule, n_elements));
        }
    }
    while let Some(rule) = found.pop() {
        if std::mem::replace(&mut is_nullable[rule], true) {
            continue;
        }
        for &alternative in &users[rule] {
            let (user, n_left) = &mut waiting[alternative];
            *n_left -= 1;
            if *n_left == 0 {
                found.push(*user);
            }
        }
    }
    is_nullable
}

/// The rules that `rule` can begin with.
fn first_rules(rules: &Rules, rule: usize, is_nullable: &[bool]) -> Vec<u32> {
    let mut first = Vec::new();
    for &start in &rules.alternatives[rule] {
        for element in rules.alternative(start) {
            let Element::Rule(next) = element else { break };
            first.push(next);
            if !is_nullable[next as usize] {
                break;
            }
        }
    }
    first
}

/// A member of some cycle, by a depth-first walk that keeps its own stack.
fn cycle(edges: &[Vec<u32>]) -> Option<usize> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = vec![Mark::New; edges.len()];
    for start in 0..edges.len() {
        if marks[start] != Mark::New {
            continue;
        }
        marks[start] = Mark::Open;
        let mut path = vec![(start, 0)];
        while let Some((rule, next)) = path.last_mut() {
            let Some(&to) = edges[*rule].get(*next) else {
                marks[*rule] = Mark::Done;
                path.pop();
                continue;
            };
            *next += 1;
            match marks[to as usize] {
                Mark::Open => return Some(to as usize),
                Mark::Done => {}
                Mark::New => {
                    marks[to as usize] = Mark::Open;
                    path.push((to as usize, 0));
                }
            }
        }
    }
    None
}
