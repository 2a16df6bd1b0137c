//! Grammars and the texts they allow, whole and byte by byte.

use super::*;

/// Whether a grammar has a whole text; also that any way of cutting it into tokens gives the same answer.
fn has(grammar: &Grammar, text: &str) -> bool {
    let accepts = |chunk: usize| {
        let mut matcher = grammar.matcher().unwrap();
        for bytes in text.as_bytes().chunks(chunk) {
            let is_allowed = matcher.allows(bytes);
            assert_eq!(is_allowed, matcher.accept(bytes).is_ok(), "{text:?}");
            if !is_allowed {
                return false;
            }
        }
        matcher.is_complete()
    };
    let answers = [1, 2, 3, 1000].map(accepts);
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{text:?}: {answers:?}");
    answers[0]
}

#[track_caller]
fn check(gbnf: &str, good: &[&str], bad: &[&str]) {
    let grammar = Grammar::parse(gbnf).unwrap_or_else(|error| panic!("{error}\n{gbnf}"));
    for text in good {
        assert!(has(&grammar, text), "{text:?} should fit\n{gbnf}");
    }
    for text in bad {
        assert!(!has(&grammar, text), "{text:?} should not fit\n{gbnf}");
    }
}

#[track_caller]
fn check_schema(schema: &str, good: &[&str], bad: &[&str]) {
    check(&json_schema_to_gbnf(schema).unwrap(), good, bad);
}

#[test]
fn notation() {
    check("root ::= \"yes\" | \"no\"", &["yes", "no"], &["", "y", "yesno", "maybe"]);
    check("root ::= [a-c]* [^a-c\\]]", &["x", "abcx", "é", "aa😀"], &["abc", "x]", "]"]);
    check("root ::= ( \"a\" | \"b\" \"c\" )+ # a comment\n", &["a", "bca", "abc"], &["", "b", "ab"]);
    check(
        "root ::= \"ab\"{2,3} [0-9]{2} x{,2} x?\nx ::= \".\"",
        &["abab12", "ababab00...", "abab12."],
        &["ab12", "abab1", "abab12...."],
    );
    check("root ::= \"x\"{2,}", &["xx", "xxxxxx"], &["x", ""]);
    check(
        "root ::= \"\\x41\\u00e9\\U0001F600\\n\\t\\\"\\\\\" .",
        &["Aé😀\n\t\"\\q", "Aé😀\n\t\"\\€"],
        &["A", "Aé😀\n\t\"\\"],
    );
    check("root ::=\n  \"a\"\n  | (\n \"b\"\n)\n  # c\n\nother ::= \"o\"", &["a", "b"], &["o"]);
    check("root ::= [-a] [\\-x] [b-]", &["a-b", "-x-"], &["bxb"]);
    // Nesting, and a rule that may be empty between others.
    check("root ::= s\ns ::= \"(\" s \")\" s | e\ne ::= ", &["", "()", "(())()"], &["(", "())"]);
    // Ambiguous on purpose.
    check("root ::= a a a\na ::= \"x\"* [x]", &["xxx", "xxxxxxxxxxxxxxxx"], &["xx"]);
}

#[test]
fn tokens_may_end_inside_characters() {
    let grammar = Grammar::parse("root ::= [é-ü]+ \"€\"").unwrap();
    let mut matcher = grammar.matcher().unwrap();
    // é is c3 a9, ü is c3 bc, ß is c3 9f, € is e2 82 ac.
    assert!(matcher.allows(&[0xc3]) && !matcher.allows(&[0xc4]) && !matcher.allows(&[0xe2]));
    matcher.accept(&[0xc3]).unwrap();
    assert!(!matcher.is_complete() && !matcher.allows(b"a") && !matcher.allows(&[0x9f]) && !matcher.allows(&[0xe2]));
    matcher.accept(&[0xa9, 0xe2, 0x82]).unwrap();
    assert!(matcher.allows(&[0xac]) && !matcher.allows(&[0xad]));
    matcher.accept(&[0xac]).unwrap();
    assert!(matcher.is_complete() && matcher.is_finished());
    assert!(!matcher.allows(b"") && !matcher.allows(b"x"));
    assert!(matcher.accept(b"x").is_err() && matcher.is_finished());
}

#[test]
fn masks_have_ends_where_a_text_may_end() {
    let mut matcher = Grammar::parse("root ::= \"a\"+").unwrap().matcher().unwrap();
    let tokens = [Token::End, Token::Bytes(b"a"), Token::Bytes(b"aa"), Token::Bytes(b"ab"), Token::Bytes(b"")];
    assert_eq!(matcher.mask(tokens.into_iter()), [false, true, true, false, false]);
    matcher.accept(b"a").unwrap();
    assert_eq!(matcher.mask(tokens.into_iter()), [true, true, true, false, false]);
}

#[test]
fn mistakes_are_errors_that_say_where() {
    let cases = [
        ("root ::= \"a", "line 1"),
        ("root ::= \"a\"\nb ::= (\"x\"", "expected `)`"),
        ("root = x", "::="),
        ("a ::= \"b\"", "root"),
        ("root ::= missing", "`missing`"),
        ("root ::= [z-a]", "wrong order"),
        ("root ::= \"a\"{3,2}", "wrong order"),
        ("root ::= \"a\"{99999}", "at most"),
        ("root ::= \"a\"{x}", "number"),
        ("root ::= \"\\q\"", "escape"),
        ("root ::= \"\\U00110000\"", "no such character"),
        ("root ::= [abc", "ends inside"),
        ("root ::= \"a\"\nroot ::= \"b\"", "two rules"),
        ("root ::= \"a\" )", "end of the rule"),
        ("root ::= root \"a\" | \"b\"", "left recursion"),
        ("root ::= a\na ::= b \"x\"\nb ::= \"c\"* a", "left recursion"),
        ("root ::= (\"a\"*)*", "left recursion"),
        ("root ::= \"a\"\nunused ::= unused", "left recursion"),
    ];
    for (gbnf, part) in cases {
        let error = Grammar::parse(gbnf).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(part), "{gbnf}: {error}");
    }
    assert!(Grammar::parse(&format!("root ::= {}\"a\"{}", "(".repeat(100_000), ")".repeat(100_000))).is_err());
    assert!(Grammar::parse(&"#".repeat(2 << 20)).is_err());
    let error = Grammar::parse(&format!("root ::= {}", "\"a\"{4000} ".repeat(20))).map(|_| ()).unwrap_err();
    assert_eq!(error.kind(), tilework::ErrorKind::TooLarge);
}

#[test]
fn nested_repetition_is_shared_not_copied() {
    // 4000⁴ characters, in a few thousand elements: allowed, and only ever walked lazily.
    let grammar = Grammar::parse("root ::= ((\"a\"{4000}){4000}){4000}").unwrap();
    let mut matcher = grammar.matcher().unwrap();
    for _ in 0..5000 {
        matcher.accept(b"aaaa").unwrap();
    }
    assert!(!matcher.is_complete());
}

#[test]
fn explosive_grammars_end_in_errors() {
    // Doubles its stacks at every level.
    let mut gbnf = "root ::= a0\n".to_owned();
    for level in 0..40 {
        gbnf += &format!("a{level} ::= a{0} \"x\" | a{0} \"y\"\n", level + 1);
    }
    gbnf += "a40 ::= \"z\"";
    assert!(Grammar::parse(&gbnf).unwrap().matcher().unwrap_err().to_string().contains("too many ways"));
    // Nests for ever; the stacks are swept, and the depth has an end.
    let mut matcher = Grammar::parse("root ::= \"(\" root \")\" | \"x\"").unwrap().matcher().unwrap();
    let deep = "(".repeat(1 << 12);
    let failed = (0..100).find(|_| matcher.accept(deep.as_bytes()).is_err());
    assert!(failed.is_some(), "no limit on depth");
}

#[test]
fn long_texts_stay_cheap() {
    let grammar = Grammar::json_object().unwrap();
    let mut matcher = grammar.matcher().unwrap();
    matcher.accept(b"{\"a\": [").unwrap();
    for _ in 0..20_000 {
        matcher.accept(b"[1, {\"b\": \"text\"}], ").unwrap();
    }
    matcher.accept(b"null]}").unwrap();
    assert!(matcher.is_complete());
    assert!(format!("{:?}", matcher).len() < 1 << 20, "the state grew with the text");
}

#[test]
fn json_objects() {
    let good = ["{}", "{\"a\": [1, -2.5e+3, \"x\\n\\u00e9é\", {\"b\": null}], \"c\":true}", "{ \"a\" : \"\" }"];
    let bad = ["[]", "{", "{\"a\":}", "{\"a\":01}", "{\"a\":\"\n\"}", "{\"a\":1,}", "{'a':1}", "{\"a\":\"\\x\"}"];
    check_schema(r#"{"type": "object"}"#, &good, &bad);
    for text in good {
        serde_json::from_str::<serde_json::Value>(text).unwrap();
    }
}

#[test]
fn objects_with_properties() {
    let schema = r#"{"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}, "ok": {"type":
        "boolean"}}, "required": ["age"]}"#;
    let good = [
        r#"{"name": "x", "age": 3, "ok": true}"#,
        r#"{"age": 3}"#,
        r#"{"name":"","age":-1}"#,
        r#"{"age":0,"ok":false}"#,
    ];
    let bad = [
        "{}",
        r#"{"name": "x"}"#,
        r#"{"age": 3, "name": "x"}"#,
        r#"{"age": 3.5}"#,
        r#"{"age": 3, "more": 1}"#,
        r#"{"age":3,}"#,
        r#"{,"age":3}"#,
    ];
    check_schema(schema, &good, &bad);
    let optional = r#"{"properties": {"a": {"type": "null"}, "b": {"type": "null"}, "c": {"type": "null"}}}"#;
    check_schema(
        optional,
        &["{}", r#"{"a":null}"#, r#"{"b":null}"#, r#"{"a":null,"c":null}"#, r#"{"a":null,"b":null,"c":null}"#],
        &[r#"{"c":null,"a":null}"#, r#"{"a":null,"a":null}"#, r#"{"a":null "b":null}"#],
    );
    let open =
        r#"{"type": "object", "properties": {"a": {"type": "null"}}, "additionalProperties": {"type": "integer"}}"#;
    check_schema(
        open,
        &["{}", r#"{"a":null}"#, r#"{"x":1}"#, r#"{"a":null,"x":1,"y":2}"#],
        &[r#"{"x":null}"#, r#"{"a":null,"x":"1"}"#],
    );
}

#[test]
fn other_schemas() {
    let array = r#"{"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 3}"#;
    check_schema(array, &["[1]", "[1, 2,3]"], &["[]", "[1,2,3,4]", "[1.5]", "[1,]"]);
    check_schema(r#"{"type": "array", "maxItems": 1}"#, &["[]", "[{}]"], &["[1,2]"]);
    check_schema(r#"{"type": "array", "minItems": 2}"#, &["[1,2]", "[1,2,3,4]"], &["[]", "[1]"]);
    check_schema(
        r#"{"type": "array", "prefixItems": [{"type": "integer"}, {"const": "a"}]}"#,
        &["[1,\"a\"]"],
        &["[1]"],
    );
    check_schema(
        r#"{"enum": ["a\"b", 1, null, {"x": [1]}]}"#,
        &["\"a\\\"b\"", "1", "null", "{\"x\":[1]}"],
        &["2", "a"],
    );
    check_schema(r#"{"const": "é\n"}"#, &["\"é\\n\""], &["\"é\n\""]);
    check_schema(
        r#"{"type": "string", "minLength": 2, "maxLength": 3}"#,
        &["\"ab\"", "\"é\\n😀\""],
        &["\"a\"", "\"abcd\""],
    );
    check_schema(r#"{"type": ["string", "null"], "maxLength": 1}"#, &["\"a\"", "null"], &["\"ab\"", "1"]);
    check_schema(r#"{"anyOf": [{"type": "number"}, {"type": "boolean"}]}"#, &["1.5", "-0", "true"], &["\"x\"", "1."]);
    check_schema(r#"{"type": "string", "format": "date"}"#, &["\"2024-12-31\""], &["\"2024-13-01\"", "\"x\""]);
    check_schema("true", &["1", "{\"a\":[]}"], &["x"]);
    let tree = r##"{"$ref": "#/$defs/node", "$defs": {"node": {"type": "object", "properties": {"v": {"type": "integer"},
        "next": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]}}, "required": ["v", "next"]}}}"##;
    check_schema(tree, &[r#"{"v":1,"next":{"v":2,"next":null}}"#], &[r#"{"v":1}"#, r#"{"v":1,"next":{}}"#]);
}

#[test]
fn what_a_schema_cannot_promise_is_named() {
    let cases = [
        (r#"{"type": "string", "pattern": "a+"}"#, "`pattern`"),
        (r#"{"type": "integer", "minimum": 3}"#, "`minimum`"),
        (r#"{"type": "object", "patternProperties": {}}"#, "`patternProperties`"),
        (r#"{"type": "string", "format": "email"}"#, "email"),
        (r#"{"not": {}}"#, "`not`"),
        (r#"{"allOf": [{}, {}]}"#, "allOf"),
        (r#"{"type": "thing"}"#, "thing"),
        (r##"{"$ref": "#/$defs/x"}"##, "leads nowhere"),
        (r#"{"$ref": "https://example.org/x"}"#, "example.org"),
        (r#"{"type": "object", "required": ["x"]}"#, "`x`"),
        (r#"{"type": "array", "minItems": 3, "maxItems": 2}"#, "at least"),
        (r#"{"type": "array", "minItems": -1}"#, "minItems"),
        (r#"{"enum": []}"#, "enum"),
        ("false", "no valid text"),
        ("3", "object"),
        ("{", "json"),
    ];
    for (schema, part) in cases {
        let error = Grammar::json_schema(schema).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(part), "{schema}: {error}");
    }
    // References in a circle are left recursion.
    assert!(Grammar::json_schema(r##"{"$ref": "#"}"##).is_err());
    assert!(Grammar::json_schema(r##"{"anyOf": [{"$ref": "#"}, {"type": "null"}]}"##).is_err());
}
