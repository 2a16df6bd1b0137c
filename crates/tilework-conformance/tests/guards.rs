//! Proof that the guard words guard: a kernel that writes one element too many is found.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use pollster::block_on;
use std::sync::Arc;
use tilework::layers::core::emit::KernelBuilder;
use tilework::layers::core::host::HostBuffer;
use tilework::layers::core::plan::Pass;
use tilework::layers::ops::cpu::CpuCx;
use tilework::layers::ops::{InputForm, Meta, NodeRef, Op, OpSignature, PlanCx, VjpCx};
use tilework::{Device, ErrorKind, GpuOptions, Result};

/// Copies its input, and `extra` elements more than it should.
#[derive(Debug)]
struct Careless {
    extra: u32,
}

const CARELESS: &str = "@compute @workgroup_size(64)\nfn main(@builtin(global_invocation_id) id: vec3<u32>) {\n    if id.x < params.n {\n        y(id.x, x(min(id.x, 3u)));\n    }\n}\n";

static SIGNATURE: OpSignature = OpSignature { name: "careless", inputs: &["x"], attributes: &[], doc: "For tests." };

impl Op for Careless {
    fn signature(&self) -> &'static OpSignature {
        &SIGNATURE
    }
    fn encode(&self, words: &mut Vec<u32>) {
        words.push(self.extra);
    }
    fn infer(&self, inputs: &[Meta]) -> Result<Meta> {
        Ok(inputs[0].clone())
    }
    fn input_form(&self, _index: usize) -> InputForm {
        InputForm::Elements { n_reads: 1 }
    }
    fn cpu(&self, _cx: &CpuCx<'_>, _out: &mut HostBuffer) -> Result<()> {
        Ok(())
    }
    fn plan(&self, cx: &mut PlanCx<'_>) -> Result<Vec<Pass>> {
        let n = cx.out.shape.n_elements() as u32 + self.extra;
        let builder = KernelBuilder::new("careless").file(CARELESS).param("n", n);
        Ok(vec![cx.sink(cx.source(builder, "x", 0), "y").build([1, 1, 1])])
    }
    fn vjp(&self, _cx: &VjpCx<'_>) -> Result<Vec<Option<NodeRef>>> {
        Ok(vec![None])
    }
    fn flops(&self, _inputs: &[Meta], _out: &Meta) -> f64 {
        0.0
    }
}

#[test]
fn one_element_too_many_is_found() {
    let device = match block_on(Device::gpu_guarded(GpuOptions::default())) {
        Ok(device) => device,
        Err(error) => {
            assert!(std::env::var_os("CI").is_none(), "CI needs a GPU, if only software Vulkan: {error}");
            eprintln!("skipped: {error}");
            return;
        }
    };
    let x = device.array(vec![1.0f32, 2.0, 3.0, 4.0], [4]);
    let careful = device.apply(Arc::new(Careless { extra: 0 }), &[&x]);
    assert_eq!(block_on(careful.to_vec::<f32>()).unwrap(), [1.0, 2.0, 3.0, 4.0]);
    let careless = device.apply(Arc::new(Careless { extra: 1 }), &[&x]);
    assert_eq!(block_on(careless.to_vec::<f32>()).unwrap_err().kind(), ErrorKind::Kernel);
}
