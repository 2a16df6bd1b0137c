//! `tilework doctor`: what works, step by step, and what to do about what does not.

use std::io::Write;

use clap::{ArgMatches, Command};
use serde_json::{Value, json};
use tilework::layers::ops::threads::Threads;
use tilework::{Device, Gpu};

use crate::cpu_check::{self, TOLERANCE};
use crate::device_choice::{SOFTWARE_NOTE, driver_advice, json_argument};
use crate::failure::{Outcome, Verdict};
use crate::info::simd_name;
use crate::terminal::{Out, Paint};
use crate::timing;

const EXAMPLES: &str = "\
Examples:
  tilework doctor
  tilework doctor --json

Exit code 0 if what is there computes correctly (no GPU is only a warning), 1 if a check fails.";

pub(crate) fn command() -> Command {
    Command::new("doctor")
        .about("What works on this machine, step by step, and what to do about what does not")
        .arg(json_argument())
        .after_help(EXAMPLES)
}

pub(crate) fn run(matches: &ArgMatches, out: &mut Out) -> Outcome {
    let mut doctor = Doctor { out, is_json: matches.get_flag("json"), steps: Vec::new() };
    pollster::block_on(doctor.examine())?;
    doctor.conclude()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    Ok,
    /// A fact that is neither good nor bad.
    Note,
    Warning,
    Failed,
}

struct Step {
    name: &'static str,
    status: Status,
    detail: String,
    advice: Option<String>,
}

struct Doctor<'a> {
    out: &'a mut Out,
    is_json: bool,
    steps: Vec<Step>,
}

impl Doctor<'_> {
    async fn examine(&mut self) -> Outcome<()> {
        self.examine_cpu().await?;
        let adapters = Gpu::adapters().await;
        if adapters.is_empty() {
            return self.warn("adapters", "none found; everything runs on the CPU", driver_advice());
        }
        let names: Vec<&str> = adapters.iter().map(|adapter| adapter.name.as_str()).collect();
        self.ok("adapters", format!("{} found: {}", names.len(), names.join(", ")))?;
        match timing::once(async || Ok(Device::gpu().await?)).await {
            Ok((ms, device)) => {
                self.ok("device", format!("{} opens in {}", device.name(), timing::format_ms(ms)))?;
                self.examine_gpu(&device).await
            }
            Err(failure) => {
                self.warn("device", &failure.to_string(), "the CPU is used instead; update the graphics driver")
            }
        }
    }

    async fn examine_cpu(&mut self) -> Outcome<()> {
        let n_threads = Threads::all().count();
        let threads = if n_threads == 1 { "thread" } else { "threads" };
        self.ok("cpu", format!("{n_threads} {threads}, {}", simd_name()))?;
        match cpu_check::run().await {
            Ok(checks) => self.checks("cpu check", "known results", &checks),
            Err(failure) => self.fail("cpu check", failure.to_string()),
        }
    }

    async fn examine_gpu(&mut self, device: &Device) -> Outcome<()> {
        let software = device.adapter().is_some_and(|adapter| adapter.software);
        if software {
            self.warn("adapter", SOFTWARE_NOTE, "correct, and enough for tests; for speed use the CPU or a real GPU")?;
        }
        if let Err(failure) = self.time_first_kernel(device).await {
            return self.fail("first kernel", failure.to_string());
        }
        match tilework::self_check(device).await {
            Ok(found) => self.checks("gpu check", "the CPU", &found.checks)?,
            Err(error) => self.fail("gpu check", error.to_string())?,
        }
        self.examine_features(device)
    }

    async fn time_first_kernel(&mut self, device: &Device) -> Outcome<()> {
        let work = async |shift: f64| {
            // The shift is an argument of the kernel, so that both runs share one kernel and neither result is cached.
            let value = ((device.ones([64]) + shift).sqrt() * 3.0).to_vec::<f32>().await?;
            Ok(value)
        };
        let (first_ms, _) = timing::once(async || work(3.0).await).await?;
        let (again_ms, _) = timing::once(async || work(8.0).await).await?;
        let detail = format!("{} with compilation, {} again", timing::format_ms(first_ms), timing::format_ms(again_ms));
        self.ok("first kernel", detail)
    }

    fn examine_features(&mut self, device: &Device) -> Outcome<()> {
        let Some(gpu) = device.open_gpu() else { return Ok(()) };
        let has_timestamps = gpu.features_report().iter().any(|name| name == "timestamp_query");
        let yes_no = |is_there: bool, use_of: &str| format!("{}{use_of}", if is_there { "yes" } else { "no" });
        self.note("timestamps", yes_no(has_timestamps, "; used to profile kernels"))?;
        let subgroups = match gpu.caps().subgroup_sizes {
            Some((low, high)) if low == high => format!("yes, of {low}"),
            Some((low, high)) => format!("yes, of {low} to {high}"),
            None => "no; reductions go through workgroup memory".to_owned(),
        };
        self.note("subgroups", subgroups)?;
        self.note("f16", yes_no(gpu.caps().shader_f16, ""))
    }

    /// A step for a list of comparisons, each with its error.
    fn checks(&mut self, name: &'static str, against: &str, checks: &[(&'static str, f64)]) -> Outcome<()> {
        for &(what, error) in checks {
            let is_ok = error < TOLERANCE;
            let detail = format!("{what:<26} differs from {against} by {error:.1e}");
            if is_ok { self.ok(name, detail)? } else { self.fail(name, detail)? }
        }
        Ok(())
    }

    fn ok(&mut self, name: &'static str, detail: String) -> Outcome<()> {
        self.step(Step { name, status: Status::Ok, detail, advice: None })
    }

    fn note(&mut self, name: &'static str, detail: String) -> Outcome<()> {
        self.step(Step { name, status: Status::Note, detail, advice: None })
    }

    fn warn(&mut self, name: &'static str, detail: &str, advice: &str) -> Outcome<()> {
        self.step(Step { name, status: Status::Warning, detail: detail.to_owned(), advice: Some(advice.to_owned()) })
    }

    fn fail(&mut self, name: &'static str, detail: String) -> Outcome<()> {
        let advice = "update the graphics driver; if it stays, report it with the output of `tilework info`".to_owned();
        self.step(Step { name, status: Status::Failed, detail, advice: Some(advice) })
    }

    fn step(&mut self, step: Step) -> Outcome<()> {
        if !self.is_json {
            let status = self.out.paint(step.status.paint(), &format!("{:<4}", step.status.word()));
            writeln!(self.out, "{status}  {:<12}  {}", step.name, step.detail)?;
            if let Some(advice) = &step.advice {
                let advice = self.out.paint(Paint::Faint, &format!("-> {advice}"));
                writeln!(self.out, "{:20}{advice}", "")?;
            }
        }
        self.steps.push(step);
        Ok(())
    }

    fn conclude(self) -> Outcome {
        let has_failed = self.steps.iter().any(|step| step.status == Status::Failed);
        let has_gpu = self.steps.iter().any(|step| step.name == "gpu check");
        let is_slow = self.steps.iter().any(|step| step.detail == SOFTWARE_NOTE);
        let (paint, verdict) = match (has_failed, has_gpu) {
            (true, _) => (Paint::Bad, "something computes wrongly: see the failed steps above"),
            (_, false) => (Paint::Warning, "the CPU works; there is no GPU to use"),
            (_, true) if is_slow => (Paint::Warning, "the CPU works, and so does the GPU code, on a software adapter"),
            (_, true) => (Paint::Good, "the CPU and the GPU work and agree"),
        };
        if self.is_json {
            let steps: Vec<Value> = self.steps.iter().map(Step::json).collect();
            self.out.json(&json!({"ok": !has_failed, "verdict": verdict, "steps": steps}))?;
        } else {
            let verdict = self.out.paint(paint, verdict);
            writeln!(self.out, "\n{verdict}")?;
        }
        Ok(if has_failed { Verdict::Bad } else { Verdict::Fine })
    }
}

impl Step {
    fn json(&self) -> Value {
        json!({"name": self.name, "status": self.status.word(), "detail": self.detail, "advice": self.advice})
    }
}

impl Status {
    fn word(self) -> &'static str {
        match self {
            Status::Ok => "ok",
            Status::Note => "note",
            Status::Warning => "warn",
            Status::Failed => "FAIL",
        }
    }

    fn paint(self) -> Paint {
        match self {
            Status::Ok => Paint::Good,
            Status::Note => Paint::Faint,
            Status::Warning => Paint::Warning,
            Status::Failed => Paint::Bad,
        }
    }
}
