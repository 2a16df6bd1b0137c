"""Small files that NumPy writes, for crates/tilework/tests/io.rs: `python3 make/files.py` from `testdata/numpy`."""

import pathlib

import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "files"
FOLDER.mkdir(exist_ok=True)
X = np.arange(6).reshape(2, 3)

for dtype in ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"]:
    np.save(FOLDER / f"{np.dtype(dtype).name}.npy", X.astype(dtype))
for dtype in ["i2", "u4", "f4", "f8"]:
    np.save(FOLDER / f"big_{np.dtype(dtype).name}.npy", X.astype(">" + dtype))
np.save(FOLDER / "fortran.npy", np.asfortranarray(np.arange(24, dtype=np.float32).reshape(2, 3, 4)))
np.save(FOLDER / "scalar.npy", np.float32(1.5))
np.save(FOLDER / "empty.npy", np.zeros((0, 3), np.float32))
np.save(FOLDER / "special.npy", np.array([np.nan, np.inf, -np.inf, -0.0], np.float32))
for version in [(2, 0), (3, 0)]:
    with open(FOLDER / f"version{version[0]}.npy", "wb") as file:
        np.lib.format.write_array(file, X.astype(np.float32), version=version)
for name, save in [("stored", np.savez), ("deflated", np.savez_compressed)]:
    save(FOLDER / f"{name}.npz", a=X.astype(np.float32), b=np.array([True, False]), c=np.zeros(300, np.int32))
np.savetxt(FOLDER / "plain.txt", np.array([[1, -2.5], [np.nan, 1e-30]]), header="two columns")
np.savetxt(FOLDER / "comma.csv", X, fmt="%.2f", delimiter=",")
(FOLDER / "holes.csv").write_text("a, b, c\n1,,3\n# none\n\n4,N/A,6 # six\n")
