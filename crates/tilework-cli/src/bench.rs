//! `tilework bench`: how fast the devices of this machine are.

use std::io::Write;

use clap::builder::PossibleValue;
use clap::{Arg, ArgMatches, Command};
use serde_json::{Value, json};
use tilework::{Device, Peak};

use crate::device_choice::{self, SOFTWARE_NOTE, is_software, json_argument};
use crate::failure::{Failure, Outcome, Verdict};
use crate::terminal::{Out, Paint, Progress};
use crate::timing;
use crate::workload::{ARRAYS, WORKLOADS, Workload, input};

const EXAMPLES: &str = "\
Examples:
  tilework bench                                    everything, on the CPU and on the GPU if there is one
  tilework bench matmul --sizes 512,1024,2048
  tilework bench map10 --device cpu --json
  tilework bench arrays --sizes 100000              33 single operations on arrays

A size is the number of elements (map10, sum, std, cumsum, sort), of complex points (fft) or of rows and columns (softmax, layer_norm, matmul,
conv2d, depthwise). Times are medians of at least five runs after a warm-up; reading results back is not part of them.";

/// The name of the array library's list, which is measured only if it is asked for.
const LIST: &str = "arrays";

/// Largest input: 1 GiB of floats.
const MAX_ELEMENTS: u128 = 1 << 28;

pub(crate) fn command() -> Command {
    let mut ops: Vec<PossibleValue> =
        WORKLOADS.iter().map(|workload| PossibleValue::new(workload.name).help(workload.summary)).collect();
    ops.push(
        PossibleValue::new(LIST)
            .help("single element-wise operations and reductions, from 1000 to 10 million elements"),
    );
    Command::new("bench")
        .about("Measure how fast the devices of this machine are")
        .arg(Arg::new("op").value_name("OP").value_parser(ops).help("What to measure; everything if left out"))
        .arg(device_choice::argument().help("Where to run; the CPU and then a GPU if left out"))
        .arg(
            Arg::new("sizes")
                .long("sizes")
                .value_name("N,N,...")
                .value_delimiter(',')
                .value_parser(clap::value_parser!(u64).range(1..))
                .help("Sizes to measure instead of the usual ones"),
        )
        .arg(json_argument())
        .after_help(EXAMPLES)
}

pub(crate) fn run(matches: &ArgMatches, out: &mut Out) -> Outcome {
    let op = matches.get_one::<String>("op");
    let list = if op.is_some_and(|name| name == LIST) { ARRAYS } else { WORKLOADS };
    let is_wanted = |workload: &&Workload| op.is_none_or(|name| name == LIST || name == workload.name);
    let workloads: Vec<&Workload> = list.iter().filter(is_wanted).collect();
    let sizes: Vec<u64> = matches.get_many::<u64>("sizes").map(|sizes| sizes.copied().collect()).unwrap_or_default();
    refuse_large(&workloads, &sizes)?;
    let mut bench = Bench { out, is_json: matches.get_flag("json"), progress: Progress::new(), rows: Vec::new() };
    pollster::block_on(async {
        let devices = devices(matches.get_one::<String>("device")).await?;
        for device in &devices {
            bench.measure_device(device, &workloads, &sizes).await?;
        }
        bench.finish()
    })
}

/// Sizes that could only end in running out of memory are mistakes, and found before anything runs.
fn refuse_large(workloads: &[&Workload], sizes: &[u64]) -> Outcome<()> {
    for workload in workloads {
        for &size in sizes {
            let n_elements = (workload.shape)(size).iter().fold(1u128, |n, &axis| n.saturating_mul(axis as u128));
            if n_elements > MAX_ELEMENTS {
                let what = format!("{} of size {size} is more than {MAX_ELEMENTS} elements", workload.name);
                return Err(Failure::usage(what, "name an operation and smaller `--sizes`"));
            }
        }
    }
    Ok(())
}

/// The device asked for; without a wish the CPU and, if there is one, a GPU.
async fn devices(choice: Option<&String>) -> Outcome<Vec<Device>> {
    match choice {
        Some(choice) => Ok(vec![device_choice::open(choice).await?]),
        None => Ok(std::iter::once(Device::cpu()).chain(Device::gpu().await.ok()).collect()),
    }
}

struct Bench<'a> {
    out: &'a mut Out,
    is_json: bool,
    progress: Progress,
    rows: Vec<Value>,
}

impl Bench<'_> {
    async fn measure_device(&mut self, device: &Device, workloads: &[&Workload], sizes: &[u64]) -> Outcome<()> {
        let is_slow = is_software(device);
        let note = match (is_slow, sizes.is_empty()) {
            (false, _) => None,
            (true, false) => Some(SOFTWARE_NOTE.to_owned()),
            (true, true) => Some(format!("{SOFTWARE_NOTE}; hence small sizes")),
        };
        self.progress.show(&format!("measuring what {} can do at most ...", device.name()));
        let peak = device.peak().await;
        self.progress.clear();
        let peak = peak?;
        self.print_heading(device, note, &peak)?;
        for workload in workloads {
            let usual = if is_slow { workload.small_sizes } else { workload.sizes };
            for &size in if sizes.is_empty() { usual } else { sizes } {
                self.progress.show(&format!("measuring {} of {size} on {} ...", workload.name, device.name()));
                let ms = measure(device, workload, size).await;
                self.progress.clear();
                self.row(device, workload, &Measured { size, ms: ms?, peak: &peak })?;
            }
        }
        Ok(())
    }

    fn print_heading(&mut self, device: &Device, note: Option<String>, peak: &Peak) -> Outcome<()> {
        if self.is_json {
            return Ok(());
        }
        let title = self.out.paint(Paint::Title, &device.name());
        writeln!(self.out, "{}{title}", if self.rows.is_empty() { "" } else { "\n" })?;
        if let Some(note) = note {
            let note = self.out.paint(Paint::Warning, &note);
            writeln!(self.out, "  {note}")?;
        }
        let peak = format!(
            "  at most {:.1} GFLOP/s of multiply-adds and {:.1} GB/s from memory, as measured just now",
            peak.flops_per_s * 1e-9,
            peak.bytes_per_s * 1e-9
        );
        writeln!(self.out, "{peak}")?;
        let heading = format!("  {:<12} {:>10} {:>12} {:>16} {:>7}", "op", "size", "time", "rate", "of peak");
        let heading = self.out.paint(Paint::Faint, &heading);
        Ok(writeln!(self.out, "{heading}")?)
    }

    fn row(&mut self, device: &Device, workload: &Workload, measured: &Measured<'_>) -> Outcome<()> {
        let &Measured { size, ms, peak } = measured;
        let (unit, rate) = workload.rate.of(size, ms);
        let most = if unit == "gbps" { peak.bytes_per_s } else { peak.flops_per_s };
        let share = rate * 1e9 / most;
        let row = json!({
            "op": workload.name, "size": size, "device": device.name(), "ms": ms, unit: rate, "share_of_peak": share,
        });
        self.rows.push(row);
        if !self.is_json {
            let unit = if unit == "gbps" { "GB/s" } else { "GFLOP/s" };
            let time = timing::format_ms(ms);
            let share = format!("{:.0} %", 100.0 * share);
            writeln!(self.out, "  {:<12} {size:>10} {time:>12} {rate:>8.2} {unit:<7} {share:>7}", workload.name)?;
        }
        Ok(())
    }

    fn finish(self) -> Outcome {
        if self.is_json {
            self.out.json(&Value::Array(self.rows))?;
        }
        Ok(Verdict::Fine)
    }
}

struct Measured<'a> {
    size: u64,
    ms: f64,
    peak: &'a Peak,
}

async fn measure(device: &Device, workload: &Workload, size: u64) -> Outcome<f64> {
    let x = input(device, &(workload.shape)(size));
    x.check()?;
    timing::median(async || {
        (workload.build)(&x).eval().await?;
        Ok(device.finish().await?)
    })
    .await
}
