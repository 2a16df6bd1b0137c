"""Quantiles, moments, histograms and reductions that leave NaN out, as NumPy has them."""

import warnings

import numpy as np
from golden import case, write

warnings.simplefilter("ignore")
f32 = np.float32
rng = np.random.default_rng(2)
X = rng.normal(size=(2, 3, 2)).astype(f32)
V = rng.permutation(np.arange(11)).astype(f32) * f32(0.5)
E = np.zeros(0, f32)
I = rng.integers(-9, 9, size=(3, 5)).astype(np.int32)
N = X.copy()
N[0, 1, 1] = N[1, 0, 0] = np.nan
A = X.copy()
A[0, :, 1] = np.nan
INF = np.array([1, np.inf, -2, -np.inf, 3, 4], f32)
METHODS = (
    "linear lower higher midpoint nearest inverted_cdf averaged_inverted_cdf closest_observation "
    "interpolated_inverted_cdf hazen weibull median_unbiased normal_unbiased"
).split()


def single(y):
    """Floats of doubles that stand for integers are singles."""
    y = np.asarray(y)
    return y.astype(f32) if y.dtype == np.float64 else y.astype(np.int32) if y.dtype == np.int64 else y


for axes in ([0], [1], [-1], [0, 2], []):
    axis = tuple(axes) if axes else None
    case("median", [X], {"axes": axes}, np.median(X, axis=axis), grad=True)
    case("median", [X], {"axes": axes, "keep_axes": True}, np.median(X, axis=axis, keepdims=True))
    case("quantile", [X, 0.3], {"axes": axes}, np.quantile(X, 0.3, axis=axis).astype(f32), grad=True)
    case("percentile", [X, 80.0], {"axes": axes, "keep_axes": True}, np.percentile(X, 80, axis=axis, keepdims=True).astype(f32))
    case("nanmedian", [N], {"axes": axes}, np.nanmedian(N, axis=axis))
    case("nanquantile", [N, 0.3], {"axes": axes}, np.nanquantile(N, 0.3, axis=axis).astype(f32))
    case("ptp", [X], {"axes": axes}, np.ptp(X, axis=axis), grad=True)
    case("average", [X], {"axes": axes}, np.average(X, axis=axis), grad=True)
    for name in ("nansum", "nanprod", "nanmin", "nanmax", "nanmean"):
        f = getattr(np, name)
        case(name, [N], {"axes": axes}, f(N, axis=axis), tolerance=1e-5)
        if axes != [1]:
            case(name, [A], {"axes": axes, "keep_axes": True}, f(A, axis=axis, keepdims=True), tolerance=1e-5)
        if axes == [1]:
            case(name, [X], {"axes": axes}, f(X, axis=axis), tolerance=1e-5, grad=True)
    for name, f in (("var", np.var), ("std", np.std), ("nanvar", np.nanvar), ("nanstd", np.nanstd)):
        if axes != [1]:
            case(name, [X], {"axes": axes, "correction": 1}, f(X, axis=axis, ddof=1), tolerance=1e-5, grad=True)
    case("nanvar", [A], {"axes": axes, "correction": 1}, np.nanvar(A, axis=axis, ddof=1), tolerance=1e-5)
    case("nanstd", [N], {"axes": axes, "keep_axes": True}, np.nanstd(N, axis=axis, keepdims=True), tolerance=1e-5)

case("var", [X], {"axes": [1], "correction": 3}, np.var(X, axis=1, ddof=3))
case("var", [np.ones((2, 2), f32)], {"correction": 4}, np.var(np.ones((2, 2), f32), ddof=4))
case("var", [X], {"axes": [1], "correction": 0.5}, np.var(X, axis=1, ddof=0.5), tolerance=1e-5)
case("std", [I], {"axes": [0], "correction": 1}, np.std(I, axis=0, ddof=1).astype(f32), tolerance=1e-5)
case("var", [X.astype(np.float64)], {"correction": 1}, np.var(X.astype(np.float64), ddof=1))

for x in (N, INF, INF[:5], I, np.arange(4, dtype=f32), np.array([7], f32), np.array(3, f32), np.array([], f32)):
    case("median", [x], {}, np.asarray(np.median(x)).astype(f32))
case("median", [X], {"axes": [0]}, np.median(X.T, axis=0), views={0: [["permute", {"order": [2, 1, 0]}]]})
case("median", [X], {"axes": [1]}, np.median(X[:, ::-2, :], axis=1), views={0: [["slice", {"axis": 1, "step": -2}]]})
case("median", [X], {"axes": [3]}, error="shape")
case("median", [X], {"axes": [0, 0]}, error="shape")

Q = np.array([0, 0.125, 0.5, 0.75, 1], f32)
for method in METHODS:
    for x in (V, V[:8]):
        case("quantile", [x, Q], {"method": method}, np.quantile(x, Q, method=method).astype(f32))
        case("quantile", [x, 0.25], {"method": method}, np.quantile(x, 0.25, method=method).astype(f32))
    case("quantile", [V[:1], 0.25], {"method": method}, V[0])
    case("quantile", [X, Q[1:3].reshape(2, 1)], {"axes": [1], "method": method}, np.quantile(X, Q[1:3].reshape(2, 1), axis=1, method=method).astype(f32))
    case("nanquantile", [N, Q[1:4]], {"axes": [2], "method": method}, np.nanquantile(N, Q[1:4], axis=2, method=method).astype(f32))
    case("nanpercentile", [A, 37.5], {"axes": [2], "method": method}, np.nanpercentile(A, 37.5, axis=2, method=method).astype(f32))
    case("quantile", [I, 0.25], {"axes": [1], "method": method}, single(np.quantile(I, 0.25, axis=1, method=method)))
case("quantile", [X, Q], {"axes": [1]}, np.quantile(X, Q, axis=1).astype(f32))
case("quantile", [X, np.array([0.3, 0.55], f32)], {"axes": [2, 0]}, np.quantile(X, np.array([0.3, 0.55], f32), axis=(2, 0)).astype(f32), grad=True)
case("quantile", [X, Q], {"axes": [1], "keep_axes": True}, np.quantile(X, Q, axis=1, keepdims=True).astype(f32))
case("percentile", [X, np.array([10, 60], f32)], {"axes": [0]}, np.percentile(X, [10, 60], axis=0).astype(f32))
case("quantile", [N, Q], {"axes": [2]}, np.quantile(N, Q, axis=2).astype(f32))
case("quantile", [N, 0.5], {}, np.quantile(N, 0.5).astype(f32))
case("quantile", [X.astype(np.float64), 0.1], {}, np.quantile(X.astype(np.float64), 0.1))
case("nanquantile", [X, 0.35], {"axes": [2]}, np.nanquantile(X, 0.35, axis=2).astype(f32), grad=True)
case("nanmedian", [X], {"axes": [1]}, np.nanmedian(X, axis=1), grad=True)
case("nanmedian", [A], {"axes": [1], "keep_axes": True}, np.nanmedian(A, axis=1, keepdims=True))
case("nanmedian", [I], {"axes": [1]}, np.nanmedian(I, axis=1).astype(f32))
case("quantile", [X, 1.5], {}, error="argument")
case("percentile", [X, -1.0], {}, error="argument")
case("quantile", [E, 0.5], {}, error="shape")
case("quantile", [X, 0.5], {"method": "guessed"}, error="argument")

W = rng.random(size=(2, 3, 2)).astype(f32)
case("average", [X, W], {}, np.average(X, weights=W), grad=True, tolerance=1e-5)
case("average", [X, W], {"axes": [1]}, np.average(X, weights=W, axis=1), grad=True, tolerance=1e-5)
case("average", [X, W[0, :, 0]], {"axes": [1], "keep_axes": True}, np.average(X, weights=W[0, :, 0], axis=1, keepdims=True), tolerance=1e-5)
case("average", [X, W[:, 0, :]], {"axes": [0, 2]}, np.average(X, weights=W[:, 0, :], axis=(0, 2)), tolerance=1e-5)
case("average", [X, W[:, 0, :].T.copy()], {"axes": [2, 0]}, np.average(X, weights=W[:, 0, :].T, axis=(2, 0)), tolerance=1e-5)
case("average", [I, np.array([1, 2, 3], np.int32)], {"axes": [0]}, np.average(I, weights=[1, 2, 3], axis=0).astype(f32))
case("average", [X, W[0, :, 0]], {"axes": [0]}, error="shape")
case("average", [X, W[0, :, 0]], {}, error="shape")
case("ptp", [N], {"axes": [2]}, np.ptp(N, axis=2))
case("ptp", [I], {"axes": [0], "keep_axes": True}, np.ptp(I, axis=0, keepdims=True))
case("ptp", [E], {}, error="shape")

M = rng.normal(size=(3, 5)).astype(f32)
Y = rng.normal(size=(2, 5)).astype(f32)
F = np.array([1, 2, 0, 3, 1], np.int32)
w = np.array([0.5, 1.5, 2, 0.25, 1], f32)
case("cov", [M], {}, np.cov(M).astype(f32), grad=True)
case("cov", [M, Y], {}, np.cov(M, Y).astype(f32), grad=True)
case("cov", [M], {"rowvar": False}, np.cov(M, rowvar=False).astype(f32))
case("cov", [M], {"bias": True}, np.cov(M, bias=True).astype(f32))
case("cov", [M], {"ddof": 2}, np.cov(M, ddof=2).astype(f32))
case("cov", [M[0]], {}, np.cov(M[0]).astype(f32))
case("cov", [M[0], M[1]], {}, np.cov(M[0], M[1]).astype(f32))
case("cov", [M, E, F], {}, np.cov(M, fweights=F).astype(f32))
case("cov", [M, E, E, w], {}, np.cov(M, aweights=w).astype(f32), tolerance=1e-5)
case("cov", [M, Y, F, w], {"ddof": 1}, np.cov(M, Y, fweights=F, aweights=w).astype(f32), tolerance=1e-5)
case("cov", [M, E, F, w], {"ddof": 0}, np.cov(M, fweights=F, aweights=w, ddof=0).astype(f32), tolerance=1e-5)
case("cov", [I], {}, np.cov(I).astype(f32), tolerance=1e-5)
case("cov", [X], {}, error="shape")
case("cov", [M, Y[:, :4].copy()], {}, error="shape")
case("cov", [M, E, F[:4]], {}, error="shape")
case("corrcoef", [M], {}, np.corrcoef(M).astype(f32), grad=True)
case("corrcoef", [M, Y], {}, np.corrcoef(M, Y).astype(f32))
case("corrcoef", [M], {"rowvar": False}, np.corrcoef(M, rowvar=False).astype(f32))
case("corrcoef", [M[0], M[1]], {}, np.corrcoef(M[0], M[1]).astype(f32))
case("corrcoef", [M[0]], {}, np.asarray(np.corrcoef(M[0])).astype(f32))

for axis in (0, 1, -1):
    for name in ("nanargmin", "nanargmax"):
        case(name, [N], {"axis": axis}, getattr(np, name)(N, axis=axis).astype(np.int32))
        case(name, [I], {"axis": axis}, getattr(np, name)(I, axis=axis).astype(np.int32))
    for name in ("nancumsum", "nancumprod"):
        case(name, [A], {"axis": axis}, getattr(np, name)(A, axis=axis), tolerance=1e-5)
    for name in ("cumulative_sum", "cumulative_prod"):
        case(name, [X], {"axis": axis}, getattr(np, name)(X, axis=axis), tolerance=1e-5, grad=True)
        case(name, [X], {"axis": axis, "include_initial": True}, getattr(np, name)(X, axis=axis, include_initial=True), tolerance=1e-5, grad=True)
for name in ("nanargmin", "nanargmax"):
    case(name, [N], {}, np.int32(getattr(np, name)(N)))
for name in ("nancumsum", "nancumprod"):
    case(name, [N], {}, getattr(np, name)(N), tolerance=1e-5)
for name in ("cumulative_sum", "cumulative_prod"):
    case(name, [I[0]], {}, getattr(np, name)(I[0]).astype(np.int32))
    case(name, [I > 0], {"axis": 1, "include_initial": True}, getattr(np, name)(I > 0, axis=1, include_initial=True).astype(np.int32))
    case(name, [E], {"include_initial": True}, getattr(np, name)(E, include_initial=True))
    case(name, [X], {}, error="argument")
for name in ("nansum", "nanprod", "nanmin", "nanmax"):
    case(name, [I], {"axes": [0]}, getattr(np, name)(I, axis=0).astype(np.int32))
    case(name, [np.full((2, 2), np.nan, f32)], {"axes": [0]}, getattr(np, name)(np.full((2, 2), np.nan, f32), axis=0))
case("nanmean", [I], {"axes": [0]}, np.nanmean(I, axis=0).astype(f32))
case("nanmean", [E], {}, np.asarray(np.nanmean(E)))
case("nansum", [E], {}, np.asarray(np.nansum(E)))
case("nanmin", [E], {}, error="shape")
case("nanmin", [INF], {}, np.asarray(np.nanmin(INF)))
B = np.array([np.nan, np.inf, -np.inf, 1, -0.0], f32)
case("nan_to_num", [B], {}, np.nan_to_num(B))
case("nan_to_num", [B], {"nan": 2.5, "posinf": 7, "neginf": -7}, np.nan_to_num(B, nan=2.5, posinf=7, neginf=-7))
case("nan_to_num", [I], {}, I)
case("nan_to_num", [B.astype(np.float64)], {}, np.nan_to_num(B.astype(np.float64)))

H = np.array([0.1, 0.4, 0.45, 0.9, 2.3, 2.3, 3.7, -1.1, 5], f32)
EDGES = np.array([-1, 0, 0.5, 2, 5], f32)
HW = np.array([1, 2, 0.5, 1.5, 3, 1, 1, 2, 4], f32)


def hist(x, bins=10, **more):
    counts, edges = np.histogram(x, bins, **more)
    return [counts.astype(f32) if counts.dtype.kind == "f" else counts.astype(np.int32), edges.astype(f32)]


case("histogram", [H], {}, hist(H))
case("histogram", [H, 4], {}, hist(H, 4))
case("histogram", [H, 3], {"low": 0, "high": 4}, hist(H, 3, range=(0, 4)))
case("histogram", [H, EDGES], {}, hist(H, EDGES))
case("histogram", [H, EDGES, HW], {}, hist(H, EDGES, weights=HW))
case("histogram", [H, 5, HW], {"density": True}, hist(H, 5, weights=HW, density=True))
case("histogram", [H, EDGES], {"density": True}, hist(H, EDGES, density=True))
case("histogram", [H.reshape(3, 3), 4], {}, hist(H, 4))
case("histogram", [I, 6], {}, hist(I, 6))
case("histogram", [np.array([2, 2, 2], f32), 3], {}, hist(np.array([2, 2, 2], f32), 3))
case("histogram", [E, 3], {}, hist(E, 3))
case("histogram", [np.array([0.5, np.nan, 1.5], f32), 2], {"low": 0, "high": 2}, hist(np.array([0.5, np.nan, 1.5], f32), 2, range=(0, 2)))
case("histogram", [H, 0], {}, error="argument")
case("histogram", [H, 2.5], {}, error="argument")
case("histogram", [H, 2], {"low": 3, "high": 1}, error="argument")
case("histogram", [H, 2], {"low": 3}, error="argument")
case("histogram", [H, EDGES, HW[:3]], {}, error="shape")
case("histogram_bin_edges", [H, 4], {}, np.histogram_bin_edges(H, 4).astype(f32))
case("histogram_bin_edges", [H], {"low": 0, "high": 2}, np.histogram_bin_edges(H, range=(0, 2)).astype(f32))
case("histogram_bin_edges", [H, EDGES], {}, EDGES)
HY = H[::-1].copy() * f32(0.5)
case("histogram2d", [H, HY, 3], {}, [y.astype(f32) for y in np.histogram2d(H, HY, 3)])
case("histogram2d", [H, HY, 3, 2], {}, [y.astype(f32) for y in np.histogram2d(H, HY, (3, 2))])
case("histogram2d", [H, HY, EDGES, 2, HW], {}, [y.astype(f32) for y in np.histogram2d(H, HY, (EDGES, 2), weights=HW)])
case("histogram2d", [H, HY, 3, 2], {"x_low": 0, "x_high": 3, "y_low": 0, "y_high": 2}, [y.astype(f32) for y in np.histogram2d(H, HY, (3, 2), range=[[0, 3], [0, 2]])])
case("histogram2d", [H, HY, EDGES], {"density": True}, [y.astype(f32) for y in np.histogram2d(H, HY, EDGES, density=True)])
case("histogram2d", [H, HY[:4], 3], {}, error="shape")

H3 = np.stack([H, HY, H * HY], -1)


def histdd(*arguments, **more):
    counts, edges = np.histogramdd(*arguments, **more)
    return [counts.astype(f32), *(e.astype(f32) for e in edges)]


case("histogramdd", [H3, E, 2], {}, histdd(H3, 2))
case("histogramdd", [H3, HW, 2, 1, 3], {}, histdd(H3, (2, 1, 3), weights=HW))
case("histogramdd", [H3[:, :2].copy(), E, EDGES, 2], {"density": True}, histdd(H3[:, :2], (EDGES, 2), density=True))
case("histogramdd", [H3, E, 2, 2], {}, error="argument")
case("histogramdd", [H], {}, error="shape")
case("histogram", [H, EDGES[:1]], {}, hist(H, EDGES[:1]))

C = np.array([3, 1, 1, 0, 6, 3], np.int32)
CW = np.array([0.5, 1, 2, 3, -1, 0.25], f32)
case("bincount", [C], {}, np.bincount(C).astype(np.int32))
case("bincount", [C], {"minlength": 10}, np.bincount(C, minlength=10).astype(np.int32))
case("bincount", [C], {"minlength": 2}, np.bincount(C, minlength=2).astype(np.int32))
case("bincount", [C, CW], {}, np.bincount(C, CW).astype(f32))
case("bincount", [C, CW], {"minlength": 9}, np.bincount(C, CW, 9).astype(f32))
case("bincount", [C], {"n_bins": 4}, np.bincount(C)[:4].astype(np.int32))
case("bincount", [C, CW], {"n_bins": 4}, np.bincount(C, CW)[:4].astype(f32))
case("bincount", [C[:0]], {}, np.zeros(0, np.int32))
case("bincount", [C[:0]], {"minlength": 3}, np.zeros(3, np.int32))
case("bincount", [C > 1], {}, np.bincount((C > 1).astype(int)).astype(np.int32))
case("bincount", [-C], {}, error="argument")
case("bincount", [CW], {}, error="dtype")
case("bincount", [C.reshape(2, 3)], {}, error="shape")
case("bincount", [C, CW[:2]], {}, error="shape")
D = np.array([0.2, 6.4, 3.0, 1.6, 10, -1, np.inf, 1, 2.5], f32)
for edges in (np.array([0, 1, 2.5, 4, 10], f32), np.array([10, 4, 2.5, 1, 0], f32), np.array([2.5], f32), np.zeros(0, f32)):
    for right in (False, True):
        case("digitize", [D, edges], {"right": right}, np.digitize(D, edges, right=right).astype(np.int32))
case("digitize", [I, np.array([-3, 0, 3], np.int32)], {}, np.digitize(I, [-3, 0, 3]).astype(np.int32))
case("digitize", [D, np.ones((2, 2), f32)], {}, error="shape")

write(__file__)
