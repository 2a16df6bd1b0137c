//! The steps of a command: announced when they begin, timed, listed at the end.

use std::time::{Duration, Instant};

use crate::process::{Failure, Result, is_ci};

/// What ran so far.
#[derive(Default)]
pub(crate) struct Steps {
    done: Vec<Step>,
}

struct Step {
    what: String,
    state: State,
}

enum State {
    Passed(Duration),
    Failed(Duration),
    Skipped,
}

impl Steps {
    /// Announces `what`, runs it and notes its time.
    pub(crate) fn run<T>(&mut self, what: &str, step: impl FnOnce() -> Result<T>) -> Result<T> {
        println!("==> {what}");
        let start = Instant::now();
        let outcome = step();
        let time = start.elapsed();
        let state = if outcome.is_ok() { State::Passed(time) } else { State::Failed(time) };
        self.done.push(Step { what: what.to_owned(), state });
        outcome
    }

    /// Notes that `what` cannot run here: loud on a developer's machine, a failure in CI.
    pub(crate) fn skip(&mut self, what: &str, why: &str) -> Result {
        if is_ci() {
            return Err(Failure::new(format!("{what} cannot run: {why}")).advice("CI must run every step."));
        }
        println!("==> SKIPPED {what}: {why}");
        self.done.push(Step { what: what.to_owned(), state: State::Skipped });
        Ok(())
    }

    /// The times of all steps, if there was more than one.
    pub(crate) fn print_summary(&self) {
        if self.done.len() > 1 {
            print!("\n{}", self.summary());
        }
    }

    fn summary(&self) -> String {
        let row = |step: &Step| match step.state {
            State::Passed(time) => format!("{:>8.1} s  {}\n", time.as_secs_f64(), step.what),
            State::Failed(time) => format!("{:>8.1} s  FAILED: {}\n", time.as_secs_f64(), step.what),
            State::Skipped => format!("{:>10}  SKIPPED: {}\n", "", step.what),
        };
        self.done.iter().map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summary_tells_passed_from_failed_and_skipped() {
        let mut steps = Steps::default();
        steps.run("first", || Ok(())).unwrap();
        steps.run("second", || Err::<(), _>(Failure::new("no"))).unwrap_err();
        steps.done.push(Step { what: "third".into(), state: State::Skipped });
        let summary = steps.summary();
        let rows: Vec<&str> = summary.lines().map(str::trim).collect();
        assert!(rows[0].ends_with("s  first"), "{summary}");
        assert!(rows[1].ends_with("FAILED: second"), "{summary}");
        assert_eq!(rows[2], "SKIPPED: third");
    }
}
