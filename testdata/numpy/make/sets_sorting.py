"""Sorting, searching, sets and packed bits."""

import numpy as np
from golden import case, write

F, I = np.float32, np.int32
nan, inf = np.nan, np.inf
rng = np.random.default_rng(4)
X = rng.integers(-4, 5, size=(3, 4)).astype(F)
N = rng.integers(0, 4, size=(2, 3, 2)).astype(I)
V = np.array([3, 1, nan, 2, inf, 1, -inf, nan], F)
Z = np.array([0.0, -0.0, 1, 0.0], F)
B = np.array([[True, False, True], [False, False, True]])
E = np.zeros((0,), F)
D = np.array([3.5, 1, 2], np.float64)
T = {0: [["permute", {"order": [1, 0]}]]}


def i32(x):
    return np.asarray(x).astype(I)


for name, f in [("argmin", np.argmin), ("argmax", np.argmax)]:
    for x in (X, N, V, B, F(2)):
        case(name, [x], {}, i32(f(x)))
        case(name, [x], {"keep_axes": True}, i32(f(x, keepdims=True)))
    for axis in (0, 1, -1):
        case(name, [X], {"axis": axis}, i32(f(X, axis)))
        case(name, [N], {"axis": axis, "keep_axes": True}, i32(f(N, axis, keepdims=True)))
    case(name, [X], {"axis": 0}, i32(f(X.T, 0)), views=T)
    case(name, [E], {}, error="shape")
    case(name, [X], {"axis": 2}, error="shape")

for axis in (0, 1, -1):
    case("sort", [X], {"axis": axis}, np.sort(X, axis))
    case("sort", [N], {"axis": axis, "descending": True}, -np.sort(-N, axis))
    case("argsort", [X], {"axis": axis, "stable": True}, i32(np.argsort(X, axis, stable=True)))
    case("argsort", [N], {"axis": axis, "descending": True}, i32(np.argsort(-N, axis, stable=True)))
for x in (X, V, E, Z, np.array([[2, 1], [0, 3]], I)):
    case("sort", [x], {}, np.sort(x))
    case("sort", [x], {"flat": True}, np.sort(x, None))
    case("argsort", [x], {}, i32(np.argsort(x, stable=True)))
    case("argsort", [x], {"flat": True}, i32(np.argsort(x, None, stable=True)))
case("sort", [V], {"descending": True}, np.array([inf, 3, 2, 1, 1, -inf, nan, nan], F))
case("sort", [np.array([4, 1.5, 3], F)], {"order": "descending"}, np.array([4, 3, 1.5], F), grad=True)
case("sort", [D], {}, np.sort(D))
case("sort", [X], {}, np.sort(X.T), views=T)
case("sort", [X], {"axis": 5}, error="shape")
case("sort", [F(1)], {}, error="shape")
case("lexsort", [X[0], X[1]], {}, i32(np.lexsort((X[0], X[1]))))
case("lexsort", [N[0, :, 0], N[1, :, 0], N[0, :, 1]], {}, i32(np.lexsort((N[0, :, 0], N[1, :, 0], N[0, :, 1]))))
K = [rng.integers(0, 3, (2, 6)).astype(I) for _ in range(3)]
for axis in (0, -1):
    case("lexsort", K, {"axis": axis}, i32(np.lexsort(K, axis)))
case("lexsort", [X, X[0]], {}, error="shape")
case("lexsort", [], {}, error="argument")
for name, f in [("partition", np.sort), ("argpartition", lambda x, axis: i32(np.argsort(x, axis, stable=True)))]:
    case(name, [X], {"kth": 1}, f(X, -1))
    case(name, [X], {"kth": [0, -1], "axis": 0}, f(X, 0))
    case(name, [X], {"kth": 11, "flat": True}, f(X, None))
    case(name, [X], {"kth": 4}, error="argument")

S = np.array([-1, 0, 0, 2, 5], F)
Q = np.array([[0, 2, 7], [-3, 5, 1]], F)
P = np.array([3, 0, 2, 1, 4], I)
for side in ("left", "right"):
    case("searchsorted", [S, Q], {"side": side}, i32(np.searchsorted(S, Q, side)))
    case("searchsorted", [S, 0], {"side": side}, i32(np.searchsorted(S, 0, side)))
    case("searchsorted", [i32(S), Q], {"side": side}, i32(np.searchsorted(i32(S), Q, side)))
    W = np.array([4, 1, 9, 1, 0], I)
    case("searchsorted", [W, i32(Q), i32(np.argsort(W, stable=True))], {"side": side}, i32(np.searchsorted(W, i32(Q), side, np.argsort(W, stable=True))))
case("searchsorted", [S, np.array([nan, inf, -inf], F)], {}, i32(np.searchsorted(S, np.array([nan, inf, -inf], F))))
case("searchsorted", [E, Q], {}, i32(np.searchsorted(E, Q)))
case("searchsorted", [Q, S], {}, error="shape")
case("searchsorted", [S, Q, P[:3]], {}, error="shape")
case("searchsorted", [S, Q, S], {}, error="dtype")

for x in (X, N, B, V, E, Z, F(3), np.array([5], I)):
    case("unique", [x], {}, np.unique(x))
    u = np.unique_all(x)
    order = np.argsort(u.values, stable=True)
    case("unique_all", [x], {}, [u.values, i32(u.indices), i32(u.inverse_indices), i32(u.counts)])
    case("unique_counts", [x], {}, [u.values, i32(u.counts)])
    case("unique_inverse", [x], {}, [u.values, i32(u.inverse_indices)])
    case("unique_values", [x], {}, np.sort(np.unique_values(x)))
case("unique", [X], {}, np.unique(X), views=T)

A, C = np.array([3, 1, 2, 1, 7], I), np.array([[1, 4], [7, 7]], I)
G, H = np.array([0.5, 1, nan, 2, -0.0], F), np.array([nan, 2, 0, 2], F)
for a, b in [(A, C), (G, H), (A, H), (A, A[:0]), (A[:0], A), (B, np.array([True])), (C, F(7)), (H, A)]:
    result = np.result_type(a, b) if not (a.dtype != b.dtype and F in (a.dtype, b.dtype)) else F
    case("isin", [a, b], {}, np.isin(a, b))
    case("isin", [a, b], {"invert": True}, np.isin(a, b, invert=True))
    case("in1d", [a, b], {}, np.isin(a, b).ravel())
    case("intersect1d", [a, b], {}, np.intersect1d(a, b).astype(result))
    case("union1d", [a, b], {}, np.union1d(a, b).astype(result))
    case("setdiff1d", [a, b], {}, np.setdiff1d(a, b))
    case("setxor1d", [a, b], {}, np.setxor1d(a, b).astype(result))
case("isin", [A, 3], {}, np.isin(A, 3))

bits = rng.integers(0, 2, (3, 10)).astype(bool)
for order in ("big", "little"):
    case("packbits", [bits], {"bitorder": order}, (np.packbits(bits, bitorder=order)))
    for axis in (0, 1):
        case("packbits", [bits], {"axis": axis, "bitorder": order}, (np.packbits(bits, axis, order)))
        bytes_ = rng.integers(0, 256, (2, 3)).astype(np.uint8)
        case("unpackbits", [bytes_], {"axis": axis, "bitorder": order}, (np.unpackbits(bytes_, axis, bitorder=order)))
    case("unpackbits", [bytes_], {"bitorder": order}, (np.unpackbits(bytes_, bitorder=order)))
case("packbits", [np.array([0, 3, 0, -1], I)], {}, (np.packbits(np.array([0, 3, 0, -1]).astype(bool))))
case("packbits", [bits[:, :0]], {"axis": 1}, (np.packbits(bits[:, :0], 1)))
case("packbits", [X], {}, error="dtype")
case("unpackbits", [X], {}, error="dtype")

write(__file__)
