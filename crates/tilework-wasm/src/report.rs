//! What an engine counts and measures, as JSON.

use tilework::{Counters, PassTiming, SelfCheck, Stats};

use crate::json;

/// Everything that is counted.
pub(crate) fn stats(stats: &Stats, counters: &Counters) -> String {
    let counts = [
        ("evaluations", stats.evaluations),
        ("plansBuilt", stats.plans_built),
        ("plansReused", stats.plans_reused),
        ("onCpu", stats.on_cpu),
        ("onGpu", stats.on_gpu),
        ("takenOver", stats.taken_over),
        ("movedToCpu", stats.moved_to_cpu),
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
