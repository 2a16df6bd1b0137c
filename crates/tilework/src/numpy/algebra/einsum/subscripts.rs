//! What the subscripts of an einsum say: a label for each axis of each operand and of the result.

use tilework_core::{Error, Result};

/// A letter by its code, or an axis that `...` stands for, as [`ELLIPSIS`] plus its number from the last.
pub(super) type Label = u32;

/// The label of the last axis that `...` stands for.
const ELLIPSIS: Label = 256;

/// Labels of all operands and of the result.
#[derive(Debug)]
pub(super) struct Subscripts {
    pub(super) inputs: Vec<Vec<Label>>,
    pub(super) output: Vec<Label>,
}

fn wrong(message: String) -> Error {
    Error::argument("einsum", message)
}

/// One operand or the result: letters, with `...` for axes of any number between `before` and `after`.
struct Term<'a> {
    text: &'a str,
    before: &'a str,
    after: &'a str,
    has_ellipsis: bool,
}

impl<'a> Term<'a> {
    fn new(text: &'a str) -> Result<Term<'a>> {
        let (before, after, has_ellipsis) = match text.split_once("...") {
            Some((before, after)) => (before, after, true),
            None => (text, "", false),
        };
        match before.chars().chain(after.chars()).find(|letter| !letter.is_ascii_alphabetic()) {
            Some(letter) => Err(wrong(format!("'{letter}' in \"{text}\" is neither a letter nor part of one '...'"))),
            None => Ok(Term { text, before, after, has_ellipsis }),
        }
    }

    /// Labels, if `...` stands for `n_more` axes.
    fn labels(&self, n_more: usize) -> Vec<Label> {
        let letters = |text: &str| text.bytes().map(Label::from).collect::<Vec<_>>();
        let n_more = if self.has_ellipsis { n_more } else { 0 };
        let more: Vec<Label> = (0..n_more as Label).rev().map(|k| ELLIPSIS + k).collect();
        [letters(self.before), more, letters(self.after)].concat()
    }

    /// How many axes `...` stands for in an operand of `rank` axes.
    fn n_more(&self, rank: usize) -> Result<usize> {
        let n_letters = self.before.len() + self.after.len();
        match rank.checked_sub(n_letters) {
            Some(n_more) if n_more == 0 || self.has_ellipsis => Ok(n_more),
            _ => Err(Error::shape("einsum", format!("\"{}\" does not fit an operand of {rank} axes", self.text))),
        }
    }
}

impl Subscripts {
    /// Reads `text` for operands of these numbers of axes.
    pub(super) fn new(text: &str, ranks: &[usize]) -> Result<Subscripts> {
        let text: String = text.chars().filter(|letter| *letter != ' ').collect();
        let (left, right) = match text.split_once("->") {
            Some((left, right)) => (left, Some(Term::new(right)?)),
            None => (text.as_str(), None),
        };
        let terms = left.split(',').map(Term::new).collect::<Result<Vec<_>>>()?;
        if terms.len() != ranks.len() {
            let message = format!("\"{text}\" is for {} operands, {} were given", terms.len(), ranks.len());
            return Err(wrong(message));
        }
        let more = terms.iter().zip(ranks).map(|(term, &rank)| term.n_more(rank)).collect::<Result<Vec<_>>>()?;
        let inputs: Vec<Vec<Label>> = terms.iter().zip(&more).map(|(term, &n)| term.labels(n)).collect();
        let n_more = more.into_iter().max().unwrap_or(0);
        let output = match right {
            Some(term) => explicit(&term, &inputs, n_more)?,
            None => implicit(&inputs, n_more),
        };
        Ok(Subscripts { inputs, output })
    }
}

/// The labels of a result that is named: each once, each of some operand.
fn explicit(term: &Term<'_>, inputs: &[Vec<Label>], n_more: usize) -> Result<Vec<Label>> {
    if n_more > 0 && !term.has_ellipsis {
        return Err(wrong(format!("operands have axes under '...', the result \"{}\" has no '...'", term.text)));
    }
    let output = term.labels(n_more);
    for (at, label) in output.iter().enumerate() {
        let letter = char::from_u32(*label).unwrap_or('.');
        if output[..at].contains(label) {
            return Err(wrong(format!("the result \"{}\" names '{letter}' twice", term.text)));
        }
        if !inputs.iter().any(|labels| labels.contains(label)) {
            return Err(wrong(format!("'{letter}' of the result \"{}\" is in no operand", term.text)));
        }
    }
    Ok(output)
}

/// The axes under `...`, then the letters that occur once, in alphabetical order.
fn implicit(inputs: &[Vec<Label>], n_more: usize) -> Vec<Label> {
    let mut letters: Vec<Label> = inputs.iter().flatten().copied().filter(|&label| label < ELLIPSIS).collect();
    letters.sort_unstable();
    let once = letters.iter().copied().filter(|label| letters.iter().filter(|other| *other == label).count() == 1);
    (0..n_more as Label).rev().map(|k| ELLIPSIS + k).chain(once).collect()
}
