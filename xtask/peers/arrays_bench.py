"""NumPy against `tilework bench arrays`: single element-wise operations and reductions, in turns, as a Markdown table.

Called by `cargo xtask bench --peers` with the path of the release program. Every round measures all of NumPy's list at one size and then
all of Tilework's; a figure is the fastest of the rounds' medians. The last line is the geometric mean over everything.
"""

import json
import math
import os
import subprocess
import sys

from numpy_bench import N_THREADS, cpu_model, load, peer_ms, values  # noqa: F401  (sets the threads before NumPy is imported)

import numpy as np

SIZES = [1_000, 10_000, 100_000, 1_000_000, 10_000_000]
N_ROUNDS = int(os.environ.get("TILEWORK_BENCH_ROUNDS", "3"))
BUDGET_S = 0.15

F = np.float32


def matrix(n):
    n_cols = min(max(n, 1), 1000)
    return values(n).reshape(n // n_cols, n_cols)


# The list of crates/tilework-cli/src/workload/arrays.rs, in its order, as a NumPy user writes it.
WORK = {
    "add": (values, lambda x: x + x),
    "multiply_add": (values, lambda x: x * F(2) + F(1)),
    "divide": (values, lambda x: x / (x + F(2))),
    "sqrt": (values, lambda x: np.sqrt(np.abs(x))),
    "exp": (values, np.exp),
    "log": (values, lambda x: np.log(np.abs(x) + F(1))),
    "sin": (values, np.sin),
    "tanh": (values, np.tanh),
    "power": (values, lambda x: np.abs(x) ** F(1.5)),
    "maximum": (values, lambda x: np.maximum(x, F(0))),
    "clip": (values, lambda x: np.clip(x, F(-0.5), F(0.5))),
    "greater": (values, lambda x: x > F(0)),
    "where": (values, lambda x: np.where(x > F(0), x, F(-1))),
    "floor": (values, lambda x: np.floor(x * F(10))),
    "astype": (values, lambda x: (x * F(10)).astype(np.int32)),
    "polynomial": (values, lambda x: ((x + F(2)) * x - F(1)) * x + F(0.5)),
    "hypot": (values, lambda x: np.sqrt(x * x + np.square(x + F(1)))),
    "sum": (values, np.sum),
    "mean": (values, np.mean),
    "var": (values, np.var),
    "max": (values, np.max),
    "argmax": (values, np.argmax),
    "any": (values, lambda x: np.any(x > F(2))),
    "count": (values, lambda x: np.sum(x > F(0))),
    "norm": (values, lambda x: np.sqrt(np.sum(x * x))),
    "dot": (values, lambda x: np.dot(x, x)),
    "cumsum": (values, np.cumsum),
    "sum_rows": (matrix, lambda x: x.sum(axis=1)),
    "sum_columns": (matrix, lambda x: x.sum(axis=0)),
    "max_rows": (matrix, lambda x: x.max(axis=1)),
    "mean_columns": (matrix, lambda x: x.mean(axis=0)),
    "center": (matrix, lambda x: x - x.mean(axis=0, keepdims=True)),
    "transpose_add": (matrix, lambda x: x + x[:, :1]),
}


def ours(program, size):
    command = [program, "bench", "arrays", "--sizes", str(size), "--device", "cpu", "--json"]
    return {row["op"]: row["ms"] for row in json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)}


def main():
    program, busy = sys.argv[1], load()
    fastest = {}
    for _ in range(N_ROUNDS):
        for size in SIZES:
            print(f"    {size} elements", file=sys.stderr, flush=True)
            peers = {name: peer_ms(work, make(size), BUDGET_S) for name, (make, work) in WORK.items()}
            own = ours(program, size)
            for name in WORK:
                before = fastest.get((name, size), (math.inf, math.inf))
                fastest[name, size] = (min(before[0], peers[name]), min(before[1], own[name]))
    print(f"{cpu_model()}, {N_THREADS} cores, NumPy {np.__version__}, Tilework on {N_THREADS} threads (NumPy uses one).{busy} NumPy's time over Tilework's:\n")
    print("| work | " + " | ".join(f"{size:.0e}".replace("e+0", "e") for size in SIZES) + " |")
    print("|---|" + "--:|" * len(SIZES))
    for name in WORK:
        ratios = [fastest[name, size][0] / fastest[name, size][1] for size in SIZES]
        print(f"| {name} | " + " | ".join(f"{ratio:.2f}" for ratio in ratios) + " |")
    every = [peer / own for peer, own in fastest.values()]
    mean = math.exp(sum(math.log(ratio) for ratio in every) / len(every))
    large = {key: peer / own for key, (peer, own) in fastest.items() if key[1] >= 100_000}
    worst = min(large, key=large.get)
    print(f"\nGeometric mean {mean:.2f}; lowest at 1e5 and above {large[worst]:.2f} ({worst[0]}, {worst[1]:.0e}).")
    print(f"One addition of ten numbers, built, run and its result allocated: {min(ours(program, 10)['add'] for _ in range(3)) * 1e3:.2f} µs.")


main()
