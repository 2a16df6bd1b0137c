//! Structured operations: their cases against their references, plain, fused and differentiated.

use crate::compare::worst_difference;
use tilework::layers::core::expr::{ScalarOp, Value};
use tilework::layers::core::host::{HostBuffer, HostView};
use tilework::layers::core::plan::{Caps, Choice};
use tilework::layers::ops::case::{Case, CaseInput};
use tilework::layers::ops::{Meta, graph};
use tilework::{Array, DType, Device, Error, Result};

/// What a check found: agreement, or why not.
pub(crate) type Outcome = std::result::Result<(), String>;

/// Elements of each input that the gradient check moves.
const N_PROBED: usize = 6;

/// The inputs of a case as arrays of `device`, converted to `dtype` if one is given.
fn inputs(case: &Case, device: &Device, floats: Option<DType>) -> Result<Vec<Array>> {
    case.inputs
        .iter()
        .map(|input| {
            let source = device.from_host(input.data.clone(), &input.shape);
            let source = match floats {
                Some(dtype) if source.dtype().is_float() => source.cast(dtype),
                _ => source,
            };
            Ok(device.from_graph(input.node(source.graph_node()?)))
        })
        .collect()
}

fn views(inputs: &[CaseInput]) -> Vec<HostView<'_>> {
    inputs.iter().map(|input| HostView { data: &input.data, layout: input.layout() }).collect()
}

/// What an operation is told of a case's inputs: 16-bit floats are computed with as 32-bit ones, unless they are changed in place.
fn metas(case: &Case) -> Vec<Meta> {
    let meta = |(index, input): (usize, &CaseInput)| {
        let stored = input.data.dtype();
        let dtype = if case.op.updates() == Some(index) { stored } else { stored.computed() };
        Meta { shape: input.layout().shape, dtype }
    };
    case.inputs.iter().enumerate().map(meta).collect()
}

/// The reference's answer, rounded where all floats of the case have 16 bits.
fn reference(case: &Case) -> Result<(HostBuffer, Meta)> {
    let out = case.op.infer(&metas(case))?;
    let result = case.op.reference(&views(&case.inputs), &out);
    let mut floats = case.inputs.iter().map(|input| input.data.dtype()).filter(|dtype| dtype.is_float()).peekable();
    if out.dtype == DType::F32 && floats.peek().is_some() && floats.all(|dtype| dtype == DType::F16) {
        let rounded = HostBuffer::from_values(DType::F16, (0..result.len()).map(|i| result.value(i)));
        return Ok((rounded, Meta { dtype: DType::F16, ..out }));
    }
    Ok((result, out))
}

/// The operation alone, by every kernel that can compute it.
pub(crate) async fn check_plain(case: &Case, device: &Device) -> Outcome {
    check_default(case, device).await?;
    if device.open_gpu().is_none() {
        return Ok(());
    }
    let before = device.choices();
    let mut outcome = Ok(());
    for variant in variants(case, &device.caps()) {
        device.set_choices(vec![forced(case, variant)]);
        outcome = check_default(case, device).await.map_err(|message| format!("{variant}: {message}"));
        if outcome.is_err() {
            break;
        }
    }
    device.set_choices(before);
    outcome
}

/// The names of all kernels that can compute a case.
pub fn variants(case: &Case, caps: &Caps) -> Vec<&'static str> {
    case.op.variants(&metas(case), caps).names
}

/// The choice of one kernel for all sizes.
pub fn forced(case: &Case, variant: &str) -> Choice {
    Choice { op: case.op.signature().name.to_owned(), sizes: Vec::new(), variant: variant.to_owned() }
}

async fn check_default(case: &Case, device: &Device) -> Outcome {
    let run = async || -> Result<(HostBuffer, HostBuffer)> {
        let arrays = inputs(case, device, None)?;
        let got = device.apply(case.op.clone(), &arrays.iter().collect::<Vec<_>>()).to_host().await?;
        Ok((got, reference(case)?.0))
    };
    let (got, want) = run().await.map_err(|error| error.to_string())?;
    worst_difference(&got, &want, case.tolerance)
}

/// The operation between two element-wise ones, which must be spliced into it without changing its meaning. Both are exact
/// (doubling), so the reference is that of doubled inputs, doubled.
pub(crate) async fn check_fused(case: &Case, device: &Device) -> Outcome {
    let run = async || -> Result<(HostBuffer, HostBuffer)> {
        let doubled_inputs: Vec<Array> = inputs(case, device, None)?.iter().map(double).collect();
        let out = double(&device.apply(case.op.clone(), &doubled_inputs.iter().collect::<Vec<_>>()));
        let doubled = Case { inputs: case.inputs.iter().map(doubled_input).collect(), ..case.clone() };
        let (want, meta) = reference(&doubled)?;
        let want = if meta.dtype.is_float() { doubled_buffer(&want) } else { want };
        Ok((out.to_host().await?, want))
    };
    let (got, want) = run().await.map_err(|error| format!("fused: {error}"))?;
    worst_difference(&got, &want, case.tolerance).map_err(|message| format!("fused: {message}"))
}

/// Twice a float array; others unchanged.
fn double(array: &Array) -> Array {
    if array.dtype().is_float() { array.map(ScalarOp::Add, &[array]) } else { array.clone() }
}

fn doubled_input(input: &CaseInput) -> CaseInput {
    CaseInput { data: doubled_buffer(&input.data), ..input.clone() }
}

fn doubled_buffer(buffer: &HostBuffer) -> HostBuffer {
    match buffer {
        HostBuffer::F16(_) => {
            let twice = |i: usize| Value::num(2.0 * buffer.f64_at(i));
            HostBuffer::from_values(DType::F16, (0..buffer.len()).map(twice))
        }
        HostBuffer::F32(data) => HostBuffer::F32(data.iter().map(|x| x + x).collect()),
        HostBuffer::F64(data) => HostBuffer::F64(data.iter().map(|x| x + x).collect()),
        other => other.clone(),
    }
}

/// The derivative rule: in double precision against finite differences of the reference, and on `device` in single precision
/// against double.
pub(crate) async fn check_gradient(case: &Case, device: &Device) -> Outcome {
    let wanted: Vec<usize> = (0..case.inputs.len()).filter(|&k| case.inputs[k].data.dtype().is_float()).collect();
    if wanted.is_empty() {
        return Ok(());
    }
    let exact = gradients(case, &Device::cpu(), DType::F64, &wanted).await.map_err(|e| format!("gradient: {e}"))?;
    for (&k, gradient) in wanted.iter().zip(&exact) {
        finite_differences(case, k, gradient)?;
    }
    if device.open_gpu().is_some() {
        let single = gradients(case, device, DType::F32, &wanted).await.map_err(|e| format!("gradient: {e}"))?;
        for (got, want) in single.iter().zip(&exact) {
            let want = HostBuffer::from_values(DType::F32, (0..want.len()).map(|i| want.value(i)));
            worst_difference(got, &want, 50.0 * case.tolerance).map_err(|message| format!("gradient: {message}"))?;
        }
    }
    Ok(())
}

/// Gradients of `Σ wᵢ·yᵢ` with respect to the data below each wanted input's view.
async fn gradients(case: &Case, device: &Device, dtype: DType, wanted: &[usize]) -> Result<Vec<HostBuffer>> {
    let sources: Vec<Array> =
        case.inputs.iter().map(|input| device.from_host(input.data.clone(), &input.shape)).collect();
    let floats: Vec<Array> = wanted.iter().map(|&k| sources[k].cast(dtype)).collect();
    let loss = |traced: &[Array]| {
        let mut nodes = Vec::new();
        for (k, input) in case.inputs.iter().enumerate() {
            let base = wanted.iter().position(|&w| w == k).map_or(&sources[k], |position| &traced[position]);
            nodes.push(base.graph_node().and_then(|node| input.node(node)));
        }
        let nodes: Result<Vec<_>> = nodes.into_iter().collect();
        let y = device.from_graph(nodes.and_then(|nodes| graph::apply_shared(case.op.clone(), &nodes)));
        let n = y.size();
        (y.flatten() * weights(device, n, dtype)).sum([])
    };
    let (_, gradients) = device.value_and_grad(loss, &floats.iter().collect::<Vec<_>>())?;
    let mut read = Vec::new();
    for gradient in gradients {
        read.push(gradient.to_host().await?);
    }
    Ok(read)
}

/// Weight of result `i` in the loss: different for neighbours, so that a permuted gradient is noticed.
fn weight(i: usize) -> f64 {
    1.0 + 0.25 * (i % 7) as f64
}

fn weights(device: &Device, n: usize, dtype: DType) -> Array {
    device.from_host(HostBuffer::from_values(dtype, (0..n).map(|i| Value::num(weight(i)))), [n])
}

/// Compares a few elements of `gradient` with central differences of the reference.
fn finite_differences(case: &Case, k: usize, gradient: &HostBuffer) -> Outcome {
    let n = case.inputs[k].data.len();
    let step = n.div_ceil(N_PROBED).max(1);
    for at in (0..n).step_by(step) {
        // Five points: the truncation error is of fourth order, so the step can be large enough for rounding not to matter.
        let h = 1e-3;
        let at_shift = |shift: f64| loss_of_reference(case, k, at, shift).map_err(|error| format!("gradient: {error}"));
        let want = (8.0 * (at_shift(h)? - at_shift(-h)?) - (at_shift(2.0 * h)? - at_shift(-2.0 * h)?)) / (12.0 * h);
        let got = gradient.f64_at(at);
        if (got - want).abs() > 1e-6 * want.abs().max(1.0) {
            return Err(format!("gradient of input {k} at {at}: {got} for {want} by differences"));
        }
    }
    Ok(())
}

fn loss_of_reference(case: &Case, k: usize, at: usize, shift: f64) -> Result<f64> {
    let mut moved = case.clone();
    for input in &mut moved.inputs {
        if input.data.dtype().is_float() {
            input.data = HostBuffer::F64((0..input.data.len()).map(|i| input.data.f64_at(i)).collect());
        }
    }
    if let HostBuffer::F64(data) = &mut moved.inputs[k].data {
        data[at] += shift;
    }
    let (y, _) = reference(&moved)?;
    Ok((0..y.len()).map(|i| weight(i) * y.f64_at(i)).sum())
}

/// Whether `device` can run the case at all.
pub(crate) fn is_supported(case: &Case, device: &Device) -> bool {
    let has_f64 = case.inputs.iter().any(|input| input.data.dtype() == DType::F64);
    let is_cpu_only = has_f64 || case.op.cpu_only().is_some();
    !is_cpu_only || device.open_gpu().is_none()
}

/// A one-line description of a case's inputs.
pub(crate) fn describe(case: &Case) -> String {
    let shapes: Vec<String> = case.inputs.iter().map(|input| input.layout().shape.to_string()).collect();
    let is_half = case.inputs.iter().any(|input| input.data.dtype() == DType::F16);
    if is_half { shapes.join(" ") + " of float16" } else { shapes.join(" ") }
}

/// A map over more elements than one dimension of a dispatch holds.
pub(crate) async fn check_large_map(device: &Device) -> Outcome {
    let n = 65_535 * 256 + 300;
    let run = async || -> Result<Vec<i32>> {
        let counted = device.arange(n) * 3 + 1;
        let tail = counted.slice(0, -3..);
        let head = counted.slice(0, ..3);
        counted.eval().await?;
        device.concat(&[&head, &tail], 0).to_vec::<i32>().await
    };
    let got = run().await.map_err(|error: Error| error.to_string())?;
    let want: Vec<i32> = [0, 1, 2, n - 3, n - 2, n - 1].iter().map(|&i| i as i32 * 3 + 1).collect();
    if got == want { Ok(()) } else { Err(format!("{got:?} for {want:?}")) }
}
