//! The stages together: exact choices, and frequencies against the probabilities they should have.

use super::*;

/// Everything off: the model's own distribution.
fn plain() -> SampleOptions {
    SampleOptions { temperature: 1.0, top_k: 0, top_p: 1.0, min_p: 0.0, ..SampleOptions::default() }
}

fn logs(probabilities: &[f32]) -> Vec<f32> {
    probabilities.iter().map(|p| p.ln()).collect()
}

/// χ² of `n` draws against `expected` probabilities; a token of probability 0 must never be drawn.
fn chi_square(options: SampleOptions, logits: &[f32], expected: &[f64]) -> f64 {
    let n = 20_000;
    let mut sampler = Sampler::new(options).unwrap();
    let mut counts = vec![0.0; logits.len()];
    for _ in 0..n {
        counts[sampler.sample(logits).unwrap().token as usize] += 1.0;
    }
    let mut sum = 0.0;
    for (token, (&p, &count)) in expected.iter().zip(&counts).enumerate() {
        let mean = p * f64::from(n);
        assert!(p > 0.0 || count == 0.0, "token {token}");
        sum += if p > 0.0 { (count - mean) * (count - mean) / mean } else { 0.0 };
    }
    sum
}

#[test]
fn frequencies_follow_probabilities() {
    let p = [0.1, 0.4, 0.05, 0.25, 0.2];
    let logits = logs(&p);
    // 99.9 % quantile of χ² with 4 degrees of freedom; the seeds are fixed, so this is no matter of luck.
    const BOUND: f64 = 18.47;
    let exact: Vec<f64> = p.iter().map(|&p| f64::from(p)).collect();
    for seed in 0..3 {
        let chi = chi_square(SampleOptions { seed, ..plain() }, &logits, &exact);
        assert!(chi < BOUND, "{chi}");
    }
    let normalized = |p: [f64; 5]| p.map(|x| x / p.iter().sum::<f64>());
    let cases = [
        ("top-k", SampleOptions { top_k: 3, ..plain() }, normalized([0.0, 0.4, 0.0, 0.25, 0.2])),
        ("top-p", SampleOptions { top_p: 0.6, ..plain() }, normalized([0.0, 0.4, 0.0, 0.25, 0.0])),
        ("min-p", SampleOptions { min_p: 0.2, ..plain() }, normalized([0.1, 0.4, 0.0, 0.25, 0.2])),
        ("temperature", SampleOptions { temperature: 0.5, ..plain() }, normalized([0.01, 0.16, 0.0025, 0.0625, 0.04])),
        // Cuts first, then temperature: 0.6 of the original mass, not of the sharpened one.
        (
            "top-p and temperature",
            SampleOptions { top_p: 0.7, temperature: 0.5, ..plain() },
            normalized([0.0, 0.16, 0.0, 0.0625, 0.04]),
        ),
        (
            "bias",
            SampleOptions { logit_bias: vec![(0, 2f32.ln()), (1, f32::NEG_INFINITY)], ..plain() },
            normalized([0.2, 0.0, 0.05, 0.25, 0.2]),
        ),
    ];
    for (name, options, expected) in cases {
        let chi = chi_square(options, &logits, &expected);
        assert!(chi < BOUND, "{name}: {chi}");
    }
}

#[test]
fn a_constraint_leaves_the_rest_in_proportion() {
    let logits = logs(&[0.1, 0.4, 0.05, 0.25, 0.2]);
    let mut sampler = Sampler::new(plain()).unwrap();
    let mut counts = [0; 5];
    for _ in 0..10_000 {
        counts[sampler.sample_where(&logits, &mut |token| token != 1).unwrap().token as usize] += 1;
    }
    assert_eq!(counts[1], 0);
    for (token, share) in [(0, 1.0 / 6.0), (3, 2.5 / 6.0), (4, 2.0 / 6.0)] {
        assert!((f64::from(counts[token]) / 10_000.0 - share).abs() < 0.02, "{counts:?}");
    }
    // Far outside of what the cuts leave.
    let logits: Vec<f32> = (0..1000).map(|token| -(token as f32)).collect();
    for options in [SampleOptions::default(), SampleOptions::greedy()] {
        let mut sampler = Sampler::new(options).unwrap();
        assert_eq!(sampler.sample_where(&logits, &mut |token| token == 50).unwrap().token, 50);
        assert_eq!(sampler.sample_where(&logits, &mut |token| token == 999).unwrap().token, 999);
        let error = sampler.sample_where(&logits, &mut |_| false).unwrap_err().to_string();
        assert!(error.contains("no token is possible"), "{error}");
    }
}

#[test]
fn greedy_takes_the_first_of_the_likeliest() {
    let mut sampler = Sampler::new(SampleOptions::greedy()).unwrap();
    assert_eq!(sampler.sample(&[0.0, 3.0, 3.0, -1.0]).unwrap().token, 1);
    let mut sampler = Sampler::new(SampleOptions { logit_bias: vec![(3, 10.0)], ..SampleOptions::greedy() }).unwrap();
    assert_eq!(sampler.sample(&[0.0, 3.0, 3.0, -1.0]).unwrap().token, 3);
}

#[test]
fn penalties_by_hand() {
    let options = SampleOptions {
        repetition_penalty: 2.0,
        frequency_penalty: 0.5,
        presence_penalty: 0.25,
        penalty_window: 3,
        ..SampleOptions::greedy()
    };
    let mut sampler = Sampler::new(options).unwrap();
    // The first is forgotten.
    for token in [3, 0, 1, 1] {
        sampler.accept(token);
    }
    let mut logits = vec![4.0, -1.0, 1.0, 2.0];
    sampler.adjust(&mut logits).unwrap();
    assert_eq!(logits, [4.0 / 2.0 - 0.75, -2.0 - 1.25, 1.0, 2.0]);
    // Tokens that the vocabulary does not have are no reason to fail.
    sampler.accept(4_000_000);
    assert_eq!(sampler.sample(&[0.0, 0.0, 0.5, 0.0]).unwrap().token, 2);
}

#[test]
fn same_seed_same_tokens() {
    let logits: Vec<f32> = (0..1000).map(|token| ((token * 7919) % 1000) as f32 / 100.0).collect();
    let tokens = |seed, mirostat| {
        let options = SampleOptions { seed, mirostat, repetition_penalty: 1.1, ..SampleOptions::default() };
        let mut sampler = Sampler::new(options).unwrap();
        let draw = |_| {
            let token = sampler.sample(&logits).unwrap().token;
            sampler.accept(token);
            token
        };
        (0..50).map(draw).collect::<Vec<u32>>()
    };
    for mirostat in [Mirostat::Off, Mirostat::V1 { tau: 5.0, eta: 0.1 }, Mirostat::V2 { tau: 5.0, eta: 0.1 }] {
        assert_eq!(tokens(1, mirostat), tokens(1, mirostat));
        assert_ne!(tokens(1, mirostat), tokens(2, mirostat));
    }
}

#[test]
fn logprobs_are_those_of_the_model() {
    let logits: Vec<f32> = logs(&[0.5, 0.125, 0.25, 0.125]).iter().map(|logit| logit + 3.0).collect();
    // Bias and temperature choose, but do not change what is reported.
    let options =
        SampleOptions { logprobs: Some(2), logit_bias: vec![(3, 50.0)], temperature: 0.1, ..SampleOptions::default() };
    let choice = Sampler::new(options).unwrap().sample(&logits).unwrap();
    let logprobs = choice.logprobs.unwrap();
    assert_eq!((choice.token, logprobs.chosen.token), (3, 3));
    assert!((logprobs.chosen.logprob - 0.125f32.ln()).abs() < 1e-6);
    let best: Vec<u32> = logprobs.best.iter().map(|best| best.token).collect();
    assert_eq!(best, [0, 2]);
    assert!((logprobs.best[1].logprob - 0.25f32.ln()).abs() < 1e-6);
}

#[test]
fn broken_logits_are_errors() {
    for options in [SampleOptions::default(), SampleOptions::greedy()] {
        let mut sampler = Sampler::new(options).unwrap();
        for logits in [&[0.0, f32::NAN][..], &[f32::INFINITY, 0.0], &[], &[f32::NEG_INFINITY; 3]] {
            sampler.sample(logits).unwrap_err();
        }
        assert_eq!(sampler.sample(&[f32::NEG_INFINITY, -1e30, f32::NEG_INFINITY]).unwrap().token, 1);
    }
    // Huge numbers and a tiny temperature overflow nothing.
    let options = SampleOptions {
        temperature: 1e-38,
        repetition_penalty: 0.01,
        logit_bias: vec![(1, f32::MAX)],
        ..SampleOptions::default()
    };
    let mut sampler = Sampler::new(options).unwrap();
    sampler.accept(0);
    assert!(sampler.sample(&[f32::MAX, f32::MAX, f32::MIN]).unwrap().token < 2);
    let options = SampleOptions { logit_bias: vec![(9, 1.0)], ..SampleOptions::default() };
    let error = Sampler::new(options).unwrap().sample(&[0.0; 3]).unwrap_err().to_string();
    assert!(error.contains("token 9") && error.contains("has 3"), "{error}");
}
