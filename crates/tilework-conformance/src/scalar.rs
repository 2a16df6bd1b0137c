//! Scalar operations: every row of the table, every type it takes, over the whole range.
//!
//! The meaning is the row evaluated in `f64`. In single precision a result may be 4 units in the last place away from it; a
//! device may flush subnormal arguments and results to zero, as WGSL allows. Integers and truth values must be exact.

use crate::compare::ulp_distance;
use crate::report::ScalarError;
use crate::structured::Outcome;
use crate::{Density, Options};
use tilework::layers::core::dtype::Scalar;
use tilework::layers::core::expr::{Graph, Kind, ScalarOp, Value, eval_f64};
use tilework::layers::core::host::HostBuffer;
use tilework::layers::ops::graph;
use tilework::{Array, DType, Device, Half, Result};

/// Units in the last place a single-precision result may be off.
pub(crate) const MAX_ULP: f64 = 4.0;

/// Every operation with the element types it is defined for.
pub(crate) fn cases() -> Vec<(ScalarOp, DType)> {
    let mut cases = Vec::new();
    // 64-bit integers exist on the CPU only: `tests/types.rs` of the arrays is about them.
    let is_long = |op: &ScalarOp| matches!(op.kind(), Kind::Cast(to) if to.is_long());
    for &op in ScalarOp::ALL.iter().filter(|op| !is_long(op)) {
        let dtypes: &[DType] = match op.kind() {
            Kind::Arith | Kind::Compare => &[DType::F16, DType::F32, DType::I32, DType::U32],
            Kind::Float | Kind::Test => &[DType::F16, DType::F32],
            Kind::Logic => &[DType::Bool],
            Kind::Bits => &[DType::I32, DType::U32],
            Kind::Select | Kind::Cast(_) => &[DType::F16, DType::F32, DType::I32, DType::U32, DType::Bool],
        };
        cases.extend(dtypes.iter().map(|&dtype| (op, dtype)));
    }
    cases
}

/// Runs one operation on `device` and compares every result with its meaning.
pub(crate) async fn check(
    op: ScalarOp,
    dtype: DType,
    device: &Device,
    options: &Options,
) -> (Outcome, Option<ScalarError>) {
    let arguments = arguments(op, dtype, options.density);
    let out = match run(op, &arguments, device).await {
        Ok(out) => out,
        Err(error) => return (Err(error.to_string()), None),
    };
    let mut worst = ScalarError { op: op.name(), worst_ulp: 0.0, at: Vec::new() };
    let mut failure = None;
    for i in 0..out.len() {
        let args: Vec<Value> = arguments.iter().map(|argument| argument.value(i)).collect();
        let distance = distance(op, &args, &out, i, device);
        if distance > worst.worst_ulp {
            worst.worst_ulp = distance;
            worst.at = args.iter().map(|value| value.to_f64() as f32).collect();
        }
        if distance > MAX_ULP && failure.is_none() {
            let args: Vec<f64> = args.iter().map(|value| value.to_f64()).collect();
            let want = meaning(op, &arguments.iter().map(|argument| argument.value(i)).collect::<Vec<_>>());
            failure = Some(format!("{}({args:?}): {} for {}", op.name(), out.f64_at(i), want.to_f64()));
        }
    }
    (failure.map_or(Ok(()), Err), (out.dtype() == DType::F32 && dtype == DType::F32).then_some(worst))
}

async fn run(op: ScalarOp, arguments: &[HostBuffer], device: &Device) -> Result<HostBuffer> {
    let arrays: Vec<Array> =
        arguments.iter().map(|argument| device.from_host(argument.clone(), [argument.len()])).collect();
    let nodes = arrays.iter().map(Array::graph_node).collect::<Result<Vec<_>>>()?;
    let node = match op.kind() {
        Kind::Cast(to) => Ok(graph::cast(&nodes[0], dtype_of(to))),
        _ => graph::map(op, &nodes),
    };
    device.from_graph(node).to_host().await
}

fn dtype_of(scalar: Scalar) -> DType {
    match scalar {
        Scalar::Bool => DType::Bool,
        Scalar::Int => DType::I32,
        Scalar::Uint => DType::U32,
        Scalar::Long => DType::I64,
        Scalar::Ulong => DType::U64,
        Scalar::Num => DType::F32,
    }
}

/// The row's meaning on constants.
fn meaning(op: ScalarOp, args: &[Value]) -> Value {
    let graph = Graph::new();
    let leaves: Vec<_> = args.iter().zip(0..).map(|(value, slot)| graph.leaf(slot, value.scalar())).collect();
    let root = graph.apply(op, &leaves);
    eval_f64(&graph, &[root.id()], &|slot| args[slot as usize], &|_| Value::num(0.0))[0]
}

fn distance(op: ScalarOp, args: &[Value], out: &HostBuffer, i: usize, device: &Device) -> f64 {
    let want = meaning(op, args);
    if let HostBuffer::F16(results) = out {
        return half_distance(results[i], want.to_f64());
    }
    let HostBuffer::F32(results) = out else {
        let agrees = |want: Value| out.f64_at(i) == want.to_f64();
        // A comparison of subnormals that the device flushes compares zeros.
        let is_right = agrees(want) || (may_flush(device) && flushings(args).any(|args| agrees(meaning(op, &args))));
        return if is_right { 0.0 } else { f64::INFINITY };
    };
    let got = results[i];
    let direct = ulp_distance(got, want.to_f64());
    if direct <= MAX_ULP || !may_flush(device) {
        return direct;
    }
    flushings(args)
        .map(|args| {
            let want = meaning(op, &args).to_f64();
            let is_tiny = |x: f64| x.abs() < f64::from(f32::MIN_POSITIVE);
            if is_tiny(want) && is_tiny(f64::from(got)) { 0.0 } else { ulp_distance(got, want) }
        })
        .fold(direct, f64::min)
}

/// 0 for the nearest half or, because what is rounded may be [`MAX_ULP`] away, a neighbor of it.
fn half_distance(got: u16, want: f64) -> f64 {
    let nearest = Half::from_f32(want as f32);
    let ordered = |bits: u16| if bits & 0x8000 == 0 { i32::from(bits) } else { -i32::from(bits & 0x7fff) };
    let is_nan = |half: Half| half.to_f32().is_nan();
    match (is_nan(Half(got)), is_nan(nearest)) {
        (true, true) => 0.0,
        (false, false) if (ordered(got) - ordered(nearest.0)).abs() <= 1 => 0.0,
        _ => f64::INFINITY,
    }
}

/// WGSL allows a device to treat subnormal numbers as zero; our CPU does not.
fn may_flush(device: &Device) -> bool {
    device.open_gpu().is_some()
}

/// The arguments with each choice of subnormal ones replaced by zeros of their sign: a device may flush them in one operation
/// and not in another.
fn flushings(args: &[Value]) -> impl Iterator<Item = Vec<Value>> {
    (0..1u32 << args.len()).map(move |choice| {
        let flush = |(k, value): (usize, &Value)| match *value {
            Value::Num(_) if choice >> k & 1 == 1 && value.to_f64().abs() < f64::from(f32::MIN_POSITIVE) => {
                Value::num(0.0f64.copysign(value.to_f64()))
            }
            other => other,
        };
        args.iter().enumerate().map(flush).collect()
    })
}

/// Values every operation must survive.
const SPECIAL: [f32; 24] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    2.0,
    -2.0,
    3.0,
    -3.0,
    10.0,
    88.8,
    -88.8,
    1e-3,
    1e4,
    -1e4,
    1e-20,
    3e38,
    -3e38,
    1e-38,
    -1e-41,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
];

fn arguments(op: ScalarOp, dtype: DType, density: Density) -> Vec<HostBuffer> {
    let n_swept = if density == Density::Full { 1 << 18 } else { 1 << 12 };
    let n_special = SPECIAL.len().pow(op.arity().min(2) as u32);
    let n = n_special + n_swept;
    (0..op.arity())
        .map(|position| {
            if op == ScalarOp::Select && position == 0 {
                return HostBuffer::Bool((0..n).map(|i| (i % 2) as u8).collect());
            }
            let value = |i: usize| {
                if i < n_special { special(i, position) } else { swept(op, i - n_special, position, n_swept) }
            };
            match dtype {
                // The upper bits of the sweep are all halves there are.
                DType::F16 => HostBuffer::F16((0..n).map(|i| half(i, n_special, value(i))).collect()),
                DType::F32 => HostBuffer::F32((0..n).map(value).collect()),
                // Integers by the bits of the sweep, small ones by the specials.
                DType::I32 => HostBuffer::I32((0..n).map(|i| integer(i, n_special, value(i)) as i32).collect()),
                DType::U32 => HostBuffer::U32((0..n).map(|i| integer(i, n_special, value(i))).collect()),
                _ => HostBuffer::Bool((0..n).map(|i| u8::from((i >> position) & 1 == 1)).collect()),
            }
        })
        .collect()
}

fn special(i: usize, position: usize) -> f32 {
    SPECIAL[(i / SPECIAL.len().pow(position as u32)) % SPECIAL.len()]
}

fn half(i: usize, n_special: usize, value: f32) -> u16 {
    if i < n_special { Half::from_f32(value).0 } else { (value.to_bits() >> 16) as u16 }
}

fn integer(i: usize, n_special: usize, value: f32) -> u32 {
    match i {
        i if i < n_special && value.is_nan() => i32::MIN as u32,
        i if i < n_special => value as i32 as u32,
        i if i % 2 == 0 => (value.to_bits() % 41).wrapping_sub(5),
        _ => value.to_bits(),
    }
}

/// Bit patterns spread evenly over all floats; a second argument is near the first half of the time, so that differences and
/// ratios of every size occur.
fn swept(op: ScalarOp, i: usize, position: usize, n: usize) -> f32 {
    let spread = |i: usize, salt: u64| ((i as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15 ^ (salt << 32)) >> 32) as u32;
    let first = ((i as u64 * (u64::from(u32::MAX) + 1)) / n as u64) as u32 | (spread(i, 0) & 0xfff);
    if position == 0 {
        return f32::from_bits(first);
    }
    match i % 4 {
        0 => f32::from_bits(first ^ (spread(i, 1) & 0x00ff_ffff)),
        1 => f32::from_bits(spread(i, 2)),
        // Moderate exponents, where powers are neither 0 nor infinite.
        _ if op == ScalarOp::Pow => (spread(i, 3) as f32 / u32::MAX as f32 - 0.5) * 20.0,
        _ => (spread(i, 3) as f32 / u32::MAX as f32 - 0.5) * 200.0,
    }
}
