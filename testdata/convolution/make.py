"""Writes cases.json: convolutions and poolings as SciPy and NumPy compute them. Run with NumPy 2 and SciPy: python make.py

Every plane of a convolution is scipy.signal.correlate of the padded input with the dilated kernel, taken at every stride-th
position; a transposed convolution is scipy.signal.convolve of the spread input with the dilated kernel, cut. Gradients are
PyTorch-free too: that of the input is the transposed convolution, that of the weights is a correlation with the spread adjoint.
"""
import json
import pathlib

import numpy as np
from scipy.signal import convolve, correlate

rng = np.random.default_rng(7)


def spread(kernel, steps):
    """Zeros between the elements, steps - 1 of them along each axis."""
    sizes = [(n - 1) * step + 1 for n, step in zip(kernel.shape, steps)]
    out = np.zeros(sizes)
    out[tuple(slice(None, None, step) for step in steps)] = kernel
    return out


def pad(plane, padding):
    return np.pad(plane, list(zip(padding[::2], padding[1::2])))


def conv(x, w, stride, padding, dilation, groups):
    per_group, rows = w.shape[1], w.shape[0] // groups

    def plane(n, o):
        total = 0
        for c in range(per_group):
            source = pad(x[n, o // rows * per_group + c], padding)
            total = total + correlate(source, spread(w[o, c], dilation), mode="valid", method="direct")
        return total[tuple(slice(None, None, s) for s in stride)]

    return np.array([[plane(n, o) for o in range(w.shape[0])] for n in range(x.shape[0])])


def conv_transpose(x, w, stride, padding, dilation, groups, extra):
    rows, channels = w.shape[1], w.shape[0] // groups

    def plane(n, o):
        total = 0
        for c in range(o // rows * channels, (o // rows + 1) * channels):
            full = convolve(spread(x[n, c], stride), spread(w[c, o % rows], dilation), mode="full", method="direct")
            total = total + np.pad(full, [(0, e) for e in extra])
        ends = [size - high for size, high in zip(total.shape, padding[1::2])]
        return total[tuple(slice(low, end) for low, end in zip(padding[::2], ends))]

    return np.array([[plane(n, o) for o in range(rows * groups)] for n in range(x.shape[0])])


def weight_gradient(x, d, kernel, stride, padding, dilation, groups):
    per_group, rows = x.shape[1] // groups, d.shape[1] // groups
    out = np.zeros((d.shape[1], per_group, *kernel))
    for o in range(d.shape[1]):
        for c in range(per_group):
            for n in range(x.shape[0]):
                source = pad(x[n, o // rows * per_group + c], padding)
                taps = correlate(source, spread(d[n, o], stride), mode="valid", method="direct")
                taps = taps[tuple(slice(None, None, step) for step in dilation)]
                out[o, c] += taps[tuple(slice(0, k) for k in kernel)]
    return out


def pool(x, kernel, stride, padding, dilation):
    """Maximum and means (without and with padding) by sliding windows."""
    widths = [(0, 0), (0, 0), *zip(padding[::2], padding[1::2])]
    axes = tuple(range(2, x.ndim))
    sizes = [(k - 1) * step + 1 for k, step in zip(kernel, dilation)]

    def windows(fill):
        padded = np.pad(x, widths, constant_values=fill)
        view = np.lib.stride_tricks.sliding_window_view(padded, sizes, axis=axes)
        at = [slice(None)] * 2 + [slice(None, None, s) for s in stride] + [slice(None, None, step) for step in dilation]
        return view[tuple(at)]

    taps = tuple(range(-len(kernel), 0))
    return windows(-np.inf).max(taps), np.nanmean(windows(np.nan), taps), windows(0).mean(taps)


def entry(array):
    return {"shape": list(array.shape), "data": [float(f"{value:.9g}") for value in np.ravel(array)]}


def numbers(*shape):
    return rng.integers(-64, 65, shape) / 32.0


cases = []
for x_shape, w_shape, stride, padding, dilation, groups in [
    ((2, 3, 9), (4, 3, 3), [1], [0, 0], [1], 1),
    ((1, 4, 12), (6, 2, 3), [2], [1, 2], [2], 2),
    ((1, 1, 5, 6), (1, 1, 3, 3), [1, 1], [1, 1, 1, 1], [1, 1], 1),
    ((2, 3, 6, 7), (4, 3, 3, 2), [1, 1], [0, 0, 0, 0], [1, 1], 1),
    ((1, 4, 8, 7), (6, 2, 3, 3), [2, 2], [1, 1, 1, 1], [1, 1], 2),
    ((1, 3, 7, 7), (3, 1, 3, 3), [1, 2], [2, 1, 0, 2], [2, 1], 3),
    ((2, 8, 4, 4), (8, 8, 1, 1), [2, 2], [0, 0, 0, 0], [1, 1], 1),
]:
    x, w = numbers(*x_shape), numbers(*w_shape)
    y = conv(x, w, stride, padding, dilation, groups)
    d = numbers(*y.shape)
    room = [n + padding[2 * k] + padding[2 * k + 1] - (w_shape[2 + k] - 1) * dilation[k] - 1 for k, n in enumerate(x_shape[2:])]
    extra = [r % s for r, s in zip(room, stride)]
    cases.append(
        {
            "stride": stride, "padding": padding, "dilation": dilation, "groups": groups, "extra": extra,
            "x": entry(x), "weight": entry(w), "y": entry(y), "d": entry(d),
            "d_x": entry(conv_transpose(d, w, stride, padding, dilation, groups, extra)),
            "d_weight": entry(weight_gradient(x, d, w_shape[2:], stride, padding, dilation, groups)),
        }
    )

pools = []
for x_shape, kernel, stride, padding, dilation in [
    ((2, 2, 9), [3], [2], [1, 1], [1]),
    ((1, 3, 6, 6), [2, 2], [2, 2], [0, 0, 0, 0], [1, 1]),
    ((1, 2, 7, 8), [3, 2], [2, 1], [1, 1, 0, 1], [1, 2]),
]:
    x = numbers(*x_shape)
    largest, mean, mean_with_padding = pool(x, kernel, stride, padding, dilation)
    pools.append(
        {
            "kernel": kernel, "stride": stride, "padding": padding, "dilation": dilation, "x": entry(x),
            "max": entry(largest), "mean": entry(mean), "mean_with_padding": entry(mean_with_padding),
        }
    )
pathlib.Path(__file__).with_name("cases.json").write_text(json.dumps({"conv": cases, "pool": pools}) + "\n")
