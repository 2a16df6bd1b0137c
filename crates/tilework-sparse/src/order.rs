//! A fill-reducing order by approximate minimum degree.
//!
//! Eliminating a variable connects all its neighbours. The graph of what is left is kept as a *quotient graph*: an eliminated variable
//! becomes an *element*, which stands for the clique of its neighbours, so that no edge is ever added. The variable with the fewest
//! neighbours, approximately counted, goes next; variables with equal neighbours are merged and go together.
//! (P. Amestoy, T. Davis, I. Duff, *An approximate minimum degree ordering algorithm*, SIAM J. Matrix Anal. Appl. 17, 1996.)

use crate::Pattern;
use std::collections::BTreeSet;

/// The blocks of `pattern` in an order of elimination that keeps the factor sparse. Degrees count rows, not blocks.
pub fn minimum_degree(pattern: &Pattern) -> Vec<u32> {
    Quotient::new(pattern).eliminate()
}

struct Quotient {
    /// Neighbours that are not eliminated.
    variables: Vec<Vec<u32>>,
    /// Of a variable, the elements it belongs to; of an element (an eliminated variable), unused.
    elements: Vec<Vec<u32>>,
    /// Of an element, the variables of its clique.
    cliques: Vec<Vec<u32>>,
    /// Rows a variable stands for; 0 once it was merged into another or eliminated.
    weight: Vec<u32>,
    /// Approximate number of rows next to a variable.
    degree: Vec<u32>,
    /// Variables by degree.
    queue: BTreeSet<(u32, u32)>,
    /// Whether an element was absorbed by another.
    is_absorbed: Vec<bool>,
    /// Variables that go with a variable.
    merged: Vec<Vec<u32>>,
    /// Rows of an element outside the clique being formed, if its stamp is current.
    outside: Vec<(u32, u32)>,
    /// Stamp of the clique each variable was last a member of.
    member: Vec<u32>,
    n_rows_left: u32,
}

impl Quotient {
    fn new(pattern: &Pattern) -> Quotient {
        let n = pattern.n_blocks();
        let mut variables = vec![Vec::new(); n];
        for col in 0..n {
            for (row, _) in pattern.column(col).filter(|&(row, _)| row != col) {
                variables[col].push(row as u32);
                variables[row].push(col as u32);
            }
        }
        let weight = pattern.dims.clone();
        let degree: Vec<u32> =
            variables.iter().map(|near| near.iter().map(|&other| weight[other as usize]).sum()).collect();
        Quotient {
            queue: degree.iter().enumerate().map(|(k, &degree)| (degree, k as u32)).collect(),
            n_rows_left: weight.iter().sum(),
            elements: vec![Vec::new(); n],
            cliques: vec![Vec::new(); n],
            is_absorbed: vec![false; n],
            merged: vec![Vec::new(); n],
            outside: vec![(0, 0); n],
            member: vec![0; n],
            variables,
            weight,
            degree,
        }
    }

    fn eliminate(mut self) -> Vec<u32> {
        let mut order = Vec::with_capacity(self.weight.len());
        let mut stamp = 0;
        while let Some((_, pivot)) = self.queue.pop_first() {
            stamp += 1;
            let clique = self.form_clique(pivot, stamp);
            self.measure_outside(&clique, stamp);
            let kept = self.update(pivot, clique, stamp);
            self.n_rows_left -= self.weight[pivot as usize];
            self.weight[pivot as usize] = 0;
            let kept = self.merge_equal(kept);
            for &variable in &kept {
                self.queue.insert((self.degree[variable as usize], variable));
            }
            self.cliques[pivot as usize] = kept;
            self.push_with_merged(pivot, &mut order);
        }
        order
    }

    /// `variable` and all that went with it.
    fn push_with_merged(&self, variable: u32, order: &mut Vec<u32>) {
        let mut stack = vec![variable];
        while let Some(next) = stack.pop() {
            order.push(next);
            stack.extend(&self.merged[next as usize]);
        }
    }

    /// The variables next to the pivot, which leave the queue; the pivot's elements are absorbed into the one it becomes.
    fn form_clique(&mut self, pivot: u32, stamp: u32) -> Vec<u32> {
        let near = std::mem::take(&mut self.variables[pivot as usize]);
        let elements = std::mem::take(&mut self.elements[pivot as usize]);
        let mut clique = Vec::new();
        self.member[pivot as usize] = stamp;
        let from_elements = elements.iter().map(|&element| std::mem::take(&mut self.cliques[element as usize]));
        for list in std::iter::once(near).chain(from_elements.collect::<Vec<_>>()) {
            for variable in list {
                let at = variable as usize;
                if self.weight[at] > 0 && self.member[at] != stamp {
                    self.member[at] = stamp;
                    clique.push(variable);
                    self.queue.remove(&(self.degree[at], variable));
                }
            }
        }
        elements.iter().for_each(|&element| self.is_absorbed[element as usize] = true);
        clique
    }

    /// For every element that meets the clique, the rows it has outside of it.
    fn measure_outside(&mut self, clique: &[u32], stamp: u32) {
        for &variable in clique {
            for &element in &self.elements[variable as usize] {
                let at = element as usize;
                if self.is_absorbed[at] {
                    continue;
                }
                if self.outside[at].0 != stamp {
                    let rows = self.cliques[at].iter().map(|&variable| self.weight[variable as usize]).sum();
                    self.outside[at] = (stamp, rows);
                }
                self.outside[at].1 -= self.weight[variable as usize];
            }
        }
    }

    /// Connects the clique's variables to the new element `pivot` and counts their degrees anew. Those with no other neighbour
    /// are eliminated with the pivot; the others are returned.
    fn update(&mut self, pivot: u32, clique: Vec<u32>, stamp: u32) -> Vec<u32> {
        let clique_rows: u32 = clique.iter().map(|&variable| self.weight[variable as usize]).sum();
        let mut kept = Vec::with_capacity(clique.len());
        for variable in clique {
            let at = variable as usize;
            let (weight, member) = (&self.weight, &self.member);
            self.variables[at].retain(|&near| weight[near as usize] > 0 && member[near as usize] != stamp);
            let (outside, is_absorbed) = (&self.outside, &mut self.is_absorbed);
            let mut elements = std::mem::take(&mut self.elements[at]);
            elements.retain(|&element| {
                let is_inside = outside[element as usize] == (stamp, 0);
                // An element inside the new one has nothing to add to it.
                is_absorbed[element as usize] |= is_inside;
                !is_absorbed[element as usize]
            });
            let near: u32 = self.variables[at].iter().map(|&near| self.weight[near as usize]).sum();
            let beyond: u32 = elements.iter().map(|&element| self.outside[element as usize].1).sum();
            let others = clique_rows - self.weight[at];
            if near == 0 && elements.is_empty() {
                self.weight[pivot as usize] += self.weight[at];
                self.weight[at] = 0;
                self.merged[pivot as usize].push(variable);
                continue;
            }
            let exact_at_most = self.n_rows_left.saturating_sub(self.weight[pivot as usize] + self.weight[at]);
            self.degree[at] = (self.degree[at] + others).min(near + others + beyond).min(exact_at_most);
            elements.push(pivot);
            self.elements[at] = elements;
            kept.push(variable);
        }
        kept
    }

    /// Merges variables with the same neighbours.
    fn merge_equal(&mut self, kept: Vec<u32>) -> Vec<u32> {
        let mut keyed: Vec<(u64, u32)> = kept
            .iter()
            .map(|&variable| {
                let at = variable as usize;
                self.variables[at].sort_unstable();
                self.elements[at].sort_unstable();
                let sum = |list: &[u32]| list.iter().map(|&k| u64::from(k) + 1).sum::<u64>();
                let lengths = (self.variables[at].len() as u64) << 48 | (self.elements[at].len() as u64) << 32;
                (lengths ^ (sum(&self.variables[at]) * 31 + sum(&self.elements[at])), variable)
            })
            .collect();
        keyed.sort_unstable();
        let mut distinct: Vec<u32> = Vec::with_capacity(keyed.len());
        let mut first_of_key = 0;
        for k in 0..keyed.len() {
            let (key, variable) = keyed[k];
            if k == 0 || keyed[k - 1].0 != key {
                first_of_key = distinct.len();
            }
            let is_equal = |other: u32| {
                self.variables[other as usize] == self.variables[variable as usize]
                    && self.elements[other as usize] == self.elements[variable as usize]
            };
            match distinct[first_of_key..].iter().copied().find(|&other| is_equal(other)) {
                Some(other) => self.absorb(other, variable),
                None => distinct.push(variable),
            }
        }
        distinct
    }

    fn absorb(&mut self, into: u32, variable: u32) {
        let weight = std::mem::take(&mut self.weight[variable as usize]);
        self.weight[into as usize] += weight;
        self.degree[into as usize] = self.degree[into as usize].saturating_sub(weight);
        self.merged[into as usize].push(variable);
        self.variables[variable as usize] = Vec::new();
        self.elements[variable as usize] = Vec::new();
    }
}
