"""How golden cases are written. Each script beside this one makes one file of cases: `python3 make/<group>.py` from `testdata/numpy`.

A script collects cases with `case(name, inputs, attrs, outputs, ...)`, where inputs and outputs are NumPy arrays or numbers, and calls
`write(__file__)` at its end. What the fields mean stands in crates/tilework/tests/numpy/golden.rs.
"""

import json
import math
import pathlib

import numpy as np

CASES = []


def number(x):
    """A number as JSON has it."""
    x = x.item() if isinstance(x, np.generic) else x
    if isinstance(x, bool) or isinstance(x, int):
        return x
    if math.isnan(x):
        return "nan"
    if math.isinf(x):
        return "inf" if x > 0 else "-inf"
    if x == 0 and math.copysign(1, x) < 0:
        return "-0"
    # Nine digits are a float32, and doubles are rounded where they are made.
    return int(x) if x == int(x) and abs(x) < 2**53 else float(repr(x))


def array(x, views=None):
    """An array as a case has it. Complex numbers are pairs, real part first."""
    x = np.asarray(x)
    flat = x.ravel()
    if np.iscomplexobj(flat):
        flat = np.stack([flat.real, flat.imag], -1).ravel()
    if flat.dtype == np.float32:
        # The shortest decimal that is this float32.
        data = [number(v) if not np.isfinite(v) or v == 0 else number(float(np.format_float_positional(v, unique=True, trim="0"))) for v in flat]
    else:
        data = [number(v) for v in flat]
    entry = {"dtype": str(x.dtype), "shape": list(x.shape), "data": data}
    if views:
        entry["views"] = views
    return entry


def entry(x, views=None):
    """An input or output: arrays as they are, Python numbers as numbers."""
    return number(x) if isinstance(x, (bool, int, float)) else array(x, views)


def case(call, inputs, attrs=None, outputs=None, **more):
    """Adds a case; `views` among `more` maps an input's position to the calls that are applied to it first."""
    views = more.pop("views", {})
    one = {"call": call, "inputs": [entry(x, views.get(k)) for k, x in enumerate(inputs)], "attrs": attrs or {}}
    if outputs is not None:
        outputs = outputs if isinstance(outputs, (list, tuple)) else [outputs]
        one["outputs"] = [array(y) for y in outputs]
    one.update(more)
    CASES.append(one)


def write(script):
    """Writes the cases to the file of the script's name, one a line."""
    target = pathlib.Path(script).resolve().parent.parent / (pathlib.Path(script).stem + ".json")
    lines = ",\n".join(json.dumps(one, separators=(",", ":")) for one in CASES)
    target.write_text("[\n" + lines + "\n]\n")
    print(f"{target.name}: {len(CASES)} cases, {target.stat().st_size} bytes")
