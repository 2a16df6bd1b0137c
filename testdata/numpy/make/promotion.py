"""What types become when they meet, and which cast safely: NumPy's tables as plain text, for crates/tilework/tests/types.rs."""

import pathlib

import numpy as np

NAMES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64", "complex64", "complex128"]
lines = ["# a b result_type(a, b) can_cast(a, b)"]
for a in NAMES:
    for b in NAMES:
        lines.append(f"{a} {b} {np.result_type(a, b)} {'yes' if np.can_cast(a, b) else 'no'}")
lines.append("# floats: name bits eps max smallest_normal resolution")
for name in ("float16", "float32", "float64"):
    info = np.finfo(name)
    lines.append(f"finfo {name} {info.bits} {float(info.eps)!r} {float(info.max)!r} {float(info.smallest_normal)!r} {float(info.resolution)!r}")
lines.append("# integers: name bits min max")
for name in NAMES[1:9]:
    info = np.iinfo(name)
    lines.append(f"iinfo {name} {info.bits} {info.min} {info.max}")
(pathlib.Path(__file__).resolve().parent.parent / "promotion.txt").write_text("\n".join(lines) + "\n")
