// Timing. A page's clock ticks every 0.1 ms or so; short work is repeated until the tick no longer matters.

const WARM_UP_MS = 300;
const MIN_SAMPLE_MS = 25;
const N_SAMPLES = 5;
// Slow work has fewer samples in a turn, but always one.
const TURN_BUDGET_MS = 400;

/** Lets the browser do what it has put off, such as collecting garbage and answering the runner. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 1));

/** Runs until the browser's compilers have seen enough of it. */
export async function warmUp(run) {
  const start = performance.now();
  do await run();
  while (performance.now() - start < WARM_UP_MS);
  await pause();
}

/** Milliseconds of one run, from as many as the clock needs. */
async function sampleMs(run) {
  const start = performance.now();
  let nRuns = 0;
  let elapsed = 0;
  do {
    await run();
    nRuns += 1;
    elapsed = performance.now() - start;
  } while (elapsed < MIN_SAMPLE_MS);
  return elapsed / nRuns;
}

/** Median of one turn's samples. The first brings the data back into the caches and does not count, unless it uses up the turn. */
export async function measureTurn(run) {
  await pause();
  const start = performance.now();
  const first = await sampleMs(run);
  const samples = [];
  while (samples.length < N_SAMPLES && performance.now() - start < TURN_BUDGET_MS) samples.push(await sampleMs(run));
  return samples.length > 0 ? median(samples) : first;
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
