//! Promises every registered operation keeps.

use tilework_core::shape::Shape;
use tilework_ops::Meta;
use tilework_ops::case::{Case, CaseInput};
use tilework_ops::registry::{OPS, find};

fn has(cases: &[Case], wanted: impl Fn(&Case) -> bool) -> bool {
    cases.iter().any(wanted)
}

/// Their input is a state of four words; what has a size is the result.
const GENERATORS: &[&str] = &["random_binomial_counts", "random_bits", "random_gamma", "random_poisson_counts"];

/// Shapes of the inputs, and of the result of a generator.
fn shapes(case: &Case) -> Vec<Shape> {
    let meta = |input: &CaseInput| Meta { shape: input.layout().shape, dtype: input.data.dtype() };
    let metas: Vec<Meta> = case.inputs.iter().map(meta).collect();
    let is_generator = GENERATORS.contains(&case.op.signature().name);
    let result = case.op.infer(&metas).ok().filter(|_| is_generator).map(|out| out.shape);
    metas.into_iter().map(|meta| meta.shape).chain(result).collect()
}

#[test]
fn every_operation_has_cases_at_the_edges() {
    for entry in OPS {
        let (name, cases) = (entry.signature.name, (entry.cases)());
        assert!(cases.len() >= 5, "{name} has only {} cases", cases.len());
        let sizes = |case: &Case| shapes(case).iter().map(Shape::n_elements).collect::<Vec<_>>();
        // A complex number is an axis of two parts.
        let is_one = |shape: &Shape| shape.n_elements() == 1 || (name.ends_with("fft") && shape[..] == [1, 2]);
        assert!(has(&cases, |case| shapes(case).iter().any(is_one)), "{name}: no case of size 1");
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
        // Factorizations exist on the CPU only.
        assert!(!entry.kernels.is_empty() || entry.signature.name.ends_with("_packed"));
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

/// WGSL clears a variable without a value each time its declaration is met; Chromium 156 on SwiftShader was seen not to, in a loop.
#[test]
fn variables_in_blocks_say_what_they_start_with() {
    for (file, text) in OPS.iter().flat_map(|entry| entry.kernels) {
        for line in text.lines().filter(|line| line.starts_with("        ") && line.trim_start().starts_with("var ")) {
            assert!(line.contains('='), "{file}: `{}` needs a value", line.trim());
        }
    }
}
