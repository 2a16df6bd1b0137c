use super::*;
use crate::{CpuEvaluator, CpuPrecision};
use proptest::prelude::*;
use tilework_core::ErrorKind;

/// Writes recordings as `packages/tilework/src/solve/encode.ts` does.
#[derive(Default)]
struct Writer {
    numbers: Vec<f64>,
    graphs: Vec<Vec<u32>>,
}

struct Graph<'a> {
    term: u32,
    args: &'a [(u32, &'a [u32])],
    columns: &'a [&'a [f64]],
    n_instances: u32,
    nodes: &'a [&'a [u32]],
    roots: &'a [u32],
}

impl Writer {
    fn number(&mut self, value: f64) -> u32 {
        self.numbers.push(value);
        self.numbers.len() as u32 - 1
    }

    fn graph(&mut self, graph: &Graph<'_>) {
        let first = self.numbers.len() as u32;
        graph.columns.iter().for_each(|column| self.numbers.extend(*column));
        let sizes =
            [graph.args.len(), graph.columns.len(), graph.n_instances as usize, graph.nodes.len(), graph.roots.len()];
        let mut words = vec![graph.term, 0, 0];
        words.extend(sizes.map(|size| size as u32));
        words.push(first);
        words.extend(graph.args.iter().map(|arg| arg.0));
        graph.args.iter().for_each(|arg| words.extend(arg.1));
        graph.nodes.iter().for_each(|node| words.extend(*node));
        words.extend(graph.roots);
        self.graphs.push(words);
    }

    fn words(&self) -> Vec<u32> {
        let mut words = vec![MAGIC, fingerprint(), self.graphs.len() as u32, self.numbers.len() as u32];
        for number in &self.numbers {
            words.extend([number.to_bits() as u32, (number.to_bits() >> 32) as u32]);
        }
        self.graphs.iter().for_each(|graph| words.extend(graph));
        words
    }
}

fn code(name: &str) -> u32 {
    FIRST_OP + ScalarOp::ALL.iter().position(|op| op.name() == name).unwrap() as u32
}

/// Springs along a line: `x[j] − x[i] − length`.
fn springs() -> Vec<u32> {
    let mut writer = Writer::default();
    let (sub, lengths) = (code("sub"), [1.0, 2.0]);
    writer.graph(&Graph {
        term: 0,
        args: &[(0, &[0, 1]), (0, &[1, 2])],
        columns: &[&lengths],
        n_instances: 2,
        nodes: &[&[1, 0, 0], &[1, 1, 0], &[2, 0], &[sub, 1, 0], &[sub, 3, 2]],
        roots: &[4],
    });
    writer.words()
}

fn line() -> Problem {
    let mut problem = Problem::new();
    problem.add_params(1, &[0.0, 0.5, 0.7]).unwrap();
    problem
}

#[test]
fn a_recording_becomes_a_group() {
    let mut problem = line();
    let added = problem.add_recording("springs", &springs()).unwrap();
    assert_eq!(added, [Added { group: 0, first: 0, n_instances: 2 }]);
    assert_eq!((problem.n_groups(), problem.n_instances(), problem.n_residuals()), (1, 2, 2));
    // The same maths again joins the group.
    let again = problem.add_recording("springs", &springs()).unwrap();
    assert_eq!(again, [Added { group: 0, first: 2, n_instances: 2 }]);
    assert_eq!(problem.n_groups(), 1);
}

#[test]
fn a_function_of_nothing_has_instances() {
    let mut writer = Writer::default();
    let three = writer.number(3.0);
    writer.graph(&Graph { term: 1, args: &[], columns: &[], n_instances: 4, nodes: &[&[0, three]], roots: &[0] });
    let mut problem = line();
    let added = problem.add_recording("constant", &writer.words()).unwrap();
    assert_eq!(added[0].n_instances, 4);
    assert_eq!(problem.n_instances(), 4);
    evaluate(&problem);
    assert_eq!(problem.cost(), 12.0);
}

#[test]
fn every_operation_can_be_recorded() {
    let mut writer = Writer::default();
    for (k, op) in ScalarOp::ALL.iter().enumerate() {
        let node: Vec<u32> =
            [FIRST_OP + k as u32].into_iter().chain((0..op.arity()).map(|arg| arg as u32 % 2)).collect();
        writer.graph(&Graph {
            term: 0,
            args: &[(0, &[0]), (0, &[1])],
            columns: &[],
            n_instances: 1,
            nodes: &[&[1, 0, 0], &[1, 1, 0], &node],
            roots: &[2],
        });
    }
    let mut problem = line();
    let added = problem.add_recording("operations", &writer.words()).unwrap();
    assert_eq!(added.len(), ScalarOp::ALL.len());
    assert_eq!(problem.n_instances(), ScalarOp::ALL.len());
    evaluate(&problem);
}

#[test]
fn what_does_not_fit_is_refused_and_nothing_is_added() {
    // Word of the recording of springs, what to put there, and what the message says.
    let cases = [
        (0, 7, "no recording"),
        (1, 7, "another list of operations"),
        (2, 2, "too early"),
        (3, u32::MAX, "too early"),
        (8, 2, "neither residuals"),
        (9, 99, "no loss 99"),
        (11, u32::MAX, "too early"),
        (12, 9, "data beyond"),
        (13, 0, "without instances"),
        (13, u32::MAX, "too"),
        (14, 1 << 30, "too large"),
        (15, 0, "0 results"),
        (16, 1, "data beyond"),
        (17, 5, "no set 5"),
        (20, 3, "block 3 of set 0, which has 3"),
        (24, 2, "argument 2 of 2"),
        (25, 1, "number 1 of argument 0, which has 1"),
        (30, 1, "column 1 of 1"),
        (31, 3, "no operation 3"),
        (31, 9999, "no operation 9999"),
        (32, 3, "`sub` is node 3 and reads node 3"),
        (37, 5, "result 5 of 5"),
    ];
    for (at, word, says) in cases {
        let mut words = springs();
        words[at] = word;
        let mut problem = line();
        let error = problem.add_recording("springs", &words).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Argument);
        assert!(error.to_string().contains(says), "word {at} = {word}: {error}");
        assert_eq!(problem.n_groups(), 0);
    }
    let mut longer = springs();
    longer.push(0);
    assert!(line().add_recording("springs", &longer).unwrap_err().to_string().contains("follow its end"));
    for n in 0..springs().len() {
        assert!(line().add_recording("springs", &springs()[..n]).is_err(), "{n} words");
    }
}

#[test]
fn numbers_that_are_none_are_refused() {
    let mut words = springs();
    (words[4], words[5]) = (0, 0x7ff8_0000);
    let error = line().add_recording("springs", &words).unwrap_err().to_string();
    assert!(error.contains("datum 0 of instance 0 is NaN"), "{error}");
}

/// Whatever was decoded can be derived and evaluated.
fn evaluate(problem: &Problem) {
    let mut evaluator = CpuEvaluator::new(problem, CpuPrecision::F64, 1);
    let x = problem.all_values();
    let (_, gradient) = evaluator.gradient(x).unwrap();
    assert_eq!(gradient.len(), problem.moving_numbers().len());
    assert_eq!(evaluator.residuals(x).unwrap().len(), problem.n_residuals());
    evaluator.jacobian(x).unwrap();
}

/// A valid recording with some words replaced: most stay decodable for a while.
fn damaged() -> impl Strategy<Value = Vec<u32>> {
    let word = prop_oneof![0u32..6, 0u32..120, any::<u32>()];
    let place = (0..springs().len(), word);
    prop::collection::vec(place, 1..6).prop_map(|places| {
        let mut words = springs();
        places.into_iter().for_each(|(at, word)| words[at] = word);
        words
    })
}

proptest! {
    #[test]
    fn garbage_never_panics(words in prop::collection::vec(any::<u32>(), 0..64)) {
        let _ = line().add_recording("garbage", &words);
        let framed: Vec<u32> = [MAGIC, fingerprint()].into_iter().chain(words).collect();
        let _ = line().add_recording("garbage", &framed);
    }

    #[test]
    fn damage_is_an_error_or_another_problem(words in damaged()) {
        let mut problem = line();
        match problem.add_recording("damaged", &words) {
            Ok(added) => {
                prop_assert_eq!(problem.n_instances(), added.iter().map(|added| added.n_instances).sum::<usize>());
                evaluate(&problem);
            }
            Err(_) => prop_assert_eq!(problem.n_groups(), 0),
        }
    }
}
