"""Other shapes, orders, pieces and borders of arrays."""

import numpy as np
from golden import case, write

F, I = np.float32, np.int32
rng = np.random.default_rng(2)
X = rng.normal(size=(2, 3)).astype(F).round(2)
Y = rng.normal(size=(2, 3)).astype(F).round(2)
V = np.array([1, -2.5, 4], F)
N = np.array([[3, -1, 2], [0, 5, 7]], I)
S = np.arange(12, dtype=F).reshape(2, 3, 2)
E = np.zeros((0, 3), F)
Z = np.array(2.5, F)
T = {0: [["permute", {"order": [1, 0]}]]}

case("broadcast_arrays", [X, V, Z], {}, list(np.broadcast_arrays(X, V, Z)))
case("broadcast_arrays", [X, N[:, :1]], {}, list(np.broadcast_arrays(X, N[:, :1])))
case("broadcast_arrays", [X, V[:2]], {}, error="shape")
case("broadcast_to", [V], {"shape": [2, 3]}, np.broadcast_to(V, (2, 3)), grad=True)
case("broadcast_to", [V], {"shape": [2, 2]}, error="shape")

for shape in ([-1], [3, -1], [6], [1, -1, 2], [3, 2]):
    case("reshape", [X], {"shape": shape}, X.reshape(shape), grad=shape == [3, -1])
case("reshape", [X], {"shape": [-1]}, X.T.ravel(), views=T)
case("reshape", [E], {"shape": [0, 5]}, E.reshape(0, 5))
case("reshape", [E], {"shape": [5, -1]}, E.reshape(5, -1))
case("reshape", [Z], {"shape": [-1]}, Z.reshape(-1))
for shape in ([4], [-1, -1], [4, -1], [-2, 3], [0, -1], [1 << 62, 1 << 62]):
    case("reshape", [X], {"shape": shape}, error="shape")
case("reshape", [X], {}, error="argument")
for shape in ([2, 2], [10], [3, 4], [0], []):
    case("resize", [X], {"shape": shape}, np.resize(X, shape), grad=shape == [10])
case("resize", [E], {"shape": [2]}, np.zeros(2, F))
case("ravel", [S], {}, S.ravel())
case("expand_dims", [X], {"axis": 1}, np.expand_dims(X, 1))
case("expand_dims", [X], {"axes": [0, -1]}, np.expand_dims(X, (0, -1)))
case("expand_dims", [X], {"axes": [2, 3, 0]}, np.expand_dims(X, (2, 3, 0)))
case("expand_dims", [X], {"axes": [0, 0]}, error="shape")
case("expand_dims", [X], {"axis": 4}, error="shape")
case("squeeze", [S[:, :1]], {"axes": [1]}, np.squeeze(S[:, :1], 1))
case("squeeze", [S], {"axes": [1]}, error="shape")

W = np.arange(24, dtype=I).reshape(1, 2, 3, 4)
for a, b in [([0], [-1]), ([-1], [0]), ([0, 1], [-1, -2]), ([2, 0], [0, 1]), ([], [])]:
    case("moveaxis", [W], {"source": a, "destination": b}, np.moveaxis(W, a, b))
case("moveaxis", [W], {"source": 1, "destination": 3}, np.moveaxis(W, 1, 3))
case("moveaxis", [W], {"source": [0, 0], "destination": [1, 2]}, error="shape")
case("moveaxis", [W], {"source": [0], "destination": [1, 2]}, error="argument")
case("moveaxis", [W], {"source": [9], "destination": [1]}, error="shape")
for axis, start in [(3, 1), (2, 0), (1, 4), (-1, 0), (0, 2), (0, -1)]:
    case("rollaxis", [W], {"axis": axis, "start": start}, np.rollaxis(W, axis, start))
case("rollaxis", [W], {"axis": 0, "start": 5}, error="shape")
case("swapaxes", [W], {"axis1": 1, "axis2": -1}, np.swapaxes(W, 1, -1))
case("permute_dims", [W], {"axes": [2, 0, 3, 1]}, np.permute_dims(W, (2, 0, 3, 1)))
case("permute_dims", [W], {}, np.permute_dims(W))
case("permute_dims", [W], {"axes": [0, 0, 1, 2]}, error="shape")
case("matrix_transpose", [S], {}, np.matrix_transpose(S), grad=True)
case("matrix_transpose", [V], {}, error="shape")
for x in (Z, V, X, S):
    case("atleast_1d", [x], {}, np.atleast_1d(x))
    case("atleast_2d", [x], {}, np.atleast_2d(x))
    case("atleast_3d", [x], {}, np.atleast_3d(x))
case("flip", [S], {"axes": [0, 2]}, np.flip(S, (0, 2)), grad=True)
case("flip", [S], {"axes": []}, np.flip(S))
case("fliplr", [X], {}, np.fliplr(X))
case("flipud", [X], {}, np.flipud(X))
case("fliplr", [V], {}, error="shape")

for shift, axes in [([1], []), ([-2], [1]), ([1, 2], [0, 1]), ([7], [0, 1]), ([1, 1], [1, 1]), ([0], [0])]:
    case("roll", [X], {"shift": shift, "axes": axes}, np.roll(X, shift if axes else shift[0], axes or None), grad=shift == [-2])
case("roll", [X], {"shift": 1}, np.roll(X.T, 1), views=T)
case("roll", [E], {"shift": 2, "axes": 0}, E)
case("roll", [X], {"shift": [1, 2, 3], "axes": [0, 1]}, error="argument")
case("roll", [X], {"shift": 1, "axes": 2}, error="shape")
for k in (-1, 0, 1, 2, 3, 5):
    case("rot90", [X], {"k": k}, np.rot90(X, k), grad=k == 1)
    case("rot90", [S], {"k": k, "axes": [2, 0]}, np.rot90(S, k, (2, 0)))
case("rot90", [X], {"axes": [1, 1]}, error="shape")
case("rot90", [V], {}, error="shape")
case("rot90", [X], {"axes": [1]}, error="argument")

for n in (0, 1, 3):
    case("repeat", [X], {"repeats": n}, np.repeat(X, n))
    case("repeat", [X], {"repeats": n, "axis": 0}, np.repeat(X, n, 0), grad=n == 3)
    case("repeat", [S], {"repeats": n, "axis": 1}, np.repeat(S, n, 1))
case("repeat", [X], {"repeats": [2, 0, 1], "axis": 1}, np.repeat(X, [2, 0, 1], 1), grad=True)
case("repeat", [V], {"repeats": [0, 3, 2]}, np.repeat(V, [0, 3, 2]))
case("repeat", [V], {"repeats": [0, 0, 0]}, np.repeat(V, [0, 0, 0]))
case("repeat", [V], {"repeats": [1, 2]}, error="shape")
case("repeat", [V], {"repeats": 1 << 40}, error="too_large")
for reps in ([2], [2, 1], [1, 3], [2, 1, 2], [0], [3, 2]):
    case("tile", [X], {"reps": reps}, np.tile(X, reps), grad=reps == [3, 2])
case("tile", [Z], {"reps": [2, 2]}, np.tile(Z, (2, 2)))
case("tile", [N], {"reps": 2}, np.tile(N, 2))
case("tile", [V], {"reps": [1 << 20, 1 << 20]}, error="too_large")

for axis in (0, 1, -1):
    case("concat", [X, Y], {"axis": axis}, np.concat([X, Y], axis), grad=axis == 0)
    case("stack", [X, Y], {"axis": axis}, np.stack([X, Y], axis))
case("concatenate", [X, V, Z], {"flat": True}, np.concatenate([X, V, Z], None))
case("concatenate", [X, Y], {}, np.concatenate([X, Y]))
case("concatenate", [X, E], {}, np.concatenate([X, E]))
case("concatenate", [V, N[0]], {}, np.concatenate([V, N[0]]).astype(F))
case("concatenate", [X, S], {}, error="shape")
case("concatenate", [], {}, error="argument")
for name, f in [("hstack", np.hstack), ("vstack", np.vstack), ("dstack", np.dstack), ("column_stack", np.column_stack)]:
    case(name, [V, V * 2], {}, f([V, V * 2]))
    case(name, [X, Y], {}, f([X, Y]), grad=True)
    case(name, [Z, Z], {}, f([Z, Z]))
case("hstack", [S, S], {}, np.hstack([S, S]))
case("vstack", [X, V], {}, np.vstack([X, V]))
case("vstack", [X, V[:2]], {}, error="shape")
case("column_stack", [X, V[:2]], {}, np.column_stack([X, V[:2]]))
case("block", [X, Y, V], {"rows": [2, 1]}, error="shape")
case("block", [X, Y, Y, X], {"rows": [2, 2]}, np.block([[X, Y], [Y, X]]), grad=True)
case("block", [X, V], {"rows": [1, 1]}, np.block([[X], [V]]))
case("block", [X, V], {"rows": [1, 2]}, error="argument")
case("block", [Z, V[:2], V], {"rows": [2, 1]}, np.block([[Z, V[:2]], [V]]))
case("append", [X, V], {}, np.append(X, V))
case("append", [X, Y], {"axis": 1}, np.append(X, Y, 1))
case("append", [N, 4], {}, np.append(N, I(4)))
case("append", [X, V], {"axis": 0}, error="shape")

for position, values, axis in [(1, V[:2], 1), (0, V, 0), (-1, F(5), 1), (2, F(7), None), (6, V, None), (1, X[:, :2].T, 1), (2, X, 0)]:
    attrs = {"position": position} | ({} if axis is None else {"axis": axis})
    case("insert", [X, values], attrs, np.insert(X, position, values, axis), grad=position == 1)
case("insert", [N, 9], {"position": 1, "axis": 1}, np.insert(N, 1, 9, 1))
case("insert", [X, V[:2]], {"positions": [2, 0]}, np.insert(X, [2, 0], V[:2]))
case("insert", [X, V], {"positions": [1, 1, 6]}, np.insert(X, [1, 1, 6], V))
case("insert", [X, Y[:, :2]], {"positions": [3, -2], "axis": 1}, np.insert(X, [3, -2], Y[:, :2], 1), grad=True)
case("insert", [X, 3], {"positions": [0, 2], "axis": 0}, np.insert(X, [0, 2], 3, 0))
case("insert", [X, 3], {"position": 7}, error="shape")
for positions, axis in [([1], 1), ([0], 0), ([-1, 0], 1), ([1, 1, 4], None), ([], 1), ([0, 1, 2], 1), ([0, 1], 0)]:
    attrs = {"positions": positions} | ({} if axis is None else {"axis": axis})
    case("delete", [X], attrs, np.delete(X, np.array(positions, int), axis), grad=positions == [1])
L = np.arange(30, dtype=I)
case("delete", [L], {"positions": list(range(0, 30, 3))}, np.delete(L, list(range(0, 30, 3))))
case("delete", [L], {"start": 25, "step": -3}, np.delete(L, slice(25, None, -3)))
case("delete", [X], {"start": 1, "axis": 1}, np.delete(X, slice(1, None), 1))
case("delete", [X], {"positions": [3], "axis": 1}, error="shape")
case("delete", [X], {"start": 0, "step": 0}, error="argument")

for n in (1, 2, 3, 4, 12):
    case("array_split", [L[:7]], {"sections": n}, np.array_split(L[:7], n))
case("split", [S], {"sections": 3, "axis": 1}, np.split(S, 3, 1), grad=True)
case("split", [L[:8]], {"indices": [3, 5, 6, 10]}, np.split(L[:8], [3, 5, 6, 10]))
case("split", [L[:8]], {"indices": [5, 2, -1]}, np.split(L[:8], [5, 2, -1]))
case("split", [L[:8]], {"sections": 3}, error="shape")
case("split", [L[:8]], {"sections": 0}, error="shape")
case("array_split", [L[:8]], {"sections": 0}, error="argument")
case("hsplit", [V], {"sections": 3}, np.hsplit(V, 3))
case("hsplit", [X], {"indices": [1]}, np.hsplit(X, [1]))
case("vsplit", [X], {"sections": 2}, np.vsplit(X, 2))
case("dsplit", [S], {"sections": 2}, np.dsplit(S, 2))
case("vsplit", [V], {"sections": 3}, error="shape")
case("dsplit", [X], {"sections": 2}, error="shape")
for axis in (0, 1, -1):
    case("unstack", [S], {"axis": axis}, list(np.unstack(S, axis=axis)), grad=axis == 1)
case("unstack", [Z], {}, error="shape")

P = np.array([0, 0, 1, 0, 2, 0], I)
for trim in ("fb", "f", "b"):
    case("trim_zeros", [P], {"trim": trim}, np.trim_zeros(P, trim))
case("trim_zeros", [P * 0], {}, np.trim_zeros(P * 0))
case("trim_zeros", [np.array([np.nan, 0], F)], {}, np.array([np.nan], F))
case("trim_zeros", [np.pad(N, 1)], {}, np.trim_zeros(np.pad(N, 1)))

for mode in ("edge", "reflect", "symmetric", "wrap", "maximum", "minimum", "mean", "median", "linear_ramp", "constant"):
    for widths in ([1], [2, 1], [1, 0, 2, 3], [0]):
        pairs = widths[0] if len(widths) == 1 else np.array(widths).reshape(-1, 2)
        pairs = [tuple(pair) for pair in pairs] if len(widths) > 1 else pairs
        case("pad", [X], {"widths": widths, "mode": mode}, np.pad(X, pairs, mode), grad=widths == [2, 1])
        if widths == [2, 1]:
            case("pad", [N], {"widths": widths, "mode": mode}, np.pad(N, pairs, mode))
for mode in ("reflect", "symmetric"):
    for x in (V, N[1], V[:1], V[:2]):
        for parity in ("even", "odd"):
            case("pad", [x], {"widths": [7, 5], "mode": mode, "parity": parity}, np.pad(x, (7, 5), mode, reflect_type=parity), grad=x is V)
case("pad", [V], {"widths": [7, 5], "mode": "wrap"}, np.pad(V, (7, 5), "wrap"))
R = np.array([3, 1, 4, 1, 5, 9, 2, 6], I)
for mode in ("maximum", "minimum", "mean", "median"):
    for length in (1, 2, 3, 20):
        case("pad", [R], {"widths": [1, 2], "mode": mode, "stat_length": length}, np.pad(R, (1, 2), mode, stat_length=length))
case("pad", [V, 7], {"widths": 2}, np.pad(V, 2, constant_values=7))
case("pad", [X, np.array([[1, 2], [3, 4]], F)], {"widths": 1}, np.pad(X, 1, constant_values=((1, 2), (3, 4))), grad=True)
case("pad", [N, np.array([8, 9], I)], {"widths": [1, 2]}, np.pad(N, (1, 2), constant_values=(8, 9)))
case("pad", [X, np.array([[1, 2], [3, 4]], F)], {"widths": 2, "mode": "linear_ramp"}, np.pad(X, 2, "linear_ramp", end_values=((1, 2), (3, 4))))
case("pad", [N, 9], {"widths": 3, "mode": "linear_ramp"}, np.pad(N, 3, "linear_ramp", end_values=9))
case("pad", [E], {"widths": [1, 1, 0, 0], "mode": "constant"}, np.pad(E, ((1, 1), (0, 0))))
case("pad", [X], {"widths": [1], "mode": "empty"}, np.pad(X, 1))
case("pad", [X], {"widths": [1, 1]}, np.pad(X.T, 1), views=T)
case("pad", [E], {"widths": [1, 1], "mode": "edge"}, error="shape")
case("pad", [X], {"widths": [1, 1, 1]}, error="argument")
case("pad", [X], {"widths": [1, 1, 1, 1, 1, 1]}, error="shape")
case("pad", [X], {"widths": 1, "mode": "mirror"}, error="argument")

write(__file__)
