//! What a solver on the device tells: a few words that decide the next iteration and hold what the last ones did.

use crate::summary::Reason;
use std::fmt::Write;

/// Iterations that are remembered until somebody reads them.
pub(crate) const RECORDS: usize = 8;
const HEAD: usize = 16;
const RECORD_WORDS: usize = 11;
/// Words of a status, all of them single floats.
pub(crate) const WORDS: usize = HEAD + RECORDS * RECORD_WORDS;

const RADIUS: usize = 0;
const FACTOR: usize = 1;
const REASON: usize = 2;
const N_RECORDS: usize = 3;
const ACCEPTED: usize = 4;
const BLIND: usize = 5;
// Of a line search: the ends of the interval, trials so far; then what is remembered, and where the next change goes.
const LOW: usize = 6;
const HIGH: usize = 7;
const TRIALS: usize = 8;
const CHANGES: usize = 9;
const NEWEST: usize = 10;
const STARTED: usize = 11;
const GRADIENT_MAX: usize = 12;
/// What the last trial led to: another one, a new direction, or one without a memory.
const TURN: usize = 13;

/// Reasons by number, from 1; 0 is none.
const REASONS: [Reason; 4] = [Reason::Gradient, Reason::Step, Reason::Cost, Reason::NoProgress];

/// The words of a solver that has not begun. `radius` is that of the trust region, or the length of the first trial.
pub(crate) fn initial(radius: f64) -> Vec<f32> {
    let mut words = vec![0.0; WORDS];
    words[RADIUS] = radius as f32;
    words[FACTOR] = 2.0;
    words[BLIND] = 3e38;
    words
}

/// The names of the words for kernels.
pub(crate) fn wgsl() -> String {
    let mut text = String::new();
    let words = [
        ("STATUS_RADIUS", RADIUS),
        ("STATUS_FACTOR", FACTOR),
        ("STATUS_REASON", REASON),
        ("STATUS_RECORDS", N_RECORDS),
        ("STATUS_ACCEPTED", ACCEPTED),
        ("STATUS_BLIND", BLIND),
        ("STATUS_LOW", LOW),
        ("STATUS_HIGH", HIGH),
        ("STATUS_TRIALS", TRIALS),
        ("STATUS_CHANGES", CHANGES),
        ("STATUS_NEWEST", NEWEST),
        ("STATUS_STARTED", STARTED),
        ("STATUS_GRADIENT_MAX", GRADIENT_MAX),
        ("STATUS_TURN", TURN),
        ("STATUS_HEAD", HEAD),
        ("STATUS_WORDS", WORDS),
        ("RECORD_WORDS", RECORD_WORDS),
        ("RECORDS", RECORDS),
    ];
    for (name, value) in words {
        _ = writeln!(text, "const {name}: u32 = {value}u;");
    }
    let reasons = ["REASON_NONE", "REASON_GRADIENT", "REASON_STEP", "REASON_COST", "REASON_NO_PROGRESS"];
    let turns = ["TURN_NONE", "TURN_REMEMBER", "TURN_FORGET"];
    for (value, name) in reasons.into_iter().enumerate().chain(turns.into_iter().enumerate()) {
        _ = writeln!(text, "const {name}: f32 = {value}.0f;");
    }
    text
}

/// What one iteration did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Record {
    pub(crate) cost_before: f64,
    pub(crate) cost: f64,
    pub(crate) decrease: f64,
    pub(crate) gradient_max: f64,
    pub(crate) step_norm: f64,
    pub(crate) radius: f64,
    pub(crate) is_accepted: bool,
    /// Steps of conjugate gradients that did something, or trials of a line search.
    pub(crate) n_linear_steps: usize,
    /// Whether they solved the system.
    pub(crate) is_solved: bool,
}

/// A status as it was read.
#[derive(Clone, Debug)]
pub(crate) struct Status(Vec<f32>);

impl Status {
    pub(crate) fn new(words: Vec<f32>) -> Status {
        Status(words)
    }

    /// Iterations so far.
    pub(crate) fn n_records(&self) -> usize {
        self.0[N_RECORDS] as usize
    }

    /// Why the solver stopped, if it did.
    pub(crate) fn reason(&self) -> Option<Reason> {
        REASONS.get((self.0[REASON] as usize).wrapping_sub(1)).copied()
    }

    /// Iteration number `number`, from 0, one of the last [`RECORDS`].
    pub(crate) fn record(&self, number: usize) -> Record {
        let words = &self.0[HEAD + number % RECORDS * RECORD_WORDS..][..RECORD_WORDS];
        let both = |at: usize| f64::from(words[at]) + f64::from(words[at + 1]);
        Record {
            cost_before: both(0),
            cost: both(2),
            decrease: words[4].into(),
            gradient_max: words[5].into(),
            step_norm: words[6].into(),
            radius: words[7].into(),
            is_accepted: words[8] != 0.0,
            n_linear_steps: words[9] as usize,
            is_solved: words[10] != 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_as_they_were_written() {
        let mut words = initial(1e4);
        assert_eq!(Status::new(words.clone()).reason(), None);
        (words[REASON], words[N_RECORDS]) = (3.0, 9.0);
        words[HEAD..][..3].copy_from_slice(&[3.0, 1e-9, 2.0]);
        let status = Status::new(words);
        assert_eq!((status.reason(), status.n_records()), (Some(Reason::Cost), 9));
        assert_eq!(status.record(8).cost_before, 3.0 + f64::from(1e-9f32));
        assert_eq!(status.record(0), status.record(8));
    }
}
