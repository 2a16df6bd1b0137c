//! What a run found.

/// The outcome of a run.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The device's name.
    pub device: String,
    /// Cases that agreed with the reference.
    pub passed: usize,
    /// Cases that did not.
    pub failed: usize,
    /// Cases this device cannot run (double precision on a GPU).
    pub skipped: usize,
    /// What went wrong.
    pub failures: Vec<Failure>,
    /// Worst error of each scalar operation.
    pub scalar_errors: Vec<ScalarError>,
}

/// A case that disagreed.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Operation and case.
    pub case: String,
    /// Shapes and values.
    pub message: String,
}

/// Worst error of a scalar operation in single precision.
#[derive(Clone, Debug)]
pub struct ScalarError {
    /// Operation.
    pub op: &'static str,
    /// Distance from the exact result in units of the last place.
    pub worst_ulp: f64,
    /// The arguments it was found at.
    pub at: Vec<f32>,
}

impl Report {
    pub(crate) fn new(device: String) -> Report {
        Report { device, ..Report::default() }
    }

    /// As one JSON object with the fields of this struct.
    pub fn to_json(&self) -> String {
        let failures: Vec<String> = self
            .failures
            .iter()
            .map(|failure| format!("{{\"case\":{},\"message\":{}}}", quoted(&failure.case), quoted(&failure.message)))
            .collect();
        let errors: Vec<String> = self
            .scalar_errors
            .iter()
            .map(|error| format!("{{\"op\":\"{}\",\"worst_ulp\":{:.3}}}", error.op, error.worst_ulp.min(1e30)))
            .collect();
        format!(
            "{{\"device\":{},\"passed\":{},\"failed\":{},\"skipped\":{},\"failures\":[{}],\"scalar_errors\":[{}]}}",
            quoted(&self.device),
            self.passed,
            self.failed,
            self.skipped,
            failures.join(","),
            errors.join(",")
        )
    }
}

/// A JSON string.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if (c as u32) < 0x20 => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_escapes_what_it_must() {
        let mut report = Report::new("a \"GPU\"".to_owned());
        report.failures.push(Failure { case: "x".to_owned(), message: "line\nbreak \\ \u{1}".to_owned() });
        let json = report.to_json();
        assert!(json.starts_with(r#"{"device":"a \"GPU\"","passed":0"#), "{json}");
        assert!(json.contains(r#""message":"line\nbreak \\ \u0001""#), "{json}");
    }
}
