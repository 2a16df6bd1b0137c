//! Random arrays: their bits on every machine, and whether their distributions are what they should be.
//!
//! Seeds are fixed, so the tests always see the same numbers; the bounds are those that a good generator passes with a
//! probability of at least 0.9999, so a wrong formula does not.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]

mod common;

use common::devices;
use pollster::block_on;
use tilework::layers::ops::{Attr, Attrs};
use tilework::{Array, DType, Device, ErrorKind};

const N: usize = 100_000;

fn read(array: &Array) -> Vec<f64> {
    block_on(array.to_vec::<f32>()).unwrap().into_iter().map(f64::from).collect()
}

fn moments(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    (mean, values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n)
}

/// Fails if mean or variance are more than four standard errors from what they should be; `fourth` is the fourth central moment.
fn assert_moments(values: &[f64], mean: f64, variance: f64, fourth: f64) {
    let (got_mean, got_variance) = moments(values);
    let n = values.len() as f64;
    assert!((got_mean - mean).abs() < 4.0 * (variance / n).sqrt(), "mean {got_mean} for {mean}");
    let error = ((fourth - variance * variance) / n).sqrt();
    assert!((got_variance - variance).abs() < 4.0 * error + 1e-12, "variance {got_variance} for {variance}");
}

/// Fails if the counts of equally likely `bins` deviate more than four standard deviations of chi-square.
fn assert_even(counts: &[f64]) {
    let (bins, n) = (counts.len() as f64, counts.iter().sum::<f64>());
    let square: f64 = counts.iter().map(|count| (count - n / bins).powi(2) / (n / bins)).sum();
    let freedom = bins - 1.0;
    assert!((square - freedom).abs() < 4.0 * (2.0 * freedom).sqrt(), "chi-square {square} for {freedom}");
}

fn histogram(values: impl IntoIterator<Item = usize>, bins: usize) -> Vec<f64> {
    let mut counts = vec![0.0; bins];
    values.into_iter().for_each(|bin| counts[bin] += 1.0);
    counts
}

#[test]
fn every_machine_gives_the_same_bits() {
    let expected = |shape: [usize; 2]| {
        let d = Device::cpu();
        let mut random = d.random(0x0123_4567_89ab_cdef);
        (
            block_on(random.bits(shape).to_vec::<u32>()).unwrap(),
            block_on(random.uniform(shape).to_vec::<f32>()).unwrap(),
        )
    };
    let (bits, uniform) = expected([77, 101]);
    assert_ne!(bits[..100], uniform[..100].iter().map(|x| x.to_bits()).collect::<Vec<_>>()[..]);
    for d in devices() {
        let mut random = d.random(0x0123_4567_89ab_cdef);
        assert_eq!(block_on(random.bits([77, 101]).to_vec::<u32>()).unwrap(), bits);
        assert_eq!(block_on(random.uniform([77, 101]).to_vec::<f32>()).unwrap(), uniform);
        let drawn = block_on(random.integers([500], -3, 9).to_vec::<i32>()).unwrap();
        let mut again = Device::cpu().random(0x0123_4567_89ab_cdef);
        again.seek(2);
        assert_eq!(drawn, block_on(again.integers([500], -3, 9).to_vec::<i32>()).unwrap());
    }
}

/// Draws of every kind by name: equal bits where nothing is rounded on the way, else a few units in the last place.
#[test]
fn every_machine_draws_alike() {
    let number = tilework::Input::Number;
    let shape = Attrs::default().with("shape", Attr::Integers(vec![5, 7]));
    let n = Attrs::default().with("n", Attr::Integer(35));
    let two = || vec![number(2.0), number(3.0)];
    let range = shape.clone().with("low", Attr::Integer(-3)).with("high", Attr::Integer(9));
    let draws: [(&str, Vec<tilework::Input>, &Attrs, f64); 13] = [
        ("random_words", vec![], &shape, 0.0),
        ("random_bytes", vec![], &n, 0.0),
        ("random_uniform", vec![], &shape, 0.0),
        ("random_integers", vec![], &range, 0.0),
        ("random_permutation", vec![], &n, 0.0),
        ("random_poisson", vec![number(4.0)], &shape, 0.0),
        ("random_binomial", vec![number(9.0), number(0.3)], &shape, 0.0),
        ("random_normal", vec![], &shape, 1e-5),
        ("random_exponential", vec![], &shape, 1e-5),
        ("random_beta", two(), &shape, 1e-5),
        ("random_laplace", two(), &shape, 1e-5),
        ("random_weibull", vec![number(2.0)], &shape, 1e-5),
        ("random_standard_t", vec![number(5.0)], &shape, 1e-4),
    ];
    for (name, inputs, attrs, tolerance) in draws {
        let attrs = attrs.clone().with("seed", Attr::Integer(3)).with("draw", Attr::Integer(1));
        let drawn = |d: &Device| read(&d.call(name, &inputs, &attrs).to_f32());
        let expected = drawn(&Device::cpu());
        for d in devices() {
            assert_eq!(expected.len(), 35, "{name}");
            for (got, wanted) in drawn(&d).iter().zip(&expected) {
                assert!((got - wanted).abs() <= tolerance * wanted.abs().max(1.0), "{name}: {got} for {wanted}");
            }
        }
    }
}

/// What is drawn of an array, on every machine.
#[test]
fn every_machine_picks_alike() {
    let draws = |d: &Device| {
        let x = d.arange(24).reshape([8, 3]);
        let call = |name: &str, attrs: Attrs| {
            let attrs = attrs.with("seed", Attr::Integer(5));
            read(&d.call(name, &[tilework::Input::Array(x.clone())], &attrs).to_f32())
        };
        [
            call("random_shuffle", Attrs::default()),
            call("random_choice", Attrs::default().with("shape", Attr::Integers(vec![6]))),
            call("random_choice_distinct", Attrs::default().with("n", Attr::Integer(5))),
            read(&d.random(5).gamma(&d.linspace(0.2, 4.0, 40)).mul(100.0).round()),
        ]
    };
    let expected = draws(&Device::cpu());
    assert_eq!(expected.each_ref().map(Vec::len), [24, 18, 15, 40]);
    for d in devices() {
        assert_eq!(draws(&d), expected);
    }
}

/// The first words of seed 0, draw 0 are the published answer for a counter and key of zeros.
#[test]
fn the_published_words_come_first() {
    let words = block_on(Device::cpu().random(0).bits([4]).to_vec::<u32>()).unwrap();
    assert_eq!(words, [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
}

#[test]
fn seeds_and_draws_differ() {
    let d = Device::cpu();
    let mut random = d.random(1);
    let bits = |array: Array| block_on(array.to_vec::<u32>()).unwrap();
    let draws = [bits(random.bits([64])), bits(random.bits([64])), bits(d.random(2).bits([64]))];
    let equal = |a: &[u32], b: &[u32]| a.iter().zip(b).filter(|(x, y)| x == y).count();
    assert_eq!([equal(&draws[0], &draws[1]), equal(&draws[0], &draws[2]), equal(&draws[1], &draws[2])], [0, 0, 0]);
    assert_eq!(bits(d.random(1).bits([64])), draws[0]);
}

/// Ones, runs and neighbours of the bits, after the frequency and runs tests of NIST SP 800-22.
#[test]
fn bits_are_balanced_and_independent() {
    let words = block_on(Device::cpu().random(11).bits([N]).to_vec::<u32>()).unwrap();
    let n = (32 * N) as f64;
    let ones: f64 = words.iter().map(|word| f64::from(word.count_ones())).sum();
    assert!((ones - n / 2.0).abs() < 4.0 * (n / 4.0).sqrt(), "{ones} ones of {n}");
    let changes: f64 = words.iter().map(|word| f64::from((word ^ (word >> 1)).count_ones() - (word >> 31))).sum();
    let pairs = (31 * N) as f64;
    assert!((changes - pairs / 2.0).abs() < 4.0 * (pairs / 4.0).sqrt(), "{changes} changes of {pairs}");
    for bit in 0..32 {
        let ones = words.iter().filter(|&&word| word >> bit & 1 == 1).count() as f64;
        assert!((ones - N as f64 / 2.0).abs() < 5.0 * (N as f64 / 4.0).sqrt(), "bit {bit}: {ones}");
    }
    assert_even(&histogram(words.windows(2).map(|pair| (pair[0] >> 28 << 4 | pair[1] >> 28) as usize), 256));
}

#[test]
fn uniform_numbers() {
    let mut random = Device::cpu().random(5);
    let values = read(&random.uniform([N]));
    assert!(values.iter().all(|x| (0.0..1.0).contains(x)));
    assert_moments(&values, 0.5, 1.0 / 12.0, 1.0 / 80.0);
    assert_even(&histogram(values.iter().map(|x| (x * 100.0) as usize), 100));
    let values = read(&random.uniform_between([N], -2.0, 4.0));
    assert!(values.iter().all(|x| (-2.0..=4.0).contains(x)));
    assert_moments(&values, 1.0, 3.0, 1296.0 / 80.0);
}

#[test]
fn normal_and_exponential_numbers() {
    for d in devices() {
        let mut random = d.random(6);
        let values = read(&random.normal([N], 0.0, 1.0));
        assert_moments(&values, 0.0, 1.0, 3.0);
        // Quartiles of the normal distribution are equally likely bins.
        let bin = |x: f64| usize::from(x > -0.674_489_75) + usize::from(x > 0.0) + usize::from(x > 0.674_489_75);
        assert_even(&histogram(values.iter().map(|&x| bin(x)), 4));
        assert_moments(&read(&random.normal([N], 3.0, 0.5)), 3.0, 0.25, 3.0 / 16.0);
        let values = read(&random.exponential([N], 2.0));
        assert!(values.iter().all(|&x| x >= 0.0 && x.is_finite()));
        assert_moments(&values, 2.0, 4.0, 9.0 * 16.0);
        assert_even(&histogram(values.iter().map(|x| ((1.0 - (-x / 2.0).exp()) * 50.0).min(49.0) as usize), 50));
    }
}

#[test]
fn gamma_numbers() {
    let d = Device::cpu();
    let mut random = d.random(7);
    for alpha in [0.3, 1.0, 2.5, 40.0] {
        let values = read(&random.gamma(&d.full([N], alpha)));
        assert!(values.iter().all(|&x| x >= 0.0));
        assert_moments(&values, alpha, alpha, 3.0 * alpha * alpha + 6.0 * alpha);
    }
    assert!(read(&random.gamma(&d.zeros([3]))).iter().all(|x| x.is_nan()));
}

#[test]
fn integers_truth_values_and_choices() {
    let d = Device::cpu();
    let mut random = d.random(8);
    let dice = block_on(random.integers([N], 1, 7).to_vec::<i32>()).unwrap();
    assert_even(&histogram(dice.iter().map(|&x| (x - 1) as usize), 6));
    let wide = block_on(random.integers([N], i32::MIN, i32::MAX).to_vec::<i32>()).unwrap();
    assert_even(&histogram(wide.iter().map(|&x| ((i64::from(x) + (1 << 31)) >> 26) as usize), 64));
    assert_eq!(block_on(random.integers([5], 3, 4).to_vec::<i32>()).unwrap(), [3; 5]);
    let truth = random.bernoulli([N], 0.3);
    assert_eq!(truth.dtype(), DType::Bool);
    let n_true = block_on(truth.sum([]).item()).unwrap();
    assert!((n_true - 0.3 * N as f64).abs() < 4.0 * (0.21 * N as f64).sqrt(), "{n_true}");
    let picked = read(&random.choice(&d.array(vec![2.0f32, 4.0, 8.0], [3]), [N], 0));
    assert_even(&histogram(picked.iter().map(|x| x.log2() as usize - 1), 3));
    assert_eq!(random.choice(&d.zeros([3, 4]), [5, 2], 1).shape(), [3, 5, 2]);
    assert_eq!(random.integers([2], 4, 4).check().unwrap_err().kind(), ErrorKind::Argument);
    assert_eq!(read(&random.normal([0], 0.0, 1.0)).len(), 0);
}

#[test]
fn by_name() {
    let d = Device::cpu();
    let attrs = |draw| {
        let attrs = Attrs::default().with("shape", Attr::Integers(vec![3, 4])).with("seed", Attr::Integer(9));
        attrs.with("draw", Attr::Integer(draw))
    };
    let mut random = d.random(9);
    assert_eq!(read(&d.call("random_uniform", &[], &attrs(0))), read(&random.uniform([3, 4])));
    assert_eq!(read(&d.call("random_normal", &[], &attrs(1))), read(&random.normal([3, 4], 0.0, 1.0)));
    let missing = d.call("random_uniform", &[], &Attrs::default().with("seed", Attr::Integer(1)));
    assert_eq!(missing.check().unwrap_err().kind(), ErrorKind::Argument);
}

#[test]
fn permutations_hold_every_position_once_and_are_the_same_everywhere() {
    for n in [0, 1, 2, 1000, 5000] {
        let drawn: Vec<Vec<i32>> =
            devices().iter().map(|d| block_on(d.random(17).permutation(n).to_vec::<i32>()).unwrap()).collect();
        let mut sorted = drawn[0].clone();
        sorted.sort_unstable();
        assert!(sorted.iter().copied().eq(0..n as i32), "{n}");
        assert!(drawn.iter().all(|other| *other == drawn[0]), "{n}");
        assert!(n < 1000 || sorted != drawn[0]);
    }
}

#[test]
fn every_order_is_about_as_likely() {
    let d = Device::cpu();
    let mut random = d.random(3);
    let n_draws = 6000;
    let mut counts = std::collections::HashMap::new();
    for _ in 0..n_draws {
        *counts.entry(block_on(random.permutation(3).to_vec::<i32>()).unwrap()).or_insert(0) += 1;
    }
    assert_eq!(counts.len(), 6);
    let expected = f64::from(n_draws) / 6.0;
    let chi_square: f64 = counts.values().map(|&n| (f64::from(n) - expected).powi(2) / expected).sum();
    // 5 degrees of freedom: more than 20.5 would happen once in a thousand seeds.
    assert!(chi_square < 20.5, "{chi_square}");
}

#[test]
fn shuffles_keep_rows_and_choices_are_distinct() {
    for d in devices() {
        let x = d.arange(20).reshape([10, 2]);
        let mut random = d.random(5);
        let rows = block_on(random.shuffle(&x, 0).to_vec::<i32>()).unwrap();
        let mut firsts: Vec<i32> = rows.chunks(2).map(|row| row[0]).collect();
        assert!(rows.chunks(2).all(|row| row[1] == row[0] + 1));
        firsts.sort_unstable();
        assert!(firsts.iter().copied().eq((0..20).step_by(2)));
        let mut some = block_on(random.choice_distinct(&d.arange(100), 40, 0).to_vec::<i32>()).unwrap();
        some.sort_unstable();
        some.dedup();
        assert_eq!(some.len(), 40);
        assert!(random.choice_distinct(&d.arange(3), 4, 0).check().is_err());
        assert!(random.shuffle(&d.scalar(1.0), 0).check().is_err());
    }
}

/// The largest distance of the empirical distribution to `cumulative`, times the root of the number of values: above 2.3 once in 20000.
fn assert_distributed(name: &str, mut values: Vec<f64>, cumulative: impl Fn(f64) -> f64) {
    values.sort_unstable_by(f64::total_cmp);
    let n = values.len() as f64;
    let distance = values.iter().enumerate().fold(0.0f64, |worst, (i, &x)| {
        let expected = cumulative(x);
        worst.max((expected - i as f64 / n).abs()).max((expected - (i + 1) as f64 / n).abs())
    });
    assert!(distance * n.sqrt() < 2.3, "{name}: {}", distance * n.sqrt());
}

#[test]
fn continuous_distributions() {
    for d in devices() {
        let mut random = d.random(21);
        let mut check = |name: &str, draw: &dyn Fn(&mut tilework::Random) -> Array, cumulative: &dyn Fn(f64) -> f64| {
            assert_distributed(name, read(&draw(&mut random)), cumulative);
        };
        let n = [20_000usize];
        check("laplace", &|r| r.laplace(n, 1.0, 2.0), &|x| {
            let z = (x - 1.0) / 2.0;
            if z < 0.0 { 0.5 * z.exp() } else { 1.0 - 0.5 * (-z).exp() }
        });
        check("logistic", &|r| r.logistic(n, 0.0, 3.0), &|x| 1.0 / (1.0 + (-x / 3.0).exp()));
        check("gumbel", &|r| r.gumbel(n, 0.5, 2.0), &|x| (-(-(x - 0.5) / 2.0).exp()).exp());
        check("pareto", &|r| r.pareto(n, 2.5), &|x| 1.0 - (1.0 + x).powf(-2.5));
        check("power", &|r| r.power(n, 3.0), &|x| x.powi(3));
        check("rayleigh", &|r| r.rayleigh(n, 2.0), &|x| 1.0 - (-x * x / 8.0).exp());
        check("weibull", &|r| r.weibull(n, 1.5), &|x| 1.0 - (-x.powf(1.5)).exp());
        check("cauchy", &|r| r.standard_cauchy(n), &|x| 0.5 + x.atan() / std::f64::consts::PI);
        check("triangular", &|r| r.triangular(n, [&0.0, &1.0, &4.0]), &|x| {
            if x < 1.0 { x * x / 4.0 } else { 1.0 - (4.0 - x).powi(2) / 12.0 }
        });
        check("beta(2, 1)", &|r| r.beta(n, 2.0, 1.0), &|x| x * x);
        check("chi-square of 2", &|r| r.chisquare(n, 2.0), &|x| 1.0 - (-x / 2.0).exp());
        check("t of 2", &|r| r.standard_t(n, 2.0), &|x| 0.5 + x / (2.0 * (2.0 + x * x).sqrt()));
        check("f of 2 and 2", &|r| r.f(n, 2.0, 2.0), &|x| x / (1.0 + x));
        let logs = read(&random.lognormal([N], 0.5, 0.25)).into_iter().map(f64::ln).collect::<Vec<_>>();
        assert_moments(&logs, 0.5, 0.0625, 3.0 * 0.0625 * 0.0625);
    }
}

#[test]
fn draws_of_several_numbers() {
    let d = Device::cpu();
    let mut random = d.random(22);
    let shares = random.dirichlet([20_000], &d.array(vec![1.0f32, 2.0, 5.0], [3]));
    assert_eq!(shares.shape(), [20_000, 3]);
    assert!(read(&shares.sum([-1])).iter().all(|sum| (sum - 1.0).abs() < 1e-5));
    assert_distributed("dirichlet", read(&shares.index(1, 0)), |x| 1.0 - (1.0 - x).powi(7));
    let covariance = d.array(vec![2.0f32, 0.6, 0.6, 0.5], [2, 2]);
    let pairs = random.multivariate_normal([N / 4, 4], &d.array(vec![1.0f32, -3.0], [2]), &covariance);
    assert_eq!(pairs.shape(), [N / 4, 4, 2]);
    let rows = pairs.reshape([N, 2]) - d.array(vec![1.0f32, -3.0], [2]);
    let estimate = read(&(rows.t().matmul(&rows) / N as f64));
    let error = |got: f64, want: f64, variance: f64| {
        assert!((got - want).abs() < 4.0 * (variance / N as f64).sqrt(), "{got} for {want}")
    };
    error(estimate[0], 2.0, 8.0);
    error(estimate[1], 0.6, 2.0 * 0.5 + 0.36);
    error(estimate[3], 0.5, 0.5);
    assert!(random.multivariate_normal([2], &d.zeros([3]), &covariance).check().is_err());
    assert!(random.dirichlet([2], &d.ones([2, 2])).check().is_err());
}

#[test]
fn choices_by_weight() {
    for d in devices() {
        let mut random = d.random(23);
        let p = d.array(vec![0.0f32, 0.1, 0.6, 0.3, 0.0], [5]);
        let picked =
            block_on(random.choice_weighted(&d.arange(5), [N / 10, 10], &p, 0).flatten().to_vec::<i32>()).unwrap();
        let counts = histogram(picked.iter().map(|&x| x as usize), 5);
        for (count, p) in counts.iter().zip([0.0, 0.1, 0.6, 0.3, 0.0]) {
            assert!((count - p * N as f64).abs() <= 4.0 * (p * (1.0 - p) * N as f64).sqrt(), "{counts:?}");
        }
        let mut firsts = vec![0.0; 5];
        for _ in 0..300 {
            let two = block_on(random.choice_weighted_distinct(&d.arange(5), 2, &p, 0).to_vec::<i32>()).unwrap();
            assert!(two[0] != two[1] && two.iter().all(|&x| (1..4).contains(&x)), "{two:?}");
            firsts[two[0] as usize] += 1.0;
        }
        assert!((firsts[2] - 180.0f64).abs() < 4.0 * (300.0f64 * 0.24).sqrt(), "{firsts:?}");
        let tries = block_on(random.geometric([N], 0.25).to_vec::<i32>()).unwrap();
        assert!(tries.iter().all(|&x| x >= 1));
        assert_moments(
            &tries.iter().map(|&x| f64::from(x)).collect::<Vec<_>>(),
            4.0,
            12.0,
            9.0 * 144.0 + 12.0 * (1.0 + 0.25 * 0.25 / 0.75),
        );
        let rows = random.permuted(&d.arange(12).reshape([3, 4]), 1);
        assert_eq!(block_on(rows.sort(1).to_vec::<i32>()).unwrap(), (0..12).collect::<Vec<i32>>());
        let columns = random.permuted(&d.arange(12).reshape([3, 4]), 0);
        assert_eq!(block_on(columns.sort(0).to_vec::<i32>()).unwrap(), (0..12).collect::<Vec<i32>>());
        assert!(block_on(random.bytes(1000).to_vec::<u32>()).unwrap().iter().all(|&byte| byte < 256));
        assert!(random.choice_weighted(&d.arange(4), [2], &p, 0).check().is_err());
        assert!(random.choice_weighted_distinct(&d.arange(5), 6, &p, 0).check().is_err());
    }
}

#[test]
fn parameters_at_the_edges() {
    let d = Device::cpu();
    let mut random = d.random(24);
    let none = |x: Array| read(&x).iter().all(|x| x.is_nan());
    assert!(none(random.laplace([3], 0.0, -1.0)) && none(random.gumbel([3], 0.0, f64::NAN)));
    assert!(none(random.pareto([3], 0.0)) && none(random.weibull([3], -1.0)) && none(random.power([3], f64::NAN)));
    assert!(none(random.beta([3], 0.0, 1.0)) && none(random.chisquare([3], -2.0)));
    assert!(none(random.triangular([3], [&1.0, &0.0, &2.0])));
    assert_eq!(read(&random.laplace([3], 2.0, 0.0)), [2.0; 3]);
    assert_eq!(block_on(random.geometric([3], 1.0).to_vec::<i32>()).unwrap(), [1; 3]);
    assert_eq!(block_on(random.geometric([3], 2.0).to_vec::<i32>()).unwrap(), [0; 3]);
    let scales = d.array(vec![0.0f32, 1.0, 100.0], [3]);
    assert_eq!(random.rayleigh([4, 3], &scales).shape(), [4, 3]);
    assert_eq!(random.rayleigh([4, 2], &scales).check().unwrap_err().kind(), ErrorKind::Shape);
    assert_eq!(read(&random.beta([0], 1.0, 1.0)).len(), 0);
}

#[test]
fn distributions_by_name() {
    let d = Device::cpu();
    let attrs = Attrs::default().with("shape", Attr::Integers(vec![3, 4])).with("seed", Attr::Integer(9));
    let number = tilework::Input::Number;
    let beta = d.call("random_beta", &[number(2.0), number(3.0)], &attrs);
    assert_eq!(read(&beta), read(&d.random(9).beta([3, 4], 2.0, 3.0)));
    let cauchy = d.call("random_standard_cauchy", &[], &attrs);
    assert_eq!(read(&cauchy), read(&d.random(9).standard_cauchy([3, 4])));
    let x = tilework::Input::Array(d.arange(12).reshape([3, 4]));
    let seed = Attrs::default().with("seed", Attr::Integer(9));
    assert_eq!(d.call("random_permuted", &[x], &seed).shape(), [3, 4]);
    assert_eq!(d.call("random_laplace", &[number(0.0)], &attrs).check().unwrap_err().kind(), ErrorKind::Argument);
}

/// Counts against probabilities, in bins of at least 10 expected counts; chi-square within four standard deviations.
fn assert_counts(values: &[i32], probability: impl Fn(i32) -> f64) {
    let n = values.len() as f64;
    let largest = values.iter().copied().max().unwrap_or(0);
    let (mut square, mut bins, mut expected, mut seen) = (0.0, 0.0, 0.0, 0.0);
    let counts = histogram(values.iter().map(|&k| usize::try_from(k).unwrap()), largest as usize + 1);
    for (k, count) in counts.iter().enumerate() {
        expected += n * probability(k as i32);
        seen += count;
        if expected >= 10.0 {
            square += (seen - expected).powi(2) / expected;
            bins += 1.0;
            (expected, seen) = (0.0, 0.0);
        }
    }
    assert!((square - bins).abs() < 4.0 * (2.0f64 * bins).sqrt() + 2.0, "chi-square {square} for {bins}");
}

fn log_factorials(n: usize) -> Vec<f64> {
    let mut sum = 0.0;
    std::iter::once(0.0)
        .chain((1..=n).map(|k| {
            sum += (k as f64).ln();
            sum
        }))
        .collect()
}

fn counted(array: &Array) -> Vec<i32> {
    block_on(array.to_vec::<i32>()).unwrap()
}

#[test]
fn poisson_counts() {
    let logs = log_factorials(20_000);
    for (seed, rate) in [0.1, 3.0, 9.9, 10.1, 100.0, 1e4].into_iter().enumerate() {
        let drawn = Device::cpu().random(seed as u64).poisson([N], rate);
        assert_eq!(drawn.dtype(), DType::I32);
        let values = counted(&drawn);
        let floats: Vec<f64> = values.iter().map(|&k| f64::from(k)).collect();
        assert_moments(&floats, rate, rate, rate * (1.0 + 3.0 * rate));
        assert_counts(&values, |k| (f64::from(k) * rate.ln() - rate - logs[k as usize]).exp());
        for d in devices() {
            let other = counted(&d.random(seed as u64).poisson([N], rate));
            let n_equal = values.iter().zip(&other).filter(|(a, b)| a == b).count();
            assert!(n_equal >= N - 20, "rate {rate}: {n_equal} of {N} are equal");
        }
    }
}

#[test]
fn binomial_counts() {
    let logs = log_factorials(100_000);
    let pairs = [
        (1, 0.3),
        (12, 0.5),
        (20, 0.5),
        (33, 0.3),
        (34, 0.3),
        (1000, 0.98),
        (1000, 0.999),
        (50_000, 1e-4),
        (100_000, 0.4),
    ];
    for (seed, (n, p)) in pairs.into_iter().enumerate() {
        let values = counted(&Device::cpu().random(seed as u64).binomial([N], n, p));
        let floats: Vec<f64> = values.iter().map(|&k| f64::from(k)).collect();
        let variance = f64::from(n) * p * (1.0 - p);
        assert_moments(
            &floats,
            f64::from(n) * p,
            variance,
            variance * (1.0 + (3.0 * f64::from(n) - 6.0) * p * (1.0 - p)),
        );
        let ways = |k: i32| logs[n as usize] - logs[k as usize] - logs[(n - k) as usize];
        assert_counts(&values, |k| (ways(k) + f64::from(k) * p.ln() + f64::from(n - k) * (-p).ln_1p()).exp());
        for d in devices() {
            let other = counted(&d.random(seed as u64).binomial([N], n, p));
            let n_equal = values.iter().zip(&other).filter(|(a, b)| a == b).count();
            assert!(n_equal >= N - 20, "{n}, {p}: {n_equal} of {N} are equal");
        }
    }
}

#[test]
fn counts_of_parameters_at_the_edges() {
    for d in devices() {
        let mut random = d.random(3);
        let rates = d.array(vec![0.0f32, -1.0, f32::NAN, f32::INFINITY, 3e9], [5]);
        assert_eq!(counted(&random.poisson([5], &rates)), [0, -1, -1, i32::MAX, i32::MAX]);
        let p = d.array(vec![0.0f32, 1.0, -0.1, 1.1, f32::NAN], [5]);
        assert_eq!(counted(&random.binomial([5], 40, &p)), [0, 40, -1, -1, -1]);
        assert_eq!(counted(&random.binomial([2], -1, 0.5)), [-1, -1]);
        assert_eq!(counted(&random.binomial([2], 0, 0.5)), [0, 0]);
        // The far ends of the types.
        let far = counted(&random.poisson([1000], 2e9));
        assert!(far.iter().all(|&k| (f64::from(k) - 2e9).abs() < 6.0 * 2e9f64.sqrt()));
        let far = counted(&random.binomial([1000], i32::MAX, 0.25));
        let mean = f64::from(i32::MAX) * 0.25;
        assert!(far.iter().all(|&k| (f64::from(k) - mean).abs() < 6.0 * (mean * 0.75).sqrt()));
        assert_eq!(random.poisson([2, 2], d.array(vec![1.0f32; 3], [3])).check().unwrap_err().kind(), ErrorKind::Shape);
    }
}
