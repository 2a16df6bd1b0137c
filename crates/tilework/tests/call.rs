//! Operations by name: the same as the methods, and safe whatever is sent.

use proptest::prelude::*;
use tilework::layers::core::expr::ScalarOp;
use tilework::layers::ops::registry::OPS;
use tilework::layers::ops::{Attr, Attrs};
use tilework::{Array, Device, ErrorKind, Input};

fn values(array: &Array) -> Vec<f32> {
    pollster::block_on(array.to_f32().to_vec()).unwrap()
}

fn integers(name: &str, list: &[i64]) -> Attrs {
    Attrs::default().with(name, Attr::Integers(list.to_vec()))
}

fn integer(name: &str, value: i64) -> Attrs {
    Attrs::default().with(name, Attr::Integer(value))
}

#[test]
fn linear_algebra_by_name() {
    let device = Device::cpu();
    let a = device.array(vec![4.0f32, 2.0, 2.0, 3.0], [2, 2]);
    let b = device.array(vec![8.0f32, 7.0], [2]);
    let call = |name: &str, inputs: &[&Array], attrs: &Attrs| {
        let inputs: Vec<Input> = inputs.iter().map(|&array| Input::Array(array.clone())).collect();
        values(&device.call(name, &inputs, attrs))
    };
    let none = Attrs::default();
    let text = |name: &str, value: &str| Attrs::default().with(name, Attr::Text(value.to_owned()));
    let near = |got: Vec<f32>, want: &[f32]| {
        assert!(got.len() == want.len() && got.iter().zip(want).all(|(g, w)| (g - w).abs() < 1e-5), "{got:?} {want:?}");
    };
    near(call("solve", &[&a, &b], &none), &[1.25, 1.5]);
    near(call("solve_positive_definite", &[&a, &b], &none), &[1.25, 1.5]);
    near(call("triangular_solve", &[&a, &b], &text("side", "upper")), &[5.0 / 6.0, 7.0 / 3.0]);
    near(call("det", &[&a], &none), &[8.0]);
    near(call("slogdet", &[&a], &text("part", "sign")), &[1.0]);
    near(call("lu", &[&a], &text("part", "l")), &[1.0, 0.0, 0.5, 1.0]);
    near(call("qr", &[&a], &text("part", "r")), &[20f32.sqrt(), 14.0 / 20f32.sqrt(), 0.0, 8.0 / 20f32.sqrt()]);
    near(call("svd", &[&a], &text("part", "s")), &call("svdvals", &[&a], &none));
    near(call("eigh", &[&a], &none), &call("eigvalsh", &[&a], &none));
    near(call("norm", &[&a], &text("order", "inf")), &[6.0]);
    near(call("norm", &[&a], &integer("order", 1)), &[6.0]);
    near(call("cond", &[&a], &text("order", "2")), &call("cond", &[&a], &none));
    near(call("matrix_power", &[&a], &integer("n", -1)), &call("inv", &[&a], &none));
    near(call("trace", &[&a], &none), &[7.0]);
    let wrong = device.call("svd", &[Input::Array(a)], &text("part", "w"));
    assert_eq!(wrong.check().unwrap_err().kind(), ErrorKind::Argument);
}

#[test]
fn names_mean_the_methods() {
    let device = Device::cpu();
    let x = device.array(vec![1.0f32, -2.0, 3.0, 4.0, -5.0, 6.0], [2, 3]);
    let call = |name: &str, others: &[Input], attrs: &Attrs| {
        let mut inputs = vec![Input::Array(x.clone())];
        inputs.extend_from_slice(others);
        device.call(name, &inputs, attrs)
    };
    let none = Attrs::default();
    let same = |got: Array, expected: Array| {
        got.check().unwrap();
        assert_eq!(got.shape(), expected.shape());
        assert_eq!(values(&got), values(&expected));
    };
    same(call("add", &[Input::Number(2.0)], &none), &x + 2.0);
    same(call("sum", &[], &integers("axes", &[-1])), x.sum([-1]));
    same(call("sum", &[], &none.clone().with("keep_axes", Attr::Truth(true))), x.sum_keep([]));
    same(call("argmax", &[], &none), x.argmax_flat());
    same(call("transpose", &[], &none), x.t());
    same(call("slice", &[], &integer("axis", 1).with("step", Attr::Integer(-1))), x.flip([1]));
    same(call("matmul", &[Input::Array(device.ones([3]))], &none), x.matmul(&device.ones([3])));
    same(call("softmax", &[], &integer("axis", -1)), x.softmax(-1));
    same(call("clamp", &[Input::Number(-1.0), Input::Number(2.0)], &none), x.clamp(-1.0, 2.0));
    same(device.call("eye", &[], &integer("n", 3)), device.eye(3));
    same(call("reduce", &[], &none.clone().with("combine", Attr::Text("prod".to_owned()))), x.prod([]));
}

#[test]
fn mistakes_say_what_they_are() {
    let device = Device::cpu();
    let x = Input::Array(device.ones([2, 3]));
    let none = Attrs::default();
    let kind =
        |name: &str, inputs: &[Input], attrs: &Attrs| device.call(name, inputs, attrs).check().unwrap_err().kind();
    assert_eq!(kind("bogus", std::slice::from_ref(&x), &none), ErrorKind::Argument);
    assert_eq!(kind("add", std::slice::from_ref(&x), &none), ErrorKind::Argument);
    assert_eq!(kind("sum", std::slice::from_ref(&x), &integer("axis", 0)), ErrorKind::Argument);
    assert_eq!(kind("sin", std::slice::from_ref(&x), &integer("axis", 0)), ErrorKind::Argument);
    assert_eq!(kind("sum", std::slice::from_ref(&x), &integers("axes", &[2])), ErrorKind::Shape);
    assert_eq!(kind("arange", &[], &integer("n", -1)), ErrorKind::Argument);
    assert_eq!(kind("arange", &[], &integer("n", i64::MAX)), ErrorKind::TooLarge);
    assert_eq!(kind("cast", &[x], &none.with("dtype", Attr::Text("float128".to_owned()))), ErrorKind::DType);
}

#[test]
fn gradients_are_taken_through_traced_arrays() {
    let device = Device::cpu();
    let x = device.array(vec![1.0f32, 2.0], [2]).traced();
    let value = (&x * &x).sum([]);
    let gradients = device.gradients(&value, &[&x]).unwrap();
    assert_eq!(values(&gradients[0]), [2.0, 4.0]);
    assert_eq!(values(&value.released()), [5.0]);
    // What does not depend on it has no slope.
    assert_eq!(values(&device.gradients(&device.scalar(1.0), &[&x]).unwrap()[0]), [0.0, 0.0]);
}

/// Name, inputs, attributes.
type Known = (&'static str, usize, Vec<&'static str>);

#[rustfmt::skip]
const METHODS: &[(&str, usize, &[&str])] = &[
    ("full", 0, &["shape", "value", "dtype"]), ("arange", 0, &["n"]), ("linspace", 0, &["start", "stop", "n"]), ("eye", 0, &["n"]),
    ("concat", 2, &["axis"]), ("stack", 2, &["axis"]), ("reshape", 1, &["shape"]), ("flatten", 1, &[]), ("permute", 1, &["order"]),
    ("transpose", 1, &[]), ("broadcast_to", 1, &["shape"]), ("expand_dims", 1, &["axis"]), ("squeeze", 1, &["axes"]),
    ("slice", 1, &["axis", "start", "stop", "step"]), ("index", 1, &["axis", "position"]), ("flip", 1, &["axes"]),
    ("cast", 1, &["dtype"]), ("traced", 1, &[]), ("released", 1, &[]), ("sum", 1, &["axes", "keep_axes"]),
    ("prod", 1, &["axes", "keep_axes"]), ("min", 1, &["axes", "keep_axes"]), ("max", 1, &["axes", "keep_axes"]),
    ("any", 1, &["axes", "keep_axes"]), ("all", 1, &["axes", "keep_axes"]), ("mean", 1, &["axes", "keep_axes"]),
    ("var", 1, &["axes", "keep_axes"]), ("std", 1, &["axes", "keep_axes"]), ("argmin", 1, &["axis"]), ("argmax", 1, &["axis"]),
    ("matmul", 2, &[]), ("softmax", 1, &["axis", "output"]), ("take", 2, &["axis"]), ("square", 1, &[]), ("relu", 1, &[]),
    ("leaky_relu", 1, &["slope"]), ("elu", 1, &["alpha"]), ("clamp", 3, &[]), ("select", 3, &[]),
];

fn known() -> Vec<Known> {
    let methods = METHODS.iter().map(|(name, n, attributes)| (*name, *n, attributes.to_vec()));
    let scalars = ScalarOp::ALL.iter().map(|op| (op.name(), op.arity(), Vec::new()));
    let registered = OPS.iter().map(|entry| entry.signature).map(|signature| {
        (signature.name, signature.inputs.len(), signature.attributes.iter().map(|attribute| attribute.name).collect())
    });
    methods.chain(scalars).chain(registered).collect()
}

fn integer_value() -> impl Strategy<Value = i64> {
    prop_oneof![12 => -4i64..6, 1 => any::<i64>()]
}

/// A value of the kind that `name` usually has, or of any other.
fn attr(name: &str) -> BoxedStrategy<Attr> {
    let texts = vec!["float32", "int32", "bool", "min", "sum", "logarithm", ""];
    let text = || prop::sample::select(texts.clone()).prop_map(|text| Attr::Text(text.to_owned()));
    let list = || prop::collection::vec(integer_value(), 0..4).prop_map(Attr::Integers);
    let usual = match name {
        "shape" | "order" | "axes" => list().boxed(),
        "dtype" | "output" | "extreme" | "combine" => text().boxed(),
        "keep_axes" => any::<bool>().prop_map(Attr::Truth).boxed(),
        _ => integer_value().prop_map(Attr::Integer).boxed(),
    };
    let other = prop_oneof![any::<f64>().prop_map(Attr::Number), any::<bool>().prop_map(Attr::Truth), text(), list()];
    prop_oneof![12 => usual, 1 => other].boxed()
}

#[derive(Clone, Debug)]
struct Sent {
    name: &'static str,
    /// `None` stands for a number.
    shapes: Vec<Option<Vec<usize>>>,
    attrs: Vec<(&'static str, Attr)>,
}

fn sent() -> impl Strategy<Value = Sent> {
    prop::sample::select(known()).prop_flat_map(|(name, n, attributes)| {
        let shape = prop::collection::vec(prop_oneof![Just(1usize), Just(2), Just(2), Just(3), Just(0)], 0..3);
        let inputs = prop_oneof![9 => Just(n), 1 => 0..4usize];
        let shapes = inputs.prop_flat_map(move |n| {
            prop::collection::vec(prop_oneof![6 => shape.clone().prop_map(Some), 1 => Just(None)], n)
        });
        let attrs: Vec<_> = attributes
            .iter()
            .map(|&attribute| (Just(attribute), attr(attribute)))
            .map(|given| prop_oneof![6 => given.prop_map(Some), 1 => Just(None)])
            .collect();
        (shapes, attrs).prop_map(move |(shapes, attrs)| Sent {
            name,
            shapes,
            attrs: attrs.into_iter().flatten().collect(),
        })
    })
}

/// Small enough to be computed in a test.
fn is_small(attr: &Attr) -> bool {
    let is_small = |value: &i64| value.abs() < 10;
    match attr {
        Attr::Integer(value) => is_small(value),
        Attr::Integers(values) => values.iter().all(is_small),
        _ => true,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn nothing_that_is_sent_panics(sent in sent()) {
        let device = Device::cpu();
        let input = |shape: Option<Vec<usize>>| shape.map_or(Input::Number(2.0), |shape| Input::Array(device.ones(shape)));
        let inputs: Vec<Input> = sent.shapes.into_iter().map(input).collect();
        let all_small = sent.attrs.iter().all(|(_, value)| is_small(value));
        let attrs = sent.attrs.into_iter().fold(Attrs::default(), |attrs, (name, value)| attrs.with(name, value));
        let result = device.call(sent.name, &inputs, &attrs);
        if result.check().is_ok() && all_small {
            let n_parts = if result.is_complex() { 2 } else { 1 };
            prop_assert_eq!(pollster::block_on(result.to_host()).unwrap().len(), n_parts * result.size());
        }
    }
}
