//! A grammar as data: rules of alternatives of elements, laid out flat, so that a place in a grammar is one number.

/// One thing that an alternative is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Element {
    /// One character of `Rules::classes`.
    Class(u32),
    /// What a rule stands for.
    Rule(u32),
    /// The end of the alternative.
    End,
}

/// A set of characters, as ranges of code points, ends included.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Class {
    pub(crate) is_negated: bool,
    pub(crate) ranges: Vec<(u32, u32)>,
}

impl Class {
    pub(crate) fn contains(&self, code: u32) -> bool {
        self.ranges.iter().any(|&(from, to)| (from..=to).contains(&code)) != self.is_negated
    }

    /// Whether it has any of the characters `from..=to`.
    pub(crate) fn meets(&self, from: u32, to: u32) -> bool {
        if !self.is_negated {
            return self.ranges.iter().any(|range| range.0 <= to && from <= range.1);
        }
        // A negated class misses all of them only if its ranges cover them: follow the covered part from the left.
        let mut next = from;
        while next <= to {
            match self.ranges.iter().filter(|range| (range.0..=range.1).contains(&next)).map(|range| range.1).max() {
                Some(end) => next = end + 1,
                None => return true,
            }
        }
        false
    }
}

/// A whole grammar.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) elements: Vec<Element>,
    pub(crate) classes: Vec<Class>,
    /// Where the alternatives of each rule begin in `elements`.
    pub(crate) alternatives: Vec<Vec<u32>>,
    /// What the rules are called; made-up ones by the rule they come from.
    pub(crate) names: Vec<String>,
    pub(crate) root: u32,
}

impl Rules {
    /// The elements of the alternative that begins at `start`, without its end.
    pub(crate) fn alternative(&self, start: u32) -> impl Iterator<Item = Element> + '_ {
        self.elements[start as usize..].iter().copied().take_while(|element| *element != Element::End)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_meet_ranges_as_their_members_say() {
        let ranges = vec![(3, 5), (10, 12), (5, 7)];
        for is_negated in [false, true] {
            let class = Class { is_negated, ranges: ranges.clone() };
            for from in 0..16 {
                for to in from..16 {
                    assert_eq!(class.meets(from, to), (from..=to).any(|code| class.contains(code)), "{from}..={to}");
                }
            }
        }
    }
}
