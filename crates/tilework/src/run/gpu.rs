//! A schedule as a Plan.

use super::cpu::not_in_core;
use crate::schedule::{Role, Schedule, Step, StepKind, ValueInfo};
use tilework_core::dtype::DType;
use tilework_core::emit::KernelBuilder;
use tilework_core::expr::Value;
use tilework_core::half::HAS_HALF;
use tilework_core::plan::{Caps, Pass, Plan, Slot, SlotRole, Source, fold_workgroups};
use tilework_core::{Error, ErrorKind, Result};
use tilework_ops::{Meta, PlanCx};

/// Words after every output that a guarded device fills before a run and looks at after it.
pub(crate) const GUARD_WORDS: usize = 16;
/// What it fills them with.
pub(crate) const GUARD: u32 = 0x7ead_beef;
const GUARD_KERNEL: &str = tilework_core::wgsl!("guard.wgsl");

/// Whether outputs are followed by guard words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Guards {
    #[default]
    Off,
    On,
}

/// Turns a schedule into passes over slots. Temporaries share slots where their lifetimes allow it.
pub(crate) fn plan(schedule: &Schedule, caps: &Caps, n_scalars: usize, guards: Guards) -> Result<Plan> {
    if let Some(reason) = schedule.needs_cpu() {
        let message = format!("{reason}; use Device::cpu() or Device::auto()");
        return Err(Error::new(ErrorKind::Unsupported, "gpu", message));
    }
    if !HAS_HALF && schedule.values.iter().any(|value| value.meta.dtype == DType::F16) {
        return Err(not_in_core(DType::F16));
    }
    let mut planner = Planner {
        schedule,
        caps,
        slots: Vec::new(),
        slot_of: vec![None; schedule.values.len()],
        free: Vec::new(),
        passes: Vec::new(),
    };
    // Guard words follow an output's own elements, and an input has none.
    let updates = if guards == Guards::On { Vec::new() } else { updates(schedule) };
    planner.fixed_slots(guards, &updates);
    for (index, step) in schedule.steps.iter().enumerate() {
        let is_in_place = updates.iter().any(|update| update.step == index);
        planner.step(step, if is_in_place { Start::InPlace } else { Start::Copy })?;
        for &input in &step.inputs {
            if schedule.last_reads[input] == Some(index) && schedule.values[input].role == Role::Temp {
                planner.free.extend(planner.slot_of[input]);
            }
        }
    }
    let n_inputs = schedule.values.iter().filter(|value| matches!(value.role, Role::Input(_))).count();
    Ok(Plan {
        slots: planner.slots,
        passes: planner.passes,
        n_inputs,
        n_outputs: n_distinct_outputs(schedule),
        n_scalars,
    })
}

/// A step that changes an input of the plan in place.
struct Update {
    step: usize,
    input_value: usize,
    input: usize,
}

/// Where the elements of a result that is changed only in part come from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    InPlace,
    Copy,
}

/// The steps that turn an input into an output in place.
fn updates(schedule: &Schedule) -> Vec<Update> {
    if !cfg!(feature = "language") {
        return Vec::new();
    }
    let update = |step: usize| {
        let input_value = schedule.taken_over(step)?;
        let Role::Input(input) = schedule.values[input_value].role else { return None };
        let is_output = matches!(schedule.values[schedule.steps[step].output].role, Role::Output(_));
        is_output.then_some(Update { step, input_value, input })
    };
    (0..schedule.steps.len()).filter_map(update).collect()
}

fn n_distinct_outputs(schedule: &Schedule) -> usize {
    schedule.values.iter().filter(|value| matches!(value.role, Role::Output(_))).count()
}

/// The words a Plan takes for its scalars.
pub(crate) fn scalar_words(scalars: &[Value]) -> Vec<u32> {
    let word = |value: &Value| match *value {
        Value::Bool(value) => u32::from(value),
        Value::Int(value) => value as u32,
        Value::Uint(value) => value,
        // No kernel has these: such work stays on the CPU.
        Value::Long(_) | Value::Ulong(_) => 0,
        Value::Num(bits) => (f64::from_bits(bits) as f32).to_bits(),
    };
    scalars.iter().map(word).collect()
}

struct Planner<'a> {
    schedule: &'a Schedule,
    caps: &'a Caps,
    slots: Vec<Slot>,
    slot_of: Vec<Option<usize>>,
    /// Slots of dead temporaries.
    free: Vec<usize>,
    passes: Vec<Pass>,
}

impl Planner<'_> {
    fn fixed_slots(&mut self, guards: Guards, updates: &[Update]) {
        for (value, info) in self.schedule.values.iter().enumerate() {
            let role = match info.role {
                Role::Input(_) if updates.iter().any(|update| update.input_value == value) => continue,
                Role::Input(number) => SlotRole::Input(number),
                Role::Output(number) => {
                    // The machine hands outputs back without gaps, in the order of their numbers.
                    let is_before = |other: &&ValueInfo| matches!(other.role, Role::Output(n) if n < number);
                    let output = self.schedule.values.iter().filter(is_before).count();
                    match updates.iter().find(|update| self.schedule.steps[update.step].output == value) {
                        Some(update) => {
                            self.slot_of[update.input_value] = Some(self.slots.len());
                            SlotRole::Update { input: update.input, output }
                        }
                        None => SlotRole::Output(output),
                    }
                }
                Role::Temp => continue,
            };
            self.slot_of[value] = Some(self.slots.len());
            let mut slot = Slot { size_bytes: size_bytes(&info.meta), role };
            if guards == Guards::On && matches!(role, SlotRole::Output(_)) {
                let first_word = (slot.size_bytes / 4) as u32;
                slot.size_bytes += 4 * GUARD_WORDS as u64;
                self.passes.push(guard_pass(self.slots.len(), first_word));
            }
            self.slots.push(slot);
        }
    }

    /// A temporary slot of at least this size that nothing uses any more, or a new one.
    fn temp(slots: &mut Vec<Slot>, free: &mut Vec<usize>, size_bytes: u64) -> usize {
        let fits = |&&slot: &&usize| slots[slot].size_bytes >= size_bytes && slots[slot].size_bytes <= 4 * size_bytes;
        if let Some(&slot) = free.iter().filter(fits).min_by_key(|&&slot| slots[slot].size_bytes) {
            free.retain(|&other| other != slot);
            return slot;
        }
        slots.push(Slot { size_bytes: size_bytes.max(4), role: SlotRole::Temp });
        slots.len() - 1
    }

    fn step(&mut self, step: &Step, start: Start) -> Result<()> {
        let meta = &self.schedule.values[step.output].meta;
        let out_slot = self.slot_of[step.output]
            .unwrap_or_else(|| Planner::temp(&mut self.slots, &mut self.free, size_bytes(meta)));
        self.slot_of[step.output] = Some(out_slot);
        let source =
            |&input: &usize| Some(Source { slot: self.slot_of[input]?, texels: self.schedule.values[input].texels });
        let slots: Vec<Source> = step.inputs.iter().filter_map(source).collect();
        match &step.kind {
            StepKind::Map(compiled) => {
                let n = compiled.fused.grid.n_elements();
                let builder = KernelBuilder::map("map", &compiled.fused, &slots, &[(out_slot, meta.dtype)]);
                self.passes.push(builder.build(fold_workgroups(n.div_ceil(256), self.caps.max_workgroups)));
            }
            StepKind::Op { op, inputs, metas, result, epilogue } => {
                let fused: Vec<_> = inputs.iter().map(|compiled| compiled.fused.clone()).collect();
                if cfg!(feature = "language")
                    && let (Start::Copy, Some(updated)) = (start, op.updates())
                {
                    let n = fused[updated].grid.n_elements();
                    let builder = KernelBuilder::map("copy", &fused[updated], &slots, &[(out_slot, meta.dtype)]);
                    self.passes.push(builder.build(fold_workgroups(n.div_ceil(256), self.caps.max_workgroups)));
                }
                let mut scratch = Vec::new();
                let (all_slots, free) = (&mut self.slots, &mut self.free);
                let mut temp = |size_bytes: u64| {
                    let slot = Planner::temp(all_slots, free, size_bytes);
                    scratch.push(slot);
                    slot
                };
                let passes = op.plan(&mut PlanCx {
                    caps: self.caps,
                    inputs: &fused,
                    metas,
                    out: result,
                    slots: &slots,
                    out_slot,
                    out_dtype: meta.dtype,
                    epilogue: epilogue.as_ref().map(|compiled| &compiled.fused),
                    temp: &mut temp,
                })?;
                self.passes.extend(passes);
                self.free.extend(scratch);
            }
        }
        Ok(())
    }
}

/// Whole words: 16-bit floats may leave half of the last one unused.
fn size_bytes(meta: &Meta) -> u64 {
    meta.size_bytes().next_multiple_of(4).max(4)
}

/// Fills the guard words of an output.
fn guard_pass(slot: usize, first_word: u32) -> Pass {
    KernelBuilder::new("guard")
        .file(GUARD_KERNEL)
        .param("first_word", first_word)
        .param("guard", GUARD)
        .sink("y", DType::U32, slot, DType::U32, None)
        .build([1, 1, 1])
}
