//! Golden cases: how they are written, run and compared.
//!
//! A file of `testdata/numpy` is a list of cases:
//!
//! ```text
//! {"call": "median", "inputs": [{"dtype": "float32", "shape": [2, 3], "data": [..]}, 2.5], "attrs": {"axes": [0]},
//!  "outputs": [{"dtype": "float32", "shape": [3], "data": [..]}]}
//! ```
//!
//! Beside them may stand `"error": "shape"` instead of outputs; `"tolerance"`, relative to the largest number of an output or 1; `"gpu": false`
//! with the reason in `"why"`; `"grad": true` if the derivative by every float input is to be checked; `"views": [["permute", {"order": [1, 0]}]]`
//! on an input, calls that are applied to it first. Numbers that JSON has not are the strings "nan", "inf", "-inf", "-0".

use serde_json::Value;
use std::fmt;
use std::path::Path;
use tilework::layers::core::expr::Value as Number;
use tilework::layers::core::host::HostBuffer;
use tilework::layers::ops::{Attr, Attrs};
use tilework::{Array, DType, Device, Input};

/// A file of cases.
pub(crate) struct Group {
    pub(crate) name: String,
    pub(crate) cases: Vec<Case>,
}

impl Group {
    /// All files, by name.
    pub(crate) fn all() -> Vec<Group> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/numpy");
        let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
        files.sort();
        let read = |file: &std::path::PathBuf| {
            let cases: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
            let name = file.file_stem().unwrap().to_string_lossy().into_owned();
            Group { name, cases: cases.into_iter().map(Case).collect() }
        };
        files.iter().map(read).collect()
    }
}

/// One call and what NumPy made of it.
pub(crate) struct Case(Value);

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shapes: Vec<String> = self
            .inputs()
            .iter()
            .map(|input| {
                if input.is_object() {
                    format!("{}{}", text(&input["dtype"]), input["shape"])
                } else {
                    input.to_string()
                }
            })
            .collect();
        write!(f, "{}({}) {}", self.name(), shapes.join(", "), self.0["attrs"])
    }
}

impl Case {
    pub(crate) fn name(&self) -> &str {
        text(&self.0["call"])
    }

    pub(crate) fn runs_on_gpu(&self) -> bool {
        self.0["gpu"] != Value::Bool(false)
    }

    pub(crate) fn is_differentiable(&self) -> bool {
        self.0["grad"] == Value::Bool(true)
    }

    fn inputs(&self) -> &[Value] {
        self.0["inputs"].as_array().map_or(&[], Vec::as_slice)
    }

    fn tolerance(&self, dtype: DType) -> f64 {
        let default = match dtype {
            DType::F64 => 1e-12,
            DType::F16 => 1e-3,
            DType::BF16 => 8e-3,
            _ => 2e-6,
        };
        self.0["tolerance"].as_f64().unwrap_or(default)
    }

    fn run(&self, device: &Device, inputs: &[Input]) -> tilework::Result<Vec<Array>> {
        pollster::block_on(async {
            let arrays = device.call_later(self.name(), inputs, &attrs(&self.0["attrs"])).await?;
            for array in &arrays {
                array.check()?;
                array.eval().await?;
            }
            Ok(arrays)
        })
    }
}

/// Runs a case and compares shapes, types and every element.
pub(crate) fn check(device: &Device, case: &Case) -> Result<(), String> {
    let inputs: Vec<Input> = case.inputs().iter().map(|input| self::input(device, input, None)).collect();
    let got = case.run(device, &inputs);
    if let Some(kind) = case.0["error"].as_str() {
        return match got {
            Err(error) if error.kind().code() == kind => Ok(()),
            Err(error) => Err(format!("an error of kind {} instead of {kind}: {error}", error.kind().code())),
            Ok(_) => Err(format!("no error, but {kind} was expected")),
        };
    }
    let got = got.map_err(|error| error.to_string())?;
    let want = case.0["outputs"].as_array().ok_or("the case has no outputs")?;
    if got.len() != want.len() {
        return Err(format!("{} results instead of {}", got.len(), want.len()));
    }
    got.iter().zip(want).try_for_each(|(got, want)| compare(case, got, want))
}

fn compare(case: &Case, got: &Array, want: &Value) -> Result<(), String> {
    if got.shape() != sizes(want) || got.dtype().name() != text(&want["dtype"]) {
        return Err(format!("{}{:?} instead of {}{:?}", got.dtype(), got.shape(), text(&want["dtype"]), sizes(want)));
    }
    if !got.dtype().is_float() && !got.dtype().is_complex() {
        let (got, want) = (read_values(got), values(want));
        let wrong = got.iter().zip(&want).position(|(got, want)| got.to_i128() != want.to_i128());
        return match wrong {
            Some(i) => Err(format!("element {i} is {:?} instead of {:?} ({got:?} for {want:?})", got[i], want[i])),
            None => Ok(()),
        };
    }
    let mut want = numbers(want);
    if got.dtype().part() == DType::F32 {
        // The decimals of the file stand for the float next to them.
        want.iter_mut().for_each(|x| *x = f64::from(*x as f32));
    }
    let got_values = read(got);
    let largest = want.iter().filter(|x| x.is_finite()).fold(1.0f64, |largest, x| largest.max(x.abs()));
    let room = case.tolerance(got.dtype().part()) * largest;
    for (i, (g, w)) in got_values.iter().zip(&want).enumerate() {
        let same = g == w || (g.is_nan() && w.is_nan()) || (g - w).abs() <= room;
        let sign_is_lost =
            *w == 0.0 && *g == 0.0 && w.is_sign_negative() && !g.is_sign_negative() && case.0["signed_zeros"] == true;
        if !same || sign_is_lost {
            return Err(format!("element {i} is {g} instead of {w} ({got_values:?} for {want:?})"));
        }
    }
    Ok(())
}

/// Elements as doubles, complex ones as pairs.
fn read(array: &Array) -> Vec<f64> {
    read_values(array).into_iter().map(Number::to_f64).collect()
}

fn read_values(array: &Array) -> Vec<Number> {
    let host = pollster::block_on(array.to_host()).unwrap();
    (0..host.len()).map(|i| host.value(i)).collect()
}

/// The derivative along one direction, in double precision, against a central difference.
pub(crate) fn check_gradient(device: &Device, case: &Case) -> Result<(), String> {
    let at = |step: f64| -> Vec<Input> {
        case.inputs().iter().enumerate().map(|(k, input)| self::input(device, input, Some((k, step)))).collect()
    };
    let weighted = |arrays: &[Array]| -> Array {
        let parts = arrays.iter().map(|array| if array.is_complex() { array.as_pairs() } else { array.clone() });
        parts.filter(|part| part.dtype().is_float()).fold(device.full_of((), 0.0, DType::F64), |sum, part| {
            let weights: Vec<f64> = (0..part.size()).map(|i| direction(99, i)).collect();
            sum + (&part * &device.array(weights, part.shape())).sum([])
        })
    };
    let value = |step: f64| -> Result<f64, String> {
        let arrays = case.run(device, &at(step)).map_err(|error| error.to_string())?;
        pollster::block_on(weighted(&arrays).item()).map_err(|error| error.to_string())
    };
    const STEP: f64 = 1e-5;
    let slope = (value(STEP)? - value(-STEP)?) / (2.0 * STEP);
    let traced: Vec<Input> = at(0.0)
        .into_iter()
        .map(|input| match input {
            Input::Array(array) if array.dtype().is_float() => Input::Array(array.traced()),
            other => other,
        })
        .collect();
    let arrays = case.run(device, &traced).map_err(|error| error.to_string())?;
    let mut total = 0.0;
    for (k, input) in traced.iter().enumerate() {
        if let Input::Array(array) = input
            && array.dtype().is_float()
        {
            let gradient = device.gradients(&weighted(&arrays), &[array]).map_err(|error| error.to_string())?;
            let gradient = pollster::block_on(gradient[0].to_host()).map_err(|error| error.to_string())?;
            total += (0..gradient.len()).map(|i| gradient.f64_at(i) * direction(k, i)).sum::<f64>();
        }
    }
    if (total - slope).abs() <= 1e-5 * slope.abs().max(1.0) {
        return Ok(());
    }
    Err(format!("the derivative is {total}, differences say {slope}"))
}

/// A fixed direction without symmetry.
fn direction(input: usize, index: usize) -> f64 {
    ((index * 7 + input * 3 + 1) as f64 * 0.754_877_666).fract() - 0.4
}

/// An input as the case has it; with `moved`, floats become doubles, moved by this much in a fixed direction.
fn input(device: &Device, value: &Value, moved: Option<(usize, f64)>) -> Input {
    if let Some(number) = value.as_f64() {
        return Input::Number(number);
    }
    let dtype = DType::parse(text(&value["dtype"])).unwrap_or_else(|| panic!("no type {}", value["dtype"]));
    let mut data = values(value);
    let mut dtype = dtype;
    if let (Some((k, step)), true) = (moved, dtype.is_float()) {
        data.iter_mut().enumerate().for_each(|(i, x)| *x = Number::num(x.to_f64() + step * direction(k, i)));
        dtype = DType::F64;
    }
    let mut shape = sizes(value);
    shape.extend(dtype.is_complex().then_some(2));
    let mut array = device.from_host(HostBuffer::from_values(dtype, data), shape);
    if dtype.is_complex() {
        array = array.as_complex();
    }
    for view in value["views"].as_array().map_or(&[][..], Vec::as_slice) {
        array = device.call(text(&view[0]), &[Input::Array(array)], &attrs(&view[1]));
    }
    Input::Array(array)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn sizes(value: &Value) -> Vec<usize> {
    value["shape"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap() as usize).collect()
}

fn numbers(value: &Value) -> Vec<f64> {
    values(value).into_iter().map(Number::to_f64).collect()
}

fn values(value: &Value) -> Vec<Number> {
    let number = |x: &Value| match x {
        Value::Bool(truth) => Number::Bool(*truth),
        Value::String(text) if text == "-0" => Number::num(-0.0),
        Value::String(text) => Number::num(text.parse().unwrap()),
        x => match (x.as_i64(), x.as_u64()) {
            (Some(whole), _) => Number::Long(whole),
            (None, Some(whole)) => Number::Ulong(whole),
            _ => Number::num(x.as_f64().unwrap()),
        },
    };
    value["data"].as_array().unwrap().iter().map(number).collect()
}

fn attrs(value: &Value) -> Attrs {
    let attr = |value: &Value| match value {
        Value::Bool(truth) => Attr::Truth(*truth),
        Value::String(text) => Attr::Text(text.clone()),
        Value::Array(list) => Attr::Integers(list.iter().map(|n| n.as_i64().unwrap()).collect()),
        number => number.as_i64().map_or_else(|| Attr::Number(number.as_f64().unwrap()), Attr::Integer),
    };
    value.as_object().into_iter().flatten().fold(Attrs::default(), |attrs, (name, value)| attrs.with(name, attr(value)))
}
