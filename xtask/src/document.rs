//! Tables in documents: the part between two marker lines is written by a command, the rest by people.

use std::fs;
use std::path::Path;

use crate::process::{Failure, Result};

/// Puts `table` between the lines `begin` and `end` of `file`.
pub(crate) fn replace(file: &Path, begin: &str, end: &str, table: &str) -> Result {
    let name = file.display();
    let text = fs::read_to_string(file).map_err(|error| Failure::new(format!("cannot read {name}: {error}")))?;
    let text = replaced(&text, begin, end, table)
        .ok_or_else(|| Failure::new(format!("{name} has lost the two lines around the table")).advice(begin))?;
    fs::write(file, text).map_err(|error| Failure::new(format!("cannot write {name}: {error}")))
}

/// `text` with `table` between the two lines; none if they are not there in this order.
fn replaced(text: &str, begin: &str, end: &str, table: &str) -> Option<String> {
    let (before, rest) = text.split_once(begin)?;
    let (_, after) = rest.split_once(end)?;
    Some(format!("{before}{begin}\n{}\n{end}{after}", table.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_replaces_the_one_before() {
        let text = "# Title\n\n<!-- a -->\nold\n<!-- b -->\n\nMore.\n";
        let once = replaced(text, "<!-- a -->", "<!-- b -->", "new\n").unwrap();
        assert_eq!(once, "# Title\n\n<!-- a -->\nnew\n<!-- b -->\n\nMore.\n");
        assert_eq!(replaced(&once, "<!-- a -->", "<!-- b -->", "new\n").unwrap(), once);
        assert!(replaced("# Title\n", "<!-- a -->", "<!-- b -->", "new").is_none());
    }
}
