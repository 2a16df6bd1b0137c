//! Solving, with a progress line, Ctrl-C, and a report.

use std::cell::OnceCell;
use std::io::Write;

use serde_json::{Value, json};
use tilework::{Device, Gpu, probe_double_float};
use tilework_solve::gpu::{Eft, KernelOf, Precision, wgsl};
use tilework_solve::{Control, Iteration, Problem, Reason, SolveOptions, Summary};

use super::settings::{Digits, Machine, Settings};
use crate::failure::{Failure, Outcome};
use crate::llm::interrupt::Interrupt;
use crate::terminal::{Out, Paint, Progress};

/// What solves one problem after the other.
pub(super) struct Runner {
    progress: Progress,
    interrupt: Interrupt,
    machine: Machine,
    shown: Option<KernelOf>,
    /// Opened when it is first needed.
    gpu: OnceCell<(Gpu, Precision)>,
}

impl Runner {
    pub(super) fn new(settings: &Settings) -> Runner {
        let progress = if settings.is_json { Progress::silent() } else { Progress::new() };
        let (machine, shown) = (settings.machine, settings.shown);
        Runner { progress, interrupt: Interrupt::listen(), machine, shown, gpu: OnceCell::new() }
    }

    /// Whether Ctrl-C was pressed.
    pub(super) fn is_interrupted(&self) -> bool {
        self.interrupt.is_asked()
    }

    /// Says what is being done, where somebody looks.
    pub(super) fn show(&self, what: &str) {
        self.progress.show(what);
    }

    /// Solves, until there is a reason to stop or somebody presses Ctrl-C. Nothing is solved, and there is no summary, if kernels are to be
    /// shown instead.
    pub(super) fn solve(
        &self,
        name: &str,
        problem: &mut Problem,
        options: &SolveOptions<'_>,
        out: &mut Out,
    ) -> Outcome<Option<Summary>> {
        if let Some(kernels) = self.shown {
            self.progress.clear();
            return show_kernels(problem, kernels, self.machine, out).map(|()| None);
        }
        self.interrupt.begin();
        let max_iterations = options.max_iterations;
        let on_iteration = |iteration: &Iteration| {
            self.progress.show(&line(name, iteration, max_iterations));
            if self.interrupt.is_asked() { Control::Stop } else { Control::Continue }
        };
        let options = SolveOptions { on_iteration: Some(&on_iteration), ..options.clone() };
        let outcome = match self.machine {
            Machine::Cpu => problem.solve(&options).map_err(Failure::from),
            Machine::Gpu(digits) => pollster::block_on(self.solve_on_gpu(digits, problem, &options)),
        };
        self.progress.clear();
        outcome.map(Some)
    }

    async fn solve_on_gpu(
        &self,
        digits: Digits,
        problem: &mut Problem,
        options: &SolveOptions<'_>,
    ) -> Outcome<Summary> {
        let (gpu, precision) = match self.gpu.get() {
            Some(opened) => opened,
            None => {
                // A device of the engine keeps compiled kernels for the next run of the program.
                let gone = || Failure::usage("the GPU is gone", "`--device cpu` solves on the CPU");
                let gpu = Device::gpu().await?.open_gpu().ok_or_else(gone)?;
                let precision = match digits {
                    Digits::Df64 => probe_double_float(&gpu).await?.precision(),
                    Digits::F32 | Digits::F64 => precision(digits),
                };
                self.gpu.get_or_init(|| (gpu, precision))
            }
        };
        Ok(problem.solve_on(gpu, *precision, options).await?)
    }
}

/// The precision of that name, without a device to ask.
fn precision(digits: Digits) -> Precision {
    match digits {
        Digits::F32 => Precision::F32,
        // The variant of double-floats that no driver's optimizations break.
        Digits::Df64 => Precision::Df64(Eft::Integer),
        Digits::F64 => Precision::F64,
    }
}

/// Prints the kernels of all groups, for reading and for other tools.
fn show_kernels(problem: &Problem, kernels: KernelOf, machine: Machine, out: &mut Out) -> Outcome<()> {
    // Kernels are a GPU's; single precision is the shortest to read.
    let precision = if let Machine::Gpu(digits) = machine { precision(digits) } else { Precision::F32 };
    for (name, text) in wgsl(problem, kernels, precision) {
        let title = out.paint(Paint::Title, &format!("// {name}"));
        writeln!(out, "{title}\n{text}")?;
    }
    Ok(())
}

/// A bar, and how far it is.
fn line(name: &str, iteration: &Iteration, max_iterations: usize) -> String {
    const WIDTH: usize = 16;
    let full = (iteration.number * WIDTH).checked_div(max_iterations).unwrap_or(0).min(WIDTH);
    let bar = ["█".repeat(full), "░".repeat(WIDTH - full)].concat();
    format!("{name} {bar} {:>5}  cost {:.6e}  {:.1} s", iteration.number, iteration.cost, iteration.seconds)
}

/// What every summary is in JSON.
pub(super) fn json(summary: &Summary) -> Value {
    json!({
        "initial_cost": summary.initial_cost,
        "final_cost": summary.final_cost,
        "iterations": summary.n_iterations(),
        "seconds": summary.times.total,
        "reason": summary.reason.name(),
    })
}

/// What every summary is to people.
pub(super) fn print(summary: &Summary, out: &mut Out) -> Outcome<()> {
    let telemetry = &summary.telemetry;
    let (times, reason) = (summary.times, summary.reason);
    let paint = match reason {
        _ if reason.is_converged() => Paint::Good,
        Reason::NoProgress => Paint::Bad,
        _ => Paint::Warning,
    };
    let why = out.paint(paint, reason.explanation());
    out.row("cost", &format!("{:.9e} → {:.9e}", summary.initial_cost, summary.final_cost))?;
    out.row("iterations", &format!("{}, until {why}", summary.n_iterations()))?;
    let parts = format!(
        "{:.3} s (compile {:.3}, derivatives {:.3}, linear systems {:.3}, costs {:.3})",
        times.total, times.compile, times.linearize, times.linear, times.cost
    );
    out.row("time", &parts)?;
    let size = format!(
        "{} residuals in {} instances of {} kernels, {} directions, solved by {}",
        telemetry.n_residuals, telemetry.n_instances, telemetry.n_groups, telemetry.n_directions, telemetry.linear
    );
    out.row("size", &size)?;
    Ok(())
}

/// A title, then the summary.
pub(super) fn print_titled(title: &str, summary: &Summary, out: &mut Out) -> Outcome<()> {
    let title = out.paint(Paint::Title, title);
    writeln!(out, "{title}")?;
    print(summary, out)
}

/// The summary's JSON with more in it.
pub(super) fn json_with(summary: &Summary, more: Value) -> Value {
    let mut all = json(summary);
    if let (Value::Object(all), Value::Object(more)) = (&mut all, more) {
        all.extend(more);
    }
    all
}
