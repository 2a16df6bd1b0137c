"""Element types: arithmetic, promotion, conversion, reductions and sorting in every one of them.

Where Tilework means something else on purpose (an integer that meets a 32-bit float stays with 32 bits; sums of small integers have 32),
the expectation is NumPy's result converted to that type.
"""

import itertools

import numpy as np
from golden import case, write

WHOLE = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
FLOATS = [np.float16, np.float32, np.float64]


def values(dtype, offset=0):
    """Small numbers and the ends of the range."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return np.array([True, False, True, True, False, True])
    if dtype.kind == "f":
        return np.array([0, 1.5, -2, 7, -0.25, 3 + offset], dtype)
    info = np.iinfo(dtype)
    return np.array([info.min, info.max, 1 + offset, 7, 100, 3], dtype)


def promoted(a, b):
    """The type both become here."""
    common = np.result_type(a, b)
    kinds = {np.dtype(a).kind, np.dtype(b).kind}
    if "f" in kinds and kinds & set("iu"):
        flt = np.dtype(a) if np.dtype(a).kind == "f" else np.dtype(b)
        whole = np.dtype(b) if np.dtype(a).kind == "f" else np.dtype(a)
        if flt == np.float32:
            return np.dtype(np.float32)
        if flt == np.float16:
            return np.dtype(np.float16 if whole.itemsize == 1 else np.float32)
    return common


with np.errstate(all="ignore"):
    for dtype in WHOLE:
        a, b = values(dtype), values(dtype, 2)[::-1].copy()
        for name, f in [("add", np.add), ("sub", np.subtract), ("mul", np.multiply), ("floor_div", np.floor_divide), ("rem", np.remainder),
                        ("minimum", np.minimum), ("maximum", np.maximum), ("bit_and", np.bitwise_and), ("bit_or", np.bitwise_or), ("bit_xor", np.bitwise_xor)]:
            case(name, [a, b], {}, f(a, b))
        for name, f in [("neg", np.negative), ("abs", np.abs), ("sign", np.sign), ("bit_not", np.bitwise_not)]:
            case(name, [a], {}, f(a))
        for name, f in [("lt", np.less), ("eq", np.equal), ("ge", np.greater_equal)]:
            case(name, [a, b], {}, f(a, b))
        for by in (0, 1, 5, 40, 70):
            bits = np.full(6, by if by < np.iinfo(dtype).max else 5, dtype)
            case("shift_left", [a, bits], {}, np.left_shift(a, bits))
            case("shift_right", [a, bits], {}, np.right_shift(a, bits))
        # Chains that are one kernel must wrap in between.
        wide = np.result_type(dtype, np.int32) if np.dtype(dtype).kind == "i" else (np.uint64 if dtype == np.uint64 else np.uint32)
        case("sum", [a], {}, np.sum(a, dtype=wide))
        case("prod", [a[2:]], {}, np.prod(a[2:], dtype=wide))
        case("cumsum", [a], {"axis": 0}, np.cumsum(a, dtype=wide))
        case("min", [a], {}, a.min())
        case("max", [a], {}, a.max())
        case("mean", [a[2:]], {}, np.float32(a[2:].astype(np.float64).mean()))
        case("sort", [a], {"axis": 0}, np.sort(a))
        case("argsort", [a], {"axis": 0}, np.argsort(a, stable=True).astype(np.int32))
        case("argmax", [a], {"axis": 0}, np.int32(np.argmax(a)))
        case("argmin", [a], {"axis": 0}, np.int32(np.argmin(a)))
        case("take", [a, np.array([5, 0, -1], np.int32)], {"axis": 0}, a[[5, 0, -1]])
        case("concat", [a, b], {"axis": 0}, np.concatenate([a, b]))
        case("slice", [a], {"axis": 0, "start": 4, "step": -2}, a[4::-2])
        case("matmul", [a.reshape(2, 3), b.reshape(3, 2)], {}, a.reshape(2, 3) @ b.reshape(3, 2))
        case("select", [a > 5, a, b], {}, np.where(a > 5, a, b))
    for a, b in itertools.combinations([np.bool_, *WHOLE, *FLOATS], 2):
        x, y = values(a)[2:], values(b)[2:]
        common = promoted(a, b)
        case("add", [x, y], {}, x.astype(common) + y.astype(common))
        case("mul", [x[:, None], y], {}, x.astype(common)[:, None] * y.astype(common))
    for a, b in itertools.permutations([np.bool_, *WHOLE, *FLOATS], 2):
        x = values(a)
        if np.dtype(a).kind == "f" and np.dtype(b).kind in "iu":
            # Floats go to the nearest end of the range.
            info = np.iinfo(b)
            y = np.array([min(max(int(v), info.min), info.max) for v in x], b)
        else:
            y = x.astype(b)
        case("cast", [x], {"dtype": np.dtype(b).name}, y)

write(__file__)
