//! Filters, tests and functions of Jinja that chat templates use.
//!
//! A list of our own, because every one of them costs a visitor of a web page some download: no template of a known model
//! formats numbers, groups or sorts lists, or loads other templates.

use minijinja::{Environment, filters, functions, tests};

pub(super) fn add(environment: &mut Environment<'static>) {
    add_filters(environment);
    add_tests(environment);
    environment.add_function("range", functions::range);
    environment.add_function("dict", functions::dict);
    environment.add_function("namespace", functions::namespace);
}

fn add_filters(environment: &mut Environment<'static>) {
    environment.add_filter("abs", filters::abs);
    environment.add_filter("capitalize", filters::capitalize);
    environment.add_filter("count", filters::length);
    environment.add_filter("d", filters::default);
    environment.add_filter("default", filters::default);
    environment.add_filter("dictsort", filters::dictsort);
    environment.add_filter("first", filters::first);
    environment.add_filter("float", filters::float);
    environment.add_filter("indent", filters::indent);
    environment.add_filter("int", filters::int);
    environment.add_filter("items", filters::items);
    environment.add_filter("join", filters::join);
    environment.add_filter("last", filters::last);
    environment.add_filter("length", filters::length);
    environment.add_filter("list", filters::list);
    environment.add_filter("lower", filters::lower);
    environment.add_filter("map", filters::map);
    environment.add_filter("reject", filters::reject);
    environment.add_filter("rejectattr", filters::rejectattr);
    environment.add_filter("replace", filters::replace);
    environment.add_filter("reverse", filters::reverse);
    environment.add_filter("safe", filters::safe);
    environment.add_filter("select", filters::select);
    environment.add_filter("selectattr", filters::selectattr);
    environment.add_filter("string", filters::string);
    environment.add_filter("title", filters::title);
    environment.add_filter("trim", filters::trim);
    environment.add_filter("unique", filters::unique);
    environment.add_filter("upper", filters::upper);
}

fn add_tests(environment: &mut Environment<'static>) {
    environment.add_test("boolean", tests::is_boolean);
    environment.add_test("defined", tests::is_defined);
    environment.add_test("divisibleby", tests::is_divisibleby);
    environment.add_test("eq", tests::is_eq);
    environment.add_test("equalto", tests::is_eq);
    environment.add_test("==", tests::is_eq);
    environment.add_test("even", tests::is_even);
    environment.add_test("false", tests::is_false);
    environment.add_test("float", tests::is_float);
    environment.add_test("ge", tests::is_ge);
    environment.add_test(">=", tests::is_ge);
    environment.add_test("gt", tests::is_gt);
    environment.add_test("greaterthan", tests::is_gt);
    environment.add_test(">", tests::is_gt);
    environment.add_test("in", tests::is_in);
    environment.add_test("integer", tests::is_integer);
    environment.add_test("iterable", tests::is_iterable);
    environment.add_test("le", tests::is_le);
    environment.add_test("<=", tests::is_le);
    environment.add_test("lt", tests::is_lt);
    environment.add_test("lessthan", tests::is_lt);
    environment.add_test("<", tests::is_lt);
    environment.add_test("mapping", tests::is_mapping);
    environment.add_test("ne", tests::is_ne);
    environment.add_test("!=", tests::is_ne);
    environment.add_test("none", tests::is_none);
    environment.add_test("number", tests::is_number);
    environment.add_test("odd", tests::is_odd);
    environment.add_test("sequence", tests::is_sequence);
    environment.add_test("string", tests::is_string);
    environment.add_test("true", tests::is_true);
    environment.add_test("undefined", tests::is_undefined);
}
