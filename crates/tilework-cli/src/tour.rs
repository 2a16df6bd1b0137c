//! `tilework tour`: a short walk through what Tilework does, on the devices of this machine.

use std::io::Write;

use clap::{ArgMatches, Command};
use tilework::layers::ops::threads::Threads;
use tilework::{Array, Device};

use crate::cpu_check::max_error;
use crate::device_choice::{SOFTWARE_NOTE, driver_advice, is_software};
use crate::failure::{Outcome, Verdict};
use crate::info::simd_name;
use crate::terminal::{Out, Paint};
use crate::timing;
use crate::workload::input;

const EXAMPLES: &str = "\
Examples:
  tilework tour
  NO_COLOR=1 tilework tour";

pub(crate) fn command() -> Command {
    Command::new("tour")
        .about("A short walk through what Tilework does, on the devices of this machine")
        .after_help(EXAMPLES)
}

pub(crate) fn run(_matches: &ArgMatches, out: &mut Out) -> Outcome {
    pollster::block_on(async {
        let mut tour = Tour { out, cpu: Device::cpu(), gpu: Device::gpu().await.ok(), is_fine: true };
        tour.devices()?;
        tour.fusion().await?;
        tour.matmul().await?;
        tour.gradient().await?;
        tour.next_steps()?;
        Ok(if tour.is_fine { Verdict::Fine } else { Verdict::Bad })
    })
}

/// How far the devices may be apart, relative to the largest value.
const TOLERANCE: f64 = 1e-4;
const N_ELEMENTS: usize = 100_000;
const N_MATRIX: usize = 256;

struct Tour<'a> {
    out: &'a mut Out,
    cpu: Device,
    gpu: Option<Device>,
    is_fine: bool,
}

/// The expression of the tour: eight operations.
fn expression(x: &Array) -> Array {
    (x * 2.0 + 1.0).sin() * (-x.square()).exp() + x.abs().sqrt()
}

const EXPRESSION: &str = "y = sin(2x + 1) * exp(-x^2) + sqrt(|x|)";

impl Tour<'_> {
    fn devices(&mut self) -> Outcome<()> {
        let title = self.out.paint(Paint::Title, concat!("Tilework ", env!("CARGO_PKG_VERSION")));
        writeln!(self.out, "{title}: NumPy-style arrays on any GPU, in any browser and on the CPU")?;
        self.out.title("1. Devices")?;
        let n_threads = Threads::all().count();
        self.out.row("cpu", &format!("{n_threads} threads, {}", simd_name()))?;
        match &self.gpu {
            Some(gpu) if is_software(gpu) => {
                let note = self.out.paint(Paint::Warning, &format!("({SOFTWARE_NOTE})"));
                Ok(self.out.row("gpu", &format!("{} {note}", gpu.name()))?)
            }
            Some(gpu) => Ok(self.out.row("gpu", &gpu.name())?),
            None => {
                let none = self.out.paint(Paint::Warning, "none, so this tour stays on the CPU");
                self.out.row("gpu", &none)?;
                Ok(self.out.row("", &format!("to use one: {}", driver_advice()))?)
            }
        }
    }

    async fn fusion(&mut self) -> Outcome<()> {
        self.out.title("2. Lazy arrays: a whole expression becomes one kernel")?;
        self.out.row("expression", EXPRESSION)?;
        let x = input(&self.cpu, &[N_ELEMENTS]);
        let kernels = self.cpu.kernels(&expression(&x))?;
        self.out.row("kernels", &format!("{}; the part that was generated:", kernels.len()))?;
        for line in kernels.first().map_or("", |kernel| generated_part(kernel)).lines() {
            let line = self.out.paint(Paint::Code, line);
            writeln!(self.out, "    {line}")?;
        }
        self.compare(|device| {
            let x = input(device, &[N_ELEMENTS]);
            Box::new(move || expression(&x))
        })
        .await
    }

    async fn matmul(&mut self) -> Outcome<()> {
        self.out.title(&format!("3. Matrix product, {N_MATRIX} x {N_MATRIX}"))?;
        self.compare(|device| {
            let x = input(device, &[N_MATRIX, N_MATRIX]);
            Box::new(move || x.matmul(&x.t()))
        })
        .await
    }

    /// Runs work on the CPU and the GPU, with times, and holds the results against each other.
    async fn compare(&mut self, work: fn(&Device) -> Box<dyn Fn() -> Array>) -> Outcome<()> {
        let (cpu_ms, want) = timed(work(&self.cpu).as_ref()).await?;
        self.out.row("cpu", &timing::format_ms(cpu_ms))?;
        let Some(gpu) = &self.gpu else { return Ok(()) };
        let (gpu_ms, got) = timed(work(gpu).as_ref()).await?;
        self.out.row("gpu", &timing::format_ms(gpu_ms))?;
        let want: Vec<f64> = want.into_iter().map(f64::from).collect();
        let error = max_error(got.into_iter().map(f64::from), &want);
        self.verdict("CPU and GPU differ by at most", error)
    }

    async fn gradient(&mut self) -> Outcome<()> {
        self.out.title("4. Gradients of any function of arrays")?;
        self.out.row("function", "f(x) = sum of x * sin(x), whose derivative is sin(x) + x * cos(x)")?;
        let device = self.gpu.as_ref().unwrap_or(&self.cpu);
        let x = device.linspace(-3.0, 3.0, 1000);
        let slope: Vec<f32> = device.grad(|x| (x * x.sin()).sum([]), &x)?.to_vec().await?;
        let known: Vec<f64> = x.to_vec::<f32>().await?.into_iter().map(|x| derivative(f64::from(x))).collect();
        let error = max_error(slope.into_iter().map(f64::from), &known);
        self.verdict("grad differs from it by at most", error)
    }

    fn verdict(&mut self, what: &str, error: f64) -> Outcome<()> {
        let is_fine = error < TOLERANCE;
        self.is_fine &= is_fine;
        let (paint, word) = if is_fine { (Paint::Good, "ok") } else { (Paint::Bad, "WRONG") };
        let word = self.out.paint(paint, word);
        Ok(self.out.row("check", &format!("{word}: {what} {error:.1e} of the largest value"))?)
    }

    fn next_steps(&mut self) -> Outcome<()> {
        self.out.title("Where to go next")?;
        for (command, what) in [
            ("tilework doctor", "what works on this machine, step by step"),
            ("tilework bench", "how fast its devices are"),
            ("tilework conformance", "every operation against its reference"),
            ("cargo doc --open -p tilework", "the library: Device, Array, grad, capture"),
        ] {
            let command = self.out.paint(Paint::Code, &format!("{command:<30}"));
            writeln!(self.out, "  {command} {what}")?;
        }
        Ok(())
    }
}

fn derivative(x: f64) -> f64 {
    x.sin() + x * x.cos()
}

/// The fastest of a few runs, after the first, and the result.
async fn timed(build: &dyn Fn() -> Array) -> Outcome<(f64, Vec<f32>)> {
    let result = build();
    let values = result.to_vec().await?;
    let mut best_ms = f64::INFINITY;
    for _ in 0..3 {
        let (ms, ()) = timing::once(async || {
            let array = build();
            array.eval().await?;
            Ok(array.device().finish().await?)
        })
        .await?;
        best_ms = best_ms.min(ms);
    }
    Ok((best_ms, values))
}

/// The function computing one element, without the declarations around it; the whole kernel if there is no such function.
fn generated_part(kernel: &str) -> &str {
    let Some(start) = kernel.find("fn map_element") else { return kernel };
    let body = &kernel[start..];
    body.find("\n}").map_or(body, |end| &body[..end + 2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_part_is_one_function() {
        let kernel = "struct P {\n}\nfn map_element(i: u32) {\n    y[i] = x[i];\n}\nfn main() {\n}\n";
        assert_eq!(generated_part(kernel), "fn map_element(i: u32) {\n    y[i] = x[i];\n}");
        assert_eq!(generated_part("fn main() {}"), "fn main() {}");
    }

    #[test]
    fn expression_of_the_tour_is_one_kernel() {
        let device = Device::cpu();
        let kernels = device.kernels(&expression(&input(&device, &[10]))).unwrap();
        assert_eq!(kernels.len(), 1);
        assert!(generated_part(&kernels[0]).starts_with("fn map_element"), "{}", kernels[0]);
    }
}
