// The measured times as Markdown.

import { cpus, loadavg, type } from "node:os";

/** Columns of the tables, in this order; `package` names the version that is shown. */
export const LIBRARIES = {
  tilework: { title: "Tilework" },
  jax: { title: "jax-js", package: "@jax-js/jax" },
  onnx: { title: "ONNX Runtime Web", package: "onnxruntime-web" },
  tensorflow: { title: "TensorFlow.js", package: "@tensorflow/tfjs-core" },
};

const HEADINGS = {
  cpu: "WebAssembly, one thread each; milliseconds, in brackets GFLOP/s",
  gpu: "WebGPU on a software adapter (SwiftShader), which says nothing about a GPU; milliseconds, in brackets GFLOP/s",
};

const BUSY_LOAD = 0.5;

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Who measures, and how busy the machine is before it begins. */
export function describeMachine() {
  const [cpu] = cpus();
  const [load] = loadavg();
  return { cpu: cpu?.model.trim() ?? "an unknown processor", nCores: cpus().length, system: type(), load };
}

/**
 * Medians of the rounds, and the ratio to the fastest peer: the median of the ratios within a round, in which a busy moment hits
 * both. Undefined where Tilework or all peers are missing.
 */
export function summarize({ rounds, ...work }) {
  const ms = Object.fromEntries(Object.entries(rounds).map(([name, times]) => [name, median(times)]));
  const fastestMs = Object.fromEntries(Object.entries(rounds).map(([name, times]) => [name, Math.min(...times)]));
  const peers = Object.keys(ms).filter((name) => name !== "tilework");
  const bestPeer = peers.toSorted((a, b) => ms[a] - ms[b])[0];
  const isComparable = rounds.tilework !== undefined && bestPeer !== undefined;
  const ratio = isComparable ? median(rounds.tilework.map((ours, round) => rounds[bestPeer][round] / ours)) : undefined;
  return { ...work, ms, fastestMs, bestPeer, ratio, rounds };
}

function cell(ms, nOperations) {
  if (ms === undefined) return "–";
  const gflops = nOperations === undefined ? "" : ` (${(nOperations / ms / 1e6).toFixed(1)})`;
  return `${ms.toFixed(ms < 10 ? 2 : ms < 100 ? 1 : 0)}${gflops}`;
}

function table(results) {
  const names = Object.keys(LIBRARIES);
  const rows = results.map(({ title, ms, nOperations, ratio }) => {
    const cells = names.map((name) => cell(ms[name], nOperations));
    return [title, ...cells, ratio === undefined ? "–" : `${ratio.toFixed(2)}×`];
  });
  const head = ["work", ...names.map((name) => LIBRARIES[name].title), "best peer / Tilework"];
  const rule = ["---", ...names.map(() => "--:"), "--:"];
  const lines = [head, ...rows].map((row) => `| ${row.join(" | ")} |`);
  return [lines[0], `|${rule.join("|")}|`, ...lines.slice(1)].join("\n");
}

function part({ part: name, results, notes, failures }) {
  const remarks = [
    ...notes,
    ...failures.map(({ library, work, why }) => `${LIBRARIES[library].title}${work ? `, ${work}` : ""}: not measured (${why}).`),
  ];
  return [`${HEADINGS[name]}:`, "", table(results), ...(remarks.length > 0 ? ["", remarks.join("\n")] : [])].join("\n");
}

/** Everything, as it stands in docs/performance.md. */
export function markdown({ machine, chromium, versions, parts }) {
  const peers = Object.entries(versions).map(([name, version]) => `${LIBRARIES[name].title} ${version}`);
  const cores = machine.nCores === 1 ? "core" : "cores";
  const busy = machine.load < BUSY_LOAD ? "" : ` The machine was busy: a load of ${machine.load.toFixed(1)} before the run.`;
  const computer = `Machine: ${machine.cpu}, ${machine.nCores} ${cores}, ${machine.system}.`;
  const intro = `${computer} Chromium ${chromium}, headless;\n${peers.join(", ")}.${busy}`;
  return [intro, ...parts.map(part)].join("\n\n");
}
