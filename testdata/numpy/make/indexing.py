"""Indexing: reading and assigning through every kind of index, and the functions that pick and replace elements."""

import re

import numpy as np
from golden import case, write

F, I = np.float32, np.int32
rng = np.random.default_rng(3)
X = rng.normal(size=(3, 4)).astype(F).round(2)
S = rng.normal(size=(2, 3, 4)).astype(F).round(2)
N = np.arange(24, dtype=I).reshape(2, 3, 4)
V = np.array([1.5, -2, 0, 4, 0.5], F)
B = np.array([True, False, True])
E = np.zeros((0, 3), F)
T = {0: [["permute", {"order": [1, 0]}]]}
R = np.array([2, 0, -1, 2], I)
C = np.array([[0], [1]], I)
M = X > 0


def python(index, inputs):
    """The index as Python makes it of the text."""
    return eval("np.s_[" + re.sub(r"@(\d+)", r"inputs[\1]", index) + "]", {"np": np, "inputs": inputs})


def get(x, index, arrays=(), call="get", **more):
    inputs = [x, *arrays]
    case(call, inputs, {"index": index}, x[python(index, inputs)], **more)


# Numbers, ranges, new axes, the ellipsis.
for index in ["1", "-1", "1, 2", ":", "...", "1:", ":, 1:3", "::2, ::-1", "None, 1", "..., None", "..., -1", "1, ...", "None, :, None, 2", "5:, 1", "-2:, :-1", "::-2, 3:0:-1", "2:1"]:
    get(X, index, grad=index in ("::2, ::-1", "None, 1"))
for index in ["1, ..., 2", "..., 2", ":, 1", "0, 1, 2", "None, ..., None, 0, ::2", "1, :, ::-1"]:
    get(S, index)
case("get", [X], {"index": "1:, ::2"}, X.T[1:, ::2], views=T)
get(E, "..., 1")
case("get", [V], {"index": ""}, V)
# Positions.
for index, arrays in [
    ("@1", [R]), ("@1", [C]), (":, @1", [R]), ("..., @1", [C]), ("@1, 1", [R]), ("1, @1", [R]), ("@1, 1:3", [R]), ("@1, @2", [R, R]), ("@1, @2", [R, C]),
    ("@1, None, @2", [R, R]), ("None, @1", [R]), ("@1", [I(1)]), ("@1", [R[:0]]), ("@1, ::2", [C]), ("::-1, @1", [C]),
]:
    get(X, index, arrays, grad=index in ("@1, @2", "@1, None, @2"))
Q = np.array([0, 1, 1], I)
for index, arrays in [
    ("@1, :, @2", [Q, R[:3]]), ("0, :, @1", [R]), (":, 1, @1", [R]), (":, @1, @2", [R[:1], R]), (":, @1, 1", [C]), ("@1, @2", [Q, R[:3]]), ("@1, ..., 0", [C]),
    (":, @1, None, @2", [Q, Q]), ("@1, @1, @1", [Q]), ("1, @1", [C]), ("..., @1, 1:", [C]),
]:
    get(S, index, arrays, grad=index in ("@1, :, @2", ":, @1, @2"))
    get(N, index, arrays)
case("get", [X, np.array([7, -9], I)], {"index": "@1"}, X[[2, 0]])
# Masks.
for index, arrays in [("@1", [M]), ("@1", [B]), ("@1, 1", [B]), ("@1, ::2", [B]), (":, @1", [X[0] > 0]), ("@1, @2", [B, np.array([0, 1], I)]), ("@1", [M & False]), ("1, @1", [X[1] < 0]), ("@1", [R])]:
    get(X, index, arrays, call="get_later", grad=index == "@1, ::2")
for index, arrays in [(":, @1", [S[0] > 0]), ("@1", [S[..., 0] > 0]), ("@1, @2", [np.array([True, False]), B]) , ("0, @1", [B]), ("@1, :, @2", [np.array([True, True]), Q[:2]])]:
    try:
        get(S, index, arrays, call="get_later")
    except IndexError:
        case("get_later", [S, *arrays], {"index": index}, error="shape")
# Mistakes.
for index, arrays, kind in [
    ("3", [], "shape"), ("-4", [], "shape"), ("0, 0, 0", [], "shape"), ("..., ...", [], "argument"), ("::0", [], "argument"), ("@1", [], "argument"), ("@0", [], "argument"), ("x", [], "argument"),
    ("1:2:3:4", [], "argument"), (",", [], "argument"), ("@1", [V], "dtype"), ("@1, @2", [R, R[:3]], "shape"), ("@1", [M], "argument"), ("@1", [B[:2]], "shape"), ("99999999999999999999", [], "argument"),
    ("None, " * 8 + "0", [], "shape"),
]:
    case("get", [X, *arrays], {"index": index}, error=kind)
case("get", [E, R], {"index": "@1"}, error="shape")
case("get", [X], {}, error="argument")


def assign(x, index, arrays, values, call="set", **more):
    inputs = [x, *arrays, values]
    y = x.copy()
    if call == "set":
        y[python(index, inputs)] = values
    else:
        np.add.at(y, python(index, inputs), values)
    case(call, inputs, {"index": index}, y, **more)


for call in ("set", "add_at"):
    for index, arrays, values in [
        ("1", [], V[:4]), ("1, 2", [], 7.0), ("::2, 1", [], V[:2]), (":, None, ::2", [], V[:2]), ("...", [], 2.5), ("..., -1", [], V[:3]), ("::-1", [], V[:4]), ("1:1", [], 3.0),
        ("@1", [np.array([2, 0], I)], V[:4]), ("@1, @2", [R[:3], R[:3]], V[:3]), (":, @1", [np.array([3, 1], I)], V[:2]), ("@1", [R[:0]], 1.0), ("@1, 0", [R[:2]], V[:2]),
        ("@1, ::3", [np.array([1], I)], V[:2]),
    ]:
        assign(X, index, arrays, values, call, grad=isinstance(values, np.ndarray) and index in ("1", "::2, 1", "@1, @2", ":, @1"))
    for index, arrays, values in [("@1", [M], 9.0), ("@1", [M], V[:1]), ("@1", [B], V[:4]), ("@1, 1", [B], 3.0), ("@1, ::2", [B], V[:2]), (":, @1", [X[0] > 0], -1.0), ("1, @1", [X[1] > 0], 5.0), ("@1", [B], np.array([[1], [2]], F))]:
        assign(X, index, arrays, values, call, grad=isinstance(values, np.ndarray) and index == "@1" and arrays[0] is B)
    k = int(M.sum())
    assign(X, "@1", [M], np.arange(k, dtype=F), call)
    assign(S, ":, @1", [S[0] > 0], np.arange((S[0] > 0).sum(), dtype=F), call)
    assign(S, ":, @1", [S[0] > 0], 2.0, call)
    assign(N, "@1, :, @2", [np.array([0, 1], I), np.array([1, 3], I)], np.array([5, 6, 7], I), call)
    assign(N, "1, 1:", [], np.array([[5], [6]], I), call)
    case(call, [X, V], {"index": "1"}, error="shape")
    case(call, [X, 1], {"index": "3"}, error="shape")
assign(X, "@1", [np.array([1, 1, 1], I)], V[:3].reshape(3, 1), "add_at", grad=True)
assign(N, "@1, 0", [np.array([1, 0, 1], I)], I(3), "add_at")
assign(N, "@1, @2, 0", [np.array([1, 0, 1], I), np.array([2, 0, 2], I)], np.array([1, 2, 3], I), "add_at")
assign(X, "@1", [np.array([1, 1], I)], V[:2].reshape(2, 1))
case("set", [N, 7], {"index": "0, 0, 0"}, np.where(np.arange(24).reshape(N.shape) == 0, 7, N).astype(I))
case("set", [X, B, R, 1], {"index": "@1, @2"}, error="argument")

assign(X, "1", [], V[:4].reshape(1, 4))

# Picking.
for axis in (0, 1, -1):
    case("take", [X, R], {"axis": axis}, np.take(X, R, axis), grad=axis == 1)
    case("take", [X, C], {"axis": axis}, np.take(X, C, axis))
O = np.array([-5, 3, 17, 1], I)
case("take", [X, R], {}, np.take(X, R))
for mode in ("clip", "wrap"):
    case("take", [X, O], {"mode": mode}, np.take(X, O, mode=mode))
    case("take", [X, O], {"mode": mode, "axis": 1}, np.take(X, O, 1, mode=mode))
case("take", [X, 2], {"axis": 0}, np.take(X, 2, 0))
case("take", [X, O], {"axis": 0}, X[[0, 2, 2, 1]])
case("take", [X, V], {"axis": 0}, error="dtype")
case("take", [X, R], {"axis": 2}, error="shape")
case("take", [E, R], {"axis": 0}, error="shape")
for axis in (0, 1):
    order = np.argsort(X, axis).astype(I)
    case("take_along_axis", [X, order], {"axis": axis}, np.take_along_axis(X, order, axis), grad=axis == 0)
case("take_along_axis", [X, R], {}, np.take_along_axis(X, R, None))
case("take_along_axis", [X, C[:, :1] * 0 + 1], {"axis": 0}, np.take_along_axis(X, np.ones((2, 1), int), 0))
case("take_along_axis", [X, R], {"axis": 0}, error="shape")
case("take_along_axis", [X, np.zeros((2, 2), I)], {"axis": 1}, error="shape")


def changed(f, x, *args, **kwargs):
    y = x.copy()
    f(y, *args, **kwargs)
    return y


case("put", [X, R, V[:2]], {}, changed(np.put, X, R, V[:2]), grad=True)
case("put", [X, R, -1], {}, changed(np.put, X, R, -1))
for mode in ("clip", "wrap"):
    case("put", [X, O, V], {"mode": mode}, changed(np.put, X, O, V, mode=mode))
case("put", [X, R, V[:0]], {}, X)
case("put", [E, R, V], {}, error="shape")
top = np.argmax(X, 1, keepdims=True).astype(I)
case("put_along_axis", [X, top, -9], {"axis": 1}, changed(np.put_along_axis, X, top, -9, 1))
case("put_along_axis", [X, R[:2], V[:2]], {}, changed(np.put_along_axis, X, R[:2], V[:2], None))
case("put_along_axis", [X, np.array([[1, 0, 2, 1]], I), V[:4]], {"axis": 0}, changed(np.put_along_axis, X, np.array([[1, 0, 2, 1]]), V[:4], 0), grad=True)
case("put_along_axis", [X, R, 1], {"axis": 0}, error="shape")
for name, f in [("place", np.place), ("putmask", np.putmask)]:
    case(name, [X, M, V[:3]], {}, changed(f, X, M, V[:3]), grad=True)
    case(name, [X, M, 5], {}, changed(f, X, M, 5))
    case(name, [N[0], N[0] % 2 == 0, np.array([7, 8], I)], {}, changed(f, N[0], N[0] % 2 == 0, np.array([7, 8], I)))
    case(name, [X, B, V], {}, error="shape")
case("compress", [X, B], {"axis": 0}, np.compress(B, X, 0), grad=True)
case("compress", [X, B], {}, np.compress(B, X))
case("compress", [X, B[:2]], {"axis": 1}, np.compress(B[:2], X, 1))
case("compress", [X, np.ones(5, bool)], {"axis": 1}, error="shape")
case("extract", [X, M], {}, np.extract(M, X))
case("extract", [X, M.astype(I)], {}, np.extract(M, X))
K = np.array([[0, 1, 2], [2, 1, 0]], I)
case("choose", [K, V[:3], F(10), V[2:]], {}, np.choose(K, [V[:3], F(10), V[2:]]), grad=True)
for mode in ("clip", "wrap"):
    case("choose", [O, V[:4], V[1:]], {"mode": mode}, np.choose(O, [V[:4], V[1:]], mode=mode))
case("choose", [K], {}, error="argument")
case("choose", [V, V, V], {}, error="dtype")
case("select_first", [X > 1, X, X > 0, -X, 5], {}, np.select([X > 1, X > 0], [X, -X], F(5)), grad=True)
case("select_first", [X > 1, X, X > 0, -X], {}, np.select([X > 1, X > 0], [X, -X]))
case("select_first", [B, N[0, :, :1], 0.5], {}, np.select([B], [N[0, :, :1].astype(F)], 0.5).astype(F))
case("piecewise", [X, X < 0, -1, X >= 0, X], {}, np.piecewise(X, [X < 0, X >= 0], [-1, lambda x: x]).astype(F))
case("piecewise", [X, X < 0, -1, 3], {}, np.piecewise(X, [X < 0], [-1, 3]).astype(F))
case("piecewise", [X, X < 1, 1, X < 0, 2], {}, np.piecewise(X, [X < 1, X < 0], [1, 2]).astype(F))
case("where", [M, X, 0], {}, np.where(M, X, F(0)), grad=True)
case("where", [X, N[0], -N[0]], {}, np.where(X, N[0], -N[0]))
case("where", [B[:, None], X, V[:4]], {}, np.where(B[:, None], X, V[:4]))
case("where", [B, X, V], {}, error="shape")
for x in (V, M, N, X, E, V * 0, np.array([np.nan, -0.0, np.inf], F)):
    case("nonzero", [x], {}, [p.astype(I) for p in np.nonzero(x)])
    case("argwhere", [x], {}, np.argwhere(x).astype(I))
    case("flatnonzero", [x], {}, np.flatnonzero(x).astype(I))
    case("count_nonzero", [x], {}, I(np.count_nonzero(x)))
case("nonzero", [F(1)], {}, error="shape")
case("count_nonzero", [N], {"axes": [0, 2], "keep_axes": True}, np.count_nonzero(N, (0, 2), keepdims=True).astype(I))
case("count_nonzero", [M], {"axes": [1]}, np.count_nonzero(M, 1).astype(I))
case("ravel_multi_index", [K, K[::-1]], {"shape": [3, 4]}, np.ravel_multi_index((K, K[::-1]), (3, 4)).astype(I))
for mode in ("clip", "wrap"):
    case("ravel_multi_index", [O, O], {"shape": [3, 4], "mode": mode}, np.ravel_multi_index((O, O), (3, 4), mode=mode).astype(I))
case("ravel_multi_index", [K], {"shape": [3, 4]}, error="shape")
case("unravel_index", [K + 7], {"shape": [2, 3, 4]}, [p.astype(I) for p in np.unravel_index(K + 7, (2, 3, 4))])
case("unravel_index", [11], {"shape": [3, 4]}, [I(2), I(3)])
case("unravel_index", [V], {"shape": [3, 4]}, error="dtype")

write(__file__)
