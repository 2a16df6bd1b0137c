// What a device is called on the screen.
import type { DeviceInfo } from "tilework";

export function deviceName(info: DeviceInfo): string {
  if (info.backend === "cpu") return "WebAssembly SIMD, one thread";
  return info.name || "unnamed adapter";
}
