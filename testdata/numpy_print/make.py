"""Writes cases.json: arrays and how NumPy prints them. Run with NumPy 2: python make.py"""
import json
import pathlib

import numpy as np

F = np.float32
arrays = [
    np.array([1, 2.5, 3.25], F),
    np.array([[1, 2], [3, 4]], F),
    np.array(3.5, F),
    np.array([], F),
    np.array([0.1, 0.2, 0.3], F),
    np.array([1e-5, 1.0], F),
    np.array([1e10, 1.0], F),
    np.array([1.5e-7, -2.25e-7], F),
    np.array([np.nan, np.inf, -np.inf, 1.5], F),
    np.array([-0.0, 0.0], F),
    np.array([100000, 2.0, -3.5], F),
    np.array([1 / 3, 2 / 3], F),
    np.array([1 / 3, 100.0], np.float64),
    np.arange(24, dtype=F).reshape(2, 3, 4),
    np.arange(2000, dtype=F),
    np.arange(2000, dtype=np.int32).reshape(40, 50),
    np.arange(40, dtype=F) * F(1.25),
    np.arange(30, dtype=np.int32) - 15,
    np.array([[1, -200], [30, 4]], np.int32),
    np.array([True, False, True]),
    np.array([[True], [False]]),
    np.arange(1200, dtype=F).reshape(2, 20, 30) / F(7),
    np.linspace(-1, 1, 7, dtype=F),
]
cases = []
for a in arrays:
    flat = ["nan" if x != x else "inf" if x == np.inf else "-inf" if x == -np.inf else float(x) for x in a.ravel().tolist()]
    cases.append({"dtype": str(a.dtype), "shape": list(a.shape), "data": flat, "text": str(a)})
pathlib.Path(__file__).with_name("cases.json").write_text(json.dumps(cases, indent=0) + "\n")
