use super::*;

/// The sum itself.
fn transform(line: &[f64], direction: Direction) -> Vec<f64> {
    let n = line.len() / 2;
    let mut out = Vec::new();
    for k in 0..n {
        let (mut re, mut im) = (0.0, 0.0);
        for j in 0..n {
            let (cos, sin) = root((j * k) as u64, n as u64);
            let sin = if direction == Direction::Forward { sin } else { -sin };
            re += line[2 * j] * cos - line[2 * j + 1] * sin;
            im += line[2 * j] * sin + line[2 * j + 1] * cos;
        }
        out.extend([re, im]);
    }
    out
}

fn spread(i: usize) -> f64 {
    ((i as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as f64 / f64::from(1 << 23) - 1.0
}

fn check<F: LineFloat>(n: usize, direction: Direction, unit: f64) {
    let line: Vec<F> = (0..2 * n).map(|i| F::from_f64(spread(i))).collect();
    let want = transform(&line.iter().map(|x| x.to_f64()).collect::<Vec<_>>(), direction);
    let mut got = line;
    LinePlan::<F>::new(n).run(&mut got, direction, &mut Vec::new());
    let norm: f64 = want.iter().map(|x| x * x).sum::<f64>().sqrt();
    let error: f64 = want.iter().zip(&got).map(|(x, y)| (x - y.to_f64()).powi(2)).sum::<f64>().sqrt();
    // Every stage rounds a few times; a convolution has three transforms of twice the length.
    let allowed = unit * 4.0 * (4.0 + (n as f64).log2());
    assert!(error <= allowed * norm, "{n} {direction:?}: {:.1e}, allowed {allowed:.1e}", error / norm);
}

#[test]
fn lines_of_every_length_agree_with_the_sum() {
    for n in (1..=64).chain([81, 97, 100, 125, 128, 210, 243, 256, 360, 509, 625, 1000, 1024]) {
        for direction in [Direction::Forward, Direction::Inverse] {
            check::<f32>(n, direction, f64::from(f32::EPSILON) / 2.0);
            check::<f64>(n, direction, f64::EPSILON / 2.0);
        }
    }
}

#[test]
fn roots_are_exact_at_the_quarters() {
    assert_eq!(root(0, 12), (1.0, -0.0));
    assert_eq!(root(3, 12), (-0.0, -1.0));
    assert_eq!(root(6, 12), (-1.0, 0.0));
    assert_eq!(root(9, 12), (0.0, 1.0));
    assert_eq!(root(15, 12), root(3, 12));
}
