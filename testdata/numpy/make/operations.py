"""Operations that are no functions of the library: reductions, running results, sorts, as NumPy has them."""

import numpy as np
from golden import case, write

rng = np.random.default_rng(1)
X = rng.normal(size=(2, 3, 4)).astype(np.float32)

for axes in ([0], [1], [2], [-1], [0, 2], []):
    axis = tuple(axes) if axes else None
    for name, f in [("sum", np.sum), ("prod", np.prod), ("min", np.min), ("max", np.max), ("mean", np.mean), ("var", np.var), ("std", np.std)]:
        case(name, [X], {"axes": axes}, f(X, axis=axis), grad=name not in ("min", "max"), tolerance=1e-5)
        case(name, [X], {"axes": axes, "keep_axes": True}, f(X, axis=axis, keepdims=True), tolerance=1e-5)
    for name, f in [("any", np.any), ("all", np.all)]:
        case(name, [X > 1], {"axes": axes}, f(X > 1, axis=axis))
for name, f in [("cumsum", np.cumsum), ("cumprod", np.cumprod)]:
    for axis in (0, 1, -1):
        case(name, [X], {"axis": axis}, f(X, axis=axis), grad=True, tolerance=1e-5)
for axis in (0, 1, 2):
    case("sort", [X], {"axis": axis}, np.sort(X, axis=axis), grad=True)

write(__file__)
