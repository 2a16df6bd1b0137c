"""Making arrays: ranges, grids, triangles and diagonals. Defaults are int32 and float32, which the conversions below say."""

import numpy as np
from golden import case, write

F, D, I = np.float32, np.float64, np.int32
X = np.arange(12, dtype=F).reshape(3, 4) - 5.5
V = np.array([1.5, -2, 3], F)
N = np.array([3, -1, 2], I)
B = np.array([True, False, True])


def f32(x):
    return np.asarray(x).astype(F)


def i32(x):
    return np.asarray(x).astype(I)


for n in (0, 1, 5):
    case("arange", [], {"n": n}, i32(np.arange(n)))
for start, stop, step in [(2, 9, 3), (0, 5, 1), (5, 0, -2), (5, 5, 1), (0, 5, -1), (-3, 4, 2)]:
    case("arange", [], {"start": start, "stop": stop, "step": step}, i32(np.arange(start, stop, step)))
for start, stop, step in [(0, 1, 0.25), (1.5, -1, -0.5), (0.1, 1, 0.3)]:
    case("arange", [], {"start": start, "stop": stop, "step": step}, f32(np.arange(start, stop, step)))
case("arange", [], {"stop": 4, "dtype": "float32"}, np.arange(4, dtype=F))
case("arange", [], {"stop": 4, "dtype": "float64"}, np.arange(4, dtype=D))
case("arange", [], {"n": 4, "dtype": "bool"}, np.arange(4).astype(bool))
case("arange", [], {"start": 0, "stop": 4, "step": 0}, error="argument")
case("arange", [], {"start": 0, "stop": 1e30}, error="too_large")
case("arange", [], {}, error="argument")

for n in (0, 1, 2, 5):
    for endpoint in (True, False):
        case("linspace", [], {"start": -1, "stop": 2.5, "n": n, "endpoint": endpoint}, f32(np.linspace(-1, 2.5, n, endpoint=endpoint)))
case("linspace", [], {"start": 0, "stop": 10, "n": 5, "dtype": "int32"}, np.linspace(0, 10, 5, dtype=I))
case("linspace", [], {"start": 0, "stop": -10, "n": 4, "dtype": "int32"}, np.linspace(0, -10, 4, dtype=I))
case("linspace", [], {"start": 0, "stop": 1, "n": 4, "dtype": "float64"}, np.linspace(0, 1, 4))
case("linspace", [], {"start": 0, "stop": 1}, f32(np.linspace(0, 1)))
case("logspace", [], {"start": 0, "stop": 3, "n": 4}, f32(np.logspace(0, 3, 4)))
case("logspace", [], {"start": -1, "stop": 2, "n": 5, "base": 2, "endpoint": False}, f32(np.logspace(-1, 2, 5, base=2, endpoint=False)))
case("geomspace", [], {"start": 1, "stop": 256, "n": 9}, f32(np.geomspace(1, 256, 9)), tolerance=1e-5)
case("geomspace", [], {"start": -1000, "stop": -1, "n": 4}, f32(np.geomspace(-1000, -1, 4)), tolerance=1e-5)
case("geomspace", [], {"start": 1, "stop": 8, "n": 3, "endpoint": False}, f32(np.geomspace(1, 8, 3, endpoint=False)))
case("geomspace", [], {"start": 1, "stop": 8, "n": 1}, f32(np.geomspace(1, 8, 1)))
case("geomspace", [], {"start": -1, "stop": 1, "n": 3}, error="argument")
case("geomspace", [], {"start": 0, "stop": 1, "n": 3}, error="argument")

for dtype in ("float32", "int32", "bool"):
    case("zeros", [], {"shape": [2, 3], "dtype": dtype}, np.zeros((2, 3), dtype))
    case("ones", [], {"shape": [2], "dtype": dtype}, np.ones(2, dtype))
case("zeros", [], {"shape": 3}, np.zeros(3, F))
case("ones", [], {"shape": []}, np.ones((), F))
case("empty", [], {"shape": [0, 3]}, np.zeros((0, 3), F))
case("zeros", [], {"shape": [-1]}, error="argument")
case("zeros", [], {"shape": [2], "dtype": "float3"}, error="dtype")
case("full", [], {"shape": [2, 2], "value": 7, "dtype": "int32"}, np.full((2, 2), 7, I))
case("zeros_like", [N], {}, np.zeros_like(N))
case("ones_like", [X], {"dtype": "int32"}, np.ones_like(X, dtype=I))
case("ones_like", [X], {"shape": [2]}, np.ones_like(X, shape=2))
case("empty_like", [B], {}, np.zeros_like(B))
case("full_like", [N], {"value": 4}, np.full_like(N, 4))
case("full_like", [N], {"value": 2.5, "dtype": "float32"}, np.full_like(N, 2.5, dtype=F))
case("asarray", [N], {"dtype": "float32"}, f32(N))
case("asarray", [N], {}, N)
case("astype", [X], {"dtype": "int32"}, X.astype(I))
case("astype", [X], {"dtype": "bool"}, X.astype(bool))
case("astype", [X], {}, error="argument")

for n, m, k in [(3, None, 0), (3, 4, 1), (4, 2, -1), (2, 2, 5), (0, 3, 0), (2, 3, -9)]:
    attrs = {"n": n, "k": k} | ({} if m is None else {"m": m})
    case("eye", [], attrs, np.eye(n, m, k, F))
    case("tri", [], attrs, np.tri(n, m, k, F))
    case("tril_indices", [], attrs, [i32(x) for x in np.tril_indices(n, k, m)])
    case("triu_indices", [], attrs, [i32(x) for x in np.triu_indices(n, k, m)])
case("eye", [], {"n": 2, "dtype": "bool"}, np.eye(2, dtype=bool))
case("tri", [], {"n": 2, "dtype": "int32"}, np.tri(2, dtype=I))
case("identity", [], {"n": 3}, np.identity(3, F))
case("identity", [], {"n": 2, "dtype": "int32"}, np.identity(2, I))

for shape in ([2, 3], [4], [2, 0], [2, 1, 3]):
    case("indices", [], {"shape": shape}, i32(np.indices(shape)))
for rows in ([V, N], [V], [V, N, B], [V[:0], N]):
    case("meshgrid", rows, {}, list(np.meshgrid(*rows)))
    case("meshgrid", rows, {"indexing": "ij"}, list(np.meshgrid(*rows, indexing="ij")))
case("meshgrid", [X, V], {}, error="shape")
case("meshgrid", [V, N], {"indexing": "yx"}, error="argument")

S = np.arange(12, dtype=F).reshape(2, 2, 3)
for k in (0, 1, -1, 3, -7):
    for name, f in [("tril", np.tril), ("triu", np.triu)]:
        case(name, [X], {"k": k}, f(X, k), grad=k == 1)
        case(name, [S], {"k": k}, f(S, k))
    case("diag", [V], {"k": k}, np.diag(V, k), grad=k == 1)
    case("diag", [X], {"k": k}, np.diag(X, k), grad=k == -1)
    case("diagonal", [X], {"offset": k}, np.diagonal(X, k))
    case("diagonal", [S], {"offset": k, "axis1": 2, "axis2": 0}, np.diagonal(S, k, 2, 0), grad=k == 0)
case("tril", [V], {}, np.tril(V))
case("triu", [N], {"k": 1}, np.triu(N, 1))
case("tril", [B], {}, np.tril(B))
case("tril", [F(3)], {}, error="shape")
case("triu", [X], {}, np.triu(X.T), views={0: [["permute", {"order": [1, 0]}]]})
case("diag", [X], {}, np.diag(X.T), views={0: [["permute", {"order": [1, 0]}]]})
case("diag", [N], {"k": -2}, np.diag(N, -2))
case("diag", [V[:0]], {}, np.diag(V[:0]))
case("diag", [S], {}, error="shape")
case("diagflat", [X[:2, :2]], {"k": 1}, np.diagflat(X[:2, :2], 1))
case("diagonal", [S], {"axis1": 1, "axis2": 1}, error="shape")
case("diagonal", [V], {}, error="shape")


def fill_diagonal(x, values, wrap=False):
    x = x.copy()
    np.fill_diagonal(x, values, wrap)
    return x


T = np.zeros((7, 3), F)
C = np.zeros((2, 2, 2), I)
case("fill_diagonal", [X, 9], {}, fill_diagonal(X, 9))
case("fill_diagonal", [X, V], {}, fill_diagonal(X, V), grad=True)
case("fill_diagonal", [X, V[:2]], {}, fill_diagonal(X, V[:2]))
case("fill_diagonal", [T, V], {}, fill_diagonal(T, V))
case("fill_diagonal", [T, 2], {"wrap": True}, fill_diagonal(T, 2, True))
case("fill_diagonal", [C, 2], {}, fill_diagonal(C, 2))
case("fill_diagonal", [V, 2], {}, error="shape")
case("fill_diagonal", [S, 2], {}, error="shape")

for x in (V, N):
    case("vander", [x], {}, np.vander(x).astype(x.dtype), grad=x is V)
    case("vander", [x], {"n": 2}, np.vander(x, 2).astype(x.dtype))
    case("vander", [x], {"n": 4, "increasing": True}, np.vander(x, 4, increasing=True).astype(x.dtype))
case("vander", [V], {"n": 0}, np.vander(V, 0).astype(F))
case("vander", [X], {}, error="shape")

write(__file__)
