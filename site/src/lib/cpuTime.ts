// For tests that something is not quadratic, on a machine that may be busy with other things: time that this program computed, not
// time that went by.

interface Process {
  cpuUsage(): { readonly user: number };
}

/** Computing time of the fastest of a few runs. Only in Node.js, where tests run. */
export function cpuTimeMs(work: () => unknown, nRuns = 3): number {
  const { process } = globalThis as unknown as { process: Process };
  const times = Array.from({ length: nRuns }, () => {
    const start = process.cpuUsage().user;
    work();
    return (process.cpuUsage().user - start) / 1000;
  });
  return Math.min(...times);
}
