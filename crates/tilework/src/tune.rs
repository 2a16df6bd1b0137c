//! Finding out which kernel is fastest here.
//!
//! Some operations have several kernels, and which is best depends on the GPU. Each has a default by what the device reports;
//! [`Device::tune`] measures the candidates at a few sizes within a time budget and keeps the fastest, for the work of similar
//! size that follows and, natively, in the user's cache folder for the next time this adapter is opened. In browsers the page
//! keeps them, as text.

use crate::array::Array;
use crate::cache;
use crate::calibrate::now_s;
use crate::device::Device;
use tilework_core::plan::{Caps, Choice};
use tilework_core::{Error, ErrorKind, Result};
#[cfg(not(target_arch = "wasm32"))]
use tilework_gpu::Gpu;
use tilework_ops::{Meta, NodeKind, Variants};

/// Fewest runs of a candidate after the one that compiles it.
const MIN_RUNS: usize = 2;
/// Most runs of a candidate.
const MAX_RUNS: usize = 20;
/// A candidate gets this part of what is left of the budget.
const SHARE: f64 = 0.05;

/// What a measurement of one problem found.
#[derive(Clone, Debug)]
pub struct Tuned {
    /// Name of the operation.
    pub op: String,
    /// The sizes that decide, as the operation lists them.
    pub sizes: Vec<usize>,
    /// Seconds of each kernel, the fastest run of several; the default first.
    pub times_s: Vec<(&'static str, f64)>,
}

impl Tuned {
    /// The fastest kernel. One that is not clearly faster than the default does not replace it.
    pub fn fastest(&self) -> &'static str {
        let Some(&(default, default_s)) = self.times_s.first() else { return "" };
        let best = self.times_s.iter().min_by(|x, y| x.1.total_cmp(&y.1));
        best.filter(|(_, s)| *s < 0.97 * default_s).map_or(default, |(name, _)| name)
    }
}

impl Device {
    /// Measures the kernels of every operation that has several, and from now on uses the fastest. Ends soon after `budget_s`
    /// seconds, whatever is done by then; `progress` is told what is measured next.
    ///
    /// Fails with [`ErrorKind::Unsupported`] on a device without a GPU.
    pub async fn tune(&self, budget_s: f64, progress: &mut dyn FnMut(&str)) -> Result<Vec<Tuned>> {
        if self.open_gpu().is_none() {
            return Err(Error::new(ErrorKind::Unsupported, "tune", "only a GPU has kernels to choose from"));
        }
        let before = self.choices();
        let deadline_s = now_s() + budget_s;
        let result = self.measure_problems(deadline_s, progress).await;
        self.set_choices(before);
        let tuned = result?;
        let choice = |t: &Tuned| Choice { op: t.op.clone(), sizes: t.sizes.clone(), variant: t.fastest().to_owned() };
        self.set_choices(tuned.iter().map(choice).collect());
        self.save_choices();
        Ok(tuned)
    }

    /// Replaces the choice of kernels by lines of `op sizes variant`; lines that make no sense are left out.
    pub fn set_choices_from(&self, text: &str) {
        self.set_choices(parse(text));
    }

    /// What an earlier run found out about this adapter.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn kept_choices(gpu: &Gpu) -> Vec<Choice> {
        cache::read(gpu, "choices").map(|text| parse(&text)).unwrap_or_default()
    }

    pub(crate) fn save_choices(&self) {
        if let Some(gpu) = self.open_gpu() {
            cache::write(&gpu, "choices", || format(&self.choices()));
        }
    }

    async fn measure_problems(&self, deadline_s: f64, progress: &mut dyn FnMut(&str)) -> Result<Vec<Tuned>> {
        let mut found = Vec::new();
        // From small to large: what a small problem took tells whether the next is affordable.
        let mut slowest_flops_per_s = f64::INFINITY;
        for problem in PROBLEMS {
            let [m, k, n] = problem.sizes.map(|size| size as f64);
            let flops = 2.0 * m * k * n;
            let expected_s = flops / slowest_flops_per_s * (MIN_RUNS + 1) as f64;
            if now_s() + expected_s > deadline_s {
                continue;
            }
            progress(&format!("{} of {m}×{k} and {k}×{n}", problem.op));
            let tuned = self.measure(problem, deadline_s).await?;
            let slowest_s = tuned.times_s.iter().map(|(_, s)| *s).fold(0.0, f64::max);
            // Small problems are all overhead: their rate would hold the larger ones back.
            if flops > 1e6 {
                slowest_flops_per_s = flops / slowest_s.max(1e-9);
            }
            found.push(tuned);
        }
        #[cfg(any(not(target_arch = "wasm32"), feature = "pictures"))]
        if now_s() < deadline_s {
            progress("pictures as buffers and as textures");
            found.push(self.time_pictures().await?);
        }
        Ok(found)
    }

    async fn measure(&self, problem: &Problem, deadline_s: f64) -> Result<Tuned> {
        let [m, k, n] = problem.sizes;
        let a = self.arange(m * k).to_f32().reshape([m, k]);
        let b = self.arange(n * k).to_f32().reshape([n, k]);
        self.eval(&[&a, &b]).await?;
        let b = if problem.transposed { b.t() } else { b.reshape([k, n]) };
        let work = || a.matmul(&b);
        let variants = variants(&work(), &self.caps())?;
        let mut times_s = Vec::new();
        for name in variants.names {
            self.set_choices(vec![Choice { op: problem.op.into(), sizes: Vec::new(), variant: name.into() }]);
            let limit_s = ((deadline_s - now_s()) * SHARE).max(0.0);
            times_s.push((name, self.fastest_run(&work, limit_s).await?));
        }
        Ok(Tuned { op: problem.op.to_owned(), sizes: variants.sizes, times_s })
    }

    /// Seconds of the fastest of a few runs; the first, which compiles, does not count.
    pub(crate) async fn fastest_run(&self, work: &dyn Fn() -> Array, limit_s: f64) -> Result<f64> {
        let mut best_s = f64::INFINITY;
        let begin_s = now_s();
        for run in 0..=MAX_RUNS {
            let start_s = now_s();
            self.eval(&[&work()]).await?;
            self.finish().await?;
            if run > 0 {
                best_s = best_s.min(now_s() - start_s);
            }
            if run >= MIN_RUNS && now_s() - begin_s > limit_s {
                break;
            }
        }
        Ok(best_s)
    }
}

fn variants(array: &Array, caps: &Caps) -> Result<Variants> {
    let node = array.node()?;
    let NodeKind::Op(op) = &node.kind else { return Ok(Variants::default()) };
    let metas: Vec<Meta> = node.inputs().iter().map(|input| input.meta.clone()).collect();
    Ok(op.variants(&metas, caps))
}

/// Work to measure: a product of `[m, k, n]`.
struct Problem {
    op: &'static str,
    sizes: [usize; 3],
    /// Whether the right side is a transposed matrix, as a layer's weights are.
    transposed: bool,
}

const fn product(sizes: [usize; 3]) -> Problem {
    Problem { op: "matmul", sizes, transposed: false }
}

const PROBLEMS: &[Problem] = &[
    product([1, 256, 256]),
    product([64, 64, 64]),
    product([16, 512, 16]),
    Problem { op: "matmul", sizes: [1, 1024, 1024], transposed: true },
    product([128, 128, 128]),
    product([256, 256, 256]),
    product([32, 1024, 1024]),
    product([512, 512, 512]),
    product([1024, 1024, 1024]),
    product([2048, 2048, 2048]),
];

/// Choices as lines of `op sizes variant`.
pub(crate) fn format(choices: &[Choice]) -> String {
    let line = |choice: &Choice| {
        let sizes: Vec<String> = choice.sizes.iter().map(usize::to_string).collect();
        format!("{} {} {}\n", choice.op, sizes.join(","), choice.variant)
    };
    choices.iter().map(line).collect()
}

/// Lines that make no sense are left out: a choice is only ever a hint.
pub(crate) fn parse(text: &str) -> Vec<Choice> {
    let line = |line: &str| {
        let [op, sizes, variant] = line.split(' ').collect::<Vec<_>>()[..] else { return None };
        let sizes = sizes.split(',').filter(|size| !size.is_empty()).map(|size| size.parse().ok());
        Some(Choice { op: op.to_owned(), sizes: sizes.collect::<Option<_>>()?, variant: variant.to_owned() })
    };
    text.lines().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_survive_the_file() {
        let choices = vec![
            Choice { op: "matmul".into(), sizes: vec![1, 2, 3], variant: "direct".into() },
            Choice { op: "sort".into(), sizes: vec![], variant: "radix".into() },
        ];
        assert_eq!(parse(&format(&choices)), choices);
        assert_eq!(parse("matmul 1,x direct\nnonsense\n\nsort  radix"), choices[1..]);
    }

    #[test]
    fn a_kernel_must_be_clearly_faster_to_replace_the_default() {
        let tuned = |times_s| Tuned { op: "matmul".into(), sizes: vec![], times_s };
        assert_eq!(tuned(vec![("shared", 1.0), ("direct", 0.99)]).fastest(), "shared");
        assert_eq!(tuned(vec![("shared", 1.0), ("direct", 0.5), ("simple", 0.4)]).fastest(), "simple");
        assert_eq!(tuned(vec![]).fastest(), "");
    }
}
