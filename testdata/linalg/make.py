"""Writes cases.json: linear algebra as NumPy and SciPy compute it. Run with NumPy 2 and SciPy: python make.py

Matrices are multiples of 1/32, so that they are exact in single precision. Signs that a factorization leaves open are settled as
the operations promise: R has no negative diagonal, the largest element of every right singular vector and of every eigenvector
is positive (and real); eigenvalues of general matrices come by real, then imaginary part.
"""
import json
import pathlib

import numpy as np
import scipy.linalg

rng = np.random.default_rng(11)


def grid(*shape):
    return rng.integers(-64, 65, shape) / 32


def definite(*shape):
    x = grid(*shape)
    return x @ np.swapaxes(x, -1, -2) + np.eye(shape[-1])


def out(x):
    x = np.asarray(x)
    if np.iscomplexobj(x):
        x = np.stack([x.real, x.imag], -1)
    return {"shape": list(x.shape), "data": [float(v) for v in x.astype(float).ravel()]}


def each(function, a, *rest):
    """Applies a function of one matrix to every matrix."""
    batch = a.shape[:-2]
    results = [function(a[i], *[r[i] for r in rest]) for i in np.ndindex(*batch)]
    if not isinstance(results[0], tuple):
        results = [(r,) for r in results]
    parts = [np.array(p).reshape(*batch, *np.shape(p[0])) for p in zip(*results)]
    return parts[0] if len(parts) == 1 else parts


def largest(vector):
    return vector[np.argmax(np.abs(vector))]


def qr(a, mode="reduced"):
    q, r = np.linalg.qr(a, mode)
    signs = np.ones(q.shape[1])
    k = min(r.shape)
    signs[:k] = np.where(np.diag(r) < 0, -1, 1)
    return q * signs, r * signs[: r.shape[0], None]


def svd(a):
    u, s, vh = np.linalg.svd(a, full_matrices=False)
    signs = np.array([np.sign(largest(row)) for row in vh])
    return u * signs, s, vh * signs[:, None]


def eigh(a):
    w, v = np.linalg.eigh(a)
    return w, v * np.array([np.sign(largest(col)) for col in v.T])


def eig(a):
    w, v = np.linalg.eig(a)
    w, v = w.astype(complex), v.astype(complex)
    order = np.lexsort([w.imag, np.round(w.real, 10)])
    w, v = w[order], v[:, order]
    return w, v * np.array([abs(largest(col)) / largest(col) for col in v.T])


def lu(a):
    return scipy.linalg.lu(a)


square = [grid(1, 1), grid(4, 4), grid(3, 5, 5), grid(2, 2, 3, 3), grid(12, 12)]
any_shape = [grid(4, 4), grid(2, 6, 3), grid(2, 3, 6), grid(9, 7), grid(1, 5), grid(5, 1)]
symmetric = [definite(1, 1), definite(5, 5), definite(2, 3, 4, 4), definite(34, 34)]
cases = {"definite": [], "square": [], "any": [], "products": []}
for a in symmetric:
    n = a.shape[-1]
    b = grid(*a.shape[:-1], 3)
    l = np.linalg.cholesky(a)
    w, v = each(eigh, a)
    forms = [
        {
            "side": "lower" if lower else "upper",
            "form": "transposed" if trans else "plain",
            "x": out(each(lambda m, r: scipy.linalg.solve_triangular(m, r, lower=lower, trans=trans), a, b)),
        }
        for lower in [True, False]
        for trans in [0, 1]
    ]
    case = {"a": out(a), "b": out(b), "l": out(l), "w": out(w), "x": out(np.linalg.solve(a, b))}
    case |= {"condition": float(np.max(np.linalg.cond(a))), "triangular": forms if n <= 5 else []}
    cases["definite"].append(case | {"v": out(v)} if n <= 5 else case)
for a in square:
    b = grid(*a.shape[:-1], 2)
    sign, logabs = np.linalg.slogdet(a)
    w, v = each(eig, a)
    p, l, u = each(lu, a)
    case = {"a": out(a), "b": out(b), "x": out(np.linalg.solve(a, b)), "inv": out(np.linalg.inv(a))}
    case |= {"det": out(np.linalg.det(a)), "sign": out(sign), "logabs": out(logabs), "p": out(p), "l": out(l), "u": out(u)}
    case |= {"w": out(w), "condition": float(np.max(np.linalg.cond(a))), "trace": out(np.linalg.trace(a))}
    case |= {"power": {str(n): out(np.linalg.matrix_power(a, n)) for n in [0, 1, 3, -2]}}
    cases["square"].append(case | {"v": out(v)} if a.shape[-1] < 10 else case)
for a in any_shape:
    b = grid(*a.shape[:-1], 2)
    q, r = each(qr, a)
    u, s, vh = each(svd, a)
    x = each(lambda m, r: np.linalg.lstsq(m, r, rcond=None)[0], a, b)
    case = {"a": out(a), "b": out(b), "q": out(q), "r": out(r), "u": out(u), "s": out(s), "vh": out(vh), "lstsq": out(x)}
    case |= {"pinv": out(np.linalg.pinv(a)), "rank": out(np.linalg.matrix_rank(a))}
    orders = {"fro": "fro", "nuc": "nuc", "inf": np.inf, "-inf": -np.inf, "1": 1, "-1": -1, "2": 2, "-2": -2}
    case |= {"norms": {name: out(np.linalg.norm(a, order, axis=(-2, -1))) for name, order in orders.items()}}
    vector = {"fro": None, "inf": np.inf, "-inf": -np.inf, "0": 0, "1": 1, "2": 2, "3": 3, "-1": -1, "0.5": 0.5}
    # Negative powers of 0 are infinite; the data have zeros, so they are moved.
    moved = a + 1 / 64
    case |= {"vector_norms": {name: out(np.linalg.norm(moved, order, axis=-1)) for name, order in vector.items()}}
    case |= {"cond": out(np.linalg.cond(a)), "norm": out(np.linalg.norm(a))}
    cases["any"].append(case)
a, b = grid(2, 3), grid(4, 2)
c, d = grid(5, 3), grid(5, 3)
e, f = grid(2, 3, 4), grid(4, 3, 5)
cases["products"] = {
    "a": out(a), "b": out(b), "c": out(c), "d": out(d), "e": out(e), "f": out(f),
    "outer": out(np.outer(a, b)), "kron": out(np.kron(a, b)), "kron_mixed": out(np.kron(a, e)), "cross": out(np.cross(c, d)),
    "tensordot": out(np.tensordot(e, f, axes=([1, 2], [1, 0]))),
}
path = pathlib.Path(__file__).with_name("cases.json")
# Eleven digits: the tests allow for more than the rest.
text = json.dumps(cases, separators=(",", ":"), default=float)
rounded = json.loads(text, parse_float=lambda t: float(f"{float(t):.11g}"))
path.write_text(json.dumps(rounded, separators=(",", ":")) + "\n")
