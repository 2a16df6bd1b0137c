// A conformance run as text to paste.
import type { Report } from "tilework/conformance";

export function reportText(reports: readonly { readonly device: string; readonly report: Report }[], userAgent: string = navigator.userAgent): string {
  const parts = reports.map(({ device, report }) => {
    const head = `${device.toUpperCase()} (${report.device}): ${report.passed} passed, ${report.failed} failed, ${report.skipped} not for this device`;
    const failures = report.failures.map((failure) => `FAILED ${failure.case}\n    ${failure.message.replaceAll("\n", "\n    ")}`);
    const errors = report.scalar_errors.map((error) => `${error.op} ${error.worst_ulp}`).join(", ");
    return [head, ...failures, errors === "" ? "" : `worst error in ulp: ${errors}`].filter((line) => line !== "").join("\n");
  });
  return [`Tilework conformance, ${userAgent}`, ...parts].join("\n\n") + "\n";
}
