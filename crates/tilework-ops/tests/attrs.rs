//! Operations made by name, from whatever a caller may send.

use proptest::prelude::*;
use tilework_core::ErrorKind;
use tilework_core::dtype::DType;
use tilework_core::shape::Shape;
use tilework_ops::attrs::{AttrKind, Attribute, Presence};
use tilework_ops::registry::{OPS, build};
use tilework_ops::{Attr, Attrs, Meta, OpSignature};

fn matrix(dtype: DType) -> Meta {
    Meta { shape: Shape::new("test", vec![2, 3]).unwrap(), dtype }
}

fn good_value(attribute: &Attribute) -> Attr {
    match attribute.kind {
        AttrKind::Axis => Attr::Integer(-1),
        AttrKind::Axes => Attr::Integers(vec![0, -1]),
        AttrKind::Size => Attr::Integer(4),
        AttrKind::Sizes => Attr::Integers(vec![2, 3]),
        AttrKind::Choice(names) => Attr::Text(names[names.len() - 1].to_owned()),
        AttrKind::Truth => Attr::Truth(true),
        AttrKind::Number => Attr::Number(0.5),
        AttrKind::Text => Attr::Text("any".to_owned()),
    }
}

fn bad_value(attribute: &Attribute) -> Attr {
    match attribute.kind {
        AttrKind::Axis | AttrKind::Axes => Attr::Text("last".to_owned()),
        AttrKind::Size => Attr::Integer(-1),
        AttrKind::Sizes => Attr::Integers(vec![2, -3]),
        AttrKind::Choice(_) => Attr::Text("no such choice".to_owned()),
        AttrKind::Truth => Attr::Integer(1),
        AttrKind::Number => Attr::Text("half".to_owned()),
        AttrKind::Text => Attr::Integer(1),
    }
}

/// Good attributes, with those left out or replaced for which `change` says so.
fn attrs(signature: &OpSignature, change: impl Fn(&Attribute) -> Option<Attr>) -> Attrs {
    let given = signature.attributes.iter().filter_map(|attribute| Some((attribute.name, change(attribute)?)));
    given.fold(Attrs::default(), |attrs, (name, value)| attrs.with(name, value))
}

#[test]
fn every_operation_is_built_from_its_attributes() {
    for entry in OPS {
        let signature = entry.signature;
        let inputs = vec![matrix(DType::F32); signature.inputs.len()];
        for all in [true, false] {
            let wanted = |a: &Attribute| (all || a.presence == Presence::Required).then(|| good_value(a));
            let op = build(signature.name, &attrs(signature, wanted), &inputs).unwrap();
            assert_eq!(op.signature().name, signature.name);
        }
    }
}

#[test]
fn nonsense_is_refused_by_name() {
    for entry in OPS {
        let signature = entry.signature;
        let inputs = vec![matrix(DType::F32); signature.inputs.len()];
        let good = |a: &Attribute| Some(good_value(a));
        let refused = |attrs: Attrs, name: &str| {
            let error = build(signature.name, &attrs, &inputs).unwrap_err();
            assert_eq!((error.kind(), error.op()), (ErrorKind::Argument, signature.name));
            assert!(error.message().contains(name), "{error}");
        };
        refused(attrs(signature, good).with("bogus", Attr::Truth(true)), "bogus");
        for attribute in signature.attributes {
            let is_this = |a: &Attribute| a.name == attribute.name;
            refused(attrs(signature, |a| Some(if is_this(a) { bad_value(a) } else { good_value(a) })), attribute.name);
            if attribute.presence == Presence::Required {
                refused(attrs(signature, |a| (!is_this(a)).then(|| good_value(a))), attribute.name);
            }
        }
    }
    assert_eq!(build("bogus", &Attrs::default(), &[]).unwrap_err().kind(), ErrorKind::Argument);
}

#[test]
fn axes_count_from_the_end_and_must_exist() {
    let inputs = [matrix(DType::F32)];
    let axis = |axis| Attrs::default().with("axis", Attr::Integer(axis));
    let key = |attrs: &Attrs| {
        let mut words = Vec::new();
        build("softmax", attrs, &inputs).unwrap().encode(&mut words);
        words
    };
    assert_eq!(key(&axis(-1)), key(&axis(1)));
    for far in [2, -3, i64::MAX, i64::MIN] {
        assert_eq!(build("softmax", &axis(far), &inputs).unwrap_err().kind(), ErrorKind::Shape);
    }
}

fn attr() -> impl Strategy<Value = Attr> {
    let integer = || prop_oneof![4 => -4i64..6, 1 => any::<i64>()];
    prop_oneof![
        4 => integer().prop_map(Attr::Integer),
        1 => any::<f64>().prop_map(Attr::Number),
        3 => proptest::collection::vec(integer(), 0..10).prop_map(Attr::Integers),
        3 => prop::sample::select(vec!["min", "sum", "all", "logarithm", "", "x"]).prop_map(|text| Attr::Text(text.to_owned())),
        2 => any::<bool>().prop_map(Attr::Truth),
    ]
}

fn meta() -> impl Strategy<Value = Meta> {
    let dtypes = vec![DType::F32, DType::F64, DType::I32, DType::U32, DType::Bool];
    (proptest::collection::vec(0usize..4, 0..5), prop::sample::select(dtypes))
        .prop_map(|(sizes, dtype)| Meta { shape: Shape::new("test", sizes).unwrap(), dtype })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn nothing_that_is_sent_panics(
        op in 0..OPS.len(),
        values in proptest::collection::vec((0..8, attr()), 3),
        inputs in proptest::collection::vec(meta(), 0..4),
    ) {
        let signature = OPS[op].signature;
        // Mostly what fits, so that much of it gets as far as the shapes.
        let given = signature.attributes.iter().zip(values).filter_map(|(attribute, (how, value))| match how {
            0 => None,
            1 | 2 => Some((attribute.name, value)),
            _ => Some((attribute.name, good_value(attribute))),
        });
        let attrs = given.fold(Attrs::default(), |attrs, (name, value)| attrs.with(name, value));
        if let Ok(op) = build(signature.name, &attrs, &inputs) {
            _ = op.infer(&inputs);
        }
    }
}
