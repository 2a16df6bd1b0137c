"""Functions with a derivative whose other cases are not made for finite differences: at points without ties, away from kinks."""

import numpy as np
from golden import case, write

F = np.float32
C = np.complex64
rng = np.random.default_rng(7)
X = rng.normal(size=(3, 4)).astype(F)
Y = rng.normal(size=(3, 4)).astype(F)
V = rng.normal(size=4).astype(F)

for name, f in [("max", np.max), ("min", np.min)]:
    case(name, [X], {"axes": []}, f(X), grad=True)
    case(name, [X], {"axes": [1]}, f(X, axis=1), grad=True)
case("matmul", [X, Y.T.copy()], {}, X @ Y.T, grad=True, tolerance=1e-5)
case("matmul", [X, V], {}, X @ V, grad=True, tolerance=1e-5)
case("arctan2", [X, Y], {}, np.arctan2(X, Y), grad=True, tolerance=1e-6)

# Views and joins.
case("expand_dims", [X], {"axis": 1}, np.expand_dims(X, 1), grad=True)
case("squeeze", [X[:, :1]], {"axes": [1]}, np.squeeze(X[:, :1], 1), grad=True)
case("moveaxis", [X], {"source": 0, "destination": 1}, np.moveaxis(X, 0, 1), grad=True)
case("permute_dims", [X], {"axes": [1, 0]}, np.permute_dims(X, (1, 0)), grad=True)
case("broadcast_arrays", [X, V], {}, list(np.broadcast_arrays(X, V)), grad=True)
case("concatenate", [X, Y], {}, np.concatenate([X, Y]), grad=True)
case("stack", [X, Y], {"axis": 1}, np.stack([X, Y], 1), grad=True)
case("unstack", [X], {}, [*X], grad=True)
case("astype", [X], {"dtype": "float64"}, X.astype(np.float64), grad=True, gpu=False)

# Where elements are only moved.
case("partition", [X], {"kth": 1}, np.sort(X), grad=True)
case("percentile", [X, 30.0], {"axes": [0]}, np.percentile(X, 30, axis=0).astype(F), grad=True, tolerance=1e-6)
case("nanpercentile", [X, 30.0], {"axes": [0]}, np.nanpercentile(X, 30, axis=0).astype(F), grad=True, tolerance=1e-6)
for name, f in [("nancumsum", np.nancumsum), ("nancumprod", np.nancumprod)]:
    case(name, [X], {"axis": 1}, f(X, axis=1), grad=True, tolerance=1e-5)
case("piecewise", [X, X < 0, -1, X >= 0, X], {}, np.piecewise(X, [X < 0, X >= 0], [-1, lambda x: x]).astype(F), grad=True)

# Transforms.
for name in ("fft", "ifft", "rfft", "ihfft"):
    case(name, [X], {}, getattr(np.fft, name)(X).astype(C), grad=True, tolerance=4e-6)
for name in ("fftn", "ifftn", "rfftn"):
    case(name, [X], {}, getattr(np.fft, name)(X).astype(C), grad=True, tolerance=4e-6)
for name in ("fftshift", "ifftshift"):
    case(name, [X], {}, getattr(np.fft, name)(X), grad=True)
for name in ("real", "imag", "conj"):
    case(name, [X], {}, getattr(np, name)(X), grad=True)

write(__file__)
