"""One epoch of training 784-128-10 on MNIST with Adam, in NumPy and in Tilework, in turns; prints a table in Markdown.

usage: python mnist_bench.py <tilework> <folder of MNIST>

The NumPy script is what a careful person would write: preallocated 32-bit floats, updates in place, no Python loop over images.
"""

import json
import pathlib
import subprocess
import sys
import time

import numpy as np

N_ROUNDS = 3
BATCH = 128
RATE = 2e-3
tilework, folder = sys.argv[1], pathlib.Path(sys.argv[2])


def read(name, header):
    return np.fromfile(folder / name, dtype=np.uint8)[header:]


def layer(rng, n_out, n_in):
    limit = 1 / np.sqrt(n_in)
    return [rng.uniform(-limit, limit, shape).astype(np.float32) for shape in [(n_out, n_in), (n_out,)]]


def numpy_epochs(n_epochs):
    images = read("train-images-idx3-ubyte", 16).reshape(-1, 784).astype(np.float32) / np.float32(255)
    labels = read("train-labels-idx1-ubyte", 8)
    rng = np.random.default_rng(0)
    parameters = layer(rng, 128, 784) + layer(rng, 10, 128)
    means, squares = ([np.zeros_like(p) for p in parameters] for _ in range(2))
    step, seconds = 0, []
    for _ in range(n_epochs):
        start = time.perf_counter()
        order = rng.permutation(len(images))
        for first in range(0, len(images), BATCH):
            chosen = order[first : first + BATCH]
            x, y, rows = images[chosen], labels[chosen], np.arange(len(chosen))
            w1, b1, w2, b2 = parameters
            hidden = x @ w1.T
            hidden += b1
            np.maximum(hidden, 0, out=hidden)
            p = hidden @ w2.T
            p += b2
            p -= p.max(axis=1, keepdims=True)
            np.exp(p, out=p)
            p /= p.sum(axis=1, keepdims=True)
            loss = -np.log(p[rows, y]).mean()
            p[rows, y] -= 1
            p /= np.float32(len(chosen))
            d_hidden = p @ w2
            d_hidden *= hidden > 0
            gradients = [d_hidden.T @ x, d_hidden.sum(axis=0), p.T @ hidden, p.sum(axis=0)]
            step += 1
            pace = np.float32(RATE / (1 - 0.9**step))
            correction = np.float32(1 / np.sqrt(1 - 0.999**step))
            for parameter, gradient, mean, square in zip(parameters, gradients, means, squares):
                mean *= np.float32(0.9)
                mean += np.float32(0.1) * gradient
                square *= np.float32(0.999)
                gradient *= gradient
                gradient *= np.float32(0.001)
                square += gradient
                root = np.sqrt(square)
                root *= correction
                root += np.float32(1e-8)
                np.divide(mean, root, out=root)
                root *= pace
                parameter -= root
        seconds.append(time.perf_counter() - start)
        assert loss < 1, "it does not learn"
    return seconds[-1]


def tilework_epochs(n_epochs):
    arguments = ["mnist", "train", "--epochs", str(n_epochs), "--shift", "0", "--batch", str(BATCH), "--rate", str(RATE)]
    output = subprocess.run([tilework, *arguments, "--data", str(folder), "--json"], check=True, capture_output=True).stdout
    return json.loads(output)[-1]["seconds"]


rounds = []
for number in range(N_ROUNDS):
    print(f"    round {number + 1} of {N_ROUNDS}", file=sys.stderr)
    # The second epoch: the first also plans, and warms caches.
    rounds.append((numpy_epochs(2), tilework_epochs(2)))
numpy_s, tilework_s = (min(times) for times in zip(*rounds))
print("One epoch of 784-128-10 on MNIST's 60 000 images, batches of 128, Adam, 2 threads (`xtask/peers/mnist_bench.py`):\n")
print("| NumPy, s | Tilework, s | NumPy / Tilework |")
print("|--:|--:|--:|")
print(f"| {numpy_s:.2f} | {tilework_s:.2f} | {numpy_s / tilework_s:.2f}× |")
