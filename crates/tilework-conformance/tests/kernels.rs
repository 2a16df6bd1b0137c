//! Every kernel any case can produce, through naga always and through tint where it is installed: tint finds non-uniform
//! barriers that naga lets pass.

#![allow(clippy::print_stderr, reason = "a missing tool says so")]

use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};
use tilework::layers::core::expr::{Kind, ScalarOp};
use tilework::layers::core::plan::{Caps, Choice};
use tilework::layers::ops::graph;
use tilework::layers::ops::registry::OPS;
use tilework::{Array, DType, Device};
use tilework_conformance::{forced, in_textures, variants};

/// The distinct programs of all cases, plain and with expressions spliced in, and of all scalar operations.
fn kernels() -> BTreeSet<String> {
    let device = Device::cpu();
    let mut kernels = BTreeSet::new();
    let with_subgroups = Caps { subgroup_sizes: Some((32, 32)), ..Caps::default() };
    let mut add_with = |array: Array, choices: Vec<Choice>| {
        for caps in [&Caps::default(), &with_subgroups] {
            if let Ok(texts) = device.kernels_for(&array, &Caps { choices: choices.clone(), ..caps.clone() }) {
                kernels.extend(texts);
            }
        }
    };
    for case in OPS.iter().flat_map(|entry| (entry.cases)()) {
        let inputs: Vec<Array> = case
            .inputs
            .iter()
            .map(|input| {
                device.from_graph(
                    device.from_host(input.data.clone(), &input.shape).graph_node().and_then(|node| input.node(node)),
                )
            })
            .collect();
        let plain = device.apply(case.op.clone(), &inputs.iter().collect::<Vec<_>>());
        for variant in variants(&case, &Caps::default()) {
            add_with(plain.clone(), vec![forced(&case, variant)]);
        }
        add_with(plain, Vec::new());
        for inputs in in_textures(&case, &device).unwrap() {
            let pictured = device.apply(case.op.clone(), &inputs.iter().collect::<Vec<_>>());
            for variant in variants(&case, &Caps::default()) {
                add_with(pictured.clone(), vec![forced(&case, variant)]);
            }
            add_with(pictured, Vec::new());
        }
        let doubled: Vec<Array> = inputs
            .iter()
            .map(|x| if matches!(x.dtype(), DType::F16 | DType::F32) { x + x } else { x.clone() })
            .collect();
        add_with(device.apply(case.op.clone(), &doubled.iter().collect::<Vec<_>>()).to_f32().sin(), Vec::new());
    }
    for dtype in [DType::F16, DType::F32, DType::I32, DType::U32, DType::Bool] {
        let args: Vec<Array> =
            (0..3).map(|k| device.arange(8 + k).slice(0, ..8).cast(dtype) + device.zeros([8]).cast(dtype)).collect();
        for x in &args {
            assert!(x.check().is_ok());
        }
        for &op in ScalarOp::ALL.iter().filter(|op| !matches!(op.kind(), Kind::Cast(_))) {
            let nodes = args[..op.arity()].iter().map(|array| array.graph_node()).collect::<Result<Vec<_>, _>>();
            add_with(device.from_graph(nodes.and_then(|nodes| graph::map(op, &nodes))), Vec::new());
        }
    }
    kernels
}

#[test]
fn naga_accepts_every_kernel() {
    let kernels = kernels();
    assert!(kernels.len() > 150, "only {} kernels", kernels.len());
    let n_textured = kernels.iter().filter(|text| text.contains("texture_2d<u32>")).count();
    assert!(n_textured > 150, "only {n_textured} kernels read textures");
    for text in &kernels {
        // naga has subgroups without being asked, and refuses the directive that browsers need.
        let has_subgroups = text.contains("enable subgroups;");
        let text = &text.replace("enable subgroups;", "");
        let module =
            naga::front::wgsl::parse_str(text).unwrap_or_else(|e| panic!("{}\n{text}", e.emit_to_string(text)));
        // Every WebGPU device reads 16-bit floats from words.
        let mut capabilities = naga::valid::Capabilities::SHADER_FLOAT16_IN_FLOAT32;
        capabilities.set(naga::valid::Capabilities::SUBGROUP, has_subgroups);
        let mut validator = naga::valid::Validator::new(naga::valid::ValidationFlags::all(), capabilities);
        if has_subgroups {
            validator.subgroup_stages(naga::valid::ShaderStages::COMPUTE);
            validator.subgroup_operations(naga::valid::SubgroupOperationSet::all());
        }
        validator.validate(&module).unwrap_or_else(|e| panic!("{}\n{text}", e.emit_to_string(text)));
    }
}

#[test]
fn tint_accepts_every_kernel() {
    if Command::new("tint").arg("--help").stdout(Stdio::null()).stderr(Stdio::null()).status().is_err() {
        eprintln!("skipped: tint is not on the PATH");
        return;
    }
    let folder = std::env::temp_dir().join(format!("tilework-tint-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (index, text) in kernels().iter().enumerate() {
        let file = folder.join(format!("{index}.wgsl"));
        std::fs::File::create(&file).unwrap().write_all(text.as_bytes()).unwrap();
        let output = Command::new("tint").args(["--format", "wgsl", "-o", "/dev/null"]).arg(&file).output().unwrap();
        assert!(output.status.success(), "{}\n{text}", String::from_utf8_lossy(&output.stderr));
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
