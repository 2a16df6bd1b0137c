//! Stop strings in text that arrives in pieces.

use tilework::{Error, Result};

/// Most stop strings.
const MAX_STOPS: usize = 64;
/// Longest stop string, in bytes.
const MAX_BYTES: usize = 1024;

/// Watches text for stop strings, and holds back what may be the beginning of one.
#[derive(Clone, Debug)]
pub struct StopWatch {
    stops: Vec<String>,
    held: String,
    is_stopped: bool,
}

/// What a piece of text led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Watched {
    /// Text that is certainly not part of a stop string; may be empty.
    Text(String),
    /// The text before a stop string, which ends the answer.
    Stop(String),
}

impl StopWatch {
    /// Watches for these; empty ones are left out.
    ///
    /// # Errors
    /// `Argument` for more than 64 stop strings, or one longer than 1024 bytes.
    pub fn new(stops: impl IntoIterator<Item = String>) -> Result<StopWatch> {
        let stops: Vec<String> = stops.into_iter().filter(|stop| !stop.is_empty()).take(MAX_STOPS + 1).collect();
        if stops.len() > MAX_STOPS || stops.iter().any(|stop| stop.len() > MAX_BYTES) {
            let message = format!("at most {MAX_STOPS} stop strings of at most {MAX_BYTES} bytes");
            return Err(Error::argument("stop", message));
        }
        Ok(StopWatch { stops, held: String::new(), is_stopped: false })
    }

    /// The next piece of the text. After a stop there is no more.
    pub fn push(&mut self, text: &str) -> Watched {
        if self.is_stopped {
            return Watched::Stop(String::new());
        }
        self.held.push_str(text);
        // The earliest one ends the text.
        if let Some(at) = self.stops.iter().filter_map(|stop| self.held.find(stop.as_str())).min() {
            self.is_stopped = true;
            self.held.truncate(at);
            return Watched::Stop(std::mem::take(&mut self.held));
        }
        let n_kept = self.stops.iter().map(|stop| overlap(&self.held, stop)).max().unwrap_or(0);
        let rest = self.held.split_off(self.held.len() - n_kept);
        Watched::Text(std::mem::replace(&mut self.held, rest))
    }

    /// What was held back, once no more text comes.
    pub fn finish(&mut self) -> String {
        std::mem::take(&mut self.held)
    }
}

/// Bytes of the longest end of `text` that `stop` begins with.
fn overlap(text: &str, stop: &str) -> usize {
    let (text, stop) = (text.as_bytes(), stop.as_bytes());
    (1..stop.len().min(text.len() + 1)).rev().find(|&n| text[text.len() - n..] == stop[..n]).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text that comes out when it goes in by pieces of `n` characters, and whether it stopped.
    fn run(stops: &[&str], text: &str, n: usize) -> (String, bool) {
        let mut watch = StopWatch::new(stops.iter().map(|&stop| stop.to_owned())).unwrap();
        let chars: Vec<char> = text.chars().collect();
        let mut out = String::new();
        for piece in chars.chunks(n) {
            match watch.push(&piece.iter().collect::<String>()) {
                Watched::Text(text) => out += &text,
                Watched::Stop(text) => return (out + &text, true),
            }
        }
        (out + &watch.finish(), false)
    }

    #[test]
    fn any_pieces_give_the_same_text() {
        let cases: [(&[&str], &str, (&str, bool)); 6] = [
            (&["\nUser:"], "Hello\nUse it.\nUser: x", ("Hello\nUse it.", true)),
            (&["aab"], "aaaaaab!", ("aaaa", true)),
            (&["é€", "xx"], "aé€b", ("a", true)),
            (&["STOP", ""], "no STO", ("no STO", false)),
            (&[], "anything", ("anything", false)),
            (&["aba", "bab"], "xabbaba", ("xab", true)),
        ];
        for (stops, text, (want, is_stopped)) in cases {
            for n in 1..10 {
                let got = run(stops, text, n);
                // Larger pieces may find the earlier of two that overlap; both are right.
                assert_eq!(got, (want.to_owned(), is_stopped), "{text:?} by {n}");
            }
        }
    }

    #[test]
    fn only_what_may_be_a_stop_is_held_back() {
        let mut watch = StopWatch::new(["END".to_owned()]).unwrap();
        assert_eq!(watch.push("the E"), Watched::Text("the ".to_owned()));
        assert_eq!(watch.push("N"), Watched::Text(String::new()));
        assert_eq!(watch.push("T"), Watched::Text("ENT".to_owned()));
        assert_eq!(watch.push("END!"), Watched::Stop(String::new()));
        assert_eq!(watch.push("more"), Watched::Stop(String::new()));
        assert!(StopWatch::new(vec!["x".repeat(2000)]).is_err());
        assert!(StopWatch::new(vec!["x".to_owned(); 65]).is_err());
    }
}
