//! `tilework kernels`: the WGSL that an operation would run on a GPU.

use std::io::Write;

use clap::{Arg, ArgAction, ArgMatches, Command};
use tilework::layers::core::host::HostBuffer;
use tilework::layers::core::plan::Choice;
use tilework::layers::ops::{Attr, Attrs};
use tilework::{Array, DType, Device, Input};

use crate::failure::{Failure, Outcome, Verdict};
use crate::terminal::Out;

const EXAMPLES: &str = "\
Examples:
  tilework kernels matmul 1024,1024 1024,1024                    the kernel of a product, as a GPU without extras gets it
  tilework kernels matmul 1024,1024 1024,1024 --variant direct   another one for the same work
  tilework kernels softmax 64,1000 --attr axis=-1
  tilework kernels silu 1000                                     an operation of the scalar table

Axes are separated by commas; `uint32:5` is five whole numbers. No GPU is needed. Several kernels follow each other.";

pub(crate) fn command() -> Command {
    Command::new("kernels")
        .about("Print the WGSL of an operation for inputs of given shapes")
        .arg(Arg::new("op").value_name("OP").required(true).help("Name of the operation, as in docs/ops.md"))
        .arg(Arg::new("shapes").value_name("SHAPE").num_args(0..).help("Shape of each input, such as 64,1000"))
        .arg(
            Arg::new("attr")
                .long("attr")
                .value_name("NAME=VALUE")
                .action(ArgAction::Append)
                .help("An attribute of the operation"),
        )
        .arg(Arg::new("variant").long("variant").value_name("NAME").help("A kernel other than the default"))
        .after_help(EXAMPLES)
}

pub(crate) fn run(matches: &ArgMatches, out: &mut Out) -> Outcome {
    let device = Device::cpu();
    let op = matches.get_one::<String>("op").map_or("", String::as_str);
    if let Some(variant) = matches.get_one::<String>("variant") {
        device.set_choices(vec![Choice { op: op.to_owned(), sizes: Vec::new(), variant: variant.clone() }]);
    }
    let mut inputs = Vec::new();
    for text in matches.get_many::<String>("shapes").unwrap_or_default() {
        inputs.push(Input::Array(input(&device, text)?));
    }
    let mut attrs = Attrs::default();
    for text in matches.get_many::<String>("attr").unwrap_or_default() {
        let Some((name, value)) = text.split_once('=') else {
            return Err(Failure::usage(format!("`{text}` is no attribute"), "write it as name=value"));
        };
        attrs = attrs.with(name, attribute(value));
    }
    let result = device.call(op, &inputs, &attrs);
    for (index, kernel) in device.kernels(&result)?.iter().enumerate() {
        if index > 0 {
            writeln!(out, "\n// ---- next pass")?;
        }
        write!(out, "{kernel}")?;
    }
    Ok(Verdict::Fine)
}

/// An array of the shape in `text`, with the name of its type before a colon if it is not of floats.
fn input(device: &Device, text: &str) -> Outcome<Array> {
    let (dtype, sizes) = text.split_once(':').unwrap_or(("float32", text));
    let wrong = || Failure::usage(format!("`{text}` is no shape"), "write it like 64,1000 or int32:64,1000");
    let dtype = [DType::F16, DType::F32, DType::I32, DType::U32, DType::Bool]
        .into_iter()
        .find(|known| known.to_string() == dtype)
        .ok_or_else(wrong)?;
    let sizes: Vec<usize> =
        sizes.split(',').map(|size| size.trim().parse().map_err(|_| wrong())).collect::<Outcome<_>>()?;
    // An array of one value would be computed inside the kernel: it has to be in memory to be read.
    let n_elements = sizes.iter().product();
    Ok(device.from_host(HostBuffer::zeros(dtype, n_elements), sizes))
}

fn attribute(value: &str) -> Attr {
    let integers: Option<Vec<i64>> = value.split(',').map(|part| part.parse().ok()).collect();
    match (integers, value.parse::<f64>(), value) {
        (Some(integers), ..) if !value.contains(',') => Attr::Integer(integers[0]),
        (Some(integers), ..) => Attr::Integers(integers),
        (_, Ok(number), _) => Attr::Number(number),
        (.., "true") => Attr::Truth(true),
        (.., "false") => Attr::Truth(false),
        _ => Attr::Text(value.to_owned()),
    }
}
