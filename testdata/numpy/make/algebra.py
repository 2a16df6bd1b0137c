"""Products by name, norms and linear algebra."""

import numpy as np
from golden import case, write

rng = np.random.default_rng(7)


def floats(*shape):
    """Numbers with few digits, so that the file stays small."""
    return (rng.integers(-40, 41, size=shape) / 16).astype(np.float32)


def ints(*shape):
    return rng.integers(-5, 6, size=shape).astype(np.int32)


A, B, C = floats(2, 3), floats(3, 4), floats(4, 2)
S, V, W = floats(3, 3), floats(3), floats(4)
T, U = floats(2, 3, 4), floats(2, 4, 3)

# einsum: labels, repeated labels, implicit and explicit results
for text, operands in [
    ("ij,jk->ik", [A, B]), ("ij,jk", [A, B]), ("ij,jk->ki", [A, B]), ("ij,jk->", [A, B]), ("ij,jk->i", [A, B]), ("ij,jk->ijk", [A, B]),
    ("ij->ji", [A]), ("ba", [A]), ("bA", [A]), ("ij->", [A]), ("ij->j", [A]), ("ij", [A]), (" i j , j k ", [A, B]),
    ("ii", [S]), ("ii->i", [S]), ("ii,i->", [S, V]), ("ii,ij->j", [S, S]), ("ij,ij->ij", [S, S]), ("ij,ji->", [S, S]), ("ij,ij", [S, S]),
    ("i,i", [V, V]), ("i,j", [V, W]), ("i,j->ji", [V, W]), ("i,i->i", [V, V]), ("i,i,i->", [V, V, V]), ("i,j,i,j->", [V, W, V, W]),
    ("bij,bjk->bik", [T, U]), ("bij,bjk->ik", [T, U]), ("bij,ckj->bcik", [T, T]), ("bij,bij->b", [T, T]), ("bij->bji", [T]),
    ("ij,jk,kl->il", [A, B, C]), ("ij,jk,kl", [A, B, C]), ("ij,jk,ki->", [A, B, C]), ("ij,jk,kl,lm,mn->in", [A, B, C, A, B]),
    ("...", [T]), ("...i->...", [T]), ("i...->...", [T]), ("...ij,...jk->...ik", [T, U]), ("...ij,...jk", [T[:1], U]), ("...ij->...ji", [T]),
    ("...,...", [A, A]), ("i...,i...->...", [A, A]), ("...i,...i", [A, V]), ("i->...i", [V]), ("...i,i->...", [T, W]), ("a...b,b->a...", [T, W]),
    ("ij,ij->ij", [floats(1, 3), A]), ("ij,ij->j", [floats(1, 3), A]), ("ij,jk->ik", [floats(2, 1), B]), ("i,i->", [floats(1), V]),
    ("", [np.float32(3)]), (",", [np.float32(3), np.float32(4)]), (",i->i", [np.float32(3), V]), ("i->i", [floats(1)]),
    ("ij,j->i", [floats(0, 3), V]), ("ij,j->i", [floats(2, 0), floats(0)]), ("ij->", [floats(2, 0)]), ("ij,jk->ik", [floats(2, 0), floats(0, 3)]),
    ("iij->j", [floats(2, 2, 3)]), ("iji->j", [floats(2, 3, 2)]), ("iijj->ij", [floats(2, 2, 2, 2)]), ("iii->i", [floats(2, 2, 2)]), ("ii->i", [floats(0, 0)]),
]:
    grad = all(x.size for x in operands)
    case("einsum", operands, {"subscripts": text}, np.asarray(np.einsum(text, *operands), np.float32), tolerance=1e-5, grad=grad)
case("einsum", [A, A], {"subscripts": "ij,kj->ik"}, np.einsum("ij,kj->ik", A, A), views={0: [["permute", {"order": [0, 1]}]]}, tolerance=1e-5)
case("einsum", [B, A], {"subscripts": "ij,jk->ik"}, np.einsum("ij,jk->ik", B.T, A.T), views={0: [["transpose", {}]], 1: [["transpose", {}]]}, tolerance=1e-5)
case("einsum", [T], {"subscripts": "bij->bi"}, np.einsum("bij->bi", T[:, ::-1, ::2]), views={0: [["flip", {"axes": [1]}], ["slice", {"axis": 2, "step": 2}]]})
I, J = ints(2, 3), ints(3, 2)
for text, operands in [("ij,jk", [I, J]), ("ij,jk->", [I, J]), ("ij->i", [I]), ("ij,ij->ij", [I, I])]:
    case("einsum", operands, {"subscripts": text}, np.asarray(np.einsum(text, *operands), np.int32))
case("einsum", [I > 0, J > 0], {"subscripts": "ij,jk"}, np.einsum("ij,jk", I > 0, J > 0))
case("einsum", [I, A.T.copy()], {"subscripts": "ij,jk"}, np.einsum("ij,jk", I, A.T).astype(np.float32), tolerance=1e-5)
case("einsum", [A.astype(np.float64), B.astype(np.float64)], {"subscripts": "ij,jk"}, A.astype(np.float64) @ B.astype(np.float64))
for text, operands, error in [
    ("ij,jk", [A, A], "shape"), ("ij", [V], "shape"), ("i", [A], "shape"), ("i,j", [V], "argument"), ("i", [V, V], "argument"), ("ij->ii", [A], "argument"),
    ("ij->k", [A], "argument"), ("ij->i,", [A], "argument"), ("i->>", [V], "argument"), ("i$", [V], "argument"), ("..i", [A], "argument"), ("...i...", [A], "argument"),
    ("...i->i", [A], "argument"), ("ii", [A], "shape"), ("i-", [V], "argument"), ("ii", [floats(1, 3)], "shape"), ("...ij", [V], "shape"), ("é", [V], "argument"),
]:
    case("einsum", operands, {"subscripts": text}, error=error)
case("einsum", [A], {}, error="argument")
case("einsum_path", [floats(2, 9), floats(9, 3), floats(3, 2)], {"subscripts": "ij,jk,kl"}, np.array([[0, 1], [0, 1]], np.int32))

# products
for x, y in [(V, V), (A, B), (A, V), (V, B), (T, W), (T, U[0].T.copy().T), (T, U), (W, U), (np.float32(2), A), (A, np.float32(2)), (floats(2, 0), floats(0, 3))]:
    case("dot", [x, y], {}, np.asarray(np.dot(x, y), np.float32), tolerance=1e-5, grad=x.size * y.size > 0)
case("dot", [I, J], {}, I @ J)
case("dot", [A, A], {}, error="shape")
case("dot", [V, W], {}, error="shape")
for x, y in [(V, V), (A, A), (T, W), (np.float32(2), A), (T, floats(4, 4)), (A, floats(0, 3))]:
    case("inner", [x, y], {}, np.asarray(np.inner(x, y), np.float32), tolerance=1e-5, grad=x.size * y.size > 0)
case("inner", [I, I], {}, np.inner(I, I))
case("inner", [A, W], {}, error="shape")
X, Y = floats(2, 3), floats(3, 2)
case("vdot", [X, Y], {}, np.asarray(np.vdot(X, Y), np.float32), tolerance=1e-5, grad=True)
case("vdot", [X, W], {}, error="shape")
for x, y, axis in [(V, V, -1), (A, A, -1), (A, A, 0), (T, A[0, 0] * floats(4), -1), (T, floats(5, 1, 3, 4)[:, :, :, :], -2), (T, T, 1), (floats(2, 0), floats(2, 0), -1)]:
    x2, y2 = np.moveaxis(x, axis, -1), np.moveaxis(y, axis, -1)
    case("vecdot", [x, y], {"axis": axis}, np.asarray((x2 * y2).sum(-1), np.float32), tolerance=1e-5, grad=x.size > 0)
case("vecdot", [I, I], {}, np.vecdot(I, I).astype(np.int32))
case("vecdot", [A, floats(2, 1)], {}, error="shape")
case("vecdot", [A, A], {"axis": 2}, error="shape")
for x, y in [(A, V), (T, W), (T, floats(2, 4)), (T, floats(5, 1, 4)), (floats(0, 3), V)]:
    case("matvec", [x, y], {}, np.matvec(x, y), tolerance=1e-5, grad=x.size > 0)
for x, y in [(V, B), (V, T), (floats(2, 3), T), (floats(5, 1, 3), T)]:
    case("vecmat", [x, y], {}, np.vecmat(x, y), tolerance=1e-5, grad=True)
K = ints(3)
case("matvec", [I, K], {}, np.matvec(I, K))
case("vecmat", [K, J], {}, np.vecmat(K, J))
case("matvec", [A, W], {}, error="shape")
case("vecmat", [A, np.float32(1)], {}, error="shape")
case("outer", [A, V], {}, np.outer(A, V), grad=True)
case("outer", [I, K], {}, np.outer(I, K))
case("outer", [np.float32(2), V], {}, np.outer(2, V).astype(np.float32))
for x, y in [(A, C), (V, A), (T, A), (np.float32(2), A), (floats(0, 2), A)]:
    case("kron", [x, y], {}, np.kron(x, y).astype(np.float32), grad=x.size > 0)
case("kron", [I, J], {}, np.kron(I, J))
for x, y, axis in [(V, V[::-1].copy(), -1), (S, V, -1), (S, floats(3, 3), 0), (T, T + 1, 1), (floats(0, 3), V, -1)]:
    case("cross", [x, y], {"axis": axis}, np.cross(x, y, axis=axis), tolerance=1e-5, grad=x.size > 0)
case("cross", [K, K + 1], {}, np.cross(K, K + 1).astype(np.int32))
case("cross", [A, W], {}, error="shape")
case("cross", [S, S], {"axis": 2}, error="shape")
case("tensordot", [T, U], {"axes": [1, 2], "other_axes": [2, 1]}, np.tensordot(T, U, ([1, 2], [2, 1])), tolerance=1e-5, grad=True)
Z = floats(3, 4, 2)
case("tensordot", [T, Z], {}, np.tensordot(T, Z), tolerance=1e-5, grad=True)
case("tensordot", [T, B], {"n": 0}, np.tensordot(T, B, 0), tolerance=1e-5)
case("tensordot", [T, C], {"n": 1}, np.tensordot(T, C, 1), tolerance=1e-5)
case("tensordot", [T, C], {"axes": [0], "other_axes": [0]}, error="shape")
case("tensordot", [T, C], {"n": 3}, error="shape")
case("tensordot", [T, T], {"axes": [0, 0], "other_axes": [0, 1]}, error="shape")
for arrays in [[A, B], [A, B, C], [V, B, C], [A, B, W], [V, B, W], [A, B, C, A, B]]:
    case("multi_dot", arrays, {}, np.asarray(np.linalg.multi_dot(arrays), np.float32), tolerance=1e-5, grad=True)
case("multi_dot", [A], {}, error="argument")
case("multi_dot", [A, A], {}, error="shape")
case("multi_dot", [A, V, A], {}, error="shape")
for x, offset, axes in [(S, 0, None), (A, 1, None), (A, -1, None), (A, 5, None), (T, 0, [0, 1]), (T, 1, [2, 0]), (T, 0, [-2, -1]), (floats(0, 3), 0, None)]:
    attrs = {"offset": offset} | ({"axes": axes} if axes else {})
    axis1, axis2 = axes or (-2, -1)
    case("trace", [x], attrs, np.asarray(np.trace(x, offset, axis1, axis2), np.float32), tolerance=1e-5, grad=x.size > 0)
case("trace", [I], {}, np.asarray(np.trace(I), np.int32))
case("trace", [V], {}, error="shape")
case("trace", [T], {"axes": [1, 1]}, error="shape")
case("trace", [T], {"axes": [1]}, error="argument")

# norms
P = np.where(A == 0, np.float32(0.5), A)
Q = np.where(T == 0, np.float32(0.5), T)
for order in [None, 0, 1, 3, -1, "inf", "-inf"]:
    ord = 2 if order is None else float(order)
    for x, axes, keep in [(P, [0], False), (P, [], False), (P, [-1], True), (Q, [0, 2], False)]:
        attrs = {"axes": axes, "keep_axes": keep} | ({} if order is None else {"order": order})
        want = np.linalg.vector_norm(x, axis=tuple(axes) if axes else None, keepdims=keep, ord=ord)
        case("vector_norm", [x], attrs, np.asarray(want, np.float32), tolerance=1e-5, grad=order not in (0, "inf", "-inf") and not keep)
case("vector_norm", [floats(2, 0)], {"axes": [1], "order": "inf"}, np.zeros(2, np.float32))
case("vector_norm", [floats(2, 0)], {"axes": [1], "order": "-inf"}, error="shape")
case("vector_norm", [floats(2, 0)], {"axes": [1]}, np.zeros(2, np.float32))
case("vector_norm", [I], {}, np.asarray(np.linalg.vector_norm(I), np.float32), tolerance=1e-5)
case("vector_norm", [np.array([np.nan, 1], np.float32)], {"order": "inf"}, np.float32(np.nan))
case("vector_norm", [A], {"order": "nuc"}, error="argument")
case("vector_norm", [A], {"order": "big"}, error="argument")
case("vector_norm", [A], {"axes": [2]}, error="shape")
for order in ["fro", "nuc", 1, -1, 2, -2, "inf", "-inf"]:
    ord = {"inf": np.inf, "-inf": -np.inf}.get(order, order)
    smooth = order in ("fro", "nuc", 2, -2)
    for x, keep in [(P, False), (Q, True)]:
        want = np.linalg.matrix_norm(x, ord=ord, keepdims=keep)
        case("matrix_norm", [x], {"order": order, "keep_axes": keep}, np.asarray(want, np.float32), tolerance=1e-5, grad=smooth)
    want = np.linalg.norm(Q, ord=ord, axis=(2, 0))
    case("norm", [Q], {"order": order, "axes": [2, 0]}, want.astype(np.float32), tolerance=1e-5)
    case("norm", [P], {"order": order}, np.asarray(np.linalg.norm(P, ord), np.float32), tolerance=1e-5)
case("norm", [T], {}, np.asarray(np.linalg.norm(T), np.float32), tolerance=1e-5)
case("norm", [V], {"order": 1, "keep_axes": True}, np.linalg.norm(V, 1, keepdims=True), tolerance=1e-5)
case("norm", [T], {"axes": [1]}, np.linalg.norm(T, axis=1), tolerance=1e-5)
case("norm", [T], {"order": 2}, error="argument")
case("norm", [T], {"axes": [0, 1, 2]}, error="argument")
case("norm", [T], {"axes": [0, 0]}, error="shape")
case("matrix_norm", [V], {}, error="shape")
case("matrix_norm", [floats(2, 0)], {"order": 1}, np.float32(0))

# systems, inverses, determinants
eye = np.eye(3, dtype=np.float32)
M = (floats(3, 3) + 3 * eye).astype(np.float32)
MM = (floats(2, 3, 3) + 3 * eye).astype(np.float32)
D = (M @ M.T + eye).astype(np.float32)
DD = (MM @ MM.swapaxes(1, 2) + eye).astype(np.float32)


def f32(x):
    return np.asarray(x, np.float32)


for m in [M, MM]:
    for b in [V, floats(3, 2)] + ([floats(2, 3, 1)] if m is MM else []):
        want = np.linalg.solve(m, b if b.ndim > 1 else b[:, None])
        want = want[..., 0] if b.ndim == 1 else want
        case("solve", [m, b], {}, f32(want), tolerance=1e-5, grad=True)
    case("inv", [m], {}, f32(np.linalg.inv(m)), tolerance=1e-5, grad=True)
    case("det", [m], {}, f32(np.linalg.det(m)), tolerance=1e-5, grad=True)
    sign, logabs = np.linalg.slogdet(m)
    case("slogdet", [m], {}, [f32(sign), f32(logabs)], tolerance=1e-5, grad=True)
    for n in [-2, -1, 0, 1, 2, 5]:
        case("matrix_power", [m], {"n": n}, f32(np.linalg.matrix_power(m.astype(np.float64), n)), tolerance=1e-5, grad=n != 0)
for d in [D, DD]:
    case("cholesky", [d], {}, f32(np.linalg.cholesky(d)), tolerance=1e-5, grad=True)
    w, v = np.linalg.eigh(d.astype(np.float64))
    v = v * np.sign(np.take_along_axis(v, np.abs(v).argmax(-2)[..., None, :], -2))
    case("eigh", [d], {}, [f32(w), f32(v)], tolerance=1e-4, grad=True)
    case("eigvalsh", [d], {}, f32(w), tolerance=1e-5, grad=True)
for m in [floats(4, 3), floats(3, 4), floats(2, 3, 2), M]:
    u, s, vh = np.linalg.svd(m.astype(np.float64), full_matrices=False)
    flip = np.sign(np.take_along_axis(vh, np.abs(vh).argmax(-1)[..., None], -1))
    u, vh = u * flip.swapaxes(-1, -2), vh * flip
    case("svd", [m], {"vectors": "reduced"}, [f32(u), f32(s), f32(vh)], tolerance=1e-5, grad=True)
    case("svdvals", [m], {}, f32(s), tolerance=1e-5, grad=True)
    case("pinv", [m], {}, f32(np.linalg.pinv(m.astype(np.float64))), tolerance=1e-5, grad=True)
    case("matrix_rank", [m], {}, np.asarray(np.linalg.matrix_rank(m), np.int32))
    case("cond", [m], {}, f32(np.linalg.cond(m.astype(np.float64))), tolerance=1e-4, grad=True)
    for mode in ["reduced", "complete"]:
        q, r = np.linalg.qr(m.astype(np.float64), mode)
        flip = np.sign(np.diagonal(r, axis1=-2, axis2=-1))
        k = flip.shape[-1]
        q[..., :, :k] *= flip[..., None, :]
        r[..., :k, :] *= flip[..., :, None]
        if q.shape[-1] == k:
            square = mode == "reduced" or m.shape[-1] >= m.shape[-2]
            case("qr", [m], {"mode": mode}, [f32(q), f32(r)], tolerance=1e-5, grad=square)
case("matrix_rank", [np.ones((3, 3), np.float32)], {}, np.int32(1))
case("matrix_rank", [V], {}, np.int32(1))
case("matrix_rank", [np.diag([3, 2, 1]).astype(np.float32)], {"tol": 1.5}, np.int32(2))
case("cond", [M], {"order": "1"}, f32(np.linalg.cond(M, 1)), tolerance=1e-4)
for m, b in [(floats(4, 3), floats(4)), (floats(5, 2), floats(5, 3)), (floats(2, 3), floats(2))]:
    x, residuals, rank, s = np.linalg.lstsq(m.astype(np.float64), b.astype(np.float64))
    residuals = np.atleast_1d(((m @ x - b) ** 2).sum(0))
    case("lstsq", [m, b], {}, [f32(x), f32(residuals), np.int32(rank), f32(s)], tolerance=1e-5, grad=True)
lu = np.array([[2, 1, 1], [4, 3, 3], [8, 7, 9]], np.float32)
case("lu", [lu], {}, [f32([[0, 1, 0], [0, 0, 1], [1, 0, 0]]), f32([[1, 0, 0], [0.25, 1, 0], [0.5, 2 / 3, 1]]), f32([[8, 7, 9], [0, -0.75, -1.25], [0, 0, -2 / 3]])])
TS = (np.eye(6).reshape(2, 3, 6) * 2 + floats(2, 3, 6) / 8).astype(np.float32)
R = floats(2, 3)
case("tensorsolve", [TS, R], {}, f32(np.linalg.tensorsolve(TS, R)), tolerance=1e-5, grad=True)
TT = TS.reshape(2, 3, 6).transpose(0, 2, 1).copy()
case("tensorsolve", [TT, R], {"axes": [1]}, f32(np.linalg.tensorsolve(TT, R, axes=(1,))), tolerance=1e-5)
case("tensorsolve", [TS, V], {}, error="shape")
case("tensorinv", [TS], {"n": 2}, f32(np.linalg.tensorinv(TS, 2)), tolerance=1e-5, grad=True)
case("tensorinv", [TS.reshape(6, 2, 3)], {"n": 1}, f32(np.linalg.tensorinv(TS.reshape(6, 2, 3), 1)), tolerance=1e-5)
case("tensorinv", [T], {}, error="shape")
# sizes 0 and 1, mistakes
empty = floats(0, 3, 3)
for name in ["inv", "cholesky"]:
    case(name, [empty], {}, empty)
    case(name, [floats(0, 0)], {}, floats(0, 0))
    case(name, [A], {}, error="shape")
    case(name, [V], {}, error="shape")
case("det", [empty], {}, floats(0))
case("det", [floats(0, 0)], {}, np.float32(1))
case("slogdet", [A], {}, error="shape")
case("eigh", [A], {}, error="shape")
case("svd", [V], {}, error="shape")
case("solve", [M, W], {}, error="shape")
case("inv", [np.full((1, 1), 4, np.float32)], {}, np.full((1, 1), 0.25, np.float32))
case("inv", [I[:, :2]], {}, f32(np.linalg.inv(I[:, :2])), tolerance=1e-5)
case("solve", [M.astype(np.float64), V.astype(np.float64)], {}, np.linalg.solve(M.astype(np.float64), V.astype(np.float64)))
case("svd", [A], {"vectors": "some"}, error="argument")
case("lstsq", [A, W], {}, error="shape")

write(__file__)
