//! What an engine tells about itself, as JSON.

use tilework::{AdapterKind, Counters, Device, PassTiming, SelfCheck, Stats};

use crate::adapter::Described;
use crate::json;

/// The device in words: name, backend, vendor, driver, kind, software, runsOn, note, limits, features.
pub(crate) fn info(device: &Device, described: &Described, note: &str) -> String {
    let (Some(info), Some(gpu)) = (device.adapter(), device.open_gpu()) else {
        return described_as(["cpu", "cpu", "", "", "cpu", "cpu", note], false, json::object([]), json::list([]));
    };
    let name = if described.name.is_empty() { &info.name } else { &described.name };
    let vendor = if described.vendor.is_empty() { &info.vendor } else { &described.vendor };
    let is_software = info.software || described.is_software;
    let kind = match info.kind {
        _ if is_software => "software",
        AdapterKind::Discrete => "discrete",
        AdapterKind::Integrated => "integrated",
        AdapterKind::Virtual => "virtual",
        _ => "unknown",
    };
    let runs_on = if device.is_auto() { "auto" } else { "gpu" };
    let limits = gpu.limits_report().into_iter().map(|(name, value)| (name, value.to_string()));
    // As WebGPU spells them.
    let features = gpu.features_report().into_iter().map(|feature| feature.replace('_', "-"));
    described_as(
        [name, info.backend, vendor, &info.driver, kind, runs_on, note],
        is_software,
        json::object(limits),
        json::list(features.map(|feature| json::text(&feature))),
    )
}

fn described_as(texts: [&str; 7], is_software: bool, limits: String, features: String) -> String {
    let names = ["name", "backend", "vendor", "driver", "kind", "runsOn", "note"];
    let texts = names.into_iter().zip(texts.map(json::text));
    let rest = [("software", is_software.to_string()), ("limits", limits), ("features", features)];
    json::object(texts.chain(rest))
}

/// Everything that is counted.
pub(crate) fn stats(stats: &Stats, counters: &Counters) -> String {
    let counts = [
        ("evaluations", stats.evaluations),
        ("plansBuilt", stats.plans_built),
        ("plansReused", stats.plans_reused),
        ("onCpu", stats.on_cpu),
        ("onGpu", stats.on_gpu),
        ("takenOver", stats.taken_over),
        ("dispatches", counters.dispatches),
        ("passes", counters.passes),
        ("submits", counters.submits),
        ("pipelinesBuilt", counters.pipelines_built),
        ("pipelinesReused", counters.pipelines_reused),
        ("bytesUp", counters.bytes_up),
        ("bytesDown", counters.bytes_down),
        ("buffersAllocated", counters.buffers_allocated),
        ("buffersReused", counters.buffers_reused),
        ("bindGroupsBuilt", counters.bind_groups_built),
        ("uniformWrites", counters.uniform_writes),
    ];
    json::object(counts.map(|(name, count)| (name, count.to_string())))
}

/// What a self-check found.
pub(crate) fn self_check(found: &SelfCheck) -> String {
    let check =
        |(name, error): &(&str, f64)| json::object([("name", json::text(name)), ("error", json::number(*error))]);
    json::object([
        ("passed", found.passed().to_string()),
        ("worst", json::number(found.worst())),
        ("checks", json::list(found.checks.iter().map(check))),
        ("elapsedMs", json::number(found.elapsed_ms)),
    ])
}

/// What tuning found out.
#[cfg(feature = "extended")]
pub(crate) fn tuned(tuned: &[tilework::Tuned]) -> String {
    json::list(tuned.iter().map(|problem| {
        json::object([
            ("op", json::text(&problem.op)),
            ("sizes", json::list(problem.sizes.iter().map(usize::to_string))),
            ("chosen", json::text(problem.fastest())),
            ("ms", json::object(problem.times_s.iter().map(|(name, s)| (*name, json::number(s * 1e3))))),
        ])
    }))
}

/// The time of every pass.
pub(crate) fn timings(timings: &[PassTiming]) -> String {
    json::list(timings.iter().map(|timing| {
        json::object([
            ("label", json::text(&timing.label)),
            ("workgroups", json::list(timing.workgroups.map(|n| n.to_string()))),
            ("startNs", json::number(timing.start_ns)),
            ("durationNs", json::number(timing.duration_ns)),
        ])
    }))
}
