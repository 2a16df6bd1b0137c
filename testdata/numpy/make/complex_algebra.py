"""Products, norms and linear algebra of complex numbers."""

import numpy as np
from golden import case, write

rng = np.random.default_rng(11)


def floats(*shape):
    """Numbers with few digits, so that the file stays small."""
    return (rng.integers(-40, 41, size=shape) / 16).astype(np.float32)


def f32(x):
    return np.asarray(x, np.float32)


A, V = floats(2, 3), floats(3)
eye = np.eye(3, dtype=np.float32)
M = f32(floats(3, 3) + 3 * eye)


def complexes(*shape):
    return (floats(*shape) + 1j * floats(*shape)).astype(np.complex64)


def c64(x):
    return np.asarray(x, np.complex64)


def directed(v):
    """Columns whose largest element is positive."""
    top = np.take_along_axis(v, np.abs(v).argmax(-2)[..., None, :], -2)
    return v * np.conj(top) / np.abs(top)


def wide(x):
    return x.astype(np.complex128)


CA, CB, CV = complexes(2, 3), complexes(3, 2), complexes(3)
CT = complexes(2, 3, 3)
for name, f, x, y in [("dot", np.dot, CV, CV), ("dot", np.dot, CA, CB), ("dot", np.dot, CV, V), ("inner", np.inner, CA, CA), ("inner", np.inner, CV, V), ("vdot", np.vdot, CA, CA),
                      ("vdot", np.vdot, V, CV), ("vdot", np.vdot, CV, V), ("vecdot", np.vecdot, CA, CV), ("vecdot", np.vecdot, CV, A), ("outer", np.outer, CA, CV), ("kron", np.kron, CA, CB), ("kron", np.kron, CA, A),
                      ("matvec", np.matvec, CA, CV), ("vecmat", np.vecmat, CV, CB), ("cross", np.cross, CV, V), ("cross", np.cross, CT, CV)]:
    case(name, [x, y], {}, c64(f(x, y)), tolerance=1e-5)
case("tensordot", [CA, CB], {"n": 1}, c64(np.tensordot(CA, CB, 1)), tolerance=1e-5)
case("tensordot", [CT, CA], {"axes": [0, 1], "other_axes": [0, 1]}, c64(np.tensordot(CT, CA, ([0, 1], [0, 1]))), tolerance=1e-5)
for text, operands in [("ij,jk->ik", [CA, CB]), ("ij,ij->", [CA, A]), ("ii", [CT[0]]), ("bii->bi", [CT]), ("i,j", [CV, V]), ("ij->ji", [CA]), ("bij,j->bi", [CT, CV])]:
    case("einsum", operands, {"subscripts": text}, c64(np.einsum(text, *operands)), tolerance=1e-5)
case("multi_dot", [CA, CB, A], {}, c64(np.linalg.multi_dot([CA, CB, A])), tolerance=1e-5)
case("trace", [CT], {}, c64(np.linalg.trace(CT)), tolerance=1e-5)
case("trace", [CA], {"offset": 1}, c64(np.trace(CA, 1)), tolerance=1e-5)
case("trace", [CV], {}, error="shape")
case("diagonal", [CT], {}, c64(np.diagonal(CT)))
case("matrix_transpose", [CA], {}, CA.T)
for order in ["fro", "nuc", 1, -1, 2, -2, "inf", "-inf"]:
    ord = {"inf": np.inf, "-inf": -np.inf}.get(order, order)
    case("matrix_norm", [CT], {"order": order}, f32(np.linalg.matrix_norm(CT, ord=ord)), tolerance=1e-5)
for order in [0, 1, 2, 3, "inf", "-inf"]:
    case("vector_norm", [CA], {"order": order, "axes": [-1]}, f32(np.linalg.vector_norm(CA, ord=float(order), axis=-1)), tolerance=1e-5)
case("norm", [CT], {}, f32(np.linalg.norm(CT)), tolerance=1e-5)
CM = c64(CT + 3 * eye)
CH = c64(CM @ CM.conj().swapaxes(1, 2) + eye)
twice = c64([[2, 1j, 0], [-1j, 2, 0], [0, 0, 3]])  # the eigenvalues 1, 3 and 3
for m, tolerance in [(CM, 1e-5), (CM[0], 1e-5), (wide(CM), 1e-12)]:
    for b in [CV, CB, V]:
        b = wide(b) if m.dtype == np.complex128 else b
        want = np.linalg.solve(wide(m), wide(b) if b.ndim > 1 else wide(b)[:, None])
        case("solve", [m, b], {}, (want[..., 0] if b.ndim == 1 else want).astype(m.dtype), tolerance=tolerance)
    case("inv", [m], {}, np.linalg.inv(wide(m)).astype(m.dtype), tolerance=tolerance)
    case("det", [m], {}, np.asarray(np.linalg.det(wide(m)), m.dtype), tolerance=tolerance)
    sign, logabs = np.linalg.slogdet(wide(m))
    case("slogdet", [m], {}, [np.asarray(sign, m.dtype), np.asarray(logabs, m.real.dtype)], tolerance=tolerance)
    for n in [-1, 0, 3]:
        case("matrix_power", [m], {"n": n}, np.linalg.matrix_power(wide(m), n).astype(m.dtype), tolerance=tolerance)
for m in [CM, complexes(3, 3), c64(-1j * eye), c64(M), c64([[1, 2j], [0, 1 + 1j]])]:
    w, v = np.linalg.eig(wide(m))
    order = np.lexsort((w.imag.round(6), w.real.round(6)))
    w, v = np.take_along_axis(w, order, -1), np.take_along_axis(directed(v), order[..., None, :], -1)
    case("eigvals", [m], {}, c64(w), tolerance=1e-5)
    if np.abs(np.diff(w, axis=-1)).min() > 1e-3:
        case("eig", [m], {}, [c64(w), c64(v)], tolerance=1e-5)
case("solve", [M, CV], {}, c64(np.linalg.solve(wide(M), wide(CV))), tolerance=1e-5)
for m in [CH, CH[0]]:
    w, v = np.linalg.eigh(wide(m))
    case("cholesky", [m], {}, c64(np.linalg.cholesky(wide(m))), tolerance=1e-5)
    case("eigvalsh", [m], {}, f32(w), tolerance=1e-5)
    case("eigh", [m], {}, [f32(w), c64(directed(v))], tolerance=1e-4)
case("eigvalsh", [twice], {}, f32([1, 3, 3]), tolerance=1e-5)
for m in [complexes(4, 3), complexes(2, 2, 3), CM]:
    case("svdvals", [m], {}, f32(np.linalg.svdvals(wide(m))), tolerance=1e-5)
    case("pinv", [m], {}, c64(np.linalg.pinv(wide(m))), tolerance=1e-5)
    case("matrix_rank", [m], {}, np.asarray(np.linalg.matrix_rank(m), np.int32))
    case("cond", [m], {}, f32(np.linalg.cond(wide(m))), tolerance=1e-4)
    q, r = np.linalg.qr(wide(m))
    phase = np.diagonal(r, axis1=-2, axis2=-1) / np.abs(np.diagonal(r, axis1=-2, axis2=-1))
    case("qr", [m], {}, [c64(q * phase[..., None, :]), c64(r * phase.conj()[..., :, None])], tolerance=1e-5)
CL, CR = complexes(4, 2), complexes(4)
x, residuals, rank, s = np.linalg.lstsq(wide(CL), wide(CR))
case("lstsq", [CL, CR], {}, [c64(x), f32(np.atleast_1d((np.abs(CL @ x - CR) ** 2).sum())), np.int32(rank), f32(s)], tolerance=1e-5)
case("svd", [CM], {}, error="dtype")
case("lu", [CM], {}, error="dtype")
case("qr", [CL], {"mode": "complete"}, error="dtype")
for name in ["inv", "det", "slogdet", "cholesky", "eigh", "eigvals"]:
    case(name, [CA], {}, error="shape")
case("solve", [CM, CA], {}, error="shape")
case("inv", [complexes(0, 3, 3)], {}, complexes(0, 3, 3))
case("det", [complexes(0, 3, 3)], {}, complexes(0))
case("det", [c64([[1, 1j], [1j, -1]])], {}, c64(0), tolerance=1e-5)
case("inv", [c64([[2j]])], {}, c64([[-0.5j]]))

write(__file__)
