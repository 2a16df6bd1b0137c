"""Windows for spectra."""

import numpy as np
from golden import case, write

for name in ("bartlett", "blackman", "hamming", "hanning"):
    for n in (0, 1, 2, 3, 8, 13):
        case(name, [], {"n": n}, getattr(np, name)(n).astype(np.float32))
for n in (0, 1, 2, 7, 12):
    for beta in (0, 5, 14, 0.5):
        case("kaiser", [], {"n": n, "beta": beta}, np.kaiser(n, beta).astype(np.float32))
case("hamming", [], {"n": -1}, error="argument")
case("kaiser", [], {"n": 3}, error="argument")

write(__file__)
