// What a device is called on the screen.
import type { DeviceInfo } from "tilework";

export function deviceName(info: DeviceInfo): string {
  if (info.backend === "cpu") return "WebAssembly SIMD, one thread";
  return info.name || "unnamed adapter";
}

/** Where work runs. */
export function placeName(info: DeviceInfo): string {
  if (info.runsOn === "cpu") return "CPU";
  if (info.runsOn === "auto") return "GPU or CPU, by size";
  return info.software ? "software GPU" : "GPU";
}
