//! Many short texts, and the way back from a text to its number.
//!
//! A vocabulary has up to a quarter of a million. As `String`s in a list and again as keys of a map they would take twelve times the
//! memory of their bytes; here they lie one after the other, and the map is a table of numbers.

use std::hash::{BuildHasher, RandomState};

/// Texts by number.
#[derive(Debug)]
pub(super) struct Texts {
    all: String,
    /// Where each ends.
    ends: Vec<usize>,
    /// Numbers at the places that hashes choose, or at the next free one; at least half are free.
    slots: Vec<u32>,
    hasher: RandomState,
}

const FREE: u32 = u32::MAX;

impl Texts {
    /// Of two equal texts the last one is found. There may be no more than `u32` counts.
    pub(super) fn new(texts: &[String]) -> Texts {
        let n_slots = (2 * texts.len()).max(1).next_power_of_two();
        let mut made = Texts {
            all: String::with_capacity(texts.iter().map(String::len).sum()),
            ends: Vec::with_capacity(texts.len()),
            slots: vec![FREE; n_slots],
            hasher: RandomState::new(),
        };
        for (id, text) in (0..).zip(texts) {
            made.all.push_str(text);
            made.ends.push(made.all.len());
            let slot = made.slot(text);
            made.slots[slot] = id;
        }
        made
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// A text by its number; empty if there is none.
    pub(super) fn get(&self, id: u32) -> &str {
        let Some(&end) = self.ends.get(id as usize) else { return "" };
        let start = (id as usize).checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.all[start..end]
    }

    /// The number of a text.
    pub(super) fn find(&self, text: &str) -> Option<u32> {
        Some(self.slots[self.slot(text)]).filter(|&id| id != FREE)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len() as u32).map(|id| self.get(id))
    }

    /// Where a text is, or where it would be.
    fn slot(&self, text: &str) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = self.hasher.hash_one(text) as usize & mask;
        while self.slots[slot] != FREE && self.get(self.slots[slot]) != text {
            slot = (slot + 1) & mask;
        }
        slot
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_found_by_number_and_by_text() {
        let texts: Vec<String> = (0..1000).map(|n| format!("{}é", n % 900)).chain([String::new()]).collect();
        let made = Texts::new(&texts);
        assert_eq!(made.len(), 1001);
        assert!(made.iter().eq(texts.iter()));
        assert_eq!((made.get(7), made.get(1000), made.get(1001)), ("7é", "", ""));
        // Of equal ones the last.
        assert_eq!((made.find("7é"), made.find("899é"), made.find("")), (Some(907), Some(899), Some(1000)));
        assert_eq!((made.find("900é"), made.find("7")), (None, None));
        assert_eq!(Texts::new(&[]).find("x"), None);
    }
}
