//! `tilework info`: which devices there are.

use std::io::Write;

use clap::{ArgMatches, Command};
use serde_json::{Value, json};
use tilework::layers::ops::threads::Threads;
use tilework::layers::vm::{Level, level};
use tilework::{AdapterInfo, Gpu, GpuOptions, probe_double_float};

use crate::device_choice::{SOFTWARE_NOTE, driver_advice, json_argument, kind_name};
use crate::failure::{Outcome, Verdict};
use crate::terminal::{Out, Paint};

const EXAMPLES: &str = "\
Examples:
  tilework info
  tilework info --json";

pub(crate) fn command() -> Command {
    Command::new("info")
        .about("Which devices there are: adapters, limits and features of the chosen one, the CPU")
        .arg(json_argument())
        .after_help(EXAMPLES)
}

/// The machine as this program sees it.
struct Machine {
    adapters: Vec<AdapterInfo>,
    gpu: Option<Gpu>,
    /// How the chosen adapter computes double-floats, or why not.
    double_floats: Option<String>,
}

pub(crate) fn run(matches: &ArgMatches, out: &mut Out) -> Outcome {
    let machine = pollster::block_on(async {
        // No GPU is an answer, not a failure; why it does not open is the business of `tilework doctor`.
        let gpu = Gpu::open(GpuOptions::default()).await.ok();
        let double_floats = match &gpu {
            Some(gpu) => {
                Some(probe_double_float(gpu).await.map_or_else(|error| error.to_string(), |found| found.to_string()))
            }
            None => None,
        };
        Machine { adapters: Gpu::adapters().await, gpu, double_floats }
    });
    if matches.get_flag("json") {
        out.json(&machine.json())?;
    } else {
        machine.print(out)?;
    }
    Ok(Verdict::Fine)
}

pub(crate) fn simd_name() -> &'static str {
    match level() {
        Level::Avx2 => "AVX2 and FMA",
        Level::Avx512 => "AVX-512",
        Level::Baseline if cfg!(target_arch = "aarch64") => "NEON",
        Level::Baseline => "baseline",
    }
}

impl Machine {
    fn json(&self) -> Value {
        let chosen = self.gpu.as_ref().map(|gpu| {
            let limits: serde_json::Map<String, Value> =
                gpu.limits_report().into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
            let precisions = json!({"df64": self.double_floats, "f64": gpu.caps().shader_f64});
            json!({"name": gpu.info().name, "limits": limits, "features": gpu.features_report(), "precisions": precisions})
        });
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "cpu": {
                "arch": std::env::consts::ARCH,
                "os": std::env::consts::OS,
                "threads": Threads::all().count(),
                "simd": simd_name(),
            },
            "adapters": self.adapters.iter().map(adapter_json).collect::<Vec<_>>(),
            "chosen": chosen,
        })
    }

    fn print(&self, out: &mut Out) -> Outcome<()> {
        let title = out.paint(Paint::Title, concat!("Tilework ", env!("CARGO_PKG_VERSION")));
        writeln!(out, "{title}")?;
        out.title("CPU")?;
        out.row("system", &format!("{} on {}", std::env::consts::OS, std::env::consts::ARCH))?;
        out.row("threads", &Threads::all().count().to_string())?;
        out.row("SIMD", simd_name())?;
        for (index, adapter) in self.adapters.iter().enumerate() {
            let is_chosen = self.gpu.as_ref().is_some_and(|gpu| gpu.info() == adapter);
            out.title(&format!("Adapter {index}{}", if is_chosen { " (chosen)" } else { "" }))?;
            print_adapter(adapter, out)?;
        }
        if self.adapters.is_empty() {
            out.title("Adapters")?;
            writeln!(out, "  none; everything runs on the CPU\n  to use a GPU: {}", driver_advice())?;
        }
        match &self.gpu {
            Some(gpu) => {
                print_gpu(gpu, out)?;
                out.title("Precisions")?;
                out.row("f32", "24 bits")?;
                out.row("df64", &format!("48 bits, {}", self.double_floats.as_deref().unwrap_or_default()))?;
                Ok(out.row("f64", if gpu.caps().shader_f64 { "53 bits, native" } else { "not on this adapter" })?)
            }
            None => Ok(()),
        }
    }
}

fn adapter_json(adapter: &AdapterInfo) -> Value {
    json!({
        "name": adapter.name,
        "backend": adapter.backend,
        "vendor": adapter.vendor,
        "driver": adapter.driver,
        "driver_info": adapter.driver_info,
        "kind": kind_name(adapter),
        "software": adapter.software,
    })
}

fn print_adapter(adapter: &AdapterInfo, out: &mut Out) -> Outcome<()> {
    out.row("name", &adapter.name)?;
    out.row("backend", adapter.backend)?;
    out.row("vendor", if adapter.vendor.is_empty() { "not said" } else { &adapter.vendor })?;
    out.row("driver", format!("{} {}", adapter.driver, adapter.driver_info).trim())?;
    let kind = if adapter.software { out.paint(Paint::Warning, SOFTWARE_NOTE) } else { kind_name(adapter).to_owned() };
    Ok(out.row("kind", &kind)?)
}

fn print_gpu(gpu: &Gpu, out: &mut Out) -> Outcome<()> {
    out.title(&format!("Limits of {}", gpu.info().name))?;
    for (name, value) in gpu.limits_report() {
        let value = if name.contains("Size") && value >= 1 << 20 { in_mib(value) } else { value.to_string() };
        let name = out.paint(Paint::Faint, &format!("{name:<34}"));
        writeln!(out, "  {name} {value:>12}")?;
    }
    out.title("Features")?;
    let features = gpu.features_report();
    writeln!(out, "  {}", if features.is_empty() { "none".to_owned() } else { features.join(", ") })?;
    Ok(())
}

fn in_mib(bytes: u64) -> String {
    format!("{} MiB", bytes >> 20)
}
