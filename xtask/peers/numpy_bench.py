"""NumPy, SciPy and JAX against `tilework bench --device cpu`, in turns, as Markdown tables on standard output.

Called by `cargo xtask bench --peers` with the path of the release program. Both sides compute the same things on the same
machine in the same minutes: every round measures the peer, then Tilework, operation by operation, so that a busy moment hits
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
import scipy  # noqa: E402
import scipy.fft  # noqa: E402

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


def points(n):
    """`n` complex points: the values of the positions, real and imaginary parts in turn."""
    return values(2 * n).view(np.complex64)


def square(n):
    return values(n * n).reshape(n, n)


def fft(x):
    return scipy.fft.fft(x, workers=N_THREADS)


# Operation, size, what makes the input of it, the same in NumPy or SciPy.
WORKLOADS = [
    ("map10", N_ELEMENTS, values, map10),
    ("sum", N_ELEMENTS, values, np.sum),
    ("std", N_ELEMENTS, values, np.std),
    ("cumsum", N_ELEMENTS, values, np.cumsum),
    ("sort", N_ELEMENTS, values, np.sort),
    ("fft", 1_048_576, points, fft),
    ("fft", 1_000_003, points, fft),
    ("softmax", 512, square, softmax),
    ("softmax", 2048, square, softmax),
    ("layer_norm", 2048, square, layer_norm),
    ("matmul", 512, square, lambda x: x @ x),
    ("matmul", 1024, square, lambda x: x @ x),
    ("matmul", 2048, square, lambda x: x @ x),
    ("matmul", 4096, square, lambda x: x @ x),
]

# Without a peer: its rate is told next to that of the product of this size.
CONVOLUTION = ("conv2d", 56)
PRODUCT = ("matmul", 1024)


def jax_workloads():
    """The same for JAX, which compiles each work; raises ImportError where it is not installed."""
    os.environ["JAX_PLATFORMS"] = "cpu"
    import jax
    import jax.numpy as jnp

    def chain(x):
        return jnp.sqrt(jnp.abs(jnp.tanh(jnp.sin(x * 2 + 1) * x - 0.5) * x + 0.25))

    def normed(x):
        centered = x - x.mean(axis=-1, keepdims=True)
        return centered / jnp.sqrt((centered * centered).mean(axis=-1, keepdims=True) + 1e-5)

    def finished(work):
        compiled = jax.jit(work)
        return lambda x: compiled(x).block_until_ready()

    def on_device(make):
        return lambda n: jax.device_put(make(n))

    return jax.__version__, [
        ("map10", N_ELEMENTS, on_device(values), finished(chain)),
        ("softmax", 2048, on_device(square), finished(lambda x: jax.nn.softmax(x, axis=-1))),
        ("layer_norm", 2048, on_device(square), finished(normed)),
        ("matmul", 1024, on_device(square), finished(lambda x: x @ x)),
        ("matmul", 2048, on_device(square), finished(lambda x: x @ x)),
    ]


def peer_ms(work, x, budget_s=BUDGET_S):
    """Median of at least five runs after a warm-up, as `tilework bench` does it."""
    work(x)
    samples = []
    start = time.perf_counter()
    while len(samples) < MIN_SAMPLES or (time.perf_counter() - start < budget_s and len(samples) < 2000):
        before = time.perf_counter()
        work(x)
        samples.append(time.perf_counter() - before)
    return statistics.median(samples) * 1e3


def tilework_row(program, op, size):
    command = [program, "bench", op, "--sizes", str(size), "--device", "cpu", "--json"]
    rows = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    return next(row for row in rows if row["op"] == op)


def measure(program, workloads, also=()):
    """Fastest milliseconds of both, by operation and size, and the highest rates of Tilework, also for works without a peer."""
    inputs = {(op, size): make(size) for op, size, make, _ in workloads}
    fastest = {key: (float("inf"), float("inf")) for key in inputs}
    rates = {}

    def ours(op, size):
        row = tilework_row(program, op, size)
        rates[op, size] = max(rates.get((op, size), 0.0), row.get("gflops", 0.0))
        return row["ms"]

    for round_number in range(N_ROUNDS):
        print(f"    round {round_number + 1} of {N_ROUNDS}", file=sys.stderr, flush=True)
        for op, size, _, work in workloads:
            peer, own = fastest[op, size]
            peer = min(peer, peer_ms(work, inputs[op, size]))
            # The peer's worker threads spin for a moment after their last task.
            time.sleep(0.1)
            fastest[op, size] = (peer, min(own, ours(op, size)))
        for key in also:
            ours(*key)
    return fastest, rates


def print_table(peer_name, fastest):
    print(f"| op | size | {peer_name}, ms | Tilework, ms | {peer_name} / Tilework |")
    print("|---|--:|--:|--:|--:|")
    for (op, size), (peer, ours) in fastest.items():
        print(f"| {op} | {size} | {peer:.3f} | {ours:.3f} | {peer / ours:.2f}× |")


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


def compare_with_jax(program):
    try:
        version, workloads = jax_workloads()
    except ImportError:
        print("\nJAX is not installed here and was not measured.")
        return
    fastest, _ = measure(program, workloads)
    print(f"\nJAX {version} on the CPU, every work under `jit`, with threads of its own choice:\n")
    print_table("JAX", fastest)


def main():
    program = sys.argv[1]
    busy = load()
    fastest, rates = measure(program, WORKLOADS, also=[CONVOLUTION])
    cores = "core" if N_THREADS == 1 else "cores"
    print(f"Machine: {cpu_model()}, {N_THREADS} {cores}, {platform.system()}. NumPy {np.__version__} with its own OpenBLAS, SciPy {scipy.__version__};")
    print(f"OpenBLAS, SciPy and Tilework on {N_THREADS} threads each (NumPy's element-wise operations and reductions use one).{busy}\n")
    print_table("NumPy", fastest)
    convolution, product = rates[CONVOLUTION], rates[PRODUCT]
    print(f"\n`{CONVOLUTION[0]}` of size {CONVOLUTION[1]} ran at {convolution:.1f} GFLOP/s, ", end="")
    print(f"{100 * convolution / product:.0f} % of the rate of `{PRODUCT[0]}` of size {PRODUCT[1]} ({product:.1f}).")
    compare_with_jax(program)


if __name__ == "__main__":
    main()
