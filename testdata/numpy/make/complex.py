"""Complex numbers: element-wise functions on and off their branch cuts, reductions, views, products and transforms."""

import numpy as np
from golden import case, write

rng = np.random.default_rng(5)
Z = (rng.normal(size=(2, 3)) + 1j * rng.normal(size=(2, 3))).astype(np.complex64)
W = (rng.normal(size=(3,)) + 1j * rng.normal(size=(3,))).astype(np.complex64)
X = rng.normal(size=(2, 3)).astype(np.float32)
GRID = np.array([1 + 1j, -1 + 1j, 1 - 1j, -1 - 1j, 2, -2, 0.5, -0.5, 2j, -2j, 0.25 + 0.125j, 3 - 0.5j])

for dtype, tolerance in ((np.complex64, 4e-6), (np.complex128, 1e-13)):
    g = GRID.astype(dtype)
    for name, f in [("exp", np.exp), ("expm1", np.expm1), ("log", np.log), ("log2", np.log2), ("log10", np.log10), ("log1p", np.log1p), ("sqrt", np.sqrt),
                    ("sin", np.sin), ("cos", np.cos), ("tan", np.tan), ("sinh", np.sinh), ("cosh", np.cosh), ("tanh", np.tanh),
                    ("asin", np.arcsin), ("acos", np.arccos), ("atan", np.arctan), ("asinh", np.arcsinh), ("acosh", np.arccosh), ("atanh", np.arctanh),
                    ("neg", np.negative), ("recip", np.reciprocal), ("square", np.square), ("sign", np.sign), ("abs", np.abs)]:
        # log1p(-1) and the like have infinite parts.
        with np.errstate(all="ignore"):
            y = f(g)
        case(name, [g], {}, y.astype(np.float32) if name == "abs" and dtype == np.complex64 else y, tolerance=tolerance)
    for name, f in [("add", np.add), ("sub", np.subtract), ("mul", np.multiply), ("div", np.divide), ("pow", np.power), ("eq", np.equal), ("ne", np.not_equal)]:
        case(name, [g, g[::-1].copy()], {}, f(g, g[::-1]), tolerance=4 * tolerance)
    case("div", [g, np.array(1e30 + 1e30j, dtype)], {}, g / np.array(1e30 + 1e30j, dtype), tolerance=tolerance)

case("add", [Z, X], {}, Z + X)
case("mul", [X, W], {}, X * W)
case("add", [Z, 2.0], {}, Z + np.float32(2))
case("mul", [Z, np.array([1, 2, 3], np.int32)], {}, Z * np.array([1, 2, 3], np.float32))
case("is_nan", [np.array([1 + 1j, np.nan + 1j, complex(1, np.nan)], np.complex64)], {}, np.array([False, True, True]))
case("is_inf", [np.array([1 + 1j, np.inf + 1j, complex(1, -np.inf)], np.complex64)], {}, np.array([False, True, True]))
case("is_finite", [np.array([1 + 1j, np.inf + 1j, complex(1, np.nan)], np.complex64)], {}, np.array([True, False, False]))
case("lt", [Z, Z], {}, error="dtype")

for axes in ([], [0], [1], [-1], [0, 1]):
    axis = tuple(axes) if axes else None
    for name, f in [("sum", np.sum), ("mean", np.mean), ("prod", np.prod), ("var", np.var), ("std", np.std)]:
        for keep in (False, True):
            case(name, [Z], {"axes": axes, "keep_axes": keep}, f(Z, axis=axis, keepdims=keep), tolerance=4e-6)
case("any", [np.array([[0, 1j], [0, 0]], np.complex64)], {"axes": [1]}, np.array([True, False]))
case("all", [np.array([[1, 1j], [0, 1]], np.complex64)], {"axes": [1]}, np.array([True, False]))
case("prod", [np.zeros((0, 2), np.complex64)], {"axes": [0]}, np.ones(2, np.complex64))
case("cumsum", [Z], {"axis": 1}, np.cumsum(Z, axis=1))
case("cumsum", [Z], {"axis": -2}, np.cumsum(Z, axis=0))
case("sort", [Z], {"axis": 0}, error="dtype")

case("reshape", [Z], {"shape": [3, 2]}, Z.reshape(3, 2))
case("transpose", [Z], {}, Z.T)
case("permute", [Z], {"order": [1, 0]}, Z.T)
case("slice", [Z], {"axis": -1, "start": 2, "step": -2}, Z[:, 2::-2])
case("index", [Z], {"axis": -1, "position": -1}, Z[:, -1])
case("flip", [Z], {"axes": []}, np.flip(Z))
case("flip", [Z], {"axes": [-1]}, np.flip(Z, -1))
case("expand_dims", [Z], {"axis": -1}, Z[..., None])
case("squeeze", [Z[:, None]], {"axes": [1]}, Z)
case("broadcast_to", [W], {"shape": [2, 3]}, np.broadcast_to(W, (2, 3)))
case("concat", [Z, X], {"axis": -1}, np.concatenate([Z, X], -1))
case("stack", [Z, Z], {"axis": 1}, np.stack([Z, Z], 1))
case("take", [Z, np.array([2, 0, -1], np.int32)], {"axis": -1}, Z[:, [2, 0, -1]])
case("select", [X > 0, Z, 0.0], {}, np.where(X > 0, Z, 0))
case("matmul", [Z, Z.T.copy()], {}, Z @ Z.T, tolerance=4e-6)
case("matmul", [Z, X.T.copy()], {}, Z @ X.T, tolerance=4e-6)
case("matmul", [Z, W], {}, Z @ W, tolerance=4e-6)
case("cast", [Z], {"dtype": "float32"}, Z.real.copy())
case("cast", [Z], {"dtype": "complex128"}, Z.astype(np.complex128))
case("cast", [X], {"dtype": "complex64"}, X.astype(np.complex64))
case("cast", [Z], {"dtype": "bool"}, Z.astype(bool))

for n in (1, 2, 5, 8, 12):
    z = (rng.normal(size=(2, n)) + 1j * rng.normal(size=(2, n))).astype(np.complex64)
    x = rng.normal(size=(2, n)).astype(np.float32)
    for norm in ("backward", "ortho", "forward"):
        case("fft", [z], {"norm": norm}, np.fft.fft(z, norm=norm), tolerance=4e-6)
        case("ifft", [z], {"norm": norm}, np.fft.ifft(z, norm=norm), tolerance=4e-6)
        case("rfft", [x], {"norm": norm}, np.fft.rfft(x, norm=norm).astype(np.complex64), tolerance=4e-6)
        case("irfft", [z], {"norm": norm, "n": n}, np.fft.irfft(z, n, norm=norm).astype(np.float32), tolerance=4e-6)
        case("hfft", [z], {"norm": norm, "n": n}, np.fft.hfft(z, n, norm=norm).astype(np.float32), tolerance=4e-6)
        case("ihfft", [x], {"norm": norm}, np.fft.ihfft(x, norm=norm).astype(np.complex64), tolerance=4e-6)
    case("fft", [x], {"axis": 0}, np.fft.fft(x, axis=0).astype(np.complex64), tolerance=4e-6)
    case("fft", [z], {"n": 7}, np.fft.fft(z, 7), tolerance=4e-6)
    case("fft", [z], {"n": 3, "axis": -1}, np.fft.fft(z, 3), tolerance=4e-6)
case("fftn", [Z], {}, np.fft.fftn(Z), tolerance=4e-6)
case("ifftn", [Z], {}, np.fft.ifftn(Z), tolerance=4e-6)
case("rfftn", [X], {}, np.fft.rfftn(X).astype(np.complex64), tolerance=4e-6)
case("irfftn", [Z], {"n": 5}, np.fft.irfftn(Z, (2, 5), (0, 1)).astype(np.float32), tolerance=4e-6)
case("fftshift", [Z], {}, np.fft.fftshift(Z))
case("ifftshift", [Z], {"axes": [1]}, np.fft.ifftshift(Z, [1]))
case("fftfreq", [], {"n": 5, "spacing": 0.5}, np.fft.fftfreq(5, 0.5).astype(np.float32))
case("rfftfreq", [], {"n": 6}, np.fft.rfftfreq(6).astype(np.float32))

for n, axes in ((2, [0, 1]), (None, [1, 0])):
    case("irfft2", [Z], {"axes": axes} | ({"n": n} if n else {}), np.fft.irfft2(Z, None if n is None else (Z.shape[axes[0]], n), axes).astype(np.float32), tolerance=4e-6)
case("fft2", [np.stack([Z, 2 * Z])], {}, np.fft.fft2(np.stack([Z, 2 * Z])), tolerance=4e-6)
case("ifft2", [Z], {"norm": "ortho"}, np.fft.ifft2(Z, norm="ortho"), tolerance=4e-6)
case("rfft2", [X], {}, np.fft.rfft2(X).astype(np.complex64), tolerance=4e-6)
case("fft2", [W], {}, error="shape")

PARTS = np.array([1 + 2j, -1j, 0, complex(-3, -0.0), complex(np.nan, np.inf)], np.complex64)
for name, f in [("real", np.real), ("imag", np.imag), ("conj", np.conj), ("conjugate", np.conj)]:
    case(name, [PARTS], {}, f(PARTS).copy())
    case(name, [Z.astype(np.complex128)], {}, f(Z.astype(np.complex128)).copy())
    case(name, [X], {}, f(X).copy())
    case(name, [np.array([1, -2], np.int32)], {}, f(np.array([1, -2], np.int32)).copy())
    case(name, [np.zeros((0, 2), np.complex64)], {}, f(np.zeros((0, 2), np.complex64)).copy())
case("angle", [PARTS[:4]], {}, np.angle(PARTS[:4]), tolerance=1e-6)
case("angle", [PARTS[:4]], {"deg": True}, np.angle(PARTS[:4], deg=True).astype(np.float32), tolerance=1e-6)
case("angle", [np.array([1, -1, 0], np.float32)], {}, np.array([0, np.pi, 0], np.float32), tolerance=1e-6)
case("complex", [X, 2 * X], {}, (X + 2j * X).astype(np.complex64))
case("complex", [X, X[0]], {}, (X + 1j * X[0]).astype(np.complex64))
case("complex", [X.astype(np.float64), 1.0], {}, (X + 1j).astype(np.complex128))
case("as_pairs", [Z], {}, np.stack([Z.real, Z.imag], -1))
case("as_complex", [np.stack([Z.real, Z.imag], -1)], {}, Z)
case("as_complex", [X], {}, error="shape")

write(__file__)
