//! Against Jinja2 itself.

use serde_json::Value as Json;

use super::{Failure, Limits, Template, Value};

const LIMITS: Limits = Limits { n_steps: 1_000_000, n_bytes: 1 << 20 };

fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::None,
        Json::Bool(truth) => Value::Bool(*truth),
        Json::Number(number) => number.as_i64().map_or_else(|| Value::Float(number.as_f64().unwrap()), Value::Int),
        Json::String(text) => Value::text(text),
        Json::Array(items) => Value::list(items.iter().map(value).collect()),
        Json::Object(map) => Value::map(map.iter().map(|(key, item)| (Value::text(key), value(item))).collect()),
    }
}

fn render(source: &str, context: Vec<(&str, Value)>) -> Result<String, Failure> {
    Template::parse(source)?.render(context, LIMITS)
}

#[test]
fn templates_mean_what_they_mean_to_jinja2() {
    let text = include_str!("../../../../../testdata/jinja/cases.json");
    let golden: Json = serde_json::from_str(text).unwrap();
    let context =
        || golden["context"].as_object().unwrap().iter().map(|(name, json)| (name.as_str(), value(json))).collect();
    let mut wrong = Vec::new();
    let cases = golden["cases"].as_array().unwrap();
    assert!(cases.len() > 250);
    for case in cases {
        let source = case["template"].as_str().unwrap();
        let got = render(source, context());
        let is_right = match &got {
            Ok(text) => case["text"].as_str() == Some(text),
            Err(Failure::Raised(message)) => case["raised"].as_str() == Some(message),
            Err(Failure::Wrong(_)) => case["fails"] == true,
            Err(_) => false,
        };
        if !is_right {
            wrong.push(format!("{source}\n  got {got:?}\n  want {case}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

#[test]
fn time_and_memory_are_bounded() {
    let render = |source: &str| render(source, Vec::new());
    let grows =
        "{% set ns = namespace(x='xxxxxxxx') %}{% for i in range(60) %}{% set ns.x = ns.x + ns.x %}{% endfor %}";
    assert!(matches!(render(grows), Err(Failure::TooLong | Failure::TooMuch)));
    assert_eq!(render("{{ 'x' * 99999999999 }}"), Err(Failure::TooMuch));
    assert!(render("{{ 'x' * 9999999999999999999 }}").is_err());
    assert_eq!(render("{{ range(99999999999) | length }}"), Err(Failure::TooLong));
    let lists = "{% set ns = namespace(x=[1]) %}{% for i in range(60) %}{% set ns.x = ns.x + ns.x %}{% endfor %}";
    assert_eq!(render(lists), Err(Failure::TooLong));
    let nests = "{% set ns = namespace(x=[]) %}{% for i in range(5000) %}{% set ns.x = [ns.x] %}{% endfor %}{{ ns.x | tojson }}";
    assert!(matches!(render(nests), Err(Failure::Wrong(_))));
    let replaces = "{{ ('x' * 100000).replace('x', 'y' * 100000) }}";
    assert_eq!(render(replaces), Err(Failure::TooMuch));
    let joins = "{{ range(100000) | join('y' * 100000) }}";
    assert_eq!(render(joins), Err(Failure::TooMuch));
    // Shared parts are few in memory and many in print.
    let shares = "{% set ns = namespace(x=[1]) %}{% for i in range(60) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}";
    for way in [
        "{{ ns.x }}",
        "{{ ns.x ~ '' }}",
        "{{ ns.x | tojson }}",
        "{{ ns.x == [ns.x, 1] }}{{ ns.x == ns.x }}",
        "{{ [ns.x] | join }}",
    ] {
        let done = render(&format!("{shares}{way}"));
        assert!(matches!(done, Err(Failure::TooLong | Failure::TooMuch)), "{way}: {done:?}");
    }
    let indents = "{{ ('\\n' * 100000) | indent('x' * 100000) }}";
    assert_eq!(render(indents), Err(Failure::TooMuch));
    let indents = "{% set ns = namespace(x=range(5000)) %}{% for i in range(90) %}{% set ns.x = [ns.x] %}{% endfor %}{{ ns.x | tojson(indent=16) }}";
    assert_eq!(render(indents), Err(Failure::TooMuch));
    // What takes long for each of its few steps.
    let long = "{% set x = 'é' * 400000 %}{% for i in range(100000) %}";
    for way in [
        "{{ x[1] }}",
        "{{ x | length }}",
        "{% if x == x %}{% endif %}",
        "{% if x | trim %}{% endif %}",
        "{% if x in [x] %}{% endif %}",
    ] {
        assert_eq!(render(&format!("{long}{way}{{% endfor %}}")), Err(Failure::TooLong), "{way}");
    }
    // What is forgotten may be nested deeper than any stack.
    let deep = "{% set ns = namespace(x=[]) %}{% for i in range(60000) %}{% set ns.x = [ns.x] %}{% endfor %}{{ ns.x | length }}";
    assert_eq!(render(deep).as_deref(), Ok("1"));
    let deep = deep.replace("= [ns.x]", "= {'x': ns.x}");
    assert_eq!(render(&deep).as_deref(), Ok("1"));
    for deep in ["(", "[", "{% if 1 %}", "-", "not ", "x[", "f("] {
        let source = if deep.starts_with("{%") { deep.repeat(5000) } else { format!("{{{{ {}", deep.repeat(5000)) };
        assert!(matches!(Template::parse(&source), Err(Failure::Wrong(_))), "{deep}");
    }
}

#[test]
fn numbers_at_the_edge_are_told() {
    for source in [
        "9223372036854775807 + 1",
        "-9223372036854775807 - 2",
        "2 ** 64",
        "9223372036854775807 * 2",
        "99999999999999999999",
    ] {
        assert!(matches!(render(&format!("{{{{ {source} }}}}"), Vec::new()), Err(Failure::Wrong(_))), "{source}");
    }
    assert_eq!(
        render("{{ -9223372036854775807 // -1 }}{{ 'abc'[9223372036854775807:] }}", Vec::new()).unwrap(),
        "9223372036854775807"
    );
    assert_eq!(
        render("{{ [1, 2, 3][-9223372036854775807] }}|{{ 'abc'[::-9223372036854775807] }}", Vec::new()).unwrap(),
        "|c"
    );
}
