"""The solver against Ceres and JAX, in turns in one run; prints Markdown tables.

    python solve_bench.py TILEWORK [FOLDER]

FOLDER holds `pose-graphs/*.g2o` and `bal/problem-49-7776-pre.txt[.bz2]`: public data sets that docs/solving.md names. Ceres is compared
where its headers and library are installed (Debian: libceres-dev), with one thread on both sides. JAX computes gradients of 100 000
residuals of a mesh in single precision with all threads, as `tilework solve gradient` does.
"""

import bz2
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROUNDS = 5
PROBLEMS = [
    ("M3500", "g2o", "pose-graphs/input_M3500_g2o.g2o"),
    ("sphere2500", "g2o", "pose-graphs/sphere2500.g2o"),
    ("Ladybug, 49 cameras", "bal", "bal/problem-49-7776-pre.txt"),
]


def run(*command):
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def plain(folder, path, scratch):
    """The file as text, unpacked if it is there as bzip2 only; None if it is not there."""
    whole = os.path.join(folder, path)
    if os.path.isfile(whole):
        return whole
    if not os.path.isfile(whole + ".bz2"):
        return None
    unpacked = os.path.join(scratch, os.path.basename(path))
    with bz2.open(whole + ".bz2") as packed, open(unpacked, "wb") as text:
        shutil.copyfileobj(packed, text)
    return unpacked


def build_ceres(scratch):
    """The comparison program, or None where Ceres or a compiler is missing."""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "ceres", "ceres_bench.cpp")
    program = os.path.join(scratch, "ceres_bench")
    flags = ["-O3", "-DNDEBUG", "-march=native", "-I/usr/include/eigen3"]
    try:
        subprocess.run(["g++", *flags, source, "-o", program, "-lceres", "-lglog"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return program


def compare_ceres(tilework, folder, scratch):
    ceres = build_ceres(scratch)
    if ceres is None:
        return "Ceres is not installed here (Debian: libceres-dev), so it was not compared."
    rows = [
        "| problem | Tilework | iterations | final cost | Ceres | iterations | final cost | Ceres / Tilework |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, kind, path in PROBLEMS:
        file = plain(folder, path, scratch)
        if file is None:
            rows.append(f"| {name} | not here | | | | | | |")
            continue
        ours, theirs = [], []
        for _ in range(ROUNDS):
            ours.append(run(tilework, "solve", kind, file, "--threads", "1", "--iterations", "100", "--json"))
            theirs.append(run(ceres, kind, file, "1"))
        mine, other = (min(found, key=lambda one: one["seconds"]) for found in (ours, theirs))
        ratio = other["seconds"] / mine["seconds"]
        cells = [f"{one['seconds']:.3f} s | {one['iterations']} | {one['final_cost']:.6g}" for one in (mine, other)]
        rows.append(f"| {name} | {cells[0]} | {cells[1]} | {ratio:.2f} |")
    return "\n".join(rows)


def jax_gradients():
    """Functions by the names of `tilework solve gradient`; empty without JAX."""
    try:
        import jax
        import jax.numpy as jnp
        import numpy as np
    except ImportError:
        return {}
    side = 182
    grid = np.arange(side * side).reshape(side, side)
    a, b, c, d = (part.ravel() for part in (grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]))
    last = [np.stack([line[:-1], line[1:]], 1) for line in (grid[-1], grid[:, -1])]
    edges = np.concatenate([np.stack([a, d], 1), np.stack([a, b], 1), np.stack([a, c], 1), *last])
    corners = np.concatenate([np.stack(three, 1) for three in ((a, b, c), (b, c, a), (a, c, d))])
    noise = np.random.default_rng(0).normal(size=(side * side, 3)) * 0.1
    flat = np.stack([np.repeat(np.arange(side), side), np.tile(np.arange(side), side), np.zeros(side * side)], 1)
    x = jnp.array(flat + noise, jnp.float32)
    (i, j), (p, q, r) = (jnp.array(edges.T), jnp.array(corners.T))

    def springs(x):
        apart = x[i] - x[j]
        residual = jnp.sqrt(jnp.sum(apart * apart, 1)) - 1.0
        return 0.5 * jnp.sum(residual * residual)

    def angles(x):
        u, v = x[q] - x[p], x[r] - x[p]
        across = jnp.cross(u, v)
        residual = jnp.arctan2(jnp.sqrt(jnp.sum(across * across, 1)), jnp.sum(u * v, 1)) - 1.0
        return 0.5 * jnp.sum(residual * residual)

    def timed(function):
        compiled = jax.jit(jax.value_and_grad(function))
        compiled(x)[1].block_until_ready()

        def fastest_ms():
            best = float("inf")
            for _ in range(30):
                start = time.perf_counter()
                compiled(x)[1].block_until_ready()
                best = min(best, time.perf_counter() - start)
            return best * 1e3

        return fastest_ms

    return {"springs": timed(springs), "angles": timed(angles)}


def compare_jax(tilework):
    peers = jax_gradients()
    ours, theirs = {}, {}
    for _ in range(ROUNDS):
        for row in run(tilework, "solve", "gradient", "--json"):
            ours.setdefault(row["energy"], []).append(row)
        for name, fastest_ms in peers.items():
            theirs.setdefault(name, []).append(fastest_ms())
    rows = [
        "| gradient | residuals | Tilework f32 | f64 | walking the graph | walking / f64 | jax.jit f32 | JAX / Tilework |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, found in ours.items():
        single, double, walked = (statistics.median(one[key] for one in found) for key in ("f32_ms", "f64_ms", "walking_ms"))
        cells = f"| {name} | {found[0]['residuals']} | {single:.2f} ms | {double:.2f} ms | {walked:.0f} ms | {walked / double:.0f} |"
        if name in theirs:
            other = statistics.median(theirs[name])
            rows.append(f"{cells} {other:.2f} ms | {other / single:.2f} |")
        else:
            rows.append(f"{cells} not installed | |")
    return "\n".join(rows)


def main():
    tilework = sys.argv[1]
    folder = sys.argv[2] if len(sys.argv) > 2 else os.environ.get("TILEWORK_TEST_DATA", "")
    with tempfile.TemporaryDirectory() as scratch:
        print(compare_ceres(tilework, folder, scratch))
    print()
    print(compare_jax(tilework))
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    print(f"\nFastest of {ROUNDS} rounds in turns for whole solutions (one thread each), medians of {ROUNDS} rounds of fastest runs for")
    print(f"gradients (all threads). Load of the machine at the end: {load:.1f}.")


if __name__ == "__main__":
    main()
