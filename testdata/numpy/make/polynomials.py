"""Polynomials as rows of coefficients. NumPy drops leading zeros, whose number depends on the data; here they stay."""

import numpy as np
from golden import case, write

f32, i32 = np.float32, np.int32
rng = np.random.default_rng(5)
P = np.array([2, -1, 0.5, 3], f32)
Q = np.array([1.5, -2], f32)
X = rng.normal(size=(2, 3)).astype(f32)
I = np.array([3, 0, -2, 1], i32)
ONE = np.array([4], f32)
U = np.array([0.5, -0.9, 0.99, 0], f32)


def padded(p, n):
    p = np.asarray(p, f32)
    return np.concatenate([np.zeros(n - len(p), f32), p])


for p in (P, Q, ONE, rng.normal(size=12).astype(f32)):
    case("polyval", [p, X], {}, np.polyval(p, X), grad=True, tolerance=1e-5)
case("polyval", [P, 1.5], {}, np.asarray(np.polyval(P, f32(1.5))))
case("polyval", [I, np.array([1, -2, 3], i32)], {}, np.polyval(I, np.array([1, -2, 3], i32)))
case("polyval", [np.zeros(0, f32), X], {}, np.zeros_like(X))
case("polyval", [X, X], {}, error="shape")
for a, b in ((P, Q), (Q, P), (P, P[::-1].copy()), (I, I[:2]), (ONE, P)):
    case("polyadd", [a, b], {}, np.polyadd(a, b))
    case("polysub", [a, b], {}, np.polysub(a, b))
    case("polymul", [a, b], {}, np.polymul(a, b), tolerance=1e-5)
case("polyadd", [P, Q], {}, np.polyadd(P, Q), grad=True)
case("polymul", [P, Q], {}, np.polymul(P, Q), grad=True)
case("polysub", [P, P], {}, np.zeros(4, f32))
case("polyadd", [X, P], {}, error="shape")
L = rng.normal(size=7).astype(f32)
for u, v in ((P, Q), (L, np.array([2, 1, -1], f32)), (P, ONE), (Q, P), (P, P), (L, np.array([1, 0, 0, 3], f32))):
    q, r = np.polydiv(u.astype(np.float64), v.astype(np.float64))
    n = len(u) if len(u) < len(v) else max(len(v) - 1, 1)
    case("polydiv", [u, v], {}, [padded(q, max(len(u) - len(v) + 1, 1)), padded(r, n)], tolerance=1e-5, grad=len(u) == 7)
case("polydiv", [I, np.array([2, 1], i32)], {}, [np.polydiv(I, [2, 1])[0].astype(f32), padded(np.polydiv(I, [2, 1])[1], 1)])
case("polydiv", [P, np.zeros(0, f32)], {}, error="shape")
for m in (0, 1, 2, 4, 6):
    case("polyder", [P], {"m": m}, np.polyder(P, m).astype(f32), grad=m in (1, 2))
case("polyder", [I], {}, np.polyder(I).astype(i32))
for m in (0, 1, 3):
    case("polyint", [P], {"m": m}, np.polyint(P, m).astype(f32), grad=m > 0)
case("polyint", [P, 2.5], {}, np.polyint(P, k=2.5).astype(f32))
case("polyint", [P, 2.5], {"m": 2}, np.polyint(P, 2, k=2.5).astype(f32))
case("polyint", [P, Q], {"m": 2}, np.polyint(P, 2, k=Q).astype(f32), grad=True)
case("polyint", [I], {}, np.polyint(I).astype(f32))
case("polyint", [P, Q], {"m": 3}, error="shape")
case("poly", [np.array([1, -2, 0.5], f32)], {}, np.poly(np.array([1, -2, 0.5])).astype(f32), grad=True)
case("poly", [np.array([3], i32)], {}, np.poly([3]).astype(f32))
case("poly", [np.zeros(0, f32)], {}, np.ones(1, f32))
MANY = (rng.random(size=40) - 0.5).astype(f32)
case("poly", [MANY], {}, np.poly(MANY.astype(np.float64)).astype(f32), tolerance=1e-5)
LONG = rng.normal(size=300).astype(f32)
case("polyval", [LONG, U], {}, np.polyval(LONG.astype(np.float64), U).astype(f32), tolerance=1e-5)
case("polyder", [LONG], {"m": 70}, error="argument")
A = np.array([-2, -1, -0.5, 0, 0.4, 1, 2, 2.5], f32)
B = rng.normal(size=8).astype(f32)
B2 = rng.normal(size=(8, 2)).astype(f32)
W = rng.random(size=8).astype(f32) + f32(0.5)
for deg in (0, 1, 2, 3):
    case("polyfit", [A, B], {"deg": deg}, np.polyfit(A.astype(np.float64), B, deg).astype(f32), tolerance=2e-5, grad=True)
    case("polyfit", [A, B, W], {"deg": deg}, np.polyfit(A.astype(np.float64), B, deg, w=W).astype(f32), tolerance=2e-5)
    case("polyfit", [A, B2], {"deg": deg}, np.polyfit(A.astype(np.float64), B2, deg).astype(f32), tolerance=2e-5)
D = A.astype(np.float64)
case("polyfit", [D, B.astype(np.float64)], {"deg": 4}, np.polyfit(D, B.astype(np.float64), 4), tolerance=1e-10)
case("polyfit", [np.arange(5, dtype=i32), np.array([1, 3, 5, 7, 9], i32)], {"deg": 1}, np.array([2, 1], f32))
case("polyfit", [A, B[:7]], {"deg": 1}, error="shape")
case("polyfit", [A, B, W[:7]], {"deg": 1}, error="shape")
case("polyfit", [A, B], {"deg": 8}, error="argument")


def roots(p):
    """By real, then imaginary part, with roots 0 that come from trailing zeros last."""
    p = np.asarray(p, np.float64)
    n_zeros = len(p) - 1 - np.flatnonzero(p)[-1] if p.any() else 0
    found = np.sort_complex(np.roots(p[: len(p) - n_zeros]).round(12) + 0)
    return np.concatenate([found, np.zeros(n_zeros)])


for p in ([1, -6, 11, -6], [1, 0, 1], [2, -3], [0, 0, 1, -5, 6], [1, -1, 0, 0], [5], [0, 0], [1, 2, 3, 4, 5]):
    case("roots", [np.array(p, f32)], {}, roots(p).astype(np.complex64), tolerance=1e-5)
    case("roots", [np.array(p, np.float64)], {}, roots(p).astype(np.complex128), tolerance=1e-10)
case("roots", [X], {}, error="shape")

write(__file__)
