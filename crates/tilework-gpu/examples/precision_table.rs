//! Prints the worst relative error of every scalar operation, and of its derivatives, in the precisions beyond f32 that this device
//! has: `cargo run -p tilework-gpu --example precision_table`. The table of docs/numerics.md is made by it.

#![allow(clippy::print_stdout, reason = "this is its output")]

#[path = "../tests/ladder/mod.rs"]
mod ladder;

use ladder::{Case, float_ops, inputs, moderate_inputs, worst};
use tilework_core::Result;
use tilework_core::emit::Precision;
use tilework_gpu::{Gpu, GpuOptions, probe_double_float};

fn main() -> Result<()> {
    let gpu = pollster::block_on(Gpu::open(GpuOptions::default()))?;
    let mut precisions = vec![pollster::block_on(probe_double_float(&gpu))?.precision()];
    precisions.extend(gpu.caps().shader_f64.then_some(Precision::F64));
    let header = |precision: &Precision| format!(" {precision} | derivatives |");
    println!("| {} |{}", gpu.info().name, precisions.iter().map(header).collect::<String>());
    println!("|---|{}", "--:|".repeat(2 * precisions.len()));
    for op in float_ops() {
        let value = |precision| worst(&gpu, &Case::new(op, false), precision, &inputs(op, precision)).0;
        let slope = |precision| worst(&gpu, &Case::new(op, true), precision, &moderate_inputs(op, precision)).0;
        let errors: Vec<[f64; 2]> = precisions
            .iter()
            .map(|&precision| [value(precision), if op.is_differentiable() { slope(precision) } else { 0.0 }])
            .collect();
        if errors.iter().flatten().any(|&error| error > 0.0) {
            let cell = |&error: &f64| if error == 0.0 { " 0 |".to_owned() } else { format!(" {error:.1e} |") };
            println!("| `{}` |{}", op.name(), errors.iter().flatten().map(cell).collect::<String>());
        }
    }
    Ok(())
}
