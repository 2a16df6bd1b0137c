//! JSON, written by hand: a library for it would weigh more than everything it writes here.

/// An object of values that are JSON already.
pub(crate) fn object<'a>(fields: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let fields: Vec<String> = fields.into_iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
    format!("{{{}}}", fields.join(","))
}

/// A list of values that are JSON already.
pub(crate) fn list(values: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", values.into_iter().collect::<Vec<_>>().join(","))
}

/// A string, as the surrounding JavaScript writes it.
pub(crate) fn text(text: &str) -> String {
    js_sys::JSON::stringify(&text.into()).ok().and_then(|json| json.as_string()).unwrap_or_else(|| "\"\"".to_owned())
}

/// A number. JSON has no infinity, but readers make one of a number beyond all others; what is no number at all is infinite, too.
#[cfg(any(feature = "arrays", feature = "solve"))]
pub(crate) fn number(value: f64) -> String {
    if value.is_finite() { value.to_string() } else { "1e999".to_owned() }
}
