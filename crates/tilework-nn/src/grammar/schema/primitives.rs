//! Rules that every schema's grammar has, and texts as literals.

/// Names and bodies. Space is bounded, and so are numbers, so that a model cannot fill its context with either.
pub(super) const PRIMITIVES: &[(&str, &str)] = &[
    ("space", r#"| " " | "\n"{1,2} [ \t]{0,20}"#),
    ("char", r#"[^"\\\x7F\x00-\x1F] | [\\] (["\\bfnrt/] | "u" [0-9a-fA-F]{4})"#),
    ("string", r#""\"" char* "\"""#),
    ("digits", "[0-9] | [1-9] [0-9]{1,15}"),
    ("integer", r#""-"? digits"#),
    ("number", r#""-"? digits ("." [0-9]{1,16})? ([eE] [-+]? [0-9]{1,3})?"#),
    ("boolean", r#""true" | "false""#),
    ("null", r#""null""#),
    ("value", "string | number | boolean | null | any-object | any-array"),
    (
        "any-object",
        r#""{" space ( string space ":" space value space ( "," space string space ":" space value space )* )? "}""#,
    ),
    ("any-array", r#""[" space ( value space ( "," space value space )* )? "]""#),
];

/// Formats of strings (RFC 3339, RFC 9562). Days of short months are not told apart.
pub(super) const FORMATS: &[(&str, &str)] = &[
    ("date", r#""\"" [0-9]{4} "-" ( "0" [1-9] | "1" [0-2] ) "-" ( "0" [1-9] | [12] [0-9] | "3" [01] ) "\"""#),
    (
        "time",
        r#""\"" ( [01] [0-9] | "2" [0-3] ) ":" [0-5] [0-9] ":" [0-5] [0-9] ( "." [0-9]{1,9} )? ( "Z" | [-+] ( [01] [0-9] | "2" [0-3] ) ":" [0-5] [0-9] ) "\"""#,
    ),
    (
        "date-time",
        r#""\"" [0-9]{4} "-" ( "0" [1-9] | "1" [0-2] ) "-" ( "0" [1-9] | [12] [0-9] | "3" [01] ) "T" ( [01] [0-9] | "2" [0-3] ) ":" [0-5] [0-9] ":" [0-5] [0-9] ( "." [0-9]{1,9} )? ( "Z" | [-+] ( [01] [0-9] | "2" [0-3] ) ":" [0-5] [0-9] ) "\"""#,
    ),
    ("uuid", r#""\"" [0-9a-fA-F]{8} "-" ( [0-9a-fA-F]{4} "-" ){3} [0-9a-fA-F]{12} "\"""#),
];

/// A text as a string of GBNF.
pub(super) fn literal(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            c if c.is_control() => quoted.push_str(&format!("\\U{:08X}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
