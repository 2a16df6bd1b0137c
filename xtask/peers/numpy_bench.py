"""NumPy against `tilework bench --device cpu`, in turns, as a Markdown table on standard output.

Called by `cargo xtask bench --peers` with the path of the release program. Both sides compute the same things on the same
machine in the same minutes: every round measures NumPy, then Tilework, operation by operation, so that a busy moment hits
both. A cell is the fastest of the rounds' medians.
"""

import json
import os
import platform
import statistics
import subprocess
import sys
import time

N_THREADS = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

# Before NumPy is imported: its BLAS reads them once, and Tilework's threads inherit theirs.
os.environ["OPENBLAS_NUM_THREADS"] = str(N_THREADS)
os.environ["OMP_NUM_THREADS"] = str(N_THREADS)
os.environ["TILEWORK_THREADS"] = str(N_THREADS)

import numpy as np  # noqa: E402

N_ROUNDS = 5
MIN_SAMPLES = 5
BUDGET_S = 0.8
N_ELEMENTS = 4_194_304


def values(n):
    """The input of `tilework bench`: a multiplicative hash of the position, between -1 and 1."""
    position = np.arange(n, dtype=np.uint32)
    hashed = position * np.uint32(2_654_435_761)
    return hashed.astype(np.float32) / np.float32(2**32 - 1) * np.float32(2) - np.float32(1)


def map10(x):
    """Ten operations: mul add sin mul sub tanh mul add abs sqrt."""
    return np.sqrt(np.abs(np.tanh(np.sin(x * np.float32(2) + np.float32(1)) * x - np.float32(0.5)) * x + np.float32(0.25)))


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def layer_norm(x):
    centered = x - x.mean(axis=-1, keepdims=True)
    return centered / np.sqrt((centered * centered).mean(axis=-1, keepdims=True) + np.float32(1e-5))


# Operation, size, axes of the input, the same in NumPy.
WORKLOADS = [
    ("map10", N_ELEMENTS, 1, map10),
    ("sum", N_ELEMENTS, 1, np.sum),
    ("std", N_ELEMENTS, 1, np.std),
    ("cumsum", N_ELEMENTS, 1, np.cumsum),
    ("sort", N_ELEMENTS, 1, np.sort),
    ("softmax", 512, 2, softmax),
    ("softmax", 2048, 2, softmax),
    ("layer_norm", 2048, 2, layer_norm),
    ("matmul", 512, 2, lambda x: x @ x),
    ("matmul", 1024, 2, lambda x: x @ x),
    ("matmul", 2048, 2, lambda x: x @ x),
    ("matmul", 4096, 2, lambda x: x @ x),
]


def numpy_ms(work, x):
    """Median of at least five runs after a warm-up, as `tilework bench` does it."""
    work(x)
    samples = []
    start = time.perf_counter()
    while len(samples) < MIN_SAMPLES or (time.perf_counter() - start < BUDGET_S and len(samples) < 2000):
        before = time.perf_counter()
        work(x)
        samples.append(time.perf_counter() - before)
    return statistics.median(samples) * 1e3


def tilework_ms(program, op, size):
    command = [program, "bench", op, "--sizes", str(size), "--device", "cpu", "--json"]
    rows = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    return next(row["ms"] for row in rows if row["op"] == op)


def measure(program):
    """Fastest milliseconds of both, by operation and size."""
    inputs = {(op, size): values(size**n_axes).reshape([size] * n_axes) for op, size, n_axes, _ in WORKLOADS}
    fastest = {key: (float("inf"), float("inf")) for key in inputs}
    for round_number in range(N_ROUNDS):
        print(f"    round {round_number + 1} of {N_ROUNDS}", file=sys.stderr, flush=True)
        for op, size, _, work in WORKLOADS:
            peer, ours = fastest[op, size]
            peer = min(peer, numpy_ms(work, inputs[op, size]))
            # The peer's worker threads spin for a moment after their last task.
            time.sleep(0.1)
            fastest[op, size] = (peer, min(ours, tilework_ms(program, op, size)))
    return fastest


def cpu_model():
    try:
        with open("/proc/cpuinfo") as info:
            return next(line.split(":", 1)[1].strip() for line in info if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def load():
    """How busy the machine is with other things; what is measured beside them is no better than a hint."""
    busy = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    return "" if busy < 0.5 else f" The machine was busy: a load of {busy:.1f} before the run."


def main():
    busy = load()
    fastest = measure(sys.argv[1])
    cores = "core" if N_THREADS == 1 else "cores"
    print(f"Machine: {cpu_model()}, {N_THREADS} {cores}, {platform.system()}. NumPy {np.__version__} with its own OpenBLAS;")
    print(f"OpenBLAS and Tilework on {N_THREADS} threads each (NumPy's element-wise operations and reductions use one).{busy}\n")
    print("| op | size | NumPy, ms | Tilework, ms | NumPy / Tilework |")
    print("|---|--:|--:|--:|--:|")
    for (op, size), (peer, ours) in fastest.items():
        print(f"| {op} | {size} | {peer:.3f} | {ours:.3f} | {peer / ours:.2f}× |")


main()
