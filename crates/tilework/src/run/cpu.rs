//! A schedule on the CPU: step by step, every step on all threads.

use crate::schedule::{Compiled, Role, Schedule, Step, StepKind};
use crate::value::{HostPool, HostValue};
use std::sync::Arc;
use tilework_core::dtype::{DType, HAS_WIDE};
use tilework_core::expr::Value;
use tilework_core::half::HAS_HALF;
use tilework_core::host::HostBuffer;
use tilework_core::{Error, Result};
use tilework_ops::cpu::{CpuCx, CpuInput, HAS_DOUBLE, map};
use tilework_ops::threads::Threads;
use tilework_vm::HostSlice;

/// The CPU as a machine.
#[derive(Debug)]
pub(crate) struct Cpu {
    pub(crate) pool: Arc<HostPool>,
    pub(crate) threads: Threads,
}

impl Cpu {
    pub(crate) fn new() -> Cpu {
        Cpu { pool: Arc::default(), threads: Threads::all() }
    }

    /// Runs `schedule` and returns its outputs. `values` has a place for every value, and its inputs in theirs.
    pub(crate) fn run(
        &self,
        schedule: &Schedule,
        mut values: Vec<Option<Arc<HostValue>>>,
        scalars: &[Value],
    ) -> Result<Vec<Arc<HostValue>>> {
        for (index, step) in schedule.steps.iter().enumerate() {
            let taken = schedule.taken_over(index).and_then(|value| values[value].take());
            let output = self.step(schedule, step, Before { values: &values, taken }, scalars)?;
            values[step.output] = Some(HostValue::new(output, &self.pool));
            // Memory of a temporary goes back to the pool as soon as nothing reads it any more.
            for &input in &step.inputs {
                if schedule.last_reads[input] == Some(index) && schedule.values[input].role == Role::Temp {
                    values[input] = None;
                }
            }
        }
        let mut outputs = Vec::with_capacity(schedule.n_outputs);
        for number in 0..schedule.n_outputs {
            let position = schedule.values.iter().position(|value| value.role == Role::Output(number));
            outputs.extend(position.and_then(|value| values[value].take()));
        }
        Ok(outputs)
    }

    fn copy(&self, buffer: &HostBuffer) -> Result<HostBuffer> {
        let mut copy = self.pool.take(buffer.dtype(), buffer.len())?;
        copy.bytes_mut().copy_from_slice(buffer.bytes());
        Ok(copy)
    }

    fn step(&self, schedule: &Schedule, step: &Step, before: Before<'_>, scalars: &[Value]) -> Result<HostBuffer> {
        let missing = || Error::argument("run", "a step reads what was not computed");
        let has_taken = before.taken.is_some();
        let slices: Vec<HostSlice<'_>> = step
            .inputs
            .iter()
            .map(|&input| match &before.values[input] {
                Some(value) => Ok(value.slice()),
                // Only what is taken over is gone, and its elements are in the result.
                None if has_taken => Ok(HostSlice::F32(&[])),
                None => Err(missing()),
            })
            .collect::<Result<_>>()?;
        let out = &schedule.values[step.output].meta;
        let mut dtypes = step.inputs.iter().map(|&input| schedule.values[input].meta.dtype).chain([out.dtype]);
        let is_absent = |dtype: DType| {
            (!HAS_DOUBLE && dtype == DType::F64) || (!HAS_HALF && dtype == DType::F16) || (!HAS_WIDE && dtype.is_wide())
        };
        if let Some(dtype) = dtypes.find(|&dtype| is_absent(dtype)) {
            return Err(not_in_core(dtype));
        }
        let mut result = match before.taken.map(Arc::try_unwrap) {
            Some(Ok(value)) => value.into_buffer(),
            Some(Err(shared)) => self.copy(&shared.buffer())?,
            None => self.pool.take(out.dtype, out.shape.n_elements())?,
        };
        if cfg!(feature = "language")
            && let (StepKind::Op { op, inputs, .. }, false) = (&step.kind, has_taken)
            && let Some(updated) = op.updates()
        {
            map(&input(&inputs[updated], &slices, scalars), &mut result, self.threads);
        }
        match &step.kind {
            StepKind::Map(compiled) => map(&input(compiled, &slices, scalars), &mut result, self.threads),
            StepKind::Op { op, inputs, epilogue: None, .. } => {
                let inputs: Vec<CpuInput<'_>> =
                    inputs.iter().map(|compiled| input(compiled, &slices, scalars)).collect();
                op.cpu(&CpuCx { inputs: &inputs, threads: self.threads }, &mut result)?;
            }
            StepKind::Op { op, inputs, epilogue: Some(epilogue), result: meta, .. } => {
                let inputs: Vec<CpuInput<'_>> =
                    inputs.iter().map(|compiled| input(compiled, &slices, scalars)).collect();
                let mut own = self.pool.take(meta.dtype, meta.shape.n_elements())?;
                op.cpu(&CpuCx { inputs: &inputs, threads: self.threads }, &mut own)?;
                let own = HostValue::new(own, &self.pool);
                // By convention the operation's own result is the last input of its epilogue.
                let mut slices = slices.clone();
                slices.push(own.slice());
                map(&input(epilogue, &slices, scalars), &mut result, self.threads);
            }
        }
        Ok(result)
    }
}

/// What a step finds.
struct Before<'a> {
    values: &'a [Option<Arc<HostValue>>],
    /// The value it changes, no longer among the others.
    taken: Option<Arc<HostValue>>,
}

/// The error of work with a type that a core module leaves out.
pub(crate) fn not_in_core(dtype: DType) -> Error {
    Error::dtype("run", format!("{dtype} is not among the core operations; open with `ops: \"all\"`"))
}

fn input<'a>(compiled: &'a Compiled, slices: &'a [HostSlice<'a>], scalars: &'a [Value]) -> CpuInput<'a> {
    CpuInput { fused: &compiled.fused, program: &compiled.program, slices, scalars }
}
