use super::*;
use crate::philox::{Stream, fill};

fn random(n: usize, seed: u32) -> Vec<u32> {
    let mut words = vec![0; n];
    fill(Stream { key: [seed, 0], stream: [0, 0] }, 0, &mut words);
    words
}

/// Words in every order that a sort may find hard.
fn patterns(n: usize, seed: u32) -> Vec<Vec<u32>> {
    let some = random(n, seed);
    let up: Vec<u32> = (0..n as u32).collect();
    let pipe = (0..n).map(|i| i.min(n - i) as u32).collect();
    let saw = (0..n as u32).map(|i| i % 37).collect();
    let runs = (0..n).map(|i| some[i / 50]).collect();
    let few = |n_kinds: u32| some.iter().map(|word| word % n_kinds).collect();
    let mostly = |usual: u32| some.iter().map(|&word| if word % 8 > 0 { usual } else { word }).collect();
    let down = up.iter().rev().copied().collect();
    let ends = some.iter().map(|word| if word % 2 == 0 { u32::MAX } else { 0 }).collect();
    vec![
        some.clone(),
        up,
        down,
        pipe,
        saw,
        runs,
        few(1),
        few(2),
        few(3),
        few(100),
        mostly(0),
        mostly(u32::MAX),
        mostly(9),
        ends,
    ]
}

fn assert_sorts(quick: Quick, words: &[u32], n_steps: Option<u32>) {
    let mut want = words.to_vec();
    want.sort_unstable();
    let (mut got, mut scratch) = (words.to_vec(), vec![7; words.len()]);
    match n_steps {
        None => quick.sort(&mut got, &mut scratch),
        Some(n_steps) => quick.sort_to(&mut got, &mut scratch, Target::Here, n_steps),
    }
    assert!(got == want, "{} words: {:?} ...", words.len(), &words[..words.len().min(20)]);
}

#[test]
fn words_of_any_number_and_order_are_sorted() {
    let Some(quick) = Quick::detect() else { return };
    for n in (0..300).chain([511, 512, 513, 1000, 2047, 2048, 2100, 4096, 10_001, 70_000]) {
        patterns(n, n as u32).iter().for_each(|words| assert_sorts(quick, words, None));
    }
    for seed in 0..200 {
        let n = random(1, seed)[0] as usize % 20_000;
        assert_sorts(quick, &random(n, 1000 + seed), None);
    }
}

#[test]
fn pivots_that_do_not_divide_are_given_up() {
    let Some(quick) = Quick::detect() else { return };
    for n_steps in 0..4 {
        patterns(3000, n_steps).iter().for_each(|words| assert_sorts(quick, words, Some(n_steps)));
    }
}

#[test]
fn a_split_and_the_sort_of_its_runs_is_a_sort() {
    let Some(quick) = Quick::detect() else { return };
    for (n, n_parts) in [(0, 4), (1, 4), (15, 4), (17, 16), (100, 16), (5000, 4), (40_000, 64)] {
        for words in patterns(n, 5) {
            let pivots: Vec<u32> = (1..n_parts).map(|part| u32::MAX / n_parts as u32 * part as u32).collect();
            let mut cut = words.clone();
            let block = (n / 3).max(1);
            let mut ends = vec![0; n.div_ceil(block) * n_parts];
            for (block, ends) in cut.chunks_mut(block).zip(ends.chunks_mut(n_parts)) {
                let mut scratch = vec![0; block.len()];
                quick.split(block, &mut scratch, &pivots, ends);
            }
            let mut sorted = Vec::new();
            for part in 0..n_parts {
                let runs = cut.chunks(block).zip(ends.chunks(n_parts)).map(|(words, ends)| {
                    let start = if part == 0 { 0 } else { ends[part - 1] };
                    &words[start as usize..ends[part] as usize]
                });
                let mut words = vec![0; runs.clone().map(<[u32]>::len).sum()];
                let mut scratch = words.clone();
                quick.sort_runs(runs, u32::MAX / 2, &mut words, &mut scratch);
                sorted.extend(words);
            }
            let mut want = words;
            want.sort_unstable();
            assert!(sorted == want, "{n} words in {n_parts} parts");
        }
    }
}
