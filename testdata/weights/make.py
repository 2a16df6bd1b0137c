# Small archives as numpy.savez and numpy.savez_compressed write them: plain.npz and compressed.npz.
#
# usage: python testdata/weights/make.py        (needs numpy)

import pathlib

import numpy

here = pathlib.Path(__file__).parent
arrays = {
    "fc1.weight": numpy.arange(6, dtype=numpy.float32).reshape(2, 3) / 4,
    "columns": numpy.asfortranarray(numpy.arange(6, dtype=numpy.float32).reshape(2, 3)),
    "double": numpy.array([1 / 3, -2.5]),
    "half": numpy.array([0.5, 65504], dtype=numpy.float16),
    "steps": numpy.array([7, -9], dtype=numpy.int64),
    "bytes": numpy.array([0, 255], dtype=numpy.uint8),
    "mask": numpy.array([True, False, True]),
    "number": numpy.float32(4.25),
    "zeros": numpy.zeros((40, 50), dtype=numpy.float32),
}
numpy.savez(here / "plain.npz", **arrays)
numpy.savez_compressed(here / "compressed.npz", **arrays)
