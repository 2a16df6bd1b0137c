// The page side: loads the libraries, verifies them, measures them in turns and leaves the outcome in `window.report`.
//
// ?part=cpu|gpu    which works
// &rounds=7        how many rounds; every library has one turn per work in each
// &only=tilework   libraries, with commas between them; all unless told
// &work=softmax    works with this operation; all unless told
//
// `window.progress` says how far it is. `report.results` has one entry per work, in it the medians of the rounds by library.

import { throwGpuErrors, watchGpuErrors } from "./gpu_errors.js";
import { measureTurn, warmUp } from "./measure.js";
import { WORKS } from "./works.js";

// Largest error allowed, in units of the larger of 1 and the value: far more than single precision needs here.
const TOLERANCE = 1e-4;

/** Tilework comes first; the modules are loaded when their turn comes, so that one that does not load can be named. */
const LIBRARIES = {
  tilework: () => import("./libraries/tilework.js"),
  jax: () => import("./libraries/jax.js"),
  onnx: () => import("./libraries/onnx_runtime.js"),
  tensorflow: () => import("./libraries/tensorflow.js"),
};

window.progress = "loading";

const describe = (error) => (error instanceof Error ? error.message : String(error));

function verify(result, expected) {
  if (!(result instanceof Float32Array)) throw new Error("the result is no Float32Array");
  if (result.length !== expected.length) throw new Error(`${result.length} elements instead of ${expected.length}`);
  let worst = 0;
  for (let i = 0; i < expected.length; i++) {
    const error = Math.abs(result[i] - expected[i]) / Math.max(1, Math.abs(expected[i]));
    // Written so that NaN counts as the worst error there is.
    if (!(error <= worst)) worst = error;
  }
  if (!(worst <= TOLERANCE)) throw new Error(`wrong by ${worst}`);
  return worst;
}

/** Opens the libraries of `names`; those that cannot be opened are left out, with their reason in `failures`. */
async function openLibraries(names, part, failures) {
  const libraries = new Map();
  for (const name of names) {
    try {
      window.progress = `opening ${name}`;
      const { open } = await LIBRARIES[name]();
      libraries.set(name, await open(part));
    } catch (error) {
      failures.push({ library: name, why: describe(error) });
    }
  }
  return libraries;
}

/**
 * One run as it is timed: from the held inputs to a Float32Array of JavaScript, or, if the work's result is `kept`, until the library
 * has it. `afterwards` sees the result of that very run before it is let go.
 */
async function runOnce({ kept }, { compute, wait, read, dispose }, afterwards = () => {}) {
  const result = await compute();
  const done = kept ? await wait(result) : await read(result);
  await afterwards(result, done);
  dispose(result);
}

/** The work, ready to run in every library that computes it right. */
async function prepareWork(libraries, work, failures) {
  const inputs = work.inputs();
  const expected = work.reference(inputs);
  const runners = new Map();
  const worst = {};
  for (const [name, library] of libraries) {
    try {
      window.progress = `verifying ${work.title} of ${name}`;
      const parts = await library.prepare(work, inputs);
      if (work.kept && parts.wait === undefined) {
        await parts.close();
        continue;
      }
      await runOnce(work, parts, async (result, done) => {
        worst[name] = verify(work.kept ? await parts.read(result) : done, expected);
      });
      const run = () => runOnce(work, parts);
      await warmUp(run);
      throwGpuErrors();
      runners.set(name, { run, close: parts.close });
    } catch (error) {
      failures.push({ library: name, work: work.title, why: describe(error) });
    }
  }
  return { work, runners, worst, rounds: Object.fromEntries([...runners.keys()].map((name) => [name, []])) };
}

/** One turn each; who begins changes from round to round, so that nobody always follows the same one. */
async function measureRound({ work, runners, rounds }, round) {
  const names = [...runners.keys()];
  for (let turn = 0; turn < names.length; turn++) {
    const name = names[(turn + round) % names.length];
    window.progress = `round ${round + 1}, ${work.title}, ${name}`;
    rounds[name].push(await measureTurn(runners.get(name).run));
    // What a device refuses to run takes no time at all.
    throwGpuErrors();
  }
}

async function main() {
  const parameters = new URLSearchParams(location.search);
  const part = parameters.get("part") ?? "cpu";
  const nRounds = Number(parameters.get("rounds") ?? 7);
  const names = parameters.get("only")?.split(",") ?? Object.keys(LIBRARIES);
  // Threads need shared memory, which a page has only in cross-origin isolation: without it, no library can use more than one.
  if (window.crossOriginIsolated) throw new Error("the page is isolated, so that libraries could use threads");

  watchGpuErrors();
  const failures = [];
  const libraries = await openLibraries(names, part, failures);
  const works = WORKS[part].filter(({ op }) => op === (parameters.get("work") ?? op));
  const prepared = [];
  for (const work of works) prepared.push(await prepareWork(libraries, work, failures));
  for (let round = 0; round < nRounds; round++) {
    for (const work of prepared) await measureRound(work, round);
  }
  for (const { runners } of prepared) for (const runner of runners.values()) await runner.close();
  const results = prepared.map(({ work: { op, title, kept, nOperations }, worst, rounds }) => ({
    op,
    title,
    kept,
    nOperations,
    worst,
    rounds,
  }));
  return { part, results, failures, notes: [...libraries.values()].flatMap(({ notes }) => notes) };
}

main().then(
  (report) => { window.report = report; },
  (error) => { window.report = { error: error?.stack ?? String(error) }; },
);
