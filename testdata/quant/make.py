"""Writes goldens.txt: blocks of every GGUF format as the Python package gguf decodes and encodes them.

Run with NumPy 2 and gguf 0.19: python make.py
A line is `decode FORMAT bytes weights` or `encode FORMAT weights bytes`, in hexadecimal, weights as little-endian f32.
K-quants have no encoder in gguf. If a shared library of ggml is given as argument (libggml-base.so of a llama.cpp build), lines
`ggml FORMAT weights bytes` from its ggml_quantize_chunk are appended too; committed lines were made with one.
"""
import ctypes
import pathlib
import sys

import numpy as np
from gguf import GGMLQuantizationType as Type
from gguf.constants import GGML_QUANT_SIZES
from gguf.quants import QuantError, dequantize, quantize

rng = np.random.default_rng(8)
NAMES = "F32 F16 BF16 Q4_0 Q4_1 Q5_0 Q5_1 Q8_0 Q2_K Q3_K Q4_K Q5_K Q6_K IQ4_NL IQ4_XS MXFP4".split()
# Where a block keeps its halves, so that most of the blocks have ordinary numbers there.
HALVES = {"F16": [0], "Q4_0": [0], "Q4_1": [0, 2], "Q5_0": [0], "Q5_1": [0, 2], "Q8_0": [0], "Q2_K": [80, 82], "Q3_K": [108],
          "Q4_K": [0, 2], "Q5_K": [0, 2], "Q6_K": [208], "IQ4_NL": [0], "IQ4_XS": [0]}
lines = []


def hexed(array):
    return array.tobytes().hex()


def weights(n):
    """Ordinary, skewed, with an outlier, constant, zero and tiny weights, one after the other."""
    ramp = np.linspace(-1, 2, n)
    outlier = np.where(np.arange(n) == n // 3, 50, rng.standard_normal(n) * 0.01)
    rows = [rng.standard_normal(n) * 0.02, rng.standard_normal(n) * 0.3 + 0.5, ramp, outlier, np.full(n, -0.75), np.zeros(n),
            rng.standard_normal(n) * 1e-6]
    # Of long ones only those that are hard to fit.
    return np.array(rows[:4] if n > 32 else rows, dtype=np.float32)


for name in NAMES:
    kind = Type[name]
    length, size = GGML_QUANT_SIZES[kind]
    n_blocks = 64 if length == 1 else 6 if length == 32 else 2
    blocks = rng.integers(0, 256, (n_blocks, size), dtype=np.uint8)
    for at in HALVES.get(name, []):
        values = rng.standard_normal(n_blocks).astype(np.float16)
        blocks[1:, at:at + 2] = values[1:].view(np.uint8).reshape(-1, 2)
    if name == "F32":
        blocks = rng.standard_normal(n_blocks).astype(np.float32).view(np.uint8).reshape(n_blocks, 4)
    with np.errstate(all="ignore"):
        lines.append(f"decode {name} {hexed(blocks)} {hexed(dequantize(blocks.reshape(1, -1), kind).astype(np.float32))}")
    try:
        x = weights(32).reshape(1, -1)
        lines.append(f"encode {name} {hexed(x)} {hexed(quantize(x, kind))}")
    except (NotImplementedError, QuantError):
        pass

if len(sys.argv) > 1:
    ggml = ctypes.CDLL(sys.argv[1])
    ggml.ggml_quantize_chunk.restype = ctypes.c_size_t
    for name in "Q4_0 Q8_0 Q2_K Q3_K Q4_K Q5_K Q6_K IQ4_NL IQ4_XS".split():
        length, size = GGML_QUANT_SIZES[Type[name]]
        x = weights(length)
        out = np.zeros(len(x) * size, dtype=np.uint8)
        pointer = ctypes.POINTER(ctypes.c_float)
        ggml.ggml_quantize_chunk(int(Type[name]), x.ctypes.data_as(pointer), out.ctypes.data_as(ctypes.c_void_p),
                                 ctypes.c_int64(0), ctypes.c_int64(len(x)), ctypes.c_int64(length), None)
        lines.append(f"ggml {name} {hexed(x)} {hexed(out)}")

pathlib.Path(__file__).with_name("goldens.txt").write_text("\n".join(lines) + "\n")
