//! What an open device says about itself, as JSON.

use tilework::AdapterKind;

use crate::json;
use crate::open::Opened;

/// The device in words: name, backend, vendor, driver, kind, software, runsOn, note, limits, features.
pub(crate) fn info(Opened { device, described, note }: &Opened) -> String {
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
