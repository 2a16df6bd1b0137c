//! Promises every registered operation keeps.

use tilework_ops::case::Case;
use tilework_ops::registry::{OPS, find};

fn has(cases: &[Case], wanted: impl Fn(&Case) -> bool) -> bool {
    cases.iter().any(wanted)
}

#[test]
fn every_operation_has_cases_at_the_edges() {
    for entry in OPS {
        let (name, cases) = (entry.signature.name, (entry.cases)());
        assert!(cases.len() >= 5, "{name} has only {} cases", cases.len());
        let sizes = |case: &Case| case.inputs.iter().map(|input| input.layout().shape.n_elements()).collect::<Vec<_>>();
        assert!(has(&cases, |case| sizes(case).contains(&1)), "{name}: no case of size 1");
        assert!(has(&cases, |case| sizes(case).contains(&0)), "{name}: no empty case");
        assert!(
            has(&cases, |case| case.inputs.iter().any(|input| !input.layout().is_contiguous())),
            "{name}: no strided view"
        );
        assert!(has(&cases, |case| sizes(case).iter().any(|n| n % 256 != 0 && *n > 16)), "{name}: no odd size");
    }
}

#[test]
fn names_are_unique_sorted_and_documented() {
    assert!(OPS.windows(2).all(|pair| pair[0].signature.name < pair[1].signature.name));
    for entry in OPS {
        assert!(find(entry.signature.name).is_some());
        assert!(entry.signature.doc.ends_with('.') && !entry.signature.inputs.is_empty());
        assert!(!entry.kernels.is_empty());
    }
}

#[test]
fn kernels_open_with_their_contract() {
    for (file, text) in OPS.iter().flat_map(|entry| entry.kernels) {
        let header: Vec<&str> = text.lines().take_while(|line| line.starts_with("//")).collect();
        assert!(header.len() >= 3, "{file} needs a contract");
        assert!(header.iter().any(|line| line.starts_with("// needs:")), "{file} does not say what it needs");
        assert!(!text.contains("@group("), "{file}: bindings are generated");
    }
}
