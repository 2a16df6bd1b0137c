"""Element-wise functions under NumPy's names, with special values."""

import warnings

import numpy as np
from golden import case, write

warnings.simplefilter("ignore")
f32, i32 = np.float32, np.int32
rng = np.random.default_rng(3)
X = rng.normal(size=(2, 4)).astype(f32)
Y = (rng.random(size=4) + 0.5).astype(f32)
P = (rng.random(size=5) * 3 + 0.2).astype(f32)
U = (rng.random(size=5) * 1.8 - 0.9).astype(f32)
S = np.array([0.0, -0.0, 1.5, -2.5, np.inf, -np.inf, np.nan, 3.0], f32)
T = np.array([2.0, -2.0, 0.0, -0.0, np.inf, 1.0, -np.inf, np.nan], f32)
I = np.array([7, -7, 0, 5, -13, 2147483647, -2147483648], i32)
J = np.array([3, 3, 4, 0, -4, 2, 5], i32)
B = np.array([True, False, True])
C = np.array([True, True, False])
D = X.astype(np.float64)


def single(y):
    y = np.asarray(y)
    return y.astype(f32) if y.dtype in (np.float64, np.float16) else y.astype(i32) if y.dtype in (np.int64, np.int8, np.uint8) else y


def both(name, f, grad=True, special=True, ints=True, tolerance=None):
    more = {"tolerance": tolerance} if tolerance else {}
    case(name, [X, Y], {}, single(f(X, Y)), grad=grad, **more)
    case(name, [X, 2.0], {}, single(f(X, f32(2))), **more)
    case(name, [2.5, Y], {}, single(f(f32(2.5), Y)), **more)
    if special:
        case(name, [S.reshape(8, 1), T], {}, single(f(S.reshape(8, 1), T)), signed_zeros=True, **more)
    if ints:
        case(name, [I, J], {}, single(f(I, J)), **more)
    case(name, [X, np.zeros(3, f32)], {}, error="shape")


both("subtract", np.subtract)
both("multiply", np.multiply)
both("divide", np.divide, special=False, ints=False)
case("divide", [I[:3], J[:3]], {}, single(I[:3] / J[:3]))
case("true_divide", [X, Y], {}, X / Y)
both("floor_divide", np.floor_divide, grad=False, special=False)
both("remainder", np.remainder, grad=False, special=False)
case("mod", [X, Y], {}, np.mod(X, Y), grad=True)
both("fmod", np.fmod, special=False)
both("fmax", np.fmax)
both("fmin", np.fmin)
both("logaddexp", np.logaddexp, ints=False)
both("logaddexp2", np.logaddexp2, ints=False)
case("divmod", [X, Y], {}, list(np.divmod(X, Y)))
case("divmod", [I, J], {}, list(np.divmod(I, J)))
for a, b in ((S, 2.0), (S, -2.0), (S, np.inf)):
    case("remainder", [a, b], {}, np.remainder(a, f32(b)), signed_zeros=True) if np.isfinite(b) else None
    case("fmod", [a, np.full(8, b, f32)], {}, np.fmod(a, f32(b)), signed_zeros=True)
case("power", [P, 2.5], {}, np.power(P, f32(2.5)), grad=True)
case("power", [P, U], {}, np.power(P, U), grad=True)
case("power", [np.array([2, -3, 0, 7, -1, 1, 10], i32), np.array([10, 3, 0, 11, 7, 5, 9], i32)], {}, np.power(np.array([2, -3, 0, 7, -1, 1, 10], i32), np.array([10, 3, 0, 11, 7, 5, 9], i32)))
case("power", [np.array([2, -3, 5], i32), 3], {}, np.array([8, -27, 125], i32))
case("power", [np.array([3], i32), np.array([40], i32)], {}, np.power(np.array([3], i32), np.array([40], i32)))
case("power", [np.array([2, 1, -1, -1], i32), np.array([-1, -3, -3, -2], i32)], {}, np.array([0, 1, -1, 1], i32))
case("power", [B, C], {}, np.power(B.astype(i32), C.astype(i32)))
case("float_power", [np.array([2, 3], i32), np.array([-1, 2], i32)], {}, np.array([0.5, 9], f32))
for name in ("negative", "positive", "absolute", "fabs"):
    case(name, [S], {}, getattr(np, name)(S), signed_zeros=True)
    case(name, [X], {}, getattr(np, name)(X), grad=True)
for name in ("negative", "positive", "absolute"):
    case(name, [I[:5]], {}, getattr(np, name)(I[:5]))
case("reciprocal", [X], {}, np.reciprocal(X), grad=True)
for name, at in (("arcsin", U), ("arccos", U), ("arctan", X), ("arcsinh", X), ("arccosh", P + 1), ("arctanh", U)):
    case(name, [at], {}, getattr(np, name)(at), grad=True)
    case(name, [S], {}, getattr(np, name)(S))
both("arctan2", np.arctan2)
for name in ("deg2rad", "radians", "rad2deg", "degrees"):
    case(name, [X], {}, getattr(np, name)(X), grad=True)
    case(name, [I[:5]], {}, single(getattr(np, name)(I[:5])))
R = np.array([0.5, 1.5, 2.5, -0.5, -1.5, 2.4, -2.6, 7.0, -0.0, np.inf, np.nan], f32)
for name in ("rint", "fix", "floor", "ceil", "trunc", "round", "around"):
    case(name, [R], {}, getattr(np, name)(R), signed_zeros=True)
for name in ("fix", "floor", "ceil", "trunc", "round", "around"):
    case(name, [I], {}, I)
Z = np.array([1.2345, -6.789, 1234.5, 0.125, 15.0, -25.0], f32)
for decimals in (0, 1, 2, -1, -2):
    case("round", [Z], {"decimals": decimals}, np.round(Z, decimals))
    case("around", [np.array([14, 15, 25, -15, -25, 149, 1250], i32)], {"decimals": decimals}, np.round(np.array([14, 15, 25, -15, -25, 149, 1250], i32), decimals))
case("around", [D], {"decimals": 3}, np.round(D, 3))
case("clip", [X, -0.5, 0.5], {}, np.clip(X, -0.5, 0.5), grad=True)
case("clip", [X, Y - f32(1), Y], {}, np.clip(X, Y - f32(1), Y))
case("clip", [X], {"min": 0}, np.clip(X, 0, None))
case("clip", [X], {"max": 0.25}, np.clip(X, None, 0.25))
case("clip", [S, -2, 2], {}, np.clip(S, -2, 2))
case("clip", [I, -5, 5], {}, np.clip(I, -5, 5))
case("clip", [X, 1.0, -1.0], {}, np.clip(X, 1, -1))
both("heaviside", np.heaviside, grad=False, ints=False)
for name in ("signbit", "isneginf", "isposinf", "isnan", "isinf", "isfinite"):
    case(name, [S], {}, getattr(np, name)(S))
    case(name, [I], {}, I < 0 if name == "signbit" else np.full(7, name == "isfinite"))
case("signbit", [np.copysign(np.array([np.nan, np.nan], f32), np.array([1, -1], f32))], {}, np.array([False, False]))

F = np.array([1, 1.5, -1, 2, 0.1, -7.3, 1e20, 3e-30, 4194304, 8388608, 3.4e38, 1.1754944e-38], f32)
case("frexp", [F], {}, [np.frexp(F)[0], np.frexp(F)[1].astype(i32)])
case("frexp", [S], {}, [np.frexp(S)[0], np.frexp(S)[1].astype(i32)], signed_zeros=True)
case("frexp", [F.astype(np.float64) ** 5], {}, [np.frexp(F.astype(np.float64) ** 5)[0], np.frexp(F.astype(np.float64) ** 5)[1].astype(i32)])
case("ldexp", [F[:6], np.array([3, -2, 0, 10, -20, 31], i32)], {}, np.ldexp(F[:6], np.array([3, -2, 0, 10, -20, 31], i32)))
case("ldexp", [np.array([1.5, 1.5, 2.0**-100, 0, np.inf, 1, -1], f32), np.array([127, -126, 200, 5, -5, 400, 400], i32)], {}, np.ldexp(np.array([1.5, 1.5, 2.0**-100, 0, np.inf, 1, -1], f32), np.array([127, -126, 200, 5, -5, 400, 400], i32)))
case("ldexp", [X, 3], {}, np.ldexp(X, 3), grad=True)
N1 = np.array([1, 1, 2, 2, -1, -1, 0.1, 5, 1e20, -3, 8388608, 16777216, 3], f32)
N2 = np.array([2, 0, 9, 0, 0, -9, 1, -5, np.inf, -np.inf, 0, 0, 3], f32)
case("nextafter", [N1, N2], {}, np.nextafter(N1, N2), tolerance=0)
case("subtract", [np.nextafter(N1, N2), N1], {}, np.nextafter(N1, N2) - N1)
case("nextafter", [S, T], {}, np.nextafter(S, T), gpu=False, why="a GPU may take the smallest numbers for 0")
case("nextafter", [D[0], D[1]], {}, np.nextafter(D[0], D[1]))
for at in (F, N1):
    # Powers of two, so that spacings of all sizes count alike.
    case("frexp", [np.spacing(at)], {}, [np.frexp(np.spacing(at))[0], np.frexp(np.spacing(at))[1].astype(i32)], gpu=False, why="a GPU may take the smallest numbers for 0")
    case("spacing", [at[:8]], {}, np.spacing(at[:8]))
case("spacing", [S], {}, np.spacing(S), gpu=False, why="a GPU may take the smallest numbers for 0")
case("modf", [R], {}, list(np.modf(R)), signed_zeros=True)
case("modf", [S], {}, list(np.modf(S)), signed_zeros=True)
case("sinc", [X], {}, np.sinc(X), grad=True)
case("sinc", [np.array([0, 1, -2, 0.5, 1e-6, 17.25], f32)], {}, np.sinc(np.array([0, 1, -2, 0.5, 1e-6, 17.25], f32)))
K = np.array([0, 0.5, -3, 7.9, 8.1, 20, -1e-4], f32)
case("i0", [K[:4]], {}, single(np.i0(K[:4])), grad=True)
case("i0", [K[4:5]], {}, single(np.i0(K[4:5])))
case("i0", [K[5:]], {}, single(np.i0(K[5:])))
case("i0", [K.astype(np.float64)], {}, np.i0(K.astype(np.float64)))
G = np.array([12, -18, 0, 0, 7, 2147483647, 832040, -4], i32)
L = np.array([18, 12, 5, 0, 13, 1073741823, 514229, 6], i32)
case("gcd", [G, L], {}, np.gcd(G, L))
case("gcd", [G.reshape(8, 1), L], {}, np.gcd(G.reshape(8, 1), L))
case("gcd", [G, 12], {}, np.gcd(G, i32(12)))
case("lcm", [G[[0, 1, 2, 3, 4, 7]], L[[0, 1, 2, 3, 4, 7]]], {}, np.lcm(G[[0, 1, 2, 3, 4, 7]], L[[0, 1, 2, 3, 4, 7]]))
case("gcd", [X, 2], {}, error="dtype")
case("bitwise_count", [I], {}, single(np.bitwise_count(I)))
case("bitwise_count", [np.array([0, 1, 255, 2**32 - 1, 2**31], np.uint32)], {}, single(np.bitwise_count(np.array([0, 1, 255, 2**32 - 1, 2**31], np.uint32))))
case("bitwise_count", [X], {}, error="dtype")
for name in ("bitwise_and", "bitwise_or", "bitwise_xor"):
    f = getattr(np, name)
    case(name, [I, J], {}, f(I, J))
    case(name, [B, C], {}, f(B, C))
    case(name, [I, 6], {}, f(I, i32(6)))
    case(name, [X, Y], {}, error="dtype")
for name in ("bitwise_invert", "bitwise_not", "invert"):
    case(name, [I], {}, np.invert(I))
    case(name, [B], {}, np.invert(B))
    case(name, [X], {}, error="dtype")
SH = np.array([1, 0, 31, 3, 2, 4, 8], i32)
for name, f in (("bitwise_left_shift", np.left_shift), ("left_shift", np.left_shift), ("bitwise_right_shift", np.right_shift), ("right_shift", np.right_shift)):
    case(name, [I, SH], {}, f(I, SH))
for name in ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"):
    f = getattr(np, name)
    case(name, [S.reshape(8, 1), T], {}, f(S.reshape(8, 1), T))
    case(name, [I, J], {}, f(I, J))
    case(name, [B, C], {}, f(B, C))
    case(name, [X, 0.25], {}, f(X, f32(0.25)))
for name in ("logical_and", "logical_or", "logical_xor"):
    case(name, [S.reshape(8, 1), T], {}, getattr(np, name)(S.reshape(8, 1), T))
    case(name, [B, C], {}, getattr(np, name)(B, C))
case("logical_not", [S], {}, np.logical_not(S))
A = np.array([1, 1.00001, 1.0001, np.inf, np.inf, np.nan, 0], f32)
E = np.array([1, 1, 1, np.inf, -np.inf, np.nan, 1e-9], f32)
for attrs in ({}, {"rtol": 1e-3}, {"atol": 0, "rtol": 0}, {"equal_nan": True}, {"atol": 0.5}):
    case("isclose", [A, E], attrs, np.isclose(A, E, **attrs))
    case("allclose", [A[:2], E[:2]], attrs, np.asarray(np.allclose(A[:2], E[:2], **attrs)))
    case("allclose", [A, E], attrs, np.asarray(np.allclose(A, E, **attrs)))
case("isclose", [X, 0.5], {"atol": 0.7}, np.isclose(X, 0.5, atol=0.7))
case("isclose", [I, J], {"atol": 5}, np.isclose(I, J, atol=5))
for a, b in ((X, X), (X, X[0]), (X[:1], X[0]), (I, J), (I, I), (S, S), (np.zeros(0, f32), np.zeros(0, f32)), (X, Y[:3])):
    case("array_equal", [a, b], {}, np.asarray(np.array_equal(a, b)))
    case("array_equal", [a, b], {"equal_nan": True}, np.asarray(np.array_equal(a, b, equal_nan=True)))
    case("array_equiv", [a, b], {}, np.asarray(np.array_equiv(a, b)))
# Operations that have NumPy's names already.
for name, at in (("sqrt", P), ("cbrt", X), ("exp", X), ("exp2", X), ("expm1", X), ("log", P), ("log2", P), ("log10", P), ("log1p", P), ("sin", X), ("cos", X), ("tan", X), ("sinh", X), ("cosh", X), ("tanh", X), ("square", X)):
    case(name, [at], {}, getattr(np, name)(at), grad=True)
    case(name, [S], {}, getattr(np, name)(S), signed_zeros=True)
    case(name, [np.array([[1, 4], [9, 2]], i32)], {}, single(getattr(np, name)(np.array([[1, 4], [9, 2]], i32))), tolerance=1e-5)
for name in ("add", "maximum", "minimum", "hypot", "copysign"):
    both(name, getattr(np, name), ints=name in ("add", "maximum", "minimum"))
case("sign", [S], {}, np.sign(S))

write(__file__)
